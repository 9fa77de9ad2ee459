"""What objects are before anything is paid: numbers, types, lost abilities, as effects have left them.

One reading serves the encoders of payments and of declarations; `lawful.solver.order` has it. The referee works them
out by itself.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

from lawful.model.effect import Grant, Modifier, Static
from lawful.model.position import Position
from lawful.model.ruleset import Ruleset

Table = Mapping[tuple[str, str], int]


@dataclass(frozen=True, slots=True)
class Made:
    """What effects have made of objects.

    Parameters
    ----------
    numbers : mapping, optional
        By object and name; None where no effect changes any: they are as printed.
    types : mapping, optional
        By object; None where no effect changes any.
    mute : frozenset of str
        Objects that have lost their abilities.
    """

    numbers: Table | None = None
    types: Mapping[str, frozenset[str]] | None = None
    mute: frozenset[str] = frozenset()


PRINTED = Made()


def bending(position: Position, ruleset: Ruleset) -> tuple[Modifier | Grant, ...]:
    """Return what may change numbers or kinds of objects, whether or not it is in force.

    References
    ----------
    CR 2.2.4 (what a card costs is what is printed, so nothing modifies that).
    """
    play = {zone.name for zone in ruleset.zones if zone.play}
    found = [effect.modifier for effect in position.lasting]
    for thing in position.things:
        if thing.zone in play and thing.face == "up":
            found += [a.effect for a in position.cards[thing.card].abilities if isinstance(a, Static)]
    kept = [one for one in found if isinstance(one, Modifier | Grant)]
    return tuple(one for one in kept if isinstance(one, Grant) or one.modify.partition(".")[0] != "cost")


_KNOWN: OrderedDict[tuple[int, int], tuple[Position, Ruleset, Made]] = OrderedDict()
KEPT = 64


def made(position: Position, ruleset: Ruleset) -> Made:
    """Return what effects have made of the objects of a position; what was worked out is kept for a while."""
    key = (id(position), id(ruleset))
    known = _KNOWN.get(key)
    # An id may be given again to another object: what is kept is kept with its objects.
    if known is not None and known[0] is position and known[1] is ruleset:
        return known[2]
    found = _made(position, ruleset)
    _KNOWN[key] = (position, ruleset, found)
    while len(_KNOWN) > KEPT:
        _KNOWN.popitem(last=False)
    return found


def _made(position: Position, ruleset: Ruleset) -> Made:
    there = bending(position, ruleset)
    if not there:
        return PRINTED
    from lawful.solver.order.board import Boards  # only where something changes anything

    board = Boards(ruleset, position).of(position)
    grants = any(isinstance(one, Grant) for one in there)
    return Made(dict(board.numbers), dict(board.types) if grants else None, frozenset(board.mute))
