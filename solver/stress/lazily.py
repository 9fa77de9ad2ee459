"""What is made one by one, when it is asked for, and kept: several may go through it, each from the start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Lazily(Generic[T]):
    """The items of an iterator, each made once, for as many as go through them.

    Parameters
    ----------
    items : iterable
        What makes them.

    Examples
    --------
    >>> squares = Lazily(n * n for n in range(4))
    >>> next(iter(squares)), squares.made, list(squares), squares.made
    (0, 1, [0, 1, 4, 9], 4)
    """

    def __init__(self, items: Iterable[T]) -> None:
        self._left = iter(items)
        self._made: list[T] = []
        self._fault: Exception | None = None

    @property
    def made(self) -> int:
        """How many were made so far."""
        return len(self._made)

    def __iter__(self) -> Iterator[T]:
        """Iterate from the start; what was not made yet is made then."""
        at = 0
        while True:
            if at == len(self._made):
                if self._fault is not None:
                    raise self._fault  # a generator that raised would look as if it had ended
                try:
                    self._made.append(next(self._left))
                except StopIteration:
                    return
                except Exception as fault:
                    self._fault = fault
                    raise
            yield self._made[at]
            at += 1
