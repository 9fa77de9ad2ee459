"""The diagrams of a question whose parts are paid at once.

Which sets of sources pay is told without what is given for what, where only amounts are asked for (Hall's rows): then
source sets have a model and a diagram of their own, which stays small on boards of any size. What is given for what is
decided after the sources, in the diagram of allocations. Whose points these are is told in a third diagram, in which
every source splits its own points; it is only counted.
"""

from __future__ import annotations

import time
from functools import cached_property

from ortools.sat.python import cp_model

from lawful.model.declaration import Question
from lawful.model.limits import Limits
from lawful.model.payment import Outcome, Spend
from lawful.solver.certify import Certificate, certify
from lawful.solver.chart import Chart, Decided, Kind
from lawful.solver.dd.operators import first_layers, project
from lawful.solver.diagram import Diagram, OverBudget, Path, Unsupported
from lawful.solver.encode.allocation import Alike, Allocation
from lawful.solver.encode.frame import Frame, frame
from lawful.solver.encode.points import Cell, kind_of
from lawful.solver.families import Family
from lawful.solver.split import in_order


class AtOnce(Chart):
    """All ways of one question whose parts are paid at once.

    Parameters
    ----------
    question : Question
        What is asked.
    alike : {"looks", "gain", "none"}
        Which sources make one group.
    limits : Limits
        States that may be built.
    seconds : float
        Wall time allowed.
    f : Frame, optional
        A frame of this question that nothing was built on yet.
    """

    def __init__(
        self, question: Question, alike: Alike, limits: Limits, seconds: float, f: Frame | None = None
    ) -> None:
        self.question, self.alike, self.limits = question, alike, limits
        model = Allocation(f or frame(question, limits=limits), alike, told="numbers")
        assert model.joint is not None
        self.projects = model.joint.projects
        self.shared: Shares | None = None  # the chart of sequences, once it was read
        super().__init__(model, nodes=limits.nodes, seconds=seconds)

    def _start(self) -> None:
        """Compile source sets: allocations are left out of the counts where they are too many states."""
        _ = self.sources

    @cached_property
    def sets(self) -> Chart:
        """The chart of the model that tells source sets only."""
        model = Allocation(frame(self.question, limits=self.limits), self.alike, told="sets")
        return Chart(model, nodes=self.nodes, seconds=self._left())

    @cached_property
    def sources(self) -> Diagram:
        """The ways at the level of source sets, with how much each part takes that leaves it open."""
        tell = [self.total if kind.what == "uses" else None for kind in self.kinds]
        found = self.sets.full if self.projects else first_layers(self.full, self._told)
        return project(found, tell[: len(found.layers)], self.nodes)

    @cached_property
    def _told(self) -> int:
        """How many layers tell source sets."""
        return sum(kind.what not in ("cell", "order") for kind in self.kinds)

    @cached_property
    def built(self) -> bool:
        """Whether there is a diagram of allocations within the limits."""
        if self._hopeless():
            return False
        try:
            return bool(self.full.nodes)
        except (OverBudget, Unsupported):
            return False

    def _hopeless(self) -> bool:
        """Say whether sources alone can give points in more ways than there may be nodes: each is one, at least."""
        joint = self.model.joint
        assert joint is not None
        place: dict[object, int] = {}
        most: dict[tuple[tuple[int, int], ...], int] = {}  # points of one use, by where they can go; how many such uses
        for group in self.model.groups:
            one = group.members[0]
            gains: dict[int, int] = {}
            for asset, n in group.gain.items() if not one.barred else ():
                if asset in joint.common:
                    at = place.setdefault(joint.reach(kind_of(one, asset, True), frozenset()), len(place))
                    gains[at] = gains.get(at, 0) + n
            key = tuple(sorted(gains.items()))
            most[key] = most.get(key, 0) + group.size
        base = 1 + sum(n * max((points for _, points in key), default=0) for key, n in most.items())
        told = {0}
        for key, n in most.items():
            step = sum(points * base**at for at, points in key)
            before = tuple(told)
            for k in range(1, n + 1):
                told.update(start + k * step for start in before)
                if len(told) > self.nodes:
                    return True
        return False

    @property
    def finest(self) -> Diagram:
        """The finest diagram that there is within the limits."""
        return self.allocations if self.built else self.sources

    def prove(self, seconds: float) -> Certificate:
        """Let CP-SAT prove the diagram of source sets where it has its own model, and that of allocations if built.

        Raises
        ------
        LimitReached
            If there was no proof in time.
        """
        start, found = time.monotonic(), Certificate(True, True, 0, 0)
        proved = [self.sets] if self.projects else []
        for chart in proved:
            found = certify(chart.f.cp.proto, chart.decisions, chart.full, seconds=seconds, nodes=self.nodes)
        if self.built:
            if self.projects:
                tell = [self.total if kind.what == "uses" else None for kind in self.kinds[: self._told]]
                both = project(first_layers(self.full, self._told), tell, self.nodes)
                assert both.count() == self.sources.count(), "Hall's rows are what allocations leave of their sources"
            left = seconds - (time.monotonic() - start)
            second = super().prove(left)
            found = Certificate(
                found.complete and second.complete,
                found.sound and second.sound,
                found.nodes + second.nodes,
                time.monotonic() - start,
            )
        return found

    def witness(self, path: Path) -> tuple[Family, set[tuple[int, ...]]]:
        """Return the first allocation of a path through the source sets, and the orders of its effect-costs."""
        if self.built:
            return super().witness(path)
        only = _Fixed(self, path)
        first = only.full.unrank(0)
        return only.family(first), only.orders(first)

    def outcomes(self, seconds: float) -> set[Outcome] | None:
        """Return what can be left; None if that took too long."""
        deadline, joint = time.monotonic() + seconds, self.f.joint

        def elsewhere(label: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(0 if k == joint else n for k, n in enumerate(label))

        def forgotten(label: tuple[int, ...]) -> tuple[int, ...]:
            return (0,) * len(label)

        diagram = self.allocations
        tell = []
        for kind in self.kinds[: len(diagram.layers)]:
            of_part = kind.what == "cell" and kind.cell[0] >= 0
            blank = kind.what in ("picks", "number") or of_part
            tell.append(elsewhere if kind.what == "uses" else forgotten if blank else None)
        try:
            left = project(diagram, tell, self.nodes)
        except OverBudget:
            return None
        found = set()
        for path in left.paths():
            found.add(self.meaning.outcome(self._family(left, path)))
            if time.monotonic() > deadline:
                return None
        return found

    def _family(self, diagram: Diagram, path: Path) -> Family:
        """Return what a path says that leaves out picks, sources used for these parts, and what was given for them."""
        labels = [layer.labels[n] for layer, n in zip(diagram.layers, path, strict=True)]
        plan, x = self.read_declared(labels[0])
        used: list[tuple[int, ...]] = [()] * len(self.model.groups)
        cells = []
        for kind, label in zip(self.kinds, labels, strict=False):
            if kind.what == "uses":
                used[kind.group] = label
            elif kind.what == "cell":
                cells.append(label[0])
        return Family(plan, x, tuple(used), (), *self.meaning.given(tuple(cells)))

    def sequences(self, seconds: float) -> int | None:
        """Return the number of sequences: whose points are given for what; None if that took too long."""
        shares = self.shares(seconds)
        return self._one_by_one(seconds) if shares is None else shares.full.count()

    def shares(self, seconds: float) -> Shares | None:
        """Return the chart of sequences; None where other parts have an order of sources, or it is too large."""
        if self.shared is None and all(
            part.generate == "never" for k, part in enumerate(self.f.parts) if k != self.f.joint
        ):
            try:
                self.shared = Shares(self.question, self.limits, seconds)
            except (OverBudget, Unsupported):
                return None
        return self.shared

    def _one_by_one(self, seconds: float) -> int | None:
        deadline, found = time.monotonic() + seconds, 0
        for path in self.allocations.paths():
            family = self.family(path)
            found += self.meaning.allocations(family) * self.meaning.arrangements(family) * len(self.orders(path))
            if time.monotonic() > deadline:
                return None
        return found


class _Fixed(Chart):
    """The allocations of one source set."""

    def __init__(self, chart: AtOnce, path: Path) -> None:
        model = Allocation(frame(chart.question, limits=chart.limits), chart.alike, told="numbers")
        self._wanted = [layer.labels[n] for layer, n in zip(chart.sources.layers, path, strict=True)]
        super().__init__(model, nodes=chart.nodes, seconds=chart.limits.seconds)

    def _layers(self, model: Allocation) -> Decided:
        found = super()._layers(model)
        for (kind, variables), label in zip(found, self._wanted, strict=False):
            if kind.what == "uses":
                model.f.cp.add(sum(v for v, _ in variables) == label[0])
                continue
            for (variable, _), n in zip(variables, label, strict=True):
                model.f.cp.add(variable == n)
        return found


class Shares(Chart):
    """Ways told apart by whose points are given for what: every source splits its own.

    Parameters
    ----------
    question : Question
        What is asked.
    limits : Limits
        States that may be built.
    seconds : float
        Wall time allowed.
    """

    def __init__(self, question: Question, limits: Limits, seconds: float) -> None:
        model = Allocation(frame(question, limits=limits), "none", told="shares")
        super().__init__(model, nodes=limits.nodes, seconds=seconds)

    def _layers(self, model: Allocation) -> Decided:
        assert model.joint is not None
        shares: dict[int, list[tuple[cp_model.IntVar, bool]]] = {}
        for (g, _), cells in model.joint.shares.items():
            shares.setdefault(g, []).extend((n, True) for n in cells.values())
        found: Decided = []
        for kind, variables in super()._layers(model):
            mine = shares.get(kind.group, []) if kind.what == "uses" else []
            found.append((kind, [*variables, *mine]))
            if kind.what == "declared" and -1 in shares:
                found.append((Kind("floating"), shares[-1]))
        return found

    def way(self, path: Path) -> tuple[Family, tuple[int, ...], tuple[Spend, ...]]:
        """Return the family of a path, the order of its effect-costs, and whose points are given for what."""
        joint = self.model.joint
        assert joint is not None
        plan, x = self.read_declared(self.full.layers[0].labels[path[0]])
        due = self.f.plans[plan].effects
        mine = {self._terms[e.key]: i for i, e in enumerate(due)}
        used: list[tuple[int, ...]] = [()] * len(self.model.groups)
        picks: list[list[str]] = [[] for _ in due]
        order, given, parts = tuple(range(len(due))), [], len(self.f.parts)
        for kind, layer, n in zip(self.kinds, self.full.layers, path, strict=True):
            label = layer.labels[n]
            if kind.what == "uses":
                used[kind.group] = label[:parts]
                given += self._given(kind.group, label[parts:])
            elif kind.what == "floating":
                given += self._given(-1, label)
            elif kind.what == "picks":
                for j, picked in enumerate(label):
                    if picked:
                        picks[mine[j]].append(kind.thing)
            elif kind.what == "order":
                order = tuple(mine[j] for j in self.model.effects.orders[label[0]] if j in mine)
        cells = dict.fromkeys(joint.cells, 0)
        for (_, _), (j, as_), n in given:
            cells[j, as_] += n
        chosen = tuple(tuple(sorted(ids)) for ids in picks)
        family = Family(plan, x, tuple(used), chosen, *self.meaning.given(tuple(cells.values())))
        places = {-1: -1, **joint.places(self.f.plans[plan], x, {g for g, uses in enumerate(used) if any(uses)})}
        spends = []
        for (g, asset), (j, as_), n in given:
            one = self.model.groups[g].members[0] if g >= 0 else None
            whose = (one.thing.id, one.source) if one is not None else ("", "")
            spends.append(Spend(places[j], as_, n, *whose, asset))
        at = {thing.id: i for i, thing in enumerate(self.f.question.position.things)}
        return family, order, in_order(spends, at)

    def _given(self, group: int, label: tuple[int, ...]) -> list[tuple[tuple[int, str], Cell, int]]:
        """Return the points that a group gives: which asset of it, for what, how many."""
        joint, at, found = self.model.joint, 0, []
        assert joint is not None
        for key, cells in joint.shares.items():
            if key[0] == group:
                found += [(key, cell, n) for cell, n in zip(cells, label[at:], strict=False) if n]
                at += len(cells)
        return found
