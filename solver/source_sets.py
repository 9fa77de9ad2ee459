"""Source sets of parts that are paid at once, counted on a decision diagram: what was given for what is left out.

By Hall's theorem a set of sources pays all parts iff, for every set of parts, the points that could be given for some
of them are enough for all. These rows are linear in how often each group of equal sources is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from ortools.sat.python import cp_model

from lawful.model.declaration import Question
from lawful.model.limits import Limits
from lawful.solver.dd.operators import minimal
from lawful.solver.diagram import Diagram, Unsupported, compile_model
from lawful.solver.encode.allocation import Allocation
from lawful.solver.encode.frame import frame


@dataclass(frozen=True, slots=True)
class SourceSets:
    """How many sets of sources pay.

    Parameters
    ----------
    count : int
        All of them, each with its X, its options and what effect-costs pick.
    minimal : int
        Those without a superfluous source.
    nodes : int
        Nodes of the diagram that was counted.
    """

    count: int
    minimal: int
    nodes: int


def source_sets(question: Question, *, limits: Limits = Limits()) -> SourceSets:
    """Count the source sets of a question whose parts are paid at once.

    Parameters
    ----------
    question : Question
        What is asked.
    limits : Limits
        What it may cost.

    Returns
    -------
    SourceSets
        Exact, of any size.

    Raises
    ------
    Unsupported
        If more than amounts is asked for, so that sets alone do not tell what pays.
    OverBudget
        If the diagram would be too large.
    """
    f = frame(question, limits=limits)
    model = Allocation(f, told="sets")
    if model.joint is None or not model.joint.projects or f.in_order:
        raise Unsupported("source sets by themselves")
    declared = [*f.plan, *(x for x in f.x if isinstance(x, cp_model.IntVar))]
    layers = [[(variable.index, True)] for variable in declared]
    layers += [[(variable.index, True)] for variable in model.effects.picked.values()]
    first = len(layers)
    layers += [[(model.used[g, f.joint or 0].index, True)] for g in range(len(model.groups))]
    diagram = compile_model(f.cp.proto, layers, nodes=limits.nodes, seconds=limits.seconds)

    def weight(diagram: Diagram) -> int:
        def members(layer: int, label: int) -> int:
            if layer < first:
                return 1
            group, (n,) = model.groups[layer - first], diagram.layers[layer].labels[label]
            return comb(len(group.members), n) if all(member.most == 1 for member in group.members) else 1

        return diagram.count(members)

    fewer = [None if layer < first else (lambda label: (max(0, label[0] - 1),)) for layer in range(len(layers))]
    return SourceSets(weight(diagram), weight(minimal(diagram, fewer)), diagram.nodes)
