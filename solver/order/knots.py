"""Static effects whose conditions depend on each other: circles, and what can be in force in them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import TypeAlias

from lawful.model.effect import Grant, Modifier, Norm
from lawful.model.errors import LimitReached
from lawful.model.expression import Ref
from lawful.model.frozen import replace
from lawful.model.ordered import Knot
from lawful.model.position import Position
from lawful.solver.order.applying import applied, writes
from lawful.solver.order.board import Board, Boards, Effect, whose
from lawful.solver.order.facts import Place, located
from lawful.solver.order.network import Network, fixpoints, least
from lawful.solver.order.view import View

Known: TypeAlias = dict[tuple[object, ...], tuple[tuple[str, ...], ...]]
BOARDS = 4_096  # sets of effects in force that are tried for one circle
INPUTS = 10  # effects that one condition may hang on


def knots(boards: Boards, position: Position, known: Known | None = None) -> tuple[Knot, ...]:
    """Return every circle of conditions among the static effects of a position.

    Parameters
    ----------
    boards : Boards
        The rules.
    position : Position
        What is looked at.
    known : dict, optional
        Circles that were solved before; more are noted.

    Returns
    -------
    tuple of Knot
        Those that have no fixpoint or several, those settled, and those too large to be solved, in the order of their
        first members.

    Notes
    -----
    On a set of effects the facts are what they are when exactly these are in force; a set is a fixpoint if each of its
    members' conditions then holds and no other's does. How many members a circle has is no limit, but how many of them
    one condition hangs on is.
    """
    import networkx as nx

    there = [e for e in boards.effects(position) if not isinstance(e.what, Norm)]
    there = [e for e in there if not (isinstance(e.what, Modifier) and e.what.modify.partition(".")[0] == "cost")]
    web = _Web(there, boards, position)
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(e.key for e in there)
    for e in there:
        graph.add_edges_from((writer, e.key) for writer in web.inputs(e))
    own = boards.of(position)
    running = {e.key for e in there if _is_on(e, boards, position, own)}
    found: list[Knot] = []
    for members in nx.strongly_connected_components(graph):
        one = next(iter(members))
        if len(members) > 1 or graph.has_edge(one, one):
            found += _solve([e for e in there if e.key in members], web, running, {} if known is None else known)
    place = {e.key: n for n, e in enumerate(there)}
    return tuple(sorted(found, key=lambda knot: [place[m] for m in knot.members]))


class _Web:
    """Which effects can bear on whether another is in force: those that write what its condition reads, and so on."""

    def __init__(self, there: list[Effect], boards: Boards, position: Position) -> None:
        self.there, self.boards, self.position = there, boards, position
        self.writers: dict[str, list[tuple[str | None, Effect]]] = {}
        for e in there:
            for name in writes(e):
                self.writers.setdefault(name, []).append((whose(e), e))

    def inputs(self, e: Effect) -> tuple[str, ...]:
        """Return the keys of the effects that can bear on the condition of one, in the order of timestamps."""
        open_ = list(_condition(e, self.boards))
        seen, found = set(open_), set[str]()
        while open_:
            name, of = open_.pop()
            for written, writer in self.writers.get(name, ()):
                if (of is None or written is None or written == of) and writer.key not in found:
                    found.add(writer.key)
                    new = _value(writer, self.boards) - seen
                    seen |= new
                    open_ += new
        return tuple(e.key for e in self.there if e.key in found)


def _condition(e: Effect, boards: Boards) -> frozenset[Place]:
    """Return the facts that decide whether an effect is in force: in its condition, and whether it is there at all."""
    assert isinstance(e.what, Modifier | Grant)
    found = located(e.what.while_, e.bound) if e.what.while_ is not None else frozenset()
    return found | {("abilities", e.source)} if boards.grants and not e.lasting else found


def _value(e: Effect, boards: Boards) -> frozenset[Place]:
    """Return the facts that decide what an effect does while it is in force."""
    assert isinstance(e.what, Modifier | Grant)
    return located(replace(e.what, while_=None), e.bound)


def _is_on(e: Effect, boards: Boards, position: Position, board: Board) -> bool:
    assert isinstance(e.what, Modifier | Grant)
    if not e.lasting and e.source in board.mute:
        return False
    return View(position, boards.rules, e.bound, boards, board=board).holds(e.what.while_)


def _solve(members: list[Effect], web: _Web, running: set[str], known: Known) -> list[Knot]:
    """Write the circle as a network, each condition by trying what it hangs on; solve what really hangs together."""
    import networkx as nx

    keys = tuple(e.key for e in members)
    inputs = {e.key: tuple(k for k in web.inputs(e) if k in keys) for e in members}
    if max(map(len, inputs.values())) > INPUTS or sum(2 ** len(i) for i in {*inputs.values()}) > BOARDS:
        return [Knot(keys, "unsolved", (), tuple(k for k in keys if k in running), False)]
    network = Network(inputs, _tables(members, inputs, web, running - set(keys)))
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(keys)
    graph.add_edges_from((i, k) for k in keys for i in inputs[k] if network.sign(k, i) is not None)
    found = []
    for part in nx.strongly_connected_components(graph):
        one = next(iter(part))
        if len(part) > 1 or graph.has_edge(one, one):
            found.append(_knot(tuple(k for k in keys if k in part), network, running, known))
    return found


def _tables(
    members: list[Effect], inputs: Mapping[str, tuple[str, ...]], web: _Web, outside: set[str]
) -> dict[str, dict[tuple[bool, ...], bool]]:
    """Return for each member whether its condition holds, for every set of those that it hangs on."""
    tables: dict[str, dict[tuple[bool, ...], bool]] = {e.key: {} for e in members}
    for ins in {*inputs.values()}:
        alike = [e for e in members if inputs[e.key] == ins]
        for values in product((False, True), repeat=len(ins)):
            on = outside | {key for key, value in zip(ins, values, strict=True) if value}
            board = forced([e for e in web.there if e.key in on], web.boards, web.position)
            for e in alike:
                tables[e.key][values] = _is_on(e, web.boards, web.position, board)
    return tables


def _knot(part: tuple[str, ...], network: Network, running: set[str], known: Known) -> Knot:
    """Solve one circle; what is not in it is as the ruleset's order has it."""
    inputs, tables = {}, {}
    for key in part:
        ins = network.inputs[key]
        inputs[key] = tuple(i for i in ins if i in part)
        tables[key] = {
            tuple(v for i, v in zip(ins, values, strict=True) if i in part): on
            for values, on in network.tables[key].items()
            if all(v == (i in running) for i, v in zip(ins, values, strict=True) if i not in part)
        }
    small = Network(inputs, tables)
    signs = {small.sign(k, i) for k in part for i in inputs[k]} - {None}
    ours = tuple(k for k in part if k in running)
    asked = (part, repr(inputs), repr(tables))
    try:
        sets = known[asked] if asked in known else (least(small),) if signs == {"+"} else fixpoints(small)
    except LimitReached:
        return Knot(part, "unsolved", (), ours, False)
    known[asked] = sets
    kind = "paradox" if not sets else "settled" if len(sets) == 1 else "ambiguous"
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
