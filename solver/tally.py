"""Counts over all families at once, as arrays: outcomes and sequences, which no single layer of a diagram decides."""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import factorial

import numpy as np
from numpy.typing import NDArray

from lawful.solver.chart import Chart
from lawful.solver.dd.blocks import blocks, labels

Ints = NDArray[np.int64]
ROWS = 1 << 13


@dataclass(frozen=True, slots=True)
class Tally:
    """What was counted.

    Parameters
    ----------
    outcomes : int
        Different outcomes.
    sequences : int
        Orders, over all allocations.
    """

    outcomes: int
    sequences: int


def tally(chart: Chart, seconds: float) -> Tally | None:
    """Count outcomes and sequences.

    Parameters
    ----------
    chart : Chart
        By groups of sources that give the same.
    seconds : float
        Wall time allowed.

    Returns
    -------
    Tally or None
        None if time ran out.
    """
    deadline = time.monotonic() + seconds
    counter = _Counter(chart)
    for block in blocks(chart.full, ROWS):
        counter.add(labels(chart.full, block))
        if time.monotonic() > deadline:
            return None
    return Tally(len(counter.outcomes), counter.sequences)


class _Counter:
    def __init__(self, chart: Chart) -> None:
        self.chart, self.f = chart, chart.f
        self.outcomes: set[bytes] = set()
        self.sequences = 0
        self._layers = chart.full.layers
        declared = [chart.read_declared(label) for label in self._layers[0].labels]
        self._plan = np.array([plan for plan, _ in declared], dtype=np.int64)
        self._x = np.array([x or 0 for _, x in declared], dtype=np.int64)
        self._assets = [a.id for a in self.f.question.ruleset.assets]
        self._groups = chart.model.groups
        options = sorted({plan.options for plan in self.f.plans})
        self._options = np.array([options.index(plan.options) for plan in self.f.plans], dtype=np.int64)
        self._has_x = np.array([plan.has_x for plan in self.f.plans], dtype=np.int64)
        weigh = chart.members(chart.full)
        self._ways = [
            np.array([weigh(i, n) for n in range(len(layer.labels))], dtype=object)
            for i, layer in enumerate(self._layers)
        ]

    def add(self, at: NDArray[np.int32]) -> None:
        plan, x = self._plan[at[:, 0]], self._x[at[:, 0]]
        used = self._used(at)
        short = self._settle(plan, x, used)
        ways = np.ones(len(at), dtype=object)
        for i, kind in enumerate(self.chart.kinds):
            if kind.what == "uses":
                ways = ways * self._ways[i][at[:, i]]
        for k in range(len(self.f.parts)):
            ways = ways * self._arrangements(k, used[:, :, k], short[k])
        self.sequences += int(ways.sum())

    def _used(self, at: NDArray[np.int32]) -> Ints:
        """Uses of every group for every part, shape (rows, groups, parts)."""
        used = np.zeros((len(at), len(self._groups), len(self.f.parts)), dtype=np.int64)
        for i, kind in enumerate(self.chart.kinds):
            if kind.what == "uses" and self.f.parts:
                used[:, kind.group, :] = np.array(self._layers[i].labels, dtype=np.int64)[at[:, i]]
        return used

    def _amounts(self, plan: Ints, x: Ints, asset: str) -> Ints:
        due = [p.amounts.get(asset) for p in self.f.plans]
        base = np.array([0 if d is None else d.base for d in due], dtype=np.int64)
        per_x = np.array([0 if d is None else d.per_x for d in due], dtype=np.int64)
        return base[plan] + per_x[plan] * x

    def _settle(self, plan: Ints, x: Ints, used: Ints) -> list[Ints]:
        """Pay every part, as `settle` does for one payment; note the outcomes; return what was short before each."""
        ruleset = self.f.question.ruleset
        start = self.f.question.position.player(self.f.question.declaration.player).pool
        pool = {a: np.full(len(plan), start.get(a, 0), dtype=np.int64) for a in self._assets}
        short: list[Ints] = []
        for k, part in enumerate(self.f.parts):
            need = self._amounts(plan, x, part.id)

            def usable(asset: str, part: str = part.id, keep: int = part.keep) -> Ints:
                return np.maximum(0, pool[asset] - keep) if asset == part else pool[asset]

            held = sum((usable(a) for a in part.accepts), np.zeros(len(plan), dtype=np.int64))
            short.append(need - held)
            for asset in self._assets:
                points = np.array([g.gain.get(asset, 0) for g in self._groups], dtype=np.int64)
                if points.any():
                    pool[asset] = pool[asset] + used[:, :, k] @ points
            for asset in part.accepts:
                drawn = np.minimum(usable(asset), need)
                pool[asset] = pool[asset] - drawn
                need = need - drawn
        columns = [self._options[plan], np.where(self._has_x[plan] == 1, x, -1)]
        for rule in ruleset.assets:
            have = pool[rule.id]
            lost = np.maximum(0, have - start.get(rule.id, 0)) if rule.surplus == "lost" else np.zeros_like(have)
            gains = [p.gains.get(rule.id) for p in self.f.plans]
            base = np.array([0 if g is None else g.base for g in gains], dtype=np.int64)
            per_x = np.array([0 if g is None else g.per_x for g in gains], dtype=np.int64)
            columns += [have - lost + base[plan] + per_x[plan] * x, lost]
        rows = np.unique(np.stack(columns, axis=1), axis=0)
        self.outcomes.update(row.tobytes() for row in rows)
        return short

    def _arrangements(self, k: int, used: Ints, short: Ints) -> NDArray[np.object_]:
        """In how many orders the uses for one part can be made."""
        part = self.f.parts[k]
        count = used.sum(axis=1)
        most = int(count.max(initial=0))
        factorials = np.array([factorial(n) for n in range(most + 1)], dtype=object)
        repeats = np.ones(len(used), dtype=object)
        for g, group in enumerate(self._groups):
            if any(m.most != 1 for m in group.members):
                repeats = repeats * factorials[used[:, g]]
        if part.generate == "freely":
            return np.array(factorials[count] // repeats, dtype=object)
        points = np.array([group.points(part) for group in self._groups], dtype=np.int64)
        total = used @ points
        # The last one is any without which it is still short; what comes before it may stand in any order.
        last = (used * ((total[:, None] - points[None, :]) < short[:, None])).sum(axis=1)
        before = factorials[np.maximum(count - 1, 0)] * np.where(count == 0, 1, last).astype(object)
        return np.array(before // repeats, dtype=object)
