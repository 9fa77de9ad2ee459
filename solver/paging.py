"""Stretches, samples and the best of lines, whichever engine finds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random
from sys import maxsize
from typing import TypeVar

from lawful.model.limits import Clock
from lawful.model.page import Page, worth
from lawful.solver.spelling import Line

T = TypeVar("T")


def in_time(lines: Iterable[T], clock: Clock) -> Iterator[T]:
    """Yield lines until the time is over.

    Raises
    ------
    LimitReached
        If it is over before they are.
    """
    for line in lines:
        clock.check("listing")
        yield line


def draw(count: int, number: int, seed: int) -> Iterator[int]:
    """Yield so many different ranks, drawn at random, every set equally likely; all if there are no more.

    Those drawn are remembered: a million at most (`SAMPLE_MOST`), whatever there is to draw from.
    """
    rng = Random(seed)
    if 2 * number >= count:
        yield from rng.sample(range(count), min(number, count))
        return
    seen: set[int] = set()
    while len(seen) < number:
        rank = rng.randrange(count)
        if rank not in seen:
            seen.add(rank)
            yield rank


def stretch(lines: Iterable[T], start: int) -> Iterator[T]:
    """Yield what comes from a rank on."""
    return islice(iter(lines), min(start, maxsize), None)


def arranged(found: Iterable[Line], page: Page) -> Iterator[Line]:
    """Yield the lines of a page out of all lines, which are few enough to be held."""
    if page.sample is not None:
        held = list(found)
        yield from (held[i] for i in draw(len(held), page.sample, page.seed))
    elif page.best:
        yield from stretch(sorted(found, key=lambda line: [-n for n in worth(page.best, *line[1:3])]), page.start)
    else:
        yield from stretch(found, page.start)
