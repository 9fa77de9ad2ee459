"""Static abilities and lasting effects, read anew at every look: what modifies, and the stats that it leaves.

Nothing that they change is stored. A modifier whose condition stops to hold is simply not there at the next look, and
one whose card has left is gone, while what an effect changed for good (`Thing.base`) stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lawful.model.cost import AssetTerm, Cost, CostAll, CostAny
from lawful.model.effect import Ability, Modifier, Operation, Static
from lawful.model.errors import BadInput, Fault
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Lasting, Position, Thing
from lawful.model.referee.evaluate import Bound, Scope, base, holds, matches, number
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Selector

Table = dict[tuple[str, str], int]


@dataclass(frozen=True, slots=True)
class Active:
    """A modifier that is there, whether or not its condition holds.

    Parameters
    ----------
    modifier : Modifier
        What it does.
    source : str
        Id of the object or of the lasting effect that it comes from.
    bindings : mapping of str to str or int
        What its text refers to: ``self``, ``controller``.
    timestamp : int
        Since when.
    """

    modifier: Modifier
    source: str
    bindings: FrozenMap[str, Bound]
    timestamp: int


def working(position: Position, ruleset: Ruleset) -> Iterator[tuple[Thing, int, Ability]]:
    """Yield the abilities that work: those of face-up objects in a zone of play, with their numbers on the card.

    References
    ----------
    CR 1.8.6b (a face-down object is blank).
    """
    play = {zone.name for zone in ruleset.zones if zone.play}
    for thing in position.things:
        if thing.zone in play and thing.face == "up":
            for i, ability in enumerate(position.card(thing).abilities):
                yield thing, i, ability


def own(thing: Thing) -> FrozenMap[str, Bound]:
    """Return what an object's text means by itself, its controller and its owner."""
    return FrozenMap({"self": thing.id, "controller": thing.controller, "owner": thing.owner})


def laid(effect: Lasting) -> FrozenMap[str, Bound]:
    """Return what the text of a lasting effect means by its controller and by the object that it was laid on."""
    on = {"self": effect.on} if effect.on is not None else {}
    return FrozenMap({"controller": effect.controller, **on})


def active(position: Position, ruleset: Ruleset) -> tuple[Active, ...]:
    """Return the modifiers that are there, by timestamp, then in the order of the position.

    Parameters
    ----------
    position : Position
        Where they are looked for.
    ruleset : Ruleset
        Says in which zones abilities work.

    Returns
    -------
    tuple of Active
        Of cost parts, stats and base values alike.

    References
    ----------
    CR 6.3.4 (timestamp order).
    """
    found = [
        Active(ability.effect, thing.id, own(thing), thing.timestamp)
        for thing, _, ability in working(position, ruleset)
        if isinstance(ability, Static) and isinstance(ability.effect, Modifier)
    ]
    found += [
        Active(effect.modifier, effect.id, laid(effect), effect.timestamp)
        for effect in position.lasting
        if isinstance(effect.modifier, Modifier)
    ]
    return tuple(sorted(found, key=lambda a: a.timestamp))


def stats(position: Position, ruleset: Ruleset) -> Table:
    """Return the current stats of every face-up object.

    Base values come first, with what modifies them; then the stages in the ruleset's order, inside a stage by
    timestamp. What a modifier reads is what the ones before it left, so that no cycle of effects can hang.

    Parameters
    ----------
    position : Position
        What is looked at.
    ruleset : Ruleset
        Says which stages there are, in which order, and the floor of each.

    Returns
    -------
    dict
        Object id and name to value; the name is a stat's (``life``) or its base's (``base.life``). A stat that an
        object lacks is not in it, and no modifier gives it one.

    Raises
    ------
    BadInput
        If a modifier names a stage that the ruleset does not have.

    References
    ----------
    CR 6.3.3, 6.3.4, 6.3.5.
    """
    table = _bases(position, ruleset)
    # 2.2.4: what a card costs is what is printed; ``cost.r`` is what is due.
    there = [a for a in active(position, ruleset) if a.modifier.modify.partition(".")[0] != "cost"]
    _known(there, ruleset)
    of_base = [a for a in there if a.modifier.modify.startswith("base.")]
    _run(of_base, table, position, ruleset)
    table.update({(id, name.removeprefix("base.")): n for (id, name), n in table.items() if name.startswith("base.")})
    _run([a for a in there if a not in of_base], table, position, ruleset)
    return table


def _run(group: list[Active], table: Table, position: Position, ruleset: Ruleset) -> None:
    for stage in ruleset.stages:
        for one in group:
            if one.modifier.stage == stage.name:
                _apply(one, stage.floor, table, position, ruleset)


def _bases(position: Position, ruleset: Ruleset) -> Table:
    table: Table = {}
    for thing in position.things:
        if thing.face == "up":
            for name in (*position.card(thing).stats, *thing.base):
                found = base(thing, name, position)
                if found is not None:
                    table[thing.id, name] = table[thing.id, f"base.{name}"] = found
    for thing in position.things:
        unknown = (thing.id, "cost") not in table and position.card(thing).cost is not None
        if thing.face == "up" and unknown:
            cost = _cost(thing, Scope(position, ruleset, FrozenMap({**own(thing), "x": 0}), dict(table)))
            if cost is not None:
                table[thing.id, "cost"] = table[thing.id, "base.cost"] = cost
    return table


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


def _known(there: list[Active], ruleset: Ruleset) -> None:
    names = {stage.name for stage in ruleset.stages}
    faults = [
        Fault(
            f"{a.source}: the rules {ruleset.id!r} have no stage {a.modifier.stage!r}", hint=f"one of {sorted(names)}"
        )
        for a in there
        if a.modifier.stage not in names
    ]
    if faults:
        raise BadInput(faults)


def _apply(one: Active, floor: int | None, table: Table, position: Position, ruleset: Ruleset) -> None:
    modifier = one.modifier
    before = Scope(position, ruleset, one.bindings, dict(table))
    if modifier.while_ is not None and not holds(modifier.while_, before):
        return
    name = modifier.modify
    for thing in position.things:
        if (thing.id, name) in table and _is_of(modifier, thing, before):
            amount = number(modifier.amount, before.bind(subject=thing.id))
            if amount is not None:
                changed = operate(modifier.operation, table[thing.id, name], amount)
                table[thing.id, name] = changed if floor is None else max(floor, changed)


def _is_of(modifier: Modifier, thing: Thing, scope: Scope) -> bool:
    return isinstance(modifier.of, Ref | Selector) and matches(modifier.of, thing, scope)


def operate(operation: Operation, old: int, amount: int) -> int:
    """Return a number after one modifier.

    Examples
    --------
    >>> operate("add", 3, 2), operate("set", 3, 2)
    (5, 2)
    """
    if operation == "set":
        return amount
    if operation == "add":
        return old + amount
    return old - amount if operation == "subtract" else old * amount
