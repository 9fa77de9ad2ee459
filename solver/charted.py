"""Ways read from diagrams: by groups for the counts, by single sources for the lists."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from itertools import islice
from random import Random
from sys import maxsize

from lawful.model.declaration import Question
from lawful.model.errors import LimitReached
from lawful.model.limits import Limits
from lawful.model.page import Page
from lawful.model.payment import LEVELS, Level
from lawful.solver.at_once import AtOnce, Shares
from lawful.solver.chart import Chart
from lawful.solver.dd.best import best
from lawful.solver.dd.operators import extended, restrict
from lawful.solver.diagram import Diagram, OverBudget, Path, Unsupported
from lawful.solver.encode.allocation import Alike, Allocation
from lawful.solver.encode.frame import Frame, frame
from lawful.solver.families import Families
from lawful.solver.found import arranged
from lawful.solver.keys import Keys
from lawful.solver.lines import Lines
from lawful.solver.spelling import Line, Speller
from lawful.solver.tally import tally
from lawful.solver.worths import Worths

FEW_SOURCES = 14  # a proof by single sources takes seconds beyond that


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
        self.groups = self._chart("gain", f)

    def _left(self) -> float:
        return max(self._deadline - time.monotonic(), 0.001)

    def _chart(self, alike: Alike, f: Frame | None = None) -> Chart:
        f = f or frame(self.question, limits=self.limits)
        if f.joint is not None:
            return AtOnce(self.question, alike, self.limits, self._left(), f)
        return Chart(Allocation(f, alike), nodes=self.limits.nodes, seconds=self._left())

    @cached_property
    def each(self) -> Chart:
        """The diagram by single sources."""
        return self._chart("none")

    @cached_property
    def _named(self) -> Families:
        """Families by cards: few where there are copies."""
        chart = self._chart("looks")
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
        if isinstance(chart, AtOnce):
            return self._at_once(chart, counted)
        counted["allocations"] = chart.allocations.count(chart.members(chart.allocations))
        found = tally(chart, self._left())
        if found is None:
            self.limit = "seconds"
            return counted
        return {"outcomes": found.outcomes, **counted, "sequences": found.sequences}

    def _at_once(self, chart: AtOnce, counted: dict[Level, int]) -> dict[Level, int]:
        if chart.built:
            counted["allocations"] = chart.allocations.count(chart.members(chart.allocations))
            outcomes = chart.outcomes(self._left())
            if outcomes is not None:
                counted["outcomes"] = len(outcomes)
        sequences = chart.sequences(self._left())
        if sequences is not None:
            counted["sequences"] = sequences
        if len(counted) < len(LEVELS):
            self.limit = "nodes"
        return {level: counted[level] for level in LEVELS if level in counted}

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
        """Let CP-SAT prove the diagram by groups, and by single sources where there are few.

        Raises
        ------
        LimitReached
            If there was no proof in time.
        """
        deadline = time.monotonic() + seconds
        try:
            proved = self.groups.prove(seconds).proved
        except Unsupported:  # a constraint whose opposite is not known: not proved
            return False
        if len(self.groups.f.sources) <= FEW_SOURCES:
            proved = proved and self.each.prove(deadline - time.monotonic()).proved
            one, two = self.groups.finest, self.each.finest
            proved = proved and two.count() == one.count(self.groups.members(one))
        return proved

    def lines(self, level: Level, by_name: bool, page: Page) -> Iterator[Line]:
        """Yield the ways asked for."""
        if by_name or level == "outcomes":
            yield from self._merged(level, by_name, page)
            return
        try:
            listed = Listing(self.each, self._left())
        except OverBudget:
            yield from self._merged(level, False, page)
            return
        try:
            yield from listed.lines(level, page)
        except OverBudget as over:
            raise LimitReached(over.limit, self.limits.nodes, "ask for another level, or without --minimal") from None

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

    def __init__(self, chart: Chart, seconds: float) -> None:
        self.chart, self.f, self._seconds = chart, chart.f, seconds
        self.spell = Speller(chart.meaning)
        self.keys_of = Keys(self.f.question)

    def lines(self, level: Level, page: Page) -> Iterator[Line]:
        """Yield the ways asked for."""
        if level == "sequences" and page.sample is not None and not page.minimal:
            shares = self.chart.shares(self._seconds) if isinstance(self.chart, AtOnce) else None
            if shares is not None:
                yield from self._drawn(shares, page)
                return
        sources = level == "sources"
        diagram = self.diagram(sources, page.minimal)
        spelled: Callable[[Path], Line] = partial(self.line, level)
        if level == "sequences":
            yield from self._sequences(diagram, page)
        elif page.sample is not None:
            yield from map(spelled, drawn(diagram, page.sample, page.seed))
        elif page.best:
            yield from self._ranked(diagram, level, page)
        else:
            yield from map(spelled, diagram.paths(page.start))

    def diagram(self, sources: bool, minimal: bool) -> Diagram:
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
            for payment in islice(self.spell.sequences(family, family.used, orders), skip, None):
                yield self.keys_of.of(payment, "sequences", outcome), payment, outcome, 1
            skip = 0

    def _drawn(self, shares: Shares, page: Page) -> Iterator[Line]:
        """Yield sequences drawn from the diagram that tells whose points are given for what."""
        spell = Speller(shares.meaning)
        for path in drawn(shares.full, page.sample or 0, page.seed):
            family, order, spends = shares.way(path)
            payment = replace(spell.payment(family, family.used, order), spends=spends)
            outcome = shares.meaning.outcome(family)
            yield self.keys_of.of(payment, "sequences", outcome), payment, outcome, 1

    def _ranked(self, diagram: Diagram, level: Level, page: Page) -> Iterator[Line]:
        """Yield the best first."""
        worth = Worths(self.chart, page.best, level == "sources")
        if worth.adds:
            ranked = best(diagram, worth.of(diagram), len(page.best))
            yield from (self.line(level, path) for _, path in islice(ranked, min(page.start, maxsize), None))
        else:
            yield from arranged((self.line(level, path) for path in diagram.paths()), page)


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
