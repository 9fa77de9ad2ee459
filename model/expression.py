"""Numbers and conditions that are written in card and ruleset data.

They are data only. The referee evaluates them on a position; the solver translates them into linear terms; neither
knows the other's reading, which is what makes their agreement evidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from lawful.model.selector import Selector

Comparison: TypeAlias = Literal["lt", "le", "eq", "ne", "ge", "gt"]


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference: ``$self``, ``$controller``, ``$x``, or what an earlier step yielded (``$pick.life``).

    Parameters
    ----------
    name : str
        The name without the dollar sign.
    path : tuple of str
        Properties followed from there, as in ``$self.yields``.
    """

    name: str
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Spell the reference."""
        return "$" + ".".join((self.name, *self.path))


@dataclass(frozen=True, slots=True)
class Count:
    """How many objects a selector finds."""

    of: Selector


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of several expressions."""

    terms: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Times:
    """An expression times a constant."""

    factor: int
    of: Expression


@dataclass(frozen=True, slots=True)
class Least:
    """The least of several expressions."""

    terms: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Greatest:
    """The greatest of several expressions."""

    terms: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class PerPlayer:
    """An expression times the number of players at the start of the game."""

    of: Expression


@dataclass(frozen=True, slots=True)
class Holds:
    """1 where a condition holds, 0 where it does not: "(3 cards instead if you are in alter-ego form)"."""

    condition: Condition


Expression: TypeAlias = int | Ref | Count | Sum | Times | Least | Greatest | PerPlayer | Holds


@dataclass(frozen=True, slots=True)
class Compare:
    """`left` compared with `right`, spelled ``{count: {...}, lt: 2}``."""

    left: Expression
    op: Comparison
    right: Expression


@dataclass(frozen=True, slots=True)
class Every:
    """All conditions hold."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """At least one condition holds."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The condition does not hold."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of a player, by default ``$controller``: ``{form: hero}`` holds when that player's `form` is `hero`."""

    key: str
    value: str
    player: Ref = Ref("controller")


Condition: TypeAlias = Compare | Every | Some | Not | Fact
