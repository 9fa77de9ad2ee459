"""The best solutions under a linear preference, best first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from typing import TypeAlias

from lawful.solver.diagram import Diagram, Path

Worth: TypeAlias = tuple[int, ...]  # the first number decides, then the second, and so on


def best(diagram: Diagram, worth: Callable[[int, int], Worth], width: int) -> Iterator[tuple[Worth, Path]]:
    """Yield solutions, those worth most first; among equals, in canonical order.

    Parameters
    ----------
    diagram : Diagram
        The solutions.
    worth : callable
        ``worth(layer, label)``; a path is worth the sum, number by number, compared from the first number on.
    width : int
        How many numbers that is.

    Yields
    ------
    (tuple of int, tuple of int)
        What a solution is worth, and its labels.

    Notes
    -----
    The most that can still be gained from each node is exact, so nothing is looked at that does not lead to one of the
    solutions yielded or to an equal one.
    """
    if not diagram.alive:
        return
    none = (0,) * width
    values = [[worth(i, n) for n in range(len(layer.labels))] for i, layer in enumerate(diagram.layers)]
    most: list[list[Worth]] = [[none]]
    for i in range(len(diagram.rows) - 1, -1, -1):
        after = most[-1]
        most.append([max(_plus(values[i][n], after[child]) for n, child in row) for row in diagram.rows[i]])
    most.reverse()
    # By what can be reached at best, then by the labels so far: the canonical order.
    heap: list[tuple[Worth, Path, int, Worth]] = [(_minus(most[0][0]), (), 0, none)]
    while heap:
        bound, path, node, gained = heappop(heap)
        depth = len(path)
        if depth == len(diagram.rows):
            yield _minus(bound), path
            continue
        for n, child in diagram.rows[depth][node]:
            now = _plus(gained, values[depth][n])
            heappush(heap, (_minus(_plus(now, most[depth + 1][child])), (*path, n), child, now))


def _plus(one: Worth, two: Worth) -> Worth:
    return tuple(a + b for a, b in zip(one, two, strict=True))


def _minus(one: Worth) -> Worth:
    return tuple(-a for a in one)
