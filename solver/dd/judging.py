"""States of a diagram that is being built: what of the values taken so far still matters.

A state holds the sums that some open constraint still needs, and the values of auxiliaries and enforcing decisions
that one still asks for.
"""

from __future__ import annotations

from typing import TypeAlias

from lawful.solver.dd.kinds import FAILS, HOLDS, Within
from lawful.solver.dd.planning import Plan, Step

State: TypeAlias = tuple[int | None, ...]
Bounds: TypeAlias = tuple[int, int, int, int]  # a sum within the first two settles it, beyond the others fails it
Ready: TypeAlias = tuple[int, int, Bounds | None, tuple[tuple[int, int], ...]]

UNKNOWN, ANY = None, -(1 << 60)  # no value yet; a value that nobody asks for any more


class Judge:
    """Judges and trims states; the states of one diagram are all its memory.

    Parameters
    ----------
    made : Plan
        The order of work.
    """

    def __init__(self, made: Plan) -> None:
        self.plan, self.model = made, made.model
        self.sums = len(self.model.sums)
        self.place = {v: self.sums + i for i, v in enumerate(made.tracked)}
        self._decided = {v for step in made.steps if step.layer is not None for v in step.variables}
        self._sums_of: dict[int, list[int]] = {}
        for j, coefficients in enumerate(self.model.sums):
            for v in coefficients:
                self._sums_of.setdefault(v, []).append(j)
        self._near: dict[int, list[int]] = {}
        self._ready: dict[tuple[int, bool], list[Ready]] = {}
        self._judge = [self._compiled(c) for c in range(len(self.model.constraints))]
        self._late = self._late_auxiliaries()

    def _compiled(self, c: int) -> tuple[bool, int, int, int, tuple[tuple[int, int], ...]]:
        """A constraint as plain numbers: one interval over one sum is by far the most frequent."""
        constraint = self.model.constraints[c]
        enforced = tuple((self.place[v], wanted) for v, wanted in constraint.enforced)
        if isinstance(constraint, Within) and len(constraint.intervals) == 1:
            ((least, most),) = constraint.intervals
            return True, constraint.sums[0], least, most, enforced
        return False, -1, 0, 0, enforced

    def _late_auxiliaries(self) -> dict[int, list[tuple[int, int, int]]]:
        """For each sum its auxiliaries: place in the state, factor, step."""
        late: dict[int, list[tuple[int, int, int]]] = {}
        self._ends: dict[tuple[int, int], tuple[int, int]] = {}
        for j, coefficients in enumerate(self.model.sums):
            for v, factor in coefficients.items():
                if v not in self._decided:
                    late.setdefault(j, []).append((self.place[v], factor, self.plan.when[v]))
                    least, most = sorted(factor * n for n in self.model.range(v))
                    self._ends[j, self.place[v]] = least, most
        return late

    def range_of(self, state: State | list[int | None], j: int, number: int) -> tuple[int, int]:
        """Return what a sum can still become after a step."""
        have = state[j]
        assert have is not None
        step = self.plan.steps[number] if number >= 0 else None
        low, high = (step.low[j], step.high[j]) if step is not None else self._whole(j)
        for place, factor, when in self._late.get(j, ()):
            if when > number and (value := state[place]) is not UNKNOWN and value != ANY:
                least, most = self._ends[j, place]
                low += factor * value - least
                high += factor * value - most
        return have + low, have + high

    def _whole(self, j: int) -> tuple[int, int]:
        low = high = 0
        for v, factor in self.model.sums[j].items():
            ends = [factor * n for n in self.model.range(v)]
            low, high = low + min(ends), high + max(ends)
        return low, high

    def settled(self, s: list[int | None], number: int, step: Step | None) -> State | None:
        """Judge what a step touched; forget what no longer matters. None if a constraint fails."""
        everything = step is None
        open_: dict[int, bool] = {}
        while True:
            forced = False
            for c, j, bounds, enforced in self._made_ready(number, None if everything else step):
                if bounds is None:
                    verdict = self._verdict(s, c, number)
                    if verdict is None:
                        return None
                    forced = forced or verdict == 2
                    open_[c] = verdict == 1
                    continue
                # What `_verdict` says, in place: most constraints are one interval over one sum.
                have = s[j]
                if have is None or bounds[0] <= have <= bounds[1]:
                    open_[c] = False
                    continue
                unknown = 0
                for place, wanted in enforced:
                    value = s[place]
                    if value is UNKNOWN:
                        unknown += 1
                    elif value != wanted:
                        open_[c] = False
                        break
                else:
                    open_[c] = True
                    if bounds[2] <= have <= bounds[3]:
                        continue
                    if unknown == 0:
                        return None
                    if unknown == 1:
                        for place, wanted in enforced:
                            if s[place] is UNKNOWN:
                                s[place] = 1 - wanted
                        forced, open_[c] = True, False
            if not forced:
                break
            everything = True  # a value became known: look at everything again
        self._forget(s, open_, number, None if everything else step)
        return tuple(s)

    def _made_ready(self, number: int, step: Step | None) -> list[Ready]:
        """Return the constraints to judge after a step, with the sums so far that settle or fail each.

        There are no such bounds before the first step, for other kinds, and where an auxiliary narrows a sum's range.
        """
        key = number, step is None
        if key not in self._ready:
            found: list[Ready] = []
            for c in range(len(self._judge)) if step is None else step.judged:
                simple, j, least, most, enforced = self._judge[c]
                bounds = None
                if simple and number >= 0 and j not in self._late:
                    low, high = self.plan.steps[number].low[j], self.plan.steps[number].high[j]
                    bounds = least - low, most - high, least - high, most - low
                found.append((c, j, bounds, enforced))
            self._ready[key] = found
        return self._ready[key]

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
                low, high = self.range_of(s, j, number)
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
                low, high = self.range_of(s, j, number)
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
                if self.model.range(self.plan.tracked[place - self.sums]) != (0, 1):
                    continue
                at_0 = (low, high - factor) if factor > 0 else (low - factor, high)
                at_1 = (low + factor, high) if factor > 0 else (low, high + factor)
                dead = [n for n, (a, b) in enumerate((at_0, at_1)) if b < least or a > most]
                if len(dead) == 1:
                    s[place] = 1 - dead[0]
                    return 2
        return 1

    def _forget(self, s: list[int | None], open_: dict[int, bool], number: int, step: Step | None) -> None:
        sums = range(self.sums) if step is None else step.affected
        for j in sums:
            if s[j] is not None:
                for c in self.plan.of_sum[j]:
                    if self._open(s, c, open_, number):
                        break
                else:
                    s[j] = None
        places = self.place.values() if step is None else self._nearby(step)
        for place in places:
            if s[place] != ANY and not self._asked(s, place, open_, number):
                s[place] = ANY

    def _open(self, s: list[int | None], c: int, open_: dict[int, bool], number: int) -> bool:
        known = open_.get(c)
        if known is None:
            known = open_[c] = self._verdict(list(s), c, number) != 0
        return known

    def _nearby(self, step: Step) -> list[int]:
        key = id(step)
        if key not in self._near:
            variables = dict.fromkeys(step.variables)
            for c in step.judged:
                variables |= dict.fromkeys(v for v, _ in self.model.constraints[c].enforced)
            for j in step.affected:
                variables |= dict.fromkeys(self.model.sums[j])
            self._near[key] = [self.place[v] for v in variables if v in self.place]
        return self._near[key]

    def _asked(self, s: list[int | None], place: int, open_: dict[int, bool], number: int) -> bool:
        v = self.plan.tracked[place - self.sums]
        for c in self.plan.under.get(v, ()):
            if self._open(s, c, open_, number):
                return True
        if self.plan.when[v] <= number:
            return False
        if v in self._decided and s[place] is not UNKNOWN:
            return True  # a decision that was forced keeps its value until its layer
        return any(s[j] is not None for j in self._sums_of.get(v, ()))
