"""Triggered abilities: looked for when the position has been updated, and queued where their choices can be made."""

from __future__ import annotations

from collections.abc import Iterator

from lawful.model.effect import Trigger
from lawful.model.frozen import replace
from lawful.model.position import Position, Queued, Thing
from lawful.model.referee.alter import before as comes_before
from lawful.model.referee.alter import left, spent
from lawful.model.referee.evaluate import Scope, holds
from lawful.model.referee.event import Event, speaks_of
from lawful.model.referee.moment import Moment
from lawful.model.referee.pick import can_choose
from lawful.model.referee.shields import Batch, grouped
from lawful.model.referee.statics import own, working
from lawful.model.referee.turns import round_from


def triggered(batch: Batch, before: Position, moment: Moment) -> Iterator[Moment]:
    """Queue what triggers on a batch that has happened.

    Parameters
    ----------
    batch : tuple of Event
        What happened.
    before : Position
        The position before it.
    moment : Moment
        After it: conditions are read here, so that they see what static abilities have become by it.

    Yields
    ------
    Moment
        With the abilities queued: one for every player who may begin, where the ruleset lets one be picked. An ability
        that must choose and has nothing to choose is not queued.

    References
    ----------
    CR 7.0.5a (put as defending, then the defend event), 6.6.5a (must exist before the event), 6.6.5b (its condition as
    the event occurs), 6.6.6b (each player their own, from the one picked), Rules Reprise 20 (defending).
    """
    waiting: list[Queued] = []
    for thing, ability, was_there in _abilities(before, moment):
        for event in _heard(ability, thing, was_there, batch, before, moment):
            moment, found = _queued(ability, thing, event, moment)
            waiting += found
    yield from _placed(waiting, moment)


def _heard(
    ability: Trigger, thing: Thing, was_there: bool, batch: Batch, before: Position, moment: Moment
) -> Iterator[Event]:
    """Yield the events that an ability triggers on, as its `batch` says, each standing for one time.

    References
    ----------
    CR 7.0.5e (alone is the only one of its event, together is one of several).
    """
    silent = moment.ruleset.ordering.partly == "silent"
    for group in grouped(batch, moment.ruleset) if ability.batch != "once" else (tuple(range(len(batch))),):
        heard = [
            batch[m]
            for m in group
            if (was_there or batch[m].subject == thing.id)
            and not (silent and batch[m].partly)
            and _hears(ability, thing, batch[m], before, moment)
        ]
        if heard and ability.batch in ("alone", "together"):
            many = sum(event.name == heard[0].name for event in batch)
            if (many == 1) != (ability.batch == "alone"):
                continue
        yield from heard[:1]


def _placed(waiting: list[Queued], moment: Moment) -> Iterator[Moment]:
    """Put those that triggered now behind those that wait."""
    if not waiting:
        yield moment
        return
    position = moment.position
    window = 1 + max((w.window for w in position.queue), default=-1)
    owners = {w.controller for w in waiting}
    if moment.ruleset.ordering.ties != "blocks" or len(owners) == 1:
        new = tuple(replace(w, window=window) for w in waiting)
        yield moment.at(replace(position, queue=(*position.queue, *new)))
        return
    for start in position.players:
        order = [name for name in round_from(start.name, position) if name in owners]
        new = tuple(replace(w, window=window + order.index(w.controller)) for w in waiting)
        yield moment.at(replace(position, queue=(*position.queue, *new)))


def _abilities(before: Position, moment: Moment) -> Iterator[tuple[Thing, Trigger, bool]]:
    """Yield those that were there before, and those that are there now; the latter hear only their own arrival."""
    ruleset = moment.ruleset
    seen = set()
    for position in (before, moment.position):
        for thing, i, ability in working(position, ruleset):
            if isinstance(ability, Trigger) and (thing.id, i) not in seen and not comes_before(ability, ruleset):
                seen.add((thing.id, i))
                yield thing, ability, position is before


def _hears(ability: Trigger, thing: Thing, event: Event, before: Position, moment: Moment) -> bool:
    scope = _scope(thing, event, moment)
    looked_at = scope.at(before) if _left(event.subject, before, moment) else scope
    return speaks_of(ability.on, event, looked_at) and (ability.when is None or holds(ability.when, scope))


def _left(subject: str, before: Position, moment: Moment) -> bool:
    """Tell whether an object left play: what it was is read before it did."""
    play = {zone.name for zone in moment.ruleset.zones if zone.play}
    was = next((t for t in before.things if t.id == subject), None)
    return was is not None and was.zone in play and moment.position.thing(subject).zone not in play


def _scope(thing: Thing, event: Event, moment: Moment) -> Scope:
    scope = Scope(moment.position, moment.ruleset, own(thing))
    return scope.bind(subject=event.subject, event=event.amount, source=event.source)


def _queued(ability: Trigger, thing: Thing, event: Event, moment: Moment) -> tuple[Moment, list[Queued]]:
    scope = _scope(thing, event, moment)
    if ability.limit is not None and left(ability, thing, moment) <= 0:
        return moment, []
    if not can_choose(ability.do, scope):
        return moment.says("effect.unqueued", source=thing.id), []
    names = [tier.name for tier in moment.ruleset.ordering.tiers]
    after = [i for i, tier in enumerate(moment.ruleset.ordering.tiers) if tier.when == "after"]
    tier = names.index(ability.tier) if ability.tier in names else next(iter(after), 0)
    waits = Queued(thing.id, thing.controller, ability.do, scope.bindings, ability.optional, tier=tier)
    return spent(ability, thing, moment).says("effect.queued", source=thing.id), [waits]
