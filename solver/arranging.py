"""Orders of the sources of one part: counted, and listed from a rank on.

Each source is used while the pool is still short. A multiset of sources can be used in an order exactly if without the
last one it is not enough: what stands before the last is a part of that. So the number of orders is that of the
choices of the last one times the orders of the rest; nothing has to be walked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import factorial, prod

Item = tuple[int, int]
"""What a use of an object gives towards the part, and how often the object is used. Its uses are not told apart."""


def arrangements(items: Sequence[Item], short: int, freely: bool) -> int:
    """Return the number of orders.

    Parameters
    ----------
    items : sequence of Item
        What is used.
    short : int
        How much is lacking before.
    freely : bool
        Whether sources may also be used when nothing is lacking.

    Examples
    --------
    >>> arrangements([(1, 1), (3, 1)], 3, False)  # the larger one is last: the other alone is not enough
    1
    >>> arrangements([(1, 1), (3, 1)], 4, False)
    2
    """
    n = sum(uses for _, uses in items)
    if n == 0:
        return 1
    repeats = prod(factorial(uses) for _, uses in items)
    if freely:
        return factorial(n) // repeats
    whole = sum(points * uses for points, uses in items)
    last = sum(uses for points, uses in items if whole - points < short)
    return factorial(n - 1) * last // repeats


def arranged(items: Sequence[Item], short: int, freely: bool, skip: int = 0) -> Iterator[tuple[int, ...]]:
    """Yield the orders, as indexes of items, in lexicographic order from a rank on.

    Parameters
    ----------
    items, short, freely
        As in `arrangements`.
    skip : int
        The rank of the first one.

    Examples
    --------
    >>> list(arranged([(2, 1), (2, 1), (2, 1)], 6, False, 4))
    [(2, 0, 1), (2, 1, 0)]
    """
    left = [uses for _, uses in items]

    def walk(short: int, skip: int) -> Iterator[tuple[int, ...]]:
        if not any(left):
            yield ()
            return
        for i, (points, _) in enumerate(items):
            if not left[i] or (short <= 0 and not freely):
                continue
            left[i] -= 1
            here = arrangements([(p, n) for (p, _), n in zip(items, left, strict=True)], short - points, freely)
            if here > skip:
                for rest in walk(short - points, skip):
                    yield (i, *rest)
            left[i] += 1
            skip = max(0, skip - here)

    yield from walk(short, skip)


def place(items: Sequence[Item], short: int, freely: bool, order: Sequence[int]) -> int:
    """Return the rank of an order.

    Raises
    ------
    KeyError
        If it is none of them.

    Examples
    --------
    >>> place([(2, 1), (2, 1), (2, 1)], 6, False, (2, 1, 0))
    5
    """
    left, rank = [uses for _, uses in items], 0
    for chosen in order:
        if not 0 <= chosen < len(items) or not left[chosen] or (short <= 0 and not freely):
            raise KeyError(tuple(order))
        for i in range(chosen):
            if left[i]:
                rest = [n - (j == i) for j, n in enumerate(left)]
                after = [(p, n) for (p, _), n in zip(items, rest, strict=True)]
                rank += arrangements(after, short - items[i][0], freely)
        left[chosen] -= 1
        short -= items[chosen][0]
    if any(left):
        raise KeyError(tuple(order))
    return rank
