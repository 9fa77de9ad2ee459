"""One check of one group of cards: looked, and how far."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from lawful.model.errors import LawfulError, LimitReached
from lawful.model.frozen import FrozenMap
from lawful.model.selector import Selector
from lawful.model.stress import CHECKS, Bound, Finding, Invariant, Looked
from lawful.model.verdict import Message
from lawful.solver.stress import asking, deadlock, effects, engine, happening, promising, scenes, unpayable, weighing
from lawful.solver.stress.asking import layouts, scenes_of, uses
from lawful.solver.stress.meeting import Meeting
from lawful.solver.stress.scenes import Scenes
from lawful.solver.stress.terms import said

DECLARED = ("unpayable", "dead", "looks-legal", "dominated", "invariant")
NEVER = ("unpayable", "dead", "looks-legal")
PAYING = ("unpayable", "dead", "looks-legal", "dominated", "invariant", "wording")
"""Checks that rest on what is paid; those of `DECLARED` are about the first card of a group, the others about all."""


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
    except LawfulError as error:
        why = Message("stress.not.asked", FrozenMap({"why": str(error).partition(chr(10))[0]}))
        return Looked(check, "not checked", (), Bound(), why)
    if bound.saturated and _in_doubt(check, findings, meeting):
        bound = replace(bound, saturated=False, why="stress.bound.plain")
    if findings and check in NEVER and _related(meeting):
        return Looked(check, "not checked", (), replace(bound, saturated=False), Message("stress.not.laid"))
    if findings and check in NEVER and _cut(meeting):
        return Looked(check, "not checked", (), replace(bound, saturated=False), Message("stress.not.states"))
    if findings and bound.saturated and check in NEVER and not _whole(meeting):
        bound = replace(bound, saturated=False, why="stress.bound.open")
    known = _of_fewer(check, meeting, promises) if findings and len(meeting.cards) > 1 else frozenset()
    left = tuple(finding for finding in findings if finding.item not in known)
    return Looked(check, "finding" if left else "clean", left, bound)


def _related(meeting: Meeting) -> bool:
    """Tell whether the first card asks how several objects are related: positions are not laid out for that."""
    first = meeting.cards[0]
    return any(one.namesake is not None or one.total for one in said(first, Selector))


def _cut(meeting: Meeting) -> bool:
    """Tell whether there are more classes of positions than are looked at: what is never seen may be in another."""
    return any(there.cut for there in _laid(meeting))


def _whole(meeting: Meeting) -> bool:
    """Tell whether all classes of positions were looked at, however the cards of the group lie there."""
    return all(there.whole for there in _laid(meeting))


def _laid(meeting: Meeting) -> Iterator[Scenes]:
    """Yield the classes of positions of each use of the first card, however the cards of the group lie there."""
    there = layouts(meeting)
    return (scenes_of(using, meeting, layout) for using in uses(meeting.cards[0], meeting) for layout in there)


def _in_doubt(check: str, findings: Sequence[Finding], meeting: Meeting) -> bool:
    """Tell whether what was found, or that nothing was, hangs on objects that lie there without what they do."""
    if not meeting.stripped or check in NEVER:
        return False  # of what can never be declared it is known, of each position
    there = {thing.card for finding in findings for thing in finding.witness.position.things}
    return bool(there & meeting.stripped) if findings else check in ("deadlock", "dominated", "invariant")


def _of_fewer(check: str, meeting: Meeting, promises: Sequence[Invariant]) -> frozenset[str]:
    """Return what is found already where one of the cards is missing: it is told of the others alone."""
    found: set[str] = set()
    cards = meeting.cards
    for at in range(1 if check in DECLARED else 0, len(cards)):
        fewer = replace(meeting, cards=cards[:at] + cards[at + 1 :])
        found |= {finding.item for finding in look(check, fewer, promises).findings}
    return frozenset(found)


Search = Callable[[Meeting, Sequence[Invariant]], tuple[Sequence[Finding], Bound]]


_last: list[tuple[Meeting, tuple[Finding, ...], list[str]]] = []
"""What was found last: two checks ask for it, one after the other."""


def forget() -> None:
    """Forget what one check leaves for the next: where it was stopped by the clock, that may be half of it."""
    for kept in (_last, asking.kept, scenes.kept):
        kept.clear()
    happening.answered.cache_clear()


def _alike(one: Meeting, two: Meeting) -> bool:
    same = one.ruleset is two.ruleset and one.sources is two.sources
    return same and (one.cards, one.objects, one.gained, one.real) == (two.cards, two.objects, two.gained, two.real)


def _unpayable(meeting: Meeting, promises: Sequence[Invariant]) -> tuple[Sequence[Finding], Bound]:
    doubts: list[str] = []
    found = list(unpayable.unpayable(meeting, doubts))
    return found, _doubted(unpayable.bound(meeting), doubts)


def _doubted(bound: Bound, doubts: Sequence[str]) -> Bound:
    """Return a bound that is not saturated where something is possible only if objects do nothing."""
    return replace(bound, saturated=False, why="stress.bound.plain") if doubts else bound


def _declared(check: str) -> Search:
    def search(meeting: Meeting, promises: Sequence[Invariant]) -> tuple[Sequence[Finding], Bound]:
        known = next(((found, doubts) for one, found, doubts in _last if _alike(one, meeting)), None)
        if known is None:
            doubts: list[str] = []
            known = tuple(unpayable.undeclarable(meeting, doubts)), doubts
            _last[:] = [(meeting, *known), *_last[:3]]
        return [finding for finding in known[0] if finding.check == check], _doubted(unpayable.bound(meeting), known[1])

    return search


def _wording(meeting: Meeting, promises: Sequence[Invariant]) -> tuple[Sequence[Finding], Bound]:
    paid = list(weighing.reworded(meeting))
    try:
        played, bound = effects.reworded(meeting)
    except LawfulError:
        if not paid:
            raise
        return paid, replace(unpayable.bound(meeting), saturated=False, why="stress.bound.open")
    return [*paid, *played], bound.plus(unpayable.bound(meeting))


_SEARCHES: dict[str, Search] = {
    "unpayable": _unpayable,
    "dead": _declared("dead"),
    "looks-legal": _declared("looks-legal"),
    "deadlock": lambda m, p: (list(deadlock.deadlocked(m)), deadlock.bound(m)),
    "circle": lambda m, p: effects.circles(m),
    "unordered": lambda m, p: effects.unordered(m),
    "endless": lambda m, p: effects.endless(m),
    "engine": lambda m, p: engine.engines(m),
    "dominated": lambda m, p: (list(weighing.dominated(m)), unpayable.bound(m)),
    "invariant": lambda m, p: (list(promising.broken(m, p)), unpayable.bound(m)),
    "wording": _wording,
}
assert tuple(sorted(_SEARCHES)) == tuple(sorted(CHECKS))
