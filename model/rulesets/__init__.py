"""One data file a game; the only place that names a game."""
