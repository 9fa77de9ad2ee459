"""What a player announces, and the question that is asked about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lawful.model.act import Act
from lawful.model.cost import Cost
from lawful.model.frozen import FrozenMap
from lawful.model.position import Position
from lawful.model.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a player announces.

    Parameters
    ----------
    player : str
        Who pays.
    kind : {"cost", "play", "activate", "declare"}
        A bare cost or text; playing a card; activating an ability of an object; a declaration that the rules
        themselves give, as of attackers or defenders.
    thing : str, optional
        Id of the object that is played or whose ability is activated.
    ability : str, optional
        The ability's name, where the object has several; of a `declare`, the name of the ruleset's procedure.
    cost : Cost, optional
        The cost where the object does not say it, or instead of what it says.
    types : tuple of str
        Types of what is being paid for where there is no object (a bare cost).
    x : int, optional
        The value declared for X; None leaves it open: all values are answered.
    options : tuple of str, optional
        Names of the optional and alternative costs that are declared; None leaves them open, the empty tuple declares
        that none is used. The name of the i-th choice of an either-or cost (`CostAny`) is ``choice i``, from 1.
    free : bool
        Whether an effect lets the card be played without paying its printed asset cost.
    instant : bool
        Whether the card is played as an instant.

    do : tuple of Act
        The text that is declared, where no object says it.
    targets : mapping of str to tuple of str
        Ids of the objects chosen for each slot; a slot that is not named is open.
    modes : tuple of str, optional
        Names of the modes chosen; None leaves them open.
    resolving : bool
        Whether the text is being carried out: choices that it asks for are made now, and nothing is paid.
    chosen : int, optional
        How many targets are chosen, where it is asked only how that is paid for: what `$targets` stands for in a cost.
        None counts those of `targets`.
    judged : bool
        Whether norms in play and the condition of the ability were looked at already, so that paying does not.

    References
    ----------
    CR 5.1.3 (declaring costs), 5.1.4 (modes, then targets).
    """

    player: str
    kind: Literal["cost", "play", "activate", "declare"] = "cost"
    thing: str | None = None
    ability: str | None = None
    cost: Cost | None = None
    types: tuple[str, ...] = ()
    x: int | None = None
    options: tuple[str, ...] | None = None
    free: bool = False
    instant: bool = False
    do: tuple[Act, ...] = ()
    targets: FrozenMap[str, tuple[str, ...]] = FrozenMap()
    modes: tuple[str, ...] | None = None
    resolving: bool = False
    judged: bool = False
    chosen: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A declaration, in a position, under rules: in which ways can it be paid for.

    Parameters
    ----------
    ruleset : Ruleset
        The rules.
    position : Position
        Where it is declared.
    declaration : Declaration
        What is declared.
    ignore_unread : bool
        Whether text of cards that was not read is assumed not to matter.
    """

    ruleset: Ruleset
    position: Position
    declaration: Declaration
    ignore_unread: bool = False


@dataclass(frozen=True, slots=True)
class Happening:
    """Acts that are done, as the text of somebody.

    Parameters
    ----------
    do : tuple of Act
        What is done, in text order.
    by : str
        The player whose text it is.
    source : str, optional
        Id of the object whose text it is: ``$self``.
    bindings : mapping of str to str or int
        What else the text refers to.
    cause : str, optional
        What the text is (``attack``), for what hears or forbids what such a text does; None: each verb causes its own.
    """

    do: tuple[Act, ...]
    by: str
    source: str | None = None
    bindings: FrozenMap[str, str | int] = FrozenMap()
    cause: str | None = None


@dataclass(frozen=True, slots=True)
class OrderQuestion:
    """What happens in a position, under rules: in which order do effects apply, and what can come out.

    Parameters
    ----------
    ruleset : Ruleset
        The rules.
    position : Position
        Where it begins.
    events : tuple of Happening
        What happens, one after the other; before each, everything that waits is resolved. None at all asks for what
        becomes of the position by itself.
    ignore_unread : bool
        Whether text of cards that was not read is assumed not to matter.
    """

    ruleset: Ruleset
    position: Position
    events: tuple[Happening, ...] = ()
    ignore_unread: bool = False
