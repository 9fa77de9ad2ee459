"""All ways to pay: read from a decision diagram, or enumerated by CP-SAT where there can be none."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import islice

from lawful.model.declaration import Question
from lawful.model.errors import LimitReached
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.page import Page
from lawful.model.payment import Level, Outcome, Payment
from lawful.solver.ask import Enumeration, each_solution
from lawful.solver.charted import Charted
from lawful.solver.diagram import OverBudget, Unsupported, compile_model
from lawful.solver.encode.allocation import Allocation
from lawful.solver.encode.frame import Frame, frame
from lawful.solver.encode.sequence import Sequence, free_order
from lawful.solver.families import Families
from lawful.solver.found import Enumerated, Found
from lawful.solver.orders import Orders, read_sequence

FEW_NODES = 2_000  # a diagram of sequences must remember what was used: enumeration is faster beyond that


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of the answer.

    Parameters
    ----------
    key : str
        Stable name of the way.
    payment : Payment
        A witness.
    outcome : Outcome
        What is left after it.
    copies : int
        Ways that the line stands for.
    """

    key: str
    payment: Payment
    outcome: Outcome
    copies: int = 1


@dataclass(frozen=True, slots=True)
class Ways:
    """What was found.

    Parameters
    ----------
    counts : mapping of str to int
        Ways at each level that could be counted in time; the level asked for always.
    count_by_name : int, optional
        Ways at the level asked for when equal cards are not told apart; None unless asked for.
    minimal : int, optional
        Source sets without a superfluous source; None if there were too many to look at.
    used : mapping of str to int
        For every object, the number of ways at the level asked for that use it.
    complete : bool
        Whether that is all, proved.
    limit : str, optional
        The limit that was reached.
    engine : str
        How it was found: ``diagram`` or ``enumeration``.
    proved : bool
        Whether CP-SAT proved that these are all ways, and nothing but ways.
    listed : tuple of Listed
        The ways asked for.
    """

    counts: FrozenMap[Level, int]
    count_by_name: int | None
    minimal: int | None
    used: FrozenMap[str, int]
    complete: bool
    limit: str | None
    engine: str
    proved: bool
    listed: tuple[Listed, ...]


def ways(
    question: Question,
    level: Level,
    *,
    limits: Limits = Limits(),
    by_name: bool = False,
    in_order: bool | None = None,
    page: Page = Page(),
    engine: str | None = None,
    prove: bool = False,
) -> Ways:
    """Find every way to pay.

    Parameters
    ----------
    question : Question
        What is asked.
    level : {"outcomes", "sources", "allocations", "sequences"}
        The level of the ways listed.
    limits : Limits
        What it may cost.
    by_name : bool
        Whether equal cards are merged in the list.
    in_order : bool, optional
        Whether the model of sequences is used; None uses it only where order matters.
    page : Page
        Which ways are listed.
    engine : {"diagram", "enumeration"}, optional
        None takes the diagram where one can be built.
    prove : bool
        Whether CP-SAT proves that these are all ways, and nothing but ways.

    Returns
    -------
    Ways
        With `complete` false if a limit was reached.

    Raises
    ------
    LimitReached
        If the question itself is over a limit, or time ran out before the first way.
    BadInput
        If X is left open and nothing that is paid limits it.
    """
    found = find(question, limits=limits, in_order=in_order, engine=engine)
    counts = found.counts()
    if level not in counts:
        raise LimitReached(found.limit or "seconds", limits.seconds, "give more time, or ask for another level")
    lines = islice(found.lines(level, by_name, page), limits.listed)
    return Ways(
        FrozenMap(counts),
        found.counts_by_name(level) if by_name else None,
        found.minimal(),
        FrozenMap(found.used(level)),
        found.complete,
        found.limit,
        found.engine,
        prove and found.prove(limits.seconds),
        tuple(Listed(*line) for line in lines),
    )


def find(
    question: Question, *, limits: Limits = Limits(), in_order: bool | None = None, engine: str | None = None
) -> Found:
    """Find every way to pay, to be counted and listed on demand.

    Parameters
    ----------
    question, limits, in_order, engine
        As in `ways`.

    Returns
    -------
    Found
        The ways.

    Raises
    ------
    LimitReached, BadInput
        As in `ways`.
    """
    f = frame(question, limits=limits)
    ordered = f.in_order if in_order is None else in_order
    if f.joint is not None:
        if ordered:
            raise LimitReached("replacements", 0, "replacements that are used up do not go with parts paid at once")
        engine = "enumeration"
    if engine != "enumeration":
        try:
            return _chart_orders(f, limits) if ordered else Charted(question, limits)
        except (Unsupported, OverBudget):
            f = frame(question, limits=limits)
    deadline = time.monotonic() + limits.seconds
    ways: Orders | Families
    ways, ended = _enumerate_orders(f, limits, deadline) if ordered else _enumerate_families(f, limits, deadline)
    if not ended.complete and ended.found == 0:
        raise LimitReached(ended.limit or "seconds", limits.seconds, "give more time")
    return Enumerated(ways, "enumeration", ended.complete, ended.limit)


def _chart_orders(f: Frame, limits: Limits) -> Enumerated:
    """Read every sequence off the diagram of the model of sequences."""
    model = free_order(f)
    orders = Orders(model)
    nodes = min(limits.nodes, FEW_NODES)
    diagram = compile_model(f.cp.proto, sequence_layers(model), nodes=nodes, seconds=limits.seconds)
    if diagram.count() > limits.ways:
        raise OverBudget("ways", limits.ways)
    for path in diagram.paths():
        values = diagram.values(path)
        orders.add(read_sequence(orders, tuple(values[key.index] for key in orders.keys)))
    return Enumerated(orders, "diagram", True, None)


def sequence_layers(model: Sequence) -> list[list[tuple[int, bool]]]:
    """Return the layers of a model of sequences: what is declared, place after place, then effect-costs."""
    f, reader = model.f, Orders(model).reader
    declared = [(p.index, True) for p in f.plan]
    declared += [(key.index, False) for key in reader.keys if key.index not in {p.index for p in f.plan}]
    picked = {variable.index for variable in model.effects.picked.values()}
    if model.effects.order is not None:
        picked.add(model.effects.order.index)
    late = [v for v in declared if v[0] in picked]
    layers = [[v for v in declared if v not in late]]
    for t in range(len(model.slots)):
        layers.append([(variable.index, True) for (s, _, _), variable in model.at.items() if s == t])
    return [*layers, *([v] for v in late)]


def _enumerate_families(f: Frame, limits: Limits, deadline: float) -> tuple[Families, Enumeration]:
    families = Families(Allocation(f))
    ended = each_solution(f.cp, families.keys, families.take, seconds=deadline - time.monotonic(), most=limits.ways)
    return families, ended


def _enumerate_orders(f: Frame, limits: Limits, deadline: float) -> tuple[Orders, Enumeration]:
    orders = Orders(free_order(f))
    ended = each_solution(
        f.cp,
        orders.keys,
        lambda values: orders.add(read_sequence(orders, values)),
        seconds=deadline - time.monotonic(),
        most=limits.ways,
    )
    return orders, ended
