"""Everything that can come out: states by their content, choices by who makes them, loops by where they come back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from lawful.model.declaration import OrderQuestion
from lawful.model.frozen import replace
from lawful.model.limits import Limits, until
from lawful.model.position import Position, Queued, Thing
from lawful.solver.order.change import changed
from lawful.solver.order.frames import CHANCE, Node, State
from lawful.solver.order.growing import grows, straight
from lawful.solver.order.keys import Keys
from lawful.solver.order.machine import Machine
from lawful.solver.order.view import Key

STATES = 60_000


@dataclass(slots=True)
class Place:
    """A state that was reached.

    Parameters
    ----------
    state : State
        The state.
    by, what, items : str
        Who chooses what between what, as `Node` says.
    ways : list of (tuple of str, int)
        The steps from here to the next place, and its number.
    before : tuple of (int, int), optional
        Where it was reached from first: the place's number and which of its ways.
    reads : set of tuple
        What was read on the ways from here.
    """

    state: State
    by: str | None = None
    what: str = ""
    items: tuple[str, ...] = ()
    ways: list[tuple[tuple[str, ...], int]] = field(default_factory=list)
    before: tuple[int, int] | None = None
    reads: set[Key] = field(default_factory=set)


@dataclass(slots=True)
class Map:
    """All places, as they hang together.

    Parameters
    ----------
    places : list of Place
        The first is where it begins.
    ends : list of int
        Numbers of the places from which nothing goes on.
    limit : str, optional
        The limit that was reached.
    orders : int
        Orders of independent abilities that were shown to agree without being tried.
    split : int
        How often independent abilities were told apart.
    cut : list of int
        Places that were not gone on from, as there numbers only grow.
    """

    places: list[Place]
    ends: list[int] = field(default_factory=list)
    limit: str | None = None
    orders: int = 0
    split: int = 0
    cut: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Run:
    """What resolving one waiting ability alone does, in every way."""

    results: tuple[Position, ...]
    reads: frozenset[Key]
    writes: frozenset[Key]
    spawns: bool
    number: int = -1


class Explorer:
    """Explores what can come out of a question.

    Parameters
    ----------
    question : OrderQuestion
        What happens.
    limits : Limits
        What it may cost.
    states : int
        States that are looked at before it is given up.
    reduce : bool
        Whether independent abilities are told apart; without it every order is tried.
    """

    def __init__(
        self, question: OrderQuestion, limits: Limits = Limits(), states: int = STATES, reduce: bool = True
    ) -> None:
        self.question, self.limits, self.states, self.reduce = question, limits, states, reduce
        self.machine = Machine(question)
        self.keys = Keys()
        self.again = 0
        """The place from which on it is looked again whether what is read as it grows grows for ever."""
        self.lain: dict[tuple[str, str], Thing] = {}
        """Objects wherever they came to lie on any way, where cards have text that was not read."""
        self._noting = any(card.unread for card in question.position.cards.values())
        self._noted: object = question.position.things
        self._runs: dict[object, Run | None] = {}
        self._clashes: dict[tuple[int, int], bool] = {}
        self._ways: dict[object, tuple[tuple[str, ...], State, set[Key]]] = {}

    def map(self) -> Map:
        """Return all places that can be reached."""
        end = until(self.limits.seconds)
        found = Map([Place(self.machine.start())])
        at = {self.keys.state(found.places[0].state): 0}
        open_ = [0]
        while open_:
            n = open_.pop()
            if len(found.places) > self.states or time.monotonic() > end:
                found.limit = "states" if len(found.places) > self.states else "seconds"
                break
            if grows(n, found.places, self):
                found.cut.append(n)
                continue
            place = found.places[n]
            self._note(place.state.position)
            node = self.machine.node(place.state)
            if node is None:
                found.ends.append(n)
                continue
            place.by, place.what, place.items, place.reads = node.by, node.what, node.items, node.reads
            for label, state in self._narrowed(place.state, node, found):
                steps, state, reads = self._straight(label, state)
                place.reads |= reads
                key = self.keys.state(state)
                to = at.get(key)
                if to is None:
                    to = at[key] = len(found.places)
                    found.places.append(Place(state, before=(n, len(place.ways))))
                    open_.append(to)
                place.ways.append((steps, to))
        found.limit = found.limit or ("growth" if found.cut else None)
        return found

    def _note(self, position: Position) -> None:
        """Note where objects lie: what comes and goes leaves no trace at the ends."""
        if not self._noting or position.things is self._noted:
            return
        self._noted = position.things
        for thing in position.things:
            self.lain.setdefault((thing.id, thing.zone), thing)

    @cached_property
    def straight_texts(self) -> bool:
        """Whether numbers are only added, and compared by more and less."""
        return straight(self.question)

    def fresh(self) -> Explorer:
        """Return an explorer of the same question that knows nothing yet."""
        return Explorer(self.question, self.limits, self.states, self.reduce)

    def options(self, state: State) -> list[tuple[tuple[str, ...], State]]:
        """Return the steps of each way from a state, and where it leads."""
        node = self.machine.node(state)
        narrowed = [] if node is None else self._narrowed(state, node, Map([]))
        return [self._straight(label, after)[:2] for label, after in narrowed]

    def _straight(self, label: str, state: State) -> tuple[tuple[str, ...], State, set[Key]]:
        """Go on while there is one way only, but stop wherever nothing is being done, where loops can be seen.

        What waits is not looked at while something is being done; what comes to wait goes behind it. So the way is the
        same whatever waits, and is gone once.
        """
        if self.machine.boards.cancels:  # then what waits may be dropped by what is done
            steps, after, reads = self._onward(state)
            return ((label, *steps) if label else steps), after, reads
        queue = state.position.queue
        key = (self.keys.resting(state.position), self.keys.doing(state.stack), state.next)
        known = self._ways.get(key)
        if known is None:
            begun = State(state.position.with_queue(()), state.stack, state.next) if queue else state
            known = self._ways[key] = self._onward(begun)
        steps, after, reads = known
        if queue:
            waiting = behind(queue, after.position.queue)
            after = State(after.position.with_queue(waiting), after.stack, after.next)
        return ((label, *steps) if label else steps), after, reads

    def _onward(self, state: State) -> tuple[tuple[str, ...], State, set[Key]]:
        steps, reads = list[str](), set[Key]()
        while not state.idle:
            self._note(state.position)
            node = self.machine.node(state)
            if node is None or len(node.options) != 1:
                break
            reads |= node.reads
            label, state = node.options[0]
            if label:
                steps.append(label)
        return tuple(steps), state, reads

    # independent abilities

    def _narrowed(self, state: State, node: Node, found: Map) -> list[tuple[str, State]]:
        """Return the options that need to be tried: those of one independent part, where there are several."""
        options = node.options
        if not self.reduce or not state.idle or node.what != "order" or len(options) < 2:
            return options
        parts = self._parts(state, [s for _, s in options])
        if parts is None or len(parts) < 2:
            return options
        found.split += 1
        found.orders = max(found.orders, _orders([len(part) for part in parts]))
        keep = min(parts, key=lambda part: (len(part), min(part)))
        return [options[i] for i in sorted(keep)]

    def _parts(self, state: State, options: list[State]) -> list[frozenset[int]] | None:
        """Return the independent parts of what waits, None where that cannot be told.

        Every ability of a part is resolved alone in every order with those of its part; if no part reads or writes what
        another writes, in any of these, then each runs as if the others were not there.
        """
        runs = [self._run(option) for option in options]
        if any(run is None or run.spawns for run in runs):
            return None
        known = [run for run in runs if run is not None]
        parts = self._components(known)
        while len(parts) > 1:
            wide = [self._whole(part, state, options) for part in parts]
            if any(w is None for w in wide):
                return None
            joined = self._components([run for run in wide if run is not None], once=False)
            if len(joined) == len(parts):
                return parts
            parts = [frozenset().union(*(parts[i] for i in group)) for group in joined]
        return parts

    def _components(self, runs: list[Run], once: bool = True) -> list[frozenset[int]]:
        """Return the parts that disturb each other; of two runs that have a number that is looked at once."""

        def clash(a: int, b: int) -> bool:
            if not once:
                return _clash(runs[a], runs[b])
            pair = (runs[a].number, runs[b].number)
            known = self._clashes.get(pair)
            if known is None:
                known = self._clashes[pair] = _clash(runs[a], runs[b])
            return known

        return _components(len(runs), clash)

    def _whole(self, part: frozenset[int], state: State, options: list[State]) -> Run | None:
        """Return what the abilities of a part read and write, in every order of them, starting here."""
        reads: set[Key] = set()
        writes: set[Key] = set()
        frames = {i: options[i].stack for i in part}
        open_ = [(state.position, part)]
        seen = set(open_)
        while open_:
            position, left = open_.pop()
            for i in left:
                run = self._run(State(position.with_queue(()), frames[i], state.next))
                if run is None or run.spawns or len(seen) > self.states:
                    return None
                reads |= run.reads
                writes |= run.writes
                for after in run.results:
                    at = (after, left - {i})
                    if at not in seen:
                        seen.add(at)
                        open_.append(at)
        return Run((), frozenset(reads), frozenset(writes), False)

    def _run(self, state: State) -> Run | None:
        """Resolve what is on the stack, in every way, and nothing else; None where that takes too long."""
        if self.machine.boards.cancels:
            return None
        key = (self.keys.resting(state.position), self.keys.doing(state.stack))
        if key in self._runs:
            return self._runs[key]
        base = state.position.with_queue(())
        open_ = [State(base, state.stack, state.next)]
        seen = set(open_)
        reads: set[Key] = set()
        writes: set[Key] = set()
        ends: dict[Position, None] = {}
        spawns = False
        always = self.machine.rules.ordering.checks == "always"
        while open_:
            now = open_.pop()
            node: Node | None = None
            if not now.idle:
                node = self.machine.node(now)
            elif always:
                # Checks come after every step; what they looked at counts also where they found nothing.
                node, looked = self.machine.check_only(now)
                reads |= looked
            if node is None:
                spawns = spawns or bool(now.position.queue)
                ends[now.position] = None
                continue
            reads |= node.reads
            for _, after in node.options:
                writes |= changed(now.position, after.position)
                if after not in seen:
                    seen.add(after)
                    open_.append(after)
            if len(seen) > 2_000:
                self._runs[key] = None
                return None
        run = Run(tuple(ends), frozenset(reads), frozenset(writes), spawns, len(self._runs))
        self._runs[key] = run
        return run


def behind(queue: tuple[Queued, ...], new: tuple[Queued, ...]) -> tuple[Queued, ...]:
    """Return what waits when more came to wait: later than all that waited before."""
    if not new:
        return queue
    window = 1 + max(ability.window for ability in queue)
    return (*queue, *(replace(ability, window=window + ability.window) for ability in new))


def _clash(one: Run, two: Run) -> bool:
    """Tell whether one writes what the other reads or writes."""
    return not (
        one.writes.isdisjoint(two.reads) and one.writes.isdisjoint(two.writes) and two.writes.isdisjoint(one.reads)
    )


def _components(n: int, clash: Callable[[int, int], bool]) -> list[frozenset[int]]:
    """Return the parts of so many that hang together by what clashes."""
    left, parts = set(range(n)), list[frozenset[int]]()
    while left:
        first = min(left)
        part, open_ = {first}, [first]
        left.discard(first)
        while open_:
            a = open_.pop()
            near = [b for b in left if clash(min(a, b), max(a, b))]
            left.difference_update(near)
            part.update(near)
            open_ += near
        parts.append(frozenset(part))
    return parts


def _orders(sizes: Iterable[int]) -> int:
    """Return how many orders there are of all of them."""
    total = 1
    for n in range(1, sum(sizes) + 1):
        total *= n
    return total


__all__ = ["CHANCE", "Explorer", "Map", "Place"]
