"""The graph as a picture: SVG, drawn by ourselves, the same bytes for the same graph.

Nodes lie in layers: an edge goes down, from what comes first to what depends on it. What lies in a circle lies in one
layer after the other inside a box. Inside a layer nodes are ordered by the middle of what they hang on, in a fixed
number of sweeps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from lawful.citing import cite
from lawful.model.messages import text
from lawful.model.ordered import Graph, GraphEdge
from lawful.model.ruleset import Ruleset

WIDE, HIGH, GAP_X, GAP_Y, EDGE, CHAR = 190, 46, 40, 110, 30, 6.4
SWEEPS = 4
MANY = 400  # beyond, tie-breaks do not move nodes
FILL = {
    "static": "#dbe9f6", "norm": "#f6dbdb", "trigger": "#e3f1dc", "replacement": "#f3e6f7", "prevention": "#fbf0d3",
    "check": "#eeeeee", "step": "#ffffff",
}  # fmt: skip
STROKE = {"+": "#2e7d32", "-": "#c62828", "?": "#37474f"}
STYLE = (
    "text{font:11px sans-serif;fill:#222}.id{font-weight:bold}.why{font-size:9px;fill:#444}"
    "path{fill:none;stroke-width:1.3}.tie{stroke-dasharray:4 3;stroke:#9e9e9e}"
    ".ring{fill:none;stroke:#ef6c00;stroke-width:1.5;stroke-dasharray:6 4}"
)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a node is drawn: its layer, its place in it, its left upper corner."""

    layer: int
    place: int
    x: int
    y: int


def layers_of(graph: Graph) -> list[list[str]]:
    """Return the nodes by layers, each layer from left to right.

    Parameters
    ----------
    graph : Graph
        The graph.

    Returns
    -------
    list of list of str
        Every dependency between different circles leads to a later layer.
    """
    import networkx as nx

    place = {node.id: n for n, node in enumerate(graph.nodes)}
    ring = {id: n for n, cycle in enumerate(graph.cycles) for id in cycle}
    level: dict[str, int] = dict.fromkeys(place, 0)
    whole: nx.DiGraph[str] = nx.DiGraph()
    whole.add_nodes_from(place)
    ties = [edge for edge in graph.edges if not edge.binds] if len(graph.nodes) <= MANY else []
    whole.add_edges_from((e.from_, e.to) for e in graph.edges if e.binds)
    for edge in ties:
        # A tie-break is drawn downwards where that does not go against a dependency.
        if edge.from_ != edge.to and not nx.has_path(whole, edge.to, edge.from_):
            whole.add_edge(edge.from_, edge.to)
    parts = list(nx.strongly_connected_components(whole))
    home = {id: n for n, part in enumerate(parts) for id in part}
    order: nx.DiGraph[int] = nx.DiGraph()
    order.add_nodes_from(range(len(parts)))
    order.add_edges_from((home[a], home[b]) for a, b in whole.edges if home[a] != home[b])
    start: dict[int, int] = {}
    for part in nx.lexicographical_topological_sort(order, key=lambda n: min(place[id] for id in parts[n])):
        base = max((start[p] + len(_steps(parts[p], ring)) for p in order.predecessors(part)), default=0)
        start[part] = base
        for depth, id in enumerate(sorted(parts[part], key=place.__getitem__)):
            level[id] = base + (depth if len(parts[part]) > 1 else 0)
    rows: list[list[str]] = [[] for _ in range(max(level.values(), default=-1) + 1)]
    for id in place:
        rows[level[id]].append(id)
    return _swept(rows, [(e.from_, e.to) for e in graph.edges])


def _steps(part: set[str], ring: Mapping[str, int]) -> range:
    return range(len(part) if len(part) > 1 else 1)


def _swept(rows: list[list[str]], edges: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Order each row by the middle of its neighbours in the others."""
    near: dict[str, list[str]] = {}
    for a, b in edges:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    for _ in range(SWEEPS):
        at = {id: n - len(row) / 2 for row in rows for n, id in enumerate(row)}
        for row in rows:
            middle = {id: sum(at[o] for o in near[id]) / len(near[id]) if id in near else at[id] for id in row}
            row.sort(key=lambda id: (round(middle[id], 6), at[id]))
            at.update({id: n - len(row) / 2 for n, id in enumerate(row)})
    return rows


def to_svg(graph: Graph, ruleset: Ruleset) -> str:
    """Draw the graph.

    Parameters
    ----------
    graph : Graph
        The graph.
    ruleset : Ruleset
        Its rules are cited.

    Returns
    -------
    str
        SVG. Green edges help, red ones hinder, dashed ones only break ties; every edge says why it is there.
    """
    rows = layers_of(graph)
    widest = max((len(row) for row in rows), default=1)
    spots = {}
    for y, row in enumerate(rows):
        shift = (widest - len(row)) * (WIDE + GAP_X) // 2
        for x, id in enumerate(row):
            spots[id] = Spot(y, x, EDGE + shift + x * (WIDE + GAP_X), EDGE + y * (HIGH + GAP_Y))
    width = 2 * EDGE + widest * WIDE + (widest - 1) * GAP_X
    height = 2 * EDGE + max(len(rows), 1) * HIGH + max(len(rows) - 1, 0) * GAP_Y + 30
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f"<style>{STYLE}</style>",
        "<defs>" + "".join(_head(name, color) for name, color in _heads()) + "</defs>",
        f'<rect width="{width}" height="{height}" fill="#fcfcfc"/>',
    ]
    lines += [_ring(cycle, spots, n) for n, cycle in enumerate(graph.cycles, 1)]
    for n, edge in enumerate(graph.edges):
        lines += _edge(edge, spots, n, ruleset)
    for node in graph.nodes:
        lines += _node(node.id, text(node.says), node.kind, spots[node.id])
    return "\n".join([*lines, "</svg>"]) + "\n"


def _heads() -> list[tuple[str, str]]:
    return [("plus", STROKE["+"]), ("minus", STROKE["-"]), ("any", STROKE["?"]), ("tie", "#9e9e9e")]


def _head(name: str, color: str) -> str:
    return (
        f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 0L8 4L0 8z" style="fill:{color};stroke:none"/></marker>'
    )


def _ring(cycle: Sequence[str], spots: Mapping[str, Spot], n: int) -> str:
    found = [spots[id] for id in cycle]
    x, y = min(s.x for s in found) - 10, min(s.y for s in found) - 16
    w, h = max(s.x for s in found) + WIDE + 10 - x, max(s.y for s in found) + HIGH + 10 - y
    return (
        f'<g class="circle"><rect class="ring" x="{x}" y="{y}" width="{w}" height="{h}" rx="8"/>'
        f'<text class="why" x="{x + 6}" y="{y + 11}">circle {n}</text></g>'
    )


def _node(id: str, says: str, kind: str, spot: Spot) -> list[str]:
    return [
        f"<g class={quoteattr(kind)}><title>{escape(f'{id}: {says}')}</title>",
        f'<rect x="{spot.x}" y="{spot.y}" width="{WIDE}" height="{HIGH}" rx="5" fill="{FILL[kind]}" stroke="#607d8b"/>',
        f'<text class="id" x="{spot.x + 8}" y="{spot.y + 18}">{escape(_fit(id))}</text>',
        f'<text x="{spot.x + 8}" y="{spot.y + 35}">{escape(_fit(says))}</text></g>',
    ]


def _fit(words: str) -> str:
    most = int((WIDE - 16) / CHAR)
    return words if len(words) <= most else words[: most - 1] + "…"


def _edge(edge: GraphEdge, spots: Mapping[str, Spot], n: int, ruleset: Ruleset) -> list[str]:
    a, b = spots[edge.from_], spots[edge.to]
    color = STROKE[edge.sign] if edge.binds else "#9e9e9e"
    head = "tie" if not edge.binds else {"+": "plus", "-": "minus", "?": "any"}[edge.sign]
    shift = (n % 5 - 2) * 14
    x1, x2 = a.x + WIDE // 2 + shift, b.x + WIDE // 2 + shift
    if edge.from_ == edge.to:
        right, y = a.x + WIDE, a.y + HIGH // 2
        path = f"M{right} {y - 10}C{right + 34} {y - 18} {right + 34} {y + 18} {right} {y + 10}"
        at = (right + 4, y - 14)
    elif b.y > a.y:
        y1, y2 = a.y + HIGH, b.y
        middle = (y1 + y2) // 2
        path, at = f"M{x1} {y1}C{x1} {middle} {x2} {middle} {x2} {y2}", ((x1 + x2) // 2, middle + shift // 2)
    else:
        y1, y2 = a.y, b.y + HIGH if b.y < a.y else b.y
        side = max(a.x, b.x) + WIDE + 26 + shift if b.y < a.y else (x1 + x2) // 2
        low = (y1 + y2) // 2 if b.y < a.y else a.y - 34
        path, at = f"M{x1} {y1}C{side} {low} {side} {low} {x2} {y2}", ((x1 + x2 + side) // 3, low)
    rule = f" [{cite(ruleset, edge.rule)}]" if edge.rule is not None else ""
    sign = f"({edge.sign}) " if edge.sign != "?" else ""
    why = escape(f"{sign}{text(edge.why)}{rule}")
    tie = "" if edge.binds else ' class="tie"'
    return [
        f'<g class="edge"><title>{escape(edge.from_)} → {escape(edge.to)}: {why}</title>'
        f'<path{tie} d="{path}" stroke="{color}" marker-end="url(#{head})"/>'
        f'<text class="why" x="{at[0]}" y="{at[1]}" text-anchor="middle">{why}</text></g>'
    ]
