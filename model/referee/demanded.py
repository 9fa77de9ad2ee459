"""An act that is demanded as a cost: what its verb needs of an object, what it changes, and what forbids it."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import replace

from lawful.model.act import Act
from lawful.model.effect import Norm
from lawful.model.errors import BadInput, Fault
from lawful.model.expression import Ref
from lawful.model.position import Position, Thing
from lawful.model.referee.asked import Asked
from lawful.model.referee.evaluate import Scope, holds, matches, resolve, stat, value
from lawful.model.referee.norms import Held, bars, sets_aside, there
from lawful.model.ruleset import Verb
from lawful.model.selector import Selector

__all__ = ["barred", "counters_of", "done", "forbidder", "object_of", "placed", "possible"]


def object_of(act: Act) -> Ref | Selector:
    """Return what says which object an act is done to.

    Raises
    ------
    BadInput
        If it names none.
    """
    named = act.of if act.of is not None else act.what
    if isinstance(named, Ref | Selector):
        return named
    raise BadInput([Fault(f"the act {act.verb!r} names no object", hint=f"write {act.verb}: $self, or of: $self")])


def counters_of(act: Act, scope: Scope) -> tuple[str, int]:
    """Return which counters an act takes away, and how many.

    Raises
    ------
    BadInput
        If it names none.
    """
    if not isinstance(act.what, str):
        raise BadInput([Fault(f"the act {act.verb!r} names no counter", hint=f"write {act.verb}: charge, of: $self")])
    return act.what, 1 if act.n is None else value(act.n, scope)


def possible(verb: Verb, act: Act, thing: Thing, scope: Scope) -> bool:
    """Tell whether an act can be done to an object as it is.

    Parameters
    ----------
    verb : Verb
        What the ruleset says of the act's verb.
    act : Act
        The act.
    thing : Thing
        The object.
    scope : Scope
        Where the act's numbers are read.

    Returns
    -------
    bool
        Whether the verb finds all that it needs.
    """
    if verb.from_ and thing.zone not in verb.from_:
        return False
    if verb.adds is not None and verb.adds in thing.status:
        return False
    if verb.removes is not None and verb.removes not in thing.status:
        return False
    if verb.face is not None and verb.face == thing.face:
        return False
    if verb.counters:
        kind, n = counters_of(act, scope)
        return thing.counters.get(kind, 0) >= n
    return verb.places is None or verb.room is None or _has_room(verb, act, thing, scope)


def _has_room(verb: Verb, act: Act, thing: Thing, scope: Scope) -> bool:
    assert verb.places is not None
    assert verb.room is not None
    most = stat(thing, verb.room, scope) or 0
    return thing.counters.get(verb.places, 0) + placed(act, scope) <= most


def placed(act: Act, scope: Scope) -> int:
    """Return how many counters an act places on its object."""
    return 1 if act.n is None else max(0, value(act.n, scope))


def done(verb: Verb, act: Act, thing: Thing, scope: Scope) -> Thing:
    """Return an object after an act was done to it."""
    if verb.counters:
        kind, n = counters_of(act, scope)
        thing = replace(thing, counters=thing.counters.put(kind, thing.counters.get(kind, 0) - n))
    if verb.puts:
        kind, n = counters_of(act, scope)
        thing = replace(thing, counters=thing.counters.put(kind, thing.counters.get(kind, 0) + n))
    if verb.places is not None:
        there = thing.counters.get(verb.places, 0)
        thing = replace(thing, counters=thing.counters.put(verb.places, there + placed(act, scope)))
    if verb.relates is not None:
        who = str(resolve(Ref("controller"), scope))
        thing = replace(thing, relations=thing.relations.put(verb.relates, who))
    status = thing.status | {verb.adds} if verb.adds is not None else thing.status
    to = act.to if isinstance(act.to, str) else verb.to
    return replace(
        thing,
        zone=thing.zone if to is None else to,
        status=status if verb.removes is None else status - {verb.removes},
        face=thing.face if verb.face is None else verb.face,
    )


def barred(asked: Asked, position: Position, verb: Verb, act: Act, thing: Thing, user: str | None = None) -> str | None:
    """Return the object whose norm says that an act cannot be done to an object as a cost; None where none does."""
    named = isinstance(act.of if act.of is not None else act.what, Ref)
    return forbidder(asked, position, verb.name, thing, user, named=named, what=act.what, ignores=act.ignores)


def forbidder(
    asked: Asked, position: Position, verb: str, thing: Thing, user: str | None = None,
    *, named: bool = False, what: object = None, ignores: tuple[str, ...] = (), own: Iterable[Held] = (),
    alone: bool = False,
) -> str | None:  # fmt: skip
    """Return the object whose norm says that a verb cannot be done to an object by the payer; None where none does.

    A player who helps to pay is the `user` instead. An object is `named` where the text says which it is. What it says
    of itself where it is not in play is its `own`; `alone` if nothing else is asked that forbids it.

    References
    ----------
    CR 1.0.2 (a restriction goes before what allows or requires, but for what says that it ignores it).
    """
    known = next((v for v in asked.ruleset.verbs if v.name == verb), None)
    events = {verb} if known is None else known.events(what, named=named)
    mine = [held for held in own if _about(asked, held, events, thing, user)]
    here = [held for held in there(asked, position) if _about(asked, held, events, thing, user)] + mine
    for ban in mine if alone else here:
        ignored = bool(ban.norm.name) and ban.norm.name in ignores
        aside = any(sets_aside(other, ban, asked.ruleset.norming) for other in here)
        if bars(ban.norm) and not ignored and not aside:
            return ban.holder
    return None


def _about(asked: Asked, held: Held, events: Set[str], thing: Thing, user: str | None) -> bool:
    """Tell whether a norm is in force, and about an act of these names that is done to an object."""
    norm, scope = held.norm, held.scope.bind(subject=thing.id)
    # One that speaks of what it is done to is about declarations, not about a single act.
    if norm.action.event not in events or norm.action.on is not None:
        return False
    by_it = norm.action.source is None or asked.suits(norm.action.source, scope)
    return by_it and _in_force(norm, thing, user or asked.payer, scope)


def _in_force(norm: Norm, thing: Thing, payer: str, scope: Scope) -> bool:
    action = norm.action
    return (
        (action.subject is None or matches(action.subject, thing, scope))
        and (action.by is None or resolve(action.by, scope) == payer)
        and (norm.while_ is None or holds(norm.while_, scope))
        and (norm.unless is None or not holds(norm.unless, scope))
    )
