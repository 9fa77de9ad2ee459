"""Triggered abilities: looked for when the position has been updated, and queued where their choices can be made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lawful.model.effect import Trigger
from lawful.model.position import Position, Queued, Thing
from lawful.model.referee.evaluate import Scope, holds
from lawful.model.referee.event import Event, speaks_of
from lawful.model.referee.moment import Moment
from lawful.model.referee.pick import can_choose
from lawful.model.referee.prevent import Batch, grouped
from lawful.model.referee.statics import own, working


def triggered(batch: Batch, before: Position, moment: Moment) -> Moment:
    """Queue what triggers on a batch that has happened.

    Parameters
    ----------
    batch : tuple of Event
        What happened.
    before : Position
        The position before it.
    moment : Moment
        After it: conditions are read here, so that they see what static abilities have become by it.

    Returns
    -------
    Moment
        With the abilities queued. One that must choose and has nothing to choose is not queued.

    References
    ----------
    CR 7.0.5a (put as defending, then the defend event), 6.6.5a (must exist before the event), 6.6.5b (its condition as
    the event occurs), Rules Reprise 20 (defending).
    """
    for thing, ability, was_there in _abilities(before, moment):
        for group in grouped(batch, moment.ruleset):
            heard = [
                batch[m]
                for m in group
                if (was_there or batch[m].subject == thing.id) and _hears(ability, thing, batch[m], before, moment)
            ]
            if heard:
                moment = _queue(ability, thing, heard[0], moment)
    return moment


def _abilities(before: Position, moment: Moment) -> Iterator[tuple[Thing, Trigger, bool]]:
    """Yield those that were there before, and those that are there now; the latter hear only their own arrival."""
    ruleset = moment.ruleset
    seen = set()
    for position in (before, moment.position):
        for thing, i, ability in working(position, ruleset):
            if isinstance(ability, Trigger) and (thing.id, i) not in seen:
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
    return scope.bind(subject=event.subject, event=event.amount)


def _queue(ability: Trigger, thing: Thing, event: Event, moment: Moment) -> Moment:
    scope = _scope(thing, event, moment)
    if not can_choose(ability.do, scope):
        return moment.says("effect.unqueued", source=thing.id)
    waits = Queued(thing.id, thing.controller, ability.do, scope.bindings, ability.optional)
    position = replace(moment.position, queue=(*moment.position.queue, waits))
    return moment.at(position).says("effect.queued", source=thing.id)
