"""The diagram of one question: its layers, and what its paths say about payments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb

from ortools.sat.python import cp_model

from lawful.solver.certify import Certificate, certify
from lawful.solver.dd.operators import minimal, project, without_last
from lawful.solver.dd.planning import Layer
from lawful.solver.diagram import Diagram, Path, compile_model
from lawful.solver.encode.allocation import Allocation, looks
from lawful.solver.families import Family, Meaning


@dataclass(frozen=True, slots=True)
class Kind:
    """What a layer decides: what is declared; the uses of a group for each part; who picks an object; the order.

    Parameters
    ----------
    what : {"declared", "uses", "picks", "order"}
        Which of these.
    group : int
        The group, for uses.
    thing : str
        The object, for uses and picks.
    """

    what: str
    group: int = -1
    thing: str = ""


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
    full : Diagram
        Allocations, with the orders of effect-costs as the last layer where there are several.
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
        self.kinds: list[Kind] = []
        self.decisions: list[list[tuple[int, bool]]] = []
        for kind, variables in self._layers():
            self.kinds.append(kind)
            self.decisions.append([(v.index, largest) for v, largest in variables])
        self.full = compile_model(self.f.cp.proto, self.decisions, nodes=nodes, seconds=seconds)
        self._declared = [self.read_declared(label) for label in self.full.layers[0].labels]
        effects = model.effects
        self._terms = {term.due.key: j for j, term in enumerate(effects.terms)}

    def _layers(self) -> list[tuple[Kind, list[tuple[cp_model.IntVar, bool]]]]:
        f, effects = self.f, self.model.effects
        xs = {i: x for i, x in enumerate(f.x) if isinstance(x, cp_model.IntVar) and f.plans[i].x is None}
        self._xs = list(xs)
        declared = [(p, True) for p in f.plan] + [(x, False) for x in xs.values()]
        found: list[tuple[Kind, list[tuple[cp_model.IntVar, bool]]]] = [(Kind("declared"), declared)]
        groups: dict[str, list[int]] = {}
        for g, group in enumerate(self.model.groups):
            groups.setdefault(group.members[0].thing.id, []).append(g)
        for thing in self.things:
            for g in groups.get(thing.id, ()):
                uses = [(self.model.used[g, k], True) for k in range(len(f.parts))]
                if uses:
                    found.append((Kind("uses", g, thing.id), uses))
            if thing.id in effects.touched:
                picks = [(effects.picked[j, thing.id], True) for j in range(len(effects.terms))]
                found.append((Kind("picks", thing=thing.id), picks))
        if effects.order is not None:
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
        plan, x = self._declared[label]
        return self.f.plans[plan].options, x

    @cached_property
    def allocations(self) -> Diagram:
        """The ways at the level of allocations."""
        return without_last(self.full) if self.kinds[-1].what == "order" else self.full

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
        plan, x = self._declared[path[0]]
        used: list[tuple[int, ...]] = [()] * len(self.model.groups)
        due = self.f.plans[plan].effects
        mine = {self._terms[e.key]: i for i, e in enumerate(due)}
        picks: list[list[str]] = [[] for _ in due]
        for kind, layer, n in zip(self._kinds(self.allocations), self.allocations.layers, path, strict=True):
            label = layer.labels[n]
            if kind.what == "uses":
                used[kind.group] = label
            elif kind.what == "picks":
                for j, picked in enumerate(label):
                    if picked:
                        picks[mine[j]].append(kind.thing)
        return Family(plan, x, tuple(used), tuple(tuple(sorted(ids)) for ids in picks))

    def orders(self, path: Path) -> set[tuple[int, ...]]:
        """Return the orders of effect-costs of a path through the allocations."""
        plan, _ = self._declared[path[0]]
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
            if i == len(wanted):
                return ()
            if (i, node) in dead:
                return None
            for n, child in diagram.rows[i][node]:
                label = diagram.layers[i].labels[n]
                if (self.total(label) if kinds[i].what == "uses" else label) == wanted[i]:
                    rest = walk(i + 1, child)
                    if rest is not None:
                        return (n, *rest)
            dead.add((i, node))
            return None

        found = walk(0, 0)
        assert found is not None, "a source set is the projection of an allocation"
        return found
