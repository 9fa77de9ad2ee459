"""Acts on X counters, where X is looked at one by one."""

from __future__ import annotations

from dataclasses import replace

from lawful.model.act import Act
from lawful.model.declaration import Question
from lawful.model.expression import Expression, Greatest, Least, PerPlayer, Ref, Sum, Times
from lawful.solver.encode.amount import NotLinear
from lawful.solver.encode.look import Look

# Between the places of two terms, room for one of each X.
EACH_X = 1_000_000


def of_this_x(question: Question, number: int, act: Act, x: int | None) -> tuple[int, Act]:
    """Return an act on X counters where X is so many: an act of its own, in its place among the others.

    Raises
    ------
    NotLinear
        If X is not known: how many counters are left is looked at one X at a time.
    """
    if x is None:
        raise NotLinear("counters that depend on X", _most_counters(question, act))
    assert act.n is not None
    return number * EACH_X + 1 + x, replace(act, n=_with_x(act.n, x))


def _most_counters(question: Question, act: Act) -> int | None:
    """Return how large X can be at most where X counters are taken away, or put where there is room for some."""
    verb, things = question.ruleset.verb(act.verb), question.position.things
    if act.n != Ref("x"):
        return None
    if verb.counters:
        return max((thing.counters.get(str(act.what), 0) for thing in things), default=0)
    if verb.room is not None:
        look = Look(question)
        return max((look.stat(thing, verb.room) for thing in things), default=0)
    return None


def _with_x(expression: Expression, x: int) -> Expression:
    """Return a number with X for ``$x``."""
    if expression == Ref("x"):
        return x
    if isinstance(expression, Sum | Least | Greatest):
        return replace(expression, terms=tuple(_with_x(term, x) for term in expression.terms))
    if isinstance(expression, Times | PerPlayer):
        return replace(expression, of=_with_x(expression.of, x))
    return expression
