"""The graph as a picture: SVG, drawn by ourselves, the same bytes for the same graph.

Edges go down, from what comes first to what depends on it; circles are boxed. A small graph has every reason written
out; in a large one edges carry numbers, and the reasons are listed below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from lawful.graphwalk import Box, Line, Walk, walk
from lawful.layout import plan
from lawful.lettering import width, wrapped
from lawful.model.ordered import Graph
from lawful.model.ruleset import Ruleset
from lawful.routes import EDGE, NODE, SLOT, Arrow, Routes
from lawful.text import say

FEW = 14  # as many reasons are written at the edges
KINDS = {
    "static": ("#dbe9f6", "#16324a"), "norm": ("#f9dcdc", "#4a1f22"), "trigger": ("#dff0da", "#1d3a1c"),
    "replacement": ("#efe0f5", "#38234a"), "prevention": ("#fbeec9", "#44370f"), "check": ("#e9ecef", "#2d333b"),
    "step": ("#ffffff", "#161b22"),
}  # fmt: skip
SIGNS = {
    "plus": ("#1b6e2f", "#56d364"), "minus": ("#c62828", "#ff7b72"), "any": ("#37474f", "#adbac7"),
    "tie": ("#6e7781", "#8b949e"),
}  # fmt: skip
NAMES = {"+": "plus", "-": "minus", "?": "any"}


def _style() -> str:
    """Return the styles: for a light background, and what is different where the viewer asks for a dark one."""
    light = [
        "text{font:12px 'DejaVu Sans',Verdana,sans-serif;fill:#1b1f23}", ".id{font-weight:bold}",
        ".why{font-size:10px;paint-order:stroke;stroke:#ffffff;stroke-width:4px;stroke-linejoin:round}",
        ".ground{fill:#ffffff}", ".arrow path{fill:none;stroke-width:1.4}", ".box{stroke:#57606a}",
        ".ring{fill:#fff8f1;stroke:#bc4c00;stroke-width:1.5;stroke-dasharray:6 4}", ".tie path{stroke-dasharray:4 3}",
        ".legend{font-size:11px}",
    ]  # fmt: skip
    dark = [
        "text{fill:#e6edf3}", ".why{stroke:#0d1117}", ".ground{fill:#0d1117}", ".box{stroke:#8b949e}",
        ".ring{fill:#1a130c;stroke:#f0883e}",
    ]  # fmt: skip
    for name, colors in KINDS.items():
        light.append(f".{name} .box{{fill:{colors[0]}}}")
        dark.append(f".{name} .box{{fill:{colors[1]}}}")
    for name, colors in SIGNS.items():
        for rules, color in ((light, colors[0]), (dark, colors[1])):
            rules.append(f".arrow.{name} path{{stroke:{color}}}.head-{name}{{fill:{color};stroke:none}}")
    return _scoped(light) + "@media (prefers-color-scheme:dark){" + _scoped(dark) + "}"


def _scoped(rules: list[str]) -> str:
    """Return rules that touch nothing but the picture, where it stands in a page."""
    return re.sub(r"(^|\})([^{}]+)\{", r"\1.effects \2{", "".join(rules))


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
    ids = [node.id for node in graph.nodes]
    found = plan(
        ids, [(e.from_, e.to) for e in graph.edges if e.binds], [(e.from_, e.to) for e in graph.edges if not e.binds]
    )
    rows: list[list[str]] = [[] for _ in range(found.rows)]
    for id in sorted(ids, key=lambda id: found.at[id]):
        rows[found.at[id][0]].append(id)
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
    whole = walk(graph, ruleset)
    return "\n".join(_Picture(whole).lines()) + "\n"


class _Picture:
    def __init__(self, whole: Walk) -> None:
        self.whole = whole
        binding = [(line.from_, line.to) for line in whole.lines if line.binds]
        ties = [(line.from_, line.to) for line in whole.lines if not line.binds]
        self.words = {box.id: _words(box) for box in whole.boxes}
        heights = {id: 16 + SLOT * (len(name) + len(says)) for id, (name, says) in self.words.items()}
        self.heights = heights
        self.written = len(whole.lines) <= FEW
        found = plan([box.id for box in whole.boxes], binding, ties)
        self.routes = Routes(found, heights, whole.lines, self.written)
        reasons = dict.fromkeys(line.reason for line in whole.lines)
        self.numbers = {reason: n for n, reason in enumerate(reasons, 1)}

    def lines(self) -> Iterator[str]:
        """Yield the lines of the file."""
        legend = list(self._legend())
        # Reasons stand on their edges and can reach over the sides: the frame is as wide as all of it.
        spans = [span for arrow in self.routes.arrows for span in self._spans(arrow)]
        left = min([0, *(int(a) - EDGE for a, _ in spans)])
        right = max([self.routes.width, *(int(b) + EDGE for _, b in spans), *(int(w) + 2 * EDGE for _, w in legend)])
        high = self.routes.height + 20 + SLOT * (len(legend) + 1)
        wide = right - left
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="effects" viewBox="{left} 0 {wide} {high}" '
            f'width="{wide}" height="{high}">'
        )
        yield f"<style>{_style()}</style>"
        yield "<defs>" + "".join(_head(name) for name in SIGNS) + "</defs>"
        yield f'<rect class="ground" x="{left}" width="{wide}" height="{high}"/>'
        for n, circle in enumerate(self.whole.circles, 1):
            yield self._ring(circle, n)
        for arrow in self.routes.arrows:
            yield self._path(arrow)
        for box in self.whole.boxes:
            yield from self._box(box)
        for arrow in self.routes.arrows:
            yield from self._reasons(arrow)
        for n, (line, _) in enumerate(legend, 1):
            y = self.routes.height + 20 + SLOT * n
            yield f'<g transform="translate({left + EDGE} {y})">{line}</g>'
        yield "</svg>"

    def _ring(self, circle: tuple[Box, ...], n: int) -> str:
        spots = [(*self.routes.box(box.id), self.heights[box.id]) for box in circle]
        x, y = min(s[0] for s in spots) - 10, min(s[1] for s in spots) - 18
        w, h = NODE + 20, max(s[1] + s[2] for s in spots) + 8 - y
        return (
            f'<g class="circle"><rect class="ring" x="{x}" y="{y}" width="{w}" height="{h}" rx="8"/>'
            f'<text class="why" x="{x + 8}" y="{y + 13}">{escape(say("face.circle", n=n))}</text></g>'
        )

    def _path(self, arrow: Arrow) -> str:
        style = _style_of(arrow.lines)
        tie = " tie" if not any(line.binds for line in arrow.lines) else ""
        words = "\n".join(f"{line.from_} → {line.to}: {line.reason}" for line in arrow.lines)
        classes = f"arrow {style}" if style == "tie" else f"arrow {style}{tie}"
        return (
            f'<g class="{classes}"><title>{escape(words)}</title>'
            f'<path d="{arrow.path}" marker-end="url(#{style})"/></g>'
        )

    def _box(self, box: Box) -> Iterator[str]:
        (x, y), (name, says) = self.routes.box(box.id), self.words[box.id]
        yield f"<g class={quoteattr(box.kind)}><title>{escape(f'{box.id}: {box.says}')}</title>"
        yield f'<rect class="box" x="{x}" y="{y}" width="{NODE}" height="{self.heights[box.id]}" rx="5"/>'
        for n, words in enumerate((*name, *says), 1):
            bold = ' class="id"' if n <= len(name) else ""
            yield f'<text{bold} x="{x + 10}" y="{y + 4 + SLOT * n}">{escape(words)}</text>'
        yield "</g>"

    def _reasons(self, arrow: Arrow) -> Iterator[str]:
        for n, (line, words) in enumerate(zip(arrow.lines, self._said(arrow), strict=True)):
            title = f"<title>{escape(f'{line.from_} → {line.to}: {line.reason}')}</title>"
            if n < len(arrow.spots):
                x, y = arrow.spots[n]
                said = f'<text class="why" x="{x}" y="{y}" text-anchor="middle">{escape(words)}</text>'
            else:
                said = ""
            yield f'<g class="edge">{title}{said}</g>'

    def _said(self, arrow: Arrow) -> list[str]:
        """Return what stands at an edge: its reasons, or all their numbers at the first."""
        if self.written:
            return [line.reason for line in arrow.lines]
        numbers = " ".join(str(n) for n in sorted({self.numbers[line.reason] for line in arrow.lines}))
        return [numbers, *("" for _ in arrow.lines[1:])]

    def _spans(self, arrow: Arrow) -> Iterator[tuple[float, float]]:
        for (x, _), words in zip(arrow.spots, self._said(arrow), strict=False):
            half = width(words, 10) / 2
            yield x - half, x + half

    def _legend(self) -> Iterator[tuple[str, float]]:
        """Yield the lines below the picture, each with its width: the colors that it has, then numbered reasons."""
        there = dict.fromkeys(box.kind for box in self.whole.boxes)
        x, parts = 0, []
        for kind in (kind for kind in KINDS if kind in there):
            words = say(f"picture.{kind}")
            parts.append(
                f'<g class="key {kind}"><rect class="box" x="{x}" y="-10" width="12" height="12" rx="2"/></g>'
                f'<text class="legend" x="{x + 18}">{escape(words)}</text>'
            )
            x += 36 + int(width(words, 11))
        yield "".join(parts), x
        x, parts = 0, []
        for style in (s for s in SIGNS if any(_style_of([line]) == s for line in self.whole.lines)):
            words = say(f"picture.{style}")
            parts.append(
                f'<g class="arrow {style}"><path d="M{x} -4H{x + 26}" marker-end="url(#{style})"/></g>'
                f'<text class="legend" x="{x + 34}">{escape(words)}</text>'
            )
            x += 52 + int(width(words, 11))
        if parts:
            yield "".join(parts), x
        if not self.written:
            for reason, n in self.numbers.items():
                yield f'<text class="legend">{escape(f"{n}  {reason}")}</text>', width(reason, 11) + 30


def _words(box: Box) -> tuple[list[str], list[str]]:
    room = NODE - 20
    return wrapped(box.id, room, 12, 4, bold=True), wrapped(box.says, room, 12, 4)


def _style_of(lines: list[Line]) -> str:
    """Return how an edge looks: as the first of its reasons that binds, else as one that only breaks ties."""
    binding = [line for line in lines if line.binds]
    return NAMES[binding[0].sign] if binding else "tie"


def _head(name: str) -> str:
    return (
        f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path class="head-{name}" d="M0 0L8 4L0 8z"/></marker>'
    )
