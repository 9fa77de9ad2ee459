"""What verbs do to one object, as steps on its state: the columns of the effect-cost tables are made from it."""

from __future__ import annotations

from dataclasses import replace

from lawful.model.act import Act
from lawful.model.declaration import Question
from lawful.model.expression import Ref
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
    if verb.places is not None:
        placed = 1 if act.n is None else max(0, look.fixed(act.n, controller, thing.id))
        there = thing.counters.get(verb.places, 0) + placed
        if verb.room is not None and there > look.stat(thing, verb.room):
            return None
        thing = replace(thing, counters=thing.counters.put(verb.places, there))
    to = act.to if isinstance(act.to, str) else verb.to
    return thing if to is None else replace(thing, zone=to)


def target(act: Act) -> Ref | Selector | None:
    """Return whom an act is done to: its `of`, else its own object."""
    if act.of is not None:
        return act.of
    return act.what if isinstance(act.what, Ref | Selector) else None
