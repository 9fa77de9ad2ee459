"""Preventions: which can be used now, on what, and what using one leaves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lawful.model.effect import Norm, Prevention
from lawful.model.frozen import replace
from lawful.model.position import Thing
from lawful.model.referee import change
from lawful.model.referee.evaluate import Scope, holds, number
from lawful.model.referee.event import Event, can_be, speaks_of
from lawful.model.referee.moment import Moment
from lawful.model.referee.statics import norms, of_rules, own, working
from lawful.model.ruleset import Ruleset

Batch = tuple[Event, ...]


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


def shields(batch: Batch, moment: Moment) -> list[Shield]:
    """Return the preventions that can be used now, on which events of a batch.

    References
    ----------
    516.6 (the source must be in play).
    """
    found = []
    position, ruleset = moment.position, moment.ruleset
    for thing, i, ability in (*working(position, ruleset), *of_rules(position, ruleset)):
        if isinstance(ability, Prevention):
            scope = Scope(position, ruleset, own(thing))
            key = f"{thing.id}/{i}"
            for e, group in enumerate(grouped(batch, ruleset)):
                there = (m for m in group if batch[m].amount > 0 and can_be(batch[m], position, ruleset))
                hit = tuple(m for m in there if speaks_of(ability.on, batch[m], scope))
                hit = tuple(m for m in hit if not _kept(batch[m], moment))
                left = number(ability.n, scope.bind(event=sum(batch[m].amount for m in hit))) or 0
                if ability.per != "event":
                    left = position.remaining.get(key, left)
                if hit and left > 0:
                    found.append(Shield(key, thing, ability, e, hit, left))
    return found


def _kept(event: Event, moment: Moment) -> bool:
    """Tell whether a norm says that this event cannot be prevented."""
    for norm in norms(moment.position, moment.ruleset):
        says, scope = norm.modifier, Scope(moment.position, moment.ruleset, norm.bindings)
        if not isinstance(says, Norm) or says.modality != "cannot" or says.action.event != "prevented":
            continue
        in_force = says.while_ is None or holds(says.while_, scope.bind(event=event.amount))
        barred = says.unless is not None and holds(says.unless, scope)
        if in_force and not barred and speaks_of(replace(says.action, event=event.name), event, scope):
            return True
    return False


def use(shield: Shield, batch: Batch, moment: Moment) -> Iterator[tuple[Batch, Moment]]:
    """Use a shield as far as it goes; yield each way to spread it over the members of the event.

    References
    ----------
    516.4 (in part only where there are too few wounds; the rest is kept); CR 6.4.10f, i, j.
    """
    most = min(shield.left, sum(batch[m].amount for m in shield.members))
    position = moment.position
    if shield.ability.per != "event":
        kept = shield.left - most if shield.ability.per == "total" else 0
        position = change.keep(position, shield.key, kept)
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
