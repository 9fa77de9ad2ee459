"""Which cards say the same, so that they share a verdict: reprints, cycles, cards that differ in names only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass, replace

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.effect import Grant, Modifier, Norm
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Selector
from lawful.model.walking import every


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words that rules and texts use: what else a card is called makes no difference.

    Parameters
    ----------
    types, stats, names, words, props : frozenset of str
        Mentioned by some selector, condition, modifier, or by the rules.
    """

    types: frozenset[str]
    stats: frozenset[str]
    names: frozenset[str]
    words: frozenset[str]
    props: frozenset[str]


def vocabulary(cards: Iterable[Card], rules: Ruleset) -> Vocabulary:
    """Return the words that are used of cards."""
    types, stats, names, words, props = (set[str]() for _ in range(5))
    terms = [rules.sources, rules.charges, rules.norms, rules.procedures, rules.checks, rules.replacements]
    types |= {word.casefold() for word in rules.resolves}
    types |= {word.casefold() for charge in rules.charges for word in charge.types}
    parts = [(term, "", "") for term in terms]
    parts += [((card.cost, card.abilities), card.name, card.printed_name) for card in cards]
    parts += [((rules.helped, rules.preventions), "", "")]
    for term, own, called in parts:
        for selector in every(term, Selector):
            types |= {word.casefold() for word in selector.type}
            names |= {selector.name} - {None, own} if selector.name else set()
            words |= {selector.words.casefold()} if selector.words else set()
            names |= {called} if selector.namesake is not None else set()  # who is called like it, counts
            stats |= {test.stat for test in selector.where} | set(selector.has)
            props |= set(selector.has)
        for ref in every(term, Ref):
            stats |= set(ref.path)
        for modifier in every(term, Modifier):
            stats.add(modifier.modify.removeprefix("base."))
        for grant in every(term, Grant):
            types |= {word.casefold() for word in (*grant.gain_types, *grant.lose_types, *(grant.set_types or ()))}
        for act in every(term, Act):
            if act.verb == "set" and isinstance(act.what, str):
                stats.add(act.what.removeprefix("base."))
        for norm in every(term, Norm):
            source = norm.action.source
            types |= {word.casefold() for word in source.type} if isinstance(source, Selector) else set()
    return Vocabulary(*(frozenset(s) for s in (types, stats, names, words, props)))


def signature(card: Card, known: Vocabulary) -> str:
    """Return what a card says, without what nobody asks for: cards with one signature share a verdict."""
    called = card.printed_name
    mentioned = {card.name, called} & known.names or any(word in called.casefold() for word in known.words)
    own = "~"
    plain = replace(
        card,
        name=called if mentioned else own,
        called="",
        types=tuple(sorted(word for word in card.types if word.casefold() in known.types)),
        stats=FrozenMap({key: n for key, n in sorted(card.stats.items()) if key in known.stats}),
        props=FrozenMap({key: word for key, word in sorted(card.props.items()) if key in known.props}),
        abilities=_renamed(card.abilities, {card.name, called}),  # type: ignore[arg-type]
    )
    return repr(plain)


def _renamed(term: object, names: set[str]) -> object:
    if isinstance(term, str):
        return "~" if term in names else term
    if isinstance(term, tuple):
        return tuple(_renamed(part, names) for part in term)
    if isinstance(term, FrozenMap):
        return FrozenMap({key: _renamed(value, names) for key, value in term.items()})
    if is_dataclass(term) and not isinstance(term, type):
        return replace(term, **{f.name: _renamed(getattr(term, f.name), names) for f in fields(term)})
    return term
