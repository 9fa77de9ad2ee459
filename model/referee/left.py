"""Whether what a payer says is left is what is left, and which rule says otherwise."""

from __future__ import annotations

from lawful.model.frozen import FrozenMap
from lawful.model.payment import Outcome
from lawful.model.referee.forbid import because
from lawful.model.referee.table import Table
from lawful.model.ruleset import AssetRule
from lawful.model.verdict import Because

__all__ = ["wrong_pool"]


def wrong_pool(table: Table, said: FrozenMap[str, int] | None, outcome: Outcome | None) -> Because | None:
    """Compare what is said to be left with what is.

    Parameters
    ----------
    table : Table
        As it stands at the end.
    said : mapping of str to int, optional
        What the payer says, for the assets named.
    outcome : Outcome, optional
        What is left, where the payment is complete.

    Returns
    -------
    Because, optional
        The rule by which it is something else: the surplus that is lost, the order in which assets leave the pool, or
        that a part is paid in full and with no more.
    """
    if said is None:
        return None
    for asset in table.asked.ruleset.assets:
        if asset.id in said and said[asset.id] != table.pool[asset.id]:
            role = _role(table, asset, said, outcome)
            names = [id for id in table.pool if id in said]
            claimed, left = (tuple(f"{pool[id]}{id}" for id in names) for pool in (said, table.pool))
            return because(table.asked.ruleset, role, "broken.pool", said=claimed, left=left)
    for id in said:
        table.asked.ruleset.asset(id)
    return None


def _role(table: Table, asset: AssetRule, said: FrozenMap[str, int], outcome: Outcome | None) -> str:
    if outcome is not None and outcome.overpaid.get(asset.id, 0) and said[asset.id] > table.pool[asset.id]:
        return f"surplus.{asset.id}"
    concerned = [part for part, _ in table.due.parts[: table.paid] if asset.id in part.accepts]
    for part in reversed(concerned):
        whole = all(id in said for id in part.accepts)
        same = sum(said.get(id, 0) - table.pool[id] for id in part.accepts) == 0
        if len(part.accepts) > 1 and (same or not whole):
            return f"draw.{part.id}"
    return f"part.{concerned[-1].id if concerned else asset.id}"
