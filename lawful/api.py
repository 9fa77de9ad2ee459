"""The four questions, asked in Python: what the command line and the tests call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from lawful.model.declaration import OrderQuestion, Question
from lawful.model.errors import Disagreement, LimitReached, UnknownName
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Clock, Limits
from lawful.model.ordered import ComesOut, Ordered
from lawful.model.page import Page
from lawful.model.payment import LEVELS, Claim, Level
from lawful.model.ruleset import OpenPoint
from lawful.model.unplayed import refuse_unplayed
from lawful.model.verdict import Answer, LeftOut, Reason, Replay, Status, Way
from lawful.unread import as_far_as_read


@dataclass(frozen=True, slots=True)
class Judgement:
    """The answer to "is this payment legal?".

    Parameters
    ----------
    status : {"legal", "illegal", "undetermined"}
        Undetermined where the readings of an open point differ.
    replay : Replay
        The referee's steps, up to the first one that a rule forbids.
    reasons : tuple of Reason
        A minimal set of rules that forbid it.
    assumed : mapping of str to str
        Open points that this question touches, with the reading assumed.
    readings : mapping of str to str
        The verdict under each reading of the point that decides, where they differ.
    unread : tuple of LeftOut
        Text of cards that was not read and bears on the question.
    as_read : {"legal", "illegal", "undetermined"}, optional
        The verdict by what was read, where the verdict itself is undetermined since not all was; None where everything
        that bears on it was read, or is assumed not to matter.
    """

    status: Status
    replay: Replay
    reasons: tuple[Reason, ...] = ()
    assumed: FrozenMap[str, str] = FrozenMap()
    readings: FrozenMap[str, str] = FrozenMap()
    unread: tuple[LeftOut, ...] = ()
    as_read: Status | None = None


def pay(
    question: Question,
    level: Level | None = None,
    limits: Limits = Limits(),
    by_name: bool = False,
    page: Page = Page(),
    prove: bool = False,
) -> Answer:
    """Find every way to pay, or say why there is none.

    Every way listed was replayed by the referee, step by step.

    Parameters
    ----------
    question : Question
        The ruleset, the position, what is declared.
    level : {"outcomes", "sources", "allocations", "sequences"}, optional
        What counts as one way; None is the ruleset's own level.
    limits : Limits
        What it may cost.
    by_name : bool
        Whether equal cards are merged in the list; it never changes the count.
    page : Page
        Which ways are listed: from a rank on, a sample, the best ones first, only those without a superfluous source.
    prove : bool
        Whether CP-SAT proves that the ways counted are all there are, and nothing but ways.

    Returns
    -------
    Answer
        Legal, illegal with a minimal reason, or undetermined with the readings that differ, or with the text of cards
        that was not read and bears on it.

    Raises
    ------
    LimitReached
        If a limit was reached before there was an answer.
    BadInput
        If the declaration cannot be asked about.
    Disagreement
        If referee and solver disagree: a bug of ours.

    Examples
    --------
    >>> import lawful
    >>> answer = lawful.pay(lawful.question("fab", cost="3c1r", hand="blue, blue"))
    >>> answer.status, answer.count
    ('illegal', 0)
    """
    wanted = level or question.ruleset.level
    if wanted not in LEVELS:
        raise UnknownName("level", wanted, LEVELS)
    clock = Clock(limits.seconds)
    answer = base = _pay(question, wanted, limits, by_name, page, prove, clock)
    assumed: dict[str, str] = {}
    readings: dict[str, Answer] = {}
    for point, others in open_points(question):
        assumed[point.id] = question.ruleset.readings.get(point.id, point.default)
        answers = {assumed[point.id]: base}
        if {path for reading in point.readings for path in reading.changes} == {"level"}:
            continue  # what counts as one way is not whether there is one
        answers |= {name: _pay(asked, wanted, limits, by_name, page, prove, clock) for name, asked in others}
        if len({(a.status, a.counts) for a in answers.values()}) > 1:
            readings |= {f"{point.id}: {name}": reading for name, reading in answers.items()}
        if len({a.status for a in answers.values()}) > 1:
            answer = replace(answer, status="undetermined")
    answer = replace(answer, assumed=FrozenMap(assumed), readings=FrozenMap(readings))
    return as_far_as_read(answer, question, "pay")


def _pay(
    question: Question, level: Level, limits: Limits, by_name: bool, page: Page, prove: bool, clock: Clock
) -> Answer:
    from lawful.model.referee import replay
    from lawful.playing import double_check, play, why_unpaid
    from lawful.solver.ways import Listed, ways

    refuse_unplayed(question)
    listed = []

    def shown(line: Listed) -> None:
        played = replay(question, line.payment)
        if played.outcome != line.outcome:
            what = played.broken.says.id if played.broken else f"{played.outcome} is not {line.outcome}"
            raise Disagreement(f"{line.key}: {what}", question)
        listed.append(Way(line.key, line.payment, played, line.copies))

    with clock.during("finding the ways"):
        found = ways(
            question, level, limits=limits, by_name=by_name, page=page, prove=prove, play=play, clock=clock, take=shown
        )
    double_check(question, found, clock)
    count, reached = found.counts[level], list(found.reached)
    reasons, lacking = ((), ()) if count else why_unpaid(question, limits, found.engine, clock, reached)
    return Answer(
        status="legal" if count else "illegal",
        level=level,
        count=count,
        counts=found.counts,
        count_by_name=found.count_by_name,
        used=found.used,
        proved=found.proved,
        unproved=found.unproved,
        minimal=found.minimal,
        complete=found.complete,
        ways=tuple(listed),
        reasons=reasons,
        engine=found.engine,
        limit=reached[0].limit if reached else None,
        shortfalls=lacking,
        reached=tuple(reached),
    )


def judge(question: Question, claim: Claim | str, limits: Limits = Limits()) -> Judgement:
    """Judge one given payment, in the order given, step by step.

    Parameters
    ----------
    question : Question
        The ruleset, the position, what is declared.
    claim : Claim or str
        The payment, or the beginning of one; as text it is steps like those after ``--with``: ``Inner Chi > blue``.
    limits : Limits
        What it may cost.

    Returns
    -------
    Judgement
        Legal, or illegal with the rule that the first wrong step breaks.

    Raises
    ------
    LimitReached, BadInput, Disagreement
        As in `pay`.

    Examples
    --------
    >>> import lawful
    >>> asked = lawful.question("fab", cost="3c1r", hand="Inner Chi, blue")
    >>> judge(asked, "Inner Chi > blue").status, judge(asked, "blue > Inner Chi").status
    ('legal', 'illegal')
    """
    from lawful.model.priced import refuse_undeclared

    refuse_undeclared(question)
    if isinstance(claim, str):
        from lawful.model.casefile import parse_claim

        claim = parse_claim(claim, question)
    judgement = base = _judge(question, claim, limits)
    assumed: dict[str, str] = {}
    readings: dict[str, str] = {}
    for point, others in open_points(question):
        assumed[point.id] = question.ruleset.readings.get(point.id, point.default)
        verdicts: dict[str, str] = {assumed[point.id]: base.status}
        verdicts |= {name: _judge(asked, claim, limits).status for name, asked in others}
        if len(set(verdicts.values())) > 1:
            readings |= {f"{point.id}: {name}": status for name, status in verdicts.items()}
            judgement = replace(judgement, status="undetermined")
    judgement = replace(judgement, assumed=FrozenMap(assumed), readings=FrozenMap(readings))
    return as_far_as_read(judgement, question, "pay")


def _judge(question: Question, claim: Claim, limits: Limits) -> Judgement:
    from lawful.model import referee
    from lawful.solver.encode.steady import unsteady
    from lawful.solver.judge import judge as solve
    from lawful.solver.ways import OF_MODELS

    refuse_unplayed(question)
    replay = referee.judge(question, claim)
    changing = unsteady(question)
    try:
        judged = solve(question, claim, limits=limits, prefer=replay.broken.role if replay.broken else None)
    except LimitReached as limit:
        if limit.limit not in OF_MODELS:
            raise
        changing, judged = limit.limit, None
    if changing is not None and (judged is None or judged.legal != (replay.broken is None)):
        # What the solver's model takes for constant may have changed: the payment was played, and that decides.
        return Judgement("illegal" if replay.broken else "legal", replay, ((replay.broken,),) if replay.broken else ())
    assert judged is not None
    if judged.legal != (replay.broken is None):
        what = f"broken by {replay.broken.role}" if replay.broken else "nothing broken"
        raise Disagreement(f"referee: {what}; solver: {[b.role for b in judged.reason] or 'legal'}", question)
    return Judgement("legal" if judged.legal else "illegal", replay, (judged.reason,) if judged.reason else ())


def open_points(
    question: Question, touched: Callable[[str], bool] | None = None
) -> Iterator[tuple[OpenPoint, list[tuple[str, Question]]]]:
    """Yield the open points that a question touches, with the question under each reading not assumed.

    Parameters
    ----------
    question : Question
        What is asked.
    touched : callable, optional
        Whether a parameter of the rules can matter to the question; None asks about a payment.
    """
    from lawful.model.rulesets import under
    from lawful.solver.touches import Touched

    ruleset = question.ruleset
    if not ruleset.left_open:
        return
    matters = touched or Touched(question).by
    for point in ruleset.left_open:
        paths = {path for reading in point.readings for path in reading.changes}
        if not any(map(matters, sorted(paths))):
            continue
        assumed = ruleset.readings.get(point.id, point.default)
        others = [r.name for r in point.readings if r.name != assumed]
        yield point, [(name, replace(question, ruleset=under(ruleset, point.id, name))) for name in others]


CONFIRMED = 2_000


def order(question: OrderQuestion, limits: Limits = Limits()) -> Ordered:
    """Find everything that can come out of what happens, who chooses it, and what depends on what.

    Parameters
    ----------
    question : OrderQuestion
        The ruleset, the position, what happens in it.
    limits : Limits
        What it may cost.

    Returns
    -------
    Ordered
        Legal where the rules say what comes out, or whose choice it is; undetermined where they are silent, or where it
        never ends. `confirmed` where the referee, trying every order, came to the same.

    Raises
    ------
    BadInput
        If an effect names what the ruleset does not have.
    LimitReached
        If a player is chosen in it: what happens to them then is not played out.
    Disagreement
        If referee and solver disagree: a bug of ours.

    Examples
    --------
    >>> import lawful
    >>> case, = lawful.load("cases/conformance/flesh-and-blood-effects.case.yaml")[:1]
    >>> order(case.order).confluent
    True
    """
    answer = _order(question, limits)
    assumed: dict[str, str] = {}
    readings: dict[str, tuple[ComesOut, ...]] = {}
    for point, others in _open_effects(question):
        name = question.ruleset.readings.get(point.id, point.default)
        answers = {name: answer} | {other: _order(asked, limits) for other, asked in others}
        if len({_faces(a, question) for a in answers.values()}) > 1:
            assumed[point.id] = name
            readings |= {f"{point.id}: {n}": a.outcomes for n, a in answers.items()}
            if answer.status is not None and len({a.status for a in answers.values()}) > 1:
                answer = replace(answer, status="undetermined")
    answer = replace(answer, assumed=FrozenMap(assumed), readings=FrozenMap(readings))
    return as_far_as_read(answer, question, "order")


def _faces(answer: Ordered, question: OrderQuestion) -> frozenset[object]:
    from lawful.model.referee.resolution import seen

    return frozenset(seen(outcome.position, question) for outcome in answer.outcomes)


def _order(question: OrderQuestion, limits: Limits) -> Ordered:
    from lawful.model.referee.resolution import outcomes
    from lawful.solver.order.answer import ordered

    answer = ordered(question, limits)
    if not answer.complete or answer.loops or answer.states > CONFIRMED:
        return answer
    try:
        found = outcomes(question, CONFIRMED)
    except LimitReached:
        return answer
    ours = _faces(answer, question)
    if found != ours:
        raise Disagreement(f"{len(ours)} outcomes found, {len(found)} by trying everything", question)
    return replace(answer, confirmed=True)


def _normed(question: OrderQuestion) -> set[str]:
    """Return what else decides what happens: how norms rank where one obliges or permits."""
    from lawful.model.effect import Norm
    from lawful.model.walking import every

    position = question.position
    cards = tuple(card.abilities for card in position.cards.values())
    texts = (cards, position.lasting, position.queue, question.events)
    more = any(norm.modality != "cannot" for norm in every(texts, Norm))
    return {"norming"} if more else set()


COSTS = ("x.unknown_in",)
"""What decides which cost objects have that effects look at."""


def _open_effects(question: OrderQuestion) -> Iterator[tuple[OpenPoint, list[tuple[str, OrderQuestion]]]]:
    """Yield the open points that are about effects, with the question under each reading not assumed."""
    from lawful.model.rulesets import under

    ruleset = question.ruleset
    for point in ruleset.left_open:
        paths = {path.partition(".")[0] for reading in point.readings for path in reading.changes}
        # A reading that was picked is what the rules are; what comes out of it is no longer open.
        decides = bool(paths & {"ordering", "at_once", "norms", *_normed(question)}) or any(
            path in COSTS for reading in point.readings for path in reading.changes
        )
        if decides and point.id not in ruleset.readings:
            assumed = ruleset.readings.get(point.id, point.default)
            others = [r.name for r in point.readings if r.name != assumed]
            yield point, [(name, replace(question, ruleset=under(ruleset, point.id, name))) for name in others]
