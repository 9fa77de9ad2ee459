"""How types and numbers are compared."""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar
from functools import lru_cache


def of_types(types: Iterable[str], wanted: Iterable[str]) -> bool:
    """Tell whether all types wanted are among some; capital and small letters are the same."""
    return lowered(frozenset(wanted)) <= lowered(frozenset(types))


@lru_cache(maxsize=4096)
def lowered(words: frozenset[str]) -> frozenset[str]:
    """Return words in small letters."""
    return frozenset(word.casefold() for word in words)


HEARD: ContextVar[list[bool] | None] = ContextVar("heard", default=None)
"""Where what comparisons come to is noted, as they are made; None where nobody asks."""


def compared(left: int | None, op: str, right: int | None) -> bool:
    """Compare two numbers; one that is not there fails every comparison."""
    found = _compared(left, op, right)
    heard = HEARD.get()
    if heard is not None:
        heard.append(found)
    return found


def _compared(left: int | None, op: str, right: int | None) -> bool:
    if left is None or right is None:
        return False
    match op:
        case "lt":
            return left < right
        case "le":
            return left <= right
        case "eq":
            return left == right
        case "ne":
            return left != right
        case "ge":
            return left >= right
    return left > right
