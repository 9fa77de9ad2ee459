"""The answer to "in which order do these effects apply, and what can come out?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from lawful.model.frozen import FrozenMap
from lawful.model.position import Position, Thing
from lawful.model.verdict import LeftOut, Message

Sign: TypeAlias = Literal["+", "-", "?"]
Kind: TypeAlias = Literal["static", "norm", "trigger", "replacement", "prevention", "check", "step"]
Bond: TypeAlias = Literal["changes", "reads", "needs", "then", "matches", "produces", "bars", "newer"]
BINDING: tuple[Bond, ...] = ("changes", "reads", "needs", "matches", "produces", "bars")


@dataclass(frozen=True, slots=True)
class GraphNode:
    """An effect, a check of the rules, or a step of what happens.

    Parameters
    ----------
    id : str
        Distinct: ``Bear/0`` is the first ability of the object `Bear`.
    kind : str
        What it is.
    says : Message
        What it does, in a few words.
    about : str
        Id of the object whose text it is; empty for the rules.
    """

    id: str
    kind: Kind
    says: Message
    about: str = ""


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """That one bears on another.

    Parameters
    ----------
    from_, to : str
        Ids of nodes; the first comes before the second, as far as the rules let it.
    kind : str
        `changes`, `reads`, `needs`, `matches`, `produces`, `bars` are dependencies; `then` and `newer` only break ties.
    why : Message
        The reason.
    sign : {"+", "-", "?"}
        Whether the first helps the second to apply, hinders it, or changes what it does.
    rule : str, optional
        Id of the rule that says so.
    """

    from_: str
    to: str
    kind: Bond
    why: Message
    sign: Sign = "?"
    rule: str | None = None

    @property
    def binds(self) -> bool:
        """Whether it is a dependency, and no mere tie-break."""
        return self.kind in BINDING


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes, edges, and the sets of nodes that depend on each other in a circle."""

    nodes: tuple[GraphNode, ...] = ()
    edges: tuple[GraphEdge, ...] = ()
    cycles: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class ComesOut:
    """One thing that can come out.

    Parameters
    ----------
    position : Position
        The end.
    order : tuple of str
        A witness: the steps of one way there.
    choosers : tuple of str
        Who made the choices that lead here and not elsewhere, ``chance`` among them; ``nobody`` where the rules do not
        say who. Empty where nothing was to be chosen.
    """

    position: Position
    order: tuple[str, ...]
    choosers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Silence:
    """An order that decides what comes out and that nobody chooses.

    Parameters
    ----------
    about : str
        The rule's role: ``effects.ties``, ``effects.replacements``, ``effects.preventions``, ``effects.stamps``.
    items : tuple of str
        Between what.
    """

    about: str
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """Effects that come back to where they were.

    Parameters
    ----------
    steps : tuple of str
        One period.
    grows : mapping of str to int
        What is more after each period, where anything is.
    optional : bool
        Whether a player can end it.
    """

    steps: tuple[str, ...]
    grows: FrozenMap[str, int] = FrozenMap()
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Knot:
    """Static effects that decide about each other.

    Parameters
    ----------
    members : tuple of str
        Ids of their nodes.
    kind : {"paradox", "settled", "ambiguous", "unsolved"}
        Whether no, one, or several sets of them can be in force together so that each is in force exactly if its
        condition holds; or whether that is too large a question to be answered.
    fixpoints : tuple of tuple of str
        Those sets. Where all support each other it is the least one only.
    in_force : tuple of str
        What is in force in the order that the ruleset gives.
    agrees : bool
        Whether that is one of the fixpoints.
    """

    members: tuple[str, ...]
    kind: Literal["paradox", "settled", "ambiguous", "unsolved"]
    fixpoints: tuple[tuple[str, ...], ...]
    in_force: tuple[str, ...]
    agrees: bool


@dataclass(frozen=True, slots=True)
class Ordered:
    """The whole answer.

    Parameters
    ----------
    status : {"legal", "undetermined"} or None
        Undetermined where what comes out depends on what no rule says, or never ends; None where a limit was reached.
    outcomes : tuple of ComesOut
        Each distinct end, in a stable order.
    complete : bool
        Whether these are all.
    graph : Graph
        What depends on what, at the start.
    applied : tuple of str
        Ids of the static effects in the order in which they apply at the start.
    loops, knots, silences : tuple
        See the classes.
    terminates : {"proved", "bounded", "loops"}
        Whether triggers can go on for ever: not, by a certificate; not in what was explored; or they do.
    certificate : mapping of str to int
        What every turn of a circle of triggers and checks uses up; what has a lower number may come back each time
        something with a higher one is used up.
    limit : str, optional
        The limit that was reached.
    states : int
        States that were looked at.
    orders : int
        The most orders of independent abilities that were shown to agree without being tried.
    confirmed : bool
        Whether the referee, trying everything, came to the same ends.
    assumed : mapping of str to str
        Open points of the ruleset, with the reading assumed.
    readings : mapping of str to tuple of ComesOut
        What comes out under each reading, where that differs.
    unread : tuple of LeftOut
        Text of cards that was not read and bears on the question.
    as_read : {"legal", "undetermined"}, optional
        The verdict by what was read, where the verdict itself is undetermined since not all was; None where everything
        that bears on it was read, or is assumed not to matter.
    lain : tuple of Thing
        Where text of cards was not read: each object once for each zone in which it came to lie on any way.
    """

    status: Literal["legal", "undetermined"] | None
    outcomes: tuple[ComesOut, ...]
    complete: bool
    graph: Graph = Graph()
    applied: tuple[str, ...] = ()
    loops: tuple[Loop, ...] = ()
    knots: tuple[Knot, ...] = ()
    silences: tuple[Silence, ...] = ()
    terminates: Literal["proved", "bounded", "loops"] = "bounded"
    certificate: FrozenMap[str, int] = FrozenMap()
    limit: str | None = None
    states: int = 0
    orders: int = 0
    confirmed: bool = False
    assumed: FrozenMap[str, str] = FrozenMap()
    readings: FrozenMap[str, tuple[ComesOut, ...]] = FrozenMap()
    unread: tuple[LeftOut, ...] = ()
    as_read: Literal["legal", "undetermined"] | None = None
    lain: tuple[Thing, ...] = ()

    @property
    def confluent(self) -> bool:
        """Whether there is one thing only that can come out, and that is known."""
        return self.complete and len(self.outcomes) == 1

    def __bool__(self) -> bool:
        """Refuse: an undetermined verdict is neither true nor false."""
        raise TypeError("an Ordered has no truth value; ask for .status")
