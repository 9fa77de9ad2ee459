"""Effects with the same timestamp: where their order decides, and nobody is said to choose it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, permutations

from lawful.model.effect import Modifier, Norm
from lawful.model.ordered import Silence
from lawful.model.position import Position
from lawful.solver.order.applying import Applying, reads, writes
from lawful.solver.order.board import Board, Boards, Effect, base_board

MOST = 5
POSITIONS = 2_000  # as many are looked at
LIMIT = "limit"


def stamp_silences(boards: Boards, positions: Iterable[Position]) -> Iterator[Silence]:
    """Yield groups of effects of one timestamp and stage whose order decides what objects are.

    Parameters
    ----------
    boards : Boards
        The rules.
    positions : iterable of Position
        Every one that can come about.

    Yields
    ------
    Silence
        Each group once; about `LIMIT` where that could not be found out.

    Notes
    -----
    Effects that touch no common fact, and those that only add, are not ordered. Up to five of those that are left are
    tried in every order; of more, every two are exchanged, and where that changes nothing it is not known.

    References
    ----------
    CR 6.3.4b lets the active player choose; 513.1 is silent.
    """
    if boards.rules.ordering.stamp_ties != "silent":
        return
    told: set[tuple[str, ...]] = set()
    open_: set[tuple[str, ...]] = set()
    seen: set[object] = set()
    for position in positions:
        key = (position.things, position.players, position.lasting)
        if key in seen:
            continue
        seen.add(key)
        for group, there in _groups(boards, position):
            keys = tuple(e.key for e in group)
            if keys in told or len(seen) > POSITIONS:
                open_.update({keys} - told)
                continue
            if _decides(boards, position, there, group):
                told.add(keys)
                yield Silence("effects.stamps", keys)
            elif len(group) > MOST:
                open_.add(keys)
    yield from (Silence(LIMIT, keys) for keys in sorted(open_ - told))


def _groups(boards: Boards, position: Position) -> Iterator[tuple[list[Effect], list[Effect]]]:
    """Yield the groups of one timestamp and stage that may disturb each other, and all that is there."""
    there = [e for e in boards.effects(position) if not isinstance(e.what, Norm)]
    there = [e for e in there if not (isinstance(e.what, Modifier) and e.what.modify.partition(".")[0] == "cost")]
    groups: dict[tuple[int, int, str], list[Effect]] = {}
    for e in there:
        groups.setdefault((e.round, e.stamp, e.stage), []).append(e)
    floors = {stage.name: stage.floor for stage in boards.rules.stages}
    for (_, _, stage), alike in groups.items():
        if len(alike) > 1:
            for group in _touching(alike, boards, floors.get(stage) is None):
                yield group, there


def _decides(boards: Boards, position: Position, there: list[Effect], group: list[Effect]) -> bool:
    first = _board(boards, position, there, group, group)
    ends = (_board(boards, position, there, group, order) for order in _orders(group))
    return any((b.numbers, b.types, b.mute) != (first.numbers, first.types, first.mute) for b in ends)


def _orders(group: list[Effect]) -> Iterator[list[Effect]]:
    if len(group) <= MOST:
        yield from map(list, permutations(group))
        return
    for a, b in combinations(range(len(group)), 2):
        order = list(group)
        order[a], order[b] = order[b], order[a]
        yield order


def _touching(alike: list[Effect], boards: Boards, free: bool) -> list[list[Effect]]:
    """Return the groups of effects that may disturb each other; `free`: their stage has no floor."""
    import networkx as nx

    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(len(alike)))
    for a, b in combinations(range(len(alike)), 2):
        one, two = alike[a], alike[b]
        only_add = (
            free
            and not boards.raises
            and all(isinstance(e.what, Modifier) and e.what.operation in ("add", "subtract") for e in (one, two))
        )
        into = writes(one) & reads(two, boards.grants) or writes(two) & reads(one, boards.grants)
        if into or (not only_add and writes(one) & writes(two)):
            graph.add_edge(a, b)
    parts = [sorted(part) for part in nx.connected_components(graph) if len(part) > 1]
    return [[alike[n] for n in part] for part in parts]


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
