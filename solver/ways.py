"""All ways to pay: read from a decision diagram, or enumerated by CP-SAT where there can be none.

Where something that the models read may change during the payment, or a payment is beyond what they can lay out, the
caller's own way to play every payment out is asked instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import islice
from sys import maxsize
from typing import TypeAlias

from lawful.model.declaration import Question
from lawful.model.errors import LawfulError, LimitReached
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Clock, Limits
from lawful.model.page import Page
from lawful.model.payment import Level, Outcome, Payment
from lawful.model.priced import refuse_undeclared
from lawful.model.verdict import Reached
from lawful.solver.ask import Enumeration, each_solution
from lawful.solver.certify import Certificate, certify
from lawful.solver.charted import Charted
from lawful.solver.charted_at_once import ChartedAtOnce
from lawful.solver.diagram import OverBudget, Unsupported, compile_model
from lawful.solver.encode.allocation import Allocation
from lawful.solver.encode.due import plans
from lawful.solver.encode.frame import Frame, frame
from lawful.solver.encode.points import IN_CIRCLES
from lawful.solver.encode.sequence import Sequence, free_order
from lawful.solver.encode.sources import candidates
from lawful.solver.encode.steady import unsteady
from lawful.solver.families import Families
from lawful.solver.found import Enumerated, Found
from lawful.solver.orders import Orders, read_sequence
from lawful.solver.told import Told

FEW_NODES = 2_000  # a diagram of sequences must remember what was used: enumeration is faster beyond that


# Limits of the models, within which playing everything out may still be done.
OF_MODELS = (
    "effect-costs",
    "kinds of points",
    "replacements of gains",
    "sources where their order matters",
    "uses of one source",
    IN_CIRCLES,
)

Play: TypeAlias = Callable[[Question, Limits], Iterable[tuple[Payment, Outcome]]]
"""Plays every payment of a question out: each once, with what it leaves."""


class NotSteady(LawfulError):
    """Something that the models read may change during the payment, and there is nobody to play it out."""


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
        How it was found: ``diagram``, ``enumeration`` or ``played``.
    proved : bool
        Whether CP-SAT proved that these are all ways, and nothing but ways.
    listed : tuple of Listed
        The ways asked for.
    unproved : str
        Where a proof was asked for and there is none: ``played``, ``single``, ``limit`` or ``incomplete``.
    reached : tuple of Reached
        Limits that cut something short.
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
    unproved: str = ""
    reached: tuple[Reached, ...] = ()


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
    play: Play | None = None,
    clock: Clock | None = None,
    take: Callable[[Listed], None] | None = None,
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
    engine : {"diagram", "enumeration", "played"}, optional
        None takes the diagram where one can be built, and plays payments out where the models are not exact.
    prove : bool
        Whether CP-SAT proves that these are all ways, and nothing but ways.
    play : callable, optional
        Plays every payment out.
    clock : Clock, optional
        The time for the answer, shared with what else is done for it; None starts one.
    take : callable, optional
        Takes every way as it is listed, so that what is done with it counts as listing.

    Returns
    -------
    Ways
        With `complete` false if a limit was reached; `reached` says which ones, and what they cut short.

    Raises
    ------
    LimitReached
        If the question itself is over a limit, or time ran out before the first way.
    NotSteady
        If payments would have to be played out, and there is nobody to do it.
    """
    clock = clock or Clock(limits.seconds)
    found = find(question, limits=limits, in_order=in_order, engine=engine, play=play, clock=clock)
    counts = counted(found, level, clock)
    reached = found.reached
    by_names = None
    if by_name:
        with _cut(reached, clock, "counting by name"):
            by_names = found.counts_by_name(level)
    minimal, used = found.minimal(), found.used(level)
    listed: list[Listed] = []
    with _cut(reached, clock, "listing"):
        for line in islice(found.lines(level, by_name, page, clock), min(limits.listed, maxsize)):
            way = Listed(*line)
            if take is not None:
                take(way)
            listed.append(way)
    proved, unproved = False, ""
    if prove:
        with _cut(reached, clock, "proof"):
            proved = found.prove(clock)
        if not proved:
            late = any(one.where == "proof" for one in reached)
            unproved = found.unproved or ("limit" if late else "incomplete")
    return Ways(
        FrozenMap(counts),
        by_names,
        minimal,
        FrozenMap(used),
        found.complete,
        reached[0].limit if reached else None,
        found.engine,
        proved,
        tuple(listed),
        unproved,
        tuple(reached),
    )


def counted(found: Found, level: Level, clock: Clock) -> dict[Level, int]:
    """Return the counts, that of one level at any rate.

    Raises
    ------
    LimitReached
        If that level could not be counted.
    """
    counts = found.counts()
    if level not in counts:
        where = f"counting {level}"
        reached = next((r for r in found.reached if r.where == where), Reached("seconds", clock.seconds, where))
        raise LimitReached(reached.limit, reached.value, "give more time, or ask for another level", where)
    return counts


@contextmanager
def _cut(reached: list[Reached], clock: Clock, where: str) -> Iterator[None]:
    """Note a limit that cuts something short, where the answer stands without it."""
    try:
        with clock.during(where):
            yield
    except (LimitReached, OverBudget) as limit:
        value = clock.seconds if limit.limit == "seconds" else limit.value
        reached.append(Reached(limit.limit, value, getattr(limit, "where", "") or where))


def find(
    question: Question,
    *,
    limits: Limits = Limits(),
    in_order: bool | None = None,
    engine: str | None = None,
    play: Play | None = None,
    clock: Clock | None = None,
) -> Found:
    """Find every way to pay, to be counted and listed on demand.

    Parameters
    ----------
    question, limits, in_order, engine, play, clock
        As in `ways`.

    Returns
    -------
    Found
        The ways.

    Raises
    ------
    LimitReached, NotSteady
        As in `ways`.
    """
    refuse_undeclared(question)
    clock = clock or Clock(limits.seconds)
    with clock.during("finding ways"):
        if engine in (None, "played"):
            why = unsteady(question)
            if why is not None or engine == "played":
                if play is None:
                    raise NotSteady(why or "nobody plays")
                return _play(question, limits, play, clock)
        try:
            return _solve(question, limits, in_order, engine, clock)
        except LimitReached as limit:
            if play is None or limit.limit not in OF_MODELS:
                raise
            return _play(question, limits, play, clock)


def _play(question: Question, limits: Limits, play: Play, clock: Clock) -> Enumerated:
    """Have every payment played out."""
    try:
        sources = [(c.thing.id, c.source) for c in candidates(question)]
    except LimitReached:  # of uses: those that are made are in the payments
        sources = []
    found = dict(play(question, clock.limits(limits)))
    sources += [(use.thing, use.source) for payment in found for use in payment.uses]
    parts = ["" if a.split else a.id for a in sorted(question.ruleset.assets, key=lambda asset: asset.phase)]
    told = Told(question, list(dict.fromkeys(sources)), list(dict.fromkeys(parts)), _due_at_once(question))
    told.found = found
    return Enumerated(told, "played", True, clock)


def _due_at_once(question: Question) -> Callable[[tuple[str, ...], int | None], int]:
    """Return how many parts are paid at once, by the options and the X that are declared."""
    known = plans(question)

    @cache
    def due(options: tuple[str, ...], x: int | None) -> int:
        for plan in known:
            if plan.options == options and plan.x in (None, x):
                return sum(demand.always or demand.amount.at(x or 0) > 0 for demand in plan.demands)
        return 0

    return due


def _solve(question: Question, limits: Limits, in_order: bool | None, engine: str | None, clock: Clock) -> Found:
    f = frame(question, limits=limits)
    ordered = f.in_order if in_order is None else in_order
    if f.joint is not None and ordered:
        raise LimitReached("replacements of gains", 0, "those that are used up do not go with parts paid at once")
    if engine != "enumeration":
        try:
            if f.joint is not None:
                return ChartedAtOnce(question, limits, f, clock)
            if not ordered:
                return Charted(question, limits, f, clock)
            return _chart_orders(f, clock.part().limits(limits), clock)  # the rest is for enumerating
        except (Unsupported, OverBudget):
            f = frame(question, limits=limits)
    enumerate_ = _enumerate_orders if ordered else _enumerate_families
    ways, ended = enumerate_(f, limits, clock.part(0.8))  # the rest is for counting and listing
    if not ended.complete and ended.found == 0:
        raise LimitReached(ended.limit or "seconds", clock.seconds, "give more time", "finding the first way")
    reached = []
    if not ended.complete:
        limit = ended.limit or "seconds"
        reached.append(Reached(limit, clock.seconds if limit == "seconds" else limits.ways, "enumerating ways"))
    return Enumerated(ways, "enumeration", ended.complete, clock, reached)


def _chart_orders(f: Frame, limits: Limits, clock: Clock) -> Enumerated:
    """Read every sequence off the diagram of the model of sequences."""
    model = free_order(f)
    orders = Orders(model)
    nodes = min(limits.nodes, FEW_NODES)
    layers = sequence_layers(model)
    diagram = compile_model(f.cp.proto, layers, nodes=nodes, seconds=limits.seconds)
    if diagram.count() > limits.ways:
        raise OverBudget("ways", limits.ways)
    for path in diagram.paths():
        values = diagram.values(path)
        orders.add(read_sequence(orders, tuple(values[key.index] for key in orders.keys)))

    def proved(seconds: float) -> Certificate:
        return certify(f.cp.proto, layers, diagram, seconds=seconds, nodes=limits.nodes)

    return Enumerated(orders, "diagram", True, clock, certify=proved)


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


def _enumerate_families(f: Frame, limits: Limits, clock: Clock) -> tuple[Families, Enumeration]:
    families = Families(Allocation(f))
    ended = each_solution(f.cp, families.keys, families.take, seconds=clock.left, most=limits.ways)
    return families, ended


def _enumerate_orders(f: Frame, limits: Limits, clock: Clock) -> tuple[Orders, Enumeration]:
    orders = Orders(free_order(f))
    ended = each_solution(
        f.cp,
        orders.keys,
        lambda values: orders.add(read_sequence(orders, values)),
        seconds=clock.left,
        most=limits.ways,
    )
    return orders, ended
