"""Cards that meet, and what else there may be: what every check is asked about."""

from __future__ import annotations

from dataclasses import dataclass

from lawful.model.card import Card
from lawful.model.ruleset import Ruleset
from lawful.solver.stress.terms import costs, points, taxes

YOU, OTHER = "player", "opponent"


def plainly(name: str) -> str:
    """Return what a card is called that lies there without what it does."""
    return f"{name}, plain"


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
    real : tuple of Card
        Cards that lie among the objects without what they do, as they are, where all of their text was read.
    cut : bool
        Whether the texts tell more kinds of objects apart than these.
    """

    ruleset: Ruleset
    cards: tuple[Card, ...]
    sources: tuple[Card, ...] = ()
    objects: tuple[Card, ...] = ()
    readings: tuple[tuple[str, str, tuple[str, ...], tuple[tuple[str, Ruleset], ...]], ...] = ()
    gained: frozenset[str] = frozenset()
    real: tuple[Card, ...] = ()
    cut: bool = False

    @property
    def stripped(self) -> frozenset[str]:
        """The names of objects that lie there without what they do."""
        return frozenset(card.name for card in self.objects if card.called and card.name == plainly(card.called))

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


def same_texts(one: Meeting, other: Meeting) -> bool:
    """Tell whether the very same cards meet, and the very same objects may lie there: then positions are the same."""
    if one is other:
        return True
    pairs = ((one.cards, other.cards), (one.objects, other.objects))
    return one.ruleset is other.ruleset and all(
        len(mine) == len(theirs) and all(a is b for a, b in zip(mine, theirs, strict=True)) for mine, theirs in pairs
    )
