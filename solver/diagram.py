"""A decision diagram over a model's decisions: every question about all solutions is read from it.

A diagram has one layer for each group of decision variables, and one edge for each label that they can take together.
Every path from the root to the end is a solution, every solution is one path, and labels stand in canonical order; so
the number of paths from each node gives counts, ranks, pages and uniform samples of any size.

References
----------
Bergman, Cire, van Hoeve, Hooker, "Decision Diagrams for Optimization", 2016. Reduced, ordered diagrams are canonical:
equal sets of solutions over the same layers give equal diagrams.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, TypeAlias

from lawful.solver.dd.building import Builder, OverBudget, Row
from lawful.solver.dd.planning import Layer, plan
from lawful.solver.dd.reading import Unsupported, read

Path: TypeAlias = tuple[int, ...]  # one label index for each layer
NODES = 200_000

__all__ = ["NODES", "Diagram", "Layer", "OverBudget", "Path", "Unsupported", "compile_model"]


@dataclass(slots=True)
class Diagram:
    """A reduced, ordered, deterministic decision diagram.

    Parameters
    ----------
    layers : list of Layer
        Variables and labels of each layer.
    rows : list of list of Row
        For each layer its nodes, each the edges that leave it: label and node of the next layer. Node 0 of the first
        layer is the root.
    alive : bool
        Whether there is any solution.
    states : int
        States that were looked at to build it.
    """

    layers: list[Layer]
    rows: list[list[Row]]
    alive: bool
    states: int = 0
    _below: list[list[int]] = field(default_factory=list)
    _sums: list[dict[int, list[int]]] = field(default_factory=list)

    @property
    def nodes(self) -> int:
        """Nodes, the end included."""
        return sum(map(len, self.rows)) + 1

    @property
    def below(self) -> list[list[int]]:
        """For every layer and node, the number of paths to the end."""
        if not self._below:
            self._below = self.weighted(None)
        return self._below

    def weighted(self, weight: Callable[[int, int], int] | None) -> list[list[int]]:
        """Return for every layer and node the sum of the weights of its paths to the end.

        Parameters
        ----------
        weight : callable, optional
            ``weight(layer, label)``; a path weighs the product. None weighs every path 1.
        """
        counts = [[1]]
        for i in range(len(self.rows) - 1, -1, -1):
            after = counts[-1]
            if weight is None:
                counts.append([sum(after[child] for _, child in row) for row in self.rows[i]])
            else:
                by = [weight(i, label) for label in range(len(self.layers[i].labels))]
                counts.append([sum(by[label] * after[child] for label, child in row) for row in self.rows[i]])
        counts.reverse()
        return counts

    def count(self, weight: Callable[[int, int], int] | None = None) -> int:
        """Return the number of solutions, or the sum of their weights: exact, of any size."""
        if not self.alive:
            return 0
        return self.below[0][0] if weight is None else self.weighted(weight)[0][0]

    def values(self, path: Sequence[int]) -> dict[int, int]:
        """Return the value of every decision variable on a path."""
        found: dict[int, int] = {}
        for layer, label in zip(self.layers, path, strict=True):
            found.update(zip(layer.variables, layer.labels[label], strict=True))
        return found

    def paths(self, start: int = 0) -> Iterator[Path]:
        """Yield the solutions in canonical order, from a rank on; nothing is held but one path."""
        if start < 0:
            raise IndexError(f"a rank is 0 or more, not {start}")
        if start >= self.count():
            return
        depth = len(self.rows)
        path, at = list(self.unrank(start)), [0] * (depth + 1)
        edge = [0] * depth  # which edge of its node each layer is on
        for i in range(depth):
            row = self.rows[i][at[i]]
            edge[i] = next(n for n, (label, _) in enumerate(row) if label == path[i])
            at[i + 1] = row[edge[i]][1]
        rows = self.rows
        while True:
            yield tuple(path)
            i = depth - 1
            while i >= 0 and edge[i] + 1 == len(rows[i][at[i]]):
                i -= 1
            if i < 0:
                return
            edge[i] += 1
            path[i], at[i + 1] = rows[i][at[i]][edge[i]]
            for j in range(i + 1, depth):
                edge[j] = 0
                path[j], at[j + 1] = rows[j][at[j]][0]

    def _before(self, i: int, node: int) -> list[int]:
        """Return, for the edges of a node, how many paths stand before each, and in all."""
        while len(self._sums) < len(self.rows):
            self._sums.append({})
        known = self._sums[i].get(node)
        if known is None:
            after = self.below[i + 1]
            known = self._sums[i][node] = list(accumulate((after[c] for _, c in self.rows[i][node]), initial=0))
        return known

    def unrank(self, rank: int) -> Path:
        """Return the solution of a rank, from 0.

        Raises
        ------
        IndexError
            If there are not so many.
        """
        if not 0 <= rank < self.count():
            raise IndexError(f"there are {self.count()} solutions, none of rank {rank}")
        path, node = [], 0
        for i, rows in enumerate(self.rows):
            before = self._before(i, node)
            n = bisect_right(before, rank) - 1
            rank -= before[n]
            label, node = rows[node][n]
            path.append(label)
        return tuple(path)

    def rank(self, path: Sequence[int]) -> int:
        """Return the rank of a solution.

        Raises
        ------
        KeyError
            If it is none.
        """
        if not self.alive or len(path) != len(self.rows):
            raise KeyError(tuple(path))
        rank = node = 0
        for i, (rows, wanted) in enumerate(zip(self.rows, path, strict=True)):
            found = next(((n, child) for n, (label, child) in enumerate(rows[node]) if label == wanted), None)
            if found is None:
                raise KeyError(tuple(path))
            rank += self._before(i, node)[found[0]]
            node = found[1]
        return rank

    def __contains__(self, path: Sequence[int]) -> bool:
        """Say whether a path is a solution."""
        try:
            self.rank(path)
        except KeyError:
            return False
        return True

    def marginals(self, weight: Callable[[int, int], int] | None = None) -> list[list[int]]:
        """Return for every layer and label the number of solutions that have it, or the sum of their weights.

        Parameters
        ----------
        weight : callable, optional
            As in `weighted`.
        """
        found = [[0] * len(layer.labels) for layer in self.layers]
        if not self.alive:
            return found
        below, above = self.weighted(weight), [1]
        for i, rows in enumerate(self.rows):
            after = [0] * len(below[i + 1])
            weights = [1 if weight is None else weight(i, n) for n in range(len(self.layers[i].labels))]
            for node, row in enumerate(rows):
                for label, child in row:
                    reached = above[node] * weights[label]
                    after[child] += reached
                    found[i][label] += reached * below[i + 1][child]
            above = after
        return found


def compile_model(
    proto: Any,
    decisions: Sequence[Sequence[tuple[int, bool]]],
    *,
    nodes: int = NODES,
    seconds: float = 60.0,
) -> Diagram:
    """Compile a CP-SAT model into the diagram of its solutions, projected to its decisions.

    Parameters
    ----------
    proto : CpModelProto
        The model.
    decisions : sequence of sequence of (int, bool)
        The layers: indexes of variables, each with whether its largest value comes first. Every other variable is an
        auxiliary and is projected away, whether the decisions determine it or not.
    nodes : int
        States that may be built.
    seconds : float
        Wall time allowed.

    Returns
    -------
    Diagram
        Exact.

    Raises
    ------
    Unsupported
        If the model has a kind of constraint, or a size, that no diagram is built from.
    OverBudget
        If there were more states or it took longer than allowed.

    Examples
    --------
    >>> from ortools.sat.python import cp_model
    >>> model = cp_model.CpModel()
    >>> x = [model.new_bool_var(f"x{i}") for i in range(60)]
    >>> _ = model.add(sum(x) >= 30)
    >>> compile_model(model.proto, [[(v.index, False)] for v in x]).count()
    635593043085854200
    """
    deadline = time.monotonic() + seconds
    model = read(proto)
    if model.infeasible:
        layers = [Layer(tuple(v for v, _ in layer), ()) for layer in decisions]
        return Diagram(layers, [[] for _ in layers], False)
    made = plan(model, decisions, deadline)
    builder = Builder(made, nodes, deadline)
    rows, alive = builder.build()
    layers = [step.layer for step in made.steps if step.layer is not None]
    return Diagram(layers, rows, alive, builder.states)
