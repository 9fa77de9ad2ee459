"""Ways listed from diagrams: pages, samples and the best, at every level; nothing is held but where one is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from sys import maxsize

from lawful.model.limits import Clock
from lawful.model.page import Page, Wish, worth
from lawful.model.payment import Level, Outcome, Payment
from lawful.solver.chart import Chart
from lawful.solver.dd.best import Worth, best
from lawful.solver.dd.operators import restrict
from lawful.solver.diagram import Diagram, Path
from lawful.solver.keys import Keys
from lawful.solver.paging import draw, stretch
from lawful.solver.refining import Refined, firsts, refine
from lawful.solver.sequences import Courses, Sequences
from lawful.solver.spelling import Line, Speller


class Listing:
    """Lists the ways of a chart by single sources.

    Parameters
    ----------
    chart : Chart
        The chart.
    nodes : int
        Nodes that diagrams may have, refined ones included.
    clock : Clock
        Time for it.
    """

    def __init__(self, chart: Chart, nodes: int, clock: Clock) -> None:
        self.chart, self.f, self.nodes, self.clock = chart, chart.f, nodes, clock
        self.spell = Speller(chart.meaning)
        self.keys_of = Keys(self.f.question)

    def lines(self, level: Level, page: Page) -> Iterator[Line]:
        """Yield the ways asked for.

        Raises
        ------
        OverBudget
            If a diagram that is needed would be too large, or takes too long.
        """
        if level == "outcomes":
            yield from self._outcomes(page)
            return
        diagram = self.diagram(level == "sources", page.minimal)
        spelled: Callable[[Path], Line] = partial(self.line, level)
        if level == "sequences":
            yield from self._sequences(diagram, page)
        elif page.sample is not None:
            yield from map(spelled, map(diagram.unrank, draw(diagram.count(), page.sample, page.seed)))
        elif page.best:
            yield from map(spelled, stretch(self._best(level, diagram, page), page.start))
        else:
            yield from map(spelled, diagram.paths(page.start))

    def diagram(self, sources: bool, minimal: bool) -> Diagram:
        """Return the diagram of the ways that are listed."""
        if sources:
            return self.chart.minimal if minimal else self.chart.sources
        if not minimal:
            return self.chart.allocations
        return restrict(self.chart.allocations, self.chart.minimal, self._totals(), self.chart.nodes)

    def _totals(self) -> list[Callable[[tuple[int, ...]], tuple[int, ...]] | None]:
        kinds = self.chart.kinds[: len(self.chart.allocations.layers)]
        return [Chart.total if kind.what == "uses" else None for kind in kinds]

    def line(self, level: Level, path: Path) -> Line:
        """Return the line of one way."""
        found = self.chart.allocation_of(path) if level == "sources" else path
        family = self.chart.family(found)
        outcome = self.chart.meaning.outcome(family)
        payment = self.spell.payment(family, family.used, min(self.chart.orders(found)))
        return self.keys_of.of(payment, level, outcome), payment, outcome, 1

    def _sequences(self, diagram: Diagram, page: Page) -> Iterator[Line]:
        if page.sample is None and not page.best and page.start == 0:
            for path in diagram.paths():
                yield from self._orders(path)
            return
        sequences = Sequences(self.chart, diagram, self.nodes, self.clock)
        if page.sample is not None:
            for rank in draw(sequences.count, page.sample, page.seed):
                yield next(self._orders(*sequences.unrank(rank)))
        elif page.best:
            skip = page.start
            for path in self._best("sequences", diagram, page):
                here = sequences.weight(path)
                if skip < here:
                    yield from self._orders(path, skip)
                skip = max(0, skip - here)
        else:
            for path, within in sequences.paths(page.start):
                yield from self._orders(path, within)

    def _orders(self, path: Path, skip: int = 0) -> Iterator[Line]:
        """Yield the sequences of an allocation, from a rank on."""
        family = self.chart.family(path)
        outcome = self.chart.meaning.outcome(family)
        for payment in self.spell.sequences(family, family.used, self.chart.orders(path), skip):
            yield self.keys_of.of(payment, "sequences", outcome), payment, outcome, 1

    def _outcomes(self, page: Page) -> Iterator[Line]:
        """Yield every outcome, with its first allocation as a witness."""
        courses, refined = self._refined(self.diagram(False, page.minimal))
        found: dict[Outcome, int] = {}
        for end, (_, memo) in enumerate(refined.ends):
            found.setdefault(courses.settled(memo).outcome, end)
        every = list(found.items())
        if page.sample is not None:
            every = [every[rank] for rank in draw(len(every), page.sample, page.seed)]
        elif page.best and all(wish.about != "uses" for wish in page.best):
            every.sort(key=lambda one: tuple(-n for n in worth(page.best, Payment(x=one[0].x), one[0])))
        elif page.best:
            paths = [(refined.first(end), outcome) for outcome, end in every]
            ranked = sorted(
                (self.line("outcomes", path) for path, _ in paths), key=lambda line: _worst(page.best, line)
            )
            yield from ranked[min(page.start, maxsize) :]
            return
        for _, end in every[min(page.start, maxsize) :]:
            yield self.line("outcomes", refined.first(end))

    def _refined(self, diagram: Diagram) -> tuple[Courses, Refined]:
        courses = Courses(self.chart, sums=True)
        return courses, refine(diagram, courses.width, courses.changes(diagram), self.nodes, self.clock)

    def _best(self, level: Level, diagram: Diagram, page: Page) -> Iterator[Path]:
        """Yield the ways, the best first."""
        wide = diagram
        left = any(wish.about == "left" for wish in page.best)
        if left:  # what is left is a sum over the whole way: one more layer tells it
            courses, refined = self._refined(self.diagram(False, page.minimal))
            wide = refined.told(lambda state: sum(courses.settled(state[1]).outcome.pool.values()))
            if level == "sources":
                wide = firsts(wide, self._totals(), self.nodes)
        for _, path in best(wide, self._worth(wide, page), len(page.best)):
            if self.clock.over:
                raise self.clock.reached("listing")
            yield path[: len(diagram.layers)]

    def _worth(self, diagram: Diagram, page: Page) -> Callable[[int, int], Worth]:
        """Return what labels are worth: every wish is a sum over the layers."""
        chart = self.chart
        tables: list[list[Worth]] = []
        for i, layer in enumerate(diagram.layers):
            kind = chart.kinds[i] if i < len(chart.allocations.layers) else None
            mine: list[Worth] = []
            for label in layer.labels:
                numbers = []
                for wish in page.best:
                    amount = 0
                    if kind is None:
                        amount = label[0] if wish.about == "left" else 0
                    elif kind.what == "declared" and wish.about == "x":
                        amount = chart.read_declared(label)[1] or 0
                    elif kind.what == "uses" and wish.about == "uses" and wish.counts(kind.thing):
                        amount = sum(label)
                    numbers.append(wish.sign * amount)
                mine.append(tuple(numbers))
            tables.append(mine)
        return lambda layer, label: tables[layer][label]


def _worst(wishes: tuple[Wish, ...], line: Line) -> tuple[int, ...]:
    return tuple(-n for n in worth(wishes, line[1], line[2]))
