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
from lawful.model.effect import Source
from lawful.model.expression import Count
from lawful.model.frozen import FrozenMap
from lawful.model.position import Player, Position, Thing
from lawful.solver.stress.meeting import OTHER, YOU, Meeting
from lawful.solver.stress.needs import Need, needs
from lawful.solver.stress.terms import every, facts

MOST_SOURCES = 12
MOST_MIXTURES = 48


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
