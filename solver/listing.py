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
from lawful.solver.diagram import Diagram, OverBudget, Path
from lawful.solver.keys import Keys
from lawful.solver.paging import draw, in_time, stretch
from lawful.solver.ranked import Ranked
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
            yield from map(spelled, self._best(level, diagram, page))
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
            return
        ways = self._best_sequences(sequences, page) if page.best else sequences.paths(page.start)
        for path, within in ways:
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
        if any(wish.about == "left" for wish in page.best):  # a sum over the whole way: one more layer tells it
            courses, refined = self._refined(self.diagram(False, page.minimal))
            wide = refined.told(lambda state: sum(courses.settled(state[1]).outcome.pool.values()))
            if level == "sources":
                wide = firsts(wide, self._totals(), self.nodes)
        values = self._worths(wide, page)
        ends = [(1, (0,) * len(page.best))]
        try:
            times = [[1] * len(layer.labels) for layer in wide.layers]
            ranked = Ranked(wide.rows, values, times, ends, self.nodes, self.clock)
            found = (path for path, _ in ranked.paths(page.start))
        except OverBudget:  # too many different worths: one way after the other
            by_heap = best(wide, lambda layer, label: values[layer][label], len(page.best))
            found = (path for _, path in stretch(in_time(by_heap, self.clock), page.start))
        for path in found:
            yield path[: len(diagram.layers)]

    def _best_sequences(self, sequences: Sequences, page: Page) -> Iterator[tuple[Path, int]]:
        """Yield the allocations of the best sequences, each with the sequences left out of it."""
        courses = sequences.courses
        ends: list[tuple[int, Worth]] = []
        for (_, memo), weight in zip(sequences.refined.ends, sequences.weights, strict=True):
            left = sum(courses.settled(memo).outcome.pool.values())
            ends.append((weight, tuple(wish.sign * left * (wish.about == "left") for wish in page.best)))
        values = self._worths(sequences.diagram, page)
        try:
            ranked = Ranked(sequences.refined.rows, values, sequences.times, ends, self.nodes, self.clock)
        except OverBudget:  # too many different worths: one allocation after the other
            skip = page.start
            one_by_one = Page(best=page.best, minimal=page.minimal)
            for path in in_time(self._best("allocations", sequences.diagram, one_by_one), self.clock):
                here = sequences.weight(path)
                if skip < here:
                    yield path, skip
                skip = max(0, skip - here)
            return
        for path, within in ranked.paths(page.start * sequences.scale):
            yield path, within // sequences.scale

    def _worths(self, diagram: Diagram, page: Page) -> list[list[Worth]]:
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
        return tables


def _worst(wishes: tuple[Wish, ...], line: Line) -> tuple[int, ...]:
    return tuple(-n for n in worth(wishes, line[1], line[2]))
