"""Replacement: something else happens instead, at most once for one original event."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from lawful.model.act import Act
from lawful.model.effect import Replacement
from lawful.model.position import Thing
from lawful.model.referee.evaluate import Scope, holds
from lawful.model.referee.event import Event, speaks_of
from lawful.model.referee.moment import Moment
from lawful.model.referee.statics import own, working

Batch = tuple[Event, ...]
DoAll = Callable[[tuple[Act, ...], Moment], Iterator[Moment]]
Candidate = tuple[str, Thing, Replacement]


def replaced(batch: Batch, moment: Moment, do: DoAll) -> Iterator[tuple[Batch, Moment]]:
    """Yield the ways in which the events of a batch are replaced: what is left of it, and the moment by then.

    Parameters
    ----------
    batch : tuple of Event
        What would happen.
    moment : Moment
        Just before.
    do : callable
        Does the acts that happen instead; they are done before what is left of the batch.

    Yields
    ------
    tuple
        One for every order in which the replacements of one event can be applied, and for each that may be declined.

    References
    ----------
    CR 6.4.3 (must exist already), 6.4.5 (once for one original event), 6.4.9.
    """
    yield from _next(batch, moment, do, frozenset())


def _next(
    batch: Batch, moment: Moment, do: DoAll, declined: frozenset[tuple[str, str]]
) -> Iterator[tuple[Batch, Moment]]:
    for i, event in enumerate(batch):
        found = [c for c in _candidates(event, moment) if (c[0], event.subject) not in declined]
        if not found:
            continue
        for key, thing, ability in found:
            rest = batch[:i] + batch[i + 1 :]
            for after in _instead(key, thing, ability, event, moment, do):
                yield from _next(rest, after, do, declined)
        if all(ability.optional for _, _, ability in found):
            refused = declined | {(key, event.subject) for key, _, _ in found}
            names = tuple(thing.id for _, thing, _ in found)
            yield from _next(batch, moment.says("effect.declined", source=names), do, refused)
        return
    yield batch, moment


def _candidates(event: Event, moment: Moment) -> Iterator[Candidate]:
    for thing, i, ability in working(moment.position, moment.ruleset):
        key = f"{thing.id}/{i}"
        if isinstance(ability, Replacement) and key not in moment.used and _applies(ability, thing, event, moment):
            yield key, thing, ability


def _applies(ability: Replacement, thing: Thing, event: Event, moment: Moment) -> bool:
    scope = Scope(moment.position, moment.ruleset, own(thing)).bind(subject=event.subject, event=event.amount)
    return speaks_of(ability.on, event, scope) and (ability.when is None or holds(ability.when, scope))


def _instead(key: str, thing: Thing, ability: Replacement, event: Event, moment: Moment, do: DoAll) -> Iterator[Moment]:
    told = moment.says("effect.replaced", source=thing.id, event=event.name, subject=event.subject)
    bindings = (
        Scope(moment.position, moment.ruleset, own(thing)).bind(subject=event.subject, event=event.amount).bindings
    )
    for after in do(ability.instead, replace(told, used=moment.used | {key}).text(bindings)):
        yield replace(after.text(moment.scope.bindings), used=moment.used)
