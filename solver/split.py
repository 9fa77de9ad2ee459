"""Whose points are given for what, where parts are paid at once: counted, and spelled out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from lawful.model.payment import Spend
from lawful.solver.encode.joint import Cell, Joint, Kind

Room = tuple[int, ...]
Share = tuple[tuple[Cell, int], ...]


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

    def count(self, purses: Sequence[Purse], room: Room) -> int:
        """Return in how many ways the purses fill the cells."""
        kinds = tuple((purse.kind, purse.n) for purse in purses)

        @cache
        def ways(at: int, room: Room) -> int:
            if at == len(kinds):
                return int(not any(room))
            return sum(ways(at + 1, after) for _, after in self.shares(Purse("", "", *kinds[at]), room))

        return ways(0, room)

    def each(self, purses: Sequence[Purse], room: Room, skip: int = 0) -> Iterator[tuple[Spend, ...]]:
        """Yield the ways in which the purses fill the cells, from a rank on."""
        rest = cache(lambda at, room: self.count(purses[at:], room))

        def fill(at: int, room: Room, chosen: tuple[Spend, ...], skip: int) -> Iterator[tuple[Spend, ...]]:
            if at == len(purses):
                yield chosen
                return
            purse = purses[at]
            for share, after in self.shares(purse, room):
                here = rest(at + 1, after)
                if here > skip:
                    mine = tuple(Spend(j, as_, n, purse.thing, purse.source, purse.kind.asset) for (j, as_), n in share)
                    yield from fill(at + 1, after, chosen + mine, skip)
                skip = max(0, skip - here)

        yield from fill(0, room, (), skip)


def in_order(spends: Iterable[Spend], places: Mapping[str, int]) -> tuple[Spend, ...]:
    """Return what is given in order: by part, what is left over last; then as what; then by the source's place."""

    def order(spend: Spend) -> tuple[object, ...]:
        return spend.part < 0, spend.part, spend.as_, places.get(spend.thing, -1), spend.source, spend.asset

    return tuple(sorted(spends, key=order))
