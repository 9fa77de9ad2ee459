"""Amounts that grow with X, and what keeps an expression from being one."""

from __future__ import annotations

from dataclasses import dataclass

from lawful.model.errors import LawfulError


class NotLinear(LawfulError):
    """An amount is no linear function of X; it is looked at one X at a time, up to `most` where that is known."""

    def __init__(self, why: str, most: int | None = None) -> None:
        super().__init__(why)
        self.most = most


class Unreadable(LawfulError):
    """An expression asks for something that is not known before paying."""


class Missing(LawfulError):
    """A number that is not there: no comparison with it holds."""


@dataclass(frozen=True, slots=True)
class Amount:
    """``base + per_x * X``.

    Examples
    --------
    >>> Amount(3, 1).at(2)
    5
    """

    base: int
    per_x: int = 0

    def at(self, x: int) -> int:
        """Return the value for one X."""
        return self.base + self.per_x * x

    def plus(self, other: Amount, factor: int = 1) -> Amount:
        """Return the sum."""
        return Amount(self.base + factor * other.base, self.per_x + factor * other.per_x)

    def at_least(self, floor: int, least_x: int) -> Amount:
        """Return the amount raised to `floor`, for every X from `least_x` on.

        Raises
        ------
        NotLinear
            If the floor cuts the line.
        """
        if self.per_x == 0:
            return Amount(max(floor, self.base))
        if self.per_x > 0 and self.at(least_x) >= floor:
            return self
        raise NotLinear("a floor cuts an amount that depends on X")


def compared(left: int, op: str, right: int) -> bool:
    """Compare two numbers by the name of a comparison."""
    return {
        "lt": left < right,
        "le": left <= right,
        "eq": left == right,
        "ne": left != right,
        "ge": left >= right,
        "gt": left > right,
    }[op]
