"""What is asked, what is answered, and what it means. Frozen data; knows no solver."""
