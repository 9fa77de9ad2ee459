"""What else lies about where cards meet: the plainest card of the pool for each thing that their texts tell apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lawful.model.card import Card
from lawful.model.effect import Prevention, Replacement, Static, Trigger
from lawful.model.selector import Pattern, Selector
from lawful.model.walking import every
from lawful.solver.stress.meeting import plainly
from lawful.solver.stress.needs import lies
from lawful.solver.stress.terms import modifiers, selectors
from lawful.stressing.pool import Pool

MOST_KINDS = 16  # of objects that texts tell apart


@dataclass(frozen=True, slots=True)
class Asks:
    """What a card asks for.

    Parameters
    ----------
    card : Card
        Which.
    selectors : tuple of Selector
        Of its text, and of the events that it hears.
    changes : tuple of pairs of str and int
        By how much its static effects change a number; 3 where that is a matter of the moment.
    tests : tuple of pairs of str and int
        With what a number is compared.
    """

    card: Card
    selectors: tuple[Selector, ...]
    changes: tuple[tuple[str, int], ...]
    tests: tuple[tuple[str, int], ...]


def asks_of(card: Card) -> Asks:
    """Return what a card asks for."""
    text = list(every((card.cost, card.abilities), Selector))
    related = [part for s in text for part in (*s.near.values(), *s.bears.values(), s.until) if part is not None]
    heard = [p.subject for p in every(card.abilities, Pattern) if isinstance(p.subject, Selector)]
    changes = [(m.modify.removeprefix("base."), m.amount) for m in modifiers(card)]
    tests = [test for selector in every(card.abilities, Selector) for test in selector.where]
    return Asks(
        card,
        (*selectors(card), *heard, *related),
        tuple((stat, abs(by) if isinstance(by, int) else 3) for stat, by in changes),
        tuple((test.stat, test.value) for test in tests if isinstance(test.value, int)),
    )


class Objects:
    """Picks the objects for groups of cards.

    Parameters
    ----------
    pool : Pool
        All cards.
    """

    def __init__(self, pool: Pool) -> None:
        self.unread = {name for name, entry in pool.entries.items() if entry.unread}
        self._plain = sorted(pool.cards, key=lambda c: (c.name in self.unread, len(c.abilities), c.name))
        self._by_type: dict[str, list[int]] = {}
        for n, card in enumerate(self._plain):
            for word in {w.casefold() for w in card.types}:
                self._by_type.setdefault(word, []).append(n)
        self._fits: dict[Selector, int] = {}
        self._numbers: dict[tuple[str, int], int] = {}
        self._asked: dict[int, tuple[Asks, list[int]]] = {}
        self._bares: dict[str, Card] = {}
        self._sharing: dict[int, tuple[Card, list[Card]]] = {}
        self._no_trait = re.compile(pool.ruleset.no_traits or "(?!)", re.IGNORECASE)

    def of(self, cards: Sequence[Card]) -> tuple[tuple[Card, ...], tuple[Card, ...], bool]:
        """Return the plainest card of the pool for each thing that the texts speak of, without what it does.

        Beside these come those that do something, as they are, where all of their text was read; and whether the texts
        tell more kinds apart than are looked at.
        """
        known = [self._asks(card) for card in cards]
        asked = list(dict.fromkeys(mask for _, masks in known for mask in masks))
        values = [mask for stat, n in moved([asks for asks, _ in known]) if (mask := self._with(stat, n))]
        regions, cut = told_apart(asked, values)
        alike = [card for asks, _ in known for card in self._alike(asks.card)]
        there = [self._plain[at] for at in dict.fromkeys((region & -region).bit_length() - 1 for region in regions)]
        found = list({card.name: card for card in (*there, *alike)}.values())
        bare = [self._bare(card) for card in found]
        changed = [card for card, one in zip(found, bare, strict=True) if card is not one]
        return tuple(bare), tuple(card for card in changed if card.name not in self.unread), cut

    def _asks(self, card: Card) -> tuple[Asks, list[int]]:
        """Return what a card asks for, and who is that, looked up once."""
        if id(card) not in self._asked:
            asks = asks_of(card)
            masks = [mask for mask in map(self._fit, dict.fromkeys(asks.selectors)) if mask]
            self._asked[id(card)] = asks, masks
        return self._asked[id(card)]

    def _alike(self, card: Card) -> list[Card]:
        """Return for each "that shares a trait with" the plainest two that do."""
        if id(card) not in self._sharing:
            found: list[Card] = []
            for selector in every((card.cost, card.abilities), Selector):
                if selector.shares is not None:
                    found += self._pair(selector, selector.shares)
            self._sharing[id(card)] = card, found
        return self._sharing[id(card)][1]

    def _pair(self, one: Selector, other: Selector) -> list[Card]:
        masks = self._fit(one), self._fit(other)
        mine, theirs = ([c for n, c in enumerate(self._plain) if mask >> n & 1] for mask in masks)
        for a in mine:
            traits = {word.casefold() for word in a.types if not self._no_trait.fullmatch(word)}
            for b in theirs if traits else ():
                if a is not b and not traits.isdisjoint(word.casefold() for word in b.types):
                    return [a, b]
        return []

    def _bare(self, card: Card) -> Card:
        if card.name not in self._bares:
            self._bares[card.name] = plain(card, card.name in self.unread)
        return self._bares[card.name]

    def _fit(self, selector: Selector) -> int:
        """Return the cards that are what a selector asks for, as bits in the order of the plainest."""
        if selector not in self._fits:
            types = [word.casefold() for word in selector.type]
            near = min((self._by_type.get(word, []) for word in types), key=len, default=list(range(len(self._plain))))
            self._fits[selector] = sum(1 << n for n in near if lies(selector, self._plain[n]))
        return self._fits[selector]

    def _with(self, stat: str, n: int) -> int:
        """Return the cards of which a number is just so much, as bits."""
        if (stat, n) not in self._numbers:
            self._numbers[stat, n] = sum(1 << at for at, card in enumerate(self._plain) if card.stats.get(stat) == n)
        return self._numbers[stat, n]


def told_apart(asked: Sequence[int], values: Sequence[int]) -> tuple[list[int], bool]:
    """Return the sets of cards that no text of a group tells apart, of those that some text speaks of.

    And whether there would be too many of them: then some are not told apart.
    """
    everything = 0
    for mask in asked:
        everything |= mask
    regions, cut = [everything] if everything else [], False
    for mask in (*asked, *values):
        split = [part for region in regions for part in (region & mask, region & ~mask) if part]
        if len(split) > MOST_KINDS:
            cut = True
            break
        regions = split
    # What everybody asks for comes first, the plainest of it.
    return sorted(regions, key=lambda region: (-sum(1 for mask in asked if mask & region), region & -region)), cut


def moved(cards: Sequence[Asks]) -> Iterator[tuple[str, int]]:
    """Yield the numbers of cards at which a comparison may turn, where effects of a group change what it tests."""
    changed: dict[str, int] = {}
    for stat, by in (one for card in cards for one in card.changes):
        changed[stat] = changed.get(stat, 0) + by
    for stat, by in changed.items():
        ks = [k for card in cards for tested, k in card.tests if tested == stat]
        near = {n for k in ks for n in range(k - by - 1, k + by + 2)}
        yield from sorted((stat, n) for n in near if n >= 0)


def plain(card: Card, unread: bool = False) -> Card:
    """Return a card that is what another one is, and does nothing: what that does is for groups that it is in."""
    if not unread and not any(isinstance(a, Static | Trigger | Replacement | Prevention) for a in card.abilities):
        return card
    return replace(card, name=plainly(card.name), called=card.printed_name, abilities=())
