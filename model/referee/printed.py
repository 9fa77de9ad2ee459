"""What a card costs: the points of its printed cost, whatever is due for it."""

from __future__ import annotations

from collections.abc import Iterator

from lawful.model.cost import AssetTerm, Cost, CostAll, CostAny
from lawful.model.frozen import FrozenMap
from lawful.model.position import Position, Thing
from lawful.model.referee.evaluate import number
from lawful.model.referee.scope import Scope
from lawful.model.referee.statics import own
from lawful.model.ruleset import Ruleset

Table = dict[tuple[str, str], int]


def add_costs(table: Table, position: Position, ruleset: Ruleset) -> None:
    """Put the printed costs of face-up objects into a table of their numbers."""
    for thing in position.things:
        unknown = (thing.id, "cost") not in table and position.card(thing).cost is not None
        if thing.face == "up" and unknown:
            cost = _cost(thing, Scope(position, ruleset, FrozenMap({**own(thing), "x": 0}), dict(table)))
            if cost is not None:
                table[thing.id, "cost"] = table[thing.id, "base.cost"] = cost


def declared_cost(thing: Thing, scope: Scope) -> int | None:
    """Return the printed cost of the card that is being played, with the X that was declared; else None.

    References
    ----------
    CR 5.1.2a (an effect that asks for X looks when X is declared).
    """
    announced = scope.ruleset.announced is not None and thing.zone == scope.ruleset.announced
    if not announced or scope.bindings.get("declared") != thing.id or "x" not in scope.bindings:
        return None
    if "cost" in thing.base or "cost" in scope.position.card(thing).stats:
        return None
    return _cost(thing, scope.bind(**own(thing)))


def _cost(thing: Thing, scope: Scope) -> int | None:
    """Return the points that the printed cost of an object asks for; None without a cost, or with an either-or.

    References
    ----------
    CR 1.8.7 (no cost is not a cost of 0), 1.12.2a (an X that is not defined is 0), 2.2.4 (it is what is printed).
    """
    cost = scope.position.card(thing).cost
    if cost is None or any(isinstance(part, CostAny) for part in _parts(cost)):
        return None
    amounts = [number(part.amount, scope) for part in _parts(cost) if isinstance(part, AssetTerm)]
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if len(known) == len(amounts) else None


def _parts(cost: Cost) -> Iterator[Cost]:
    yield cost
    for part in cost.terms if isinstance(cost, CostAll) else ():
        yield from _parts(part)
