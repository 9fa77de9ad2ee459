"""The costs that a declaration can make due, and the options that decide which of them are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, product

from lawful.model.card import Card
from lawful.model.cost import ActTerm, AssetTerm, Cost, CostAll, CostAny, terms
from lawful.model.declaration import Question
from lawful.model.effect import Activated, Additional, Alternative
from lawful.model.errors import BadInput, Fault
from lawful.model.priced import mode_costs
from lawful.solver.encode.look import Look


@dataclass(slots=True)
class Costs:
    """The costs that a declaration can make due."""

    printed: Cost | None
    alternatives: list[Alternative] = field(default_factory=list)
    additional: list[Additional] = field(default_factory=list)
    charges: list[Cost] = field(default_factory=list)
    resolved: list[Activated] = field(default_factory=list)
    used: list[Activated] = field(default_factory=list)
    modes: tuple[tuple[str, Cost], ...] = ()

    def all(self) -> list[Cost | None]:
        """Return the costs with choices, in the order in which these are numbered."""
        more = [a.cost for a in self.resolved] + [a.cost for a in self.alternatives]
        return [self.printed, *more, *(a.cost for a in self.additional)]


def costs_of(question: Question, imposed: list[Additional]) -> Costs:
    """Return the costs of what is declared; `imposed` are those that objects in play add."""
    costs = _costs_of(question, imposed)
    costs.modes = mode_costs(question)
    return costs


def _costs_of(question: Question, imposed: list[Additional]) -> Costs:
    declaration = question.declaration
    card = _card(question)
    if declaration.kind == "cost":
        return Costs(declaration.cost, additional=imposed)
    assert card is not None
    if declaration.kind == "activate":
        if declaration.cost is None:
            ability = _ability(card, declaration.ability)
            costs = Costs(ability.cost, additional=imposed, used=[ability])
        else:
            named = [a for a in card.abilities if isinstance(a, Activated) and declaration.ability in (None, a.name)]
            costs = Costs(declaration.cost, additional=imposed, used=named[:1])
        costs.charges += _charged(question, {t.casefold() for used in costs.used for t in used.types})
        return costs
    costs = Costs(declaration.cost if declaration.cost is not None else card.cost)
    costs.alternatives = [a for a in card.abilities if isinstance(a, Alternative)]
    costs.additional = [a for a in card.abilities if isinstance(a, Additional) and a.to is None] + imposed
    types = _types(question, card)
    if types & {t.casefold() for t in question.ruleset.resolves}:
        able = [a for a in card.abilities if isinstance(a, Activated)]
        costs.resolved = [a for a in able if declaration.ability in (None, a.name)][:1]
        costs.used = costs.resolved
    costs.charges += _charged(question, types)
    return costs


def _charged(question: Question, types: set[str]) -> Iterator[Cost]:
    """Yield what the rules add to a declaration of these types (5.1.6b, 8.1.1)."""
    for charge in question.ruleset.charges:
        spared = question.declaration.instant and charge.unless_instant
        if {t.casefold() for t in charge.types} <= types and not spared:
            yield charge.cost


def _types(question: Question, card: Card) -> set[str]:
    """Return the types of what is declared, as effects have left them."""
    look, id = Look(question), question.declaration.thing
    return {t.casefold() for t in card.types} if id is None else look.types(look.position.thing(id))


def _card(question: Question) -> Card | None:
    id = question.declaration.thing
    return None if id is None else question.position.card(question.position.thing(id))


def _ability(card: Card, name: str | None) -> Activated:
    abilities = [a for a in card.abilities if isinstance(a, Activated) and name in (None, a.name)]
    if len(abilities) == 1:
        return abilities[0]
    names = [a.name for a in card.abilities if isinstance(a, Activated)]
    raise BadInput(
        [
            Fault(
                f"{card.name!r} has {len(abilities)} abilities" + (f" named {name!r}" if name else ""),
                hint="name one of: " + ", ".join(map(repr, names)) if names else "give the cost with `cost`",
            )
        ]
    )


def choices(costs: Costs) -> dict[int, tuple[CostAny, tuple[str, ...]]]:
    """Number the choices of every either-or cost: id of the `CostAny` -> itself and its choices' names."""
    found: dict[int, tuple[CostAny, tuple[str, ...]]] = {}
    next_number = 1

    def walk(cost: Cost) -> None:
        nonlocal next_number
        if isinstance(cost, CostAny):
            names = tuple(f"choice {next_number + i}" for i in range(len(cost.choices)))
            next_number += len(cost.choices)
            found[id(cost)] = (cost, names)
            for choice in cost.choices:
                walk(choice)
        elif isinstance(cost, CostAll):
            for term in cost.terms:
                walk(term)

    for cost in costs.all():
        if cost is not None:
            walk(cost)
    return found


def _decide(cost: Cost, names: dict[int, tuple[CostAny, tuple[str, ...]]]) -> Iterator[tuple[str, ...]]:
    """Yield the combinations of choices that decide every either-or in a cost that is due."""
    if isinstance(cost, CostAny):
        for choice, name in zip(cost.choices, names[id(cost)][1], strict=True):
            for rest in _decide(choice, names):
                yield (name, *rest)
    elif isinstance(cost, CostAll):
        for parts in product(*(list(_decide(term, names)) for term in cost.terms)):
            yield tuple(name for part in parts for name in part)
    else:
        yield ()


def combinations_of(costs: Costs, question: Question) -> Iterator[tuple[str, ...]]:
    """Yield the sets of options that may be declared, some of them more than once."""
    names = choices(costs)
    assert costs.printed is not None
    optional = [a for a in costs.additional if a.optional]
    mandatory = [a for a in costs.additional if not a.optional]
    pick: list[Alternative | None] = [None, *([] if question.declaration.free else costs.alternatives)]
    for alternative in pick:
        for k in range(len(optional) + 1):
            for chosen in combinations(optional, k):
                due = [costs.printed, *(a.cost for a in costs.resolved)]
                due += [alternative.cost] if alternative else []
                due += [a.cost for a in costs.additional if a in mandatory or a in chosen]
                own = tuple(a.name for a in chosen) + ((alternative.name,) if alternative else ())
                for parts in product(*(list(_decide(cost, names)) for cost in due)):
                    yield tuple(sorted(own + tuple(n for part in parts for n in part)))


def terms_due(
    cost: Cost,
    names: dict[int, tuple[CostAny, tuple[str, ...]]],
    options: tuple[str, ...],
    used: set[str],
    broken: list[tuple[str, str]],
    count: list[int] | None = None,
) -> Iterator[tuple[int, AssetTerm | ActTerm]]:
    """Yield the terms that are due, numbered over all that the cost has, so that a number means one term."""
    count = [0] if count is None else count
    if isinstance(cost, CostAll):
        for term in cost.terms:
            yield from terms_due(term, names, options, used, broken, count)
    elif isinstance(cost, CostAny):
        mine = names[id(cost)][1]
        declared = [n for n in mine if n in options]
        used.update(declared)
        if len(declared) != 1:
            broken.append(("option", " or ".join(mine)))
        for choice, name in zip(cost.choices, mine, strict=True):
            if name in declared:
                yield from terms_due(choice, names, options, used, broken, count)
            else:
                count[0] += sum(1 for _ in terms(choice))
    else:
        yield count[0], cost
        count[0] += 1
