"""What is looked for when cards meet, and what was found: findings with a witness, and how far was looked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from lawful.model.declaration import OrderQuestion, Question
from lawful.model.frozen import FrozenMap
from lawful.model.verdict import Message, Value

Said: TypeAlias = FrozenMap[str, Value]


def said(**params: Value) -> Said:
    """Return the parameters of a message, or what is expected."""
    return FrozenMap(params)


Outcome: TypeAlias = Literal["finding", "clean", "not checked"]
CHECKS = (
    "unpayable",
    "dead",
    "deadlock",
    "looks-legal",
    "circle",
    "unordered",
    "endless",
    "engine",
    "dominated",
    "invariant",
    "wording",
)
"""The checks, in the order in which they are told; `docs/stress.md` says what each means."""


@dataclass(frozen=True, slots=True, order=True)
class Size:
    """How large a witness is; compared from left to right.

    Parameters
    ----------
    cards : int
        Cards of the group that it needs.
    objects : int
        Objects of its position.
    assets : int
        Points that float beyond what a player starts with, counters, and steps of what happens.
    x : int
        X.
    """

    cards: int
    objects: int
    assets: int = 0
    x: int = 0


@dataclass(frozen=True, slots=True)
class Bound:
    """How far was looked.

    Parameters
    ----------
    most : mapping of str to int
        The most of each: copies of a source in hand, objects of a kind, positions, states.
    saturated : bool
        Whether that is enough to speak of all positions.
    why : str
        Why it is, or is not; id of a message.
    """

    most: FrozenMap[str, int] = FrozenMap()
    saturated: bool = False
    why: str = "stress.bound.open"

    def plus(self, other: Bound) -> Bound:
        """Return the bound of two searches together."""
        keys = dict.fromkeys((*self.most, *other.most))
        most = FrozenMap({key: max(self.most.get(key, 0), other.most.get(key, 0)) for key in keys})
        weaker = self if not self.saturated else other
        return Bound(most, self.saturated and other.saturated, weaker.why)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that breaks, with the smallest position in which it does.

    Parameters
    ----------
    check : str
        Which check.
    cards : tuple of str
        Names of the cards that meet.
    item : str
        What of them it is about: an ability, a mode, a slot; tells findings of one check apart.
    says : Message
        What breaks.
    witness : Question or OrderQuestion
        The position, with what is declared or what happens in it.
    expect : mapping
        What a case file expects of it.
    size : Size
        How large the witness is.
    beside : tuple of pairs of Question or OrderQuestion and str
        What else has to be so: questions that are ``payable``, ``unpayable``, ``forbidden`` whatever is paid, or, of
        effects, ``other``: something else comes out of them than of the witness.
    """

    check: str
    cards: tuple[str, ...]
    item: str
    says: Message
    witness: Question | OrderQuestion
    expect: Said
    size: Size
    beside: tuple[tuple[Question | OrderQuestion, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Looked:
    """What one check found in one group of cards.

    Parameters
    ----------
    check : str
        Which.
    outcome : {"finding", "clean", "not checked"}
        Not checked where text was not read, or a limit was reached.
    findings : tuple of Finding
        At least one where the outcome says so.
    bound : Bound
        How far was looked.
    why : Message, optional
        Why it was not checked.
    """

    check: str
    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    bound: Bound = field(default_factory=Bound)
    why: Message | None = None


@dataclass(frozen=True, slots=True)
class Invariant:
    """A promise of the designer that every card of the pool is to keep.

    Parameters
    ----------
    name : str
        What findings call it.
    kind : {"exchange", "number", "hand"}
        `exchange`: up to `most` floating points of `asset` are as good as those of `other`, whatever is paid.
        `number`: every number that `of` names is one of `allowed`. `hand`: whoever pays a card that costs `cost` points
        or more has used `least` cards at the least, where nothing floats.
    asset, other : str
        Of `exchange`.
    most : int
        Of `exchange`.
    of : str
        Of `number`: ``cost.c``, ``yields.r``, a stat.
    allowed : tuple of int
        Of `number`.
    cost, least : int
        Of `hand`.
    """

    name: str
    kind: Literal["exchange", "number", "hand"]
    asset: str = ""
    other: str = ""
    most: int = 0
    of: str = ""
    allowed: tuple[int, ...] = ()
    cost: int = 0
    least: int = 0
