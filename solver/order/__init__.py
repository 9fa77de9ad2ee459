"""Orders of effects: what applies before what, and what can come out. The referee has its own reading of all this."""
