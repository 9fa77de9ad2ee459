"""Source sets of parts that are paid at once, counted on a decision diagram: what was given for what is left out.

By Hall's theorem a set of sources pays all parts iff, for every set of parts, the points that could be given for some
of them are enough for all. These rows are linear in how often each group of equal sources is used.
"""

from __future__ import annotations

from dataclasses import dataclass

from lawful.model.declaration import Question
from lawful.model.limits import Limits
from lawful.solver.chart import Chart
from lawful.solver.diagram import Unsupported
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
    model = Allocation(f, "gain", told="sets")
    if model.joint is None or not model.joint.projects or f.in_order:
        raise Unsupported("source sets by themselves")
    chart = Chart(model, nodes=limits.nodes, seconds=limits.seconds)
    every, least = chart.sources, chart.minimal
    return SourceSets(every.count(chart.members(every)), least.count(chart.members(least)), chart.full.nodes)
