"""The fast oracle of reasons: can these rules all be kept? Laid out once, then asked again and again.

Rules are bits. A question whose answer follows from an earlier one is not asked again: what kept more rules is
possible, what contains a set of rules that clash is not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lawful.model.errors import LimitReached
from lawful.solver.encode.declaring import Bound
from lawful.solver.encode.literals import Label
from lawful.solver.encode.scene import Choice
from lawful.solver.search import Bag, Count, found, ordered

MUST = Label("must")
ALWAYS = 1
"""The bit of rows that are no rules; the bits of rules stand above it."""
MANY_STATES = 20_000


@dataclass(frozen=True, slots=True)
class Line:
    """What is counted for a row, or for a requirement: its rule as a bit, and how it is counted."""

    bit: int
    count: Count


class Scenery:
    """One scene, some of whose choices are forced.

    Parameters
    ----------
    bound : Bound
        The scene with its rows.
    bits : mapping of Label to int
        Every rule as a bit.
    forced : mapping of Choice to {0, 1}
        Choices that are made, or not, besides those that the scene fixes.
    """

    def __init__(self, bound: Bound, bits: Mapping[Label, int], forced: Mapping[Choice, int]) -> None:
        fixed = {**bound.scene.fixed, **forced}
        made = {choice for choice, n in fixed.items() if n}
        self.dead = 0
        self.lines: list[Line] = []
        barred: dict[Choice, int] = {}
        counted: dict[Choice, list[int]] = {}
        for row in bound.rows:
            bit = ALWAYS if row.defines else bits[row.label]
            if not row.of:
                self.dead |= bit if row.lo > 0 and not row.or_none else 0
            elif row.hi == 0:
                self.dead |= bit if row.of & made else 0
                for choice in row.of:
                    barred[choice] = barred.get(choice, 0) | bit
            else:
                start = sum(row.weight(choice) * fixed.get(choice, 0) for choice in row.of)
                times = {choice: row.weight(choice) for choice in row.of}
                self._line(bit, Count(row.lo, row.hi, row.or_none, start), times, counted)
        demands, self.need = bound.met if bound.met is not None else ((), 0)
        for demand in demands:
            start = sum(fixed.get(choice, 0) for choice in demand.of)
            times = dict.fromkeys(demand.of, 1)
            self._line(bits[MUST], Count(demand.n, None, False, start, demand=True), times, counted)
        groups: dict[tuple[int, tuple[int, ...]], int] = {}
        for choice in bound.scene.choices:
            if choice not in fixed and choice in counted:
                key = (barred.get(choice, 0), tuple(counted[choice]))
                groups[key] = groups.get(key, 0) + 1
        laid = [(bar, lines, size) for (bar, lines), size in groups.items()]
        order = ordered(len(self.lines), [Bag(lines, size) for _, lines, size in laid])
        self.groups = [laid[at] for at in order]
        self.counts = [line.count for line in self.lines]

    def _line(self, bit: int, count: Count, of: Mapping[Choice, int], counted: dict[Choice, list[int]]) -> None:
        for choice, times in of.items():  # what counts for several is there so often
            counted.setdefault(choice, []).extend([len(self.lines)] * times)
        self.lines.append(Line(bit, count))

    def broken(self, active: int) -> tuple[int | None, int]:
        """Find a choice that keeps the rules whose bits are set.

        Returns
        -------
        int or None, and int
            The rules that it breaks; None where there is none, and then some of the set rules that clash.
        """
        if self.dead & active:
            return None, _lowest(self.dead & active)
        place: dict[int, int] = {}
        for i, line in enumerate(self.lines):
            if line.bit & active:
                place[i] = len(place)
        bags: list[Bag] = []
        which: list[int] = []
        for number, (bar, lines, size) in enumerate(self.groups):
            if not bar & active:
                mine = tuple([place[i] for i in lines if i in place])
                if mine:
                    bags.append(Bag(mine, size))
                    which.append(number)
        counts = [self.counts[i] for i in place]
        need = self.need if any(count.demand for count in counts) else 0
        made, met = found(counts, bags, need, MANY_STATES)
        if made is None:
            live = list(place)
            return None, self._clash(frozenset(live[i] for i in met), active)
        return self._breaks({which[at]: n for at, n in made.items() if n}), 0

    def _clash(self, met: frozenset[int], active: int) -> int:
        """Return the rules of some counts, and for every choice that would help one of them a rule that bars it."""
        clash = 0
        for i in met:
            clash |= self.lines[i].bit
        for bar, lines, _ in self.groups:
            if bar & active and not bar & clash and not met.isdisjoint(lines):
                clash |= _lowest(bar & active)
        return clash

    def _breaks(self, made: Mapping[int, int]) -> int:
        """Return the rules that a choice breaks, by how many are chosen of each group."""
        broken = self.dead
        sums = [line.count.start for line in self.lines]
        for number, n in made.items():
            bar, lines, _ = self.groups[number]
            broken |= bar
            for i in lines:
                sums[i] += n
        met = 0
        for line, n in zip(self.lines, sums, strict=True):
            if line.count.demand:
                met += n >= line.count.lo
            elif not line.count.keeps(n):
                broken |= line.bit
        if met < self.need:
            broken |= next(line.bit for line in self.lines if line.count.demand)
        return broken


class Oracle:
    """All scenes of a question, some of whose choices are forced.

    Parameters
    ----------
    bounds : sequence of Bound
        The scenes with their rows.
    labels : sequence of Label
        The rules, in the order of their numbers.
    forced : mapping of Choice to {0, 1}
        Choices that are made, or not.
    slow : callable
        Asked instead where there are too many states to look at: with the same bits.
    """

    def __init__(
        self,
        bounds: Sequence[Bound],
        labels: Sequence[Label],
        forced: Mapping[Choice, int],
        slow: Callable[[int], bool],
    ) -> None:
        self.slow, self.n = slow, len(labels)
        bits = {label: 2 << i for i, label in enumerate(labels)}
        self.scenes = [
            Scenery(bound, bits, forced)
            for bound in bounds
            if all(choice in bound.scene.fixed or choice in set(bound.scene.choices) for choice in forced)
        ]
        self.kept: list[int] = []
        self.clashes: list[int] = []
        self.known: dict[int, bool] = {}

    def learn(self, clashes: Sequence[int]) -> None:
        """Take note of sets of rules that clash."""
        self.clashes += [clash << 1 for clash in clashes]

    def possible(self, active: int) -> bool:
        """Say whether there is a choice that keeps the rules whose bits are set; nothing is looked for twice."""
        if active not in self.known:
            self.known[active] = self._possible(active << 1 | ALWAYS)
        return self.known[active]

    def core(self, active: int) -> int:
        """Return a part of a set of rules that was found to clash which clashes too."""
        wide = active << 1 | ALWAYS
        return next((clash >> 1 for clash in self.clashes if clash & wide == clash), active)

    def kept_with(self, active: int) -> int:
        """Return all the rules that a choice keeps which keeps these; just these where there is none."""
        if not self.possible(active):
            return active
        wide, everything = active << 1 | ALWAYS, (1 << self.n) - 1
        return next((everything & ~(broken >> 1) for broken in self.kept if not broken & wide), active)

    def _possible(self, active: int) -> bool:
        for broken in self.kept:
            if not broken & active:
                return True
        for clash in self.clashes:
            if clash & active == clash:
                return False
        clash = 0
        for scene in self.scenes:
            try:
                made, why = scene.broken(active)
            except LimitReached:
                return self.slow(active >> 1)
            if made is not None:
                self.kept.insert(0, made)
                return True
            clash |= why
        self.clashes.insert(0, clash)
        return False


def mask(rules: frozenset[int]) -> int:
    """Return rules, by their numbers, as bits."""
    found_ = 0
    for i in rules:
        found_ |= 1 << i
    return found_


def members(rules: int) -> frozenset[int]:
    """Return the numbers of rules that are given as bits."""
    return frozenset(i for i in range(rules.bit_length()) if rules >> i & 1)


def _lowest(bits: int) -> int:
    return bits & -bits
