"""The diagram engine, from the question on: building the model and compiling it are part of its time."""

from __future__ import annotations

import numpy as np
from instances import BITS
from numpy.typing import NDArray

from lawful.model.declaration import Question
from lawful.model.limits import Limits
from lawful.solver.chart import Chart
from lawful.solver.dd.blocks import keys, labels
from lawful.solver.diagram import Diagram
from lawful.solver.encode.allocation import Alike, Allocation
from lawful.solver.encode.frame import frame
from lawful.solver.members import apart

LIMITS = Limits(sources=400, nodes=2_000_000, seconds=600.0)
Keys = NDArray[np.uint64]


def model(question: Question, alike: Alike) -> Allocation:
    """Return the CP-SAT model."""
    return Allocation(frame(question, limits=LIMITS), alike)


def chart(question: Question, alike: Alike) -> Chart:
    """Return the compiled diagram."""
    return Chart(model(question, alike), nodes=LIMITS.nodes, seconds=LIMITS.seconds)


def single(question: Question) -> tuple[Diagram, Keys]:
    """List all ways from the diagram by single sources, in canonical order."""
    diagram = chart(question, "none").allocations
    return diagram, keys(diagram)


def classes(question: Question) -> tuple[Diagram, Keys]:
    """List all ways from the diagram over classes of equal sources, told apart afterwards."""
    diagram = apart(chart(question, "gain"))
    return diagram, keys(diagram)


def count(question: Question) -> int:
    """Count all ways, over classes."""
    made = chart(question, "gain")
    return made.allocations.count(made.members(made.allocations))


def count_single(question: Question) -> int:
    """Count all ways, by single sources."""
    return chart(question, "none").allocations.count()


def with_an_edge_less(diagram: Diagram) -> Diagram:
    """Return a diagram without the first edge of a node in the middle that has several."""
    depth = len(diagram.rows)
    nodes = ((i, node) for i in range(depth // 2, depth) for node, row in enumerate(diagram.rows[i]) if len(row) > 1)
    layer, which = next(nodes)
    rows = [list(row) for row in diagram.rows]
    rows[layer][which] = rows[layer][which][1:]
    return Diagram(diagram.layers, rows, True)


def common(question: Question, diagram: Diagram, found: Keys, by_class: bool) -> Keys:
    """Return the ways as the other engines number them: only the form of a number changes."""
    built = model(question, "gain" if by_class else "none")
    where = {thing.id: i for i, thing in enumerate(question.position.things)}
    if by_class:
        sources = [member.thing.id for group in ordered(built) for member in group.members]
    else:
        sources = [group.members[0].thing.id for group in ordered(built)]
    first = min(where[source] for source in sources)
    parts = [{"c": 1, "r": 2}[part.id] for part in built.f.parts]
    at = labels(diagram, found)
    result = np.zeros(len(found), dtype=np.uint64)
    for column, source in zip(range(1, at.shape[1]), sources, strict=True):
        options = [sum(o for o, n in zip(parts, label, strict=True) if n) for label in diagram.layers[column].labels]
        shifted = np.array([o << (BITS * (where[source] - first)) for o in options], dtype=np.uint64)
        result |= shifted[at[:, column]]
    return result


def ordered(built: Allocation):
    """Return the groups in the order of the layers: that of the position."""
    place = {thing.id: i for i, thing in enumerate(built.f.question.position.things)}
    return sorted(built.groups, key=lambda group: place[group.members[0].thing.id])
