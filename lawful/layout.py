"""Where the nodes of a graph are drawn: rows, columns, and the lanes beside them in which edges run.

What depends on something lies below it. The nodes of a circle lie below each other in a column that is theirs alone, so
that a box around them holds nothing else. Inside a row nodes are near the middle of what they hang on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx as nx

HALF = 4  # columns to each side of the middle
MANY = 400  # beyond, tie-breaks do not move nodes


@dataclass(slots=True)
class Plan:
    """A row and a column for every node.

    Parameters
    ----------
    at : dict
        Row and column by id, both from 0.
    rows, columns : int
        How many there are.
    """

    at: dict[str, tuple[int, int]] = field(default_factory=dict)
    rows: int = 0
    columns: int = 0


def plan(ids: Sequence[str], binding: Sequence[tuple[str, str]], ties: Sequence[tuple[str, str]]) -> Plan:
    """Give every node its place.

    Parameters
    ----------
    ids : sequence of str
        The nodes, in the order of the graph.
    binding : sequence of (str, str)
        Dependencies: the first lies above the second, unless they are of one circle.
    ties : sequence of (str, str)
        The same, where that goes against no dependency.

    Returns
    -------
    Plan
        The same for the same graph.
    """
    import networkx as nx

    place = {id: n for n, id in enumerate(ids)}
    parts, order = _parts(place, binding, ties if len(ids) <= MANY else ())
    near: dict[str, list[str]] = {}
    for a, b in (*binding, *ties):
        near.setdefault(b, []).append(a)
    found = Plan()
    taken: set[tuple[int, int]] = set()
    start: dict[int, int] = {}
    for n in nx.lexicographical_topological_sort(order, key=lambda n: min(place[id] for id in parts[n])):
        part = parts[n]
        row = max((start[p] + len(parts[p]) for p in order.predecessors(n)), default=0)
        above = [found.at[a][1] for id in part for a in near.get(id, ()) if a in found.at]
        row, column = _free(sum(above) / len(above) if above else 0.0, row, len(part), taken)
        start[n] = row
        for depth, id in enumerate(part):
            found.at[id] = (row + depth, column)
            taken.add((row + depth, column))
    return _packed(found)


def _parts(
    place: dict[str, int], binding: Sequence[tuple[str, str]], ties: Sequence[tuple[str, str]]
) -> tuple[list[list[str]], nx.DiGraph[int]]:
    """Return the circles, each from top to bottom, and what lies above what among them."""
    import networkx as nx

    whole: nx.DiGraph[str] = nx.DiGraph()
    whole.add_nodes_from(place)
    whole.add_edges_from(binding)
    for a, b in ties:
        if a != b and not nx.has_path(whole, b, a):
            whole.add_edge(a, b)
    parts = [_lined(part, whole, place) for part in nx.strongly_connected_components(whole)]
    home = {id: n for n, part in enumerate(parts) for id in part}
    order: nx.DiGraph[int] = nx.DiGraph()
    order.add_nodes_from(range(len(parts)))
    order.add_edges_from((home[a], home[b]) for a, b in whole.edges if home[a] != home[b])
    return parts, order


def _lined(part: Iterable[str], whole: nx.DiGraph[str], place: dict[str, int]) -> list[str]:
    """Return a circle from top to bottom, so that few of its edges go up: always the one with most to give first."""
    left = sorted(part, key=place.__getitem__)
    found: list[str] = []
    while left:
        best = max(left, key=lambda id: (_balance(id, left, whole), -place[id]))
        found.append(best)
        left.remove(best)
    return found


def _balance(id: str, left: list[str], whole: nx.DiGraph[str]) -> int:
    return sum(whole.has_edge(id, other) for other in left) - sum(whole.has_edge(other, id) for other in left)


def _free(wanted: float, row: int, high: int, taken: set[tuple[int, int]]) -> tuple[int, int]:
    """Return the free place for so many rows, from this one on, nearest to the column wanted; no row is too wide."""
    middle = max(-HALF, min(HALF, round(wanted)))
    while True:
        for column in sorted(range(-HALF, HALF + 1), key=lambda c: (abs(c - middle), -c)):
            if not any((row + depth, column) in taken for depth in range(high)):
                return row, column
        row += 1


def _packed(found: Plan) -> Plan:
    """Count columns from 0, without those that nobody is in."""
    used = sorted({column for _, column in found.at.values()})
    number = {column: n for n, column in enumerate(used)}
    at = {id: (row, number[column]) for id, (row, column) in found.at.items()}
    return Plan(at, 1 + max((row for row, _ in at.values()), default=-1), len(used))
