"""The graph as text for other tools and for the terminal: DOT, Mermaid, plain lines."""

from __future__ import annotations

from collections.abc import Iterator

from lawful.citing import cite
from lawful.model.messages import text
from lawful.model.ordered import Graph, GraphEdge
from lawful.model.ruleset import Ruleset

SHAPES = {
    "static": "box", "norm": "octagon", "trigger": "ellipse", "replacement": "hexagon", "prevention": "house",
    "check": "diamond", "step": "note",
}  # fmt: skip
MERMAID = {
    "static": ("[", "]"), "norm": ("[/", "/]"), "trigger": ("(", ")"), "replacement": ("{{", "}}"),
    "prevention": ("[\\", "\\]"), "check": ("{", "}"), "step": ("[[", "]]"),
}  # fmt: skip


def reason(edge: GraphEdge, ruleset: Ruleset) -> str:
    """Return why an edge is there, with its sign and its rule."""
    sign = f"({edge.sign}) " if edge.sign != "?" else ""
    rule = f" [{cite(ruleset, edge.rule)}]" if edge.rule is not None else ""
    return f"{sign}{text(edge.why)}{rule}"


def to_dot(graph: Graph, ruleset: Ruleset) -> str:
    """Return the graph in the language of Graphviz.

    Parameters
    ----------
    graph : Graph
        The graph.
    ruleset : Ruleset
        Its rules are cited.

    Returns
    -------
    str
        A digraph; circles are clusters, tie-breaks are dashed.
    """
    return "\n".join(_dot(graph, ruleset)) + "\n"


def _dot(graph: Graph, ruleset: Ruleset) -> Iterator[str]:
    yield "digraph effects {"
    yield "  rankdir=TB;"
    ringed = {id for cycle in graph.cycles for id in cycle}
    for node in graph.nodes:
        if node.id not in ringed:
            yield f"  {_dot_node(node.id, text(node.says), node.kind)}"
    kinds = {node.id: node for node in graph.nodes}
    for n, cycle in enumerate(graph.cycles, 1):
        yield f"  subgraph cluster_{n} {{"
        yield f'    label="circle {n}";'
        for id in cycle:
            yield f"    {_dot_node(id, text(kinds[id].says), kinds[id].kind)}"
        yield "  }"
    for edge in graph.edges:
        style = "" if edge.binds else ", style=dashed"
        yield f"  {_quoted(edge.from_)} -> {_quoted(edge.to)} [label={_quoted(reason(edge, ruleset))}{style}];"
    yield "}"


def _dot_node(id: str, says: str, kind: str) -> str:
    label = f'"{_escaped(id)}\\n{_escaped(says)}"'
    return f"{_quoted(id)} [label={label}, shape={SHAPES[kind]}];"


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")


def _quoted(word: str) -> str:
    return f'"{_escaped(word)}"'


def to_mermaid(graph: Graph, ruleset: Ruleset) -> str:
    """Return the graph in the language of Mermaid.

    Parameters
    ----------
    graph : Graph
        The graph.
    ruleset : Ruleset
        Its rules are cited.

    Returns
    -------
    str
        A flowchart; circles are subgraphs, tie-breaks are dotted.
    """
    return "\n".join(_mermaid(graph, ruleset)) + "\n"


def _mermaid(graph: Graph, ruleset: Ruleset) -> Iterator[str]:
    names = {node.id: f"n{i}" for i, node in enumerate(graph.nodes)}
    nodes = {}
    for node in graph.nodes:
        left, right = MERMAID[node.kind]
        nodes[node.id] = f"{names[node.id]}{left}{_entity(f'{node.id}: {text(node.says)}')}{right}"
    yield "flowchart TB"
    ringed = {id for cycle in graph.cycles for id in cycle}
    for id, line in nodes.items():
        if id not in ringed:
            yield f"  {line}"
    for n, cycle in enumerate(graph.cycles, 1):
        yield f'  subgraph c{n}["circle {n}"]'
        for id in cycle:
            yield f"    {nodes[id]}"
        yield "  end"
    for edge in graph.edges:
        arrow = "-->" if edge.binds else "-.->"
        yield f"  {names[edge.from_]} {arrow}|{_entity(reason(edge, ruleset))}| {names[edge.to]}"


def _entity(word: str) -> str:
    """Quote a label; what would end it is written as an entity."""
    return '"' + word.replace("&", "#amp;").replace('"', "#quot;").replace("<", "#lt;").replace(">", "#gt;") + '"'


def to_lines(graph: Graph, ruleset: Ruleset) -> Iterator[str]:
    """Yield the graph as lines for a terminal: each node with what bears on it.

    Parameters
    ----------
    graph : Graph
        The graph.
    ruleset : Ruleset
        Its rules are cited.

    Yields
    ------
    str
        A line.
    """
    into: dict[str, list[GraphEdge]] = {}
    for edge in graph.edges:
        into.setdefault(edge.to, []).append(edge)
    circle = {id: n for n, cycle in enumerate(graph.cycles, 1) for id in cycle}
    for node in graph.nodes:
        ring = f"  (circle {circle[node.id]})" if node.id in circle else ""
        yield f"{node.id}  {text(node.says)}{ring}"
        for edge in into.get(node.id, ()):
            yield f"  {'<-' if edge.binds else '<.'} {edge.from_}: {reason(edge, ruleset)}"
