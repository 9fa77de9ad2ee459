"""What chance took without anybody saying which: whether it can have come out so."""

from __future__ import annotations

__all__ = ["can_be_dealt"]


def can_be_dealt(groups: tuple[tuple[frozenset[str], int], ...]) -> bool:
    """Tell whether every group can have got its number of objects, no object twice.

    Parameters
    ----------
    groups : tuple of pairs of frozenset of str and int
        Of which objects chance took how many.

    Returns
    -------
    bool
        Whether there is such a deal; it is looked for by dealing one object after the other.

    Examples
    --------
    >>> can_be_dealt(((frozenset("ab"), 1), (frozenset("ab"), 1)))
    True
    >>> can_be_dealt(((frozenset("ab"), 2), (frozenset("a"), 1)))
    False
    """
    seats = [objects for objects, n in groups for _ in range(n)]
    sitting: dict[str, int] = {}

    def seat(i: int, asked: set[str]) -> bool:
        for id in sorted(seats[i] - asked):
            asked.add(id)
            if id not in sitting or seat(sitting[id], asked):
                sitting[id] = i
                return True
        return False

    return all(seat(i, set()) for i in range(len(seats)))
