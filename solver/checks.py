"""What was found about a declaration under one reading."""

from __future__ import annotations

from dataclasses import dataclass

from lawful.model.declaration import Declaration
from lawful.model.frozen import FrozenMap
from lawful.model.payment import Payment
from lawful.model.verdict import Reason


@dataclass(frozen=True, slots=True)
class Slotted:
    """What may be chosen for one slot, the others as declared.

    Parameters
    ----------
    legal : tuple of str
        Objects with which some complete choice is legal, in the order of the position.
    refused : mapping of str to tuple of Reason
        The others, each with its minimal reasons.
    """

    legal: tuple[str, ...]
    refused: FrozenMap[str, tuple[Reason, ...]]


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found under one reading.

    Parameters
    ----------
    legal : bool
        Whether some complete choice is legal and can be paid for.
    count : int, optional
        Complete choices of modes, X and targets; None where there are too many states to count.
    witness : Declaration, optional
        One complete choice.
    payment : Payment, optional
        A payment of it.
    """

    legal: bool
    count: int | None
    witness: Declaration | None = None
    payment: Payment | None = None
