"""JSON lines of ways in bulk: what ways share is spelled once.

Near the end of the diagram the rest of a way is spelled for every node, once; a line is then what was spelled before,
put together with each of these. It is the same line, letter for letter, as one that is spelled by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from lawful.model.limits import Clock
from lawful.model.payment import Level, Outcome
from lawful.solver.chart import Chart
from lawful.solver.diagram import Diagram, OverBudget
from lawful.solver.sequences import Courses

SHARED = 1 << 8  # rests of ways that are spelled for one node at most
HELD = 100_000  # and for all nodes
BITS = 48  # of a sum, in a memo
MASK = (1 << BITS) - 1
BEFORE = 1 << 4  # lines after which the clock is read, in blocks

Used: TypeAlias = tuple[str, str, int, str]
"""The names used for a part, all of them; all but the one that gives most; how much that gives; its name."""

NONE: Used = ("", "", -1, "")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a way.

    Parameters
    ----------
    memo : int
        What decides the outcome: sums, packed into one number.
    parts : tuple of Used
        What is used for each part.
    keys : tuple of str
        The same as the key says it: for each part, or of all at once.
    """

    memo: int
    parts: tuple[Used, ...]
    keys: tuple[str, ...]


class Bulk:
    """Spells all ways of a chart by single sources.

    Parameters
    ----------
    chart : Chart
        The chart.
    diagram : Diagram
        Allocations: all, or those that are to be listed.
    level : {"sources", "allocations"}
        The level.
    names : mapping of str to str
        What every object is called, as JSON.
    nodes : int
        Nodes that may be built.
    clock : Clock
        Time for it.

    Raises
    ------
    OverBudget
        If there would be more nodes.
    """

    def __init__(
        self, chart: Chart, diagram: Diagram, level: Level, names: Mapping[str, str], nodes: int, clock: Clock
    ) -> None:
        self.chart, self.f, self.diagram, self.level, self.clock = chart, chart.f, diagram, level, clock
        self.courses = Courses(chart, sums=True)
        self._changes = self.courses.changes(diagram)
        self._names = names
        self._pieces = [self._labels(i) for i in range(len(diagram.layers))]
        self._shared: dict[tuple[int, int], list[tuple[int, Piece]]] = {}
        self._held = 0
        self._rows: list[list[list[tuple[list[tuple[int, int]], int]]]] = []
        self._build(nodes)

    @staticmethod
    def fits(chart: Chart) -> bool:
        """Say whether the ways of a chart are spelled in bulk: sources of one name, and nothing else in a way."""
        plain = chart.f.question.ruleset.sources[0].name if chart.f.question.ruleset.sources else ""
        return all(kind.what in ("declared", "uses") for kind in chart.kinds) and all(
            c.source == plain and not chart.f.chains(c)[0].replaced for c in chart.f.sources
        )

    def _labels(self, i: int) -> list[Piece]:
        """Return what each label of a layer says."""
        kind = self.chart.kinds[i]
        parts = self.f.parts
        found = []
        for n, label in enumerate(self.diagram.layers[i].labels):
            memo = sum(amount << (BITS * at) for at, amount in self._changes[i][n])
            used, keys = [NONE] * len(parts), [""] * len(parts)
            if kind.what == "uses":
                group = self.chart.model.groups[kind.group]
                name, key = self._names[kind.thing], json.dumps(kind.thing, ensure_ascii=False)[1:-1]
                for k, times in enumerate(label):
                    if times:
                        all_, rest = ", ".join([name] * times), ", ".join([name] * (times - 1))
                        used[k] = all_, rest, group.points(parts[k]), name
                        keys[k] = ", ".join([key] * times)
            if self.level == "sources":
                keys = [", ".join(key for key in keys if key)]
            found.append(Piece(memo, tuple(used), tuple(keys)))
        return found

    def _sums(self, memo: int) -> tuple[int, ...]:
        return tuple(memo >> (BITS * at) & MASK for at in range(self.courses.width))

    def _build(self, nodes: int) -> None:
        """Tell apart what the level tells apart: a state is the nodes where one is, that of the first way first."""
        sources = self.level == "sources"
        level: dict[tuple[int, ...], int] = {(0,): 0} if self.diagram.alive else {}
        built = 0
        for i, rows in enumerate(self.diagram.rows):
            uses = sources and self.chart.kinds[i].what == "uses"
            told = [Chart.total(label) if uses else label for label in self.diagram.layers[i].labels]
            order = sorted(set(told), reverse=True) if uses else told
            place = {label: n for n, label in enumerate(order)}
            reached: dict[tuple[int, ...], int] = {}
            mine = []
            for state in level:
                to: dict[int, dict[int, tuple[int, int]]] = {}  # by what is told, by node: from where, and the label
                for j, node in enumerate(state):
                    for n, child in rows[node]:
                        to.setdefault(place[told[n]], {}).setdefault(child, (j, n))
                edges = []
                for _, ends in sorted(to.items()):
                    edges.append((list(ends.values()), reached.setdefault(tuple(ends), len(reached))))
                mine.append(edges)
            built += len(reached)
            if built > nodes:
                raise OverBudget("nodes", nodes)
            self._rows.append(mine)
            level = reached
        self._below: list[list[int]] = [[1] * len(level)]
        for mine in reversed(self._rows):
            after = self._below[-1]
            self._below.append([sum(after[to] for _, to in edges) for edges in mine])
        self._below.reverse()

    def lines(
        self, start: int, head: Callable[[int], tuple[list[tuple[str, str]], str]], tail: Callable[[Outcome], str]
    ) -> Iterator[str]:
        """Yield the lines from a rank on.

        Parameters
        ----------
        start : int
            The rank.
        head : callable
            For a declaration, the parts due: each asset, and what is said of it as JSON; and the beginning of keys.
        tail : callable
            For an outcome, what is said of it.
        """
        if not self.diagram.alive or start >= self._below[0][0]:
            return
        tails: dict[int, str] = {}
        width = len(self.f.parts)
        first = Piece(0, (NONE,) * width, ("",) * (1 if self.level == "sources" else width))
        stack: list[tuple[int, int, list[Piece]]] = [(0, 0, [first])]
        skip, blocks = start, 0
        while stack:
            i, node, befores = stack.pop()
            here = self._below[i][node]
            if skip >= here:
                skip -= here
                continue
            if here > SHARED or i == 0:
                for edge, to in reversed(self._rows[i][node]):
                    stack.append((i + 1, to, [_joined(befores[j], self._pieces[i][n]) for j, n in edge]))
                continue
            blocks += 1
            if not blocks % BEFORE:
                self.clock.check("listing")
            rests = self._rests(i, node)
            if self._held > HELD:
                self._shared.clear()
                self._held = 0
            yield from self._put_together(befores, rests[skip:] if skip else rests, head, tail, tails)
            skip = 0

    def _rests(self, i: int, node: int) -> list[tuple[int, Piece]]:
        """Return the rests of the ways from a node on, each with the place of the node where the first one comes by."""
        known = self._shared.get((i, node))
        if known is not None:
            return known
        found: list[tuple[int, Piece]] = []
        if i == len(self._rows):
            parts = len(self.f.parts)
            end = Piece(0, (NONE,) * parts, ("",) * (1 if self.level == "sources" else parts))
            found = [(0, end)]
        else:
            for edge, to in self._rows[i][node]:
                for j, rest in self._rests(i + 1, to):
                    came, n = edge[j]
                    found.append((came, _joined(self._pieces[i][n], rest)))
        self._shared[i, node] = found
        self._held += len(found)
        return found

    def _put_together(
        self,
        befores: list[Piece],
        rests: list[tuple[int, Piece]],
        head: Callable[[int], tuple[list[tuple[str, str]], str]],
        tail: Callable[[Outcome], str],
        tails: dict[int, str],
    ) -> Iterator[str]:
        due, start = head(befores[0].memo & MASK)
        said = {asset: f'{{"pay": {text}, "with": [' for asset, text in due}
        steps = [said.get(part.id, "") for part in self.f.parts]
        named = [""] if self.level == "sources" else [part.id for part in self.f.parts]
        always = self.level == "sources"
        for j, rest in rests:
            before = befores[j]
            memo = before.memo + rest.memo
            left = tails.get(memo)
            if left is None:
                left = tails[memo] = tail(self.courses.settled(self._sums(memo)).outcome)
            used = [_names(one, two) for one, two in zip(before.parts, rest.parts, strict=True)]
            paid = ", ".join([f"{step}{names}]}}" for step, names in zip(steps, used, strict=True) if step])
            keys = [start] if start else []
            for name, a, b in zip(named, before.keys, rest.keys, strict=True):
                if a or b or always:
                    keys.append(f"{name}[{a}, {b}]" if a and b else f"{name}[{a}{b}]")
            yield (
                f'{{"type": "way", "sources": [{", ".join(filter(None, used))}], "steps": [{paid}], {left}, '
                f'"copies": 1, "key": "{" ".join(keys) or "nothing"}"}}'
            )


def _names(one: Used, two: Used) -> str:
    """Return the names used for a part, in an order in which they can be: the one that gives most comes last."""
    if not two[3]:
        return f"{one[1]}, {one[3]}" if one[1] else one[3]
    if not one[3]:
        return f"{two[1]}, {two[3]}" if two[1] else two[3]
    if two[2] >= one[2]:
        return f"{one[0]}, {two[1]}, {two[3]}" if two[1] else f"{one[0]}, {two[3]}"
    return f"{one[1]}, {two[0]}, {one[3]}" if one[1] else f"{two[0]}, {one[3]}"


def _joined(one: Piece, two: Piece) -> Piece:
    parts = tuple(_both(a, b) for a, b in zip(one.parts, two.parts, strict=True))
    keys = tuple(f"{a}, {b}" if a and b else a or b for a, b in zip(one.keys, two.keys, strict=True))
    return Piece(one.memo + two.memo, parts, keys)


def _both(one: Used, two: Used) -> Used:
    if not one[3] or not two[3]:
        return two if not one[3] else one
    whole = f"{one[0]}, {two[0]}"
    if two[2] >= one[2]:
        return whole, f"{one[0]}, {two[1]}" if two[1] else one[0], two[2], two[3]
    return whole, f"{one[1]}, {two[0]}" if one[1] else two[0], one[2], one[3]
