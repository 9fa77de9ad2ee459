"""All sequences of a question as a diagram with weights: counted, ranked, and drawn without walking them.

A path is an allocation; it weighs the number of its legal orders. For each part that is the number of orders of the
sources used for it (see `solver/arranging.py`), which the numbers of uses by gain decide; these are what the refined
nodes remember.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import accumulate
from math import factorial, prod
from typing import TypeAlias

from lawful.model.limits import Clock
from lawful.solver.arranging import arrangements
from lawful.solver.chart import Chart
from lawful.solver.diagram import Diagram, Path
from lawful.solver.encode.allocation import Group
from lawful.solver.refining import Change, Memo, Refined, refine
from lawful.solver.settle import Settled, settle

Gain: TypeAlias = tuple[tuple[str, int], ...]


class Courses:
    """What ways remember so that their course is known: which declaration, and uses by gain for each part.

    Parameters
    ----------
    chart : Chart
        By groups, or by single sources.
    sums : bool
        Whether points are enough, and numbers of uses are not needed: that tells outcomes, but no orders.
    """

    def __init__(self, chart: Chart, sums: bool) -> None:
        self.chart, self.f, self.sums = chart, chart.f, sums
        self._gains: list[Gain] = [tuple(sorted((a, n) for a, n in g.gain.items() if n)) for g in chart.model.groups]
        parts = range(len(self.f.parts))
        kinds = sorted(set(self._gains))
        if sums:  # a point of one asset stands for each of its points
            kinds = [((asset, 1),) for asset in sorted({asset for gain in kinds for asset, _ in gain})]
        keys = [(k, kind) for k in parts for kind in kinds]
        self._at = {key: i for i, key in enumerate(keys, 1)}  # the first entry is the declaration
        self.width = 1 + len(keys)
        self._settled: dict[Memo, Settled] = {}

    def changes(self, diagram: Diagram) -> list[list[Change]]:
        """Return what every label adds."""
        found: list[list[Change]] = []
        for kind, layer in zip(self.chart.kinds, diagram.layers, strict=False):
            if kind.what == "declared":
                found.append([((0, n),) if n else () for n in range(len(layer.labels))])
            elif kind.what == "uses":
                found.append([self._change(kind.group, label) for label in layer.labels])
            else:
                found.append([()] * len(layer.labels))
        return found

    def _change(self, group: int, uses: tuple[int, ...]) -> Change:
        gain = self._gains[group]
        if self.sums:
            return tuple(
                (self._at[k, ((asset, 1),)], n * points) for k, n in enumerate(uses) if n for asset, points in gain
            )
        return tuple((self._at[k, gain], n) for k, n in enumerate(uses) if n)

    def settled(self, memo: Memo) -> Settled:
        """Return the course of the ways that remember this."""
        if memo not in self._settled:
            plan, x = self.chart.read_declared(self.chart.full.layers[0].labels[memo[0]])
            gained: list[dict[str, int]] = [{} for _ in self.f.parts]
            for (k, kind), i in self._at.items():
                if memo[i]:
                    for asset, n in kind:
                        gained[k][asset] = gained[k].get(asset, 0) + n * memo[i]
            self._settled[memo] = settle(self.f, self.f.plans[plan], x, gained)
        return self._settled[memo]

    def orders(self, memo: Memo) -> int:
        """Return in how many orders sources can be used, if no object is used twice; `repeats` corrects that."""
        short, result = self.settled(memo).short, 1
        for k, part in enumerate(self.f.parts):
            items = []
            for gain in set(self._gains):
                if n := memo[self._at[k, gain]]:
                    points = sum(p for asset, p in gain if asset in part.accepts)
                    items += [(points, 1)] * n
            result *= arrangements(items, short[k], part.generate == "freely")
        return result


class Sequences:
    """The sequences of some allocations.

    Parameters
    ----------
    chart : Chart
        By groups, or by single sources.
    diagram : Diagram
        Allocations of the chart: all, or some of them.
    nodes : int
        Nodes that may be built.
    clock : Clock
        Time for it.
    members : callable, optional
        Weight of a label: in how many ways the members of its group can be chosen.

    Raises
    ------
    OverBudget
        If there would be more nodes, or it takes too long.
    """

    def __init__(
        self,
        chart: Chart,
        diagram: Diagram,
        nodes: int,
        clock: Clock,
        members: Callable[[int, int], int] | None = None,
    ) -> None:
        self.chart, self.diagram = chart, diagram
        self.courses = Courses(chart, sums=False)
        ordered = chart.kinds[-1].what == "order"
        self._beside = chart.full.rows[: len(diagram.rows)] if ordered else None
        changes = self.courses.changes(diagram)
        self.refined: Refined = refine(diagram, self.courses.width, changes, nodes, clock, self._beside)
        self.times = [
            [self._repeats(i, n) * (1 if members is None else members(i, n)) for n in range(len(layer.labels))]
            for i, layer in enumerate(diagram.layers)
        ]
        self.scale = prod(self._whole(i) for i in range(len(diagram.layers)))
        last = chart.full.rows[-1] if ordered else None
        self.weights = [
            self.courses.orders(memo) * (1 if last is None else len(last[node])) for node, memo in self.refined.ends
        ]
        self._below: list[list[int]] = [self.weights]
        for i in range(len(diagram.rows) - 1, -1, -1):
            after, times = self._below[-1], self.times[i]
            self._below.append([sum(times[n] * after[child] for n, child in row) for row in self.refined.rows[i]])
        self._below.reverse()
        self.count: int = self._below[0][0] // self.scale if diagram.alive else 0
        self._sums: dict[tuple[int, int], list[int]] = {}

    def _group(self, layer: int) -> Group | None:
        kind = self.chart.kinds[layer]
        return self.chart.model.groups[kind.group] if kind.what == "uses" else None

    def _whole(self, layer: int) -> int:
        """Return what the weights of a layer are multiplied by, so that all are whole numbers."""
        group = self._group(layer)
        if group is None or all(m.most == 1 for m in group.members):
            return 1
        return prod(factorial(max(uses)) for uses in zip(*self.diagram.layers[layer].labels, strict=True))

    def _repeats(self, layer: int, label: int) -> int:
        """Return the part of `_whole` that is left when the uses of one object are not told apart."""
        group = self._group(layer)
        if group is None or all(m.most == 1 for m in group.members):
            return 1
        return self._whole(layer) // prod(map(factorial, self.diagram.layers[layer].labels[label]))

    def _before(self, i: int, node: int) -> list[int]:
        """Return, for the edges of a node, the weights before each, and in all."""
        known = self._sums.get((i, node))
        if known is None:
            after, times = self._below[i + 1], self.times[i]
            row = self.refined.rows[i][node]
            known = self._sums[i, node] = list(accumulate((times[n] * after[child] for n, child in row), initial=0))
        return known

    def unrank(self, rank: int) -> tuple[Path, int]:
        """Return the allocation of the sequence of a rank, and which of the sequences of that allocation it is.

        Raises
        ------
        IndexError
            If there are not so many.
        """
        if not 0 <= rank < self.count:
            raise IndexError(f"there are {self.count} sequences, none of rank {rank}")
        path, node, times, left = [], 0, 1, rank * self.scale
        for i, rows in enumerate(self.refined.rows):
            before = self._before(i, node)
            n = bisect_right(before, left // times) - 1
            left -= before[n] * times
            label, node = rows[node][n]
            times *= self.times[i][label]
            path.append(label)
        return tuple(path), left // self.scale

    def rank(self, path: Path, within: int = 0) -> int:
        """Return the rank of a sequence: that of an allocation's first one, plus its place among them.

        Raises
        ------
        KeyError
            If there is no such allocation, or it has fewer sequences.
        """
        if len(path) != len(self.refined.rows) or not self.diagram.alive:
            raise KeyError(path)
        rank, node, times = 0, 0, 1
        for i, label in enumerate(path):
            row = self.refined.rows[i][node]
            found = next(((n, child) for n, (mine, child) in enumerate(row) if mine == label), None)
            if found is None:
                raise KeyError(path)
            rank += self._before(i, node)[found[0]] * times
            times *= self.times[i][label]
            node = found[1]
        if not 0 <= within < self._below[-1][node] * times // self.scale:
            raise KeyError((path, within))
        return rank // self.scale + within

    def weight(self, path: Path) -> int:
        """Return the number of sequences of an allocation."""
        times, nodes = 1, [0]
        for i, label in enumerate(path):
            times *= self.times[i][label]
            nodes.append(dict(self.refined.rows[i][nodes[-1]])[label])
        return self._below[-1][nodes[-1]] * times // self.scale

    def paths(self, start: int = 0) -> Iterator[tuple[Path, int]]:
        """Yield the allocations from the one of the sequence of a rank on, each with the sequences left out of it."""
        if start >= self.count:
            return
        path, within = self.unrank(start)
        for at in self.diagram.paths(self.diagram.rank(path)):
            yield at, within
            within = 0
