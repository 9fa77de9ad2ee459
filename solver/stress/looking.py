"""One check of one group of cards: looked, and how far."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lawful.model.errors import BadInput, LawfulError, LimitReached
from lawful.model.frozen import FrozenMap
from lawful.model.stress import CHECKS, Bound, Finding, Invariant, Looked
from lawful.model.verdict import Message
from lawful.solver.stress import deadlock, effects, engine, unpayable, weighing
from lawful.solver.stress.scenery import Meeting

PAYING = ("unpayable", "dead", "looks-legal", "dominated", "invariant", "wording")
"""Checks that are about declaring the first card of a group; the others are about the group as a whole."""


def look(check: str, meeting: Meeting, promises: Sequence[Invariant] = ()) -> Looked:
    """Look for one kind of fault.

    Parameters
    ----------
    check : str
        One of `lawful.model.stress.CHECKS`.
    meeting : Meeting
        The cards that meet.
    promises : sequence of Invariant
        What the check ``invariant`` holds against them.

    Returns
    -------
    Looked
        Not checked where a limit was reached before there was an answer.
    """
    try:
        findings, bound = _SEARCHES[check](meeting, promises)
    except weighing.Bounded:
        return Looked(check, "not checked", (), unpayable.bound(meeting), Message("stress.not.states"))
    except LimitReached as limit:
        why = Message("stress.not.limit", FrozenMap({"limit": limit.limit, "advice": limit.advice}))
        return Looked(check, "not checked", (), Bound(), why)
    except (BadInput, LawfulError) as error:
        why = Message("stress.not.asked", FrozenMap({"why": str(error).partition(chr(10))[0]}))
        return Looked(check, "not checked", (), Bound(), why)
    return Looked(check, "finding" if findings else "clean", tuple(findings), bound)


Search = Callable[[Meeting, Sequence[Invariant]], tuple[Sequence[Finding], Bound]]


def _declared(check: str) -> Search:
    def search(meeting: Meeting, promises: Sequence[Invariant]) -> tuple[Sequence[Finding], Bound]:
        found = [f for f in unpayable.undeclarable(meeting) if f.check == check]
        return found, unpayable.bound(meeting)

    return search


def _wording(meeting: Meeting, promises: Sequence[Invariant]) -> tuple[Sequence[Finding], Bound]:
    paid = list(weighing.reworded(meeting))
    played, bound = effects.reworded(meeting)
    return [*paid, *played], bound.plus(unpayable.bound(meeting))


_SEARCHES: dict[str, Search] = {
    "unpayable": lambda m, p: (list(unpayable.unpayable(m)), unpayable.bound(m)),
    "dead": _declared("dead"),
    "looks-legal": _declared("looks-legal"),
    "deadlock": lambda m, p: (list(deadlock.deadlocked(m)), deadlock.bound()),
    "circle": lambda m, p: effects.circles(m),
    "unordered": lambda m, p: effects.unordered(m),
    "endless": lambda m, p: effects.endless(m),
    "engine": lambda m, p: engine.engines(m),
    "dominated": lambda m, p: (list(weighing.dominated(m)), unpayable.bound(m)),
    "invariant": lambda m, p: (list(weighing.broken(m, p)), unpayable.bound(m)),
    "wording": _wording,
}
assert tuple(sorted(_SEARCHES)) == tuple(sorted(CHECKS))
