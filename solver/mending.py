"""The payments that are nearest to one that was given: as few sources as can be are changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ortools.sat.python import cp_model

from lawful.model.declaration import Question
from lawful.model.limits import Limits
from lawful.model.payment import Claim, Payment, Use
from lawful.solver.ask import distinct, least
from lawful.solver.bound import Keys
from lawful.solver.check import Checker
from lawful.solver.encode.allocation import Allocation
from lawful.solver.encode.declaring import Joint
from lawful.solver.encode.literals import Linear, total
from lawful.solver.encode.sources import Candidate
from lawful.solver.playing import Player
from lawful.solver.repair import Repair, Repairs, repairs

MANY_MENDED = 10


@dataclass(frozen=True, slots=True)
class Mended:
    """The payments nearest to one that was given.

    Parameters
    ----------
    changed : int
        How many sources go or come, whichever is more.
    payments : tuple of Payment
        One for each set of sources, equal copies taken for the same.
    complete : bool
        Whether there are no others as near.
    """

    changed: int
    payments: tuple[Payment, ...]
    complete: bool


def mended(checker: Checker, claim: Claim) -> Mended | None:
    """Return the payments of what is declared that change as few sources of a given one as can be.

    Parameters
    ----------
    checker : Checker
        Of the declaration, complete.
    claim : Claim
        The payment given.

    Returns
    -------
    Mended or None
        None where there is no payment at all, or payments are played out.

    Raises
    ------
    LimitReached
        If there was no answer in time.
    """
    if checker.played or not checker.bounds:
        return None
    model, clock = checker.joint("hold"), checker.clock
    claimed = Counter((step.thing, step.source) for step in claim.steps if isinstance(step, Use))
    used, kept = _used(model), []
    for number, (members, times) in enumerate(used):
        said = sum(claimed[m.thing.id, m.source] + claimed[m.thing.id, ""] for m in members)
        both = model.cp.new_int_var(0, said, f"kept {number}")
        model.cp.add(both <= times)
        kept.append(both)
    far = model.cp.new_int_var(0, 1_000_000, "sources changed")
    model.cp.add_max_equality(far, [sum(claimed.values()) - total(kept), total(t for _, t in used) - total(kept)])
    found = least(model.cp, far, (), seconds=clock.left)
    if found is None:
        return None
    model.cp.add(far == found[0])
    sets, whole = distinct(model.cp, _keys(model, used), seconds=clock.left, most=MANY_MENDED)
    payments = tuple(_payment(checker, values) for values in sorted(sets, reverse=True))
    return Mended(found[0], payments, whole)


def repaired(question: Question, claim: Claim, limits: Limits, oblige: Keys | None, player: Player) -> Repairs:
    """Return the nearest legal declarations, each with the payment nearest to the one given.

    Parameters
    ----------
    question : Question
        With a declaration that is not legal with that payment.
    claim : Claim
        The payment given.
    limits : Limits
        What it may cost.
    oblige : frozenset of keys, optional
        Which requirements bind, where the rules leave that open.
    player : Player
        Plays payments out where the models are not exact: then no nearest one is looked for.
    """
    was = question.declaration
    asked = replace(question, declaration=replace(was, x=claim.x if was.x is None else was.x))
    near = repairs(asked, limits, oblige, player)
    found: list[Repair] = []
    whole = near.complete
    for repair in near.found:
        settled = replace(asked, declaration=repair.declaration)
        better = mended(Checker(settled, limits, frozenset(), oblige, player), claim)
        whole = whole and better is not None and better.complete
        for payment in better.payments if better is not None else ():
            found.append(replace(repair, sources=better.changed if better is not None else 0, payment=payment))
    least_ = min((repair.sources for repair in found), default=0)
    return Repairs(tuple(repair for repair in found if repair.sources == least_), whole)


def _used(model: Joint) -> list[tuple[tuple[Candidate, ...], Linear]]:
    """Return equal sources with how often they are used."""
    if isinstance(model.payment, Allocation):
        used = model.payment.used
        return [
            (group.members, total(v for (g, _), v in used.items() if g == number))
            for number, group in enumerate(model.payment.groups)
        ]
    if model.payment is None:
        return []
    order = model.payment
    sources = dict.fromkeys(option.candidate for slot in order.slots for option in slot.options)
    return [((candidate,), order.uses(candidate)) for candidate in sources]


def _keys(model: Joint, used: Sequence[tuple[tuple[Candidate, ...], Linear]]) -> list[cp_model.IntVar]:
    keys = [model.cp.new_int_var(0, 1_000_000, f"used {number}") for number in range(len(used))]
    for key, (_, times) in zip(keys, used, strict=True):
        model.cp.add(key == times)
    return keys


def _payment(checker: Checker, values: Sequence[int]) -> Payment:
    """Return a payment with just these sources."""
    model = checker.joint("hold")
    for (_, times), n in zip(_used(model), values, strict=True):
        model.cp.add(total([times]) == n)
    read = checker.read(model)
    assert read is not None
    return read[1]
