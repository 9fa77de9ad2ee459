"""What is asked. A cost is never turned into its payment (`lawful.model.payment`): the two are different types."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from lawful.model.act import Act, Success
from lawful.model.expression import Expression

Number: TypeAlias = Literal["exactly", "up_to", "any"]
Alike: TypeAlias = Literal["any", "same", "different"]


@dataclass(frozen=True, slots=True)
class AssetTerm:
    """An amount of an asset, in points: ``3c``.

    Parameters
    ----------
    asset : str
        The asset's id in the ruleset.
    amount : Expression
        How many points; may contain ``$x``.
    number : {"exactly", "up_to", "any"}
        Whether just so many are paid, or at most so many, or as many as the payer likes: then at least the ruleset's
        `at_least`.
    alike : {"any", "same", "different"}
        Whether all points paid have to be given as the same asset, or all as different ones.
    only : tuple of str
        Assets as which alone points may be given for it; empty means all that the asset accepts.
    needs : tuple of str
        Assets as which points have to be among those given, each as often as it stands here.
    printed : bool
        Whether only printed points count: those of a source that says so, and given as what they are.

    All but `asset` and `amount` are for assets that are split (`AssetRule.split`).

    References
    ----------
    CR 1.14.1, 1.14.5 (a cost of zero is still a cost).
    """

    asset: str
    amount: Expression
    number: Number = "exactly"
    alike: Alike = "any"
    only: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    printed: bool = False

    @property
    def plain(self) -> bool:
        """Whether it asks for an amount and nothing more."""
        return self == AssetTerm(self.asset, self.amount)


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
