"""CP-SAT proves a diagram right, without enumerating: no solution leaves it, and no path of it is no solution.

"The model holds and the path leaves the diagram" must be infeasible (nothing is missing); so must "the path stays in
the diagram and the model fails" (nothing is too much). The model fails where one of its constraints does. That only
means something where the auxiliaries have a value that no constraint was needed to reach, so an auxiliary is kept only
if it is *defined*: a constraint gives it exactly one value, whatever the decisions are. All others become decisions of
the diagram that is proved, and projecting them away must give the diagram in question, node by node: reduced ordered
diagrams of equal sets are equal.

A path is told to CP-SAT node by node, with the range that every sum has at each node (`solver/dd/staying.py`): so it
refutes node by node what is left, instead of path by path.

References
----------
Pesant, "A regular language membership constraint for finite sequences of variables", CP 2004: paths as constraints.
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
from lawful.solver.dd.staying import Path
from lawful.solver.diagram import Diagram, OverBudget, compile_model

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
    halves : (float, float)
        Of that, what showing that nothing is missing took, and that nothing is too much.
    """

    complete: bool
    sound: bool
    nodes: int
    seconds: float
    halves: tuple[float, float] = (0.0, 0.0)

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
    if not _tells_paths_apart(diagram) or not _fits(proto, decisions, diagram):
        return Certificate(False, False, diagram.nodes, time.monotonic() - start)
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
    end, first = start + seconds, time.monotonic()
    leaving = _leaving(proto, proved)
    complete = feasible(leaving, seconds=end - time.monotonic()) == "infeasible"
    second = time.monotonic()
    failing = _failing(proto, proved, known)
    sound = feasible(failing, seconds=end - time.monotonic()) == "infeasible"
    last = time.monotonic()
    return Certificate(complete, sound, proved.nodes, last - start, (second - first, last - second))


def _tells_paths_apart(diagram: Diagram) -> bool:
    """Say whether every path reaches the end, and no two paths say the same: else the paths would not be the ways."""
    if not diagram.alive:
        return True
    widths = [*map(len, diagram.rows), 1]  # after the last layer there is the end
    if widths[0] == 0 or len(diagram.rows) != len(diagram.layers):
        return False
    for layer, rows, width in zip(diagram.layers, diagram.rows, widths[1:], strict=True):
        for row in rows:
            labels = [layer.labels[n] for n, _ in row if 0 <= n < len(layer.labels)]
            if len(set(labels)) < len(row) or any(not 0 <= child < width for _, child in row):
                return False
    return True


def _fits(proto: Any, decisions: Layers, diagram: Diagram) -> bool:
    """Say whether a diagram is about these decisions, and its labels are values that they can have."""
    if [layer.variables for layer in diagram.layers] != [tuple(v for v, _ in layer) for layer in decisions]:
        return False
    domains = {v: _intervals(list(proto.variables[v].domain)) for layer in decisions for v, _ in layer}
    used = [{n for row in rows for n, _ in row} for rows in diagram.rows]
    return all(
        any(a <= value <= b for a, b in domains[v])
        for layer, labels in zip(diagram.layers, used, strict=True)
        for n in labels
        for v, value in zip(layer.variables, layer.labels[n], strict=True)
    )


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


def _intervals(flat: list[int]) -> list[tuple[int, int]]:
    return list(zip(flat[::2], flat[1::2], strict=True))


def _copy(proto: Any) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    model = cp_model.CpModel()
    model.proto.copy_from(proto)
    return model, [model.get_int_var_from_proto_index(i) for i in range(len(proto.variables))]


def _leaving(proto: Any, diagram: Diagram) -> cp_model.CpModel:
    """The model holds, and the path leaves the diagram."""
    model, variables = _copy(proto)
    if diagram.alive:
        Path(model, variables, diagram, leaves=True).add_ranges(range(len(proto.constraints)))
    return model


def _failing(proto: Any, diagram: Diagram, known: dict[int, set[int]]) -> cp_model.CpModel:
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
    end = len(model.proto.constraints)
    Path(model, variables, diagram, leaves=False).add_ranges(range(end))
    return model
