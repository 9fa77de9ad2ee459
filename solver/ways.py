"""All ways to pay: enumerated by CP-SAT, counted at four levels, listed in canonical order."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from lawful.model.declaration import Question
from lawful.model.errors import LimitReached
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.payment import Level, Outcome, Payment
from lawful.solver.ask import Enumeration, each_solution
from lawful.solver.encode.allocation import Allocation
from lawful.solver.encode.frame import Frame, frame
from lawful.solver.encode.sequence import free_order
from lawful.solver.families import Families
from lawful.solver.lines import Lines
from lawful.solver.orders import Orders, read_sequence


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
        Ways at each level.
    count_by_name : mapping of str to int
        The same when equal cards are not told apart.
    minimal : int
        Source sets without a superfluous source.
    complete : bool
        Whether CP-SAT showed that there are no more.
    limit : str, optional
        The limit that stopped it.
    engine : str
        How it was found.
    listed : tuple of Listed
        The first ways, in canonical order.
    """

    counts: FrozenMap[Level, int]
    count_by_name: FrozenMap[Level, int]
    minimal: int
    complete: bool
    limit: str | None
    engine: str
    listed: tuple[Listed, ...]


def ways(
    question: Question,
    level: Level,
    *,
    limits: Limits = Limits(),
    by_name: bool = False,
    in_order: bool | None = None,
    minimal: bool = False,
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
    minimal : bool
        Whether only ways without a superfluous source are listed; the counts are of all.

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
    deadline = time.monotonic() + limits.seconds
    f = frame(question, limits=limits)
    if f.in_order if in_order is None else in_order:
        if f.joint is not None:
            raise LimitReached("replacements", 0, "replacements that are used up do not go with parts paid at once")
        found: Orders | Families
        found, ended = _enumerate_orders(f, limits, deadline)
    else:
        found, ended = _enumerate_families(f, limits, deadline)
    if not ended.complete and ended.found == 0:
        raise LimitReached(ended.limit or "seconds", limits.seconds, "give more time")
    spelled = Lines(found, minimal) if isinstance(found, Families) else found
    lines: Iterator[tuple[str, Payment, Outcome, int]] = spelled.lines(level, by_name)
    by_names = found.counts_by_name()
    if "sequences" not in by_names and level == "sequences" and by_name:
        by_names["sequences"] = (
            sum(1 for _ in Lines(found).lines("sequences", True)) if isinstance(found, Families) else 0
        )
    listed: list[Listed] = []
    for key, payment, outcome, copies in lines:
        if len(listed) >= limits.listed:
            break
        listed.append(Listed(key, payment, outcome, copies))
    return Ways(
        FrozenMap(found.counts()),
        FrozenMap(by_names),
        found.minimal(),
        ended.complete,
        ended.limit,
        "enumeration",
        tuple(listed),
    )


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
