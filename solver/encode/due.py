"""What is due, as plans: one plan for every combination of options that may be declared.

A plan's amounts are linear in X. Where a floor cuts the line, the plan is split into one plan for every X.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from lawful.model.act import Act, Success
from lawful.model.cost import AssetTerm, Cost
from lawful.model.declaration import Question
from lawful.model.effect import Additional, Modifier, Static
from lawful.model.expression import Expression, Holds, Ref, Times
from lawful.model.frozen import FrozenMap
from lawful.model.selector import Pattern, Selector
from lawful.model.walking import every
from lawful.solver.encode.acts import checked
from lawful.solver.encode.amount import Amount, Missing, NotLinear
from lawful.solver.encode.announcing import bare, is_labelled, labels
from lawful.solver.encode.by_target import on_target
from lawful.solver.encode.costs import Costs, choices, combinations_of, costs_of, terms_due
from lawful.solver.encode.each_x import EACH_X, of_this_x
from lawful.solver.encode.forbidding import forbidden
from lawful.solver.encode.look import Look
from lawful.solver.encode.reach import no_target

MANY_X = 500


@dataclass(frozen=True, slots=True)
class EffectDue:
    """An effect-cost of a plan; `key` is the same in all plans that have the same term of the same cost."""

    key: tuple[str, int]
    act: Act
    success: Success = Success.CHANGED


@dataclass(frozen=True, slots=True)
class DemandDue:
    """A part of a plan that is paid at once with others.

    Parameters
    ----------
    key : tuple of str and int
        The same in all plans that have the same term of the same cost.
    cost : str
        Name of the cost.
    term : AssetTerm
        What it asks for.
    amount : Amount
        How much.
    """

    key: tuple[str, int]
    cost: str
    term: AssetTerm
    amount: Amount

    @property
    def always(self) -> bool:
        """Whether it is due whatever its amount is."""
        return bool(self.term.needs) or self.term.number != "exactly"


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
    marks : frozenset, optional
        What must be true of the targets chosen for these amounts to be due; None where they do not matter.
    of : DueKey, optional
        With which modes and how many targets it is due; None where neither matters.
    demands : tuple of DemandDue
        Parts that are paid at once, in order.
    x_role : str
        The role of the rule that says how large X must be.
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
    demands: tuple[DemandDue, ...] = ()
    x_role: str = "x.least"
    marks: frozenset[object] | None = None
    of: DueKey | None = None


DueKey: TypeAlias = tuple[tuple[str, ...] | None, int | None]
"""What is due may depend on the modes, and on how many targets are chosen; None where it does not."""


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
    costs = costs_of(question, list(_imposed(question)))
    if costs.printed is None:
        return (Plan((), {}, (), {}, broken=(("no-cost", question.declaration.thing or ""),)),)
    declared = question.declaration.options
    combos = [declared] if declared is not None else list(combinations_of(costs, question))
    combos = sorted({tuple(sorted(set(options))) for options in combos}, key=lambda options: (len(options), options))
    found: list[Plan] = []
    for options in combos:
        try:
            found.append(_plan(question, costs, tuple(sorted(options)), None))
        except NotLinear as error:
            found += [_plan(question, costs, tuple(sorted(options)), x) for x in _each_x(question, error.most)]
    return tuple(found)


def _each_x(question: Question, most: int | None) -> Sequence[int]:
    declared = question.declaration.x
    return range((MANY_X if most is None else min(max(most, 1), MANY_X)) + 1) if declared is None else [declared]


def _imposed(question: Question) -> Iterator[Additional]:
    """Yield the additional costs that objects in play add to what is declared, by timestamp."""
    look = Look(question)
    for thing, _, ability in look.in_play():
        to = ability.to if isinstance(ability, Additional) and is_labelled(look, ability, thing) else None
        if isinstance(ability, Additional) and to is not None and _meant(look, to, thing.controller, thing.id):
            yield ability


def _plan(question: Question, costs: Costs, options: tuple[str, ...], x: int | None) -> Plan:
    ruleset, declaration, names = question.ruleset, question.declaration, choices(costs)
    assert costs.printed is not None
    alternatives = [a for a in costs.alternatives if a.name in options]
    chosen = [a for a in costs.additional if not a.optional or a.name in options]
    broken = list(forbidden(question, Look(question, x)))
    if len(alternatives) + declaration.free > 1:
        broken.append(("alternative", alternatives[0].name))
    replaced = {a.id for a in ruleset.assets} if declaration.free else {r for a in alternatives for r in a.replaces}
    # What is due, in the order of `Choice.term`.
    sections: list[tuple[str, Cost, str]] = [("printed", costs.printed, "cost")]
    sections += [("ability", a.cost, a.name) for a in costs.resolved]
    sections += [(name, cost, name) for name, cost in costs.modes]
    sections += [(f"alternative {a.name}", a.cost, a.name) for a in alternatives]
    sections += [(f"additional {i}", a.cost, a.name) for i, a in enumerate(costs.additional) if a in chosen]
    sections += [(f"charge {i}", cost, "charge") for i, cost in enumerate(costs.charges)]
    split = {a.id for a in ruleset.assets if a.split}
    demands: list[DemandDue] = []
    first: dict[str, int] = {}
    known = {a.name for a in costs.alternatives} | {a.name for a in costs.additional if a.optional}
    used: set[str] = set()
    due = [(section, list(terms_due(cost, names, options, used, broken)), name) for section, cost, name in sections]
    has_x = any(asks_x(term) for _, mine, _ in due for _, term in mine) or any(asks_x(a.do) for a in costs.used)
    look = Look(question, x, has_x=has_x)
    base: dict[str, Amount] = {}
    added: dict[str, Amount] = {}
    gains: dict[str, Amount] = {}
    effects: list[EffectDue] = []
    who, self_id = declaration.player, declaration.thing
    printed_demands = 0
    for section, mine, name in due:
        for number, term in mine:
            if isinstance(term, AssetTerm):
                ruleset.asset(term.asset)
                amount = look.had(term.amount, who, self_id)
                if section == "printed" and term.asset in replaced:
                    broken += [("needs", term.asset)] if term.needs else []
                    continue
                if term.asset in split:
                    if section == "printed" and term.number == "exactly" and term.asset not in first:
                        first[term.asset] = len(demands)
                        base[term.asset] = amount
                    else:
                        amount = amount.at_least(0, _least_x(question))
                    demands.append(DemandDue((section, number), name, term, amount))
                    continue
                into = base if section == "printed" else added
                into[term.asset] = into.get(term.asset, Amount(0)).plus(amount)
            elif term.act.verb == "gain":
                assert isinstance(term.act.what, FrozenMap)
                for asset, points in term.act.what.items():
                    gains[asset] = gains.get(asset, Amount(0)).plus(look.had(points, who, self_id))
                effects.append(EffectDue((section, number), term.act))
            else:
                act = checked(question, term.act)
                if act.n is not None and mentions_x(act.n) and not isinstance(act.what, Selector):
                    number, act = of_this_x(question, number, act, x)
                elif x is not None:
                    number *= EACH_X
                effects.append(EffectDue((section, number), act, term.success))
        if section == "printed":
            printed_demands = len(demands)
    for option in options:
        if option not in known and option not in used:
            broken.append(("option", option))
    with_x = [term for section, mine, _ in due if section == "printed" for _, term in mine if asks_x(term)]
    unpaid_x = bool(with_x) and all(isinstance(t, AssetTerm) and t.asset in replaced for t in with_x)
    least = 0 if unpaid_x else ruleset.x.least
    broken += [("x.none", "")] if declaration.x is not None and not has_x else []
    verb = no_target(look) if ruleset.targets_first else None
    broken += [("target", verb)] if verb is not None else []
    plan = Plan(options, {}, tuple(effects), gains, has_x, x if has_x else None, least, broken=tuple(broken))
    if unpaid_x and ruleset.x.on_free != "keep":
        plan = replace(plan, only_zero=ruleset.x.on_free == "zero", no_x=ruleset.x.on_free == "illegal")
    amounts = _calculate(look, base, added, _least_x(question))
    made = []
    for at, demand in enumerate(demands):
        due_now = amounts[demand.term.asset] if first.get(demand.term.asset) == at else demand.amount
        made.append((at < printed_demands, replace(demand, amount=due_now)))
    more = [a.id for a in ruleset.assets if a.split and a.id not in first and amounts[a.id] != Amount(0)]
    extra = [DemandDue((f"modified {a}", 0), "cost", AssetTerm(a, 0), amounts[a]) for a in more]
    due_at_once = [d for here, d in made if here] + extra + [d for here, d in made if not here]
    due_at_once = [d for d in due_at_once if d.always or d.amount != Amount(0)]
    zero = ("ability" if declaration.kind == "activate" else "card", "any")
    x_parts = [t for t in with_x if isinstance(t, AssetTerm)]
    whole = bool(x_parts) and len(x_parts) == len(with_x)
    if whole and not unpaid_x and ruleset.x.free_at_zero in zero and ruleset.x.on_free != "keep":
        plan = _free_at_zero(plan, declaration.x, ruleset.x.on_free, x_parts, amounts, due_at_once, split)
    if declaration.kind == "activate":
        plan = replace(plan, x_role="x.least.ability")
    return replace(
        plan,
        amounts={a: n for a, n in amounts.items() if n != Amount(0) and a not in split},
        demands=tuple(due_at_once),
    )


def _least_x(question: Question) -> int:
    declared = question.declaration.x
    return 0 if declared is None else declared


def _free_at_zero(
    plan: Plan,
    declared: int | None,
    on_free: str,
    with_x: list[AssetTerm],
    amounts: dict[str, Amount],
    demands: list[DemandDue],
    split: set[str],
) -> Plan:
    """Take a cost of which nothing is left to pay for one that is not paid."""
    left = Amount(0)
    for demand in demands:
        if demand.cost == "cost" and demand.key[0] == "printed" and demand.term in with_x:
            left = left.plus(demand.amount)
    for term in with_x:
        left = left if term.asset in split else left.plus(amounts[term.asset])
    if left.per_x == 0:
        free = left.base == 0
        return replace(plan, no_x=free and on_free == "illegal", only_zero=free and on_free == "zero")
    at = -left.base // left.per_x  # the X with which nothing is left; with a smaller one neither
    if at < 0 or (on_free == "zero" and at == 0):
        return plan
    if declared == at:
        return replace(plan, no_x=on_free == "illegal", only_zero=on_free == "zero")
    return replace(plan, least_x=max(plan.least_x, at + 1))


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
    for thing, static in look.of_announced():
        if isinstance(static, Modifier) and isinstance(static.of, Pattern) and static.of.subject == Ref("self"):
            found.append((thing.timestamp, static, thing.controller, thing.id))
    for lasting in position.lasting:
        if isinstance(lasting.modifier, Modifier):
            found.append((lasting.timestamp, lasting.modifier, lasting.controller, lasting.self_id))
    for _, modifier, who, self_id in sorted(found, key=lambda f: f[0]):
        if modifier.modify.startswith("cost.") and _applies(look, modifier, who, self_id):
            yield modifier, who, self_id


def _applies(look: Look, modifier: Modifier, who: str, self_id: str | None) -> bool:
    if not look.holds(modifier.while_, who, self_id):
        return False
    pattern = modifier.of
    if pattern is None:
        return True
    return isinstance(pattern, Pattern) and _meant(look, pattern, who, self_id)


def _meant(look: Look, pattern: Pattern, who: str, self_id: str | None) -> bool:
    """Say whether a pattern speaks of what is declared."""
    named = ("declaration", look.question.declaration.kind)
    if pattern.event not in named and pattern.event not in labels(look.question):
        return False
    declaration = look.question.declaration
    if pattern.by is not None and look.who(pattern.by, who, self_id) != declaration.player:
        return False
    if not on_target(look, pattern, who, self_id):
        return False
    if declaration.thing is not None:
        return look.about(pattern.subject, look.position.thing(declaration.thing), who, self_id)
    return bare(pattern.subject, declaration.types)


def mentions_x(expression: Expression | str | None) -> bool:
    """Say whether an expression depends on X."""
    if isinstance(expression, Ref):
        return expression.name == "x"
    if expression is None or isinstance(expression, int | str):
        return False
    if isinstance(expression, Holds):
        return asks_x(expression.condition)
    if isinstance(expression, Times) or hasattr(expression, "of"):
        of = expression.of
        return not isinstance(of, Selector) and mentions_x(of)
    return any(mentions_x(t) for t in expression.terms)


def asks_x(text: object) -> bool:
    """Say whether ``$x`` stands anywhere in a term of a cost."""
    return any(ref.name == "x" for ref in every(text, Ref))
