"""Doing an act: what would happen, what is replaced, what is prevented, what changes, what triggers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lawful.model.act import Act
from lawful.model.referee.doing import doing, drawn, operand, plan
from lawful.model.referee.event import Event
from lawful.model.referee.moment import Moment, distinct
from lawful.model.referee.pick import pick
from lawful.model.referee.prevent import Batch, prevented
from lawful.model.referee.replace import replaced
from lawful.model.referee.scope import Bound
from lawful.model.referee.triggers import triggered
from lawful.model.verdict import Value


def do(act: Act, moment: Moment) -> Iterator[Moment]:
    """Do an act.

    Parameters
    ----------
    act : Act
        What is done.
    moment : Moment
        Before.

    Yields
    ------
    Moment
        One for every way it can go: each choice, each order of replacements and preventions. A step that can do
        nothing is passed over; what it would have yielded is absent for the steps after it.

    Raises
    ------
    UnknownName
        If there is no such verb.

    References
    ----------
    CR 1.8.9 (the rest goes on).
    """
    for subjects, then in _subjects(act, moment):
        if act.verb == "choose":
            yield then.yields(act.as_, *subjects)
            continue
        batch = tuple(plan(act, subjects, then))
        if not batch:
            yield then.says("effect.nothing", verb=act.verb)
            continue
        yield from happen(batch, then, act.as_)


def _subjects(act: Act, moment: Moment) -> Iterator[tuple[tuple[str, ...], Moment]]:
    if act.verb == "draw":
        return iter([(drawn(act, moment), moment)])
    return pick(operand(act), act, moment)


def do_all(acts: tuple[Act, ...], moment: Moment) -> Iterator[Moment]:
    """Do several acts in text order, each in every way; see `do`."""
    if not acts:
        yield moment
        return
    for then in do(acts[0], moment):
        yield from do_all(acts[1:], then)


def happen(batch: Batch, moment: Moment, as_: str | None = None) -> Iterator[Moment]:
    """Let a batch of events happen at once.

    Parameters
    ----------
    batch : tuple of Event
        What would happen.
    moment : Moment
        Before.
    as_ : str, optional
        The name for what it yields.

    Yields
    ------
    Moment
        After replacements, preventions, the change of the position, and then the look for triggers: never before,
        so that they see what the change made of the static abilities.
    """
    for rest, then in distinct_batches(replaced(batch, moment, do_all)):
        for left, at in prevented(rest, then):
            yield _commit(left, at, as_)


def distinct_batches(ways: Iterator[tuple[Batch, Moment]]) -> Iterator[tuple[Batch, Moment]]:
    """Yield the first of the ways that leave the same batch to the same position."""
    seen = set()
    for batch, moment in ways:
        key = (batch, moment.position)
        if key not in seen:
            seen.add(key)
            yield batch, moment


def _commit(batch: Batch, moment: Moment, as_: str | None) -> Moment:
    before, position = moment.position, moment.position
    for event in batch:
        position = doing(event.act.verb, moment.ruleset).commit(event, position, moment.ruleset)
    after = moment.at(position)
    for event in batch:
        after = after.says("effect.happens", **_told(event))
    return triggered(batch, before, after.yields(as_, *map(_yielded, batch)))


def _told(event: Event) -> dict[str, Value]:
    said: dict[str, Value] = {"event": event.name, "subject": event.subject, "by": event.by, "n": event.amount}
    if event.assets is not None:
        said["n"] = "".join(f"{n}{asset}" for asset, n in event.assets.items())
    return said


def _yielded(event: Event) -> Bound:
    """Return what a step that did this yields: the wounds given, else the object it was done to."""
    return event.amount if event.act.verb == "wound" else event.subject


def perform(acts: tuple[Act, ...], moment: Moment, /, **bindings: Bound) -> tuple[Moment, ...]:
    """Do acts as the text of somebody, and return every distinct result.

    Parameters
    ----------
    acts : tuple of Act
        What is done, in text order.
    moment : Moment
        Before.
    **bindings : str or int
        What the text refers to: ``controller``, ``self``, ...

    Returns
    -------
    tuple of Moment
        With the references of `moment` again.
    """
    told = replace(moment, scope=moment.scope.bind(**bindings))
    return tuple(distinct(after.text(moment.scope.bindings) for after in do_all(acts, told)))
