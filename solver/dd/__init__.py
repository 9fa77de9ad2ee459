"""From a CP-SAT model to a decision diagram: reading the proto, ordering the work, building layer by layer."""
