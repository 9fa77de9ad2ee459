"""What verbs do to one object, as steps on its state: the columns of the effect-cost tables are made from it."""

from __future__ import annotations

from dataclasses import replace

from lawful.model.act import Act
from lawful.model.declaration import Question
from lawful.model.errors import BadInput, Fault
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Thing
from lawful.model.selector import Selector
from lawful.solver.encode.look import Look


def done(question: Question, act: Act, thing: Thing, look: Look, controller: str) -> Thing | None:
    """Return the object after an act on it, or None if the act cannot be done to it.

    Parameters
    ----------
    question : Question
        For the ruleset's verbs.
    act : Act
        The act.
    thing : Thing
        The object in some state.
    look : Look
        Reads the number of counters.
    controller : str
        Whose act it is.

    References
    ----------
    CR 1.14.4b: an effect-cost whose event cannot happen cannot be paid.
    """
    verb = question.ruleset.verb(act.verb)
    if verb.from_ and thing.zone not in verb.from_:
        return None
    if verb.adds is not None:
        if verb.adds in thing.status:
            return None
        thing = replace(thing, status=thing.status | {verb.adds})
    if verb.removes is not None:
        if verb.removes not in thing.status:
            return None
        thing = replace(thing, status=thing.status - {verb.removes})
    if verb.face is not None:
        if verb.face == thing.face:
            return None
        thing = replace(thing, face=verb.face)
    if verb.counters:
        kind = str(act.what)
        wanted = 1 if act.n is None else look.fixed(act.n, controller, thing.id)
        if thing.counters.get(kind, 0) < wanted:
            return None
        thing = replace(thing, counters=thing.counters.put(kind, thing.counters.get(kind, 0) - wanted))
    if verb.puts:
        kind = str(act.what)
        more = 1 if act.n is None else look.number(act.n, controller, thing.id)
        thing = replace(thing, counters=thing.counters.put(kind, thing.counters.get(kind, 0) + more))
    if verb.places is not None:
        placed = 1 if act.n is None else max(0, look.fixed(act.n, controller, thing.id))
        there = thing.counters.get(verb.places, 0) + placed
        if verb.room is not None and there > look.stat(thing, verb.room):
            return None
        thing = replace(thing, counters=thing.counters.put(verb.places, there))
    if verb.relates is not None:
        thing = replace(thing, relations=thing.relations.put(verb.relates, controller))
    to = act.to if isinstance(act.to, str) else verb.to
    return thing if to is None else replace(thing, zone=to)


def checked(question: Question, act: Act) -> Act:
    """Return an act that can be a cost.

    Raises
    ------
    BadInput
        If it names no object, or no counter where its verb takes counters away.
    UnknownName
        If the ruleset has no such verb.
    """
    if act.verb == "gain" and isinstance(act.what, FrozenMap):
        return act
    if target(act) is None:
        hint = f"write {act.verb}: $self, or of: $self"
        raise BadInput([Fault(f"the act {act.verb!r} names no object", hint=hint)])
    if question.ruleset.verb(act.verb).counters and not isinstance(act.what, str):
        hint = f"write {act.verb}: charge, of: $self"
        raise BadInput([Fault(f"the act {act.verb!r} names no counter", hint=hint)])
    return act


def target(act: Act) -> Ref | Selector | None:
    """Return whom an act is done to: its `of`, else its own object."""
    if act.of is not None:
        return act.of
    return act.what if isinstance(act.what, Ref | Selector) else None
