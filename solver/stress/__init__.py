"""What breaks when cards meet: each check looks for the smallest position in which something does."""
