"""Builds the layers of a diagram: states forward, equal ones merged; then dead and equal nodes away, backward.

A state is what matters of the values taken so far: the sums that some open constraint still needs, and the values of
auxiliaries and enforcing decisions that one still asks for. Auxiliaries are guessed as soon as a constraint says what
they are, and forgotten: where several guesses survive, a node is a set of states, so what is built is exactly the
projection to the decisions.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TypeAlias

from lawful.solver.dd.judging import ANY, UNKNOWN, Judge, State
from lawful.solver.dd.kinds import Within
from lawful.solver.dd.planning import OverBudget, Plan, Step, values_of
from lawful.solver.dd.reading import Unsupported

Node: TypeAlias = frozenset[State]
Row: TypeAlias = tuple[tuple[int, int], ...]

EVERY_STATES = 256  # states between two looks at the clock


class Builder:
    """Builds one diagram.

    Parameters
    ----------
    made : Plan
        The order of work.
    nodes : int
        States allowed in all.
    deadline : float
        On the monotonic clock.
    """

    def __init__(self, made: Plan, nodes: int, deadline: float) -> None:
        self.plan, self.model = made, made.model
        self.nodes, self.deadline = nodes, deadline
        self.worked = 0
        self.states = 0
        self.judge = Judge(made)
        self._sums, self._place = self.judge.sums, self.judge.place

    def build(self) -> tuple[list[list[Row]], bool]:
        """Return the rows of every layer, and whether there is a solution at all."""
        start = [0] * self._sums + [UNKNOWN] * len(self.plan.tracked)
        first = None
        if not self.model.infeasible:  # where nothing is forced, every constraint is open
            first = self.judge.settled(start, -1, None) if self.model.forces else tuple(start)
        level: dict[Node | State, int] = {}
        if first is not None:
            level[first] = 0
        rows: list[list[Row]] = []
        epsilon: list[tuple[int, Step]] = []
        steps = list(enumerate(self.plan.steps))
        at = 0
        while at < len(steps) and steps[at][1].layer is None:
            epsilon.append(steps[at])
            at += 1
        if level:
            assert first is not None
            node = self._guessed({first}, epsilon) if epsilon else first
            level = {} if node is None else {node: 0}
        while at < len(steps):
            number, step = steps[at]
            at += 1
            epsilon = []
            while at < len(steps) and steps[at][1].layer is None:
                epsilon.append(steps[at])
                at += 1
            level, layer = self._layer(level, number, step, epsilon)
            rows.append(layer)
        return reduced(rows, bool(level))

    def _layer(
        self, level: dict[Node | State, int], number: int, step: Step, epsilon: list[tuple[int, Step]]
    ) -> tuple[dict[Node | State, int], list[Row]]:
        assert step.layer is not None
        moves = self._moves(step)
        reached: dict[Node | State, int] = {}
        rows: list[Row] = []
        known: dict[State, State | None] = {}
        for node in level:
            row = []
            for label, (gains, values) in enumerate(moves):
                after: Node | State | None
                if isinstance(node, tuple):
                    after = self._moved(node, gains, values, number, step, known)
                    if after is not None and epsilon:
                        after = self._guessed({after}, epsilon)
                else:
                    moved = (self._moved(s, gains, values, number, step, known) for s in node)
                    after = self._guessed({s for s in moved if s is not None}, epsilon)
                if after is None:
                    continue
                child = reached.get(after)
                if child is None:
                    child = reached[after] = len(reached)
                    self._spend()
                row.append((label, child))
            rows.append(tuple(row))
        return reached, rows

    def _spend(self) -> None:
        self.states += 1
        if self.states > self.nodes:
            raise OverBudget("nodes", self.nodes)
        if self.states % EVERY_STATES == 0 and time.monotonic() > self.deadline:
            raise OverBudget("seconds", 0)

    def _work(self) -> None:
        """Look at the clock also where one node stands for very many states."""
        self.worked += 1
        if self.worked % EVERY_STATES == 0 and time.monotonic() > self.deadline:
            raise OverBudget("seconds", 0)

    def _moves(self, step: Step) -> list[tuple[list[tuple[int, int]], list[tuple[int, int]]]]:
        """Return for every label what it adds to sums, and the values that are remembered."""
        assert step.layer is not None
        kept = [(i, self._place[v]) for i, v in enumerate(step.variables) if v in self._place]
        return [
            (
                [(j, gain) for j, gains in zip(step.sums, step.gains, strict=True) if (gain := gains[n])],
                [(place, label[i]) for i, place in kept],
            )
            for n, label in enumerate(step.layer.labels)
        ]

    def _moved(
        self,
        state: State,
        gains: list[tuple[int, int]],
        values: list[tuple[int, int]],
        number: int,
        step: Step,
        known: dict[State, State | None],
    ) -> State | None:
        s = list(state)
        for j, gain in gains:
            have = s[j]
            if have is not None:
                s[j] = have + gain
        for place, value in values:
            if s[place] is UNKNOWN:
                s[place] = value
            elif s[place] != ANY and s[place] != value:
                return None
        key = tuple(s)
        if key not in known:
            known[key] = self.judge.settled(s, number, step)
        return known[key]

    def _guessed(self, states: set[State], epsilon: list[tuple[int, Step]]) -> Node | State | None:
        """Give the auxiliaries of these steps every value that they can have."""
        for number, step in epsilon:
            (v,) = step.variables
            after = set()
            place = self._place[v]
            for state in states:
                if state[place] == ANY:  # nobody asks: neither a sum nor a constraint that it would change is open
                    after.add(state)
                    continue
                for value in self._values(state, v, number):
                    gains = [(j, self.model.sums[j][v] * value) for j in step.sums]
                    found = self._moved(state, gains, [(place, value)], number, step, {})
                    if found is not None:
                        after.add(found)
                self._work()
            states = after
        if not states:
            return None
        if len(states) == 1:
            return next(iter(states))
        for state in states:  # one from which everything is allowed makes the others superfluous
            if all(value is None for value in state[: self._sums]) and all(n == ANY for n in state[self._sums :]):
                return state
        return frozenset(states)

    def _values(self, state: State, v: int, number: int) -> Iterator[int]:
        known = state[self._place[v]]
        if known is not UNKNOWN:
            yield known
            return
        if v in self.plan.under:  # the constraints that it enforces decide
            yield from values_of(self.model, v)
            return
        solved = self._solved(state, v, number)
        if solved is None:
            yield from values_of(self.model, v)
        else:
            yield from solved

    def _solved(self, state: State, v: int, number: int) -> list[int] | None:
        """Return the values that one constraint leaves to an auxiliary, where it determines them."""
        for c in {c for j in self.plan.steps[number].sums for c in self.plan.of_sum[j]}:
            constraint = self.model.constraints[c]
            if any(state[self._place[e]] != wanted for e, wanted in constraint.enforced):
                continue
            first = self.model.sums[constraint.sums[0]]
            if v not in first or any(v in self.model.sums[j] for j in constraint.sums[1:]):
                continue
            if any(state[j] is None for j in constraint.sums):
                continue
            ranges = [self.judge.range_of(state, j, number - 1) for j in constraint.sums]
            low, high = (end + constraint.offsets[0] for end in ranges[0])
            ends = sorted(first[v] * n for n in self.model.range(v))
            rest = low - ends[0]
            if rest != high - ends[1]:
                continue  # something else in it is open
            if isinstance(constraint, Within):
                targets = [(max(a, low), min(b, high)) for a, b in constraint.intervals if max(a, low) <= min(b, high)]
                if sum(b - a + 1 for a, b in targets) > abs(first[v]) * 8:
                    continue
            else:
                others = [(a + o, b + o) for (a, b), o in zip(ranges[1:], constraint.offsets[1:], strict=True)]
                value = constraint.solved([(low, high), *others])
                if value is None:
                    continue
                targets = [(value, value)]
            found = [(n - rest) // first[v] for a, b in targets for n in range(a, b + 1) if (n - rest) % first[v] == 0]
            return [n for n in found if any(a <= n <= b for a, b in self.model.domains[v])]
        return None


def reduced(rows: list[list[Row]], alive: bool) -> tuple[list[list[Row]], bool]:
    """Take away nodes from which no path goes on, and merge those from which the same paths go on.

    Returns the rows that are left, and whether a path from the root to the end is.
    """
    if not alive:
        return [[] for _ in rows], False
    result: list[list[Row]] = [[] for _ in rows]
    below: list[int | None] | None = None  # where each node of the layer below went
    for i in range(len(rows) - 1, -1, -1):
        numbers: dict[Row, int] = {}
        went: list[int | None] = []
        for row in rows[i]:
            if below is None:
                mine: Row = tuple((label, 0) for label, _ in row)  # at the end nothing is open: one node
            else:
                mine = tuple((label, to) for label, child in row if (to := below[child]) is not None)
            went.append(numbers.setdefault(mine, len(numbers)) if mine else None)
        result[i] = list(numbers)
        below = went
    if rows and not result[0]:
        return [[] for _ in rows], False
    return result, True


__all__ = ["Builder", "OverBudget", "Row", "Unsupported", "reduced"]
