"""What was just found of a position is not found again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from lawful.model.position import Position
from lawful.model.ruleset import Ruleset

T = TypeVar("T")
KEPT = 4


class Latest(Generic[T]):
    """What was found of the positions looked at last; it must not be changed.

    Notes
    -----
    Positions and rulesets are known by identity: they are frozen, and kept for as long as what was found of them. What
    is kept is one tuple, which is replaced as a whole, so that threads do not disturb each other.
    """

    def __init__(self) -> None:
        self._kept: tuple[tuple[Position, Ruleset, T], ...] = ()

    def of(self, position: Position, ruleset: Ruleset, find: Callable[[Position, Ruleset], T]) -> T:
        """Return what was found of a position, or find it."""
        for known in self._kept:
            if known[0] is position and known[1] is ruleset:
                return known[2]
        found = find(position, ruleset)
        self._kept = ((position, ruleset, found), *self._kept[: KEPT - 1])
        return found
