"""From the map of what can be reached to the answer: what comes out, who chooses it, and what never ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lawful.model.declaration import OrderQuestion
from lawful.model.frozen import FrozenMap, replace
from lawful.model.limits import Limits
from lawful.model.ordered import ComesOut, Knot, Loop, Ordered, Silence
from lawful.model.position import Position, Thing
from lawful.solver.order.board import Boards
from lawful.solver.order.explore import STATES, Explorer, Map
from lawful.solver.order.frames import AND
from lawful.solver.order.graph import graph_of
from lawful.solver.order.growing import numbers_of, shape_of
from lawful.solver.order.knots import Known, knots
from lawful.solver.order.stamps import LIMIT, stamp_silences
from lawful.solver.order.termination import certificate

NOBODY = "nobody"


def ordered(question: OrderQuestion, limits: Limits = Limits(), states: int = STATES) -> Ordered:
    """Answer what can come out of what happens.

    Parameters
    ----------
    question : OrderQuestion
        What happens.
    limits : Limits
        What it may cost.
    states : int
        States that are looked at.

    Returns
    -------
    Ordered
        Not yet compared with the referee.
    """
    explorer = Explorer(question, limits, states)
    boards = explorer.machine.boards
    found = explorer.map()
    faces = {n: face(found.places[n].state.position, boards) for n in found.ends}
    reach = _reach(found, faces)
    outcomes = tuple(_outcomes(found, faces, reach))
    loops = tuple(_loops(found))
    stamps = tuple(stamp_silences(boards, (place.state.position for place in found.places)))
    silences = tuple(dict.fromkeys([*_silences(found, reach), *(s for s in stamps if s.about != LIMIT)]))
    weights = certificate(boards, question.position)
    forced = any(not loop.optional for loop in loops)
    tied = tuple(dict.fromkeys(_knots(question, outcomes, boards)))
    open_ = bool(silences) or forced or any(knot.kind == "ambiguous" and not knot.agrees for knot in tied)
    limit = None if found.limit == "growth" else found.limit
    if limit is None and any(knot.kind == "unsolved" for knot in tied):
        limit = "conditions"
    if limit is None and any(silence.about == LIMIT for silence in stamps):
        limit = "stamps"
    return Ordered(
        status=None if limit else "undetermined" if open_ else "legal",
        outcomes=outcomes,
        complete=limit is None,
        graph=graph_of(question, boards),
        applied=tuple(boards.of(question.position).order),
        loops=loops,
        knots=tied,
        silences=silences,
        terminates="loops" if loops else "bounded" if weights is None else "proved",
        certificate=weights or FrozenMap(),
        limit=limit,
        states=len(found.places),
        orders=found.orders,
        lain=tuple(explorer.lain.values()),
    )


def face(position: Position, boards: Boards) -> object:
    """Return what can be seen of a position: all but times, current numbers and types included."""
    board = boards.of(position)
    things = tuple(replace(thing, timestamp=0, base=_own_base(thing, position)) for thing in position.things)
    numbers = frozenset(board.numbers.items())
    types = frozenset(board.types.items()) if boards.grants else None
    lasting = tuple(
        sorted(repr((e.controller, e.modifier, sorted(e.bindings.items()), e.until, e.uses)) for e in position.lasting)
    )
    away = {thing.id for thing in position.things if thing.zone not in boards.play}
    left = FrozenMap((key, n) for key, n in position.remaining.items() if key.rpartition("/")[0] not in away)
    return things, position.players, left, numbers, types, frozenset(board.mute), lasting


def _own_base(thing: Thing, position: Position) -> FrozenMap[str, int]:
    """Return the base numbers of an object that are not as printed."""
    printed = position.cards[thing.card].stats
    if all(printed.get(name) != n for name, n in thing.base.items()):
        return thing.base
    return FrozenMap({name: n for name, n in thing.base.items() if printed.get(name) != n})


def _reach(found: Map, faces: Mapping[int, object]) -> list[int]:
    """Return for every place which outcomes can be reached from it, as bits."""
    import networkx as nx

    bits = {seen: 1 << i for i, seen in enumerate(dict.fromkeys(faces.values()))}
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(found.places)))
    graph.add_edges_from((n, to) for n, place in enumerate(found.places) for _, to in place.ways)
    masks = [bits[faces[n]] if n in faces else 0 for n in range(len(found.places))]
    # Parts that come back to themselves first; the condensation is walked from its ends.
    for part in nx.strongly_connected_components(graph):  # in reverse topological order
        mask = 0
        for n in part:
            mask |= masks[n]
            for _, to in found.places[n].ways:
                mask |= masks[to]
        for n in part:
            masks[n] = mask
    return masks


def _decides(n: int, found: Map, reach: list[int]) -> bool:
    """Tell whether what is done at a place decides what can come out."""
    return len({reach[to] for _, to in found.places[n].ways}) > 1


def _outcomes(found: Map, faces: Mapping[int, object], reach: list[int]) -> Iterator[ComesOut]:
    first: dict[object, int] = {}
    for n in found.ends:
        first.setdefault(faces[n], n)
    for n in first.values():
        steps, choosers = _way_to(n, found, reach)
        yield ComesOut(found.places[n].state.position, steps, choosers)


def _way_to(n: int, found: Map, reach: list[int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the steps of the way on which a place was reached first, and who chose it."""
    steps: list[str] = []
    choosers: list[str] = []
    while found.places[n].before is not None:
        before = found.places[n].before
        assert before is not None
        n, way = before
        place = found.places[n]
        steps[:0] = place.ways[way][0]
        if _decides(n, found, reach):
            choosers += (place.by or NOBODY).split(AND)
    return tuple(steps), tuple(sorted(set(choosers)))


def _silences(found: Map, reach: list[int]) -> Iterator[Silence]:
    """Yield the orders that decide what comes out and that nobody chooses."""
    for n, place in enumerate(found.places):
        if place.by is None and place.what == "order" and _decides(n, found, reach):
            stack = () if place.state.idle else place.state.stack
            role = "effects.ties" if not stack else "effects.replacements"
            if stack and any("prevents" in steps[0] for steps, _ in place.ways if steps):
                role = "effects.preventions"
            yield Silence(role, tuple(dict.fromkeys(place.items)))


def _loops(found: Map) -> Iterator[Loop]:
    """Yield the ways that come back: to a state, or to one that differs in numbers that only grow."""
    import networkx as nx

    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_edges_from((n, to) for n, place in enumerate(found.places) for _, to in place.ways)
    seen: set[tuple[str, ...]] = set()
    for part in nx.strongly_connected_components(graph):
        one = min(part)
        if len(part) == 1 and not graph.has_edge(one, one):
            continue
        steps = tuple(_around(one, part, found))
        leaves = any(
            found.places[n].by not in (None, "chance") and to not in part
            for n in part
            for _, to in found.places[n].ways
        )
        key = tuple(sorted(steps))
        if key not in seen:
            seen.add(key)
            yield Loop(steps, FrozenMap(), leaves)
    for n in found.cut:
        loop = _growing(n, found)
        key = tuple(sorted(loop.steps))
        if key not in seen:
            seen.add(key)
            yield loop


def _around(one: int, part: set[int], found: Map) -> Iterator[str]:
    """Yield the steps of a shortest way from a place back to itself."""
    before: dict[int, tuple[int, tuple[str, ...]]] = {}
    open_ = [one]
    while open_:
        n = open_.pop(0)
        for steps, to in found.places[n].ways:
            if to == one:
                trail = [steps]
                while n != one:
                    n, steps = before[n]
                    trail.append(steps)
                for steps in reversed(trail):
                    yield from steps
                return
            if to in part and to not in before:
                before[to] = (n, steps)
                open_.append(to)


def _growing(n: int, found: Map) -> Loop:
    """Return the loop that ends at a place from which was not gone on."""
    last = found.places[n].state
    shape, steps, at, leaves = shape_of(last), list[str](), n, False
    while True:
        before = found.places[at].before
        assert before is not None
        at, way = before
        place = found.places[at]
        steps[:0] = place.ways[way][0]
        leaves = leaves or (place.by is not None and len(place.ways) > 1)
        if place.state.idle and shape_of(place.state) == shape:
            break
    now, then = numbers_of(last), numbers_of(found.places[at].state)
    grows = {" ".join(key): d for key in {*now, *then} if (d := now.get(key, 0) - then.get(key, 0))}
    return Loop(tuple(steps), FrozenMap(dict(sorted(grows.items()))), leaves)


def _knots(question: OrderQuestion, outcomes: tuple[ComesOut, ...], boards: Boards) -> Iterator[Knot]:
    known: Known = {}
    yield from knots(boards, question.position, known)
    for outcome in outcomes:
        yield from knots(boards, outcome.position, known)
