"""One walk over the dependency graph, in words; every picture and every listing is written from it."""

from __future__ import annotations

from dataclasses import dataclass

from lawful.citing import cite
from lawful.model.messages import text
from lawful.model.ordered import Graph, Kind, Sign
from lawful.model.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Box:
    """A node: its id, its kind, what it does; the number of its circle, 0 for none."""

    id: str
    kind: Kind
    says: str
    circle: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """An edge: from where to where, why, with which sign; whether it binds or only breaks ties."""

    from_: str
    to: str
    reason: str
    sign: Sign
    binds: bool


@dataclass(frozen=True, slots=True)
class Walk:
    """The graph in words.

    Parameters
    ----------
    boxes : tuple of Box
        In the order of the graph.
    circles : tuple of tuple of Box
        The first is circle 1.
    lines : tuple of Line
        In the order of the graph.
    """

    boxes: tuple[Box, ...]
    circles: tuple[tuple[Box, ...], ...]
    lines: tuple[Line, ...]

    @property
    def loose(self) -> tuple[Box, ...]:
        """The nodes that lie in no circle."""
        return tuple(box for box in self.boxes if not box.circle)


def walk(graph: Graph, ruleset: Ruleset) -> Walk:
    """Put the graph into words.

    Parameters
    ----------
    graph : Graph
        The graph.
    ruleset : Ruleset
        Its rules are cited.

    Returns
    -------
    Walk
        The same for the same graph.
    """
    circle = {id: n for n, cycle in enumerate(graph.cycles, 1) for id in cycle}
    boxes = {node.id: Box(node.id, node.kind, text(node.says), circle.get(node.id, 0)) for node in graph.nodes}
    lines = []
    for edge in graph.edges:
        rule = f" [{cite(ruleset, edge.rule)}]" if edge.rule is not None else ""
        sign = f"({edge.sign}) " if edge.sign != "?" else ""
        lines.append(Line(edge.from_, edge.to, f"{sign}{text(edge.why)}{rule}", edge.sign, edge.binds))
    return Walk(tuple(boxes.values()), tuple(tuple(boxes[id] for id in cycle) for cycle in graph.cycles), tuple(lines))
