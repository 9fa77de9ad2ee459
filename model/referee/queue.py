"""Triggered abilities that wait, what they do as they resolve, and what the rules do when none waits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lawful.model.errors import LimitReached
from lawful.model.referee.acts import do_all, happen
from lawful.model.referee.doing import operand, plan
from lawful.model.referee.event import Event
from lawful.model.referee.moment import Moment, distinct
from lawful.model.referee.pick import picks

STEPS = 5_000


def resolve(moment: Moment, index: int = 0) -> Iterator[Moment]:
    """Resolve one waiting ability.

    Parameters
    ----------
    moment : Moment
        Before; something must wait.
    index : int
        Which one.

    Yields
    ------
    Moment
        One for every way it can go; an optional one may also be declined.
    """
    waiting = moment.position.queue
    ability = waiting[index]
    rest = moment.at(replace(moment.position, queue=waiting[:index] + waiting[index + 1 :]))
    told = rest.says("effect.resolves", source=ability.source)
    for after in do_all(ability.do, told.text(ability.bindings)):
        yield after.text(moment.scope.bindings)
    if ability.optional:
        yield rest.says("effect.declined", source=(ability.source,))


def check(moment: Moment) -> Iterator[Moment]:
    """Do once what the rules do by themselves, to all the objects found, as one batch; nothing where there is none.

    References
    ----------
    512.5 (what has no life left dies together when the queue is empty).
    """
    batch: dict[tuple[str, str], Event] = {}
    for act in moment.ruleset.checks:
        for subjects in picks(operand(act), act, moment.scope):
            for event in plan(act, subjects, moment):
                batch.setdefault((event.name, event.subject), event)
    if batch:
        yield from happen(tuple(batch.values()), moment)


def settle(moment: Moment, steps: int = STEPS) -> tuple[Moment, ...]:
    """Resolve what waits, then check, until nothing waits and no check finds anything.

    Parameters
    ----------
    moment : Moment
        Where to begin.
    steps : int
        How many moments are looked at before it is given up.

    Returns
    -------
    tuple of Moment
        Every distinct end. Where several abilities wait, every order of them is played.

    Raises
    ------
    LimitReached
        If it does not end in so many steps: the effects may go on for ever.
    """
    open_, ends, seen = [moment], [], set()
    while open_:
        now = open_.pop()
        if now.position in seen:
            continue
        seen.add(now.position)
        if len(seen) > steps:
            raise LimitReached("steps", steps, "the effects may never end")
        after = _onward(now)
        if after is None:
            ends.append(now)
        else:
            open_ += reversed(after)
    if not ends:
        raise LimitReached("steps", len(seen), "the effects come back to where they were and never end")
    return tuple(distinct(ends))


def _onward(moment: Moment) -> list[Moment] | None:
    """Return where play goes from here, or None where it rests."""
    waiting = moment.position.queue
    if waiting:
        # Equal abilities that wait are interchangeable.
        firsts = [i for i, ability in enumerate(waiting) if ability not in waiting[:i]]
        return [after for i in firsts for after in resolve(moment, i)]
    return list(check(moment)) or None
