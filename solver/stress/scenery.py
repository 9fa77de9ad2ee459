"""Puts positions together: what lies about, what floats, what is in hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from lawful.model.card import Card
from lawful.model.expression import Count
from lawful.model.frozen import FrozenMap
from lawful.model.position import Player, Position, Thing
from lawful.solver.stress.meeting import OTHER, YOU, Meeting
from lawful.solver.stress.needs import Need
from lawful.solver.stress.terms import said

MOST_SOURCES = 12


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
    facts: dict[tuple[str, str], str] = field(default_factory=dict)
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
            Player(YOU, FrozenMap({**start, **self.pool}), self._facts(YOU)),
            Player(OTHER, FrozenMap(start), self._facts(OTHER)),
        )
        return Position(players, tuple(self.things), there, YOU, 2, clock=len(self.things))

    def _facts(self, of: str) -> FrozenMap[str, str]:
        return FrozenMap({key: value for (name, key), value in self.facts.items() if name == of})


def copies(meeting: Meeting) -> int:
    """Return how many copies of each source are enough: each gives one point or more."""
    return max(1, min(MOST_SOURCES, meeting.due))


def counts_hand(meeting: Meeting) -> bool:
    """Tell whether a text counts what is in hand: then more there is not always better."""
    hand = meeting.ruleset.hand
    return any(hand in count.of.zone for card in meeting.cards for count in said(card, Count))


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


def laid(builder: Builder, wanted: Sequence[Need], about: str | None) -> None:
    """Lay out what a text looks for."""
    for need in wanted:
        for _ in range(need.n):
            related = FrozenMap(dict.fromkeys(need.relations, about)) if about is not None else FrozenMap[str, str]()
            for name, card, zone in need.near:
                related = related.put(name, builder.add(card, zone, need.controller))
            id = builder.add(
                need.card, need.zone, need.controller, status=need.status, counters=need.counters,
                face=need.face, relations=related,
            )  # fmt: skip
            for name, card, zone in need.bears:
                builder.add(card, zone, need.controller, relations=FrozenMap({name: id}))
