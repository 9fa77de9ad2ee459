"""Ways read from diagrams: by groups for the counts, by single sources for the lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from lawful.model.declaration import Question
from lawful.model.errors import Disagreement, LimitReached
from lawful.model.limits import Clock, Limits
from lawful.model.page import Page
from lawful.model.payment import LEVELS, Level, Outcome
from lawful.model.verdict import Reached
from lawful.solver.chart import Chart
from lawful.solver.diagram import OverBudget
from lawful.solver.encode.allocation import Alike, Allocation
from lawful.solver.encode.frame import Frame, frame
from lawful.solver.families import Families
from lawful.solver.found import proved_by
from lawful.solver.lines import Lines
from lawful.solver.listing import Listing
from lawful.solver.named import Named
from lawful.solver.paging import in_time
from lawful.solver.refining import refine
from lawful.solver.sequences import Courses, Sequences
from lawful.solver.spelling import Line

FEW_WAYS = 300  # so few are sorted
REFINED = 4  # times as many nodes may a refined diagram have: they are looked at once, and need no states


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
        self._first: Frame | None = None
        self._by_cards: list[Chart] = []  # by cards
        self.groups = self._chart("gain", f, self.clock.part())
        self._each: Chart | None = None
        self._copies: Chart | None = None
        self._by_name: dict[tuple[Level, bool], Named] = {}

    def _chart(self, alike: Alike, f: Frame | None, clock: Clock, together: bool = False) -> Chart:
        if f is None:
            f = frame(self.question, limits=self.limits, like=self._first)
        self._first = self._first or f
        model = Allocation(f, alike)
        made = Chart(model, nodes=self.limits.nodes, seconds=max(clock.left, 0.001), together=together)
        self._by_cards += [made] if alike == "looks" else []
        return made

    @property
    def each(self) -> Chart:
        """The diagram by single sources."""
        return self.singly(self.clock)

    def singly(self, clock: Clock) -> Chart:
        """Return the diagram by single sources, built within the time of a clock."""
        if self._each is None:
            self._each = self._chart("none", None, clock)
        return self._each

    def _over(self, over: OverBudget, where: str) -> None:
        """Note that something was left out."""
        value = self.clock.seconds if over.limit == "seconds" else over.value
        self.reached.append(Reached(over.limit, value, where))

    @cached_property
    def _named(self) -> Families:
        """Families by cards: few where there are copies."""
        chart = self._chart("looks", None, self.clock)
        families = Families(chart.model)
        if chart.full.count() > self.limits.ways:
            raise LimitReached("ways", self.limits.ways, "ask for another level, or without merging by name")
        families.hold(chart, in_time(chart.allocations.paths(), self.clock))
        return families

    @cached_property
    def _counts(self) -> dict[Level, int]:
        chart, nodes = self.groups, self.limits.nodes * REFINED
        members = chart.members(chart.allocations)
        counted: dict[Level, int] = {}
        each: dict[Level, Callable[[], int]] = {
            "sources": lambda: chart.sources.count(chart.members(chart.sources)),
            "allocations": lambda: chart.allocations.count(members),
            "sequences": lambda: Sequences(chart, chart.allocations, nodes, self.clock.part(), members).count,
            "outcomes": lambda: len(set(self._outcomes(chart, nodes))),
        }
        for level, count in each.items():
            try:
                counted[level] = count()
            except OverBudget as over:  # a level that is left out was too large
                self._over(over, f"counting {level}")
        return {level: counted[level] for level in LEVELS if level in counted}

    def _outcomes(self, chart: Chart, nodes: int) -> Iterator[Outcome]:
        courses = Courses(chart, sums=True)
        changes = courses.changes(chart.allocations)
        for _, memo in refine(chart.allocations, courses.width, changes, nodes, self.clock.part()).ends:
            yield courses.settled(memo).outcome

    def counts(self) -> dict[Level, int]:
        """Return the number of ways at every level; a level that could not be counted in time is left out."""
        return self._counts

    def _merged(self, level: Level, minimal: bool, clock: Clock) -> Named:
        """Return the ways merged by name."""
        if self._copies is None:
            self._copies = self._chart("looks", None, clock, together=True)
        if (level, minimal) not in self._by_name:
            self._by_name[level, minimal] = Named(self._copies, level, self.limits, clock, minimal)
        return self._by_name[level, minimal]

    def counts_by_name(self, level: Level) -> int:
        """Return the number of ways when equal cards are not told apart."""
        if level == "outcomes":
            return self._counts["outcomes"]
        if level == "sequences":
            return self._named.counts_by_name(level)
        try:
            return self._merged(level, False, self.clock).diagram.count()
        except OverBudget:
            return self._named.counts_by_name(level)

    def minimal(self) -> int | None:
        """Return the number of source sets without a superfluous source; None if there were too many to look at."""
        try:
            return self.groups.minimal.count(self.groups.members(self.groups.minimal))
        except OverBudget as over:
            self._over(over, "counting minimal source sets")
            return None

    def used(self, level: Level) -> dict[str, int]:
        """Return for every object the number of ways that use it; empty where the level does not tell."""
        return self.groups.used(level)

    def prove(self, clock: Clock | None = None) -> bool:
        """Let CP-SAT prove the diagrams: by groups, by single sources, and by cards where that one was read.

        Where the one by groups is proved and another is not, for its size, `unproved` says so.

        Raises
        ------
        LimitReached
            If there was no proof in time, not even by groups.
        Disagreement
            If a diagram is refuted: a bug of ours.
        """
        clock = clock or self.clock
        proved_by(self.groups.prove(clock.left), self.question)
        try:
            each = self.singly(clock)
            for chart in (each, *self._by_cards):
                proved_by(chart.prove(clock.left), self.question)
        except (LimitReached, OverBudget) as over:
            value = clock.seconds if over.limit == "seconds" else over.value
            self.reached.append(Reached(over.limit, value, "proof"))
            self.unproved = "single"
            return False
        counted = self.groups.allocations.count(self.groups.members(self.groups.allocations))
        if each.allocations.count() != counted:
            raise Disagreement("the ways by single sources are not as many as those by groups", self.question)
        return True

    def lines(
        self, level: Level, by_name: bool = False, page: Page = Page(), clock: Clock | None = None
    ) -> Iterator[Line]:
        """Yield the ways asked for."""
        clock = clock or self.clock
        found = self._lines(level, by_name, page, clock)
        try:
            yield from in_time(found, clock)
        except OverBudget as over:
            if over.limit == "seconds":
                raise clock.reached("listing") from None
            raise LimitReached(over.limit, over.value, "ask for another level, or count only", "listing") from None

    def _few(self, level: Level, page: Page) -> bool:
        """Say whether there are so few ways that compiling them by single sources takes longer than sorting them."""
        plain = level in ("sources", "allocations") and page.sample is None and not page.best and not page.minimal
        return plain and self.groups.allocations.count(self.groups.members(self.groups.allocations)) <= FEW_WAYS

    @cached_property
    def _grouped(self) -> Families:
        """The families of the diagram by groups."""
        families = Families(self.groups.model)
        families.hold(self.groups, self.groups.allocations.paths())
        return families

    def _lines(self, level: Level, by_name: bool, page: Page, clock: Clock) -> Iterator[Line]:
        """Yield the ways asked for: from diagrams, or from families of them where a diagram would be too large."""
        begun = False
        try:
            for line in self._read(level, by_name, page, clock):
                begun = True
                yield line
        except OverBudget as over:
            if begun or over.limit == "seconds":
                raise
        else:
            return
        yield from Lines(self._named).page(level, by_name, page, clock)

    def _read(self, level: Level, by_name: bool, page: Page, clock: Clock) -> Iterator[Line]:
        if by_name and level == "sequences":
            yield from Lines(self._named).page(level, by_name, page, clock)
        elif by_name and level != "outcomes":
            yield from self._merged(level, page.minimal, clock).lines(page)
        elif self._few(level, page):
            yield from Lines(self._grouped).page(level, False, page, clock)
        else:
            yield from Listing(self.singly(clock), self.limits.nodes * REFINED, clock).lines(level, page)
