"""What would keep an act from being done in full: preventions and replacements that apply to it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from lawful.model.act import Act, Success
from lawful.model.effect import Prevention, Replacement
from lawful.model.position import Position, Thing
from lawful.model.referee.asked import Asked
from lawful.model.referee.evaluate import Scope, holds, matches, number, resolve, value
from lawful.model.referee.statics import working
from lawful.model.ruleset import Verb
from lawful.model.selector import Pattern

__all__ = ["RULES", "has_changed", "hinderers", "wanted"]

# Who hinders where it is the rules themselves.
RULES = ""


def wanted(verb: Verb, success: Success) -> Success:
    """Return the success that an act needs as a cost: what the cost says, else what the verb says."""
    return Success(verb.success) if success is Success.CHANGED else success


def hinderers(asked: Asked, verb: Verb, act: Act, thing: Thing) -> tuple[str, ...]:
    """Return the objects that would prevent or replace some of an act on an object, looked for before paying.

    Parameters
    ----------
    asked : Asked
        The question.
    verb : Verb
        What the ruleset says of the act's verb.
    act : Act
        The act.
    thing : Thing
        The object.

    Returns
    -------
    tuple of str
        Ids; `RULES` for a prevention of the ruleset itself.
    """
    event = verb.event or verb.name
    scope = asked.of_thing(asked.opening, thing).bind(subject=thing.id)
    amount = 1 if act.n is None else value(act.n, scope)
    if amount <= 0:
        return ()
    before = asked.opening.thing(thing.id)
    return tuple(dict.fromkeys(_hinder(asked, event, before, amount)))


def _hinder(asked: Asked, event: str, thing: Thing, amount: int) -> Iterator[str]:
    rules = asked.ruleset
    given = ((None, i, ability) for i, ability in enumerate(rules.preventions))
    for holder, i, ability in chain(given, working(asked.opening, rules)):
        if isinstance(ability, Prevention | Replacement) and not (ability.optional and rules.may_decline):
            scope = asked.of_thing(asked.opening, thing if holder is None else holder)
            told = scope.bind(subject=thing.id, event=amount)
            if _about(ability.on, event, thing, told) and _works(asked.opening, ability, holder, i, told):
                yield RULES if holder is None else holder.id


def _about(on: Pattern, event: str, thing: Thing, scope: Scope) -> bool:
    return (
        on.event == event
        and (on.subject is None or matches(on.subject, thing, scope))
        and (on.by is None or resolve(on.by, scope) == thing.controller)
    )


def _works(position: Position, ability: Prevention | Replacement, holder: Thing | None, i: int, scope: Scope) -> bool:
    if isinstance(ability, Replacement):
        return ability.when is None or holds(ability.when, scope)
    left = number(ability.n, scope) or 0
    if ability.per == "total" and holder is not None:
        left = position.remaining.get(f"{holder.id}/{i}", left)
    return left > 0


def has_changed(before: Thing, after: Thing) -> bool:
    """Tell whether an object left its zone, or was turned or exhausted."""
    return (before.zone, before.face) != (after.zone, after.face) or not after.status <= before.status
