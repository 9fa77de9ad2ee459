"""What a printed cost is worth as a number, where a text compares the costs of cards."""

from __future__ import annotations

from collections.abc import Callable

from lawful.model.cost import AssetTerm, Cost, CostAll, CostAny
from lawful.model.expression import Expression


def points(cost: Cost, read: Callable[[Expression], int]) -> int | None:
    """Return how many points a cost asks for, of whatever asset; effect-costs ask for none.

    Parameters
    ----------
    cost : Cost
        The cost.
    read : callable
        Reads one amount.

    Returns
    -------
    int or None
        None where one of several costs is chosen: there is no such number before the choice.

    Examples
    --------
    >>> points(CostAll((AssetTerm("c", 3), AssetTerm("r", 1))), int)
    4
    """
    if isinstance(cost, AssetTerm):
        return read(cost.amount)
    if isinstance(cost, CostAny):
        return None
    each = [points(part, read) for part in cost.terms] if isinstance(cost, CostAll) else []
    known = [number for number in each if number is not None]
    return sum(known) if len(known) == len(each) else None
