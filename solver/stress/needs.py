"""What the texts of cards look for: which card of the pool stands for it, where, in what state, how many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from lawful.model.card import Card
from lawful.model.cost import ActTerm, terms
from lawful.model.expression import Compare, Count, Ref
from lawful.model.frozen import FrozenMap
from lawful.model.selector import Selector
from lawful.solver.stress.meeting import OTHER, YOU, Meeting
from lawful.solver.stress.terms import acts, costs, largest, points, said, selectors

MOST_COPIES = 8


@dataclass(frozen=True, slots=True)
class Need:
    """Objects that a text looks for: which card stands for them, where, in what state, how many are ample.

    Each is in the relations of `near` to another object, and others are in those of `bears` to it: by the name of the
    relation, which card that is, and where it lies.
    """

    card: Card
    zone: str
    controller: str
    n: int
    status: frozenset[str] = frozenset()
    counters: FrozenMap[str, int] = FrozenMap()
    face: str = "up"
    relations: tuple[str, ...] = ()
    near: tuple[tuple[str, Card, str], ...] = ()
    bears: tuple[tuple[str, Card, str], ...] = ()


def lies(selector: Selector, card: Card) -> bool:
    """Tell whether a card, as printed, is what a selector asks for.

    Tests that a text leaves to the moment (numbers that are no constants) count as passed.
    """
    have = {word.casefold() for word in card.types}
    if not {word.casefold() for word in selector.type} <= have:
        return False
    if selector.name is not None and card.printed_name != selector.name and card.name != selector.name:
        return False
    if selector.words and selector.words.casefold() not in card.printed_name.casefold():
        return False
    if any(not _has(card, prop) for prop in selector.has):
        return False
    if selector.any_of and not any(lies(part, card) for part in selector.any_of):
        return False
    if any(lies(part, card) and part != Selector() for part in selector.none_of):
        return False
    return all(_passes(card, test.stat, test.op, test.value) for test in selector.where)


def _has(card: Card, prop: str) -> bool:
    if prop == "yields":
        return card.yields is not None
    return prop in card.stats or prop in card.props or (prop == "cost" and card.cost is not None)


def _passes(card: Card, stat: str, op: str, value: object) -> bool:
    if not isinstance(value, int):
        return True
    stat = stat.removeprefix("base.")
    have = card.stats.get(stat)
    if stat == "cost" and card.cost is not None:
        have = points(card.cost)
    if have is None:
        return False
    return {
        "lt": have < value, "le": have <= value, "eq": have == value,
        "ne": have != value, "ge": have >= value, "gt": have > value,
    }[op]  # fmt: skip


def needs(meeting: Meeting) -> tuple[tuple[Need, ...], bool]:
    """Return what the texts of the cards look for, and whether the pool has all of it."""
    found: dict[Need, None] = {}
    whole = True
    for card in meeting.cards:
        wanted = [(s, _verb_zones(meeting, card, s)) for s in selectors(card)]
        # What something has to have a trait in common with lies there, too.
        asked = said(card, Selector)
        wanted += [(s.shares, ()) for s in asked if s.shares is not None]
        # So does, from the top of a pile, what a text goes on to.
        wanted += [(replace(s.until, zone=s.zone), ()) for s in asked if s.until is not None]
        for selector, zones in wanted:
            if selector.is_ is not None or selector in (Selector(),):
                continue
            candidates = [c for c in (*meeting.objects, *meeting.cards) if lies(selector, c)]
            plain = sorted(candidates, key=lambda c: (len(c.abilities), c.name))
            if not plain:
                whole = False
                continue
            # One of each kind that the texts tell apart; those of the group only where the pool has nothing else.
            several = [c for c in plain if c not in meeting.cards] or plain[:1]
            for zone in selector.zone or zones or (meeting.play,):
                for one in several:
                    found.setdefault(_need(meeting, one, selector, zone))
    return tuple(found), whole


def _need(meeting: Meeting, card: Card, selector: Selector, zone: str) -> Need:
    owner = selector.controller or selector.owner
    whose = OTHER if owner is not None and owner.name == "opponent" else YOU
    n = min(MOST_COPIES, 1 + max(_compared(meeting, selector), 0))
    related = tuple(name for name, ref in selector.relations.items() if ref == Ref("self"))
    status, counters = _for_acts(meeting, selector)
    return Need(
        card, zone, whose, n, frozenset(selector.status) | status, FrozenMap({**counters, **selector.counters}),
        selector.face or "up", related, _partners(meeting, selector.near), _partners(meeting, selector.bears),
    )  # fmt: skip


def _partners(meeting: Meeting, wanted: Mapping[str, Selector]) -> tuple[tuple[str, Card, str], ...]:
    """Return the plainest card for each object that is to be related to another one."""
    found = []
    for name, selector in wanted.items():
        there = sorted((c for c in meeting.objects if lies(selector, c)), key=lambda c: (len(c.abilities), c.name))
        if there:
            found.append((name, there[0], (selector.zone or (meeting.play,))[0]))
    return tuple(found)


def _for_acts(meeting: Meeting, selector: Selector) -> tuple[frozenset[str], dict[str, int]]:
    """Return the status and the counters without which what is done to the objects of a selector cannot be."""
    status: set[str] = set()
    counters: dict[str, int] = {}
    verbs = {verb.name: verb for verb in meeting.ruleset.verbs}
    for card in meeting.cards:
        for act in acts(card):
            verb = verbs.get(act.verb)
            if selector not in (act.what, act.of) or verb is None:
                continue
            status |= {verb.removes} if verb.removes else set()
            if verb.counters and isinstance(act.what, str):
                counters[act.what] = max(counters.get(act.what, 0), act.n if isinstance(act.n, int) else 2)
    return frozenset(status), counters


def _compared(meeting: Meeting, selector: Selector) -> int:
    """Return the largest number with which a count of the selector is compared, or that it asks for."""
    most = selector.n if isinstance(selector.n, int) else 1
    for card in meeting.cards:
        for compare in said(card, Compare):
            sides = (compare.left, compare.right)
            if any(isinstance(c, Count) and c.of == selector for c in sides):
                most = max(most, largest(sides[1]), largest(sides[0]) if isinstance(sides[0], int) else 0)
    return most


def _verb_zones(meeting: Meeting, card: Card, selector: Selector) -> tuple[str, ...]:
    """Return where the verb that is done to what a selector finds takes its objects from."""
    for act in acts(card):
        if selector in (act.what, act.of):
            for verb in meeting.ruleset.verbs:
                if verb.name == act.verb and verb.from_:
                    return verb.from_[:1]
    return ()


def own_state(meeting: Meeting, card: Card) -> tuple[FrozenMap[str, int], frozenset[str]]:
    """Return the counters and the status that a card in play needs for its own costs to be possible."""
    counters: dict[str, int] = {}
    status: set[str] = set()
    removing = {verb.name: verb for verb in meeting.ruleset.verbs}
    for cost in costs(card):
        for term in terms(cost):
            if not isinstance(term, ActTerm):
                continue
            act, verb = term.act, removing.get(term.act.verb)
            if verb is not None and verb.counters and isinstance(act.what, str):
                n = act.n if isinstance(act.n, int) else 1
                counters[act.what] = max(counters.get(act.what, 0), n)
            if verb is not None and verb.removes and Ref("self") in (act.what, act.of):
                status.add(verb.removes)
    for ref in said(card, Ref, cost=False):
        if ref.name == "self" and len(ref.path) == 2 and ref.path[0] == "counters":
            counters[ref.path[1]] = max(counters.get(ref.path[1], 0), largest(card.abilities) + 1)
    return FrozenMap(counters), frozenset(status)


def marks(card: Card) -> frozenset[str]:
    """Return the statuses that a card asks of itself: that it was played from somewhere, for example."""
    found = [selector.status for selector in said(card, Selector) if selector.is_ == Ref("self")]
    return frozenset(word for status in found for word in status)
