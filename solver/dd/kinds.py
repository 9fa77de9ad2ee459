"""Kinds of constraints that a diagram can be built from; each judges itself from the ranges of its sums.

A sum is a linear expression without its constant. While a diagram is built, part of its variables has a value and the
rest has a range, so all that is known of a sum is its lowest and its highest value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import TypeAlias

HOLDS, OPEN, FAILS = 1, 0, -1
Ranges: TypeAlias = Sequence[tuple[int, int]]
Intervals: TypeAlias = tuple[tuple[int, int], ...]
Literal: TypeAlias = tuple[int, int]  # a variable, and the value that makes it true
MANY_COMBINATIONS = 5_000


@dataclass(slots=True)
class Constraint:
    """What all kinds have.

    Parameters
    ----------
    sums : tuple of int
        Indexes of its sums, one for each of its expressions.
    offsets : tuple of int
        The constants of these expressions.
    enforced : tuple of (int, int)
        It binds where all these literals are true.
    """

    sums: tuple[int, ...]
    offsets: tuple[int, ...]
    enforced: tuple[Literal, ...]

    def status(self, ranges: Ranges) -> int:
        """Return whether it holds, fails, or is open, given a range for each of its expressions."""
        raise NotImplementedError

    def solved(self, ranges: Ranges) -> int | None:
        """Return the value of the first expression where the others determine it, else None."""
        return None


@dataclass(slots=True)
class Within(Constraint):
    """One sum lies in a set of intervals."""

    intervals: Intervals = ()

    def status(self, ranges: Ranges) -> int:
        """Judge by intervals."""
        lowest, highest = ranges[0]
        apart = True
        for least, most in self.intervals:
            if least <= lowest and highest <= most:
                return HOLDS
            if not (highest < least or lowest > most):
                apart = False
        return FAILS if apart else OPEN


@dataclass(slots=True)
class Largest(Constraint):
    """The first expression is the largest of the others."""

    def status(self, ranges: Ranges) -> int:
        """Judge by ranges."""
        lowest, highest = ranges[0]
        if len(ranges) == 1:
            return FAILS
        least = max(low for low, _ in ranges[1:])
        most = max(high for _, high in ranges[1:])
        if highest < least or lowest > most:
            return FAILS
        return HOLDS if lowest == highest == least == most else OPEN

    def solved(self, ranges: Ranges) -> int | None:
        """Return the largest, where it is known."""
        if len(ranges) == 1:
            return None
        least = max(low for low, _ in ranges[1:])
        return least if least == max(high for _, high in ranges[1:]) else None


@dataclass(slots=True)
class Rows(Constraint):
    """The expressions take the values of one row, or of none."""

    rows: tuple[tuple[int, ...], ...] = ()
    negated: bool = False

    def status(self, ranges: Ranges) -> int:
        """Judge by the rows that are left."""
        left = [
            row
            for row in self.rows
            if all(low <= value <= high for value, (low, high) in zip(row, ranges, strict=True))
        ]
        combinations = prod(high - low + 1 for low, high in ranges)
        if not left:
            return HOLDS if self.negated else FAILS
        if len(set(left)) == combinations:
            return FAILS if self.negated else HOLDS
        return OPEN


@dataclass(slots=True)
class Computed(Constraint):
    """The first expression is a function of the others: a product, a quotient, a remainder, an element.

    Parameters
    ----------
    how : {"product", "quotient", "remainder", "element", "different"}
        The function. For an element the second expression is the index. "different": all expressions differ.
    """

    how: str = "product"
    _known: dict[tuple[tuple[int, int], ...], int] = field(default_factory=dict)

    def status(self, ranges: Ranges) -> int:
        """Judge where few combinations are left; else it is open."""
        key = tuple(ranges)
        if key not in self._known:
            self._known[key] = self._judge(ranges)
        return self._known[key]

    def _judge(self, ranges: Ranges) -> int:
        if prod(high - low + 1 for low, high in ranges) > MANY_COMBINATIONS:
            return OPEN
        verdicts = {self._true(values) for values in product(*(range(low, high + 1) for low, high in ranges))}
        return OPEN if len(verdicts) == 2 else (HOLDS if verdicts.pop() else FAILS)

    def _true(self, values: tuple[int, ...]) -> bool:
        if self.how == "different":
            return len(set(values)) == len(values)
        return self._value(values[1:]) == values[0]

    def _value(self, values: tuple[int, ...]) -> int | None:
        if self.how == "product":
            return prod(values)
        if self.how == "element":
            index, *elements = values
            return elements[index] if 0 <= index < len(elements) else None
        over, under = values
        if under == 0:
            return None
        quotient = abs(over) // abs(under) * (1 if (over < 0) == (under < 0) else -1)  # CP-SAT rounds towards 0
        return quotient if self.how == "quotient" else over - quotient * under

    def solved(self, ranges: Ranges) -> int | None:
        """Return the value, where the others have one."""
        if self.how == "different" or any(low != high for low, high in ranges[1:]):
            return None
        return self._value(tuple(low for low, _ in ranges[1:]))
