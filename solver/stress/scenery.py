"""Positions to look at: what the cards in question ask for lies about, or does not, in all bounded mixtures.

What a text counts or looks for is laid out in one of two amounts: none, or more than the largest constant in it. A
counter above every threshold behaves like one just above it, so that these two speak of all amounts wherever a text
compares with one constant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from lawful.model.card import Card
from lawful.model.cost import ActTerm, terms
from lawful.model.effect import Source
from lawful.model.expression import Compare, Count, Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Player, Position, Thing
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Selector
from lawful.solver.stress.terms import acts, costs, every, facts, largest, points, selectors, taxes

YOU, OTHER = "player", "opponent"
MOST_COPIES = 8
MOST_SOURCES = 12
MOST_MIXTURES = 48


@dataclass(frozen=True, slots=True)
class Meeting:
    """Cards that meet, and what else there may be.

    Parameters
    ----------
    ruleset : Ruleset
        The rules.
    cards : tuple of Card
        The cards in question.
    sources : tuple of Card
        One card of the pool for each yield that there is.
    objects : tuple of Card
        Cards of the pool that the texts in question speak of, one for each kind.
    readings : tuple
        For each open point its id, the reading assumed, the parameters that its readings change, and the ruleset under
        each other reading.
    gained : frozenset of str
        Assets that some effect of the pool gains: they may float.
    """

    ruleset: Ruleset
    cards: tuple[Card, ...]
    sources: tuple[Card, ...] = ()
    objects: tuple[Card, ...] = ()
    readings: tuple[tuple[str, str, tuple[str, ...], tuple[tuple[str, Ruleset], ...]], ...] = ()
    gained: frozenset[str] = frozenset()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the cards."""
        return tuple(card.name for card in self.cards)

    @property
    def play(self) -> str:
        """The zone in which objects are in play."""
        return next(zone.name for zone in self.ruleset.zones if zone.play)

    @property
    def due(self) -> int:
        """The most points that any cost of the cards could come to here."""
        most = max((points(cost) for card in self.cards for cost in costs(card)), default=0)
        return most + sum(taxes(card) for card in self.cards)


@dataclass(frozen=True, slots=True)
class Need:
    """Objects that a text looks for: which card stands for them, where, in what state, how many are ample."""

    card: Card
    zone: str
    controller: str
    n: int
    status: frozenset[str] = frozenset()
    counters: FrozenMap[str, int] = FrozenMap()
    face: str = "up"
    relations: tuple[str, ...] = ()


@dataclass(slots=True)
class Builder:
    """Puts a position together.

    Parameters
    ----------
    meeting : Meeting
        What is there.
    """

    meeting: Meeting
    things: list[Thing] = field(default_factory=list)
    cards: dict[str, Card] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=dict)
    pool: dict[str, int] = field(default_factory=dict)

    def add(self, card: Card, zone: str, controller: str = YOU, **more: object) -> str:
        """Lay a copy of a card somewhere; return its id."""
        n = sum(1 for thing in self.things if thing.card == card.name)
        id = card.name if n == 0 else f"{card.name} #{n + 1}"
        self.cards[card.name] = card
        self.things.append(
            replace(Thing(id, card.name, controller, controller, zone, timestamp=len(self.things)), **more)  # type: ignore[arg-type]
        )
        return id

    def position(self) -> Position:
        """Return the position."""
        rules = self.meeting.ruleset
        start = {asset.id: asset.start for asset in rules.assets}
        there = FrozenMap({**{card.name: card for card in rules.cards}, **self.cards})
        players = (
            Player(YOU, FrozenMap({**start, **self.pool}), FrozenMap({**self.facts})),
            Player(OTHER, FrozenMap(start)),
        )
        return Position(players, tuple(self.things), there, YOU, 2, clock=len(self.things))


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
        for selector, zones in wanted:
            if selector.is_ is not None or selector in (Selector(),):
                continue
            candidates = [c for c in (*meeting.objects, *meeting.cards) if lies(selector, c)]
            plain = sorted(candidates, key=lambda c: (len(c.abilities), c.name))
            if not plain:
                whole = False
                continue
            exact = _exactly(meeting, selector)
            where = selector.zone or zones or (meeting.play,)
            for zone in where[:1] if exact is not None else where:
                need = _need(meeting, plain[0], selector, zone)
                found.setdefault(need if exact is None else replace(need, n=min(exact, MOST_COPIES)))
    return tuple(found), whole


def _need(meeting: Meeting, card: Card, selector: Selector, zone: str) -> Need:
    owner = selector.controller or selector.owner
    whose = OTHER if owner is not None and owner.name == "opponent" else YOU
    n = min(MOST_COPIES, 1 + max(_compared(meeting, selector), 0))
    related = tuple(name for name, ref in selector.relations.items() if ref == Ref("self"))
    status, counters = _for_acts(meeting, selector)
    return Need(
        card, zone, whose, n, frozenset(selector.status) | status, FrozenMap({**counters, **selector.counters}),
        selector.face or "up", related,
    )  # fmt: skip


def _exactly(meeting: Meeting, selector: Selector) -> int | None:
    """Return the number that a count of the selector has to be just, where a text says so."""
    for card in meeting.cards:
        for part in every((card.cost, card.abilities), Compare):
            if part.op == "eq" and isinstance(part.left, Count) and part.left.of == selector:
                return part.right if isinstance(part.right, int) and part.right > 0 else None
    return None


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
        for part in every((card.cost, card.abilities), object):
            sides = (getattr(part, "left", None), getattr(part, "right", None))
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
    for ref in every(card.abilities, Ref):
        if ref.name == "self" and len(ref.path) == 2 and ref.path[0] == "counters":
            counters[ref.path[1]] = max(counters.get(ref.path[1], 0), largest(card.abilities) + 1)
    return FrozenMap(counters), frozenset(status)


def marks(card: Card) -> frozenset[str]:
    """Return the statuses that a card asks of itself: that it was played from somewhere, for example."""
    found = [
        selector.status for selector in every((card.cost, card.abilities), Selector) if selector.is_ == Ref("self")
    ]
    return frozenset(word for status in found for word in status)


def copies(meeting: Meeting) -> int:
    """Return how many copies of each source are enough: each gives one point or more."""
    return max(1, min(MOST_SOURCES, meeting.due))


def counts_hand(meeting: Meeting) -> bool:
    """Tell whether a text counts what is in hand: then more there is not always better."""
    hand = meeting.ruleset.hand
    return any(hand in count.of.zone for card in meeting.cards for count in every((card.cost, card.abilities), Count))


def floated(builder: Builder, meeting: Meeting) -> None:
    """Let as much float as is due, and leave the hand empty."""
    for asset in meeting.ruleset.assets:
        if asset.surplus == "floats":
            builder.pool[asset.id] = max(asset.start, meeting.due + asset.keep)


def supplied(builder: Builder, meeting: Meeting) -> None:
    """Lay out every kind of source in ample number: what is used of it is for the solver to say."""
    n = copies(meeting)
    hand = meeting.ruleset.hand
    for card in meeting.sources:
        for _ in range(n):
            builder.add(card, hand)
    for stock in meeting.ruleset.stock:
        for generic in meeting.ruleset.cards:
            for _ in range(n if generic.name == stock.card else 0):
                builder.add(generic, stock.zone)
    for asset in meeting.ruleset.assets:
        if asset.generate == "never":
            builder.pool[asset.id] = max(asset.start, meeting.due + asset.keep)
        elif asset.id in meeting.gained and asset.surplus == "floats":
            builder.pool[asset.id] = meeting.due


def mixtures(meeting: Meeting) -> Iterator[tuple[tuple[Need, ...], Mapping[str, str]]]:
    """Yield what lies about and what holds of the player: first all of it, then nothing, then the mixtures."""
    wanted, _ = needs(meeting)
    wanted, others = wanted[:5], wanted[5:]  # beyond five kinds, the rest lies about unless nothing does
    values: dict[str, tuple[str, ...]] = {}
    for card in meeting.cards:
        for key, said in facts(card).items():
            values[key] = tuple(dict.fromkeys((*values.get(key, ()), *said)))
    choices: list[Sequence[tuple[str, str] | None]] = [
        [*((key, v) for v in said), None] for key, said in list(values.items())[:3]
    ]  # fmt: skip
    seen = 0
    masks = sorted(product((True, False), repeat=len(wanted)), key=lambda m: (not all(m), any(m), m))
    for mask in masks:
        for chosen in product(*choices):
            if seen >= MOST_MIXTURES:
                return
            seen += 1
            holds = {pair[0]: pair[1] for pair in chosen if pair is not None}
            some = tuple(n for n, there in zip(wanted, mask, strict=True) if there)
            yield (*some, *(others if any(mask) else ())), holds


def laid(builder: Builder, wanted: Sequence[Need], about: str | None) -> None:
    """Lay out what a text looks for."""
    for need in wanted:
        for _ in range(need.n):
            related = FrozenMap(dict.fromkeys(need.relations, about)) if about is not None else FrozenMap[str, str]()
            builder.add(
                need.card, need.zone, need.controller, status=need.status, counters=need.counters,
                face=need.face, relations=related,
            )  # fmt: skip


def mixed(meeting: Meeting) -> int:
    """Return how many mixtures there would be; more than `MOST_MIXTURES` are not all looked at."""
    wanted, _ = needs(meeting)
    n = 1 << len(wanted)
    keys: dict[str, int] = {}
    for card in meeting.cards:
        for key, said in facts(card).items():
            keys[key] = keys.get(key, 0) + len(said)
    for count in keys.values():
        n *= count + 1
    return n


def has_sources(card: Card) -> bool:
    """Tell whether a card can be paid with, or gives points while something is paid."""
    return bool(card.yields and any(card.yields.values())) or any(isinstance(a, Source) for a in card.abilities)
