"""Static abilities and lasting effects: which are there, read anew at every look.

Nothing that they change is stored. A modifier whose condition stops to hold is simply not there at the next look, and
one whose card has left is gone, while what an effect changed for good (`Thing.base`) stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from lawful.model.effect import Ability, Grant, Modifier, Norm, Operation, Prevention, Replacement, Static
from lawful.model.frozen import FrozenMap
from lawful.model.position import Position, Thing
from lawful.model.referee.evaluate import Bound
from lawful.model.referee.latest import Latest
from lawful.model.ruleset import Ruleset

RULES = "the rules"


@dataclass(frozen=True, slots=True)
class Active:
    """A static effect that is there, whether or not its condition holds.

    Parameters
    ----------
    modifier : Modifier, Grant or Norm
        What it does.
    source : str
        Id of the object or of the lasting effect that it comes from.
    bindings : mapping of str to str or int
        What its text refers to: ``self``, ``controller``.
    timestamp : int
        Since when.
    key : str
        Distinct for every one: object id and number of the ability, or the lasting effect's id.
    lasting : bool
        Whether it needs no card any more.
    """

    modifier: Modifier | Grant | Norm
    source: str
    bindings: FrozenMap[str, Bound]
    timestamp: int
    key: str = ""
    lasting: bool = False


Printed: TypeAlias = tuple[Thing, int, Ability]
_PRINTED: Latest[tuple[Printed, ...]] = Latest()
_WORKING: Latest[tuple[Printed, ...]] = Latest()
_EFFECTS: Latest[tuple[Active, ...]] = Latest()


def printed(position: Position, ruleset: Ruleset) -> tuple[Printed, ...]:
    """Return the abilities of face-up objects in a zone of play, with their numbers on the card.

    References
    ----------
    CR 1.8.6b (a face-down object is blank).
    """
    return _PRINTED.of(position, ruleset, _printed)


def _printed(position: Position, ruleset: Ruleset) -> tuple[Printed, ...]:
    play = {zone.name for zone in ruleset.zones if zone.play}
    return tuple(
        (thing, i, ability)
        for thing in position.things
        if thing.zone in play and thing.face == "up"
        for i, ability in enumerate(position.card(thing).abilities)
    )


def working(position: Position, ruleset: Ruleset) -> tuple[Printed, ...]:
    """Return the abilities that work: as `printed`, without those of objects that lose their abilities."""
    return _WORKING.of(position, ruleset, _at_work)


def _at_work(position: Position, ruleset: Ruleset) -> tuple[Printed, ...]:
    there = printed(position, ruleset)
    if not any(_silences(ability) for _, _, ability in there) and not any(
        isinstance(effect.modifier, Grant) and effect.modifier.no_abilities for effect in position.lasting
    ):
        return there
    from lawful.model.referee.layers import layers  # what an object loses is found by looking at what is printed

    mute = layers(position, ruleset).mute
    return tuple(found for found in there if found[0].id not in mute)


def of_rules(position: Position, ruleset: Ruleset) -> Iterator[tuple[Thing, int, Replacement | Prevention]]:
    """Yield the replacements and preventions of the rules themselves, as if the active player had them.

    A prevention that the rules tell for costs, and tell as a replacement for what happens, is the replacement here.
    """
    nobody = Thing(RULES, "", position.turn, position.turn, "")
    told = [replacement.on for replacement in ruleset.replacements]
    rest = [prevention for prevention in ruleset.preventions if prevention.on not in told]
    own_rules: list[Replacement | Prevention] = [*ruleset.replacements, *rest]
    yield from ((nobody, i, ability) for i, ability in enumerate(own_rules))


def _silences(ability: Ability) -> bool:
    return isinstance(ability, Static) and isinstance(ability.effect, Grant) and ability.effect.no_abilities


def own(thing: Thing) -> FrozenMap[str, Bound]:
    """Return what an object's text means by itself, its controller and its owner."""
    return FrozenMap({"self": thing.id, "controller": thing.controller, "owner": thing.owner})


def effects(position: Position, ruleset: Ruleset) -> tuple[Active, ...]:
    """Return every static effect that is printed in play or lasts, by timestamp, then in the order of the position."""
    return _EFFECTS.of(position, ruleset, _effects)


def _effects(position: Position, ruleset: Ruleset) -> tuple[Active, ...]:
    found = [
        Active(ability.effect, thing.id, own(thing), thing.timestamp, f"{thing.id}/{i}")
        for thing, i, ability in printed(position, ruleset)
        if isinstance(ability, Static)
    ]
    found += [
        Active(
            effect.modifier, effect.id, effect.bindings.put("controller", effect.controller), effect.timestamp,
            effect.id, lasting=True,
        )
        for effect in position.lasting
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda a: a.timestamp))


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
    return tuple(a for a in _working(position, ruleset) if isinstance(a.modifier, Modifier))


def norms(position: Position, ruleset: Ruleset) -> tuple[Active, ...]:
    """Return the norms that are there, as `active` does the modifiers."""
    return tuple(a for a in _working(position, ruleset) if isinstance(a.modifier, Norm))


def _working(position: Position, ruleset: Ruleset) -> Iterator[Active]:
    there = {f"{thing.id}/{i}" for thing, i, _ in working(position, ruleset)}
    return (a for a in effects(position, ruleset) if a.lasting or a.key in there)


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
