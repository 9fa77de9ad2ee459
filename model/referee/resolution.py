"""What comes out of what happens, by trying everything: every choice and every order that the rules allow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lawful.model.declaration import Happening, OrderQuestion
from lawful.model.frozen import FrozenMap
from lawful.model.position import Position
from lawful.model.referee.acts import perform
from lawful.model.referee.layers import layers
from lawful.model.referee.moment import Moment, start
from lawful.model.referee.queue import STEPS, settle

__all__ = ["Seen", "come_out", "outcomes", "seen"]

Seen = FrozenMap[str, object]


def come_out(question: OrderQuestion, steps: int = STEPS) -> tuple[Moment, ...]:
    """Play what happens in every way, and return every distinct end.

    Parameters
    ----------
    question : OrderQuestion
        What happens.
    steps : int
        Moments looked at before it is given up.

    Returns
    -------
    tuple of Moment
        With the trace of one way there.

    Raises
    ------
    LimitReached
        If it does not end in so many steps.
    """
    moments = settle(start(question.position, question.ruleset), steps)
    for event in question.events:
        moments = _each(after for moment in moments for after in _happens(event, moment, steps))
    return moments


def _happens(event: Happening, moment: Moment, steps: int) -> Iterable[Moment]:
    bindings = {**event.bindings, "controller": event.by}
    if event.source is not None:
        bindings["self"] = event.source
    # What such a text refers to, beside itself and what it hears, is what was chosen for it.
    named = frozenset(event.bindings) - {"self", "controller", "subject", "event", "source", "on"}
    for done in perform(event.do, replace(moment, chosen=named, cause=event.cause), **bindings):
        yield from settle(replace(done, cause=None), steps)


def _each(moments: Iterable[Moment]) -> tuple[Moment, ...]:
    found: dict[Position, Moment] = {}
    for moment in moments:
        found.setdefault(moment.position, moment)
    return tuple(found.values())


def outcomes(question: OrderQuestion, steps: int = STEPS) -> frozenset[Seen]:
    """Return what can be seen at every end; two ends that look alike are one.

    Parameters
    ----------
    question : OrderQuestion
        What happens.
    steps : int
        As for `come_out`.

    Returns
    -------
    frozenset of mapping
        As `seen` makes them.
    """
    return frozenset(seen(moment.position, question) for moment in come_out(question, steps))


def seen(position: Position, question: OrderQuestion) -> Seen:
    """Return all that a position says, current numbers included, without timestamps.

    Parameters
    ----------
    position : Position
        What is looked at.
    question : OrderQuestion
        Its rules.

    Returns
    -------
    mapping
        Objects with their current types and numbers, players, what lasts, what is left of shields and limits.
    """
    now = layers(position, question.ruleset)
    found: dict[str, object] = {}
    for thing in position.things:
        stats = FrozenMap({name: n for (id, name), n in now.table.items() if id == thing.id})
        types = frozenset(now.types.get(thing.id, ()))
        # A base number that was set to what is printed is no other than that.
        printed = position.card(thing).stats
        base = FrozenMap({name: n for name, n in thing.base.items() if printed.get(name) != n})
        found[thing.id] = (replace(thing, timestamp=0, base=base), stats, types, thing.id in now.mute)
    for player in position.players:
        found[f"player {player.name}"] = player
    lasting = sorted(
        repr((e.controller, e.modifier, sorted(e.bindings.items()), e.until, e.uses)) for e in position.lasting
    )
    found["lasting"] = tuple(lasting)
    # What has left play is another object as it comes back: nothing remains of its limits.
    play = {zone.name for zone in question.ruleset.zones if zone.play}
    away = {thing.id for thing in position.things if thing.zone not in play}
    left = ((key, n) for key, n in position.remaining.items() if key.rpartition("/")[0] not in away)
    found["remaining"] = FrozenMap(left)
    found["waiting"] = len(position.queue)
    return FrozenMap(found)
