"""What ways are worth under wishes, as sums over the layers of a diagram."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lawful.model.page import Wish
from lawful.solver.chart import Chart, Kind
from lawful.solver.dd.best import Worth
from lawful.solver.diagram import Diagram


class Worths:
    """Reads what labels are worth.

    Parameters
    ----------
    chart : Chart
        The chart by single sources.
    wishes : sequence of Wish
        The first decides, then the second, and so on.
    sets : bool
        Whether source sets are ranked: of these it is not said what is left over as what.
    """

    def __init__(self, chart: Chart, wishes: Sequence[Wish], sets: bool = False) -> None:
        self.chart, self.wishes, self.sets, self.f = chart, wishes, sets, chart.f
        rules = self.f.question.ruleset
        self._assets = [asset.id for asset in rules.assets]
        self._lost = {asset.id for asset in rules.assets if asset.surplus == "lost"}
        self._start = self.f.question.position.player(self.f.question.declaration.player).pool

    @property
    def adds(self) -> bool:
        """Whether every wish is a sum over the layers.

        What is left is none where a surplus is lost, or where points that were split are drawn on by other parts.
        """
        if all(wish.about != "left" for wish in self.wishes):
            return True
        gained = {asset for group in self.chart.model.groups for asset in group.gain}
        if self.f.joint is None:
            return not self._lost & (gained | self._start.keys())
        others = [part for k, part in enumerate(self.f.parts) if k != self.f.joint]
        common = set(self.f.common)
        if any(part.generate != "never" or set(part.accepts) & (gained | common) for part in others) or gained - common:
            return False
        there = {asset for asset in common if asset in gained or self._start.get(asset, 0)}
        if not self.sets:
            return True
        return not self._lost & there or (self._all_lost and not any(self._start.get(a, 0) for a in common))

    def of(self, diagram: Diagram) -> Callable[[int, int], Worth]:
        """Return what each label of each layer is worth."""
        tables = [
            [tuple(wish.sign * self._amount(wish, kind, label) for wish in self.wishes) for label in layer.labels]
            for kind, layer in zip(self.chart.kinds, diagram.layers, strict=False)
        ]
        return lambda layer, label: tables[layer][label]

    def _amount(self, wish: Wish, kind: Kind, label: tuple[int, ...]) -> int:
        if wish.about == "left":
            return self._left(kind, label)
        if wish.about == "x":
            return (self.chart.read_declared(label)[1] or 0) if kind.what == "declared" else 0
        return sum(label) if kind.what == "uses" and wish.counts(kind.thing) else 0

    def _left(self, kind: Kind, label: tuple[int, ...]) -> int:
        """Return how many points more float afterwards."""
        if kind.what == "declared":
            plan, x = self.chart.read_declared(label)
            due = self.f.plans[plan]
            found = sum(g.at(x or 0) for g in due.gains.values()) - sum(d.at(x or 0) for d in due.amounts.values())
            parts = [d for d in due.demands if d.always or d.amount.at(x or 0) > 0]
            floating = sum(self._start.get(asset, 0) for asset in self.f.common)
            if self.f.joint is None or not parts:
                return found + floating
            if not self.sets:
                return found  # it is in the cells
            exact = sum(d.amount.at(x or 0) for d in parts if d.term.number == "exactly")
            return found + (0 if self._all_lost else floating - exact)
        if self.f.joint is not None and self.sets:
            return 0 if self._all_lost else self._of_set(kind, label)
        if kind.what == "cell" and kind.cell[0] < 0:
            as_, n = kind.cell[1], label[0]
            return min(n, self._start.get(as_, 0)) if as_ in self._lost else n
        if kind.what == "uses" and self.f.joint is None:
            gain = self.chart.model.groups[kind.group].gain
            return sum(label) * sum(gain.get(asset, 0) for asset in self._assets)
        return 0

    @property
    def _all_lost(self) -> bool:
        return set(self.f.common) <= self._lost

    def _of_set(self, kind: Kind, label: tuple[int, ...]) -> int:
        if kind.what == "uses":
            group = self.chart.model.groups[kind.group]
            return sum(label) * (sum(group.gain.values()) - sum(n for _, n in group.members[0].asks))
        return -label[0] if kind.what == "number" else 0
