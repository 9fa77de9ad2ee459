"""Ways by what they are worth, the best first, from any rank on: nothing before it is walked.

For every node, how many ways of each worth go on from it is a sum over its edges. So the worths that occur are known
with their numbers, and the ways of one worth are paths along which what is still to be gained can be gained.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lawful.model.limits import Clock
from lawful.solver.dd.best import Worth
from lawful.solver.dd.building import OverBudget, Row
from lawful.solver.diagram import Path

SOME = 4096  # nodes after which the clock is read


class Ranked:
    """The ways of a diagram, the best first; those that are worth the same in canonical order.

    Parameters
    ----------
    rows : sequence of sequences of Row
        The nodes of every layer, as in a diagram.
    values : sequence of sequences of Worth
        What each label of each layer is worth.
    times : sequence of sequences of int
        The weight of each label; a way weighs the product, times the weight of its end.
    ends : sequence of (int, Worth)
        Weight and worth of every end.
    entries : int
        Numbers that may be held.
    clock : Clock
        Time for it.

    Raises
    ------
    OverBudget
        If there would be more numbers, or it takes too long.
    """

    def __init__(
        self,
        rows: Sequence[Sequence[Row]],
        values: Sequence[Sequence[Worth]],
        times: Sequence[Sequence[int]],
        ends: Sequence[tuple[int, Worth]],
        entries: int,
        clock: Clock,
    ) -> None:
        self._rows, self._values, self._times, self._clock = rows, values, times, clock
        level = [{worth: weight} for weight, worth in ends]
        self._below: list[list[dict[Worth, int]]] = [level]
        held = 0
        for nodes, value, weights in zip(reversed(rows), reversed(values), reversed(times), strict=True):
            after, level = level, []
            for at, row in enumerate(nodes):
                mine: dict[Worth, int] = {}
                for n, child in row:
                    more, weight = value[n], weights[n]
                    for worth, ways in after[child].items():
                        whole = tuple(a + b for a, b in zip(worth, more, strict=True))
                        mine[whole] = mine.get(whole, 0) + weight * ways
                level.append(mine)
                held += len(mine)
                if held > entries:
                    raise OverBudget("nodes", entries)
                if not at % SOME and clock.over:
                    raise OverBudget("seconds", clock.seconds)
            self._below.append(level)
        self._below.reverse()

    def paths(self, skip: int = 0) -> Iterator[tuple[Path, int]]:
        """Yield the ways after so much weight, each with what is left to pass over of its own."""
        if not self._rows[0]:
            return
        for worth in sorted(self._below[0][0], reverse=True):
            here = self._below[0][0][worth]
            if here <= skip:
                skip -= here
                continue
            yield from self._of(worth, skip)
            skip = 0

    def _of(self, worth: Worth, skip: int) -> Iterator[tuple[Path, int]]:
        """Yield the ways of one worth."""
        stack: list[tuple[Path, int, Worth, int]] = [((), 0, worth, 1)]
        steps = 0
        while stack:
            path, node, needed, weight = stack.pop()
            i = len(path)
            if skip:
                here = weight * self._below[i][node][needed]
                if here <= skip:
                    skip -= here
                    continue
            if i == len(self._rows):
                yield path, skip
                skip = 0
                continue
            steps += 1
            if not steps % SOME:
                self._clock.check("listing")
            after, value, times = self._below[i + 1], self._values[i], self._times[i]
            for n, child in reversed(self._rows[i][node]):
                rest = tuple(a - b for a, b in zip(needed, value[n], strict=True))
                if rest in after[child]:
                    stack.append(((*path, n), child, rest, weight * times[n]))
