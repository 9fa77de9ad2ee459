"""The diagram of one question: its layers, and what its paths say about payments."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import TypeAlias

from ortools.sat.python import cp_model

from lawful.model.payment import Level
from lawful.solver.certify import Certificate, certify
from lawful.solver.dd.operators import minimal, project, without_last
from lawful.solver.dd.planning import Layer
from lawful.solver.diagram import Diagram, Path, compile_model
from lawful.solver.encode.allocation import Allocation, looks
from lawful.solver.encode.points import Cell
from lawful.solver.families import Family, Meaning


@dataclass(frozen=True, slots=True)
class Kind:
    """What a layer decides: what is declared; the uses of a group for each part; who picks an object; the order.

    Of parts that are paid at once also how much is given for one that leaves it open, and how much as what.

    Parameters
    ----------
    what : {"declared", "uses", "picks", "number", "cell", "order"}
        Which of these.
    group : int
        The group, for uses.
    thing : str
        The object, for uses and picks.
    cell : Cell
        The part (-1 is what is left over) and as what, for cells.
    """

    what: str
    group: int = -1
    thing: str = ""
    cell: Cell = (-1, "")


Decided: TypeAlias = list[tuple[Kind, list[tuple[cp_model.IntVar, bool]]]]


class Chart:
    """All ways of one question as a diagram.

    Parameters
    ----------
    model : Allocation
        The model; by single sources the paths are allocations, by groups they are families of them.
    nodes : int
        States that may be built.
    seconds : float
        Wall time allowed.
    together : bool
        Whether equal cards stand together in the order of the layers; else all stand as they lie in the position.

    Attributes
    ----------
    kinds : list of Kind
        What each layer decides.
    decisions : list of list of (int, bool)
        The layers, as `compile_model` takes them.
    """

    def __init__(self, model: Allocation, *, nodes: int, seconds: float, together: bool = False) -> None:
        self.things = model.f.question.position.things
        if together:
            place: dict[object, int] = {}
            for thing in self.things:
                place.setdefault(looks(thing), len(place))
            self.things = tuple(sorted(self.things, key=lambda thing: place[looks(thing)]))
        self.model, self.f, self.nodes = model, model.f, nodes
        self.meaning = Meaning(model)
        self._deadline = time.monotonic() + seconds
        layers = self._layers(model)
        self.kinds = [kind for kind, _ in layers]
        self.decisions = indexes(layers)
        self._terms = {term.due.key: j for j, term in enumerate(model.effects.terms)}
        self._start()

    def _start(self) -> None:
        """Compile what has to be there."""
        _ = self.full

    def _left(self) -> float:
        return max(self._deadline - time.monotonic(), 0.001)

    @cached_property
    def full(self) -> Diagram:
        """Allocations, with the orders of effect-costs as the last layer where there are several."""
        return compile_model(self.f.cp.proto, self.decisions, nodes=self.nodes, seconds=self._left())

    def _layers(self, model: Allocation) -> Decided:
        f, effects = model.f, model.effects
        xs = {i: x for i, x in enumerate(f.x) if isinstance(x, cp_model.IntVar) and f.plans[i].x is None}
        self._xs = list(xs)
        declared = [(p, True) for p in f.plan] + [(x, False) for x in xs.values()]
        found: Decided = [(Kind("declared"), declared)]
        groups: dict[str, list[int]] = {}
        for g, group in enumerate(model.groups):
            groups.setdefault(group.members[0].thing.id, []).append(g)
        for thing in self.things:
            for g in groups.get(thing.id, ()):
                uses = [(model.used[g, k], True) for k in range(len(f.parts))]
                if uses:
                    found.append((Kind("uses", g, thing.id), uses))
            if thing.id in effects.touched:
                picks = [(effects.picked[j, thing.id], True) for j in range(len(effects.terms))]
                found.append((Kind("picks", thing=thing.id), picks))
        if model.joint is not None:
            found += [(Kind("number"), [(number, True)]) for number in model.joint.numbers.values()]
            found += [(Kind("cell", cell=cell), [(n, True)]) for cell, n in model.joint.variables.items()]
        if effects.order is not None and (model.joint is None or model.joint.told != "sets"):
            found.append((Kind("order"), [(effects.order, False)]))
        return found

    def read_declared(self, label: Sequence[int]) -> tuple[int, int | None]:
        """Return the plan (by its index) and the X that a label of the first layer declares."""
        plans = len(self.f.plan)
        plan = label.index(1)
        x = self.f.plans[plan].x
        if plan in self._xs:
            x = label[plans + self._xs.index(plan)]
        return plan, x

    def declared(self, label: int) -> tuple[tuple[str, ...], int | None]:
        """Return the options and the X that a label of the first layer declares."""
        plan, x = self.read_declared(self.allocations.layers[0].labels[label])
        return self.f.plans[plan].options, x

    @cached_property
    def allocations(self) -> Diagram:
        """The ways at the level of allocations."""
        return without_last(self.full) if self.kinds[-1].what == "order" else self.full

    @property
    def finest(self) -> Diagram:
        """The finest diagram that there is within the limits."""
        return self.allocations

    @cached_property
    def sources(self) -> Diagram:
        """The ways at the level of source sets: how often each group is used, for whichever parts."""
        tell = [self.total if kind.what == "uses" else None for kind in self._kinds(self.allocations)]
        return project(self.allocations, tell, self.nodes)

    @cached_property
    def minimal(self) -> Diagram:
        """The source sets without a superfluous source."""
        fewer = [self._one_less if kind.what == "uses" else None for kind in self._kinds(self.sources)]
        return minimal(self.sources, fewer, nodes=self.nodes)

    def prove(self, seconds: float) -> Certificate:
        """Let CP-SAT prove that the diagram is exactly the set of the model's solutions.

        Raises
        ------
        LimitReached
            If there was no proof in time.
        """
        return certify(self.f.cp.proto, self.decisions, self.full, seconds=seconds, nodes=self.nodes)

    def _kinds(self, diagram: Diagram) -> list[Kind]:
        return self.kinds[: len(diagram.layers)]

    @staticmethod
    def total(label: tuple[int, ...]) -> tuple[int, ...]:
        """Return how often a group is used, for whichever parts."""
        return (sum(label),)

    @staticmethod
    def _one_less(label: tuple[int, ...]) -> tuple[int, ...]:
        return (max(label[0] - 1, 0),)

    def members(self, diagram: Diagram) -> Callable[[int, int], int]:
        """Return the weight of a label: in how many ways the members of its group can be chosen."""
        tables = [self._table(kind, layer) for kind, layer in zip(self._kinds(diagram), diagram.layers, strict=True)]
        return lambda layer, label: tables[layer][label]

    def _table(self, kind: Kind, layer: Layer) -> list[int]:
        if kind.what != "uses":
            return [1] * len(layer.labels)
        group = self.model.groups[kind.group]
        if any(m.most != 1 for m in group.members):  # one object, used several times
            return [1] * len(layer.labels)
        found = []
        for label in layer.labels:
            ways, left = 1, len(group.members)
            for n in label:
                ways *= comb(left, n)
                left -= n
            found.append(ways)
        return found

    def family(self, path: Path) -> Family:
        """Return the family of a path through the allocations."""
        plan, x = self.read_declared(self.allocations.layers[0].labels[path[0]])
        cells: dict[Cell, int] = {}
        used: list[tuple[int, ...]] = [()] * len(self.model.groups)
        due = self.f.plans[plan].effects
        mine = {self._terms[e.key]: i for i, e in enumerate(due)}
        picks: list[list[str]] = [[] for _ in due]
        for kind, layer, n in zip(self._kinds(self.allocations), self.allocations.layers, path, strict=True):
            label = layer.labels[n]
            if kind.what == "uses":
                used[kind.group] = label
            elif kind.what == "cell":
                cells[kind.cell] = label[0]
            elif kind.what == "picks":
                for j, picked in enumerate(label):
                    if picked:
                        picks[mine[j]].append(kind.thing)
        given = self.meaning.given(tuple(cells.values()))
        return Family(plan, x, tuple(used), tuple(tuple(sorted(ids)) for ids in picks), *given)

    def orders(self, path: Path) -> set[tuple[int, ...]]:
        """Return the orders of effect-costs of a path through the allocations."""
        plan, _ = self.read_declared(self.full.layers[0].labels[path[0]])
        due = self.f.plans[plan].effects
        mine = {self._terms[e.key]: i for i, e in enumerate(due)}
        if self.kinds[-1].what != "order":
            return {tuple(range(len(due)))}
        node = 0
        for rows, label in zip(self.full.rows, path, strict=False):
            node = dict(rows[node])[label]
        labels = self.full.layers[-1].labels
        every = self.model.effects.orders
        return {tuple(mine[j] for j in every[labels[n][0]] if j in mine) for n, _ in self.full.rows[-1][node]}

    def allocation_of(self, path: Path) -> Path:
        """Return the first allocation of a path through the source sets."""
        wanted = [layer.labels[n] for layer, n in zip(self.sources.layers, path, strict=True)]
        diagram, kinds = self.allocations, self._kinds(self.allocations)
        dead: set[tuple[int, int]] = set()

        def walk(i: int, node: int) -> Path | None:
            if i == len(diagram.layers):
                return ()
            if (i, node) in dead:
                return None
            for n, child in diagram.rows[i][node]:
                label = diagram.layers[i].labels[n]
                if i >= len(wanted) or (self.total(label) if kinds[i].what == "uses" else label) == wanted[i]:
                    rest = walk(i + 1, child)
                    if rest is not None:
                        return (n, *rest)
            dead.add((i, node))
            return None

        found = walk(0, 0)
        assert found is not None, "a source set is the projection of an allocation"
        return found

    def witness(self, path: Path) -> tuple[Family, set[tuple[int, ...]]]:
        """Return the first allocation of a path through the source sets, and the orders of its effect-costs."""
        found = self.allocation_of(path)
        return self.family(found), self.orders(found)

    def used(self, level: Level) -> dict[str, int]:
        """Return for every object the number of ways that use it; empty where the level does not tell."""
        if level not in ("sources", "allocations"):
            return {}
        diagram = self.sources if level == "sources" else self.allocations
        weigh = self.members(diagram)
        marginals, found = diagram.marginals(weigh), {c.thing.id: 0 for c in self.f.sources}
        at: dict[str, list[int]] = {}
        for i, kind in enumerate(self.kinds[: len(diagram.layers)]):
            if kind.what == "uses":
                at.setdefault(kind.thing, []).append(i)
        for thing, layers in at.items():
            members = self.model.groups[self.kinds[layers[0]].group].members
            labels = diagram.layers[layers[0]].labels
            if len(members) > 1:  # equal ones are used equally often
                uses = sum(sum(label) * n for label, n in zip(labels, marginals[layers[0]], strict=True))
                found |= {member.thing.id: uses // len(members) for member in members}
            elif len(layers) == 1:
                found[thing] = sum(n for label, n in zip(labels, marginals[layers[0]], strict=True) if any(label))
            else:  # an object with several sources counts once
                unused = self._unused(diagram, set(layers), weigh)
                found[thing] = diagram.count(weigh) - diagram.count(unused)
        return found

    @staticmethod
    def _unused(diagram: Diagram, layers: set[int], weigh: Callable[[int, int], int]) -> Callable[[int, int], int]:
        def weight(layer: int, label: int) -> int:
            return 0 if layer in layers and any(diagram.layers[layer].labels[label]) else weigh(layer, label)

        return weight


def indexes(layers: Decided) -> list[list[tuple[int, bool]]]:
    """Return layers as `compile_model` takes them."""
    return [[(v.index, largest) for v, largest in variables] for _, variables in layers]
