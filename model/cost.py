"""What is asked. A cost is never turned into its payment (`lawful.model.payment`): the two are different types."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from lawful.model.act import Act, Success
from lawful.model.expression import Expression


@dataclass(frozen=True, slots=True)
class AssetTerm:
    """An amount of an asset, in points: ``3c``.

    Parameters
    ----------
    asset : str
        The asset's id in the ruleset.
    amount : Expression
        How many points; may contain ``$x``.

    References
    ----------
    CR 1.14.1, 1.14.5 (a cost of zero is still a cost).
    """

    asset: str
    amount: Expression


@dataclass(frozen=True, slots=True)
class ActTerm:
    """An act that is demanded as a cost, with the success that it needs.

    References
    ----------
    CR 1.14.4 (effect-costs).
    """

    act: Act
    success: Success = Success.CHANGED


@dataclass(frozen=True, slots=True)
class CostAll:
    """Every one of the terms is due. No terms at all is the cost of zero."""

    terms: tuple[Cost, ...] = ()


@dataclass(frozen=True, slots=True)
class CostAny:
    """Exactly one of the choices is due; which one, the payer declares."""

    choices: tuple[Cost, ...]


Cost: TypeAlias = AssetTerm | ActTerm | CostAll | CostAny


def terms(cost: Cost) -> Iterator[AssetTerm | ActTerm]:
    """Yield every term that occurs in a cost, whichever alternative it stands in.

    Parameters
    ----------
    cost : Cost
        The cost.

    Yields
    ------
    AssetTerm or ActTerm
        In the order written.

    Examples
    --------
    >>> [t.asset for t in terms(CostAll((AssetTerm("c", 3), AssetTerm("r", 1))))]
    ['c', 'r']
    """
    if isinstance(cost, CostAll):
        for part in cost.terms:
            yield from terms(part)
    elif isinstance(cost, CostAny):
        for part in cost.choices:
            yield from terms(part)
    else:
        yield cost


def plain_amounts(cost: Cost) -> tuple[Expression, ...] | None:
    """Return the amounts of a cost's assets, or None where it leaves a choice and so is no one number."""
    if isinstance(cost, AssetTerm):
        return (cost.amount,)
    if isinstance(cost, ActTerm):
        return ()
    if isinstance(cost, CostAny):
        return None
    parts = [plain_amounts(term) for term in cost.terms]
    known = [part for part in parts if part is not None]
    return tuple(amount for part in known for amount in part) if len(known) == len(parts) else None
