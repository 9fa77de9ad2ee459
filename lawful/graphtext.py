"""The graph as text for other tools and for the terminal: DOT, Mermaid, plain lines."""

from __future__ import annotations

from collections.abc import Iterator

from lawful.graphwalk import Box, Line, walk
from lawful.model.ordered import Graph
from lawful.model.ruleset import Ruleset
from lawful.text import say

SHAPES = {
    "static": "box", "norm": "octagon", "trigger": "ellipse", "replacement": "hexagon", "prevention": "house",
    "check": "diamond", "step": "note",
}  # fmt: skip
MERMAID = {
    "static": ("[", "]"), "norm": ("[/", "/]"), "trigger": ("(", ")"), "replacement": ("{{", "}}"),
    "prevention": ("[\\", "\\]"), "check": ("{", "}"), "step": ("[[", "]]"),
}  # fmt: skip


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
    whole = walk(graph, ruleset)
    yield "digraph effects {"
    yield "  rankdir=TB;"
    for box in whole.loose:
        yield f"  {_dot_node(box)}"
    for n, circle in enumerate(whole.circles, 1):
        yield f"  subgraph cluster_{n} {{"
        yield f"    label={_quoted(say('face.circle', n=n))};"
        for box in circle:
            yield f"    {_dot_node(box)}"
        yield "  }"
    for line in whole.lines:
        style = "" if line.binds else ", style=dashed"
        yield f"  {_quoted(line.from_)} -> {_quoted(line.to)} [label={_quoted(line.reason)}{style}];"
    yield "}"


def _dot_node(box: Box) -> str:
    label = f'"{_escaped(box.id)}\\n{_escaped(box.says)}"'
    return f"{_quoted(box.id)} [label={label}, shape={SHAPES[box.kind]}];"


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
    whole = walk(graph, ruleset)
    names = {box.id: f"n{i}" for i, box in enumerate(whole.boxes)}
    yield "flowchart TB"
    for box in whole.loose:
        yield f"  {_mermaid_node(box, names[box.id])}"
    for n, circle in enumerate(whole.circles, 1):
        called = _entity(say("face.circle", n=n))
        yield f"  subgraph c{n}[{called}]"
        for box in circle:
            yield f"    {_mermaid_node(box, names[box.id])}"
        yield "  end"
    for line in whole.lines:
        arrow = "-->" if line.binds else "-.->"
        yield f"  {names[line.from_]} {arrow}|{_entity(line.reason)}| {names[line.to]}"


def _mermaid_node(box: Box, name: str) -> str:
    left, right = MERMAID[box.kind]
    return f"{name}{left}{_entity(f'{box.id}: {box.says}')}{right}"


def _entity(word: str) -> str:
    """Quote a label; what would end it, or be read as markup, is written as an entity."""
    return '"' + "".join(ENTITIES.get(sign, sign) for sign in word) + '"'


ENTITIES = {
    "#": "#35;", "&": "#amp;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "`": "#96;", "\n": " ",
}  # fmt: skip


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
    whole = walk(graph, ruleset)
    into: dict[str, list[Line]] = {}
    for line in whole.lines:
        into.setdefault(line.to, []).append(line)
    for box in whole.boxes:
        ring = f"  ({say('face.circle', n=box.circle)})" if box.circle else ""
        yield f"{box.id}  {box.says}{ring}"
        for line in into.get(box.id, ()):
            yield f"  {'<-' if line.binds else '<.'} {line.from_}: {line.reason}"
