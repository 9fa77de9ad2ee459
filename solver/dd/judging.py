"""States of a diagram that is being built: what of the values taken so far still matters.

A state holds the sums that some open constraint still needs, and the values of auxiliaries and enforcing decisions
that one still asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from lawful.solver.dd.kinds import FAILS, HOLDS, Within
from lawful.solver.dd.planning import Plan, Step

State: TypeAlias = tuple[int | None, ...]
Bounds: TypeAlias = tuple[int, int, int, int]  # a sum within the first two settles it, beyond the others fails it
Ready: TypeAlias = tuple[int, int, Bounds | None, tuple[tuple[int, int], ...]]

UNKNOWN, ANY = None, -(1 << 60)  # no value yet; a value that nobody asks for any more


class Touched(NamedTuple):
    """What is looked at when something got its value: constraints to judge; sums and places that may be forgotten."""

    ready: list[Ready]
    sums: tuple[int, ...]
    places: tuple[int, ...]


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
        self._touches: dict[int, Touched] = {}
        self._forced: dict[int, Touched] = {}
        self._judge = [self._compiled(c) for c in range(len(self.model.constraints))]
        self._late = self._late_auxiliaries()
        tracked = set(made.tracked)
        self._places = [
            dict.fromkeys(self.place[v] for v in coefficients if v in tracked) for coefficients in self.model.sums
        ]

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
        for auxiliaries in late.values():
            auxiliaries.sort(key=lambda auxiliary: auxiliary[2])
        return late

    def range_of(self, state: State | list[int | None], j: int, number: int) -> tuple[int, int]:
        """Return what a sum can still become after a step."""
        have = state[j]
        assert have is not None
        least_of, most_of = self._ahead(number)
        low, high = least_of[j], most_of[j]
        for place, factor, when in self._late.get(j, ()):
            if when > number and (value := state[place]) is not UNKNOWN and value != ANY:
                least, most = self._ends[j, place]
                low += factor * value - least
                high += factor * value - most
        return have + low, have + high

    def settled(self, s: list[int | None], number: int, step: Step | None) -> State | None:
        """Judge what a step touched; forget what no longer matters. None if a constraint fails."""
        open_: dict[int, bool] = {}
        touched = [self._after(number, step)]
        ready = touched[0].ready
        while True:
            forced: list[int] = []
            for c, j, bounds, enforced in ready:
                if bounds is None:
                    verdict = self._verdict(s, c, number, forced)
                    if verdict is None:
                        return None
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
                        self._force(s, enforced, forced)
                        open_[c] = False
            if not forced:
                break
            more = [self._known(place) for place in forced]  # its value became known: look at it again
            touched += more
            ready = more[0].ready if len(more) == 1 else [r for touch in more for r in touch.ready]
        self._forget(s, open_, number, touched)
        return tuple(s)

    def _ready(self, number: int, c: int) -> Ready:
        """Return a constraint to judge after a step, with the sums so far that settle or fail it.

        There are no such bounds for other kinds, and where an auxiliary that is still to come narrows a sum's range.
        """
        simple, j, least, most, enforced = self._judge[c]
        bounds = None
        if simple:
            late = self._late.get(j)
            if late is None or late[-1][2] <= number:
                low, high = self._ahead(number)
                bounds = least - low[j], most - high[j], least - high[j], most - low[j]
        return c, j, bounds, enforced

    def _ahead(self, number: int) -> tuple[list[int], list[int]]:
        """Return what sums can still gain after a step, or in all."""
        step = self.plan.steps[number] if number >= 0 else self.plan.whole
        return step.low, step.high

    def _after(self, number: int, step: Step | None) -> Touched:
        """Return what is looked at after a step; before the first step that is everything."""
        found = self._touches.get(number)
        if found is None:
            if step is None:
                judged: Sequence[int] = range(len(self._judge))
                found = Touched([], tuple(range(self.sums)), tuple(self.place.values()))
            else:
                judged = step.judged
                found = self._near(judged, step.affected, step.variables)
            found = self._touches[number] = found._replace(ready=[self._ready(number, c) for c in judged])
        return found

    def _known(self, place: int) -> Touched:
        """Return what is looked at when the value at a place became known."""
        v = self.plan.tracked[place - self.sums]
        found = self._forced.get(v)
        if found is None:
            judged = dict.fromkeys(self.plan.under.get(v, ()))
            judged |= dict.fromkeys(c for j in self._sums_of.get(v, ()) for c in self.plan.of_sum[j])
            affected = dict.fromkeys(j for c in judged for j in self.model.constraints[c].sums)
            found = self._forced[v] = self._near(tuple(judged), tuple(affected), (v,))
        return found

    def _near(self, judged: Sequence[int], affected: tuple[int, ...], variables: Sequence[int]) -> Touched:
        """Return constraints with their sums, and the places that these and the constraints ask for."""
        place = self.place
        near = dict.fromkeys(place[v] for v in variables if v in place)
        for c in judged:
            for at, _ in self._judge[c][4]:
                near[at] = None
        for j in affected:
            near |= self._places[j]
        ready: list[Ready] = [(c, self._judge[c][1], None, self._judge[c][4]) for c in judged]
        return Touched(ready, affected, tuple(near))

    def _verdict(self, s: list[int | None], c: int, number: int, forced: list[int]) -> int | None:
        """Return None if a constraint fails, 0 if it is settled, 1 if open, 2 if it forced a literal (it is noted)."""
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
            low, high = self.range_of(s, j, number)
            if least <= low and high <= most:
                return 0
            if not (high < least or low > most):
                narrows = not unknown and j in self._late
                return self._narrow(s, j, low, high, least, most, number, forced) if narrows else 1
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
            self._force(s, enforced, forced)
            return 2
        return 1

    @staticmethod
    def _force(s: list[int | None], enforced: tuple[tuple[int, int], ...], forced: list[int]) -> None:
        """What does not hold does not bind: the literal that is not known is false."""
        for place, wanted in enforced:
            if s[place] is UNKNOWN:
                s[place] = 1 - wanted
                forced.append(place)

    def _narrow(
        self, s: list[int | None], j: int, low: int, high: int, least: int, most: int, number: int, forced: list[int]
    ) -> int:
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
                    forced.append(place)
                    return 2
        return 1

    def _forget(self, s: list[int | None], open_: dict[int, bool], number: int, touched: list[Touched]) -> None:
        for touch in touched:
            for j in touch.sums:
                if s[j] is not None:
                    for c in self.plan.of_sum[j]:
                        known = open_.get(c)
                        if self._open(s, c, open_, number) if known is None else known:
                            break
                    else:
                        s[j] = None
        for touch in touched:
            for place in touch.places:
                if s[place] != ANY and not self._asked(s, place, open_, number):
                    s[place] = ANY

    def _open(self, s: list[int | None], c: int, open_: dict[int, bool], number: int) -> bool:
        """Say whether a constraint is open, that was not judged after this step."""
        simple, j, least, most, enforced = self._judge[c]
        if not simple or j in self._late:
            known = self._verdict(list(s), c, number, []) != 0
        elif (have := s[j]) is None:
            known = False
        else:
            low, high = self._ahead(number)
            known = have + low[j] < least or have + high[j] > most
            if known and enforced:
                known = all(s[place] is UNKNOWN or s[place] == wanted for place, wanted in enforced)
        open_[c] = known
        return known

    def _asked(self, s: list[int | None], place: int, open_: dict[int, bool], number: int) -> bool:
        v = self.plan.tracked[place - self.sums]
        for c in self.plan.under.get(v, ()):
            known = open_.get(c)
            if self._open(s, c, open_, number) if known is None else known:
                return True
        if self.plan.when[v] <= number:
            return False
        if v in self._decided and s[place] is not UNKNOWN:
            return True  # a decision that was forced keeps its value until its layer
        return any(s[j] is not None for j in self._sums_of.get(v, ()))
