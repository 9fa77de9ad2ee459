"""Whose points are given for what, where parts are paid at once: counted, and spelled out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from lawful.model.payment import Spend
from lawful.solver.encode.joint import Joint
from lawful.solver.encode.points import Cell, Kind

Room = tuple[int, ...]
Share = tuple[tuple[Cell, int], ...]
Fed = frozenset[tuple[str, str]]  # who pays for whom, of sources that could do so in a circle


@dataclass(frozen=True, slots=True)
class Purse:
    """Points of one source of one object, of one asset.

    Parameters
    ----------
    thing, source : str
        The source; both empty for what floated.
    kind : Kind
        What the points are.
    n : int
        How many.
    """

    thing: str
    source: str
    kind: Kind
    n: int


class Splitter:
    """Splits purses among cells.

    Parameters
    ----------
    joint : Joint
        The parts that are paid at once.
    """

    def __init__(self, joint: Joint) -> None:
        released = frozenset[str]()
        self.cells = tuple(joint.cells)
        # Costs of sources that could pay for each other in a circle; which pays for which has to be remembered.
        self._costs = {j: demand.cost for j, demand in enumerate(joint.demands) if demand.cost in joint.orders[0][0]}
        self._reach = cache(
            lambda kind: tuple(i for i, cell in enumerate(self.cells) if cell in joint.reach(kind, released))
        )

    def shares(self, purse: Purse, room: Room) -> Iterator[tuple[Share, Room]]:
        """Yield the ways in which the points of a purse can be given, with the room left in the cells after."""
        open_ = self._reach(purse.kind)

        def fill(at: int, left: int, room: Room, chosen: Share) -> Iterator[tuple[Share, Room]]:
            if left == 0:
                yield chosen, room
                return
            if at == len(open_):
                return
            i = open_[at]
            for n in range(min(left, room[i]), -1, -1):
                after = (*room[:i], room[i] - n, *room[i + 1 :])
                yield from fill(at + 1, left - n, after, (*chosen, (self.cells[i], n)) if n else chosen)

        yield from fill(0, purse.n, room, ())

    def _fed(self, purse: Purse, share: Share, fed: Fed) -> Fed | None:
        """Return which source pays for which, with one more purse shared out; None if they do so in a circle."""
        payer = purse.kind.not_for
        if payer not in self._costs.values():
            return fed
        fed = fed | {(payer, self._costs[j]) for (j, _), _ in share if j in self._costs}
        left = set(fed)
        while left:
            last = {edge for edge in left if not any(edge[1] == payer for payer, _ in left)}
            if not last:
                return None
            left -= last
        return fed

    def count(self, purses: Sequence[Purse], room: Room, fed: Fed = frozenset()) -> int:
        """Return in how many ways the purses fill the cells."""
        kinds = tuple((purse.kind, purse.n) for purse in purses)

        @cache
        def ways(at: int, room: Room, fed: Fed) -> int:
            if at == len(kinds):
                return int(not any(room))
            purse, found = Purse("", "", *kinds[at]), 0
            for share, after in self.shares(purse, room):
                now = self._fed(purse, share, fed)
                found += 0 if now is None else ways(at + 1, after, now)
            return found

        return ways(0, room, fed)

    def each(self, purses: Sequence[Purse], room: Room, skip: int = 0) -> Iterator[tuple[Spend, ...]]:
        """Yield the ways in which the purses fill the cells, from a rank on."""
        rest = cache(lambda at, room, fed: self.count(purses[at:], room, fed))

        def fill(at: int, room: Room, fed: Fed, chosen: tuple[Spend, ...], skip: int) -> Iterator[tuple[Spend, ...]]:
            if at == len(purses):
                yield chosen
                return
            purse = purses[at]
            for share, after in self.shares(purse, room):
                now = self._fed(purse, share, fed)
                here = 0 if now is None else rest(at + 1, after, now)
                if now is not None and here > skip:
                    mine = tuple(Spend(j, as_, n, purse.thing, purse.source, purse.kind.asset) for (j, as_), n in share)
                    yield from fill(at + 1, after, now, chosen + mine, skip)
                skip = max(0, skip - here)

        yield from fill(0, room, frozenset(), (), skip)


def in_order(spends: Iterable[Spend], places: Mapping[str, int]) -> tuple[Spend, ...]:
    """Return what is given in order: by part, what is left over last; then as what; then by the source's place."""

    def order(spend: Spend) -> tuple[object, ...]:
        return spend.part < 0, spend.part, spend.as_, places.get(spend.thing, -1), spend.source, spend.asset

    return tuple(sorted(spends, key=order))
