"""From a diagram by groups of equal sources to the diagram by single sources, without compiling anything again."""

from __future__ import annotations

from typing import TypeAlias

from lawful.solver.chart import Chart
from lawful.solver.dd.building import Row
from lawful.solver.dd.planning import Layer
from lawful.solver.diagram import Diagram

Uses: TypeAlias = tuple[int, ...]  # for each part
Due: TypeAlias = frozenset[tuple[Uses, int]]  # uses of a group that may still be made, and where each leads


def apart(chart: Chart) -> Diagram:
    """Tell the members of every group apart.

    Parameters
    ----------
    chart : Chart
        By groups. A group of several objects is used once for each at most.

    Returns
    -------
    Diagram
        The same allocations; every group's layer has become one layer for each member, group after group. Its
        variables are numbered anew, layer by layer.

    Notes
    -----
    A node among the members of a group is the set of uses that are still due, each with the node where it leads. Every
    such use can be made, so two nodes are equal exactly if the same paths go on from them: the result is reduced.
    """
    diagram = chart.allocations
    layers: list[Layer] = []
    rows: list[list[Row]] = []
    at = 0
    for kind, layer, nodes in zip(chart.kinds, diagram.layers, diagram.rows, strict=False):
        members = chart.model.groups[kind.group].members if kind.what == "uses" else ()
        if len(members) < 2:
            layers.append(Layer(tuple(range(at, at + len(layer.variables))), layer.labels))
            rows.append(nodes)
            at += len(layer.variables)
            continue
        parts = len(layer.variables)
        labels = [*(tuple(int(j == k) for j in range(parts)) for k in range(parts)), (0,) * parts]
        for _ in members:
            layers.append(Layer(tuple(range(at, at + parts)), tuple(labels)))
            at += parts
        rows += _told_apart(layer, nodes, len(members), parts)
    return Diagram(layers, rows, diagram.alive, diagram.states)


def _told_apart(layer: Layer, nodes: list[Row], members: int, parts: int) -> list[list[Row]]:
    due: list[Due] = [frozenset((layer.labels[label], child) for label, child in row) for row in nodes]
    rows: list[list[Row]] = []
    for left in range(members - 1, -1, -1):
        reached: dict[Due, int] = {}
        found: list[Row] = []
        for node in due:
            row = []
            for k in range(parts):
                after = frozenset([(_less(uses, k), child) for uses, child in node if uses[k]])
                if after:
                    row.append((k, reached.setdefault(after, len(reached))))
            after = frozenset([(uses, child) for uses, child in node if sum(uses) <= left])
            if after:
                row.append((parts, reached.setdefault(after, len(reached))))
            found.append(tuple(row))
        rows.append(found)
        due = list(reached)
    # Nothing is due any more: each node stands for the one where it leads.
    ends = [child for node in due for _, child in node]
    rows[-1] = [tuple((label, ends[child]) for label, child in row) for row in rows[-1]]
    return rows


def _less(uses: Uses, part: int) -> Uses:
    return (*uses[:part], uses[part] - 1, *uses[part + 1 :])
