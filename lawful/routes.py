"""From places to points: how high rows are, where edges run, where their reasons stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from lawful.graphwalk import Line
from lawful.layout import Plan

NODE, EDGE, GUTTER, LANE, SLOT, GAP = 220, 24, 36, 9, 16, 46


@dataclass(slots=True)
class Arrow:
    """All edges from one node to another: one line, several reasons."""

    from_: str
    to: str
    lines: list[Line]
    path: str = ""
    spots: list[tuple[int, int]] = field(default_factory=list)
    lane: int = 0
    slot: int = 0


class Routes:
    """Points for a plan.

    Parameters
    ----------
    plan : Plan
        Rows and columns.
    heights : mapping of str to int
        How high each node is.
    lines : sequence of Line
        The edges.
    written : bool
        Whether reasons are written in full, each in a line of its own; else they are numbers that may stand beside each
        other.
    """

    def __init__(self, plan: Plan, heights: Mapping[str, int], lines: Sequence[Line], written: bool) -> None:
        self.plan, self.heights, self.written = plan, heights, written
        pairs: dict[tuple[str, str], Arrow] = {}
        for line in lines:
            pairs.setdefault((line.from_, line.to), Arrow(line.from_, line.to, [])).lines.append(line)
        self.arrows = list(pairs.values())
        self.left: list[int] = []
        self.top: list[int] = []
        self.low: list[int] = []
        self._columns()
        self._rows()
        self._ports()
        for arrow in self.arrows:
            self._route(arrow)

    @property
    def width(self) -> int:
        """The width of all."""
        return self.left[-1] + EDGE

    @property
    def height(self) -> int:
        """The height of all."""
        return self.low[-1] + EDGE if self.low else 2 * EDGE

    def box(self, id: str) -> tuple[int, int]:
        """Return the left upper corner of a node."""
        row, column = self.plan.at[id]
        return self._x(column), self.top[row]

    def _x(self, column: int) -> int:
        return self.left[column + 1] - NODE

    # lanes: an edge that passes rows runs in the gutter beside a column

    def _gutter(self, arrow: Arrow) -> int | None:
        (r1, c1), (r2, c2) = self.plan.at[arrow.from_], self.plan.at[arrow.to]
        if r2 == r1 + 1 or (r1 == r2 and c1 != c2):
            return None
        if arrow.from_ == arrow.to or r2 < r1:
            return c1 + 1
        return c2 if c2 > c1 else c2 + 1

    def _columns(self) -> None:
        used = [0] * (self.plan.columns + 1)
        for arrow in self.arrows:
            gutter = self._gutter(arrow)
            if gutter is not None:
                arrow.lane = used[gutter]
                used[gutter] += 1
        # left[c] is where the gutter of column c begins, after all before it
        self.left = [EDGE]
        for column in range(self.plan.columns):
            room = LANE * used[column] + (GUTTER if used[column] or column else 0)
            self.left.append(self.left[-1] + room + NODE)
        self.left.append(self.left[-1] + (LANE * used[-1] + GUTTER if used[-1] else 0))

    def _lane(self, arrow: Arrow) -> int:
        gutter = self._gutter(arrow) or 0
        return self.left[gutter] + GUTTER // 2 + LANE * arrow.lane

    # rows: between them there is room for the reasons

    def _gap(self, arrow: Arrow) -> int:
        """Return the row below which the reasons of an edge stand; -1 is above the first."""
        (r1, _), (r2, _) = self.plan.at[arrow.from_], self.plan.at[arrow.to]
        return r2 - 1 if r2 > r1 else r1 - 1 if r2 < r1 else r1

    def _rows(self) -> None:
        slots = [0] * (self.plan.rows + 1)
        for arrow in self.arrows:
            gap = self._gap(arrow)
            arrow.slot = slots[gap + 1]
            slots[gap + 1] += len(arrow.lines) if self.written else 1
        y = EDGE
        for row in range(self.plan.rows):
            self.top.append(y)
            high = max(self.heights[id] for id, (r, _) in self.plan.at.items() if r == row)
            self.low.append(y + high)
            rows = slots[row + 1] if self.written else min(slots[row + 1], 5)
            y += high + (GAP + SLOT * rows if row + 1 < self.plan.rows else SLOT * rows)
        if self.low:
            self.low[-1] = max(self.low[-1], y)

    def _ports(self) -> None:
        """Spread what leaves and what enters over the width of a node, by where it comes from and goes to."""
        self.out: dict[tuple[str, str], int] = {}
        self.into: dict[tuple[str, str], int] = {}
        for ports, own, other in ((self.out, "from_", "to"), (self.into, "to", "from_")):
            by: dict[str, list[Arrow]] = {}
            for arrow in self.arrows:
                by.setdefault(getattr(arrow, own), []).append(arrow)
            for id, arrows in by.items():
                arrows.sort(key=lambda a: (self._where(a, other), self.plan.at[getattr(a, other)][0]))
                for n, arrow in enumerate(arrows, 1):
                    ports[arrow.from_, arrow.to] = self.box(id)[0] + NODE * n // (len(arrows) + 1)

    def _where(self, arrow: Arrow, end: str) -> int:
        return self._lane(arrow) if self._gutter(arrow) is not None else self.box(getattr(arrow, end))[0]

    # paths

    def _route(self, arrow: Arrow) -> None:
        (r1, c1), (r2, c2) = self.plan.at[arrow.from_], self.plan.at[arrow.to]
        x1, x2 = self.out[arrow.from_, arrow.to], self.into[arrow.from_, arrow.to]
        y1, y2 = self.top[r1] + self.heights[arrow.from_], self.top[r2]
        if arrow.from_ == arrow.to:
            self._loop(arrow, self._x(c1) + NODE, self.top[r1], self.heights[arrow.from_])
        elif r2 == r1 + 1:
            self._curve(arrow, f"M{x1} {y1}", (x1, y1), (x2, y2))
        elif r2 > r1:
            lane, one, two = self._lane(arrow), self.top[r1 + 1] - 8, self._bottom(r2 - 1) + 8
            middle = (y1 + one) // 2
            self._curve(arrow, f"M{x1} {y1}C{x1} {middle} {lane} {middle} {lane} {one}V{two}", (lane, two), (x2, y2))
        elif r2 == r1:
            deep = self._bottom(r1) + 20 + SLOT * arrow.slot
            y2 = self.top[r2] + self.heights[arrow.to]
            arrow.path = f"M{x1} {y1}C{x1} {deep} {x2} {deep} {x2} {y2}"
            self._write(arrow, r1, lambda _: (x1 + x2) // 2)
        else:
            self._up(arrow, c1, c2, x2)

    def _bottom(self, row: int) -> int:
        """Return where the boxes of a row end."""
        return max(self.top[row] + self.heights[id] for id, (r, _) in self.plan.at.items() if r == row)

    def _loop(self, arrow: Arrow, x: int, y: int, high: int) -> None:
        lane, low, top = self._lane(arrow), y + high - 12, y + 12
        arrow.path = f"M{x} {low}C{lane + 6} {low} {lane + 6} {top} {x} {top}"
        self._write(arrow, self.plan.at[arrow.from_][0], lambda _: x)

    def _up(self, arrow: Arrow, c1: int, c2: int, x2: int) -> None:
        """Leave at the right side, go up in the lane, and come in from the right, or from below in another column."""
        (r1, _), (r2, _) = self.plan.at[arrow.from_], self.plan.at[arrow.to]
        lane, x = self._lane(arrow), self._x(c1) + NODE
        y1 = self.top[r1] + self.heights[arrow.from_] // 2 + arrow.lane % 5 * 3
        y2 = self.top[r2] + self.heights[arrow.to] // 2 - arrow.lane % 5 * 3
        start = f"M{x} {y1}H{lane - 6}Q{lane} {y1} {lane} {y1 - 6}"
        if c1 == c2:
            arrow.path = f"{start}V{y2 + 6}Q{lane} {y2} {lane - 6} {y2}H{x}"
        else:
            low, turn = self.top[r2] + self.heights[arrow.to], self._bottom(r2) + 30
            arrow.path = f"{start}V{turn + 10}C{lane} {low + 6} {x2} {turn + 10} {x2} {low}"
        self._write(arrow, r1 - 1, lambda _: lane)

    def _curve(self, arrow: Arrow, before: str, one: tuple[int, int], two: tuple[int, int]) -> None:
        (x1, y1), (x2, y2) = one, two
        middle = (y1 + y2) // 2
        if before.count("C"):
            arrow.path = f"{before}C{x1} {middle} {x2} {middle} {x2} {y2}"
        else:
            arrow.path = f"M{x1} {y1}C{x1} {middle} {x2} {middle} {x2} {y2}"
        self._write(arrow, self.plan.at[arrow.to][0] - 1, lambda y: _at(y, x1, y1, x2, y2))

    def _write(self, arrow: Arrow, gap: int, x: Callable[[int], int]) -> None:
        """Say where the reasons stand: each in its own line, or numbers one below the other five times."""
        top = self._bottom(gap) + 26
        for n in range(len(arrow.lines) if self.written else 1):
            slot = arrow.slot + n if self.written else arrow.slot % 5
            y = top + SLOT * slot
            arrow.spots.append((x(y), y))


def _at(y: int, x1: int, y1: int, x2: int, y2: int) -> int:
    """Return where the curve between two points, straight at both ends, is at a height."""
    middle = (y1 + y2) / 2
    low, high = 0.0, 1.0
    for _ in range(24):
        t = (low + high) / 2
        u = 1 - t
        if u**3 * y1 + 3 * u * u * t * middle + 3 * u * t * t * middle + t**3 * y2 < y:
            low = t
        else:
            high = t
    t = (low + high) / 2
    u = 1 - t
    return round(u**3 * x1 + 3 * u * u * t * x1 + 3 * u * t * t * x2 + t**3 * x2)
