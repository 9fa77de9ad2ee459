"""Additional costs of what an effect does: who does it pays them, or it is not done."""

from __future__ import annotations

from collections.abc import Iterator

from lawful.model.cost import Cost, CostAll
from lawful.model.declaration import Declaration, Question
from lawful.model.effect import Additional
from lawful.model.frozen import replace
from lawful.model.position import Position
from lawful.model.referee import change
from lawful.model.referee.evaluate import Scope, follow, holds, matches
from lawful.model.referee.event import Event
from lawful.model.referee.listing import paid_positions
from lawful.model.referee.moment import Moment
from lawful.model.referee.shields import Batch
from lawful.model.referee.statics import own, working
from lawful.model.ruleset import Ruleset


def paid(cost: Cost, who: str, moment: Moment) -> Iterator[Moment]:
    """Yield a moment for every way in which a player can pay a cost in full, their sources included."""
    question = Question(moment.ruleset, moment.position.with_queue(()), Declaration(who, cost=cost))
    for position in paid_positions(question):
        yield moment.at(_moved(moment.position, position, moment.ruleset).with_queue(moment.position.queue))


def _moved(before: Position, after: Position, ruleset: Ruleset) -> Position:
    """Return the position after paying, where what was spent into another zone is a new object there."""
    for thing in before.things:
        now = after.thing(thing.id)
        if now.zone != thing.zone:
            after = change.move(after.with_thing(replace(now, zone=thing.zone)), thing.id, now.zone, ruleset)
    return after


def tolled(batch: Batch, moment: Moment) -> Iterator[tuple[Batch, Moment]]:
    """Yield what of a batch is done, and the moment after paying for it: for each event that costs, paid or declined.

    Parameters
    ----------
    batch : tuple of Event
        What an act would do.
    moment : Moment
        Before.

    References
    ----------
    Rules Reference 1.8, Ready (the additional cost of readying may be declined, and the card stays exhausted).
    """
    if not batch:
        yield (), moment
        return
    event, rest = batch[0], batch[1:]
    due = tuple(_due(event, moment))
    for after in paid(CostAll(due), event.by, moment) if due else (moment,):
        for others, then in tolled(rest, after):
            yield (event, *others), then
    if due:
        yield from tolled(rest, moment)


def _due(event: Event, moment: Moment) -> Iterator[Cost]:
    """Yield the costs that objects in play add to an event: those whose only label is its verb."""
    for holder, _, ability in working(moment.position, moment.ruleset):
        if isinstance(ability, Additional) and ability.to is not None and _means(ability, event):
            scope = Scope(moment.position, moment.ruleset, own(holder))
            to, there = ability.to, moment.position.named({event.subject})
            if to.by is not None and follow(to.by, scope) != event.by:
                continue
            if to.on is not None and not any(matches(to.on, thing, scope) for thing in there):
                continue
            if to.subject is None and (ability.when is None or holds(ability.when, scope)):
                yield ability.cost


def _means(ability: Additional, event: Event) -> bool:
    return [label.casefold() for label in ability.types] == [event.act.verb.casefold()]
