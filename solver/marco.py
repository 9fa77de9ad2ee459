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
Core = Callable[[frozenset[int]], frozenset[int]]


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


def marco(
    n: int, possible: Oracle, *, most: int = 1_000, seconds: float = 60.0, core: Core | None = None
) -> Family:  # fmt: skip
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
    core : callable, optional
        Returns a part of a set that was found not possible which is not possible either: to shrink that is less work.

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
    >>> [sorted(reason) for reason in family.reasons], sorted(sorted(c) for c in family.corrections)
    ([[0, 1]], [[0], [1]])
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
            reasons.append(shrunk(seed if core is None else core(seed), ask))
    return Family(tuple(reasons), tuple(corrections), complete, calls)


def shrunk(rules: frozenset[int], possible: Oracle) -> frozenset[int]:
    """Return a minimal part of a set of rules that cannot hold together; what is not needed goes in large pieces.

    Examples
    --------
    >>> sorted(shrunk(frozenset(range(9)), lambda rules: not {2, 7} <= rules))
    [2, 7]
    """
    kept, open_ = rules, [sorted(rules)]
    while open_:
        piece = open_.pop()
        if not possible(kept.difference(piece)):
            kept = kept.difference(piece)
        elif len(piece) > 1:
            half = len(piece) // 2
            open_ += [piece[half:], piece[:half]]
    return kept


def _seed(n: int, reasons: list[frozenset[int]], corrections: list[frozenset[int]]) -> frozenset[int] | None:
    """Return a set that holds no reason found and is inside no possible set found, as large as comes easily.

    The clauses are few, so that plain search with unit propagation is enough; sets are bits.
    """
    some = [_bits(c) for c in corrections]
    not_all = [_bits(r) for r in reasons]

    def propagate(yes: int, no: int) -> tuple[int, int] | None:
        """Draw conclusions; None where there is a contradiction."""
        while True:
            before = (yes, no)
            for clause in some:
                if not clause & yes:
                    free = clause & ~no
                    if not free:
                        return None
                    if not free & (free - 1):
                        yes |= free
            for clause in not_all:
                if not clause & no:
                    free = clause & ~yes
                    if not free:
                        return None
                    if not free & (free - 1):
                        no |= free
            if yes & no:
                return None
            if (yes, no) == before:
                return before

    open_ = [(0, 0)]
    while open_:
        now = propagate(*open_.pop())
        if now is None:
            continue
        yes, no = now
        # Only clauses that nothing keeps yet need a decision; all other rules are in.
        wide = next((clause & ~no for clause in some if not clause & yes), 0)
        tight = next((clause & ~yes for clause in not_all if not clause & no), 0)
        if wide:
            first = wide & -wide
            open_ += [(yes, no | first), (yes | first, no)]
        elif tight:
            first = tight & -tight
            open_ += [(yes | first, no), (yes, no | first)]
        else:
            return frozenset(i for i in range(n) if not no >> i & 1)
    return None


def _bits(rules: frozenset[int]) -> int:
    found = 0
    for i in rules:
        found |= 1 << i
    return found
