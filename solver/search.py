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
    """So many things that count for the same counts; for one of them as often as it is there."""

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
    """One search. What is asked of a count at every step is laid out in lists: a search takes many steps."""

    def __init__(self, counts: Sequence[Count], bags: Sequence[Bag], need: int) -> None:
        self.bags, self.need = bags, need
        self.los, self.his = [c.lo for c in counts], [c.hi for c in counts]
        self.caps, self.or_none = [c.cap for c in counts], [c.or_none for c in counts]
        self.sums = [c.start for c in counts]
        self.left = [0] * len(counts)
        for bag in bags:
            for i in bag.counts:
                self.left[i] += bag.size
        self.demands = [i for i, c in enumerate(counts) if c.demand]
        self.binds = [not c.demand for c in counts]
        self.open = _open(len(counts), bags)
        self.closed = [
            [i for i in self.demands if i not in open_ and not any(i in bag.counts for bag in bags[at:])]
            for at, open_ in enumerate(map(set, self.open))
        ]  # fmt: skip
        self.met: set[int] = set()

    def run(self, most: int) -> list[int] | None:
        """Go down bag by bag; come back where a count cannot be kept any more."""
        if not all(self._hope(i) for i in range(len(self.los))) or not self._enough():
            return None
        failed: set[tuple[int, ...]] = set()
        taken: list[int] = []
        states: list[tuple[int, ...]] = []
        options: list[list[int]] = []
        while True:
            at = len(taken)
            if at == len(self.bags):
                return taken
            if len(options) == at:
                states.append(self._state(at))
                options.append([] if states[at] in failed else self._options(self.bags[at]))
            if options[at]:
                n = options[at].pop()
                self._take(self.bags[at], n)
                taken.append(n)
                if not (self._hopes(self.bags[at].counts) and self._enough()):
                    self._back(taken)
                continue
            failed.add(states.pop())
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
        sums, caps = self.sums, self.caps
        state = [at]
        for i in self.open[at]:
            n, cap = sums[i], caps[i]
            state.append(n if n < cap else cap)
        if self.demands:
            state.append(sum([sums[i] >= self.los[i] for i in self.closed[at]]))
        return tuple(state)

    def _options(self, bag: Bag) -> list[int]:
        """Return how many may be taken of a bag, the most promising last: as many as something wants, else none."""
        top, wanted = 0, 0
        sums, caps, los = self.sums, self.caps, self.los
        for i in bag.counts:
            n = sums[i]
            top = max(top, caps[i] - n)
            wanted = max(wanted, los[i] - n)
        top = min(top, bag.size)
        for i in bag.counts:
            hi = self.his[i]
            if hi is not None and hi - sums[i] < top:
                top = hi - sums[i]
                self.met.add(i)
        wanted = min(wanted, top)
        if top < 2:
            return list(range(top + 1)) if wanted else list(range(top, -1, -1))
        return sorted(range(top + 1), key=lambda n: -abs(n - wanted))

    def _hopes(self, counts: Sequence[int]) -> bool:
        """Say whether all of these counts can still be kept."""
        for i in counts:  # noqa: SIM110  # this is the inmost loop
            if not self._hope(i):
                return False
        return True

    def _hope(self, i: int) -> bool:
        """Say whether a count can still be kept."""
        if not self.binds[i]:
            return True
        n, hi = self.sums[i], self.his[i]
        enough = n + self.left[i] >= self.los[i] or (self.or_none[i] and n == 0)
        if enough and (hi is None or n <= hi):
            return True
        self.met.add(i)
        return False

    def _enough(self) -> bool:
        """Say whether enough demands can still be met."""
        if not self.need:
            return True
        sums, left, los = self.sums, self.left, self.los
        if sum([sums[i] + left[i] >= los[i] for i in self.demands]) >= self.need:
            return True
        self.met.update(self.demands)
        return False
