"""Which of the ways are listed: from a rank on, a sample, the best ones first; and what "best" means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from lawful.model.errors import BadInput, Fault
from lawful.model.payment import Outcome, Payment

SAMPLE_MOST = 1_000_000  # ways that are drawn: their ranks are remembered, so that all are different

About: TypeAlias = Literal["uses", "x", "left"]


@dataclass(frozen=True, slots=True)
class Wish:
    """One wish: as many, or as few, as possible of something.

    Parameters
    ----------
    about : {"uses", "x", "left"}
        Uses of sources; the value of X; points that float afterwards.
    more : bool
        Whether more is better.
    things : frozenset of str, optional
        Ids of the objects whose uses count; None for all.
    """

    about: About
    more: bool
    things: frozenset[str] | None = None

    def counts(self, thing: str) -> bool:
        """Say whether uses of an object count."""
        return self.things is None or thing in self.things

    @property
    def sign(self) -> int:
        """1 if more is better, else -1."""
        return 1 if self.more else -1


def worth(wishes: Sequence[Wish], payment: Payment, outcome: Outcome) -> tuple[int, ...]:
    """Return what a payment is worth: one number for each wish, compared from the first one on.

    Parameters
    ----------
    wishes : sequence of Wish
        The first decides, then the second, and so on.
    payment : Payment
        A payment.
    outcome : Outcome
        What it leaves.

    Returns
    -------
    tuple of int
        Larger is better.

    Examples
    --------
    >>> from lawful.model.frozen import FrozenMap
    >>> from lawful.model.payment import Use
    >>> keep = Wish("uses", False, frozenset(["blue"]))
    >>> worth([keep], Payment((Use("blue", "r", "pitch"),)), Outcome(FrozenMap()))
    (-1,)
    """
    return tuple(wish.sign * _amount(wish, payment, outcome.pool) for wish in wishes)


def _amount(wish: Wish, payment: Payment, pool: Mapping[str, int]) -> int:
    if wish.about == "uses":
        return sum(1 for use in payment.uses if wish.counts(use.thing))
    return (payment.x or 0) if wish.about == "x" else sum(pool.values())


@dataclass(frozen=True, slots=True)
class Page:
    """Which of the ways are listed.

    Parameters
    ----------
    start : int
        The rank of the first one, from 0.
    sample : int, optional
        List so many different ways drawn at random instead, all equally likely; `SAMPLE_MOST` at most.
    seed : int
        What the draw depends on.
    best : tuple of Wish
        List the best ones first.
    minimal : bool
        Leave out ways with a superfluous source.

    Raises
    ------
    BadInput
        If nothing can be listed so.
    """

    start: int = 0
    sample: int | None = None
    seed: int = 0
    best: tuple[Wish, ...] = ()
    minimal: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be listed."""
        faults = []
        if self.start < 0:
            faults.append(Fault(f"a rank is 0 or more, not {self.start}", hint="0 is the first way"))
        if self.sample is not None and not 0 <= self.sample <= SAMPLE_MOST:
            faults.append(Fault(f"{self.sample} ways cannot be drawn", hint=f"draw from 0 to {SAMPLE_MOST}"))
        if self.sample is not None and (self.start or self.best):
            faults.append(Fault("a sample is drawn from all ways", hint="leave out the rank and the preference"))
        if faults:
            raise BadInput(faults)
