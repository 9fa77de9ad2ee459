"""Is there a choice that keeps these counts: depth first, with the counts that can still change as the state.

Things that count for the same are one bag, of which only the number taken matters. A count that no bag left can change
is closed; what failed once with the same open counts is not tried again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lawful.model.errors import LimitReached


@dataclass(frozen=True, slots=True)
class Count:
    """Bounds on how many are taken.

    Parameters
    ----------
    lo, hi : int, optional
        The bounds.
    or_none : bool
        Whether none at all is allowed too.
    start : int
        How many are taken already.
    demand : bool
        Whether it may fail, and only counts as met or not.
    """

    lo: int
    hi: int | None = None
    or_none: bool = False
    start: int = 0
    demand: bool = False

    @property
    def cap(self) -> int:
        """From where on more makes no difference."""
        return max(self.lo, 0 if self.hi is None else self.hi + 1, 1 if self.or_none else 0)

    def keeps(self, n: int) -> bool:
        """Say whether so many are within the bounds."""
        return (n >= self.lo or (self.or_none and n == 0)) and (self.hi is None or n <= self.hi)


@dataclass(frozen=True, slots=True)
class Bag:
    """So many things that count for the same counts."""

    counts: tuple[int, ...]
    size: int


def ordered(counts: int, bags: Sequence[Bag]) -> list[int]:
    """Return the numbers of bags in an order in which counts close early: those of few bags together."""
    wide = [0] * counts
    for bag in bags:
        for i in bag.counts:
            wide[i] += 1
    return sorted(range(len(bags)), key=lambda b: (sorted((wide[i], i) for i in bags[b].counts), b))


def _open(counts: int, bags: Sequence[Bag]) -> list[tuple[int, ...]]:
    """Return, before each bag and after the last, which counts are open: some bag was seen, and some is left."""
    last = [-1] * counts
    for at, bag in enumerate(bags):
        for i in bag.counts:
            last[i] = at
    seen: dict[int, None] = {}
    found: list[tuple[int, ...]] = [()]
    for at, bag in enumerate(bags):
        for i in bag.counts:
            if last[i] > at:
                seen[i] = None
            else:
                seen.pop(i, None)
        found.append(tuple(seen))
    return found


def found(
    counts: Sequence[Count], bags: Sequence[Bag], need: int, most: int
) -> tuple[Mapping[int, int] | None, frozenset[int]]:
    """Find a choice, or counts that cannot be kept together.

    Parameters
    ----------
    counts : sequence of Count
        What must be kept; of those that are demands, `need` must be met.
    bags : sequence of Bag
        What can be taken; it is tried in this order (see `ordered`).
    need : int
        How many demands.
    most : int
        How many failures are remembered before giving up.

    Returns
    -------
    mapping of int to int or None, and frozenset of int
        How many of each bag are taken; None if there is no choice. Then the counts that the search met as it failed:
        no choice keeps these alone, with these bags. A demand among them stands for all demands.

    Raises
    ------
    LimitReached
        If there were more failures.

    Examples
    --------
    >>> found([Count(2, 2)], [Bag((0,), 1), Bag((0,), 3)], 0, 100)[0]
    {0: 1, 1: 1}
    >>> found([Count(2, 2), Count(0, 5)], [Bag((0, 1), 1)], 0, 100)
    (None, frozenset({0}))
    """
    search = _Search(counts, bags, need)
    made = search.run(most)
    return (None, frozenset(search.met)) if made is None else (dict(enumerate(made)), frozenset())


class _Search:
    def __init__(self, counts: Sequence[Count], bags: Sequence[Bag], need: int) -> None:
        self.counts, self.bags, self.need = counts, bags, need
        self.sums = [c.start for c in counts]
        self.left = [0] * len(counts)
        for bag in bags:
            for i in bag.counts:
                self.left[i] += bag.size
        self.demands = [i for i, c in enumerate(counts) if c.demand]
        self.open = _open(len(counts), bags)
        self.met: set[int] = set()

    def run(self, most: int) -> list[int] | None:
        """Go down bag by bag; come back where a count cannot be kept any more."""
        if not all(map(self._hope, range(len(self.counts)))) or not self._enough():
            return None
        failed: set[tuple[int, ...]] = set()
        taken: list[int] = []
        options: list[list[int]] = []
        while True:
            at = len(taken)
            if at == len(self.bags):
                return taken
            if len(options) == at:
                known = self._state(at) in failed
                options.append([] if known else self._options(self.bags[at]))
            if options[at]:
                n = options[at].pop()
                self._take(self.bags[at], n)
                taken.append(n)
                if not (all(map(self._hope, self.bags[at].counts)) and self._enough()):
                    self._back(taken)
                continue
            failed.add(self._state(at))
            if len(failed) > most:
                raise LimitReached("states", most, "declare more of it")
            options.pop()
            if not taken:
                return None
            self._back(taken)

    def _take(self, bag: Bag, n: int) -> None:
        for i in bag.counts:
            self.sums[i] += n
            self.left[i] -= bag.size

    def _back(self, taken: list[int]) -> None:
        n, bag = taken.pop(), self.bags[len(taken)]
        for i in bag.counts:
            self.sums[i] -= n
            self.left[i] += bag.size

    def _state(self, at: int) -> tuple[int, ...]:
        sums, counts = self.sums, self.counts
        state = [at]
        for i in self.open[at]:
            state.append(min(sums[i], counts[i].cap))
        if self.demands:
            open_ = set(self.open[at])
            state.append(sum(sums[i] >= counts[i].lo for i in self.demands if i not in open_ and not self.left[i]))
        return tuple(state)

    def _options(self, bag: Bag) -> list[int]:
        """Return how many may be taken of a bag, the most promising last: as many as something wants, else none."""
        top, wanted = 0, 0
        for i in bag.counts:
            count, n = self.counts[i], self.sums[i]
            top = max(top, count.cap - n)
            if n < count.lo:
                wanted = max(wanted, count.lo - n)
        top = min(top, bag.size)
        for i in bag.counts:
            hi = self.counts[i].hi
            if hi is not None and hi - self.sums[i] < top:
                top = hi - self.sums[i]
                self.met.add(i)
        wanted = min(wanted, top)
        return sorted(range(top + 1), key=lambda n: -abs(n - wanted))

    def _hope(self, i: int) -> bool:
        """Say whether a count can still be kept."""
        count, n = self.counts[i], self.sums[i]
        if count.demand:
            return True
        enough = n + self.left[i] >= count.lo or (count.or_none and n == 0)
        if enough and (count.hi is None or n <= count.hi):
            return True
        self.met.add(i)
        return False

    def _enough(self) -> bool:
        """Say whether enough demands can still be met."""
        if not self.need:
            return True
        counts, sums, left = self.counts, self.sums, self.left
        if sum(sums[i] + left[i] >= counts[i].lo for i in self.demands) >= self.need:
            return True
        self.met.update(self.demands)
        return False
