"""Static effects whose conditions depend on each other: circles, and what can be in force in them."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from lawful.model.effect import Grant, Modifier, Norm
from lawful.model.expression import Ref
from lawful.model.ordered import Knot
from lawful.model.position import Position
from lawful.solver.order.applying import applied, writes
from lawful.solver.order.board import Board, Boards, Effect
from lawful.solver.order.facts import named
from lawful.solver.order.network import Network, fixpoints, least
from lawful.solver.order.view import View

MOST = 10


def knots(boards: Boards, position: Position) -> tuple[Knot, ...]:
    """Return every circle of conditions among the static effects of a position.

    Parameters
    ----------
    boards : Boards
        The rules.
    position : Position
        What is looked at.

    Returns
    -------
    tuple of Knot
        Those that have no fixpoint or several, and those settled, in the order of their first members. A circle of more
        than ten effects is not looked at.

    Notes
    -----
    On a set of effects the facts are what they are when exactly these are in force; a set is a fixpoint if each of its
    members' conditions then holds and no other's does.
    """
    import networkx as nx

    there = [e for e in boards.effects(position) if not isinstance(e.what, Norm)]
    there = [e for e in there if not (isinstance(e.what, Modifier) and e.what.modify.partition(".")[0] == "cost")]
    about = {e.key: _condition(e, boards) for e in there}
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(e.key for e in there)
    by_name: dict[str, list[str]] = {}
    for e in there:
        for name in about[e.key]:
            by_name.setdefault(name, []).append(e.key)
    for e in there:
        for name in writes(e):
            graph.add_edges_from((e.key, reader) for reader in by_name.get(name, ()))
    loose = [set(c) for c in nx.strongly_connected_components(graph)]
    found: list[Knot] = []
    own = boards.of(position)
    running = {e.key for e in there if _is_on(e, boards, position, own)}
    for members in loose:
        one = next(iter(members))
        if len(members) <= MOST and (len(members) > 1 or graph.has_edge(one, one)):
            found += _solve([e for e in there if e.key in members], there, running, boards, position)
    place = {e.key: n for n, e in enumerate(there)}
    return tuple(sorted(found, key=lambda knot: [place[m] for m in knot.members]))


def _condition(e: Effect, boards: Boards) -> frozenset[str]:
    """Return the facts that decide whether an effect is in force: in its condition, and whether it is there at all."""
    assert isinstance(e.what, Modifier | Grant)
    found = named(e.what.while_) if e.what.while_ is not None else frozenset()
    return found | {"abilities"} if boards.grants and not e.lasting else found


def _is_on(e: Effect, boards: Boards, position: Position, board: Board) -> bool:
    assert isinstance(e.what, Modifier | Grant)
    if not e.lasting and e.source in board.mute:
        return False
    return View(position, boards.rules, e.bound, boards, board=board).holds(e.what.while_)


def _solve(
    members: list[Effect], there: list[Effect], running: set[str], boards: Boards, position: Position
) -> list[Knot]:
    """Write the circle as a network by trying every set of its members, and solve what really hangs together."""
    import networkx as nx

    keys = tuple(e.key for e in members)
    outside = running - set(keys)
    tables: dict[str, dict[tuple[bool, ...], bool]] = {key: {} for key in keys}
    for values in product((False, True), repeat=len(keys)):
        on = outside | {key for key, value in zip(keys, values, strict=True) if value}
        board = forced([e for e in there if e.key in on], boards, position)
        for e in members:
            tables[e.key][values] = _is_on(e, boards, position, board)
    network = Network(dict.fromkeys(keys, keys), tables)
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(keys)
    graph.add_edges_from((i, k) for k in keys for i in keys if network.sign(k, i) is not None)
    found = []
    for part in nx.strongly_connected_components(graph):
        one = next(iter(part))
        if len(part) > 1 or graph.has_edge(one, one):
            found.append(_knot(tuple(k for k in keys if k in part), network, running))
    return found


def _knot(part: tuple[str, ...], network: Network, running: set[str]) -> Knot:
    """Solve one circle; what is not in it is as the ruleset's order has it."""
    keys = tuple(network.inputs)
    tables = {}
    for key in part:
        rows = {}
        for values in product((False, True), repeat=len(part)):
            on = frozenset({k for k in running if k not in part} | {k for k, v in zip(part, values, strict=True) if v})
            rows[values] = network.tables[key][tuple(k in on for k in keys)]
        tables[key] = rows
    small = Network(dict.fromkeys(part, part), tables)
    signs = {small.sign(k, i) for k in part for i in part} - {None}
    sets = (least(small),) if signs == {"+"} else fixpoints(small)
    kind = "paradox" if not sets else "settled" if len(sets) == 1 else "ambiguous"
    ours = tuple(k for k in part if k in running)
    return Knot(part, kind, sets, ours, ours in sets)  # type: ignore[arg-type]


def forced(on: list[Effect], boards: Boards, position: Position) -> Board:
    """Return the board when exactly these effects are in force, whatever their conditions say."""
    free = []
    for e in on:
        assert isinstance(e.what, Modifier | Grant)
        what = replace(e.what, while_=None)
        if isinstance(what, Grant) and what.of is None:
            what = replace(what, of=Ref("on" if e.lasting else "self"))
        free.append(replace(e, what=what, lasting=True))
    return applied(boards, position, free)
