"""What families are: allocations by groups of equal sources, how they go, and what they leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, factorial, prod

from ortools.sat.python import cp_model

from lawful.model.payment import Level, Outcome
from lawful.solver.encode.allocation import Allocation, Group, looks
from lawful.solver.encode.due import Plan
from lawful.solver.encode.effects import Effects
from lawful.solver.encode.frame import Frame
from lawful.solver.encode.points import Kind, kind_of
from lawful.solver.encode.sources import Candidate
from lawful.solver.settle import Settled, settle
from lawful.solver.split import Purse, Room, Splitter


@dataclass(frozen=True, slots=True)
class Family:
    """One allocation by groups.

    Parameters
    ----------
    plan : int
        Index of the plan.
    x : int or None
        The value of X.
    used : tuple of tuple of int
        For each group, its uses for each part.
    picks : tuple of tuple of str
        For each effect-cost of the plan, the objects picked.
    cells : tuple of int
        What is given for parts that are paid at once, in the order of the model's cells.
    numbers : tuple of int
        How much is given for each of these parts.
    """

    plan: int
    x: int | None
    used: tuple[tuple[int, ...], ...]
    picks: tuple[tuple[str, ...], ...]
    cells: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()

    @property
    def totals(self) -> tuple[int, ...]:
        """How often each group is used."""
        return tuple(map(sum, self.used))

    @property
    def set_key(self) -> tuple[object, ...]:
        """What is the same for all families of one source set."""
        return self.plan, self.x, self.totals, self.picks, self.numbers


class Reader:
    """Reads plan, X, picks and the order of effect-costs off a solution."""

    def __init__(self, f: Frame, effects: Effects) -> None:
        self.f, self.effects = f, effects
        self.keys: list[cp_model.IntVar] = list(self.f.plan)
        self._x = {i: x for i, x in enumerate(self.f.x) if isinstance(x, cp_model.IntVar)}
        self.keys += list(self._x.values())
        self._picked = list(self.effects.picked.items())
        self.keys += [variable for _, variable in self._picked]
        if self.effects.order is not None:
            self.keys.append(self.effects.order)

    def read(self, values: tuple[int, ...]) -> tuple[int, int | None, tuple[tuple[str, ...], ...], tuple[int, ...]]:
        """Return the plan, X, the picks of each of the plan's effect-costs, and their order."""
        plan = values[: len(self.f.plan)].index(1)
        at = len(self.f.plan)
        x = self.f.plans[plan].x
        for i in self._x:
            if i == plan:
                x = values[at]
            at += 1
        picked: dict[int, list[str]] = {}
        for (j, id), _ in self._picked:
            if values[at]:
                picked.setdefault(j, []).append(id)
            at += 1
        place = {term.due.key: j for j, term in enumerate(self.effects.terms)}
        mine = [place[e.key] for e in self.f.plans[plan].effects]
        order = self.effects.orders[values[at]] if self.effects.order is not None else tuple(range(len(place)))
        picks = tuple(tuple(sorted(picked.get(j, ()))) for j in mine)
        return plan, x, picks, tuple(mine.index(j) for j in order if j in mine)


MANY_COURSES = 10_000  # courses remembered: many ways gain the same


class Meaning:
    """What a family says: which payments it stands for, how they go, what they leave.

    Parameters
    ----------
    model : Allocation
        The model whose solutions families are.
    """

    def __init__(self, model: Allocation) -> None:
        self.model, self.f = model, model.f
        self.reader = Reader(model.f, model.effects)
        self.keys = self.reader.keys + list(model.used.values())
        self.cells = () if model.joint is None else tuple(model.joint.cells)
        self.keys += [] if model.joint is None else list(model.joint.variables.values())
        self.splitter = None if model.joint is None else Splitter(model.joint)
        self._courses: dict[object, Settled] = {}

    def read(self, values: tuple[int, ...]) -> tuple[Family, tuple[int, ...]]:
        """Return the family of a solution, given as the values of `keys`, and the order of its effect-costs."""
        start = len(self.reader.keys)
        plan, x, picks, order = self.reader.read(values[:start])
        parts = len(self.f.parts)
        many = len(self.model.groups) * parts
        flat, cells = values[start : start + many], values[start + many :]
        used = tuple(tuple(flat[g * parts : (g + 1) * parts]) for g in range(len(self.model.groups)))
        return Family(plan, x, used, picks, *self.given(cells)), order

    def given(self, cells: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return what is given in each cell, and how much for each part due at once; sources say what theirs cost."""
        numbers = [0] * len(self.f.demands)
        for (j, _), n in zip(self.cells, cells, strict=True):
            if 0 <= j < len(numbers):
                numbers[j] += n
        return cells, tuple(numbers)

    def plan(self, family: Family) -> Plan:
        """Return what the family declares."""
        return self.f.plans[family.plan]

    def settled(self, family: Family) -> Settled:
        """Return the course of the payments of a family: the same for all its members."""
        gained: list[dict[str, int]] = [{} for _ in self.f.parts]
        for group, uses in zip(self.model.groups, family.used, strict=True):
            if not any(uses):
                continue
            for k, n in enumerate(uses):
                if n:
                    for asset, points in group.gain.items():
                        gained[k][asset] = gained[k].get(asset, 0) + n * points
        told = family.plan, family.x, family.cells, tuple(tuple(sorted(points.items())) for points in gained)
        if told not in self._courses:
            if len(self._courses) == MANY_COURSES:
                self._courses.clear()
            self._courses[told] = settle(self.f, self.plan(family), family.x, gained, self._left(family))
        return self._courses[told]

    def _left(self, family: Family) -> dict[str, int] | None:
        """Return what is left over of parts that are paid at once; None where none is."""
        plan = self.plan(family)
        if not any(d.always or d.amount.at(family.x or 0) for d in plan.demands):
            return None
        return {as_: n for (j, as_), n in zip(self.cells, family.cells, strict=True) if j < 0}

    def by_source(self, family: Family, members: Sequence[Sequence[Candidate]] = ()) -> tuple[list[Purse], Room]:
        """Return the points at hand for parts that are paid at once, and the room in their cells.

        Parameters
        ----------
        family : Family
            One family.
        members : sequence of sequences of Candidate
            For every part the sources used; where none are said, the first of each group.
        """
        k, joint = self.f.joint, self.model.joint
        if joint is None or k is None or self._left(family) is None:
            return [], ()
        tells = any(demand.term.printed for demand in self.f.demands)
        purses = [Purse("", "", Kind(asset), n) for asset, n in self._floating(family, k).items() if n]
        if members:
            used = [(c, members[k].count(c)) for c in dict.fromkeys(members[k])]
        else:
            used = [use for g, uses in enumerate(family.used) for use in self._first(g, uses[k])]
        for candidate, times in used:
            for asset, n in self.f.chains(candidate)[0].gain:
                if asset in joint.common:
                    kind = kind_of(candidate, asset, tells)
                    purses.append(Purse(candidate.thing.id, candidate.source, kind, n * times))
        return purses, family.cells

    def _first(self, g: int, uses: int) -> list[tuple[Candidate, int]]:
        group = self.model.groups[g]
        if self.members(group) is None:
            return [(group.members[0], uses)] if uses else []
        return [(member, 1) for member in group.members[:uses]]

    def _floating(self, family: Family, k: int) -> dict[str, int]:
        """Return what floats of the split assets before the parts that are paid at once."""
        f = self.f
        start = f.question.position.player(f.question.declaration.player).pool
        pool = {asset.id: start.get(asset.id, 0) for asset in f.question.ruleset.assets}
        for j, part in enumerate(f.parts[:k]):
            for group, uses in zip(self.model.groups, family.used, strict=True):
                for asset, n in group.gain.items():
                    pool[asset] += uses[j] * n
            amount = self.plan(family).amounts.get(part.id)
            need = amount.at(family.x or 0) if amount is not None else 0
            for asset in part.accepts:
                drawn = min(max(0, pool[asset] - (part.keep if asset == part.id else 0)), need)
                pool[asset] -= drawn
                need -= drawn
        return {asset: pool[asset] for asset in f.common}

    def members(self, group: Group) -> int | None:
        """Return how many members a group has, or None if it is one object used several times."""
        return len(group.members) if all(m.most == 1 for m in group.members) else None

    def allocations(self, family: Family) -> int:
        """Return how many allocations a family stands for: the choices of members for each part."""
        return prod(
            _multinomial(members, uses)
            for group, uses in zip(self.model.groups, family.used, strict=True)
            if (members := self.members(group)) is not None
        )

    def sets(self, family: Family) -> int:
        """Return how many source sets a family's totals stand for."""
        return prod(
            comb(members, n)
            for group, n in zip(self.model.groups, family.totals, strict=True)
            if (members := self.members(group)) is not None
        )

    def arrangements(self, family: Family, alike: bool = False) -> int:
        """Return in how many orders the sources of one allocation can be used; with `alike`, equal cards are one."""
        short = self.settled(family).short
        return prod(self._arrange(family, k, short[k], alike) for k in range(len(self.f.parts)))

    def _arrange(self, family: Family, k: int, short: int, alike: bool) -> int:
        part = self.f.parts[k]
        if k == self.f.joint:
            purses, room = self.by_source(family)
            return self.splitter.count(purses, room) if self.splitter is not None and room else 1
        # (points, how many alike, how many such objects)
        kinds: dict[object, list[int]] = {}
        for group, uses in zip(self.model.groups, family.used, strict=True):
            if not uses[k]:
                continue
            name = (looks(group.members[0].thing), group.members[0].source) if alike else id(group)
            kind = kinds.setdefault(name, [group.points(part), 0, 1])
            kind[1] += uses[k]
            if not alike and self.members(group) is not None:
                kind[2] = 0  # told apart
        n = sum(kind[1] for kind in kinds.values())
        if n == 0:
            return 1
        repeats = prod(factorial(kind[1]) for kind in kinds.values() if kind[2])
        total = sum(kind[0] * kind[1] for kind in kinds.values())
        if part.generate == "freely":
            return factorial(n) // repeats
        # The last one is any without which it is still short; what comes before it may stand in any order.
        last = sum(kind[1] for kind in kinds.values() if total - kind[0] < short)
        return factorial(n - 1) * last // repeats

    def outcome(self, family: Family) -> Outcome:
        """Return what is left."""
        return self.settled(family).outcome

    def name(self, family: Family, level: Level) -> tuple[object, ...]:
        """Return what can be told of a family at a level when equal cards are not told apart."""
        if level == "outcomes":
            return (self.outcome(family),)
        whose = {thing.id: looks(thing) for thing in self.f.question.position.things}
        picks = tuple(tuple(sorted(map(str, (whose[id] for id in picked)))) for picked in family.picks)
        uses: dict[object, int] = {}
        for group, parts in zip(self.model.groups, family.used, strict=True):
            for k, n in enumerate(parts):
                at = (looks(group.members[0].thing), group.members[0].source, 0 if level == "sources" else k)
                uses[at] = uses.get(at, 0) + n
        paid = family.numbers if level == "sources" else family.cells
        return self.plan(family).options, family.x, frozenset((u, n) for u, n in uses.items() if n), picks, paid


def _multinomial(members: int, uses: tuple[int, ...]) -> int:
    ways = 1
    for n in uses:
        ways *= comb(members, n)
        members -= n
    return ways
