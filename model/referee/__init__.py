"""The rules read literally, step by step: the judge of every answer. No theorem, no solver."""
