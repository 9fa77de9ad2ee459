"""Collects *.case.yaml."""
