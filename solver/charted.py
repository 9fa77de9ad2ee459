"""Ways read from diagrams: by groups for the counts, by single sources for the lists."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property, partial
from itertools import islice
from random import Random
from sys import maxsize

from lawful.model.declaration import Question
from lawful.model.errors import Disagreement, LimitReached
from lawful.model.limits import Limits
from lawful.model.page import Page
from lawful.model.payment import Level
from lawful.solver.chart import Chart
from lawful.solver.dd.best import Worth, best
from lawful.solver.dd.operators import restrict
from lawful.solver.diagram import Diagram, OverBudget, Path
from lawful.solver.encode.allocation import Alike, Allocation
from lawful.solver.encode.frame import Frame, frame
from lawful.solver.families import Families
from lawful.solver.found import arranged, proved_by
from lawful.solver.keys import Keys
from lawful.solver.lines import Lines
from lawful.solver.spelling import Line, Speller
from lawful.solver.tally import tally

FEW_WAYS = 300


class Charted:
    """All ways of a question in which the order of sources does not matter.

    Parameters
    ----------
    question : Question
        What is asked.
    limits : Limits
        What it may cost.
    f : Frame, optional
        A frame of this question that nothing was built on yet.

    Raises
    ------
    Unsupported, OverBudget
        If no diagram can be built.
    """

    engine = "diagram"
    complete = True

    def __init__(self, question: Question, limits: Limits, f: Frame | None = None) -> None:
        self.question, self.limits = question, limits
        self.limit: str | None = None
        self._deadline = time.monotonic() + limits.seconds
        self.unproved = ""
        self._named_chart: Chart | None = None
        self._first: Frame | None = None
        self.groups = self._chart("gain", f)

    def _left(self) -> float:
        return max(self._deadline - time.monotonic(), 0.001)

    def _chart(self, alike: Alike, f: Frame | None = None) -> Chart:
        if f is None:
            f = frame(self.question, limits=self.limits, like=self._first)
        self._first = self._first or f
        model = Allocation(f, alike)
        return Chart(model, nodes=self.limits.nodes, seconds=self._left())

    @cached_property
    def each(self) -> Chart:
        """The diagram by single sources."""
        return self._chart("none")

    @cached_property
    def _named(self) -> Families:
        """Families by cards: few where there are copies."""
        chart = self._named_chart = self._chart("looks")
        families = Families(chart.model)
        if chart.full.count() > self.limits.ways:
            raise LimitReached("ways", self.limits.ways, "ask for another level, or without merging by name")
        for path in chart.allocations.paths():
            families.orders[chart.family(path)] = chart.orders(path)
        return families

    @cached_property
    def _counts(self) -> dict[Level, int]:
        chart = self.groups
        counted: dict[Level, int] = {}
        with suppress(OverBudget):  # a level that is left out was too large
            counted["sources"] = chart.sources.count(chart.members(chart.sources))
        if "sources" not in counted:
            self.limit = "nodes"
        counted["allocations"] = chart.allocations.count(chart.members(chart.allocations))
        found = tally(chart, self._left())
        if found is None:
            self.limit = "seconds"
            return counted
        return {"outcomes": found.outcomes, **counted, "sequences": found.sequences}

    def counts(self) -> dict[Level, int]:
        """Return the number of ways at every level; a level that could not be counted in time is left out."""
        return self._counts

    def counts_by_name(self, level: Level) -> int:
        """Return the number of ways when equal cards are not told apart."""
        return self._named.counts_by_name(level)

    def minimal(self) -> int | None:
        """Return the number of source sets without a superfluous source; None if there were too many to look at."""
        try:
            return self.groups.minimal.count(self.groups.members(self.groups.minimal))
        except OverBudget:
            self.limit = "nodes"
            return None

    def used(self, level: Level) -> dict[str, int]:
        """Return for every object the number of ways that use it; empty where the level does not tell."""
        if level not in ("sources", "allocations"):
            return {}
        chart = self.groups
        diagram = chart.sources if level == "sources" else chart.allocations
        weigh = chart.members(diagram)
        marginals, found = diagram.marginals(weigh), {c.thing.id: 0 for c in chart.f.sources}
        at: dict[str, list[int]] = {}
        for i, kind in enumerate(chart.kinds[: len(diagram.layers)]):
            if kind.what == "uses":
                at.setdefault(kind.thing, []).append(i)
        for thing, layers in at.items():
            members = chart.model.groups[chart.kinds[layers[0]].group].members
            labels = diagram.layers[layers[0]].labels
            if len(members) > 1:  # equal ones are used equally often
                uses = sum(sum(label) * n for label, n in zip(labels, marginals[layers[0]], strict=True))
                found |= {member.thing.id: uses // len(members) for member in members}
            elif len(layers) == 1:
                found[thing] = sum(n for label, n in zip(labels, marginals[layers[0]], strict=True) if any(label))
            else:  # an object with several sources counts once
                unused = self._unused(diagram, set(layers), weigh)
                found[thing] = diagram.count(weigh) - diagram.count(unused)
        return found

    @staticmethod
    def _unused(diagram: Diagram, layers: set[int], weigh: Callable[[int, int], int]) -> Callable[[int, int], int]:
        def weight(layer: int, label: int) -> int:
            return 0 if layer in layers and any(diagram.layers[layer].labels[label]) else weigh(layer, label)

        return weight

    def prove(self, seconds: float) -> bool:
        """Let CP-SAT prove the diagrams: by groups, by single sources, and by cards where that one was read.

        Where the one by groups is proved and another is not, for its size, `unproved` says so.

        Raises
        ------
        LimitReached
            If there was no proof in time, not even by groups.
        Disagreement
            If a diagram is refuted: a bug of ours.
        """
        deadline = time.monotonic() + seconds
        proved_by(self.groups.prove(seconds), self.question)
        try:
            for chart in (self.each, self._named_chart):
                if chart is not None:
                    proved_by(chart.prove(deadline - time.monotonic()), self.question)
        except (LimitReached, OverBudget):
            self.unproved = "single"
            return False
        counted = self.groups.allocations.count(self.groups.members(self.groups.allocations))
        if self.each.allocations.count() != counted:
            raise Disagreement("the ways by single sources are not as many as those by groups", self.question)
        return True

    def lines(self, level: Level, by_name: bool, page: Page) -> Iterator[Line]:
        """Yield the ways asked for."""
        if by_name or level == "outcomes":
            yield from self._merged(level, by_name, page)
            return
        if self._few(level, page):
            yield from islice(Lines(self._grouped).lines(level, False), min(page.start, maxsize), None)
            return
        try:
            listed = Listing(self.each)
        except OverBudget:
            yield from self._merged(level, False, page)
            return
        try:
            yield from listed.lines(level, page)
        except OverBudget as over:
            raise LimitReached(over.limit, self.limits.nodes, "ask for another level, or without --minimal") from None

    def _few(self, level: Level, page: Page) -> bool:
        """Say whether there are so few ways that compiling them by single sources takes longer than sorting them."""
        plain = level in ("sources", "allocations") and page.sample is None and not page.best and not page.minimal
        return plain and self.groups.allocations.count(self.groups.members(self.groups.allocations)) <= FEW_WAYS

    @cached_property
    def _grouped(self) -> Families:
        """The families of the diagram by groups."""
        families = Families(self.groups.model)
        for path in self.groups.allocations.paths():
            families.orders[self.groups.family(path)] = self.groups.orders(path)
        return families

    def _merged(self, level: Level, by_name: bool, page: Page) -> Iterator[Line]:
        found = Lines(self._named).lines(level, by_name)
        if page.minimal:
            found = (line for line in found if self._named.is_minimal(line[1]))
        yield from arranged(found, page)


class Listing:
    """Lists the ways of a chart by single sources.

    Parameters
    ----------
    chart : Chart
        The chart.
    """

    def __init__(self, chart: Chart) -> None:
        self.chart, self.f = chart, chart.f
        self.spell = Speller(chart.meaning)
        self.keys_of = Keys(self.f.question)

    def lines(self, level: Level, page: Page) -> Iterator[Line]:
        """Yield the ways asked for."""
        sources = level == "sources"
        diagram = self.diagram(sources, page.minimal)
        spelled: Callable[[Path], Line] = partial(self.line, level)
        if level == "sequences":
            yield from self._sequences(diagram, page)
        elif page.sample is not None:
            yield from map(spelled, drawn(diagram, page.sample, page.seed))
        elif page.best:
            ranked = best(diagram, self._worth(diagram, page), len(page.best))
            yield from (spelled(path) for _, path in islice(ranked, min(page.start, maxsize), None))
        else:
            yield from map(spelled, diagram.paths(page.start))

    def diagram(self, sources: bool, minimal: bool) -> Diagram:
        """Return the diagram of the ways that are listed."""
        if sources:
            return self.chart.minimal if minimal else self.chart.sources
        if not minimal:
            return self.chart.allocations
        tell = [Chart.total if kind.what == "uses" else None for kind in self.chart.kinds]
        tell = tell[: len(self.chart.allocations.layers)]
        return restrict(self.chart.allocations, self.chart.minimal, tell, self.chart.nodes)

    def line(self, level: Level, path: Path) -> Line:
        """Return the line of one way."""
        found = self.chart.allocation_of(path) if level == "sources" else path
        family = self.chart.family(found)
        outcome = self.chart.meaning.outcome(family)
        payment = self.spell.payment(family, family.used, min(self.chart.orders(found)))
        return self.keys_of.of(payment, level, outcome), payment, outcome, 1

    def _sequences(self, diagram: Diagram, page: Page) -> Iterator[Line]:
        if page.sample is not None or page.best:
            yield from arranged(self._every_sequence(diagram, 0), page)
        else:
            yield from self._every_sequence(diagram, page.start)

    def _every_sequence(self, diagram: Diagram, skip: int) -> Iterator[Line]:
        for path in diagram.paths():
            family, orders = self.chart.family(path), self.chart.orders(path)
            if skip:
                here = self.chart.meaning.arrangements(family) * len(orders)
                if here <= skip:
                    skip -= here
                    continue
            outcome = self.chart.meaning.outcome(family)
            for payment in islice(self.spell.sequences(family, family.used, orders), skip, None):
                yield self.keys_of.of(payment, "sequences", outcome), payment, outcome, 1
            skip = 0

    def _worth(self, diagram: Diagram, page: Page) -> Callable[[int, int], Worth]:
        """Return what labels are worth: every wish is a sum over the layers."""
        chart = self.chart
        assets = [a.id for a in self.f.question.ruleset.assets]
        tables: list[list[Worth]] = []
        for kind, layer in zip(chart.kinds, diagram.layers, strict=False):
            mine: list[Worth] = []
            for label in layer.labels:
                numbers = []
                for wish in page.best:
                    amount = 0
                    if kind.what == "declared":
                        plan, x = chart.read_declared(label)
                        if wish.about == "x":
                            amount = x or 0
                        elif wish.about == "left":
                            due, gains = self.f.plans[plan].amounts, self.f.plans[plan].gains
                            amount = sum(g.at(x or 0) for g in gains.values()) - sum(d.at(x or 0) for d in due.values())
                    elif kind.what == "uses" and wish.about == "uses" and wish.counts(kind.thing):
                        amount = sum(label)
                    elif kind.what == "uses" and wish.about == "left":
                        gain = chart.model.groups[kind.group].gain
                        amount = sum(label) * sum(gain.get(asset, 0) for asset in assets)
                    numbers.append(wish.sign * amount)
                mine.append(tuple(numbers))
            tables.append(mine)
        return lambda layer, label: tables[layer][label]


def drawn(diagram: Diagram, number: int, seed: int) -> Iterator[Path]:
    """Yield so many different solutions, drawn at random, every set equally likely; all if there are no more."""
    rng, count = Random(seed), diagram.count()
    if number >= count:
        yield from (diagram.unrank(rank) for rank in rng.sample(range(count), count))
        return
    seen: set[int] = set()
    while len(seen) < number:
        rank = rng.randrange(count)
        if rank not in seen:
            seen.add(rank)
            yield diagram.unrank(rank)
