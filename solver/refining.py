"""Diagrams whose nodes also remember something of the way so far, for what no single layer decides.

What a way leaves, and in how many orders it can be made, depends on sums over its layers. A node of the refined diagram
is a node of the diagram together with these sums; so every way is still one path, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from lawful.model.limits import Clock
from lawful.solver.dd.building import OverBudget, Row, reduced
from lawful.solver.dd.planning import Layer
from lawful.solver.diagram import Diagram, Path

Memo: TypeAlias = tuple[int, ...]
Change: TypeAlias = tuple[tuple[int, int], ...]  # which entries of a memo grow, and by how much
State: TypeAlias = tuple[int, Memo]


@dataclass(slots=True)
class Refined:
    """A refined diagram.

    Parameters
    ----------
    diagram : Diagram
        What it refines.
    rows : list of list of Row
        As in a diagram; nodes with the same paths to the end are not merged.
    ends : list of State
        Where the paths end: the node, and what it remembers. In the order of the first path that leads there.
    origin : list of list of (int, int)
        For each layer below the first and each node, the node and label by which the first path comes.
    """

    diagram: Diagram
    rows: list[list[Row]]
    ends: list[State]
    origin: list[list[tuple[int, int]]] = field(default_factory=list)

    def first(self, end: int) -> Path:
        """Return the first path to an end."""
        path, node = [], end
        for origin in reversed(self.origin):
            node, label = origin[node]
            path.append(label)
        return tuple(reversed(path))

    def told(self, tell: Callable[[State], int]) -> Diagram:
        """Return the diagram with one more layer: what is told of the end of each way, a number."""
        numbers = [tell(state) for state in self.ends]
        names = sorted(set(numbers))
        at = {number: i for i, number in enumerate(names)}
        last_row: list[Row] = [((at[number], 0),) for number in numbers]
        rows: list[list[Row]] = [*self.rows, last_row]
        merged, alive = reduced(rows, self.diagram.alive)
        last = Layer((), tuple((number,) for number in names))
        return Diagram([*self.diagram.layers, last], merged, alive, self.diagram.states)


def refine(
    diagram: Diagram,
    width: int,
    changes: Sequence[Sequence[Change]],
    nodes: int,
    clock: Clock,
    beside: Sequence[Sequence[Row]] | None = None,
) -> Refined:
    """Let the nodes of a diagram remember sums.

    Parameters
    ----------
    diagram : Diagram
        A diagram.
    width : int
        How many sums; they start at 0.
    changes : sequence of sequence of Change
        For each layer and label, what is added.
    nodes : int
        Nodes that may be built.
    clock : Clock
        Time for it.
    beside : sequence of rows, optional
        A second diagram with the same labels, of which every path of the first is the beginning of one; then ends name
        its nodes instead.

    Raises
    ------
    OverBudget
        If there would be more nodes, or it takes too long.
    """
    level: dict[tuple[int, int, Memo], int] = {(0, 0, (0,) * width): 0} if diagram.alive else {}
    rows: list[list[Row]] = []
    origin: list[list[tuple[int, int]]] = []
    built = 0
    for i, nodes_here in enumerate(diagram.rows):
        change = changes[i]
        also = [dict(row) for row in beside[i]] if beside is not None else []
        reached: dict[tuple[int, int, Memo], int] = {}
        came: list[tuple[int, int]] = []
        mine: list[Row] = []
        for at, (node, other, memo) in enumerate(level):
            row = []
            for label, child in nodes_here[node]:
                after = memo
                if change[label]:
                    sums = list(memo)
                    for j, n in change[label]:
                        sums[j] += n
                    after = tuple(sums)
                state = child, also[other][label] if beside is not None else 0, after
                to = reached.setdefault(state, len(reached))
                if to == len(came):
                    came.append((at, label))
                row.append((label, to))
            mine.append(tuple(row))
            if not at & 1023 and clock.over:
                raise OverBudget("seconds", clock.seconds)
        built += len(reached)
        if built > nodes:
            raise OverBudget("nodes", nodes)
        rows.append(mine)
        origin.append(came)
        level = reached
    ends = [(other if beside is not None else node, memo) for node, other, memo in level]
    return Refined(diagram, rows, ends, origin)


def firsts(
    diagram: Diagram, coarser: Sequence[Callable[[tuple[int, ...]], tuple[int, ...]] | None], nodes: int
) -> Diagram:
    """Return the projection of a diagram, with what its last layer tells of the first path of each.

    Parameters
    ----------
    diagram : Diagram
        Its last layer tells something of each path: every node there has one label.
    coarser : sequence of callable or None
        For each layer but the last, what is told of a label, as in `project`.
    nodes : int
        Nodes that may be built.

    Raises
    ------
    OverBudget
        If there would be more nodes.

    Notes
    -----
    As in `project`, but a node is a list, not a set: in the order of the first paths that lead to its members.
    """
    layers: list[Layer] = []
    reads: list[list[int]] = []
    for layer, tell in zip(diagram.layers[:-1], coarser, strict=True):
        told = [label if tell is None else tell(label) for label in layer.labels]
        names = list(dict.fromkeys(told))
        if tell is not None:
            names.sort(reverse=True)
        place = {name: i for i, name in enumerate(names)}
        layers.append(Layer(layer.variables if tell is None else (), tuple(names)))
        reads.append([place[t] for t in told])
    level: dict[tuple[int, ...], int] = {(0,): 0} if diagram.alive else {}
    rows: list[list[Row]] = []
    built = 0
    for read, nodes_here in zip(reads, diagram.rows[:-1], strict=True):
        reached: dict[tuple[int, ...], int] = {}
        mine: list[Row] = []
        for several in level:
            to: dict[int, dict[int, None]] = {}
            for node in several:
                for label, child in nodes_here[node]:
                    to.setdefault(read[label], {})[child] = None
            mine.append(tuple((n, reached.setdefault(tuple(to[n]), len(reached))) for n in sorted(to)))
        built += len(reached)
        if built > nodes:
            raise OverBudget("nodes", nodes)
        rows.append(mine)
        level = reached
    rows.append([((diagram.rows[-1][several[0]][0][0], 0),) for several in level])
    rows, alive = reduced(rows, diagram.alive)
    return Diagram([*layers, diagram.layers[-1]], rows, alive, diagram.states)
