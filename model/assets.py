"""How assets are paid: the parameters of a ruleset that are about one asset, about X, and about amounts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Generate: TypeAlias = Literal["while_short", "freely", "never"]
Surplus: TypeAlias = Literal["floats", "lost", "forbidden"]


@dataclass(frozen=True, slots=True)
class AssetRule:
    """How one asset is paid.

    A part of a cost is the amount due of one asset. Parts are paid in the order of their phases, each in full before
    the next. Assets that are `split` share one phase: all that is due of them is paid at once, and every term of every
    cost is a part of its own.

    Parameters
    ----------
    id : str
        As in a cost: ``c``.
    name : str
        As players say it: ``chi``.
    phase : int
        Parts with a lower phase are paid first. Phases are distinct, but for assets that are split.
    accepts : tuple of str
        The assets that can pay it, in the order in which they leave the pool.
    generate : {"while_short", "freely", "never"}
        When a source may be used for this part: only while what the pool holds of the accepted assets is less than
        the amount due; at any time until the part is paid; or never.
    useful : bool
        Whether only a source that gives an accepted asset may be used for this part.
    surplus : {"floats", "lost", "forbidden"}
        What happens, when the whole cost is paid, to points of this asset beyond those that floated before: they
        float, they are lost (*overpaid*), or the payment is not legal.
    keep : int
        The least that must be left of this asset when its part is paid, in points.
    start : int
        What a player has where a position does not say.
    split : bool
        Whether the payer splits what there is among all parts of its phase, which are paid at once.
    declares : tuple of str
        Assets as which a point of it may be given, when it is paid or lost; empty means as itself only.
    """

    id: str
    name: str
    phase: int
    accepts: tuple[str, ...]
    generate: Generate = "while_short"
    useful: bool = True
    surplus: Surplus = "floats"
    keep: int = 0
    start: int = 0
    split: bool = False
    declares: tuple[str, ...] = ()

    @property
    def given_as(self) -> tuple[str, ...]:
        """The assets as which a point of it may be given."""
        return self.declares or (self.id,)


@dataclass(frozen=True, slots=True)
class XRule:
    """Which X may be declared.

    Parameters
    ----------
    least : int
        The least X of a cost that is paid.
    on_free : {"zero", "illegal", "keep"}
        Where the printed cost that has X is not paid: X is 0, it cannot be declared, or X is free.
    free_at_zero : {"no", "ability", "card", "any"}
        Of what a printed cost that has X, and of which nothing is left to pay, counts as not paid.
    unknown_in : tuple of str
        Zones in which a card whose cost has X has no cost that could be told, unless it is being played. Elsewhere such
        an X counts as 0.

    References
    ----------
    CR 5.1.3a.
    """

    least: int = 0
    on_free: Literal["zero", "illegal", "keep"] = "zero"
    free_at_zero: Literal["no", "ability", "card", "any"] = "no"
    unknown_in: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stage:
    """A step in calculating an amount due; `floor` is the least that each of its modifiers leaves."""

    name: str
    floor: int | None = None
