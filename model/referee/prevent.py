"""Prevention: fewer wounds than would be given, in every order in which the shields can be used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from lawful.model.effect import Prevention
from lawful.model.errors import LimitReached
from lawful.model.position import Position, Thing
from lawful.model.referee import change
from lawful.model.referee.evaluate import Scope, number
from lawful.model.referee.event import Event, speaks_of
from lawful.model.referee.moment import Moment
from lawful.model.referee.statics import own, working
from lawful.model.ruleset import Ruleset

Batch = tuple[Event, ...]
STEPS = 5_000


@dataclass(frozen=True, slots=True)
class Shield:
    """A prevention that can be used now on one event: on which members of the batch, and for how much."""

    key: str
    thing: Thing
    ability: Prevention
    event: int
    members: tuple[int, ...]
    left: int


def grouped(batch: Batch, ruleset: Ruleset) -> tuple[tuple[int, ...], ...]:
    """Return which members of a batch are one event, as the ruleset's `at_once` says.

    Parameters
    ----------
    batch : tuple of Event
        What happens at the same time.
    ruleset : Ruleset
        ``each``: every member is an event of its own. ``whole``: those of one name are one event.

    Returns
    -------
    tuple of tuple of int
        Indices into the batch.

    Notes
    -----
    That three creatures wounded at once by one effect are three events of one batch is a reading, not a sentence of a
    rule: 516.1 to 516.6 do not say it, and the example of 516.4 only speaks
    of "each time that your creature gets wounds", in the singular. CR 1.9.2 (compound events) goes the other way for
    what is said of the whole. So the point is open, and `Ruleset.at_once` is its reading, ``each`` by default.
    """
    if ruleset.at_once == "each":
        return tuple((i,) for i in range(len(batch)))
    names = dict.fromkeys(event.name for event in batch)
    return tuple(tuple(i for i, event in enumerate(batch) if event.name == name) for name in names)


def prevented(batch: Batch, moment: Moment) -> Iterator[tuple[Batch, Moment]]:
    """Yield the ways in which preventions lower the wounds of a batch; what falls to 0 does not happen.

    Parameters
    ----------
    batch : tuple of Event
        What would happen, replacements applied.
    moment : Moment
        Just before.

    Yields
    ------
    tuple
        What is left of the batch, and the moment after. A shield is used as far as it goes, its rest is kept where it
        is one of a number in all; one that may be declined is used or not; the order of several is free, and ways that
        end equal are one.

    Raises
    ------
    LimitReached
        If there are too many ways.

    References
    ----------
    516.1, 516.2 (after the final number is known), 516.4 (in part, and the rest is kept), 516.6 (its source must be in
    play).
    """
    open_: list[tuple[Batch, Moment, frozenset[tuple[str, int]]]] = [(batch, moment, frozenset())]
    seen: set[tuple[Batch, Position, frozenset[tuple[str, int]]]] = set()
    ends: set[tuple[Batch, Position]] = set()
    while open_:
        now, at, done = open_.pop(0)
        key = (now, at.position, done)
        if key in seen:
            continue
        seen.add(key)
        if len(seen) > STEPS:
            raise LimitReached("steps", STEPS, "there are too many ways to use these preventions")
        shields = _sole([s for s in _shields(now, at) if (s.key, s.event) not in done])
        if not shields and (now, at.position) not in ends:
            ends.add((now, at.position))
            yield tuple(event for event in now if event.amount > 0), at
        for shield in shields:
            after = done | {(shield.key, shield.event)}
            open_ += [(less, then, after) for less, then in _used(shield, now, at)]
            if shield.ability.optional:
                open_.append((now, at.says("effect.declined", source=(shield.thing.id,)), after))


def _shields(batch: Batch, moment: Moment) -> list[Shield]:
    found = []
    for thing, i, ability in working(moment.position, moment.ruleset):
        if isinstance(ability, Prevention):
            scope = Scope(moment.position, moment.ruleset, own(thing))
            key = f"{thing.id}/{i}"
            left = number(ability.n, scope) or 0
            if ability.per == "total":
                left = moment.position.remaining.get(key, left)
            for e, group in enumerate(grouped(batch, moment.ruleset)):
                hit = tuple(m for m in group if batch[m].amount > 0 and speaks_of(ability.on, batch[m], scope))
                if hit and left > 0:
                    found.append(Shield(key, thing, ability, e, hit, left))
    return found


def _sole(shields: list[Shield]) -> list[Shield]:
    """Return one shield to use first where its order with the others cannot matter, else all of them."""
    for shield in shields:
        if shield.ability.per == "event" and sum(s.event == shield.event for s in shields) == 1:
            return [shield]
    return shields


def _used(shield: Shield, batch: Batch, moment: Moment) -> Iterator[tuple[Batch, Moment]]:
    most = min(shield.left, sum(batch[m].amount for m in shield.members))
    position = moment.position
    if shield.ability.per == "total":
        position = change.keep(position, shield.key, shield.left - most)
    for split in _splits(most, [batch[m].amount for m in shield.members]):
        less, told = list(batch), moment.at(position)
        for m, n in zip(shield.members, split, strict=True):
            less[m] = replace(batch[m], amount=batch[m].amount - n)
            if n:
                told = told.says("effect.prevented", source=shield.thing.id, n=n, subject=batch[m].subject)
        yield tuple(less), told


def _splits(total: int, room: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield the ways to spread a number over several places, none beyond its room."""
    if not room:
        if total == 0:
            yield ()
        return
    for n in range(min(total, room[0]), -1, -1):
        for rest in _splits(total - n, room[1:]):
            yield (n, *rest)
