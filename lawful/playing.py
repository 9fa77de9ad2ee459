"""Where the referee answers by playing, or checks by playing what the solver has found."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from lawful.model.declaration import Question
from lawful.model.errors import Disagreement, LimitReached
from lawful.model.limits import Clock, Limits
from lawful.model.payment import Level, Outcome, Payment, project
from lawful.model.verdict import Reached, Reason, Shortfall

if TYPE_CHECKING:
    from lawful.solver.ways import Ways

FEW_WAYS = 200
FEW_STEPS = 2_000
FEW_SECONDS = 1.0


def play(question: Question, limits: Limits) -> Iterator[tuple[Payment, Outcome]]:
    """Yield every payment, played out by the referee.

    Parameters
    ----------
    question : Question
        What is asked.
    limits : Limits
        Ways and seconds bound it.

    Yields
    ------
    pair of Payment and Outcome
        Each payment once.

    Raises
    ------
    LimitReached
        If there are too many.
    """
    from lawful.model.referee import Effort, payments

    yield from payments(question, limits.ways, Effort(seconds=limits.seconds))


def double_check(question: Question, found: Ways, clock: Clock) -> None:
    """Have the referee play a small question out, and compare.

    Parameters
    ----------
    question : Question
        What is asked.
    found : Ways
        What the solver found. Where it found none, a way that the referee finds is looked for as well.
    clock : Clock
        The time for the answer; without any left nothing is played.

    Raises
    ------
    Disagreement
        If the referee finds another number of ways.
    """
    from lawful.model.referee import Effort, payments

    if found.engine == "played" or not found.complete or clock.over:
        return
    if found.counts.get("sequences", FEW_WAYS + 1) > FEW_WAYS:
        return
    none = found.counts.get("sequences") == 0
    effort = Effort(FEW_STEPS, min(FEW_SECONDS, clock.left), merge=none)
    try:
        played = list(islice(payments(question, None, effort), 1 if none else FEW_WAYS + 1))
    except LimitReached:
        return
    for level, count in found.counts.items():
        told = len({_told(payment, outcome, level) for payment, outcome in played})
        if told != count:
            raise Disagreement(f"at the level of {level} the referee plays {told}, the solver finds {count}", question)


class Referee:
    """Plays payments out, for `lawful.solver.check`.

    Parameters
    ----------
    limits : Limits
        What playing may cost.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits

    def payment(self, question: Question, spare: frozenset[str]) -> Payment | None:
        """Return a payment that spends none of some objects, or None where there is none."""
        from lawful.model.referee import Effort, payments, spent

        for payment, _ in payments(question, None, Effort(seconds=self.limits.seconds, merge=True)):
            if not spare or not spent(question, payment) & spare:
                return payment
        return None

    def why(self, question: Question) -> Reason:
        """Return what stopped the payments that went furthest."""
        from lawful.model.referee import Effort, payments

        effort = Effort(seconds=self.limits.seconds, merge=True)
        for _ in payments(question, None, effort):
            pass
        return effort.stopped()

    def xs(self, question: Question) -> tuple[int, ...]:
        """Return the values of X that might be paid."""
        from lawful.model.referee import values_of_x

        return values_of_x(question)


def payable(question: Question, limits: Limits) -> bool:
    """Say whether a cost can be paid: by the model, or by playing where that is not exact."""
    from lawful.solver.encode.steady import unsteady
    from lawful.solver.explain import payable as in_model
    from lawful.solver.ways import OF_MODELS

    if unsteady(question) is None:
        try:
            return in_model(question, limits=limits)
        except LimitReached as limit:
            if limit.limit not in OF_MODELS:
                raise
    return Referee(limits).payment(question, frozenset()) is not None


def _told(payment: Payment, outcome: Outcome, level: Level) -> object:
    return outcome if level == "outcomes" else project(payment, level)


def why_none(question: Question, limits: Limits, engine: str) -> tuple[Reason, ...]:
    """Return why there is no way.

    Parameters
    ----------
    question : Question
        A question without a way.
    limits : Limits
        What it may cost.
    engine : str
        How that was found. What was found by playing may have no reason in the solver's model: then it is what stopped
        the partial payments that went furthest.

    Returns
    -------
    tuple of Reason
        Minimal reasons, each of rules and facts; the first is the one about the first part that fails.

    Raises
    ------
    Disagreement
        If nothing forbids it in the model that found no way.
    """
    from lawful.model.referee import Effort, payments
    from lawful.solver.explain import why_nots
    from lawful.solver.ways import OF_MODELS

    if engine != "played":
        reasons = why_nots(question, limits=limits)
        if not reasons:
            raise Disagreement("no way was found, yet nothing forbids one", question)
        return reasons
    try:
        reasons = why_nots(question, limits=limits)
    except LimitReached as limit:
        if limit.limit not in OF_MODELS:
            raise
        reasons = ()
    if reasons:
        return reasons
    effort = Effort(seconds=limits.seconds, merge=True)
    for _ in payments(question, limits.ways, effort):
        raise Disagreement("no way was found, yet one is played", question)
    return (effort.stopped(),)


def why_unpaid(
    question: Question, limits: Limits, engine: str, clock: Clock, reached: list[Reached]
) -> tuple[tuple[Reason, ...], tuple[Shortfall, ...]]:
    """Return why there is no way, and what would be enough.

    Parameters
    ----------
    question : Question
        A question without a way.
    limits : Limits
        What it may cost.
    engine : str
        How that was found.
    clock : Clock
        The time for the answer.
    reached : list of Reached
        Where the time was over is noted here.

    Returns
    -------
    pair of tuples
        Minimal reasons, and what the position lacks.
    """
    from lawful.solver.nearest import nearest

    reasons: tuple[Reason, ...] = ()
    lacking: tuple[Shortfall, ...] = ()
    where = "reasons"
    try:
        reasons = why_none(question, clock.limits(limits), engine)
        where = "nearest position"
        near = nearest(question, reasons, lambda asked: payable(asked, clock.limits(limits)), pays=True)
        lacking = near.shortfalls
    except LimitReached as limit:
        if limit.limit != "seconds":
            raise
        reached.append(Reached("seconds", clock.seconds, where))
    return reasons, lacking
