"""What is due, as plans: one plan for every combination of options that may be declared.

A plan's amounts are linear in X. Where a floor cuts the line, the plan is split into one plan for every X.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from itertools import combinations, product

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import ActTerm, AssetTerm, Cost, CostAll, CostAny, terms
from lawful.model.declaration import Question
from lawful.model.effect import Activated, Additional, Alternative, Modifier, Static
from lawful.model.errors import BadInput, Fault
from lawful.model.expression import Expression, Ref, Times
from lawful.model.frozen import FrozenMap
from lawful.model.selector import Pattern, Selector
from lawful.solver.encode.acts import checked
from lawful.solver.encode.amount import Amount, Missing, NotLinear
from lawful.solver.encode.look import Look

MANY_X = 500


@dataclass(frozen=True, slots=True)
class EffectDue:
    """An effect-cost of a plan; `key` is the same in all plans that have the same term of the same cost."""

    key: tuple[str, int]
    act: Act


@dataclass(frozen=True, slots=True)
class Plan:
    """What is due when these options are declared.

    Parameters
    ----------
    options : tuple of str
        Names declared, sorted.
    amounts : dict of str to Amount
        By asset; those that are 0 are left out.
    effects : tuple of EffectDue
        In canonical order; the index is `Choice.term`.
    gains : dict of str to Amount
        What effect-costs gain, too late to pay with.
    has_x : bool
        Whether X is declared with this plan.
    x : int, optional
        The only X of this plan, where it was split.
    least_x : int
        The least X that the rules allow.
    only_zero, no_x : bool
        Whether the printed cost that has X is not paid, so that X must be 0, or cannot be declared.
    broken : tuple of (str, str)
        Roles of rules that the declaration itself breaks, each with what it is about.
    """

    options: tuple[str, ...]
    amounts: dict[str, Amount]
    effects: tuple[EffectDue, ...]
    gains: dict[str, Amount]
    has_x: bool = False
    x: int | None = None
    least_x: int = 0
    only_zero: bool = False
    no_x: bool = False
    broken: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class _Costs:
    """The costs that a declaration can make due."""

    printed: Cost | None
    alternatives: list[Alternative] = field(default_factory=list)
    additional: list[Additional] = field(default_factory=list)
    charges: list[Cost] = field(default_factory=list)


def plans(question: Question) -> tuple[Plan, ...]:
    """Return the plans of a declaration: the one it declares, or all that it may declare.

    Parameters
    ----------
    question : Question
        With a declaration whose `options` are given or left open.

    Returns
    -------
    tuple of Plan
        In canonical order. A declared combination that breaks a rule is a plan with `broken`, never left out.

    Raises
    ------
    BadInput
        If the declaration names an ability that is not there, or no cost at all.
    """
    costs = _costs(question)
    if costs.printed is None:
        return (Plan((), {}, (), {}, broken=(("no-cost", question.declaration.thing or ""),)),)
    declared = question.declaration.options
    if declared is not None:
        combos = [tuple(sorted(set(declared)))]
    else:
        combos = sorted(set(_combos(costs, question)), key=lambda o: (len(o), o))
    found: list[Plan] = []
    for options in combos:
        try:
            found.append(_plan(question, costs, tuple(sorted(options)), None))
        except NotLinear:
            found += [_plan(question, costs, tuple(sorted(options)), x) for x in _each_x(question)]
    return tuple(found)


def _each_x(question: Question) -> Sequence[int]:
    declared = question.declaration.x
    return range(MANY_X + 1) if declared is None else [declared]


def _costs(question: Question) -> _Costs:
    declaration = question.declaration
    card = _card(question)
    if declaration.kind == "cost":
        return _Costs(declaration.cost)
    assert card is not None
    if declaration.kind == "activate":
        return _Costs(declaration.cost if declaration.cost is not None else _ability(card, declaration.ability).cost)
    costs = _Costs(declaration.cost if declaration.cost is not None else card.cost)
    costs.alternatives = [a for a in card.abilities if isinstance(a, Alternative)]
    costs.additional = [a for a in card.abilities if isinstance(a, Additional)]
    names = [*(a.name for a in costs.alternatives), *(a.name for a in costs.additional if a.optional)]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise BadInput([Fault(f"two options of {card.name!r} have the name {twice[0]!r}", hint="give each a name")])
    types = {t.casefold() for t in card.types}
    for charge in question.ruleset.charges:
        spared = declaration.instant and charge.unless_instant
        if {t.casefold() for t in charge.types} <= types and not spared:
            costs.charges.append(charge.cost)
    return costs


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


def _choices(costs: _Costs) -> dict[int, tuple[CostAny, tuple[str, ...]]]:
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

    for cost in [costs.printed, *(a.cost for a in costs.alternatives), *(a.cost for a in costs.additional)]:
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


def _combos(costs: _Costs, question: Question) -> Iterator[tuple[str, ...]]:
    names = _choices(costs)
    assert costs.printed is not None
    optional = [a for a in costs.additional if a.optional]
    mandatory = [a for a in costs.additional if not a.optional]
    pick: list[Alternative | None] = [None, *([] if question.declaration.free else costs.alternatives)]
    for alternative in pick:
        for k in range(len(optional) + 1):
            for chosen in combinations(optional, k):
                due = [costs.printed, *([alternative.cost] if alternative else [])]
                due += [a.cost for a in costs.additional if a in mandatory or a in chosen]
                own = tuple(a.name for a in chosen) + ((alternative.name,) if alternative else ())
                for parts in product(*(list(_decide(cost, names)) for cost in due)):
                    yield tuple(sorted(own + tuple(n for part in parts for n in part)))


def _plan(question: Question, costs: _Costs, options: tuple[str, ...], x: int | None) -> Plan:
    ruleset, declaration, names = question.ruleset, question.declaration, _choices(costs)
    assert costs.printed is not None
    alternatives = [a for a in costs.alternatives if a.name in options]
    chosen = [a for a in costs.additional if not a.optional or a.name in options]
    broken: list[tuple[str, str]] = []
    if len(alternatives) + declaration.free > 1:
        broken.append(("alternative", alternatives[0].name))
    replaced = {a.id for a in ruleset.assets} if declaration.free else {r for a in alternatives for r in a.replaces}
    # What is due, in the order of `Choice.term`.
    sections: list[tuple[str, Cost]] = [("printed", costs.printed)]
    sections += [(f"alternative {a.name}", a.cost) for a in alternatives]
    sections += [(f"additional {costs.additional.index(a)}", a.cost) for a in chosen]
    sections += [(f"charge {i}", cost) for i, cost in enumerate(costs.charges)]
    known = {a.name for a in costs.alternatives} | {a.name for a in costs.additional if a.optional}
    used: set[str] = set()
    due = [(section, list(_due(cost, names, options, used, broken))) for section, cost in sections]
    has_x = any(_has_x(term) for _, mine in due for _, term in mine)
    look = Look(question, x, has_x=has_x)
    base: dict[str, Amount] = {}
    added: dict[str, Amount] = {}
    gains: dict[str, Amount] = {}
    effects: list[EffectDue] = []
    who, self_id = declaration.player, declaration.thing
    for section, mine in due:
        for number, term in mine:
            if isinstance(term, AssetTerm):
                ruleset.asset(term.asset)
                amount = look.had(term.amount, who, self_id)
                if section == "printed" and term.asset in replaced:
                    continue
                into = base if section == "printed" else added
                into[term.asset] = into.get(term.asset, Amount(0)).plus(amount)
            elif term.act.verb == "gain":
                assert isinstance(term.act.what, FrozenMap)
                for asset, points in term.act.what.items():
                    gains[asset] = gains.get(asset, Amount(0)).plus(look.had(points, who, self_id))
                effects.append(EffectDue((section, number), term.act))
            else:
                effects.append(EffectDue((section, number), checked(question, term.act)))
    for name in options:
        if name not in known and name not in used:
            broken.append(("option", name))
    if declaration.x is not None and not has_x:
        broken.append(("x.none", str(declaration.x)))
    with_x = [term for section, mine in due if section == "printed" for _, term in mine if _has_x(term)]
    unpaid_x = bool(with_x) and all(isinstance(t, AssetTerm) and t.asset in replaced for t in with_x)
    least = 0 if unpaid_x else ruleset.x.least
    plan = Plan(options, {}, tuple(effects), gains, has_x, x if has_x else None, least, broken=tuple(broken))
    if unpaid_x and ruleset.x.on_free != "keep":
        plan = replace(plan, only_zero=ruleset.x.on_free == "zero", no_x=ruleset.x.on_free == "illegal")
    amounts = _calculate(look, base, added, 0 if declaration.x is None else declaration.x)
    return replace(plan, amounts={a: n for a, n in amounts.items() if n != Amount(0)})


def _due(
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
            yield from _due(term, names, options, used, broken, count)
    elif isinstance(cost, CostAny):
        mine = names[id(cost)][1]
        declared = [n for n in mine if n in options]
        used.update(declared)
        if len(declared) != 1:
            broken.append(("option", " or ".join(mine)))
        for choice, name in zip(cost.choices, mine, strict=True):
            if name in declared:
                yield from _due(choice, names, options, used, broken, count)
            else:
                count[0] += sum(1 for _ in terms(choice))
    else:
        yield count[0], cost
        count[0] += 1


def _calculate(look: Look, base: dict[str, Amount], added: dict[str, Amount], least_x: int) -> dict[str, Amount]:
    """Run the ruleset's stages over every asset's amount."""
    ruleset = look.question.ruleset
    assets = [a.id for a in ruleset.assets]
    amounts = {a: base.get(a, Amount(0)) for a in assets}
    modifiers = list(_modifiers(look))
    late = True
    for stage in ruleset.stages:
        if stage.name == ruleset.additional_stage:
            late = False
            amounts = {a: amounts[a].plus(added.get(a, Amount(0))) for a in assets}
        for modifier, who, self_id in modifiers:
            asset = modifier.modify.removeprefix("cost.")
            if modifier.stage != stage.name or asset not in amounts:
                continue
            try:
                by = look.amount(modifier.amount, who, self_id)
            except Missing:
                continue  # no number changes nothing
            amount = _modified(amounts[asset], modifier, by)
            amounts[asset] = amount if stage.floor is None else amount.at_least(stage.floor, least_x)
    if late:
        amounts = {a: amounts[a].plus(added.get(a, Amount(0))) for a in assets}
    return {a: n.at_least(0, least_x) for a, n in amounts.items()}


def _modified(amount: Amount, modifier: Modifier, by: Amount) -> Amount:
    if modifier.operation == "set":
        return by
    if modifier.operation == "multiply":
        if by.per_x and (amount.per_x or amount.base):
            raise NotLinear("a product with X")
        return Amount(amount.base * by.base, amount.per_x * by.base)
    return amount.plus(by, 1 if modifier.operation == "add" else -1)


def _modifiers(look: Look) -> Iterator[tuple[Modifier, str, str | None]]:
    """Yield the modifiers of costs that apply to what is declared, by timestamp."""
    position = look.position
    found: list[tuple[int, Modifier, str, str | None]] = []
    for thing, _, ability in look.in_play():
        if isinstance(ability, Static) and isinstance(ability.effect, Modifier):
            found.append((thing.timestamp, ability.effect, thing.controller, thing.id))
    found += [(lasting.timestamp, lasting.modifier, lasting.controller, None) for lasting in position.lasting]
    for _, modifier, who, self_id in sorted(found, key=lambda f: f[0]):
        if modifier.modify.startswith("cost.") and _applies(look, modifier, who, self_id):
            yield modifier, who, self_id


def _applies(look: Look, modifier: Modifier, who: str, self_id: str | None) -> bool:
    if not look.holds(modifier.while_, who, self_id):
        return False
    pattern = modifier.of
    if pattern is None:
        return True
    if not isinstance(pattern, Pattern) or pattern.event != "declaration":
        return False
    declaration = look.question.declaration
    if pattern.by is not None and look.who(pattern.by, who, self_id) != declaration.player:
        return False
    if declaration.thing is not None:
        return look.about(pattern.subject, look.position.thing(declaration.thing), who, self_id)
    return bare(pattern.subject, declaration.types)


def bare(subject: Ref | Selector | None, types: tuple[str, ...]) -> bool:
    """Say whether a bare cost, of which only types are known, is what a pattern speaks of."""
    if subject is None:
        return True
    if isinstance(subject, Ref) or subject != Selector(type=subject.type):
        return False
    return {t.casefold() for t in subject.type} <= {t.casefold() for t in types}


def mentions_x(expression: Expression | str | None) -> bool:
    """Say whether an expression depends on X."""
    if isinstance(expression, Ref):
        return expression.name == "x"
    if expression is None or isinstance(expression, int | str):
        return False
    if isinstance(expression, Times) or hasattr(expression, "of"):
        of = expression.of
        return not isinstance(of, Selector) and mentions_x(of)
    return any(mentions_x(t) for t in expression.terms)


def _has_x(text: object) -> bool:
    """Say whether ``$x`` stands anywhere in a term of a cost."""
    if isinstance(text, Ref):
        return text.name == "x"
    if isinstance(text, FrozenMap):
        return any(map(_has_x, text.values()))
    if isinstance(text, tuple):
        return any(map(_has_x, text))
    return is_dataclass(text) and any(_has_x(getattr(text, one.name)) for one in fields(text))
