"""Where play is: the position, and what is still to be done, as frames on a stack."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, TypeVar

from lawful.model.act import Act
from lawful.model.frozen import FrozenMap
from lawful.model.position import Position, Queued
from lawful.solver.order.happens import Happens
from lawful.solver.order.view import Bound, Key

CHANCE = "chance"
AND = "\n"
"""Stands between the names of those who choose together."""


def jointly(players: Iterable[str]) -> str:
    """Return who chooses where several do: each says whether they go next."""
    return AND.join(sorted(set(players)))


class Owned(Protocol):
    """Something that a player has."""

    @property
    def owner(self) -> str:
        """Whose it is."""


Item = TypeVar("Item", bound=Owned)


@dataclass(frozen=True, slots=True)
class Acts:
    """Steps of a text that are still to be done; and what steps before would do, where they are to happen at once."""

    acts: tuple[Act, ...]
    bound: FrozenMap[str, Bound]
    done: FrozenMap[str, frozenset[str]] = FrozenMap()
    used: frozenset[str] = frozenset()
    chosen: frozenset[str] = frozenset()
    gathered: tuple[tuple[Act, tuple[Happens, ...]], ...] = ()
    cause: str | None = None


@dataclass(frozen=True, slots=True)
class Alter:
    """A batch that is about to happen, while it is replaced and prevented; whether wounds were kept off before that."""

    batch: tuple[Happens, ...]
    planned: tuple[Happens, ...]
    act: Act | None
    marks: frozenset[tuple[str, str, str]] = frozenset()
    start: str | None = None
    used: frozenset[str] = frozenset()
    zeroed: bool = False
    cause: str | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """A batch that has happened; triggers are still to be looked for. Whether some wounds came to nothing."""

    batch: tuple[Happens, ...]
    planned: tuple[Happens, ...]
    act: Act | None
    before: Position
    zeroed: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """An ability that its controller may decline."""

    ability: Queued


@dataclass(frozen=True, slots=True)
class Checked:
    """A check was begun on this position: where nothing came of it, it is not begun again. Always the lowest frame."""

    position: Position


Frame: TypeAlias = Acts | Alter | Look | Offer | Checked


@dataclass(frozen=True, slots=True)
class State:
    """A state of play.

    Parameters
    ----------
    position : Position
        The position.
    stack : tuple of Frame
        What is being done; the last frame is done first.
    next : int
        Which of the events asked about comes next.
    """

    position: Position
    stack: tuple[Frame, ...] = ()
    next: int = 0

    @property
    def idle(self) -> bool:
        """Whether nothing is being done."""
        return not self.stack or isinstance(self.stack[-1], Checked)


@dataclass(slots=True)
class Node:
    """What can come after a state.

    Parameters
    ----------
    by : str, optional
        The player who chooses, or several as `jointly` spells them, ``chance``, or None where nobody does.
    what : str
        What is chosen: `order`, `start`, `pick`, `use`, `split`, `decline`; empty for a single way.
    options : list of (str, State)
        What each is called, and where it leads; several may be called alike.
    reads : set of tuple
        What was read to know it.
    items : tuple of str
        Between what the choice is.
    """

    by: str | None
    what: str
    options: list[tuple[str, State]]
    reads: set[Key] = field(default_factory=set)
    items: tuple[str, ...] = ()
