"""YAML to the vocabulary and back, with places."""
