"""Diagrams made from diagrams: coarser labels, fewer layers, minimal ways."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from lawful.solver.dd.building import OverBudget, Row, reduced
from lawful.solver.dd.planning import Layer
from lawful.solver.diagram import NODES, Diagram

Label: TypeAlias = tuple[int, ...]


def project(diagram: Diagram, coarser: Sequence[Callable[[Label], Label] | None], nodes: int = NODES) -> Diagram:
    """Return the diagram of what is told apart when labels are read more coarsely.

    Parameters
    ----------
    diagram : Diagram
        A diagram.
    coarser : sequence of callable or None
        For each layer what is told of a label; None keeps it. The order of labels is that of the first finer one.
    nodes : int
        Nodes that may be built.

    Returns
    -------
    Diagram
        Its paths are the projections of the paths, each once.

    Raises
    ------
    OverBudget
        If there would be more nodes.
    """
    layers, reads = [], []
    for layer, tell in zip(diagram.layers, coarser, strict=True):
        told = [label if tell is None else tell(label) for label in layer.labels]
        names = list(dict.fromkeys(told))
        if tell is not None:
            names.sort(reverse=True)  # more of a source stands before less
        place = {name: i for i, name in enumerate(names)}
        layers.append(Layer(layer.variables if tell is None else (), tuple(names)))
        reads.append([place[t] for t in told])
    level: dict[frozenset[int], int] = {frozenset([0]): 0} if diagram.alive else {}
    rows: list[list[Row]] = []
    built = 0
    for read, nodes_here in zip(reads, diagram.rows, strict=True):
        reached: dict[frozenset[int], int] = {}
        mine = []
        for several in level:
            to: dict[int, set[int]] = {}
            for node in several:
                for label, child in nodes_here[node]:
                    to.setdefault(read[label], set()).add(child)
            mine.append(tuple((n, reached.setdefault(frozenset(to[n]), len(reached))) for n in sorted(to)))
        built += len(reached)
        if built > nodes:
            raise OverBudget("nodes", nodes)
        rows.append(mine)
        level = reached
    rows, alive = reduced(rows, diagram.alive)
    return Diagram(layers, rows, alive, diagram.states)


def without_last(diagram: Diagram) -> Diagram:
    """Return the diagram without its last layer: what can be continued."""
    rows, alive = reduced(diagram.rows[:-1], diagram.alive)
    return Diagram(diagram.layers[:-1], rows, alive, diagram.states)


def first_layers(diagram: Diagram, number: int) -> Diagram:
    """Return the diagram of its first layers: what can be continued."""
    while len(diagram.layers) > number:
        diagram = without_last(diagram)
    return diagram


def extended(diagram: Diagram, layers: Sequence[Layer]) -> Diagram:
    """Return a diagram with further layers in which every label may be taken."""
    free = [[tuple((n, 0) for n in range(len(layer.labels)))] for layer in layers]
    return Diagram([*diagram.layers, *layers], [*diagram.rows, *free], diagram.alive, diagram.states)


def minimal(
    diagram: Diagram, fewer: Sequence[Callable[[Label], Label] | None], *, any_number: bool = False, nodes: int = NODES
) -> Diagram:
    """Return the diagram of the ways without a superfluous source.

    Parameters
    ----------
    diagram : Diagram
        All ways, as sets or bags of sources.
    fewer : sequence of callable or None
        For each layer what a label becomes when one source less is used (itself where none is); None where the layer
        holds no sources.
    any_number : bool
        Whether no way is left however many of its sources are taken away (inclusion-minimal), or only none when a
        single one is. They differ where more can be too much.
    nodes : int
        Nodes that may be built.

    Returns
    -------
    Diagram
        The ways from which no source can be taken so that it is still one of the ways.

    Raises
    ------
    OverBudget
        If there would be more nodes.
    """
    less = [
        None if how is None else _less(layer, how, any_number) for layer, how in zip(diagram.layers, fewer, strict=True)
    ]
    # A node: where the way itself is, and where it would be with something taken away.
    level: dict[tuple[int, frozenset[int]], int] = {(0, frozenset()): 0} if diagram.alive else {}
    rows: list[list[Row]] = []
    built = 0
    for i, nodes_here in enumerate(diagram.rows):
        reached: dict[tuple[int, frozenset[int]], int] = {}
        edges = [dict(row) for row in nodes_here]
        mine = []
        for node, others in level:
            row = []
            for label, child in nodes_here[node]:
                there = {edges[other][label] for other in others if label in edges[other]}
                if (taken := less[i]) is not None:
                    there |= {edges[node][n] for n in taken[label] if n in edges[node]}
                    if any_number:
                        there |= {edges[o][n] for o in others for n in taken[label] if n in edges[o]}
                if i == len(diagram.rows) - 1 and there:
                    continue  # the smaller one is a way, too
                row.append((label, reached.setdefault((child, frozenset(there)), len(reached))))
            mine.append(tuple(row))
        built += len(reached)
        if built > nodes:
            raise OverBudget("nodes", nodes)
        rows.append(mine)
        level = reached
    rows, alive = reduced(rows, diagram.alive)
    return Diagram(diagram.layers, rows, alive, diagram.states)


def _less(layer: Layer, fewer: Callable[[Label], Label], any_number: bool) -> list[list[int]]:
    """Return for each label the labels that it becomes with fewer sources."""
    place = {label: i for i, label in enumerate(layer.labels)}
    found = []
    for label in layer.labels:
        below: list[int] = []
        now = label
        while (after := fewer(now)) != now:
            now = after
            if now in place:
                below.append(place[now])
            if not any_number:
                break
        found.append(below)
    return found


def restrict(
    diagram: Diagram, to: Diagram, coarser: Sequence[Callable[[Label], Label] | None], nodes: int = NODES
) -> Diagram:
    """Return the paths of a diagram whose projection is a path of a coarser one.

    Parameters
    ----------
    diagram, to : Diagram
        The paths, and what their projections must be.
    coarser : sequence of callable or None
        As in `project`.
    nodes : int
        Nodes that may be built.

    Returns
    -------
    Diagram
        Over the layers of the first.

    Raises
    ------
    OverBudget
        If there would be more nodes.
    """
    level: dict[tuple[int, int], int] = {(0, 0): 0} if diagram.alive and to.alive else {}
    rows: list[list[Row]] = []
    built = 0
    for layer, coarse, tell, here, there in zip(diagram.layers, to.layers, coarser, diagram.rows, to.rows, strict=True):
        place = {label: n for n, label in enumerate(coarse.labels)}
        read = [place.get(label if tell is None else tell(label), -1) for label in layer.labels]
        edges = [dict(row) for row in there]
        reached: dict[tuple[int, int], int] = {}
        mine = []
        for one, two in level:
            mine.append(
                tuple(
                    (label, reached.setdefault((child, edges[two][read[label]]), len(reached)))
                    for label, child in here[one]
                    if read[label] in edges[two]
                )
            )
        built += len(reached)
        if built > nodes:
            raise OverBudget("nodes", nodes)
        rows.append(mine)
        level = reached
    rows, alive = reduced(rows, diagram.alive and to.alive)
    return Diagram(diagram.layers, rows, alive, diagram.states)
