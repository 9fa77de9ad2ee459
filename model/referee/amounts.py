"""What is due: the amount of each asset, and the effect-costs, locked before anything is paid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from lawful.model.cost import ActTerm, AssetTerm
from lawful.model.declaration import Question
from lawful.model.effect import Modifier, Static
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Position
from lawful.model.referee.asked import Asked, ask
from lawful.model.referee.declared import Bill, Undecided, has_x, itemize
from lawful.model.referee.evaluate import Scope, holds, matches, number, resolve, value
from lawful.model.referee.forbid import because
from lawful.model.referee.forbidding import forbidden
from lawful.model.referee.statics import Active, active, operate, own
from lawful.model.referee.targets import without_target
from lawful.model.ruleset import AssetRule, Stage
from lawful.model.selector import Pattern, Selector
from lawful.model.verdict import Because

__all__ = ["Change", "Demand", "Due", "due", "reckon"]


@dataclass(frozen=True, slots=True)
class Change:
    """One change of an amount: which asset, what it was and became, and by which object, lasting effect or cost."""

    asset: str
    before: int
    after: int
    by: str


@dataclass(frozen=True, slots=True)
class Demand:
    """A part that is paid at once with others: an asset term of one of the costs due.

    Parameters
    ----------
    cost : str
        Name of the cost: `cost` for the printed one.
    term : AssetTerm
        What it asks for.
    asset : AssetRule
        Its asset.
    amount : int
        How much of it, locked.
    """

    cost: str
    term: AssetTerm
    asset: AssetRule
    amount: int


@dataclass(frozen=True, slots=True)
class Due:
    """What is due for one declaration.

    Parameters
    ----------
    amounts : mapping of str to int
        Points of every asset of the ruleset.
    effects : tuple of ActTerm
        Effect-costs: of the printed cost, the alternative cost, additional costs, charges. `Choice.term` counts them.
    parts : tuple of pairs of AssetRule and int
        Amounts above 0, in the order in which they are paid.
    base : mapping of str to int
        What the printed cost demands, before anything changes it.
    changes : tuple of Change
        How the amounts came about.
    broken : Because, optional
        The rule that forbids this declaration; nothing is due then.
    demands : tuple of Demand
        The parts that are paid at once, in order. `amounts` has what modifiers made of the first of each asset.
    joint_at : int
        How many of `parts` are paid before them.
    """

    amounts: FrozenMap[str, int] = FrozenMap()
    effects: tuple[ActTerm, ...] = ()
    parts: tuple[tuple[AssetRule, int], ...] = ()
    base: FrozenMap[str, int] = FrozenMap()
    changes: tuple[Change, ...] = ()
    broken: Because | None = None
    demands: tuple[Demand, ...] = ()
    joint_at: int = 0


def due(question: Question, x: int | None, options: tuple[str, ...]) -> Due:
    """Return what is due where this X and these options are declared.

    Parameters
    ----------
    question : Question
        What is asked.
    x : int, optional
        The value of X; None where the cost has none.
    options : tuple of str
        Names of the costs and choices declared.

    Returns
    -------
    Due
        Amounts and effect-costs, or the rule that forbids the declaration.

    Raises
    ------
    UnknownName
        If the player, the object, its ability or an asset does not exist.

    References
    ----------
    CR 5.1.3, 5.1.6.
    """
    return reckon(ask(question, x, options))


def reckon(asked: Asked) -> Due:
    """Return what is due for a question whose X and options are settled; see `due`."""
    bill = itemize(asked)
    if isinstance(bill, Undecided):
        bill = because(asked.ruleset, "option", "broken.choice", names=bill.names)
    if isinstance(bill, Because):
        return Due(broken=bill)
    wrong = forbidden(asked) or _wrong_x(asked, bill)
    if wrong is not None:
        return Due(broken=wrong)
    scope = asked.scope(asked.opening)
    split = {asset.id for asset in asked.ruleset.assets if asset.split}
    first = _first_of_each(asked, bill, split)
    plain = [t for t in bill.printed if _asset(t) not in {*bill.waived, *split}]
    base = _demanded(asked, [*plain, *first.values()], scope)
    amounts, changes = _staged(asked, base, _demanded(asked, [t for t in bill.added if _asset(t) not in split], scope))
    demands = tuple(_demands(asked, bill, first, amounts, scope))
    wrong = _refused(asked, bill, amounts, demands)
    if wrong is not None:
        return Due(broken=wrong)
    order = sorted((a for a in asked.ruleset.assets if not a.split), key=lambda asset: asset.phase)
    parts = tuple((asset, amounts[asset.id]) for asset in order if amounts[asset.id] > 0)
    return Due(
        FrozenMap(amounts),
        tuple(term for term in (*bill.printed, *bill.added) if isinstance(term, ActTerm)),
        parts,
        FrozenMap(base),
        tuple(changes),
        demands=demands,
        joint_at=sum(asset.phase < demands[0].asset.phase for asset, _ in parts) if demands else 0,
    )


def _first_of_each(asked: Asked, bill: Bill, split: set[str]) -> dict[str, AssetTerm]:
    """Return, for assets that are split, the part of the printed cost that modifiers change."""
    found: dict[str, AssetTerm] = {}
    for term in bill.printed:
        if isinstance(term, AssetTerm) and term.asset in split - bill.waived and term.number == "exactly":
            found.setdefault(term.asset, term)
    return found


def _demands(
    asked: Asked, bill: Bill, first: dict[str, AssetTerm], amounts: dict[str, int], scope: Scope
) -> Iterator[Demand]:
    """Yield the parts that are paid at once: one for every term, and those of the printed cost that modifiers make."""
    for at, (name, terms) in enumerate(bill.sections):
        left = dict(first) if at == 0 else {}
        for term in terms:
            asset = asked.ruleset.asset(term.asset) if isinstance(term, AssetTerm) else None
            if not isinstance(term, AssetTerm) or asset is None or not asset.split:
                continue
            if at == 0 and term.asset in bill.waived:
                continue
            if left.get(term.asset) is term:
                amount = amounts[term.asset]
                del left[term.asset]
            else:
                amount = max(0, value(term.amount, scope))
            if amount or term.needs or term.number != "exactly":
                yield Demand(name, term, asset, amount)
        for asset in asked.ruleset.assets if at == 0 else ():
            if asset.split and asset.id not in first and amounts[asset.id] > 0:
                yield Demand(name, AssetTerm(asset.id, amounts[asset.id]), asset, amounts[asset.id])


def _refused(asked: Asked, bill: Bill, amounts: dict[str, int], demands: tuple[Demand, ...]) -> Because | None:
    """Return the rule by which nothing may be paid at all."""
    rules = asked.ruleset
    for term in bill.printed:
        if isinstance(term, AssetTerm) and term.needs and term.asset in bill.waived:
            return because(rules, "needs", "broken.needs.free", needs=term.needs)
    kind = "ability" if asked.question.declaration.kind == "activate" else "card"
    if rules.x.free_at_zero in (kind, "any") and rules.x.on_free != "keep":
        with_x = [t for t in bill.printed if isinstance(t, AssetTerm) and has_x(t)]
        left = sum(d.amount for d in demands if d.cost == "cost" and d.term in with_x)
        left += sum(amounts[t.asset] for t in with_x if not rules.asset(t.asset).split)
        if with_x and left == 0 and (rules.x.on_free == "illegal" or asked.x != 0):
            return because(rules, "x.free", "broken.x.illegal")
    act = without_target(asked) if rules.targets_first else None
    if act is not None:
        return because(rules, "target", "broken.target", verb=act.verb)
    return None


def _asset(term: AssetTerm | ActTerm) -> str | None:
    return term.asset if isinstance(term, AssetTerm) else None


def _wrong_x(asked: Asked, bill: Bill) -> Because | None:
    """Return the rule that the value of X breaks (5.1.3a)."""
    rules, x = asked.ruleset, asked.x
    in_printed = [term for term in bill.printed if has_x(term)]
    if not in_printed and not any(has_x(term) for term in bill.added) and not bill.text_x:
        return None if x is None else because(rules, "x.none", "broken.x.none", x=x)
    if in_printed and all(_asset(term) in bill.waived for term in in_printed):
        if rules.x.on_free == "illegal":
            return because(rules, "x.free", "broken.x.illegal")
        if rules.x.on_free == "zero" and x != 0:
            return because(rules, "x.free", "broken.x.free", x="?" if x is None else x)
        least = 0
    else:
        least = max(0, rules.x.least)
    if x is None or x < least:
        ability = asked.question.declaration.kind == "activate"
        role = "x.least.ability" if ability else "x.least"
        return because(rules, role, "broken.x.least", x="?" if x is None else x, least=least)
    return None


def _demanded(asked: Asked, terms: Iterable[AssetTerm | ActTerm], scope: Scope) -> dict[str, int]:
    found = {asset.id: 0 for asset in asked.ruleset.assets}
    for term in terms:
        if isinstance(term, AssetTerm):
            found[asked.ruleset.asset(term.asset).id] += value(term.amount, scope)
    return found


def _staged(asked: Asked, base: dict[str, int], added: dict[str, int]) -> tuple[dict[str, int], list[Change]]:
    """Run the stages in the ruleset's order (5.1.6a); a total below 0 is 0."""
    rules, amounts, changes = asked.ruleset, dict(base), list[Change]()
    present = [
        (a, a.modifier)
        for a in (*active(asked.opening, rules), *_own(asked))
        if isinstance(a.modifier, Modifier) and a.modifier.modify.startswith("cost.")
    ]
    if all(stage.name != rules.additional_stage for stage in rules.stages):
        stages: tuple[Stage, ...] = (*rules.stages, Stage(rules.additional_stage))
    else:
        stages = rules.stages
    for stage in stages:
        if stage.name == rules.additional_stage:
            _change(amounts, changes, {id: amounts[id] + more for id, more in added.items()}, "")
        if stage in rules.stages:
            for one, modifier in present:
                if modifier.stage == stage.name:
                    _modify(asked, one, stage, amounts, changes)
    return {id: max(0, amount) for id, amount in amounts.items()}, changes


def _own(asked: Asked) -> list[Active]:
    """Return what a card says about its own cost: it is not in play yet, and says it all the same."""
    if asked.announced is None:
        return []
    thing = asked.opening.thing(asked.announced)
    found = [a.effect for a in asked.opening.card(thing).abilities if isinstance(a, Static)]
    return [
        Active(effect, thing.id, own(thing), thing.timestamp, f"{thing.id}/cost")
        for effect in found
        if isinstance(effect, Modifier) and isinstance(effect.of, Pattern) and effect.of.subject == Ref("self")
    ]


def used(asked: Asked) -> Position:
    """Return the position in which effects on the next declarations have counted for this one.

    One that is about a number of what is declared ("gets +1") is laid on it, by its own id with the object's.
    """
    left = []
    declared = asked.question.declaration.thing
    for effect in asked.opening.lasting:
        scope = Scope(
            asked.opening,
            asked.ruleset,
            FrozenMap({**asked.bindings(), "controller": effect.controller, **effect.bindings}),
        )
        modifier = effect.modifier
        counts = isinstance(modifier, Modifier) and isinstance(modifier.of, Pattern | None)
        if effect.uses is not None and counts and _applies(asked, modifier, scope):  # type: ignore[arg-type]
            effect = replace(effect, uses=effect.uses - 1)
            if not modifier.modify.startswith("cost.") and declared is not None:  # type: ignore[union-attr]
                on = replace(modifier, of=Ref("on"))  # type: ignore[arg-type]
                bound = effect.bindings.put("on", declared)
                left.append(replace(effect, id=f"{effect.id} on {declared}", modifier=on, bindings=bound, uses=None))
        if effect.uses != 0:
            left.append(effect)
    return replace(asked.opening, lasting=tuple(left))


def _change(amounts: dict[str, int], changes: list[Change], new: dict[str, int], by: str) -> None:
    for id, amount in new.items():
        if amount != amounts[id]:
            changes.append(Change(id, amounts[id], amount, by))
            amounts[id] = amount


def _modify(asked: Asked, one: Active, stage: Stage, amounts: dict[str, int], changes: list[Change]) -> None:
    modifier = one.modifier
    assert isinstance(modifier, Modifier)
    asset = modifier.modify.removeprefix("cost.")
    scope = Scope(asked.opening, asked.ruleset, FrozenMap({**asked.bindings(), **one.bindings}))
    if asset not in amounts or not _applies(asked, modifier, scope):
        return
    by = number(modifier.amount, scope)
    if by is not None:
        changed = operate(modifier.operation, amounts[asset], by)
        floored = changed if stage.floor is None else max(stage.floor, changed)
        _change(amounts, changes, {asset: floored}, one.source)


def _applies(asked: Asked, modifier: Modifier, scope: Scope) -> bool:
    """Tell whether a modifier is about this declaration, and holds before paying."""
    if modifier.while_ is not None and not holds(modifier.while_, scope):
        return False
    pattern = modifier.of
    if pattern is None:
        return True
    if not isinstance(pattern, Pattern):
        return False
    if pattern.event not in ("declaration", asked.question.declaration.kind) and pattern.event not in asked.labels:
        return False
    if pattern.by is not None and resolve(pattern.by, scope) != asked.payer:
        return False
    if pattern.on is not None and not _targets(asked, pattern.on, scope):
        return False
    return pattern.subject is None or asked.suits(pattern.subject, scope)


def _targets(asked: Asked, wanted: Ref | Selector, scope: Scope) -> bool:
    """Tell whether one of the targets declared is one that a text speaks of."""
    chosen = {id for ids in asked.question.declaration.targets.values() for id in ids}
    return any(matches(wanted, thing, scope) for thing in asked.opening.named(chosen))
