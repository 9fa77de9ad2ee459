"""Which costs are due by what was declared: either-or, alternatives, optional costs, playing without paying."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lawful.model.cost import ActTerm, AssetTerm, Cost, CostAll, CostAny
from lawful.model.effect import Ability, Activated, Additional, Alternative
from lawful.model.errors import UnknownName
from lawful.model.expression import Ref
from lawful.model.position import Thing
from lawful.model.priced import mode_costs
from lawful.model.referee.asked import Asked
from lawful.model.referee.evaluate import holds, matches, of_types, resolve
from lawful.model.referee.forbid import because
from lawful.model.referee.statics import working
from lawful.model.selector import Pattern
from lawful.model.verdict import Because
from lawful.model.walking import every

__all__ = ["Bill", "Undecided", "abilities", "additional", "has_x", "in_use", "itemize", "resolving"]


@dataclass(frozen=True, slots=True)
class Bill:
    """The terms that are due, by where they come from.

    Parameters
    ----------
    printed : tuple of AssetTerm or ActTerm
        Of the printed cost.
    added : tuple of AssetTerm or ActTerm
        Of the ability used as the card is played, the alternative cost, additional costs, charges.
    waived : frozenset of str
        Assets whose parts of the printed cost are not paid.
    sections : tuple of pairs of str and tuple
        The same terms by the cost that they are of: its name, and its terms. The printed cost comes first.
    text_x : bool
        Whether the text of the ability that is used has an X.
    """

    printed: tuple[AssetTerm | ActTerm, ...]
    added: tuple[AssetTerm | ActTerm, ...]
    waived: frozenset[str]
    sections: tuple[tuple[str, tuple[AssetTerm | ActTerm, ...]], ...] = ()
    text_x: bool = False

    def __post_init__(self) -> None:
        """Name the one cost where nobody else does."""
        if not self.sections:
            object.__setattr__(self, "sections", (("cost", self.printed),))


@dataclass(frozen=True, slots=True)
class Undecided:
    """An either-or that is due and that nobody decided: the options that would decide it."""

    names: tuple[str, ...]


class _Wrong(Exception):
    """Ends the reading of a bill that cannot be made out."""

    def __init__(self, why: Because | Undecided) -> None:
        self.why = why


def abilities(asked: Asked) -> tuple[Ability, ...]:
    """Return the abilities of what is paid for, where it is a card that is played; additional costs are of playing."""
    if asked.announced is None:
        return ()
    return asked.opening.card(asked.opening.thing(asked.announced)).abilities


def itemize(asked: Asked) -> Bill | Because | Undecided:
    """Make out the bill.

    Parameters
    ----------
    asked : Asked
        The question, with its options.

    Returns
    -------
    Bill, Because or Undecided
        The terms due; or the rule that what is declared breaks; or the either-or still to be decided.

    References
    ----------
    CR 5.1.3b, 5.1.3c, 5.1.6b, 5.1.6c.
    """
    printed = _printed(asked)
    if printed is None:
        return because(asked.ruleset, "no-cost", "broken.no-cost", _about(asked), thing=_about(asked))
    alternatives = [a for a in abilities(asked) if isinstance(a, Alternative)]
    extras = additional(asked)
    used = [a for a in alternatives if a.name in asked.options]
    # 5.1.3c: at most one alternative cost, or an effect that plays the card without paying.
    if len(used) + asked.question.declaration.free > 1:
        names = (*(a.name for a in used), *(("free",) if asked.question.declaration.free else ()))
        return because(asked.ruleset, "alternative", "broken.alternative", names=names)
    reader = _Reader(asked)
    try:
        first = tuple(reader.read(printed, True))
        costs = [(a.name, a.cost, True) for a in resolving(asked)]
        costs += [(name, cost, True) for name, cost in mode_costs(asked.question)]
        costs += [(a.name, a.cost, a in used) for a in alternatives]
        costs += [(a.name, a.cost, not a.optional or a.name in asked.options) for a in extras]
        costs += [("charge", cost, True) for cost in _charges(asked)]
        named = [(name, tuple(reader.read(cost, due))) for name, cost, due in costs]
    except _Wrong as wrong:
        return wrong.why
    known = {a.name for a in alternatives} | {a.name for a in extras if a.optional} | reader.met
    unknown = [name for name in asked.options if name not in known]
    if unknown:
        return because(asked.ruleset, "option", "broken.option", name=unknown[0])
    every = frozenset(asset.id for asset in asked.ruleset.assets)
    waived = every if asked.question.declaration.free else frozenset(id for a in used for id in a.replaces)
    added = tuple(term for _, terms in named for term in terms)
    return Bill(first, added, waived, (("cost", first), *named), any(has_x(a.do) for a in in_use(asked)))


def additional(asked: Asked) -> list[Additional]:
    """Return the additional costs: the card's own, then those that objects in play add, by timestamp."""
    own = [a for a in abilities(asked) if isinstance(a, Additional) and a.to is None]
    imposed = []
    for holder, _, ability in working(asked.opening, asked.ruleset):
        if isinstance(ability, Additional) and ability.to is not None and _speaks_of(asked, ability.to, holder):
            scope = asked.of_thing(asked.opening, holder)
            if of_types(_labels(asked), ability.types) and (ability.when is None or holds(ability.when, scope)):
                imposed.append(ability)
    return own + imposed


def _labels(asked: Asked) -> Iterator[str]:
    """Yield all that a text may call what is declared."""
    declaration = asked.question.declaration
    yield from (*declaration.types, *asked.labels)
    for used in in_use(asked):
        yield from used.types
    yield from (act.verb for act in declaration.do)


def _speaks_of(asked: Asked, pattern: Pattern, holder: Thing) -> bool:
    scope = asked.of_thing(asked.opening, holder)
    if pattern.event != "declaration" or (pattern.by is not None and resolve(pattern.by, scope) != asked.payer):
        return False
    chosen = {id for ids in asked.question.declaration.targets.values() for id in ids}
    there = asked.opening.named(chosen)
    if pattern.on is not None and not any(matches(pattern.on, thing, scope) for thing in there):
        return False
    return pattern.subject is None or asked.suits(pattern.subject, scope)


def resolving(asked: Asked) -> tuple[Activated, ...]:
    """Return the ability that is used as the card is played, if the ruleset has cards of its kind do so."""
    if asked.announced is None or not any(of_types(asked.types, (kind,)) for kind in asked.ruleset.resolves):
        return ()
    named = asked.question.declaration.ability
    return tuple(a for a in abilities(asked) if isinstance(a, Activated) and named in (None, a.name))[:1]


def in_use(asked: Asked) -> tuple[Activated, ...]:
    """Return the ability that is used: activated, or used as the card is played."""
    if asked.question.declaration.kind != "activate":
        return resolving(asked)
    found = _activated(asked)
    return () if found is None else (found,)


def _activated(asked: Asked) -> Activated | None:
    declaration = asked.question.declaration
    assert declaration.thing is not None
    for ability in asked.opening.card(asked.opening.thing(declaration.thing)).abilities:
        if isinstance(ability, Activated) and declaration.ability in (None, ability.name):
            return ability
    return None


def _about(asked: Asked) -> tuple[str, ...]:
    thing = asked.question.declaration.thing
    return () if thing is None else (thing,)


def _printed(asked: Asked) -> Cost | None:
    """Return the cost that the declaration, the card or its ability says."""
    declaration = asked.question.declaration
    if declaration.cost is not None or declaration.thing is None:
        return declaration.cost
    card = asked.opening.card(asked.opening.thing(declaration.thing))
    if declaration.kind != "activate":
        return card.cost
    found = _activated(asked)
    if found is not None:
        return found.cost
    able = [a for a in card.abilities if isinstance(a, Activated)]
    raise UnknownName("ability", declaration.ability or card.name, [a.name for a in able])


def _charges(asked: Asked) -> Iterator[Cost]:
    """Yield what the rules add to playing a card, or activating an ability, of these types (5.1.6b, 8.1.1)."""
    declaration = asked.question.declaration
    if declaration.kind == "play":
        types = asked.types
    elif declaration.kind == "activate" and (found := _activated(asked)) is not None:
        types = found.types
    else:
        return
    for charge in asked.ruleset.charges:
        if of_types(types, charge.types) and not (charge.unless_instant and declaration.instant):
            yield charge.cost


class _Reader:
    """Reads costs in the order of the card and numbers the choices that it meets, due or not."""

    def __init__(self, asked: Asked) -> None:
        self.asked, self.last = asked, 0
        self.met: set[str] = set()

    def read(self, cost: Cost, due: bool) -> Iterator[AssetTerm | ActTerm]:
        if isinstance(cost, CostAll):
            for part in cost.terms:
                yield from self.read(part, due)
        elif isinstance(cost, CostAny):
            yield from self._choose(cost, due)
        elif due:
            yield cost

    def _choose(self, cost: CostAny, due: bool) -> Iterator[AssetTerm | ActTerm]:
        names = tuple(f"choice {self.last + i}" for i in range(1, len(cost.choices) + 1))
        self.last += len(names)
        self.met.update(names)
        said = [name for name in names if name in self.asked.options]
        if due and not said:
            raise _Wrong(Undecided(names))
        if len(said) != due:
            raise _Wrong(because(self.asked.ruleset, "option", "broken.choice", names=names))
        for name, choice in zip(names, cost.choices, strict=True):
            yield from self.read(choice, name in said)


def has_x(text: object) -> bool:
    """Tell whether ``$x`` stands anywhere in a piece of card text.

    Examples
    --------
    >>> has_x(AssetTerm("r", Ref("x"))), has_x(AssetTerm("r", 2))
    (True, False)
    """
    return any(ref.name == "x" for ref in every(text, Ref))
