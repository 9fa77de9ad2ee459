"""Counts the choices of a scene, and asks quickly whether there is one: equal objects together, one after the other.

The state is what the rows still need to know: how many of their choices were made. It is an exact count, and it is the
fast oracle of reasons; CP-SAT has the last word on each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from math import comb

from lawful.model.errors import LimitReached
from lawful.solver.encode.scene import Choice, Demand, Row, Scene

MANY_STATES = 50_000


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
        fixed = {**self.scene.fixed, **(forced or {})}
        made = {c for c, n in fixed.items() if n}
        if self.dead or made & self.out:
            return []
        bounds = self._bounds(fixed)
        demands = self.met.demands if self.met is not None else ()
        start = tuple(min(cap, sum(fixed.get(c, 0) for c in of)) for of, cap, _ in bounds)
        marks = frozenset().union(*(self.marks.get(c, frozenset()) for c in made))
        states: dict[tuple[tuple[int, ...], frozenset[object]], int] = {(start, marks): 1}
        for columns, mark, size in self._groups(fixed, bounds):
            states = self._step(states, columns, mark, size, bounds)
            if not states:
                return []
        found: dict[frozenset[object], int] = {}
        for (sums, marks), count in states.items():
            if self._kept(sums, bounds, len(demands)):
                found[marks] = found.get(marks, 0) + count
        return [End(marks, count) for marks, count in found.items()]

    def _bounds(self, fixed: Mapping[Choice, int]) -> list[tuple[frozenset[Choice], int, Row | None]]:
        """Return what is counted: choices, up to where it matters, and the row; None of a requirement."""
        found: list[tuple[frozenset[Choice], int, Row | None]] = []
        for row in self.rows:
            cap = max(row.lo, 0 if row.hi is None else row.hi + 1)
            if row.hi is not None and row.hi >= len(row.of) + sum(max(0, fixed.get(c, 0) - 1) for c in row.of):
                cap = row.lo
            if cap:
                found.append((row.of, cap, row))
        found += [(d.of, d.n, None) for d in (self.met.demands if self.met is not None else ())]
        return found

    def _groups(
        self, fixed: Mapping[Choice, int], bounds: Sequence[tuple[frozenset[Choice], int, Row | None]]
    ) -> list[tuple[tuple[int, ...], frozenset[object], int]]:
        """Return the open choices, equal ones together: the rows that count them, their marks, how many there are."""
        of: dict[Choice, list[int]] = {}
        for number, (choices, _, _) in enumerate(bounds):
            for choice in choices:
                of.setdefault(choice, []).append(number)
        groups: dict[tuple[tuple[int, ...], frozenset[object]], int] = {}
        for choice in self.scene.choices:
            if choice not in fixed and choice not in self.out:
                key = (tuple(of.get(choice, ())), self.marks.get(choice, frozenset()))
                groups[key] = groups.get(key, 0) + 1
        return [(columns, mark, size) for (columns, mark), size in sorted(groups.items(), key=lambda g: g[0][0])]

    @staticmethod
    def _step(
        states: dict[tuple[tuple[int, ...], frozenset[object]], int],
        columns: tuple[int, ...],
        mark: frozenset[object],
        size: int,
        bounds: Sequence[tuple[frozenset[Choice], int, Row | None]],
    ) -> dict[tuple[tuple[int, ...], frozenset[object]], int]:
        after: dict[tuple[tuple[int, ...], frozenset[object]], int] = {}
        tops = [(i, bounds[i][1], _hi(bounds[i][2])) for i in columns]
        for (sums, marks), count in states.items():
            for k in range(size + 1):
                if k == 0:
                    key = (sums, marks)
                else:
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
                    key = (tuple(new), marks | mark)
                after[key] = after.get(key, 0) + count * comb(size, k)
        if len(after) > MANY_STATES:
            raise LimitReached("states", MANY_STATES, "declare more of it")
        return after

    def _kept(
        self, sums: tuple[int, ...], bounds: Sequence[tuple[frozenset[Choice], int, Row | None]], demands: int
    ) -> bool:
        met = 0
        for n, (_, cap, row) in zip(sums, bounds, strict=True):
            if row is None:
                met += n >= cap
            elif (n < row.lo and not (row.or_none and n == 0)) or (row.hi is not None and n > row.hi):
                return False
        # A row with nothing to count but a lower bound is never kept: its choices are all out.
        return self.met is None or met >= min(self.met.n, demands)

    def possible(self, forced: Mapping[Choice, int] | None = None) -> bool:
        """Say whether there is a whole choice."""
        return bool(self.ends(forced))

    def count(self, forced: Mapping[Choice, int] | None = None) -> int:
        """Return how many whole choices there are."""
        return sum(end.count for end in self.ends(forced))


def _hi(row: Row | None) -> int | None:
    return None if row is None else row.hi


def most_met(scene: Scene, rows: Sequence[Row], among: Set[tuple[str, str]] | None = None) -> int:
    """Return how many requirements can be met together; none where nothing can be chosen at all."""
    demands = tuple(d for d in scene.demands if among is None or d.key in among)
    for n in range(len(demands), 0, -1):
        if Tally(scene, rows, Met(demands, n)).possible():
            return n
    return 0


__all__ = ["End", "Met", "Tally", "most_met"]
