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

from lawful.solver.dd.kinds import FAILS, HOLDS, Within
from lawful.solver.dd.planning import Plan, Step, values_of
from lawful.solver.dd.reading import Unsupported

State: TypeAlias = tuple[int | None, ...]
Node: TypeAlias = frozenset[State]
Row: TypeAlias = tuple[tuple[int, int], ...]

UNKNOWN, ANY = None, -(1 << 60)  # no value yet; a value that nobody asks for any more
EVERY_STATES = 256  # states between two looks at the clock


class OverBudget(Exception):
    """The diagram has more nodes, or took more time, than allowed."""

    def __init__(self, limit: str, value: float) -> None:
        super().__init__(limit, value)
        self.limit, self.value = limit, value


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
        self.states = 0
        self._sums = len(self.model.sums)
        self._place = {v: self._sums + i for i, v in enumerate(made.tracked)}
        self._decided = {v for step in made.steps if step.layer is not None for v in step.variables}
        self._sums_of: dict[int, list[int]] = {}
        for j, coefficients in enumerate(self.model.sums):
            for v in coefficients:
                self._sums_of.setdefault(v, []).append(j)
        self._near: dict[int, list[int]] = {}
        self._judge = [self._compiled(c) for c in range(len(self.model.constraints))]
        self._late = self._late_auxiliaries()

    def _compiled(self, c: int) -> tuple[bool, int, int, int, tuple[tuple[int, int], ...]]:
        """A constraint as plain numbers: one interval over one sum is by far the most frequent."""
        constraint = self.model.constraints[c]
        enforced = tuple((self._place[v], wanted) for v, wanted in constraint.enforced)
        if isinstance(constraint, Within) and len(constraint.intervals) == 1:
            ((least, most),) = constraint.intervals
            return True, constraint.sums[0], least, most, enforced
        return False, -1, 0, 0, enforced

    def _late_auxiliaries(self) -> dict[int, list[tuple[int, int, int]]]:
        """For each sum its auxiliaries: place in the state, factor, step."""
        late: dict[int, list[tuple[int, int, int]]] = {}
        for j, coefficients in enumerate(self.model.sums):
            for v, factor in coefficients.items():
                if v not in self._decided:
                    late.setdefault(j, []).append((self._place[v], factor, self.plan.when[v]))
        return late

    def build(self) -> tuple[list[list[Row]], bool]:
        """Return the rows of every layer, and whether there is a solution at all."""
        start = [0] * self._sums + [UNKNOWN] * len(self.plan.tracked)
        first = None if self.model.infeasible else self._settled(start, -1, None)
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
        moves = [self._move(step, label) for label in step.layer.labels]
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

    def _move(self, step: Step, label: tuple[int, ...]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        value = dict(zip(step.variables, label, strict=True))
        gains = []
        for j in step.sums:
            gain = sum(factor * value[v] for v, factor in self.model.sums[j].items() if v in value)
            if gain:
                gains.append((j, gain))
        return gains, [(self._place[v], n) for v, n in value.items() if v in self._place]

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
            known[key] = self._settled(s, number, step)
        return known[key]

    def _guessed(self, states: set[State], epsilon: list[tuple[int, Step]]) -> Node | State | None:
        """Give the auxiliaries of these steps every value that they can have."""
        for number, step in epsilon:
            (v,) = step.variables
            after = set()
            for state in states:
                for value in self._values(state, v, number):
                    gains = [(j, self.model.sums[j][v] * value) for j in step.sums]
                    found = self._moved(state, gains, [(self._place[v], value)], number, step, {})
                    if found is not None:
                        after.add(found)
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
        if known == ANY:  # nobody asks
            yield self.model.range(v)[0]
            return
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
            ranges = [self._range(state, j, number - 1) for j in constraint.sums]
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

    def _range(self, state: State | list[int | None], j: int, number: int) -> tuple[int, int]:
        """Return what a sum can still become after a step."""
        have = state[j]
        assert have is not None
        step = self.plan.steps[number] if number >= 0 else None
        low, high = (step.low[j], step.high[j]) if step is not None else self._whole(j)
        for place, factor, when in self._late.get(j, ()):
            if when > number and (value := state[place]) is not UNKNOWN and value != ANY:
                ends = [factor * n for n in self.model.range(self.plan.tracked[place - self._sums])]
                low += factor * value - min(ends)
                high += factor * value - max(ends)
        return have + low, have + high

    def _whole(self, j: int) -> tuple[int, int]:
        low = high = 0
        for v, factor in self.model.sums[j].items():
            ends = [factor * n for n in self.model.range(v)]
            low, high = low + min(ends), high + max(ends)
        return low, high

    def _settled(self, s: list[int | None], number: int, step: Step | None) -> State | None:
        """Judge what a step touched; forget what no longer matters. None if a constraint fails."""
        everything = range(len(self._judge))
        judged = everything if step is None else step.judged
        open_: dict[int, bool] = {}
        while True:
            forced = False
            for c in judged:
                verdict = self._verdict(s, c, number)
                if verdict is None:
                    return None
                if verdict == 2:
                    forced = True
                open_[c] = verdict == 1
            if not forced:
                break
            judged = everything  # a value became known: look at everything again
        self._forget(s, open_, number, step if judged is not everything else None)
        return tuple(s)

    def _verdict(self, s: list[int | None], c: int, number: int) -> int | None:
        """Return None if a constraint fails, 0 if it is settled, 1 if open, 2 if it forced a literal."""
        simple, j, least, most, enforced = self._judge[c]
        unknown = 0
        for place, wanted in enforced:
            value = s[place]
            if value is UNKNOWN:
                unknown += 1
            elif value != wanted:
                return 0
        if simple:
            have = s[j]
            if have is None:
                return 0
            if j in self._late or number < 0:
                low, high = self._range(s, j, number)
            else:
                step = self.plan.steps[number]
                low, high = have + step.low[j], have + step.high[j]
            if least <= low and high <= most:
                return 0
            if not (high < least or low > most):
                return self._narrow(s, j, low, high, least, most, number) if not unknown and j in self._late else 1
        else:
            constraint = self.model.constraints[c]
            if any(s[j] is None for j in constraint.sums):
                return 0
            ranges = []
            for j, offset in zip(constraint.sums, constraint.offsets, strict=True):
                low, high = self._range(s, j, number)
                ranges.append((low + offset, high + offset))
            status = constraint.status(ranges)
            if status == HOLDS:
                return 0
            if status != FAILS:
                return 1
        if unknown == 0:
            return None
        if unknown == 1:
            for place, wanted in enforced:
                if s[place] is UNKNOWN:
                    s[place] = 1 - wanted
            return 2
        return 1

    def _narrow(self, s: list[int | None], j: int, low: int, high: int, least: int, most: int, number: int) -> int:
        """Give a Boolean auxiliary of a sum its value where only one is left."""
        for place, factor, when in self._late[j]:
            if when > number and s[place] is UNKNOWN:
                if self.model.range(self.plan.tracked[place - self._sums]) != (0, 1):
                    continue
                at_0 = (low, high - factor) if factor > 0 else (low - factor, high)
                at_1 = (low + factor, high) if factor > 0 else (low, high + factor)
                dead = [n for n, (a, b) in enumerate((at_0, at_1)) if b < least or a > most]
                if len(dead) == 1:
                    s[place] = 1 - dead[0]
                    return 2
        return 1

    def _forget(self, s: list[int | None], open_: dict[int, bool], number: int, step: Step | None) -> None:
        sums = range(self._sums) if step is None else step.affected
        for j in sums:
            if s[j] is not None and not any(self._open(s, c, open_, number) for c in self.plan.of_sum[j]):
                s[j] = None
        places = self._place.values() if step is None else self._nearby(step)
        for place in places:
            if s[place] != ANY and not self._asked(s, place, open_, number):
                s[place] = ANY

    def _open(self, s: list[int | None], c: int, open_: dict[int, bool], number: int) -> bool:
        if c not in open_:
            open_[c] = self._verdict(list(s), c, number) != 0
        return open_[c]

    def _nearby(self, step: Step) -> list[int]:
        key = id(step)
        if key not in self._near:
            variables = dict.fromkeys(step.variables)
            for c in step.judged:
                variables |= dict.fromkeys(v for v, _ in self.model.constraints[c].enforced)
            for j in step.affected:
                variables |= dict.fromkeys(self.model.sums[j])
            self._near[key] = [self._place[v] for v in variables if v in self._place]
        return self._near[key]

    def _asked(self, s: list[int | None], place: int, open_: dict[int, bool], number: int) -> bool:
        v = self.plan.tracked[place - self._sums]
        if any(self._open(s, c, open_, number) for c in self.plan.under.get(v, ())):
            return True
        if self.plan.when[v] <= number:
            return False
        if v in self._decided and s[place] is not UNKNOWN:
            return True  # a decision that was forced keeps its value until its layer
        return any(s[j] is not None for j in self._sums_of.get(v, ()))


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
