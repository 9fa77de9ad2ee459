"""What was found, whichever engine found it: counts, and lines on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from lawful.model.declaration import Question
from lawful.model.errors import Disagreement
from lawful.model.limits import Clock
from lawful.model.page import Page
from lawful.model.payment import LEVELS, Level
from lawful.model.verdict import Reached
from lawful.solver.certify import Certificate
from lawful.solver.families import Families, Late
from lawful.solver.lines import Lines
from lawful.solver.paging import arranged, in_time
from lawful.solver.spelling import Line
from lawful.solver.told import Told


class Found(Protocol):
    """All ways of one question."""

    engine: str
    complete: bool
    reached: list[Reached]
    unproved: str

    def counts(self) -> dict[Level, int]:
        """Return the number of ways at every level; a level that could not be counted in time is left out."""

    def counts_by_name(self, level: Level) -> int:
        """Return the number of ways when equal cards are not told apart."""

    def minimal(self) -> int | None:
        """Return the number of source sets without a superfluous source; None if there were too many to look at."""

    def used(self, level: Level) -> dict[str, int]:
        """Return for every object the number of ways that use it."""

    def prove(self, clock: Clock | None = None) -> bool:
        """Let CP-SAT prove that these are all ways, and nothing but ways."""

    def lines(
        self, level: Level, by_name: bool = False, page: Page = Page(), clock: Clock | None = None
    ) -> Iterator[Line]:
        """Yield the ways asked for, in the time of a clock: the answer's own, if none is given.

        Raises
        ------
        LimitReached
            If the time is over before the last of them, or something that is needed would be too large.
        """


@dataclass(slots=True)
class Enumerated:
    """Ways that were enumerated one by one: few enough families of them to be held.

    Parameters
    ----------
    ways : Families or Told
        What was enumerated.
    engine : str
        How.
    complete : bool
        Whether that is all.
    clock : Clock
        What is not counted when it is over is left out.
    reached : list of Reached
        What stopped it.
    certify : callable, optional
        Given some seconds, lets CP-SAT prove the diagram that the ways were read from.
    unproved : str
        Why `prove` proved nothing.
    """

    ways: Families | Told
    engine: str
    complete: bool
    clock: Clock
    reached: list[Reached] = field(default_factory=list)
    certify: Callable[[float], Certificate] | None = None
    unproved: str = ""

    def counts(self) -> dict[Level, int]:
        """Return the number of ways at every level; a level that could not be counted in time is left out."""
        if not isinstance(self.ways, Families):
            return self.ways.counts()
        found = self.ways.counts(self.clock.part().until)
        for level in LEVELS:
            if level not in found:
                self.reached.append(Reached("seconds", self.clock.seconds, f"counting {level}"))
        return found

    def counts_by_name(self, level: Level) -> int:
        """Return the number of ways when equal cards are not told apart."""
        return self.ways.counts_by_name(level)

    def minimal(self) -> int | None:
        """Return the number of source sets without a superfluous source."""
        try:
            return self.ways.minimal(self.clock.until)
        except Late:
            self.reached.append(Reached("seconds", self.clock.seconds, "counting minimal source sets"))
            return None

    def used(self, level: Level) -> dict[str, int]:
        """Return for every object the number of ways that use it."""
        try:
            return self.ways.used(level, self.clock.until)
        except Late:
            self.reached.append(Reached("seconds", self.clock.seconds, "counting uses"))
            return {}

    def prove(self, clock: Clock | None = None) -> bool:
        """Let CP-SAT prove the diagram; or say whether it showed, when it enumerated them, that there are no more.

        Raises
        ------
        LimitReached
            If there was no proof in time.
        Disagreement
            If the diagram is refuted: a bug of ours.
        """
        if self.certify is not None:
            question = self.ways.question if isinstance(self.ways, Told) else self.ways.f.question
            proved_by(self.certify((clock or self.clock).left), question)
            return self.complete
        self.unproved = "played" if self.engine == "played" else ""
        return self.complete and self.engine == "enumeration"

    def lines(
        self, level: Level, by_name: bool = False, page: Page = Page(), clock: Clock | None = None
    ) -> Iterator[Line]:
        """Yield the ways asked for."""
        clock = clock or self.clock
        if isinstance(self.ways, Families):
            yield from in_time(Lines(self.ways).page(level, by_name, page, clock), clock)
            return
        found = self.ways.lines(level, by_name)
        if page.minimal:
            found = (line for line in found if self.ways.is_minimal(line[1]))
        yield from in_time(arranged(found, page), clock)


def proved_by(certificate: Certificate, question: Question) -> None:
    """Refuse an answer whose diagram CP-SAT refutes.

    Raises
    ------
    Disagreement
        If a half is refuted.
    """
    if not certificate.complete:
        raise Disagreement("the model has a way that the diagram does not have", question)
    if not certificate.sound:
        raise Disagreement("the diagram has a way that the model does not have", question)
