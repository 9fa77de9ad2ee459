"""What is left of a pool when a payment is made: plain arithmetic over a solution that was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lawful.model.frozen import FrozenMap
from lawful.model.payment import Outcome
from lawful.solver.encode.due import Plan
from lawful.solver.encode.frame import Frame


@dataclass(frozen=True, slots=True)
class Settled:
    """A payment's course.

    Parameters
    ----------
    short : tuple of int
        For each part, by how much the pool was short of it before anything was used for it.
    outcome : Outcome
        What is left.
    """

    short: tuple[int, ...]
    outcome: Outcome


def settle(
    f: Frame,
    plan: Plan,
    x: int | None,
    gained: Sequence[Mapping[str, int]],
    left: Mapping[str, int] | None = None,
) -> Settled:
    """Pay every part out of the pool, in order.

    Parameters
    ----------
    f : Frame
        The question.
    plan : Plan
        What is declared.
    x : int, optional
        The value of X.
    gained : sequence of mapping
        For each part of the frame, the points of each asset gained for it.
    left : mapping, optional
        What was left over of the assets that were split among parts paid at once; None where nothing was.

    Returns
    -------
    Settled
        The course of the payment.
    """
    ruleset = f.question.ruleset
    start = f.question.position.player(f.question.declaration.player).pool
    pool = {asset.id: start.get(asset.id, 0) for asset in ruleset.assets}
    short: list[int] = []
    for k, part in enumerate(f.parts):
        need = plan.amounts[part.id].at(x or 0) if part.id in plan.amounts else 0

        def usable(asset: str, part: str = part.id, keep: int = part.keep) -> int:
            return max(0, pool[asset] - keep) if asset == part else pool[asset]

        short.append(need - sum(usable(asset) for asset in part.accepts))
        for asset, points in gained[k].items():
            pool[asset] += points
        if k == f.joint:
            pool.update(left or {})
            continue
        for asset in part.accepts:
            drawn = min(usable(asset), need)
            pool[asset] -= drawn
            need -= drawn
    overpaid = {}
    for rule in ruleset.assets:
        surplus = pool[rule.id] - start.get(rule.id, 0)
        if rule.surplus == "lost" and surplus > 0:
            overpaid[rule.id] = surplus
            pool[rule.id] -= surplus
    for name, amount in plan.gains.items():
        pool[name] += amount.at(x or 0)
    return Settled(tuple(short), Outcome(FrozenMap(pool), FrozenMap(overpaid), x, plan.options))
