"""What the texts of cards look for: which card of the pool stands for it, where, in what state, how many."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from lawful.model.card import Card
from lawful.model.cost import ActTerm, terms
from lawful.model.expression import Compare, Count, Ref
from lawful.model.frozen import FrozenMap
from lawful.model.selector import Selector
from lawful.model.walking import every
from lawful.solver.stress.meeting import OTHER, YOU, Meeting
from lawful.solver.stress.terms import acts, costs, largest, points, said, selectors

MOST_COPIES = 8
PLAYERS = ("controller", "owner", "opponent")  # what a text calls so is no object


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
    tied = _tied(meeting)
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
            for one in several:
                for way in alternatives(selector):
                    for zone in way.zone or zones or (meeting.play,) if lies(way, one) else ():
                        found.setdefault(_need(meeting, one, way, zone, selector, tied))
    return tuple(found), whole


def alternatives(selector: Selector) -> Iterator[Selector]:
    """Yield what a selector asks for in each of the ways in which something can fit it, by one description each."""
    if not selector.any_of:
        yield selector
    for part in selector.any_of:
        for inner in alternatives(part):
            yield replace(
                selector,
                any_of=(),
                zone=inner.zone or selector.zone,
                type=selector.type + inner.type,
                name=selector.name or inner.name,
                controller=inner.controller or selector.controller,
                owner=inner.owner or selector.owner,
                face=inner.face or selector.face,
                status=selector.status + inner.status,
                counters=FrozenMap({**selector.counters, **inner.counters}),
                relations=FrozenMap({**selector.relations, **inner.relations}),
                near=FrozenMap({**selector.near, **inner.near}),
                bears=FrozenMap({**selector.bears, **inner.bears}),
                where=selector.where + inner.where,
                has=selector.has + inner.has,
                words=selector.words or inner.words,
                none_of=selector.none_of + inner.none_of,
            )


def _need(
    meeting: Meeting, card: Card, selector: Selector, zone: str, said_as: Selector, tied: Sequence[_Tied]
) -> Need:
    owner = selector.controller or selector.owner
    whose = OTHER if owner is not None and owner.name == "opponent" else YOU
    n = min(MOST_COPIES, 1 + _compared(said_as, tied))
    related = tuple(name for name, ref in selector.relations.items() if ref == Ref("self"))
    status, counters = _for_acts(meeting, said_as)
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


def _compared(selector: Selector, tied: Sequence[_Tied]) -> int:
    """Return the largest number that a count of the selector has to come to for a text, or that it asks for."""
    asked = selector.n if isinstance(selector.n, int) else 1
    return max([0, asked, *(ties.most for ties in tied if selector in ties.counts)])


@dataclass(frozen=True, slots=True)
class _Tied:
    """Comparisons of numbers of objects that some object is counted by in common, directly or by way of others.

    One of them alone changes at its own largest number. Of several, one may keep what another counts small or large:
    that many allies and items, but no more than one item. Then no number need be larger than theirs together.
    """

    counts: frozenset[Selector]
    objects: frozenset[str]
    most: int


def _tied(meeting: Meeting) -> list[_Tied]:
    there = (*meeting.objects, *meeting.cards)
    found: list[_Tied] = []
    for compare in dict.fromkeys(c for card in meeting.cards for c in said(card, Compare)):
        counts = frozenset(count.of for count in every((compare.left, compare.right), Count))
        if not counts:
            continue
        objects = frozenset(card.name for card in there if any(lies(of, card) for of in counts))
        one = _Tied(counts, objects, largest((compare.left, compare.right)))
        for other in [other for other in found if other.counts & counts or other.objects & objects]:
            found.remove(other)
            one = _Tied(one.counts | other.counts, one.objects | other.objects, one.most + other.most)
        found.append(one)
    return found


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


@dataclass(frozen=True, slots=True)
class Lies:
    """How a card of the group lies there.

    Parameters
    ----------
    counters : mapping of str to int
        By kind.
    status : frozenset of str
        Its statuses.
    face : {"up", "down"}
        How it is turned.
    """

    counters: FrozenMap[str, int] = FrozenMap()
    status: frozenset[str] = frozenset()
    face: Literal["up", "down"] = "up"


Mark: TypeAlias = tuple[Literal["counters", "status", "face"], str, int]
"""Something that a text takes from an object, or asks of it: which, its name, how many of it."""


def lying(meeting: Meeting, card: Card, more: Collection[Mark] = ()) -> Lies:
    """Return how a card of the group lies there: as its own costs need it, and with some of what others use of it."""
    counters, status = own_state(meeting, card)
    mine = _used(meeting, card) if more else {}
    for kind, name, n in more:
        if kind == "counters" and (kind, name) in mine:
            counters = counters.put(name, max(n, counters.get(name, 0)))
    status |= {name for kind, name, _ in more if kind == "status" and (kind, name) in mine}
    face: Literal["up", "down"] = "down" if ("face", "down", 1) in more and ("face", "down") in mine else "up"
    return Lies(counters, status, face)


def marked(meeting: Meeting) -> tuple[frozenset[Mark], ...]:
    """Return what cards of the group lie there with beside what their own costs need: nothing, all of it, each alone.

    What is meant is whatever a text of the group takes from one of its cards, or asks of it: what only the first card
    removes, the second one has.
    """
    found: dict[tuple[str, str], int] = {}
    for card in meeting.cards:
        own = lying(meeting, card)
        for (kind, name), n in _used(meeting, card).items():
            there = own.counters.get(name, 0) >= n if kind == "counters" else kind == "status" and name in own.status
            if not there:
                found[kind, name] = max(n, found.get((kind, name), 0))
    every_one = [(kind, name, n) for (kind, name), n in found.items()]
    alone = [frozenset({mark}) for mark in every_one]
    return tuple(dict.fromkeys((frozenset[Mark](), frozenset(every_one), *alone)))  # type: ignore[arg-type]


def _used(meeting: Meeting, card: Card) -> dict[tuple[str, str], int]:
    """Return what texts of the group take from a card, or ask of it: counters, statuses, that it lies face down."""
    found: dict[tuple[str, str], int] = {}
    verbs = {verb.name: verb for verb in meeting.ruleset.verbs}

    def use(kind: str, name: str, n: int = 1) -> None:
        found[kind, name] = max(n, found.get((kind, name), 0))

    for other in meeting.cards:
        for act in acts(other):
            verb = verbs.get(act.verb)
            if verb is None or not any(_meant(who, card, other) for who in (act.what, act.of)):
                continue
            if verb.counters and isinstance(act.what, str):
                use("counters", act.what, act.n if isinstance(act.n, int) else 2)
            if verb.removes:
                use("status", verb.removes)
            if verb.face == "up":
                use("face", "down")
        for selector in said(other, Selector):
            if selector.is_ is None and _meant(selector, card, other):
                for kind, n in selector.counters.items():
                    use("counters", kind, n if isinstance(n, int) else 2)
                for word in selector.status:
                    use("status", word)
                if selector.face == "down":
                    use("face", "down")
    return found


def _meant(who: object, card: Card, speaker: Card) -> bool:
    """Tell whether a card may be what a text of another one speaks of."""
    if isinstance(who, Selector):
        return lies(who, card) and not (card is speaker and who.not_ == Ref("self"))
    if isinstance(who, Ref):
        return card is speaker if who == Ref("self") else not who.path and who.name not in PLAYERS
    return False


def marks(card: Card) -> frozenset[str]:
    """Return the statuses that a card asks of itself: that it was played from somewhere, for example."""
    found = [selector.status for selector in said(card, Selector) if selector.is_ == Ref("self")]
    return frozenset(word for status in found for word in status)
