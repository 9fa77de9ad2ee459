"""Triggered abilities that wait, what they do as they resolve, and what the rules do when none waits."""

from __future__ import annotations

from collections.abc import Iterator

from lawful.model.errors import LimitReached
from lawful.model.frozen import replace
from lawful.model.position import Position
from lawful.model.referee.acts import do_all, happen
from lawful.model.referee.doing import operand, plan
from lawful.model.referee.event import Event
from lawful.model.referee.moment import Moment, distinct
from lawful.model.referee.pick import picks
from lawful.model.referee.turns import earliest, first_player, round_from

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
    open_, ends, seen = [moment], list[Moment](), set[Position]()
    while open_:
        now = open_.pop()
        known = len(seen)
        seen.add(now.position)  # one look: what is hashed is large
        if len(seen) == known:
            continue
        if len(seen) > steps:
            raise LimitReached("steps", steps, "the effects may never end")
        after, rests = _onward(now)
        ends += rests
        open_ += reversed(after)
    if not ends:
        raise LimitReached("steps", len(seen), "the effects come back to where they were and never end")
    return tuple(distinct(ends))


def _onward(moment: Moment) -> tuple[list[Moment], list[Moment]]:
    """Return where play goes from here, and where it rests.

    A check that changes nothing, as what it would do cannot be done, is not done again before something changes.
    """
    checked: list[Moment] = []
    if moment.ruleset.ordering.checks == "always" or not moment.position.queue:
        checked = list(check(moment))
    still = [after for after in checked if _same(after.position, moment.position)]
    found = [after for after in checked if not _same(after.position, moment.position)]
    for resting in still if checked else [moment]:
        if resting.position.queue:
            found += [after for i in firsts(resting) for after in resolve(resting, i)]
    return found, [resting for resting in (still if checked else [moment]) if not resting.position.queue]


def _same(one: Position, other: Position) -> bool:
    return replace(one, queue=()) == replace(other, queue=())


def firsts(moment: Moment) -> list[int]:
    """Return which of the waiting abilities may resolve first.

    Parameters
    ----------
    moment : Moment
        Something must wait.

    Returns
    -------
    list of int
        Indices into the queue; of equal abilities one, as they are interchangeable.

    References
    ----------
    CR 6.6.6b; each policy is said in `EffectRules`.
    """
    rules, position = moment.ruleset.ordering, moment.position
    waiting = position.queue
    found = [i for i, ability in enumerate(waiting) if ability not in waiting[:i]]
    if rules.waiting != "any":
        edge = max if rules.waiting == "newest" else min
        window = edge(waiting[i].window for i in found)
        found = [i for i in found if waiting[i].window == window]
    if rules.tiers:
        tier = min(waiting[i].tier for i in found)
        found = [i for i in found if waiting[i].tier == tier]
        if rules.tiers[tier].order == "turn":
            found = earliest(found, lambda i: waiting[i].controller, round_from(first_player(position), position))
    elif rules.ties == "turn":
        found = earliest(found, lambda i: waiting[i].controller, round_from(position.turn, position))
    return found
