"""What is expected beside what was found: spelled as a case file does, and paired."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def said(value: Any) -> str:
    """Spell a value as a case file does.

    Parameters
    ----------
    value : object
        Of the types that a case file can hold.

    Returns
    -------
    str
        On one line.

    Examples
    --------
    >>> said({"pool": {"r": 2}, "ways": [True, None]})
    '{pool: {r: 2}, ways: [true, none]}'
    """
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {said(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(said, value)) + "]"
    return str(value)


def paired(fits: Sequence[Sequence[int]], many: int) -> bool:
    """Tell whether each row can be given one of its columns so that every column is given once.

    Parameters
    ----------
    fits : sequence of sequences of int
        For each row the columns that fit it.
    many : int
        How many columns there are.

    Returns
    -------
    bool
        Whether that is so; no row and no column is left over.

    Examples
    --------
    >>> paired([[0, 1], [0]], 2), paired([[0], [0]], 2), paired([[0]], 2)
    (True, False, False)
    """
    owner: dict[int, int] = {}

    def place(row: int, tried: set[int]) -> bool:
        for column in fits[row]:
            if column not in tried:
                tried.add(column)
                if column not in owner or place(owner[column], tried):
                    owner[column] = row
                    return True
        return False

    return len(fits) == many and all(place(row, set()) for row in range(len(fits)))
