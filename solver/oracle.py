"""The fast oracle of reasons: can these rules all be kept? Laid out once, then asked again and again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lawful.model.errors import LimitReached
from lawful.solver.encode.declaring import Bound
from lawful.solver.encode.literals import Label
from lawful.solver.encode.scene import Choice

MUST = Label("must")
MANY_STATES = 1_000


@dataclass(frozen=True, slots=True)
class Line:
    """What is counted for a row, or for a requirement: its rule as a bit, its bounds, how many are fixed already."""

    bit: int
    lo: int
    hi: int | None
    or_none: bool
    start: int
    cap: int


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
            bit = bits[row.label]
            if not row.of:
                self.dead |= bit if row.lo > 0 and not row.or_none else 0
            elif row.hi == 0:
                self.dead |= bit if row.of & made else 0
                for choice in row.of:
                    barred[choice] = barred.get(choice, 0) | bit
            else:
                start = sum(fixed.get(choice, 0) for choice in row.of)
                cap = max(row.lo, 0 if row.hi is None else row.hi + 1)
                for choice in row.of:
                    counted.setdefault(choice, []).append(len(self.lines))
                self.lines.append(Line(bit, row.lo, row.hi, row.or_none, min(start, cap), cap))
        self.rows = len(self.lines)
        self.need = 0
        demands, self.need = bound.met if bound.met is not None else ((), 0)
        for demand in demands:
            start = min(demand.n, sum(fixed.get(choice, 0) for choice in demand.of))
            for choice in demand.of:
                counted.setdefault(choice, []).append(len(self.lines))
            self.lines.append(Line(bits[MUST], demand.n, None, False, start, demand.n))
        groups: dict[tuple[int, tuple[int, ...]], int] = {}
        for choice in bound.scene.choices:
            if choice not in fixed and choice in counted:
                key = (barred.get(choice, 0), tuple(counted[choice]))
                groups[key] = groups.get(key, 0) + 1
        self.groups = sorted(((bar, lines, size) for (bar, lines), size in groups.items()), key=lambda g: g[1])

    def possible(self, active: int) -> bool:
        """Say whether there is a choice that keeps the rules whose bits are set."""
        if self.dead & active:
            return False
        live = [i for i, line in enumerate(self.lines) if line.bit & active]
        if not live:
            return True
        place = {i: at for at, i in enumerate(live)}
        states = {tuple(self.lines[i].start for i in live)}
        for bar, lines, size in self.groups:
            columns = [] if bar & active else [(place[i], self.lines[i]) for i in lines if i in place]
            if not columns:
                continue
            most = min(size, max(line.cap for _, line in columns))
            states = self._grown(states, columns, most)
            if len(states) > MANY_STATES:
                raise LimitReached("states", MANY_STATES, "declare more of it")
        return any(self._kept(sums, live) for sums in states)

    @staticmethod
    def _grown(
        states: set[tuple[int, ...]], columns: Sequence[tuple[int, Line]], most: int
    ) -> set[tuple[int, ...]]:  # fmt: skip
        after = set(states)
        for sums in states:
            now = list(sums)
            for _ in range(most):
                over = False
                for at, line in columns:
                    if now[at] < line.cap:
                        now[at] += 1
                    over = over or (line.hi is not None and now[at] > line.hi)
                if over:
                    break
                after.add(tuple(now))
        return after

    def _kept(self, sums: tuple[int, ...], live: Sequence[int]) -> bool:
        met, asked = 0, False
        for n, i in zip(sums, live, strict=True):
            line = self.lines[i]
            if i >= self.rows:
                asked = True
                met += n >= line.lo
            elif (n < line.lo and not (line.or_none and n == 0)) or (line.hi is not None and n > line.hi):
                return False
        return not asked or met >= self.need


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
        self.slow = slow
        bits = {label: 1 << i for i, label in enumerate(labels)}
        self.scenes = [
            Scenery(bound, bits, forced)
            for bound in bounds
            if all(choice in bound.scene.fixed or choice in set(bound.scene.choices) for choice in forced)
        ]
        self.known: dict[int, bool] = {}

    def possible(self, active: int) -> bool:
        """Say whether there is a choice that keeps the rules whose bits are set; each question is asked once."""
        if active not in self.known:
            try:
                self.known[active] = any(scene.possible(active) for scene in self.scenes)
            except LimitReached:
                self.known[active] = self.slow(active)
        return self.known[active]


def mask(rules: frozenset[int]) -> int:
    """Return rules, by their numbers, as bits."""
    found = 0
    for i in rules:
        found |= 1 << i
    return found
