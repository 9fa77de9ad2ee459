"""Limits, in one place: what is refused and what is stopped, with the default of each."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace

from lawful.model.errors import LimitReached


@dataclass(frozen=True, slots=True)
class Limits:
    """What a question may cost. A limit that is reached is reported by its name.

    Parameters
    ----------
    seconds : float
        Time for one answer.
    ways : int
        Ways that are enumerated.
    listed : int
        Ways that are listed and replayed.
    sources : int
        Sources that may be used.
    amount : int
        The largest number of points anywhere.
    objects : int
        Objects of a position.
    nodes : int
        Nodes of a decision diagram; beyond that ways are enumerated.
    rows : int
        Ways that are written to a file.
    """

    seconds: float = 60.0
    ways: int = 200_000
    listed: int = 1_000
    sources: int = 200
    amount: int = 1_000_000
    objects: int = 2_000
    nodes: int = 200_000
    rows: int = 100_000_000


_end: ContextVar[float] = ContextVar("end", default=math.inf)
"""When what is being done has to be over, on the monotonic clock; see `within`."""


@contextmanager
def within(seconds: float) -> Iterator[Clock]:
    """Give everything that is done inside so much time at most, however much its own limits allow.

    Parameters
    ----------
    seconds : float
        How much; it runs from now on.

    Yields
    ------
    Clock
        Tells whether it is over: what came out is then to be doubted, as an answer may have been given up on the way.

    Examples
    --------
    >>> with within(0) as clock:
    ...     until(60) <= time.monotonic(), clock.over
    (True, True)
    """
    token = _end.set(until(seconds))
    try:
        yield Clock(seconds)
    finally:
        _end.reset(token)


def until(seconds: float) -> float:
    """Return when so much time is over, on the monotonic clock; earlier where all that is done has to be over before.

    Parameters
    ----------
    seconds : float
        How much; it runs from now on.

    Returns
    -------
    float
        Seconds of `time.monotonic`.
    """
    return min(time.monotonic() + seconds, _end.get())


class Clock:
    """The time for one answer, shared by all that is done for it.

    Parameters
    ----------
    seconds : float
        How much; it runs from now on.

    Attributes
    ----------
    seconds : float
        How much it was.
    until : float
        When it is over, on the monotonic clock.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds, self.until = seconds, until(seconds)

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return max(0.0, self.until - time.monotonic())

    @property
    def over(self) -> bool:
        """Whether none are left."""
        return time.monotonic() >= self.until

    def part(self, share: float = 0.5) -> Clock:
        """Return a clock for a share of what is left, so that something remains for what follows."""
        part = Clock(self.left * share)
        part.seconds = self.seconds  # what is reported is what was allowed for the answer
        return part

    def limits(self, limits: Limits) -> Limits:
        """Return limits with the time that is left."""
        return replace(limits, seconds=max(self.left, 0.001))

    def check(self, where: str) -> None:
        """Stop if the time is over.

        Raises
        ------
        LimitReached
            If it is.
        """
        if self.over:
            raise self.reached(where)

    def reached(self, where: str) -> LimitReached:
        """Return the error that says where the time was over."""
        return LimitReached("seconds", self.seconds, "give more time, or ask for less", where)

    @contextmanager
    def during(self, where: str) -> Iterator[None]:
        """Report a limit of time that is reached within as the one of the whole answer, and say where it was.

        Raises
        ------
        LimitReached
            If one is.
        """
        try:
            yield
        except LimitReached as limit:
            if limit.limit == "seconds" and not limit.where:
                raise self.reached(where) from None
            raise
