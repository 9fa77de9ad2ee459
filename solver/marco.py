"""All minimal reasons and all smallest corrections of a contradictory set of rules, by asking an oracle.

References
----------
Liffiton, Previti, Malik, Marques-Silva: Fast, flexible MUS enumeration. Constraints 21 (2016).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from lawful.model.errors import LimitReached

Oracle = Callable[[frozenset[int]], bool]


@dataclass(frozen=True, slots=True)
class Family:
    """What was found.

    Parameters
    ----------
    reasons : tuple of frozenset of int
        Minimal sets that cannot hold together, in the order found.
    corrections : tuple of frozenset of int
        Minimal sets without which all the others can.
    complete : bool
        Whether these are all.
    calls : int
        Times that the oracle was asked.
    """

    reasons: tuple[frozenset[int], ...]
    corrections: tuple[frozenset[int], ...]
    complete: bool
    calls: int


def marco(n: int, possible: Oracle, *, most: int = 1_000, seconds: float = 60.0) -> Family:
    """Find every minimal reason.

    Parameters
    ----------
    n : int
        How many rules there are, numbered from 0.
    possible : callable
        Says whether a set of rules can hold together. Fewer rules are never less possible.
    most : int
        How many reasons and corrections are found at most.
    seconds : float
        Time for all.

    Returns
    -------
    Family
        Empty reasons if all the rules can hold together; not `complete` where time or `most` was reached.

    Raises
    ------
    LimitReached
        If time was up before there was one.

    Examples
    --------
    >>> family = marco(3, lambda rules: not {0, 1} <= rules)
    >>> [sorted(reason) for reason in family.reasons], [sorted(c) for c in family.corrections]
    ([[0, 1]], [[1], [0]])
    """
    deadline, calls = time.monotonic() + seconds, 0
    everything = frozenset(range(n))

    def ask(rules: frozenset[int]) -> bool:
        nonlocal calls
        calls += 1
        if time.monotonic() > deadline and not reasons:
            raise LimitReached("seconds", seconds)
        return possible(rules)

    reasons: list[frozenset[int]] = []
    corrections: list[frozenset[int]] = []
    complete = True
    while True:
        if reasons and time.monotonic() > deadline:
            complete = False
            break
        if len(reasons) + len(corrections) >= most:
            complete = False
            break
        seed = _seed(n, reasons, corrections)
        if seed is None:
            break
        if ask(seed):
            grown = seed
            for rule in sorted(everything - seed):
                if ask(grown | {rule}):
                    grown |= {rule}
            if grown == everything:
                break
            corrections.append(everything - grown)
        else:
            kept = seed
            for rule in sorted(seed):
                if not ask(kept - {rule}):
                    kept -= {rule}
            reasons.append(kept)
    return Family(tuple(reasons), tuple(corrections), complete, calls)


def _seed(n: int, reasons: list[frozenset[int]], corrections: list[frozenset[int]]) -> frozenset[int] | None:
    """Return a set that holds no reason found and is inside no possible set found, as large as comes easily.

    The clauses are few and short, so that plain search with unit propagation is enough.
    """
    clauses = [(frozenset(c), frozenset[int]()) for c in corrections] + [(frozenset[int](), r) for r in reasons]
    value: dict[int, bool] = {}

    def propagate(trail: list[int]) -> bool:
        changed = True
        while changed:
            changed = False
            for yes, no in clauses:
                if any(value.get(i) is True for i in yes) or any(value.get(i) is False for i in no):
                    continue
                free = [(i, True) for i in yes if i not in value] + [(i, False) for i in no if i not in value]
                if not free:
                    return False
                if len(free) == 1:
                    value[free[0][0]] = free[0][1]
                    trail.append(free[0][0])
                    changed = True
        return True

    def search() -> bool:
        trail: list[int] = []
        if propagate(trail):
            rest = next((i for i in range(n) if i not in value), None)
            if rest is None:
                return True
            for guess in (True, False):
                value[rest] = guess
                if search():
                    return True
                del value[rest]
        for i in trail:
            del value[i]
        return False

    return frozenset(i for i in range(n) if value[i]) if search() else None
