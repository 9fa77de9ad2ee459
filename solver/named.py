"""Ways in which equal cards are not told apart: counted and listed from a diagram in which they stand together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from sys import maxsize

from lawful.model.errors import LimitReached
from lawful.model.limits import Clock, Limits
from lawful.model.page import Page, worth
from lawful.model.payment import Level
from lawful.solver.chart import Chart
from lawful.solver.classes import Classes
from lawful.solver.dd.building import OverBudget, Row, reduced
from lawful.solver.dd.operators import restrict
from lawful.solver.dd.planning import Layer
from lawful.solver.diagram import Diagram, Path
from lawful.solver.expanding import Choosing
from lawful.solver.keys import Keys
from lawful.solver.paging import stretch
from lawful.solver.spelling import Line, Speller

Label = tuple[int, ...]


@dataclass(slots=True)
class Block:
    """Layers of one diagram that are one layer of another: those of one name.

    Parameters
    ----------
    layers : range
        Which.
    places : list of int
        For each of them, where its numbers stand in a label of the block.
    width : int
        Numbers of a label.
    """

    layers: range
    places: list[int]
    width: int
    known: dict[int, dict[Label, dict[int, tuple[int, Path]]]] = field(default_factory=dict)


class Named:
    """The ways of a chart in which equal cards stand together, as they are told when those are not told apart.

    Parameters
    ----------
    chart : Chart
        By copies of cards, equal ones together.
    level : {"sources", "allocations"}
        The level.
    limits : Limits
        Nodes that may be built; lines that may be held where a preference is no sum over names.
    clock : Clock
        Time for it.
    minimal : bool
        Whether ways with a superfluous source are left out.

    Raises
    ------
    OverBudget
        If there would be more nodes, or it takes too long.
    """

    def __init__(self, chart: Chart, level: Level, limits: Limits, clock: Clock, minimal: bool = False) -> None:
        self.chart, self.level, self.limits, self.clock = chart, level, limits, clock
        if level == "sources":
            self.fine = chart.minimal if minimal else chart.sources
        elif minimal:
            kinds = chart.kinds[: len(chart.allocations.layers)]
            tell = [Chart.total if kind.what == "uses" else None for kind in kinds]
            self.fine = restrict(chart.allocations, chart.minimal, tell, limits.nodes)
        else:
            self.fine = chart.allocations
        self.weigh = chart.members(self.fine)
        self.blocks = list(self._blocks())
        self.diagram = self._gathered()
        self.spell, self.keys_of = Speller(chart.meaning), Keys(chart.f.question)
        self.choosing = Choosing(chart.meaning)

    def _blocks(self) -> Iterator[Block]:
        classes = Classes(self.chart.f)
        kinds = self.chart.kinds[: len(self.fine.layers)]

        def whose(i: int) -> int:
            return -1 if kinds[i].what == "declared" else classes.of[kinds[i].thing]

        for c, layers in groupby(range(len(kinds)), key=whose):
            mine = list(layers)
            if c < 0:
                yield Block(range(mine[0], mine[-1] + 1), [0], max(map(len, self.fine.layers[0].labels), default=0))
                continue
            width = 1 if self.level == "sources" else len(self.chart.f.parts)
            picks = width * len(classes.sources[c])
            places = [
                picks
                if kinds[i].what == "picks"
                else width * classes.sources[c].index(self.chart.model.groups[kinds[i].group].members[0].source)
                for i in mine
            ]
            whole = picks + len(self.chart.model.effects.terms)
            yield Block(range(mine[0], mine[-1] + 1), places, whole)

    def _beyond(self, block: Block, node: int) -> dict[Label, dict[int, tuple[int, Path]]]:
        """Return what can be told of a name's cards, and where it leads: how many ways, and the first of them."""
        if node in block.known:
            return block.known[node]
        level: dict[tuple[Label, int], tuple[int, Path]] = {((0,) * block.width, node): (1, ())}
        for i, place in zip(block.layers, block.places, strict=True):
            labels = self.fine.layers[i].labels
            reached: dict[tuple[Label, int], tuple[int, Path]] = {}
            for (told, at), (ways, path) in level.items():
                for n, child in self.fine.rows[i][at]:
                    label = labels[n]
                    after = tuple(
                        t + (label[j - place] if place <= j < place + len(label) else 0) for j, t in enumerate(told)
                    )
                    more, first = reached.get((after, child), (0, (*path, n)))
                    reached[after, child] = more + ways * self.weigh(i, n), min(first, (*path, n))
            level = reached
        found: dict[Label, dict[int, tuple[int, Path]]] = {}
        for (told, at), one in level.items():
            found.setdefault(told, {})[at] = one
        block.known[node] = found
        return found

    def _gathered(self) -> Diagram:
        """Return the diagram of what is told apart: a layer for what is declared, and one for each name."""
        level: dict[frozenset[int], int] = {frozenset([0]): 0} if self.fine.alive else {}
        raw: list[list[dict[Label, int]]] = []
        built = 0
        for block in self.blocks:
            reached: dict[frozenset[int], int] = {}
            mine = []
            for several in level:
                to: dict[Label, set[int]] = {}
                for node in several:
                    for told, ends in self._beyond(block, node).items():
                        to.setdefault(told, set()).update(ends)
                mine.append({told: reached.setdefault(frozenset(ends), len(reached)) for told, ends in to.items()})
                if self.clock.over:
                    raise OverBudget("seconds", self.clock.seconds)
            built += len(reached) + len(block.known)
            if built > self.limits.nodes:
                raise OverBudget("nodes", self.limits.nodes)
            raw.append(mine)
            level = reached
        layers: list[Layer] = []
        rows: list[list[Row]] = []
        for i, nodes in enumerate(raw):
            names = list(dict.fromkeys(told for row in nodes for told in row))
            if i == 0:
                order = {label: n for n, label in enumerate(self.fine.layers[0].labels)}
                names.sort(key=order.__getitem__)
            else:
                names.sort(reverse=True)  # more of a name stands before less
            at = {name: n for n, name in enumerate(names)}
            layers.append(Layer((), tuple(names)))
            rows.append([tuple(sorted((at[told], child) for told, child in row.items())) for row in nodes])
        merged, alive = reduced(rows, self.fine.alive)
        return Diagram(layers, merged, alive, self.fine.states)

    def line(self, path: Path) -> Line:
        """Return the line of one way: its first one, and how many it stands for."""
        level: dict[int, tuple[int, Path]] = {0: (1, ())}
        for block, layer, n in zip(self.blocks, self.diagram.layers, path, strict=True):
            reached: dict[int, tuple[int, Path]] = {}
            for node, (ways, mine) in level.items():
                for end, (more, rest) in self._beyond(block, node).get(layer.labels[n], {}).items():
                    whole = mine + rest
                    before, first = reached.get(end, (0, whole))
                    reached[end] = before + ways * more, min(first, whole)
            level = reached
        copies = sum(ways for ways, _ in level.values())
        found = min(first for _, first in level.values())
        if self.level == "sources":
            found = self.chart.allocation_of(found)
        family = self.chart.family(found)
        outcome = self.chart.meaning.outcome(family)
        members = next(self.choosing.choose(family.used))
        payment = self.spell.payment(family, members, min(self.chart.orders(found)))
        return self.keys_of.of(payment, self.level, outcome), payment, outcome, copies

    def lines(self, page: Page) -> Iterator[Line]:
        """Yield the ways asked for, in the order of names: more of a name before less."""
        if not page.best:
            yield from map(self.line, self.diagram.paths(page.start))
            return
        if self.diagram.count() > self.limits.ways:
            raise LimitReached("ways", self.limits.ways, "the best are looked for among so many merged lines at most")
        ranked = []
        for rank, path in enumerate(self.diagram.paths()):
            line = self.line(path)
            ranked.append((tuple(-n for n in worth(page.best, line[1], line[2])), rank))
            self.clock.check("listing")
        for _, rank in stretch(sorted(ranked), min(page.start, maxsize)):
            yield self.line(self.diagram.unrank(rank))
