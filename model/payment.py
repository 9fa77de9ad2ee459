"""What is given for a cost. A payment is one way to pay at the level of sequences; coarser levels are views of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from lawful.model.frozen import FrozenMap

Level: TypeAlias = Literal["outcomes", "sources", "allocations", "sequences"]
LEVELS: tuple[Level, ...] = ("outcomes", "sources", "allocations", "sequences")


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a source.

    Parameters
    ----------
    thing : str
        Id of the object used.
    part : str
        The asset whose part of the cost was being paid; empty for parts that are paid at once, and in a claim that
        does not say.
    source : str
        Name of the source: ``pitch``.
    replaced : tuple of str
        Ids of the objects whose replacement effects changed what it gave, in the order applied.
    """

    thing: str
    part: str
    source: str
    replaced: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Spend:
    """Points that are given for one of the parts paid at once, or are left over.

    Parameters
    ----------
    part : int
        Index among the parts that are paid at once, from 0; -1 is left over.
    as_ : str
        The asset as which they are given.
    n : int
        How many.
    thing, source : str
        Where they came from; both empty for points that floated before, and in a claim that does not say.
    asset : str
        What they are; empty in a claim that does not say.
    """

    part: int
    as_: str
    n: int = 1
    thing: str = ""
    source: str = ""
    asset: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """What an effect-cost was paid with.

    Parameters
    ----------
    term : int
        Index among the effect-costs due, from 0: those of the printed (or given) cost, then of the alternative cost,
        then of additional costs in the card's order, then of the ruleset's charges.
    things : tuple of str
        Ids of the objects chosen, sorted; empty where chance or a hidden order picks them.
    """

    term: int
    things: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment, in the order in which it is made.

    Parameters
    ----------
    uses : tuple of Use
        Sources in the order used.
    choices : tuple of Choice
        Effect-costs in the order paid; they come after every asset part.
    x : int, optional
        The value of X, where the cost has one.
    options : tuple of str
        Names of the optional and alternative costs declared, sorted.
    spends : tuple of Spend
        For parts that are paid at once: which point of which source paid for what, sorted.
    """

    uses: tuple[Use, ...] = ()
    choices: tuple[Choice, ...] = ()
    x: int | None = None
    options: tuple[str, ...] = ()
    spends: tuple[Spend, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is left when a payment is made.

    Parameters
    ----------
    pool : mapping of str to int
        Floating assets of the payer, in points, every asset of the ruleset.
    overpaid : mapping of str to int
        Points that were lost, by asset; only those above 0.
    x : int, optional
        The value of X.
    options : tuple of str
        What was declared, sorted.
    """

    pool: FrozenMap[str, int]
    overpaid: FrozenMap[str, int] = FrozenMap()
    x: int | None = None
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pay:
    """A step of a claim: the part of this asset is paid now, out of the pool."""

    part: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A payment that somebody says they make, to be judged step by step.

    Parameters
    ----------
    steps : tuple of Use, Pay, Spend or Choice
        In the order given, legal or not. A part that is covered before the next step is paid by itself where no `Pay`
        says otherwise.
    x : int, optional
        The value of X.
    options : tuple of str
        What is declared.
    pool : mapping of str to int, optional
        What the payer says is left, for the assets named.
    started : bool
        Whether this is only the beginning of a payment: what is missing is not a fault then.
    """

    steps: tuple[Use | Pay | Spend | Choice, ...]
    x: int | None = None
    options: tuple[str, ...] = ()
    pool: FrozenMap[str, int] | None = None
    started: bool = False


def project(payment: Payment, level: Level) -> tuple[object, ...]:
    """Return what can be told apart at a level; two payments are the same way there iff this is equal.

    Parameters
    ----------
    payment : Payment
        A payment.
    level : {"sources", "allocations", "sequences"}
        The level. Outcomes need the position and are `Outcome` values.

    Returns
    -------
    tuple
        Hashable.

    Raises
    ------
    ValueError
        For the level of outcomes.

    Examples
    --------
    >>> one = Payment((Use("k", "c", "pitch"), Use("b", "r", "pitch")))
    >>> two = Payment((Use("b", "r", "pitch"), Use("k", "c", "pitch")))
    >>> project(one, "allocations") == project(two, "allocations")
    True
    """
    chosen = frozenset(payment.choices)
    if level == "sources":
        used = tuple(sorted((use.thing, use.source) for use in payment.uses))
        gone = frozenset(thing for use in payment.uses for thing in use.replaced)
        return payment.options, payment.x, used, gone, chosen, _paid(payment, False)
    if level == "allocations":
        placed = tuple(sorted((use.thing, use.source, use.part) for use in payment.uses))
        gone = frozenset(thing for use in payment.uses for thing in use.replaced)
        return payment.options, payment.x, placed, gone, chosen, _paid(payment, True)
    if level == "sequences":
        return payment.options, payment.x, payment.uses, payment.choices, payment.spends
    raise ValueError("outcomes are compared as Outcome values")


def _paid(payment: Payment, typed: bool) -> tuple[tuple[int, str, int], ...]:
    """Return how much was given for each part that is paid at once; `typed`, also as what, and what was left over."""
    found: dict[tuple[int, str], int] = {}
    for spend in payment.spends:
        if typed or spend.part >= 0:
            key = spend.part, spend.as_ if typed else ""
            found[key] = found.get(key, 0) + spend.n
    return tuple(sorted((part, as_, n) for (part, as_), n in found.items()))
