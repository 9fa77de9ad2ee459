"""What the referee writes down of each step: what was done, by which rule, and the pool after it."""

from __future__ import annotations

from lawful.model.frozen import FrozenMap
from lawful.model.payment import Choice
from lawful.model.referee.amounts import Demand, Due
from lawful.model.referee.replacing import Gain
from lawful.model.referee.sources import Offer
from lawful.model.referee.table import Table
from lawful.model.ruleset import Ruleset
from lawful.model.verdict import Message, TraceStep, Value

__all__ = [
    "points",
    "spell_demand",
    "tell_due",
    "tell_effect",
    "tell_late",
    "tell_pay",
    "tell_split",
    "tell_surplus",
    "tell_use",
]


def points(assets: FrozenMap[str, int]) -> str:
    """Spell an amount as costs are spelled.

    Examples
    --------
    >>> points(FrozenMap({"c": 3, "r": 1})), points(FrozenMap())
    ('3c1r', '0')
    """
    return "".join(f"{n}{id}" for id, n in assets.items() if n) or "0"


def _step(table: Table, role: str, says: str, **params: Value) -> TraceStep:
    return TraceStep(Message(says, FrozenMap(params)), table.asked.ruleset.rule(role).id, table.pool)


def tell_due(table: Table) -> TraceStep:
    """Say what is due."""
    due: Due = table.due
    amounts = tuple(f"{amount}{asset.id}" for asset, amount in due.parts)
    amounts += tuple(spell_demand(demand) for demand in due.demands)
    acts = tuple(term.act.verb for term in due.effects)
    if not amounts and not acts:
        return _step(table, "amount", "step.due.nothing")
    return _step(table, "amount", "step.due", due=(*amounts, *acts))


def tell_use(after: Table, offered: Offer, outcome: Gain) -> TraceStep:
    """Say which source was used, for which part, and what it gave."""
    use = after.uses[-1]
    names: dict[str, Value] = {
        "source": use.source,
        "thing": use.thing,
        "card": after.asked.opening.thing(use.thing).card,
        "part": after.asked.ruleset.asset(use.part).name if use.part else "",
        "gain": points(outcome.assets),
    }
    if not use.replaced:
        says = "step.use" if use.part else "step.use.at-once"
        return _step(after, f"source.{use.source}", says, **names)
    more: dict[str, Value] = {"before": points(offered.gain), "by": use.replaced}
    return _step(after, "replacement", "step.use.replaced", **names, **more)


def tell_pay(before: Table, after: Table) -> TraceStep:
    """Say which part was paid, and what left the pool."""
    assert before.part is not None
    asset, amount = before.part
    rules: Ruleset = before.asked.ruleset
    drawn = tuple(
        f"{before.pool[id] - after.pool[id]} {rules.asset(id).name}"
        for id in asset.accepts
        if before.pool[id] != after.pool[id]
    )
    role = "draw" if len(asset.accepts) > 1 else "part"
    return _step(after, f"{role}.{asset.id}", "step.pay", amount=f"{amount}{asset.id}", drawn=drawn)


def spell_demand(demand: Demand) -> str:
    """Spell a part that is paid at once with others, as it stands in a table and in JSON: ``2r``, ``up to 3r``.

    Examples
    --------
    >>> from lawful.model.cost import AssetTerm
    >>> from lawful.model.ruleset import AssetRule
    >>> spell_demand(Demand("cost", AssetTerm("r", 3, "up_to", only=("p",)), AssetRule("r", "r", 1, ()), 3))
    'up to 3r (only p)'
    """
    term = demand.term
    amount = {"exactly": "", "up_to": "up to ", "any": "any "}[term.number]
    amount += demand.asset.id if term.number == "any" else f"{demand.amount}{demand.asset.id}"
    more: list[str] = [term.alike] if term.alike != "any" else []
    more += [f"only {', '.join(term.only)}"] if term.only else []
    more += [f"with {', '.join(term.needs)}"] if term.needs else []
    more += ["printed"] if term.printed else []
    return f"{amount} ({'; '.join(more)})" if more else amount


def tell_split(after: Table) -> TraceStep:
    """Say how the points were split among the parts that are paid at once."""
    said = []
    for j, demand in enumerate(after.demands):
        given: dict[str, int] = {}
        for spend in after.split or ():
            if spend.part == j:
                given[spend.as_] = given.get(spend.as_, 0) + spend.n
        said.append(f"{demand.cost} {spell_demand(demand)}: {points(FrozenMap(given))}")
    return _step(after, "split", "step.split", parts=tuple(said))


def tell_effect(after: Table, choice: Choice) -> TraceStep:
    """Say which effect-cost was paid, and with what."""
    act = after.due.effects[choice.term].act
    if isinstance(act.what, FrozenMap):
        return _step(after, "effect", "step.effect.gain", gain=tuple(act.what))
    if not choice.things:
        return _step(after, "effect", "step.effect.chance", verb=act.verb)
    return _step(after, "effect", "step.effect", verb=act.verb, things=choice.things)


def tell_surplus(after: Table, asset: str, lost: int) -> TraceStep:
    """Say what was overpaid."""
    name = after.asked.ruleset.asset(asset).name
    return _step(after, f"surplus.{asset}", "step.surplus", amount=f"{lost}{asset}", asset=name)


def tell_late(after: Table) -> TraceStep:
    """Say what effect-costs gained, after everything was paid."""
    return _step(after, "effect.after", "step.late", gain=points(after.late))
