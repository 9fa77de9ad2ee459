"""Walks through everything that a card says: the terms of its abilities, whatever they stand in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import AssetTerm, Cost, terms
from lawful.model.effect import Activated, Additional, Alternative, Modifier, Norm, Source, Static
from lawful.model.expression import Compare, Fact, PerPlayer, Ref, Sum, Times
from lawful.model.selector import Selector
from lawful.model.walking import every, parts, walk

T = TypeVar("T")
_MOST_KNOWN = 4_096
_known: dict[int, tuple[Card, dict[tuple[type, bool], tuple[Any, ...]]]] = {}


def said(card: Card, kind: type[T], *, cost: bool = True) -> tuple[T, ...]:
    """Return every term of a kind that a card says; each card is walked through once, whoever asks.

    Parameters
    ----------
    card : Card
        The very card: one that is equal, and another, is walked through by itself.
    kind : type
        Of the terms.
    cost : bool
        Whether its printed cost counts, too.
    """
    known = _known.get(id(card))
    if known is None:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        known = _known[id(card)] = card, {}  # the card is kept with it, so that no other one has its id
    found = known[1].get((kind, cost))
    if found is None:
        found = known[1][kind, cost] = tuple(every((card.cost, card.abilities) if cost else card.abilities, kind))
    return found


def selectors(card: Card) -> tuple[Selector, ...]:
    """Return every selector of a card that is no part of another one."""
    return tuple(_outer((card.cost, card.abilities)))


def _outer(term: object) -> Iterator[Selector]:
    if isinstance(term, Selector):
        yield term
    else:
        for part in parts(term):
            yield from _outer(part)


def largest(term: object) -> int:
    """Return the largest constant in a term: beyond it, nothing that the term asks for changes."""
    found = [part for part in walk(term) if isinstance(part, int) and not isinstance(part, bool)]
    factors = [part.factor for part in every(term, Times)]
    return max([0, *found, *factors])


def facts(card: Card) -> dict[str, tuple[str, ...]]:
    """Return the facts of players that a card asks for, with the values that matter."""
    found: dict[str, list[str]] = {}
    for part in walk((card.cost, card.abilities)):
        if isinstance(part, Fact):
            found.setdefault(part.key, []).append(part.value)
        elif isinstance(part, Compare):
            for ref in every((part.left, part.right), Ref):
                if ref.name in ("controller", "opponent") and len(ref.path) == 1:
                    found.setdefault(ref.path[0], []).append(str(largest((part.left, part.right)) + 1))
    return {key: tuple(dict.fromkeys(values)) for key, values in found.items()}


def costs(card: Card) -> tuple[Cost, ...]:
    """Return every cost that a card has: printed, of abilities, additional, alternative."""
    own = () if card.cost is None else (card.cost,)
    priced = Activated | Additional | Alternative | Source
    return (*own, *(a.cost for a in card.abilities if isinstance(a, priced)))


def points(cost: Cost) -> int:
    """Return the most points that a cost asks for, X counted as 2."""
    return sum(_amount(term.amount) for term in terms(cost) if isinstance(term, AssetTerm))


def _amount(expression: object) -> int:
    if isinstance(expression, int):
        return max(expression, 0)
    if isinstance(expression, Ref):
        return 2
    if isinstance(expression, Times):
        return abs(expression.factor) * _amount(expression.of)
    if isinstance(expression, Sum):
        return sum(map(_amount, expression.terms))
    if isinstance(expression, PerPlayer):
        return 2 * _amount(expression.of)
    return 3


def taxes(card: Card) -> int:
    """Return by how many points a card can make others cost more."""
    found = 0
    for modifier in modifiers(card):
        if modifier.modify.startswith("cost.") and modifier.operation in ("add", "set", "multiply"):
            found += _amount(modifier.amount)
    return found + sum(points(a.cost) for a in card.abilities if isinstance(a, Additional) and a.to is not None)


def modifiers(card: Card) -> tuple[Modifier, ...]:
    """Return the modifiers of a card's static abilities."""
    return tuple(a.effect for a in card.abilities if isinstance(a, Static) and isinstance(a.effect, Modifier))


def norms(card: Card) -> tuple[Norm, ...]:
    """Return the norms of a card's static abilities."""
    return tuple(a.effect for a in card.abilities if isinstance(a, Static) and isinstance(a.effect, Norm))


def acts(card: Card) -> tuple[Act, ...]:
    """Return every act that a card says, as a cost or as an effect."""
    return said(card, Act)
