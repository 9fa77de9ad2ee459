"""The table at which somebody pays: one state of a payment. Frozen; every move lays a new one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lawful.model.frozen import FrozenMap
from lawful.model.payment import Choice, Spend, Use
from lawful.model.position import Position
from lawful.model.referee.amounts import Demand, Due
from lawful.model.referee.asked import Asked
from lawful.model.ruleset import AssetRule

__all__ = ["Bag", "Table"]


@dataclass(frozen=True, slots=True)
class Bag:
    """Equal points that a source gave: what they are, how many, and what they may be used for.

    Parameters
    ----------
    thing, source : str
        The source; both empty for points that floated before.
    asset : str
        What they are.
    n : int
        How many.
    printed : bool
        Whether they are printed.
    into : tuple of str
        Names of the costs that they may pay; empty means any.
    """

    thing: str
    source: str
    asset: str
    n: int
    printed: bool = False
    into: tuple[str, ...] = ()


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
    bags : tuple of Bag
        What the sources used for the parts that are paid at once gave.
    split : tuple of Spend, optional
        How all points were split among these parts; None before that.
    asks : tuple of Demand
        Costs in assets of the sources used: parts that are paid at once, too, each by other points than its own.
    hindered : tuple of pairs of str and tuple of str
        Acts on an object that had to be done in full, and what would prevent it, were it there at the end.
    """

    asked: Asked
    due: Due
    position: Position
    paid: int = 0
    uses: tuple[Use, ...] = ()
    choices: tuple[Choice, ...] = ()
    chance: tuple[tuple[frozenset[str], int], ...] = ()
    late: FrozenMap[str, int] = FrozenMap()
    bags: tuple[Bag, ...] = ()
    split: tuple[Spend, ...] | None = None
    asks: tuple[Demand, ...] = ()
    hindered: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def demands(self) -> tuple[Demand, ...]:
        """All parts that are paid at once: those due, then those of sources, one for each source and asset."""
        asked: dict[tuple[str, str], Demand] = {}
        for ask in self.asks:
            key = ask.cost, ask.asset.id
            asked[key] = replace(ask, amount=ask.amount + (asked[key].amount if key in asked else 0))
        return (*self.due.demands, *asked.values())

    @property
    def pool(self) -> FrozenMap[str, int]:
        """The payer's floating assets now."""
        return self.position.player(self.asked.payer).pool

    @property
    def part(self) -> tuple[AssetRule, int] | None:
        """The part that is open: its asset and its amount; None when all are paid, or some are paid at once now."""
        return self.due.parts[self.paid] if self.paid < len(self.due.parts) and not self.at_once else None

    @property
    def at_once(self) -> bool:
        """Whether the parts that are paid at once are open."""
        return bool(self.due.demands) and self.split is None and self.paid == self.due.joint_at

    @property
    def parts_paid(self) -> bool:
        """Whether no part is open."""
        return self.part is None and not self.at_once
