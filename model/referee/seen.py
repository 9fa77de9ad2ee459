"""What an object is for who may look at it: of what lies face down, what is printed on it."""

from __future__ import annotations

from collections.abc import Iterable

from lawful.model.position import Thing
from lawful.model.referee.scope import Scope, base, stat, types_of


def types_seen(thing: Thing, scope: Scope) -> Iterable[str]:
    """Return the types of an object; of one that lies face down, for who may look at it, those that are printed."""
    return scope.position.card(thing).types if thing.face == "down" else types_of(thing, scope)


def stat_seen(thing: Thing, name: str, scope: Scope) -> int | None:
    """Return a number of an object; of one that lies face down, for who may look at it, the one that is printed."""
    if thing.face == "up":
        return stat(thing, name, scope)
    found = base(thing, name, scope.position)
    return printed_points(thing, scope) if found is None and name == "cost" else found


def printed_points(thing: Thing, scope: Scope) -> int | None:
    """Return the points of a printed cost."""
    from lawful.model.referee.printedcost import points  # it reads this module's results

    return points(thing, scope.bind(self=thing.id, controller=thing.controller, owner=thing.owner))
