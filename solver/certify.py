"""CP-SAT proves a diagram right, without enumerating: no solution leaves it, and no path of it is no solution.

"The model holds and the path leaves the diagram" must be infeasible (nothing is missing); so must "the path stays in
the diagram and the model fails" (nothing is too much). The model fails where one of its constraints does. That only
means something where the auxiliaries have a value that no constraint was needed to reach, so an auxiliary is kept only
if it is *defined*: a constraint gives it exactly one value, whatever the decisions are. All others become decisions of
the diagram that is proved, and projecting them away must give the diagram in question, node by node: reduced ordered
diagrams of equal sets are equal.

References
----------
Pesant, "A regular language membership constraint for finite sequences of variables", CP 2004: the automaton constraint.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ortools.sat.python import cp_model

from lawful.model.errors import LimitReached
from lawful.solver.ask import feasible
from lawful.solver.dd.defined import defined
from lawful.solver.dd.negation import fails
from lawful.solver.dd.operators import without_last
from lawful.solver.diagram import Diagram, OverBudget, compile_model

SINK = 0
Layers = Sequence[Sequence[tuple[int, bool]]]


@dataclass(frozen=True, slots=True)
class Certificate:
    """What was proved.

    Parameters
    ----------
    complete : bool
        No solution is missing.
    sound : bool
        Every path is a solution.
    nodes : int
        Nodes of the diagram that was proved.
    seconds : float
        Time it took.
    """

    complete: bool
    sound: bool
    nodes: int
    seconds: float

    @property
    def proved(self) -> bool:
        """Whether the diagram is exactly the set of solutions."""
        return self.complete and self.sound


def certify(proto: Any, decisions: Layers, diagram: Diagram, *, seconds: float, nodes: int = 200_000) -> Certificate:
    """Let CP-SAT prove that a diagram holds all solutions of a model, and nothing else.

    Parameters
    ----------
    proto : CpModelProto
        The model.
    decisions : sequence of sequence of (int, bool)
        The layers, as for `compile_model`.
    diagram : Diagram
        What is to be proved.
    seconds : float
        Wall time allowed.
    nodes : int
        Nodes that the diagram proved may have.

    Returns
    -------
    Certificate
        Both halves proved, or one or both refuted.

    Raises
    ------
    LimitReached
        If there was no answer in time.
    Unsupported
        If the model has a constraint whose failing is not known how to say.
    """
    start = time.monotonic()
    decided = {v for layer in decisions for v, _ in layer}
    known = defined(proto, decided)
    loose = [v for v in range(len(proto.variables)) if v not in decided and v not in known]
    proved = diagram
    if loose:
        wide = [*decisions, *([(v, False)] for v in loose)]
        found = _with_loose(proto, wide, diagram, len(loose), seconds, nodes)
        if found is None:
            return Certificate(False, False, diagram.nodes, time.monotonic() - start)
        proved = found
    sequence = [v for layer in decisions for v, _ in layer] + loose
    left = seconds - (time.monotonic() - start)
    complete = feasible(_leaving(proto, sequence, proved), seconds=left) == "infeasible"
    left = seconds - (time.monotonic() - start)
    sound = feasible(_failing(proto, sequence, proved, known), seconds=left) == "infeasible"
    return Certificate(complete, sound, proved.nodes, time.monotonic() - start)


def _with_loose(proto: Any, layers: Layers, diagram: Diagram, loose: int, seconds: float, nodes: int) -> Diagram | None:
    """Return the diagram in which undefined auxiliaries are decisions, if its projection is the one in question."""
    try:
        proved = compile_model(proto, layers, nodes=nodes, seconds=seconds)
    except OverBudget as over:
        raise LimitReached(over.limit, over.value, "the diagram is too large to be proved") from None
    narrow = proved
    for _ in range(loose):
        narrow = without_last(narrow)
    if narrow.alive != diagram.alive or _shape(narrow) != _shape(diagram):
        return None
    return proved


def _shape(diagram: Diagram) -> object:
    """Return a diagram with its nodes numbered as they are met: equal for equal sets of solutions."""
    shape, here = [], [0] if diagram.alive else []
    for layer, rows in zip(diagram.layers, diagram.rows, strict=True):
        numbers: dict[int, int] = {}
        met = []
        for node in here:
            met.append(tuple((layer.labels[n], numbers.setdefault(child, len(numbers))) for n, child in rows[node]))
        shape.append(tuple(met))
        here = list(numbers)
    return shape


def _copy(proto: Any) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    model = cp_model.CpModel()
    model.proto.copy_from(proto)
    return model, [model.get_int_var_from_proto_index(i) for i in range(len(proto.variables))]


def _leaving(proto: Any, sequence: Sequence[int], diagram: Diagram) -> cp_model.CpModel:
    """The model holds, and the path leaves the diagram."""
    model, variables = _copy(proto)
    edges, root, _ = _automaton(diagram)
    domains = [_values(proto, v) for v in sequence]
    leaving, levels = [], _levels(edges, root, len(sequence))
    for i, nodes in enumerate(levels):
        for node in nodes:
            stays = {value for tail, value, _ in edges if tail == node} if i < len(sequence) else set()
            leaving += [(node, value, SINK) for value in domains[i] if value not in stays]
    anything = sorted({value for domain in domains for value in domain})
    stay = [(SINK, value, SINK) for value in anything]
    if not leaving:
        model.add_bool_or([])
        return model
    model.add_automaton([variables[v] for v in sequence], root, [SINK], [*edges, *leaving, *stay])
    return model


def _failing(proto: Any, sequence: Sequence[int], diagram: Diagram, known: dict[int, set[int]]) -> cp_model.CpModel:
    """The path stays in the diagram, the defined auxiliaries have their values, and some other constraint fails."""
    model = cp_model.CpModel()
    for v in proto.variables:
        model.proto.variables.append(v)
    variables = [model.get_int_var_from_proto_index(i) for i in range(len(proto.variables))]
    if not diagram.alive:
        model.add_bool_or([])
        return model
    definitions = {c for of in known.values() for c in of}
    for c in sorted(definitions):
        model.proto.constraints.append(proto.constraints[c])
    broken = [
        literal
        for c, constraint in enumerate(proto.constraints)
        if c not in definitions
        for literal in fails(model, constraint, variables)
    ]
    model.add_bool_or(broken)
    edges, root, ends = _automaton(diagram)
    if not edges:
        model.add_bool_or([])
        return model
    model.add_automaton([variables[v] for v in sequence], root, ends, edges)
    return model


def _values(proto: Any, v: int) -> list[int]:
    flat = list(proto.variables[v].domain)
    return [n for a, b in zip(flat[::2], flat[1::2], strict=True) for n in range(a, b + 1)]


def _levels(edges: Sequence[tuple[int, int, int]], root: int, depth: int) -> list[list[int]]:
    """Return the states that can be reached before each variable."""
    after: dict[int, list[int]] = {}
    for tail, _, head in edges:
        after.setdefault(tail, []).append(head)
    levels = [[root]]
    for _ in range(depth - 1):
        levels.append(list(dict.fromkeys(head for node in levels[-1] for head in after.get(node, ()))))
    return levels


def _automaton(diagram: Diagram) -> tuple[list[tuple[int, int, int]], int, list[int]]:
    """Return a diagram as an automaton over single variables: transitions, the first state, the final ones."""
    numbers: dict[object, int] = {}

    def number(state: object) -> int:
        return numbers.setdefault(state, len(numbers) + 1)

    root = number((0, 0))
    edges: dict[tuple[int, int, int], None] = {}
    for i, (layer, rows) in enumerate(zip(diagram.layers, diagram.rows, strict=True)):
        width = len(layer.variables)
        for node, row in enumerate(rows):
            for n, child in row:
                tail = number((i, node))
                for at, value in enumerate(layer.labels[n]):
                    state = (i + 1, child) if at + 1 == width else (i, node, layer.labels[n][: at + 1])
                    head = number(state)
                    edges[tail, value, head] = None
                    tail = head
    return list(edges), root, [number((len(diagram.rows), 0))]
