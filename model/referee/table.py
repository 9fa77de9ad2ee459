"""The table at which somebody pays: one state of a payment. Frozen; every move lays a new one."""

from __future__ import annotations

from dataclasses import dataclass

from lawful.model.frozen import FrozenMap
from lawful.model.payment import Choice, Use
from lawful.model.position import Position
from lawful.model.referee.amounts import Due
from lawful.model.referee.asked import Asked
from lawful.model.ruleset import AssetRule

__all__ = ["Table"]


@dataclass(frozen=True, slots=True)
class Table:
    """A payment under way.

    Parameters
    ----------
    asked : Asked
        What is paid for.
    due : Due
        What is due, locked.
    position : Position
        As it is now.
    paid : int
        How many of the parts due are paid.
    uses : tuple of Use
        Sources used so far.
    choices : tuple of Choice
        Effect-costs paid so far.
    chance : tuple of pairs of frozenset of str and int
        What chance took: so many of these objects are gone, and nobody says which.
    late : mapping of str to int
        What effect-costs gained; it reaches the pool when everything is paid.
    """

    asked: Asked
    due: Due
    position: Position
    paid: int = 0
    uses: tuple[Use, ...] = ()
    choices: tuple[Choice, ...] = ()
    chance: tuple[tuple[frozenset[str], int], ...] = ()
    late: FrozenMap[str, int] = FrozenMap()

    @property
    def pool(self) -> FrozenMap[str, int]:
        """The payer's floating assets now."""
        return self.position.player(self.asked.payer).pool

    @property
    def part(self) -> tuple[AssetRule, int] | None:
        """The part that is open: its asset and its amount; None when all are paid."""
        return self.due.parts[self.paid] if self.paid < len(self.due.parts) else None
