"""Effects with the same timestamp: where their order decides, and nobody is said to choose it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from lawful.model.effect import Modifier, Norm
from lawful.model.ordered import Silence
from lawful.model.position import Position
from lawful.solver.order.applying import Applying
from lawful.solver.order.board import Board, Boards, Effect, base_board

MOST = 5


def stamp_silences(boards: Boards, position: Position) -> Iterator[Silence]:
    """Yield groups of effects of one timestamp and stage whose order decides what objects are.

    References
    ----------
    CR 6.3.4b lets the active player choose; 513.1 is silent.
    """
    if boards.rules.ordering.stamp_ties != "silent":
        return
    there = [e for e in boards.effects(position) if not isinstance(e.what, Norm)]
    there = [e for e in there if not (isinstance(e.what, Modifier) and e.what.modify.partition(".")[0] == "cost")]
    groups: dict[tuple[int, int, str], list[Effect]] = {}
    for e in there:
        groups.setdefault((e.round, e.stamp, e.stage), []).append(e)
    for group in groups.values():
        if 2 <= len(group) <= MOST:
            ends = [_board(boards, position, there, group, list(order)) for order in permutations(group)]
            if any((b.numbers, b.types, b.mute) != (ends[0].numbers, ends[0].types, ends[0].mute) for b in ends):
                yield Silence("effects.stamps", tuple(dict.fromkeys(e.key for e in group)))


def _board(boards: Boards, position: Position, there: list[Effect], group: list[Effect], order: list[Effect]) -> Board:
    """Return the board with the effects of one group in another order."""
    turn = iter(order)
    keys = {e.key for e in group}
    effects = [next(turn) if e.key in keys else e for e in there]
    board = base_board(position, boards)
    for round_ in range(3):
        Applying(boards, position, [e for e in effects if e.round == round_]).run(board)
        if round_ == 1:
            for (id, name), n in list(board.numbers.items()):
                if name.startswith("base."):
                    board.numbers[id, name.removeprefix("base.")] = n
    return board
