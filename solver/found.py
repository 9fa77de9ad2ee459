"""What was found, whichever engine found it: counts, and lines on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from sys import maxsize
from typing import Protocol

from lawful.model.declaration import Question
from lawful.model.errors import Disagreement
from lawful.model.page import Page, Wish, worth
from lawful.model.payment import LEVELS, Level
from lawful.solver.certify import Certificate
from lawful.solver.families import Families
from lawful.solver.lines import Lines
from lawful.solver.spelling import Line
from lawful.solver.told import Told


class Found(Protocol):
    """All ways of one question."""

    engine: str
    complete: bool
    limit: str | None
    unproved: str

    def counts(self) -> dict[Level, int]:
        """Return the number of ways at every level; a level that could not be counted in time is left out."""

    def counts_by_name(self, level: Level) -> int:
        """Return the number of ways when equal cards are not told apart."""

    def minimal(self) -> int | None:
        """Return the number of source sets without a superfluous source; None if there were too many to look at."""

    def used(self, level: Level) -> dict[str, int]:
        """Return for every object the number of ways that use it."""

    def prove(self, seconds: float) -> bool:
        """Let CP-SAT prove that these are all ways, and nothing but ways."""

    def lines(self, level: Level, by_name: bool, page: Page) -> Iterator[Line]:
        """Yield the ways asked for."""


@dataclass(slots=True)
class Enumerated:
    """Ways that were enumerated one by one: few enough to be held.

    Parameters
    ----------
    ways : Families or Told
        What was enumerated.
    engine : str
        How.
    complete : bool
        Whether that is all.
    limit : str, optional
        What stopped it.
    deadline : float, optional
        On the monotonic clock: what is not counted then is left out.
    certify : callable, optional
        Given some seconds, lets CP-SAT prove the diagram that the ways were read from.
    unproved : str
        Why `prove` proved nothing.
    """

    ways: Families | Told
    engine: str
    complete: bool
    limit: str | None
    deadline: float | None = None
    certify: Callable[[float], Certificate] | None = None
    unproved: str = ""

    def counts(self) -> dict[Level, int]:
        """Return the number of ways at every level; a level that could not be counted in time is left out."""
        if not isinstance(self.ways, Families):
            return self.ways.counts()
        found = self.ways.counts(self.deadline)
        if len(found) < len(LEVELS):
            self.limit = "seconds"
        return found

    def counts_by_name(self, level: Level) -> int:
        """Return the number of ways when equal cards are not told apart."""
        return self.ways.counts_by_name(level)

    def minimal(self) -> int:
        """Return the number of source sets without a superfluous source."""
        return self.ways.minimal()

    def used(self, level: Level) -> dict[str, int]:
        """Return for every object the number of ways that use it."""
        return self.ways.used(level)

    def prove(self, seconds: float) -> bool:
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
            proved_by(self.certify(seconds), question)
            return self.complete
        self.unproved = "played" if self.engine == "played" else ""
        return self.complete and self.engine == "enumeration"

    def lines(self, level: Level, by_name: bool, page: Page) -> Iterator[Line]:
        """Yield the ways asked for."""
        spelled = Lines(self.ways) if isinstance(self.ways, Families) else self.ways
        found = spelled.lines(level, by_name)
        if page.minimal:
            found = (line for line in found if self.ways.is_minimal(line[1]))
        yield from arranged(found, page)


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


def arranged(found: Iterator[Line], page: Page) -> Iterator[Line]:
    """Yield the lines of a page out of all lines; all are held where it is no stretch of them."""
    if page.sample is not None:
        held = list(found)
        drawn = Random(page.seed).sample(range(len(held)), min(page.sample, len(held)))
        yield from (held[i] for i in drawn)
    elif page.best:
        yield from islice(sorted(found, key=lambda line: _negative(page.best, line)), min(page.start, maxsize), None)
    else:
        yield from islice(found, min(page.start, maxsize), None)


def _negative(wishes: Sequence[Wish], line: Line) -> tuple[int, ...]:
    return tuple(-n for n in worth(wishes, line[1], line[2]))
