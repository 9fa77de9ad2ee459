"""Players in order: who begins, who comes next, and whose items may come first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from lawful.model.position import Position

Item = TypeVar("Item")


def round_from(player: str, position: Position) -> tuple[str, ...]:
    """Return the players in turn order, beginning with one."""
    names = [p.name for p in position.players]
    at = names.index(player) if player in names else 0
    return (*names[at:], *names[:at])


def first_player(position: Position) -> str:
    """Return the first player: whose fact `first` says so, else the first of the position."""
    named = [p.name for p in position.players if p.facts.get("first") == "yes"]
    return (named or [p.name for p in position.players])[0]


def earliest(items: Sequence[Item], whose: Callable[[Item], str], order: Sequence[str]) -> list[Item]:
    """Return the items of the first player, in that order, who has any."""
    for player in order:
        found = [item for item in items if whose(item) == player]
        if found:
            return found
    return list(items)
