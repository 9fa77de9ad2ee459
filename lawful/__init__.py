"""Exact answers, with reasons, about card-game positions."""
