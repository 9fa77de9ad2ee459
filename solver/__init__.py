"""How answers are found. Knows CP-SAT and networkx, no game."""
