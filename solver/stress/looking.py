"""One check of one group of cards: looked, and how far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from lawful.model.card import Card
from lawful.model.errors import BadInput, LawfulError, LimitReached
from lawful.model.frozen import FrozenMap
from lawful.model.stress import CHECKS, Bound, Finding, Invariant, Looked
from lawful.model.verdict import Message
from lawful.solver.stress import deadlock, effects, engine, promising, unpayable, weighing
from lawful.solver.stress.meeting import Meeting

DECLARED = ("unpayable", "dead", "looks-legal", "dominated", "invariant")
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
    except (BadInput, LawfulError) as error:
        why = Message("stress.not.asked", FrozenMap({"why": str(error).partition(chr(10))[0]}))
        return Looked(check, "not checked", (), Bound(), why)
    known = _of_fewer(check, meeting, promises) if findings and len(meeting.cards) > 1 else frozenset()
    left = tuple(finding for finding in findings if finding.item not in known)
    return Looked(check, "finding" if left else "clean", left, bound)


def helped(looked: Looked, meeting: Meeting, helpers: Sequence[tuple[Card, tuple[Card, ...]]]) -> Looked:
    """Return what is left of the findings of a single card that another one could help.

    Parameters
    ----------
    looked : Looked
        With what the card never can.
    meeting : Meeting
        The card.
    helpers : sequence of pairs of Card and tuple of Card
        Cards that change what its text asks for, with the objects that their texts speak of.

    Returns
    -------
    Looked
        Clean where it can with one of them: then it says with which.
    """
    left = looked.findings
    why = looked.why
    for helper, objects in helpers:
        both = replace(meeting, cards=(*meeting.cards, helper), objects=objects)
        try:
            there = {using.name for using in unpayable.never_payable(both)}
            if looked.check != "unpayable":
                there |= {item or using.name for using, item, _, _ in unpayable.never_declarable(both)}
        except (weighing.Bounded, LawfulError):
            continue
        can = [finding for finding in left if finding.item not in there]
        if can:
            why = Message("stress.helped", FrozenMap({"what": can[0].item, "card": helper.name}))
            left = tuple(finding for finding in left if finding.item in there)
        if not left:
            break
    return replace(looked, outcome="finding" if left else "clean", findings=left, why=why)


def _of_fewer(check: str, meeting: Meeting, promises: Sequence[Invariant]) -> frozenset[str]:
    """Return what is found already where one of the cards is missing: it is told of the others alone."""
    found: set[str] = set()
    cards = meeting.cards
    for at in range(1 if check in DECLARED else 0, len(cards)):
        fewer = replace(meeting, cards=cards[:at] + cards[at + 1 :])
        found |= {finding.item for finding in look(check, fewer, promises).findings}
    return frozenset(found)


Search = Callable[[Meeting, Sequence[Invariant]], tuple[Sequence[Finding], Bound]]


_last: list[tuple[Meeting, tuple[Finding, ...]]] = []
"""What was found last: two checks ask for it, one after the other."""


def _alike(one: Meeting, two: Meeting) -> bool:
    same = one.ruleset is two.ruleset and one.sources is two.sources
    return same and (one.cards, one.objects, one.gained) == (two.cards, two.objects, two.gained)


def _declared(check: str) -> Search:
    def search(meeting: Meeting, promises: Sequence[Invariant]) -> tuple[Sequence[Finding], Bound]:
        found = next((found for known, found in _last if _alike(known, meeting)), None)
        if found is None:
            found = tuple(unpayable.undeclarable(meeting))
            _last[:] = [(meeting, found), *_last[:3]]
        return [finding for finding in found if finding.check == check], unpayable.bound(meeting)

    return search


def _wording(meeting: Meeting, promises: Sequence[Invariant]) -> tuple[Sequence[Finding], Bound]:
    paid = list(weighing.reworded(meeting))
    played, bound = effects.reworded(meeting)
    return [*paid, *played], bound.plus(unpayable.bound(meeting))


_SEARCHES: dict[str, Search] = {
    "unpayable": lambda m, p: (list(unpayable.unpayable(m)), unpayable.bound(m)),
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
