"""What is due: the amount of each asset, and the effect-costs, locked before anything is paid."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lawful.model.cost import ActTerm, AssetTerm
from lawful.model.declaration import Question
from lawful.model.effect import Modifier, Static
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.referee.asked import Asked, ask
from lawful.model.referee.declared import Bill, Undecided, has_x, itemize
from lawful.model.referee.evaluate import Scope, holds, number, resolve, value
from lawful.model.referee.forbid import because
from lawful.model.referee.forbidding import forbidden
from lawful.model.referee.statics import Active, active, operate, own
from lawful.model.ruleset import AssetRule, Stage
from lawful.model.selector import Pattern
from lawful.model.verdict import Because

__all__ = ["Change", "Due", "due", "reckon"]


@dataclass(frozen=True, slots=True)
class Change:
    """One change of an amount: which asset, what it was and became, and by which object, lasting effect or cost."""

    asset: str
    before: int
    after: int
    by: str


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
    """

    amounts: FrozenMap[str, int] = FrozenMap()
    effects: tuple[ActTerm, ...] = ()
    parts: tuple[tuple[AssetRule, int], ...] = ()
    base: FrozenMap[str, int] = FrozenMap()
    changes: tuple[Change, ...] = ()
    broken: Because | None = None


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
    base = _demanded(asked, [t for t in bill.printed if _asset(t) not in bill.waived], scope)
    amounts, changes = _staged(asked, base, _demanded(asked, bill.added, scope))
    order = sorted(asked.ruleset.assets, key=lambda asset: asset.phase)
    return Due(
        FrozenMap(amounts),
        tuple(term for term in (*bill.printed, *bill.added) if isinstance(term, ActTerm)),
        tuple((asset, amounts[asset.id]) for asset in order if amounts[asset.id] > 0),
        FrozenMap(base),
        tuple(changes),
    )


def _asset(term: AssetTerm | ActTerm) -> str | None:
    return term.asset if isinstance(term, AssetTerm) else None


def _wrong_x(asked: Asked, bill: Bill) -> Because | None:
    """Return the rule that the value of X breaks (5.1.3a)."""
    rules, x = asked.ruleset, asked.x
    in_printed = [term for term in bill.printed if has_x(term)]
    if not in_printed and not any(has_x(term) for term in bill.added):
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
        return because(rules, "x.least", "broken.x.least", x="?" if x is None else x, least=least)
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
    present = [a for a in (*active(asked.opening, rules), *_own(asked)) if a.modifier.modify.startswith("cost.")]
    if all(stage.name != rules.additional_stage for stage in rules.stages):
        stages: tuple[Stage, ...] = (*rules.stages, Stage(rules.additional_stage))
    else:
        stages = rules.stages
    for stage in stages:
        if stage.name == rules.additional_stage:
            _change(amounts, changes, {id: amounts[id] + more for id, more in added.items()}, "")
        if stage in rules.stages:
            for one in present:
                if one.modifier.stage == stage.name:
                    _modify(asked, one, stage, amounts, changes)
    return {id: max(0, amount) for id, amount in amounts.items()}, changes


def _own(asked: Asked) -> list[Active]:
    """Return what a card says about its own cost: it is not in play yet, and says it all the same."""
    if asked.announced is None:
        return []
    thing = asked.opening.thing(asked.announced)
    found = [a.effect for a in asked.opening.card(thing).abilities if isinstance(a, Static)]
    return [
        Active(effect, thing.id, own(thing), thing.timestamp)
        for effect in found
        if isinstance(effect, Modifier) and isinstance(effect.of, Pattern) and effect.of.subject == Ref("self")
    ]


def _change(amounts: dict[str, int], changes: list[Change], new: dict[str, int], by: str) -> None:
    for id, amount in new.items():
        if amount != amounts[id]:
            changes.append(Change(id, amounts[id], amount, by))
            amounts[id] = amount


def _modify(asked: Asked, one: Active, stage: Stage, amounts: dict[str, int], changes: list[Change]) -> None:
    modifier, asset = one.modifier, one.modifier.modify.removeprefix("cost.")
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
    if not isinstance(pattern, Pattern) or pattern.event not in ("declaration", asked.question.declaration.kind):
        return False
    if pattern.by is not None and resolve(pattern.by, scope) != asked.payer:
        return False
    return pattern.subject is None or asked.suits(pattern.subject, scope)
