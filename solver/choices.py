"""Counts the choices of a scene, and asks quickly whether there is one: equal objects together, one after the other.

The state is what the rows still need to know: how many of their choices were made, until none is left. It is an exact
count; CP-SAT has the last word.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import TypeAlias

from lawful.model.errors import LimitReached
from lawful.solver.encode.scene import Choice, Demand, Row, Scene
from lawful.solver.search import Bag, Count, ordered

MANY_STATES = 50_000
States: TypeAlias = dict[tuple[tuple[int, ...], int, frozenset[object]], int]
"""Counts so far, requirements met and closed, marks; with how many choices lead there, or how much was met at best."""


@dataclass(frozen=True, slots=True)
class Met:
    """So many of these requirements must be met."""

    demands: tuple[Demand, ...]
    n: int


@dataclass(frozen=True, slots=True)
class End:
    """What is known of a set of choices at the end: the marks on what was chosen."""

    marks: frozenset[object]
    count: int


class Tally:
    """The choices of a scene under some of its rows.

    Parameters
    ----------
    scene : Scene
        Its choices; what is fixed there is fixed.
    rows : sequence of Row
        Those that bind.
    met : Met, optional
        Requirements of which so many must be met.
    marks : mapping of Choice to objects
        What is to be known of the choices made (whether they change a cost, whether they could be spent).
    """

    def __init__(
        self,
        scene: Scene,
        rows: Iterable[Row],
        met: Met | None = None,
        marks: Mapping[Choice, frozenset[object]] | None = None,
    ) -> None:
        self.scene, self.met, self.marks = scene, met, marks or {}
        self.out: set[Choice] = set()
        self.rows: list[Row] = []
        self.dead = False
        for row in rows:
            if not row.of:
                self.dead = self.dead or (row.lo > 0 and not row.or_none)
            elif row.hi == 0 and not row.or_none:
                self.out |= row.of
            else:
                self.rows.append(row)

    def ends(self, forced: Mapping[Choice, int] | None = None) -> list[End]:
        """Return the marks that a whole choice can end with, each with the number of choices.

        Parameters
        ----------
        forced : mapping of Choice to {0, 1}, optional
            Choices that are made, or not, besides those that the scene fixes.

        Raises
        ------
        LimitReached
            If there are more states than can be looked at.
        """
        found: dict[frozenset[object], int] = {}
        for (_, met, marks), count in self._walk(forced, best=False).items():
            if self.met is None or met >= min(self.met.n, len(self.met.demands)):
                found[marks] = found.get(marks, 0) + count
        return [End(marks, count) for marks, count in found.items()]

    def most(self) -> int | None:
        """Return how many of the requirements can be met together; None where there is no choice at all."""
        return max(self._walk(None, best=True).values(), default=None)

    def _walk(self, forced: Mapping[Choice, int] | None, *, best: bool) -> States:
        """Take the bags one after the other; of `best`, the value of a state is how many requirements are met."""
        fixed = {**self.scene.fixed, **(forced or {})}
        made = {c for c, n in fixed.items() if n}
        if self.dead or made & self.out:
            return {}
        lines = self._lines(fixed)
        bags = self._bags(fixed, lines, best)
        ends: list[list[int]] = [[] for _ in range(len(bags) + 1)]
        last = [0] * len(lines)
        for at, (bag, _) in enumerate(bags, 1):
            for i in bag.counts:
                last[i] = at
        for i, at in enumerate(last):
            ends[at].append(i)
        marks = frozenset[object]() if best else frozenset().union(*(self.marks.get(c, frozenset()) for c in made))
        start = tuple(min(count.cap, count.start) for count in lines)
        states: States = {(start, 0, marks): 0 if best else 1}
        states = self._close(states, ends[0], lines, best)
        for (bag, mark), over in zip(bags, ends[1:], strict=True):
            states = self._close(self._step(states, bag, mark, lines, best), over, lines, best)
        return states

    def _lines(self, fixed: Mapping[Choice, int]) -> list[Count]:
        """Return what is counted: of each row, of each requirement."""
        self._of: list[Row | Demand] = []
        found: list[Count] = []
        for row in self.rows:
            start = sum(row.weight(c) * fixed.get(c, 0) for c in row.of)
            hi = row.hi
            if hi is not None and hi >= sum(row.weight(c) * max(1, fixed.get(c, 0)) for c in row.of):
                hi = None  # it can never be too many
            if row.lo or hi is not None:
                found.append(Count(row.lo, hi, row.or_none, start))
                self._of.append(row)
        for demand in self.met.demands if self.met is not None else ():
            found.append(Count(demand.n, None, False, sum(fixed.get(c, 0) for c in demand.of), demand=True))
            self._of.append(demand)
        return found

    def _bags(
        self, fixed: Mapping[Choice, int], lines: Sequence[Count], best: bool
    ) -> list[tuple[Bag, frozenset[object]]]:
        """Return the open choices, equal ones together, with their marks."""
        of: dict[Choice, list[int]] = {}
        for number, one in enumerate(self._of):
            for choice in one.of:
                # What counts for several is there so often.
                times = one.weight(choice) if isinstance(one, Row) else 1
                of.setdefault(choice, []).extend([number] * times)
        groups: dict[tuple[tuple[int, ...], frozenset[object]], int] = {}
        for choice in self.scene.choices:
            if choice not in fixed and choice not in self.out:
                marks = frozenset[object]() if best else self.marks.get(choice, frozenset())
                key = (tuple(of.get(choice, ())), marks)
                groups[key] = groups.get(key, 0) + 1
        found = [(Bag(columns, size), marks) for (columns, marks), size in groups.items()]
        return [found[at] for at in ordered(len(lines), [bag for bag, _ in found])]

    @staticmethod
    def _step(states: States, bag: Bag, mark: frozenset[object], lines: Sequence[Count], best: bool) -> States:
        after: States = {}
        tops = [(i, lines[i].cap, lines[i].hi) for i in bag.counts]
        for (sums, met, marks), value in states.items():
            for k in range(bag.size + 1):
                new = list(sums)
                over = False
                for i, cap, hi in tops:
                    n = new[i] + k
                    if hi is not None and n > hi:
                        over = True
                        break
                    new[i] = min(cap, n)
                if over:
                    break
                key = (tuple(new), met, marks | mark if k else marks)
                if best:
                    after[key] = max(after.get(key, 0), value)
                else:
                    after[key] = after.get(key, 0) + value * comb(bag.size, k)
        if len(after) > MANY_STATES:
            raise LimitReached("states", MANY_STATES, "declare more of it")
        return after

    @staticmethod
    def _close(states: States, over: Sequence[int], lines: Sequence[Count], best: bool) -> States:
        """Leave out the states that break a count which nothing can change any more; forget what was counted."""
        if not over:
            return states
        after: States = {}
        rows = [i for i in over if not lines[i].demand]
        demands = [i for i in over if lines[i].demand]
        for (sums, met, marks), value in states.items():
            if not all(lines[i].keeps(sums[i]) for i in rows):
                continue
            more = sum(sums[i] >= lines[i].lo for i in demands)
            left = list(sums)
            for i in over:
                left[i] = 0
            if best:
                key = (tuple(left), 0, marks)
                after[key] = max(after.get(key, 0), value + more)
            else:
                key = (tuple(left), met + more, marks)
                after[key] = after.get(key, 0) + value
        return after

    def possible(self, forced: Mapping[Choice, int] | None = None) -> bool:
        """Say whether there is a whole choice."""
        return bool(self.ends(forced))

    def count(self, forced: Mapping[Choice, int] | None = None) -> int:
        """Return how many whole choices there are."""
        return sum(end.count for end in self.ends(forced))


def most_met(scene: Scene, rows: Sequence[Row]) -> int:
    """Return how many requirements can be met together; none where nothing can be chosen at all."""
    return Tally(scene, rows, Met(tuple(scene.demands), 0)).most() or 0


__all__ = ["End", "Met", "Tally", "most_met"]
