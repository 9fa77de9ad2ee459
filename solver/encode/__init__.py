"""Position and declaration to a CP-SAT model; every rule under a literal that carries its citation."""
