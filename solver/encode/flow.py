"""What flows through the pool: parts are paid in order, in full, out of what each accepts, in its order."""

from __future__ import annotations

from collections.abc import Callable

from ortools.sat.python import cp_model

from lawful.model.ruleset import AssetRule
from lawful.solver.encode.frame import Frame
from lawful.solver.encode.joint import Joint
from lawful.solver.encode.literals import Linear, total

Gained = Callable[[str, int], Linear]


class Flow:
    """The pool from part to part, as linear expressions; an amount is split among assets only where somebody asks.

    Parameters
    ----------
    f : Frame
        The model.
    gained : callable
        ``gained(asset, part)``: points of an asset gained while that part (by its index) was paid.
    joint : Joint, optional
        The parts that are paid at once. What they leave over is where the pool goes on from.
    """

    def __init__(self, f: Frame, gained: Gained, joint: Joint | None = None) -> None:
        self.f, self.joint = f, joint
        self._gained = gained
        self._after: dict[str, cp_model.IntVar] = {}
        self._extra = [self._imagined(part) for part in f.parts]
        self._paid = [self._pay(part) for part in f.parts]
        self._split: dict[int, dict[str, Linear]] = {}

    def _imagined(self, part: AssetRule) -> Linear:
        """Points that a further source would give: none, and that is a fact."""
        f = self.f
        if not f.literals.explains or part.generate == "never" or not part.id:
            return 0
        extra = f.cp.new_int_var(0, max(f.most_due(part.id), 0), f"further {part.id}")
        gives = [
            (c.most * c.points.get(a, 0), c.thing.id)
            for c in f.sources
            for a in part.accepts
            if not c.barred and c.points.get(a, 0)
        ]
        fact = f.literals.fact(
            f"hand.{part.id}",
            asset=part.id,
            accepts=part.accepts,
            gives=sum(points for points, _ in gives),
            about=tuple(id for _, id in gives),
        )
        f.cp.add(extra == 0).only_enforce_if(fact)
        return extra

    def _pay(self, part: AssetRule) -> Linear:
        """What is paid of a part: the amount due, by the rule that it is paid in full."""
        f = self.f
        if not part.id:
            return 0
        need = f.need(part.id)
        role = f"part.{part.id}"
        if f.literals.mode == "hold" and not f.literals.releases(role):
            return need
        paid = f.cp.new_int_var(0, max(f.most_due(part.id), 0), f"paid {part.id}")
        f.cp.add(paid <= need)
        f.cp.add(paid == need).only_enforce_if(f.literals.rule(role, asset=part.id, amount=f.most_due(part.id)))
        return paid

    def paid(self, k: int) -> Linear:
        """Return what is paid of part `k`."""
        return self._paid[k]

    def gained(self, asset: str, k: int) -> Linear:
        """Return what is gained of an asset while part `k` is paid, imagined points included."""
        extra = self._extra[k] if asset == self.f.parts[k].id else 0
        return self._gained(asset, k) + extra

    def before(self, k: int) -> Linear:
        """Return what the pool holds for part `k` before anything is gained for it."""
        part = self.f.parts[k]
        return self._there(part.accepts, k) - self._kept(part, k)

    def _there(self, assets: tuple[str, ...], k: int) -> Linear:
        """Return the pool of some assets together before part `k`."""
        held: Linear = 0
        since = {asset: self._since(asset, k) for asset in assets}
        for asset, first in since.items():
            held = held + self._floats(asset, first) + total(self.gained(asset, j) for j in range(first, k))
        for j in range(k):
            held = held - self._drawn_of(j, tuple(asset for asset, first in since.items() if first <= j))
        return held

    def _since(self, asset: str, k: int) -> int:
        """Return the part from which on the pool of an asset is reckoned: after the one where points are split."""
        joint = self.f.joint
        return joint + 1 if joint is not None and self.joint is not None and joint < k and asset in self.f.common else 0

    def _floats(self, asset: str, first: int) -> Linear:
        if not first or self.joint is None:
            return self.f.start[asset]
        # Where nothing is paid at once, nothing was split.
        left = self.joint.cells[-1, asset]
        there = self.f.start[asset] + total(self.gained(asset, j) for j in range(first - 1))
        there = there - total(self._drawn_of(j, (asset,)) for j in range(first - 1))
        if isinstance(there, int) and there == 0:
            return left
        if asset not in self._after:
            most = self.f.supply[asset] + sum(self.f.supply[a] for a in self.f.common)
            after = self.f.cp.new_int_var(0, most, f"{asset} after the split")
            self.f.cp.add(after == left).only_enforce_if(self.joint.due)
            self.f.cp.add(after == there).only_enforce_if(self.joint.due.negated())
            self._after[asset] = after
        return self._after[asset]

    def _kept(self, part: AssetRule, k: int) -> Linear:
        """What may not be touched of the part's own asset: `keep`, or all of it where there is less."""
        if not part.keep:
            return 0
        f = self.f
        own = self.pool(part.id, k)
        kept = f.cp.new_int_var(0, part.keep, f"kept {part.id}")
        f.cp.add_min_equality(kept, [own, part.keep])
        return kept

    def pool(self, asset: str, k: int) -> Linear:
        """Return the pool of one asset before part `k` (before anything is gained for it)."""
        return self._there((asset,), k)

    def _drawn_of(self, k: int, assets: tuple[str, ...]) -> Linear:
        """Return how much of these assets is drawn for part `k`."""
        if k == self.f.joint or not assets:
            return 0
        accepts = self.f.parts[k].accepts
        if set(accepts) <= set(assets):
            return self._paid[k]
        if not set(accepts) & set(assets):
            return 0
        split = self.split(k)
        return total(split[a] for a in accepts if a in assets)

    def split(self, k: int) -> dict[str, Linear]:
        """Return how much of each accepted asset is drawn for part `k`: as much of the first as there is, and so on."""
        if k in self._split:
            return self._split[k]
        f, part = self.f, self.f.parts[k]
        if len(part.accepts) == 1:
            self._split[k] = {part.accepts[0]: self._paid[k]}
            return self._split[k]
        rule = f.literals.rule(f"draw.{part.id}", asset=part.id)
        drawn: dict[str, Linear] = {}
        rest: Linear = self._paid[k]
        bound = max(f.most_due(part.id), 0)
        for asset in part.accepts:
            there = self.pool(asset, k) + self.gained(asset, k)
            if asset == part.id:
                there = there - self._kept(part, k)
            amount = f.cp.new_int_var(0, bound, f"drawn {asset} for {part.id}")
            f.cp.add(amount <= there)
            f.cp.add_min_equality(amount, [there, rest]).only_enforce_if(rule)
            drawn[asset] = amount
            rest = rest - amount
        f.cp.add(rest == 0)
        self._split[k] = drawn
        return drawn

    def enough(self, k: int) -> None:
        """A part is paid out of what is held for it."""
        part = self.f.parts[k]
        gained = total(self.gained(asset, k) for asset in part.accepts)
        self.f.cp.add(self.before(k) + gained >= self._paid[k])

    def left(self, asset: str) -> Linear:
        """Return the pool of an asset when everything is paid, surplus included."""
        return self._there((asset,), len(self.f.parts))

    def surplus(self) -> None:
        """Where a surplus is forbidden, no more is left than floated before."""
        for asset in self.f.question.ruleset.assets:
            if asset.surplus == "forbidden":
                rule = self.f.literals.rule(f"surplus.{asset.id}", asset=asset.id)
                self.f.cp.add(self.left(asset.id) <= self.f.start[asset.id]).only_enforce_if(rule)


def active(f: Frame, k: int) -> cp_model.IntVar:
    """Return the literal of "part `k` is due": its amount is above 0."""
    due = f.cp.new_bool_var(f"{f.parts[k].id} is due")
    f.cp.add(f.need(f.parts[k].id) >= 1).only_enforce_if(due)
    f.cp.add(f.need(f.parts[k].id) <= 0).only_enforce_if(due.negated())
    return due
