"""What a card costs as printed, as a number that texts can ask for."""

from __future__ import annotations

from collections.abc import Iterator

from lawful.model.cost import AssetTerm, Cost, CostAll, CostAny
from lawful.model.position import Thing
from lawful.model.referee.evaluate import Scope, number
from lawful.model.referee.statics import own


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
    return points(thing, scope.bind(**own(thing)))


def points(thing: Thing, scope: Scope) -> int | None:
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
