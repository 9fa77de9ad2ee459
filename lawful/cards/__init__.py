"""Published card files, and a designer's own, read into the vocabulary; and how much of their text was understood."""
