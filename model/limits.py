"""Limits, in one place: what is refused and what is stopped, with the default of each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What a question may cost. A limit that is reached is reported by its name.

    Parameters
    ----------
    seconds : float
        Time for one answer.
    ways : int
        Ways that are enumerated.
    listed : int
        Ways that are listed and replayed.
    sources : int
        Sources that may be used.
    amount : int
        The largest number of points anywhere.
    objects : int
        Objects of a position.
    nodes : int
        Nodes of a decision diagram; beyond that ways are enumerated.
    rows : int
        Ways that are written to a file.
    """

    seconds: float = 60.0
    ways: int = 200_000
    listed: int = 1_000
    sources: int = 200
    amount: int = 1_000_000
    objects: int = 2_000
    nodes: int = 200_000
    rows: int = 100_000_000
