"""Answers. Legal, illegal with reasons, or undetermined with both readings; never a guess."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from lawful.model.frozen import FrozenMap
from lawful.model.payment import Level, Outcome, Payment

Status: TypeAlias = Literal["legal", "illegal", "undetermined"]
Value: TypeAlias = int | str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence as data: an id and its parameters. Texts live in message files and are translated there."""

    id: str
    params: FrozenMap[str, Value] = FrozenMap()


@dataclass(frozen=True, slots=True)
class Because:
    """One member of a reason: a rule that forbids, or a fact that it meets.

    Parameters
    ----------
    role : str
        The rule's role (``part.c``), or the fact's name.
    rule : str, optional
        Id of the rule in the ruleset; None for a fact.
    says : Message
        What it says here.
    about : tuple of str
        Ids of the objects concerned.
    """

    role: str
    rule: str | None
    says: Message
    about: tuple[str, ...] = ()


Reason: TypeAlias = tuple[Because, ...]


def instance(because: Because) -> tuple[str, tuple[str, ...], str, str]:
    """Return what tells one instance of a rule from another: role, norm or slot; of a requirement, whom it obliges.

    Two of them are the same member of a reason, whatever they say about it.
    """
    return told(because.role, because.about, because.says.params)


def told(role: str, about: tuple[str, ...], params: FrozenMap[str, Value]) -> tuple[str, tuple[str, ...], str, str]:
    """Return what tells an instance of a rule from another; see `instance`."""
    norm = str(params.get("norm", ""))
    if role.partition(".")[0] == "must":
        return role, about, "", norm
    return role, (), "" if norm else str(params.get("slot", "")), norm


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step of a replayed payment: what was done, by which rule, and the pool after it."""

    says: Message
    rule: str | None
    pool: FrozenMap[str, int]


@dataclass(frozen=True, slots=True)
class Replay:
    """A payment as the referee played it.

    Parameters
    ----------
    steps : tuple of TraceStep
        Until the end, or until the first step that a rule forbids.
    complete : bool
        Whether the whole cost was paid.
    broken : Because, optional
        The rule that the first wrong step breaks.
    outcome : Outcome, optional
        What is left; None unless complete.
    """

    steps: tuple[TraceStep, ...]
    complete: bool
    broken: Because | None = None
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Way:
    """One way to pay at some level, with a witness.

    Parameters
    ----------
    key : str
        Stable: the same way of the same question has the same key.
    payment : Payment
        A witness order, replayed by the referee.
    replay : Replay
        The referee's steps.
    copies : int
        How many ways this line stands for (more than one only where equal cards are merged).
    """

    key: str
    payment: Payment
    replay: Replay
    copies: int = 1


@dataclass(frozen=True, slots=True)
class Lack:
    """Something that would have to be otherwise in a position.

    Parameters
    ----------
    kind : {"card", "norm", "status", "face"}
        More copies of a generic card in the payer's hand; a norm that is not there; an object with another status, or
        turned over.
    what : str
        The card; the holder of the norm; the object.
    n : int
        How many copies.
    detail : str
        The status; how the object lies then.
    number : int
        Of a norm, which one of its holder; of a status, whether the object would have it.
    """

    kind: Literal["card", "norm", "status", "face"]
    what: str
    n: int = 1
    detail: str = ""
    number: int = 0

    def message(self) -> Message:
        """Return it for people."""
        kind = f"{self.kind}.not" if self.kind == "status" and not self.number else self.kind
        params: dict[str, Value] = {"what": self.what, "n": self.n, "detail": self.detail}
        return Message(f"face.lack.{kind}", FrozenMap(params))


@dataclass(frozen=True, slots=True)
class Shortfall:
    """What a position lacks: all of it together, and not less, would be enough."""

    changes: tuple[Lack, ...]

    @property
    def distance(self) -> int:
        """How many changes it takes; each copy of a card is one."""
        return sum(lack.n for lack in self.changes)


@dataclass(frozen=True, slots=True)
class Reached:
    """A limit that was reached on the way to an answer.

    Parameters
    ----------
    limit : str
        Which one: `seconds`, `nodes`, `ways`, ...
    value : float
        Its value.
    where : str
        What it cut short: ``counting sequences``, ``listing``, ``proof``, ...
    """

    limit: str
    value: float
    where: str

    def __str__(self) -> str:
        """Say it as errors say it."""
        return f"{self.limit} = {self.value:g} ({self.where})"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A clause that was not read and bears on a question: what it says is not part of the answer.

    Parameters
    ----------
    card : str
        Whose text it is.
    clause : str
        The clause.
    kind : str
        What kind of clause it is; empty where that is not known.
    place : str
        Where it stands: the card file and the line.
    things : tuple of str
        Ids of the objects that bear it.
    """

    card: str
    clause: str
    kind: str = ""
    place: str = ""
    things: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to "in which ways can this be paid?".

    Parameters
    ----------
    status : {"legal", "illegal", "undetermined"}
        Legal when there is a way.
    level : str
        The level of `count` and `ways`.
    count : int
        Ways at that level.
    counts : mapping of str to int
        Ways at every level.
    count_by_name : int, optional
        Ways at `level` when equal cards are not told apart; None unless asked for.
    minimal : int, optional
        Ways at the level of source sets without a superfluous source; None if there were too many to look at.
    complete : bool
        Whether `count` is of all ways.
    ways : tuple of Way
        Those listed, in canonical order.
    reasons : tuple of Reason
        Why there is none: the one about the first part that fails, then the other minimal ones, fewest rules first.
    shortfalls : tuple of Shortfall
        What the position lacks; each alone would be enough.
    engine : str
        How the answer was found.
    limit : str, optional
        The first limit that was reached, if any; `reached` says what it cut short.
    used : mapping of str to int
        For every source, the number of ways at `level` that use it; empty where the level does not tell.
    proved : bool
        Whether CP-SAT proved the count.
    unproved : str
        Where a proof was asked for and there is none, why: ``played`` (out by the referee: there is no model to prove
        it from), ``single`` (proved over classes of equal sources, not by single ones), ``limit``, ``incomplete``.
    assumed : mapping of str to str
        Open points that this question touches, with the reading assumed.
    readings : mapping of str to Answer
        The answer under each reading of the point that decides, where they differ.
    reached : tuple of Reached
        Limits that cut something short.
    unread : tuple of LeftOut
        Text of cards that was not read and bears on the question.
    as_read : {"legal", "illegal", "undetermined"}, optional
        The verdict by what was read, where the verdict itself is undetermined since not all was; None where everything
        that bears on it was read, or is assumed not to matter.
    """

    status: Status
    level: Level
    count: int
    counts: FrozenMap[Level, int]
    count_by_name: int | None
    minimal: int | None
    complete: bool
    ways: tuple[Way, ...] = ()
    reasons: tuple[Reason, ...] = ()
    engine: str = "enumeration"
    limit: str | None = None
    used: FrozenMap[str, int] = FrozenMap()
    proved: bool = False
    assumed: FrozenMap[str, str] = FrozenMap()
    readings: FrozenMap[str, Answer] = FrozenMap()
    shortfalls: tuple[Shortfall, ...] = ()
    unproved: str = ""
    reached: tuple[Reached, ...] = ()
    unread: tuple[LeftOut, ...] = ()
    as_read: Status | None = None

    def __bool__(self) -> bool:
        """Refuse: an undetermined verdict is neither true nor false."""
        raise TypeError("an Answer has no truth value; ask for .status")
