"""Ways of parts that are paid at once, read from diagrams: by groups for counts, by single sources for lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property, partial

from lawful.model.declaration import Question
from lawful.model.errors import Disagreement, LimitReached
from lawful.model.limits import Clock, Limits
from lawful.model.page import Page
from lawful.model.payment import LEVELS, Level
from lawful.model.verdict import Reached
from lawful.solver.at_once import AtOnce, Shares
from lawful.solver.chart import Chart
from lawful.solver.dd.best import best
from lawful.solver.dd.operators import extended, restrict
from lawful.solver.diagram import Diagram, OverBudget, Path
from lawful.solver.encode.allocation import Alike
from lawful.solver.encode.frame import Frame, frame
from lawful.solver.families import Families
from lawful.solver.found import proved_by
from lawful.solver.keys import Keys
from lawful.solver.lines import Lines
from lawful.solver.paging import arranged, draw, in_time, stretch
from lawful.solver.spelling import Line, Speller
from lawful.solver.worths import Worths


class ChartedAtOnce:
    """All ways of a question whose parts are paid at once.

    Parameters
    ----------
    question : Question
        What is asked.
    limits : Limits
        What it may cost.
    f : Frame, optional
        A frame of this question that nothing was built on yet.
    clock : Clock, optional
        The time for the answer; None starts one.

    Raises
    ------
    Unsupported, OverBudget
        If no diagram can be built.
    """

    engine = "diagram"
    complete = True

    def __init__(self, question: Question, limits: Limits, f: Frame | None = None, clock: Clock | None = None) -> None:
        self.question, self.limits, self.clock = question, limits, clock or Clock(limits.seconds)
        self.reached: list[Reached] = []
        self.unproved = ""
        self._by_cards: list[AtOnce] = []
        self.groups = self._chart("gain", f, self.clock.part())

    def _chart(self, alike: Alike, f: Frame | None = None, clock: Clock | None = None) -> AtOnce:
        seconds = max((clock or self.clock).left, 0.001)
        return AtOnce(self.question, alike, self.limits, seconds, f or frame(self.question, limits=self.limits))

    @cached_property
    def each(self) -> AtOnce:
        """The diagrams by single sources."""
        return self._chart("none")

    @cached_property
    def _named(self) -> Families:
        """Families by cards: few where there are copies."""
        chart = self._chart("looks")
        self._by_cards.append(chart)
        families = Families(chart.model)
        if chart.full.count() > self.limits.ways:
            raise LimitReached("ways", self.limits.ways, "ask for another level, or without merging by name")
        families.hold(chart, in_time(chart.allocations.paths(), self.clock))
        return families

    def _late(self, what: str, limit: str = "nodes") -> None:
        """Note that something was left out."""
        value = self.clock.seconds if self.clock.over or limit == "seconds" else self.limits.nodes
        self.reached.append(Reached("seconds" if self.clock.over else limit, value, f"counting {what}"))

    @cached_property
    def _counts(self) -> dict[Level, int]:
        chart, counted = self.groups, dict[Level, int]()
        counted["sources"] = chart.sources.count(chart.members(chart.sources))
        if chart.built:
            counted["allocations"] = chart.allocations.count(chart.members(chart.allocations))
            outcomes = chart.outcomes(self.clock.part().left)
            if outcomes is not None:
                counted["outcomes"] = len(outcomes)
        sequences = chart.sequences(self.clock.part().left)
        if sequences is not None:
            counted["sequences"] = sequences
        found = {level: counted[level] for level in LEVELS if level in counted}
        for level in LEVELS:
            if level not in found:
                self._late(level)
        return found

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
        except OverBudget as over:
            self._late("minimal source sets", over.limit)
            return None

    def used(self, level: Level) -> dict[str, int]:
        """Return for every object the number of ways that use it; empty where the level does not tell."""
        return self.groups.used(level)

    def prove(self, clock: Clock | None = None) -> bool:
        """Let CP-SAT prove the diagrams by groups, by single sources, and those of cards and sequences that were read.

        Where those by groups are proved and another is not, for its size, `unproved` says so.

        Raises
        ------
        LimitReached
            If there was no proof in time, not even by groups.
        Disagreement
            If a diagram is refuted: a bug of ours.
        """
        clock = clock or self.clock
        proved_by(self.groups.prove(clock.left), self.question)
        self.unproved = "shares"
        try:
            for shares in {id(s): s for s in (self.groups.shared, self.each.shared) if s is not None}.values():
                proved_by(shares.prove(clock.left), self.question)
            self.unproved = "single"
            for chart in (self.each, *self._by_cards):
                proved_by(chart.prove(clock.left), self.question)
        except (LimitReached, OverBudget) as over:
            value = clock.seconds if over.limit == "seconds" else over.value
            self.reached.append(Reached(over.limit, value, "proof"))
            return False
        self._compare(self.groups.sources, self.each.sources)
        if self.groups.built and not self.each.built:
            self.reached.append(Reached("nodes", self.limits.nodes, "proof"))
            return False
        if self.groups.built:
            self._compare(self.groups.allocations, self.each.allocations)
        self.unproved = ""
        return True

    def _compare(self, classes: Diagram, each: Diagram) -> None:
        """Refuse two proved diagrams that do not say the same number of ways."""
        if each.count() != classes.count(self.groups.members(classes)):
            raise Disagreement("the ways by single sources are not as many as those by groups", self.question)

    def lines(
        self, level: Level, by_name: bool = False, page: Page = Page(), clock: Clock | None = None
    ) -> Iterator[Line]:
        """Yield the ways asked for."""
        clock = clock or self.clock
        if by_name or level == "outcomes":
            yield from Lines(self._named).page(level, by_name, page, clock)
            return
        try:
            yield from in_time(_Listing(self.each, clock).lines(level, page), clock)
        except OverBudget as over:
            raise LimitReached(over.limit, self.limits.nodes, "ask for another level, or without --minimal") from None


class _Listing:
    """Lists the ways of charts by single sources."""

    def __init__(self, chart: AtOnce, clock: Clock) -> None:
        self.chart, self.f, self.clock = chart, chart.f, clock
        self.spell = Speller(chart.meaning)
        self.keys_of = Keys(self.f.question)

    def lines(self, level: Level, page: Page) -> Iterator[Line]:
        """Yield the ways asked for."""
        if level == "sequences" and page.sample is not None and not page.minimal:
            shares = self.chart.shares(self.clock.part().left)
            if shares is not None:
                yield from self._drawn(shares, page)
                return
        sources = level == "sources"
        diagram = self._diagram(sources, page.minimal)
        spelled: Callable[[Path], Line] = partial(self.line, level)
        if level == "sequences":
            yield from self._sequences(diagram, page)
        elif page.sample is not None:
            yield from (spelled(diagram.unrank(rank)) for rank in draw(diagram.count(), page.sample, page.seed))
        elif page.best:
            yield from self._ranked(diagram, level, page)
        else:
            yield from map(spelled, diagram.paths(page.start))

    def _drawn(self, shares: Shares, page: Page) -> Iterator[Line]:
        """Yield sequences drawn from the diagram that tells whose points are given for what."""
        spell = Speller(shares.meaning)
        for rank in draw(shares.full.count(), page.sample or 0, page.seed):
            family, order, spends = shares.way(shares.full.unrank(rank))
            payment = replace(spell.payment(family, family.used, order), spends=spends)
            outcome = shares.meaning.outcome(family)
            yield self.keys_of.of(payment, "sequences", outcome), payment, outcome, 1

    def _ranked(self, diagram: Diagram, level: Level, page: Page) -> Iterator[Line]:
        """Yield the best first."""
        worth = Worths(self.chart, page.best, level == "sources")
        if worth.adds:
            ranked = best(diagram, worth.of(diagram), len(page.best))
            yield from (self.line(level, path) for _, path in stretch(ranked, page.start))
        else:
            yield from arranged((self.line(level, path) for path in diagram.paths()), page)

    def _diagram(self, sources: bool, minimal: bool) -> Diagram:
        """Return the diagram of the ways that are listed."""
        if sources:
            return self.chart.minimal if minimal else self.chart.sources
        if not minimal:
            return self.chart.allocations
        every, least = self.chart.allocations, self.chart.minimal
        tell = [Chart.total if kind.what == "uses" else None for kind in self.chart.kinds]
        least = extended(least, every.layers[len(least.layers) :])
        return restrict(every, least, tell[: len(every.layers)], self.chart.nodes)

    def line(self, level: Level, path: Path) -> Line:
        """Return the line of one way."""
        if level == "sources":
            family, orders = self.chart.witness(path)
        else:
            family, orders = self.chart.family(path), self.chart.orders(path)
        outcome = self.chart.meaning.outcome(family)
        payment = self.spell.payment(family, family.used, min(orders))
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
            for payment in self.spell.sequences(family, family.used, orders, skip):
                yield self.keys_of.of(payment, "sequences", outcome), payment, outcome, 1
            skip = 0
