"""Paying, one small step after the other: what may be done now, and the table after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lawful.model.errors import BadInput, Fault, LimitReached
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.payment import Choice, Outcome, Spend, Use
from lawful.model.referee.amounts import Demand, Due
from lawful.model.referee.asked import Asked
from lawful.model.referee.effects_cost import next_terms, pay_effect, picks
from lawful.model.referee.forbid import because
from lawful.model.referee.hinder import has_changed
from lawful.model.referee.replacing import Gain, endings
from lawful.model.referee.sources import Offer, names, offer
from lawful.model.referee.splitting import common, left_over, splits, use_of
from lawful.model.referee.table import Bag, Table
from lawful.model.ruleset import AssetRule
from lawful.model.verdict import Because

__all__ = [
    "closing",
    "covered",
    "gain",
    "generates",
    "gives_something",
    "held",
    "is_useful",
    "lay",
    "moves",
    "pay_part",
    "settle",
    "split",
    "take",
    "waits",
]


def lay(asked: Asked, due: Due) -> Table:
    """Return the table before anything is paid."""
    return Table(asked, due, asked.opening)


def held(pool: FrozenMap[str, int], asset: AssetRule) -> int:
    """Return what a pool holds for a part: all that is accepted, less what has to be kept of the asset itself."""
    return sum(_spendable(pool, asset, id) for id in asset.accepts)


def _spendable(pool: FrozenMap[str, int], asset: AssetRule, id: str) -> int:
    return max(0, pool[id] - (asset.keep if id == asset.id else 0))


def covered(table: Table) -> bool:
    """Tell whether the open part can be paid now."""
    return table.part is not None and held(table.pool, table.part[0]) >= table.part[1]


def waits(table: Table) -> bool:
    """Tell whether the payer decides when the open part is paid."""
    return table.part is not None and table.part[0].generate == "freely"


def _with_pool(table: Table, pool: dict[str, int]) -> Table:
    player = table.position.player(table.asked.payer)
    return replace(table, position=table.position.with_player(replace(player, pool=FrozenMap(pool))))


def pay_part(table: Table) -> Table:
    """Pay the open part: the amount leaves the pool, as much of the first asset accepted as there is, then the next.

    References
    ----------
    CR 1.14.2c, 1.14.2d.
    """
    assert table.part is not None
    (asset, missing), pool = table.part, dict(table.pool)
    for id in asset.accepts:
        drawn = min(missing, _spendable(table.pool, asset, id))
        pool[id] -= drawn
        missing -= drawn
    return replace(_with_pool(table, pool), paid=table.paid + 1)


def settle(table: Table) -> Table:
    """Pay every part that is paid as soon as it can be."""
    while covered(table) and not waits(table):
        table = pay_part(table)
    return table


def is_useful(asset: AssetRule, offered: Offer) -> bool:
    """Tell whether a source may be used for a part as far as what it gives is concerned (1.14.3b)."""
    return not asset.useful or any(offered.gain.get(id, 0) > 0 for id in asset.accepts)


def gain(table: Table, offered: Offer) -> Gain:
    """Return the gain that using a source is about to cause."""
    return Gain(table.asked, offered.position, offered.thing, offered.verbs, offered.gain)


def take(table: Table, offered: Offer, outcome: Gain) -> Table:
    """Use a source for the open part: its cost is paid, and what came of the gain goes to the pool."""
    part = "" if table.part is None else table.part[0].id
    use = Use(offered.thing, part, offered.source, outcome.replaced)
    pool = {id: n + outcome.assets.get(id, 0) for id, n in table.pool.items()}
    bags = table.bags
    if table.at_once:
        gained = outcome.assets.items()
        bags += tuple(Bag(offered.thing, offered.source, id, n, offered.printed, offered.into) for id, n in gained)
    if offered.asks and not table.at_once:
        raise BadInput([Fault(f"{offered.source!r} costs assets, and the parts here are not paid at once")])
    name = use_of(offered.thing, offered.source)
    asks = tuple(Demand(name, term, table.asked.ruleset.asset(term.asset), n) for term, n in offered.asks)
    hindered = (*table.hindered, *offered.hindered)
    after = replace(
        table,
        position=outcome.position,
        uses=(*table.uses, use),
        bags=bags,
        hindered=hindered,
        asks=(*table.asks, *asks),
    )
    return _with_pool(after, pool)


def split(table: Table, spends: tuple[Spend, ...]) -> Table:
    """Split the points at hand among the parts that are paid at once."""
    return replace(_with_pool(table, dict(left_over(table, spends))), split=spends)


def moves(table: Table) -> Iterator[Table]:
    """Yield the table after every step that the payer may take now.

    Parameters
    ----------
    table : Table
        The state; parts that are paid as soon as they can be are paid.

    Yields
    ------
    Table
        After one source, one part that waited, or one effect-cost.

    Raises
    ------
    LimitReached
        If a payment goes on without end, with a source that costs nothing.
    """
    if table.at_once:
        yield from _together(table)
        return
    if table.part is None:
        for i in next_terms(table):
            for things in picks(table, i):
                paid = pay_effect(table, Choice(i, things))
                if isinstance(paid, Table):
                    yield paid
        return
    if covered(table):
        yield pay_part(table)
    if table.part[0].generate != "never" and (waits(table) or not covered(table)):
        if len(table.uses) >= Limits().sources:
            raise LimitReached("sources", Limits().sources, "a source here can be used without end")
        yield from _uses(table, table.part[0])


def _together(table: Table) -> Iterator[Table]:
    """Yield one more source, or a split. Sources are used at the same time: they are taken in one order only."""
    for spends in splits(table):
        yield split(table, spends)
    if not generates(table):
        return
    if len(table.uses) >= Limits().sources:
        raise LimitReached("sources", Limits().sources, "a source here can be used without end")
    last = place(table, table.uses[-1]) if table.uses and not table.uses[-1].part else (-1, -1)
    for thing in table.position.things:
        for name in names(table.asked, thing):
            if place(table, Use(thing.id, "", name)) < last:
                continue
            offered = offer(table, thing, name)
            if isinstance(offered, Offer) and gives_something(table, offered):
                for outcome in endings(gain(table, offered)):
                    yield take(table, offered, outcome)


def place(table: Table, use: Use) -> tuple[int, int]:
    """Return the place of a source in the order of the position."""
    at = next(i for i, thing in enumerate(table.asked.opening.things) if thing.id == use.thing)
    return at, names(table.asked, table.asked.opening.things[at]).index(use.source)


def generates(table: Table) -> bool:
    """Tell whether anything may be gained for the parts that are paid at once."""
    return any(demand.asset.generate != "never" for demand in table.due.demands)


def gives_something(table: Table, offered: Offer) -> bool:
    """Tell whether a source gives what could be split, where that is asked for."""
    useful = any(demand.asset.useful for demand in table.due.demands)
    return not useful or any(offered.gain.get(id, 0) > 0 for id in common(table.asked.ruleset))


def _uses(table: Table, asset: AssetRule) -> Iterator[Table]:
    for thing in table.position.things:
        for name in names(table.asked, thing):
            offered = offer(table, thing, name)
            if isinstance(offered, Offer) and is_useful(asset, offered):
                for outcome in endings(gain(table, offered)):
                    yield take(table, offered, outcome)


def closing(table: Table) -> tuple[Table, Outcome] | Because:
    """Close a payment whose parts and effect-costs are all paid.

    Parameters
    ----------
    table : Table
        With nothing open.

    Returns
    -------
    pair of Table and Outcome, or Because
        What is left after the surplus was dealt with and late gains came; or the surplus that is forbidden.
    """
    for id, hinder in table.hindered:
        for by in hinder:
            if not has_changed(table.asked.opening.thing(by), table.position.thing(by)):
                return because(table.asked.ruleset, "full", "broken.full", (id, by), thing=id, verb=by)
    pool, overpaid = dict(table.pool), dict[str, int]()
    before = table.asked.opening.player(table.asked.payer).pool
    for asset in table.asked.ruleset.assets:
        surplus = pool[asset.id] - before[asset.id]
        if surplus > 0 and asset.surplus == "forbidden":
            amount = f"{surplus}{asset.id}"
            return because(
                table.asked.ruleset, f"surplus.{asset.id}", "broken.surplus", amount=amount, asset=asset.name
            )
        if surplus > 0 and asset.surplus == "lost":
            pool[asset.id] -= surplus
            overpaid[asset.id] = surplus
    for id, n in table.late.items():
        pool[id] += n
    end = _with_pool(table, pool)
    return end, Outcome(end.pool, FrozenMap(overpaid), table.asked.x, table.asked.options)
