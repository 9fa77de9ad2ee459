"""How far an open X has to be tried: to where even all that could ever be gained is not enough."""

from __future__ import annotations

from lawful.model.declaration import Question
from lawful.model.effect import Replacement, Source
from lawful.model.errors import LimitReached
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.referee.amounts import Due, reckon
from lawful.model.referee.asked import Asked, ask
from lawful.model.referee.declared import has_x
from lawful.model.referee.demanded import counters_of, object_of
from lawful.model.referee.evaluate import value
from lawful.model.referee.sources import gain_of, uses_at_most
from lawful.model.referee.statics import working
from lawful.model.selector import Selector

__all__ = ["largest_x"]


def largest_x(question: Question, options: tuple[str, ...]) -> int:
    """Return the largest X that is worth trying.

    Parameters
    ----------
    question : Question
        A question whose cost has X.
    options : tuple of str
        What is declared.

    Returns
    -------
    int
        At least the largest X that can be paid; 0 where none can.

    Raises
    ------
    LimitReached
        If every X can be paid, or points can be gained without end.
    """
    opening = ask(question, None, options)
    points = _points(opening)
    objects = len(opening.opening.things) + sum(sum(t.counters.values()) for t in opening.opening.things)
    # Each step of X asks for at least one point, object or counter more, once what lowers the cost is used up.
    last = points + objects + 1
    end = last + _lowered(reckon(ask(question, last, options)))
    for x in range(end, -1, -1):
        asked = ask(question, x, options)
        due = reckon(asked)
        if due.broken is None and _asked_for(due) <= points and _objects_wanted(asked, due) <= objects:
            if x == end:
                raise LimitReached("x", Limits().amount, "nothing that is paid limits X; say which X is meant")
            return x
    return 0


def _asked_for(due: Due) -> int:
    return sum(n for _, n in due.parts) + sum(d.amount for d in due.demands if d.term.number == "exactly")


def _lowered(due: Due) -> int:
    return sum(max(0, change.before - change.after) for change in due.changes)


def _objects_wanted(asked: Asked, due: Due) -> int:
    """Return the largest number of objects or counters that one effect-cost asks for."""
    wanted, scope = [0], asked.scope(asked.opening)
    for term in due.effects:
        act = term.act
        if isinstance(act.what, FrozenMap) or not has_x(act):
            continue
        if isinstance(act.what, str):
            wanted.append(counters_of(act, scope)[1])
        elif act.n is not None:
            wanted.append(value(act.n, scope))
        named = object_of(act)
        if isinstance(named, Selector) and named.n is not None and not named.up_to:
            wanted.append(value(named.n, scope))
    return max(wanted)


def _points(asked: Asked) -> int:
    """Return a number of points that no payment can exceed: all that floats and all that is ever gained."""
    rules = asked.ruleset
    there = [(thing.id, a) for thing, _, a in working(asked.opening, rules) if isinstance(a, Replacement)]
    changed = max((_replaced(asked, id, ability) for id, ability in there), default=0)
    total = sum(asked.opening.player(asked.payer).pool.values())
    for thing in asked.opening.things:
        own = [a for a in asked.opening.card(thing).abilities if isinstance(a, Source) and rules.source_abilities]
        for source in (*rules.sources, *own):
            each = max(changed, sum(gain_of(asked, thing, source).values()))
            if each:
                total += each * uses_at_most(asked, thing, source)
    return total


def _replaced(asked: Asked, id: str, ability: Replacement) -> int:
    scope = asked.of_thing(asked.opening, asked.opening.thing(id))
    return sum(
        value(amount, scope)
        for act in ability.instead
        if isinstance(act.what, FrozenMap)
        for amount in act.what.values()
    )
