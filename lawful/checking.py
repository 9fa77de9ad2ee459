"""The second question: is this declaration legal, and if not, why not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from lawful.model.declaration import Declaration, Question
from lawful.model.errors import Disagreement, LimitReached
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Clock, Limits
from lawful.model.payment import Claim, Payment, Use
from lawful.model.unplayed import refuse_totals, refuse_unplayed
from lawful.model.verdict import LeftOut, Reason, Replay, Shortfall, Status, instance
from lawful.unread import as_far_as_read

if TYPE_CHECKING:
    from lawful.model.casefile import Case
    from lawful.solver.bound import Keys
    from lawful.solver.check import Checker
    from lawful.solver.repair import Repair


@dataclass(frozen=True, slots=True)
class Offer:
    """Who may be chosen for one slot, the others as declared.

    Parameters
    ----------
    legal : tuple of str
        Ids of the objects with which it is legal.
    refused : mapping of str to tuple of Reason
        The others, each with its minimal reasons.
    """

    legal: tuple[str, ...]
    refused: FrozenMap[str, tuple[Reason, ...]]


@dataclass(frozen=True, slots=True)
class Obeyed:
    """How many requirements can be obeyed together, with these modes and this X.

    Parameters
    ----------
    modes, x
        What is declared.
    n, of : int
        So many of so many.
    status : {"proved"}
        CP-SAT proved that more cannot be. Where it was not proved in time there is no verdict, but a limit.
    """

    modes: tuple[str, ...]
    x: int | None
    n: int
    of: int
    status: str = "proved"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to "is this declaration legal?".

    Parameters
    ----------
    status : {"legal", "illegal", "undetermined"}
        Legal where what is declared can be completed to a legal choice that can be paid for.
    count : int, optional
        Complete choices of modes, X and targets; None where there are too many states to count.
    complete : bool
        Whether `reasons` are all minimal reasons.
    reasons : tuple of Reason
        Why it is not legal, fewest rules first; of several readings, those of each, which has its own in `readings`.
    offers : mapping of str to Offer
        For every slot, who may be chosen.
    witness : Declaration, optional
        One legal completion.
    payment : Payment, optional
        One payment of it, replayed by the referee.
    replay : Replay, optional
        The referee's steps of that payment, or of the payment that is judged.
    repairs : tuple of Repair
        The nearest legal declarations.
    repairs_complete : bool
        Whether these are all that are as near.
    shortfalls : tuple of Shortfall
        The nearest positions in which it would be legal, by what would have to be otherwise.
    near_complete : bool
        Whether all positions that are as near were looked at.
    obeyed : tuple of Obeyed
        Where the rules ask to obey as many requirements as can be: how many that is.
    engine : {"models", "played"}
        Whether payments were judged by the models, or played out, as where one may change what is read while it is
        made; then the payment's reasons are what stopped those that went furthest, and not all.
    assumed : mapping of str to str
        Open points that this question touches, with the reading assumed.
    readings : mapping of str to Verdict
        The answer under each reading of a point that decides, where they differ.
    unread : tuple of LeftOut
        Text of cards that was not read and bears on the question.
    as_read : {"legal", "illegal", "undetermined"}, optional
        The verdict by what was read, where the verdict itself is undetermined since not all was; None where everything
        that bears on it was read, or is assumed not to matter.
    """

    status: Status
    count: int | None
    complete: bool = True
    reasons: tuple[Reason, ...] = ()
    offers: FrozenMap[str, Offer] = FrozenMap()
    witness: Declaration | None = None
    payment: Payment | None = None
    replay: Replay | None = None
    repairs: tuple[Repair, ...] = ()
    repairs_complete: bool = True
    shortfalls: tuple[Shortfall, ...] = ()
    near_complete: bool = True
    obeyed: tuple[Obeyed, ...] = ()
    engine: Literal["models", "played"] = "models"
    assumed: FrozenMap[str, str] = FrozenMap()
    readings: FrozenMap[str, Verdict] = FrozenMap()
    unread: tuple[LeftOut, ...] = ()
    as_read: Status | None = None

    def __bool__(self) -> bool:
        """Refuse: an undetermined verdict is neither true nor false."""
        raise TypeError("a Verdict has no truth value; ask for .status")


def of_choices(case: Case) -> Case:
    """Return the case as one about the choices of its one text, where it is a text that nothing else is said of."""
    events = case.order.events if case.order is not None else ()
    if len(events) != 1 or events[0].source is not None or events[0].bindings:
        return case
    declaration = Declaration(events[0].by, do=events[0].do)
    return replace(case, question=replace(case.question, declaration=declaration), order=None, ask="check")


def check(question: Question, claim: Claim | None = None, limits: Limits = Limits()) -> Verdict:
    """Say whether a declaration is legal; if not, every minimal reason and the nearest legal change.

    Targets, modes, X and payment are judged together. What is left open is open: it is legal if some completion is.

    Parameters
    ----------
    question : Question
        The ruleset, the position, what is declared.
    claim : Claim, optional
        The payment, where one is given.
    limits : Limits
        What it may cost.

    Returns
    -------
    Verdict
        Legal, illegal with reasons, or undetermined with the readings that differ.

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
    >>> lawful.check(lawful.question("fab", cost="1r", hand="red")).status
    'legal'
    """
    clock = Clock(limits.seconds)
    try:
        return as_far_as_read(_in_time(question, claim, limits, clock), question, "check")
    except LimitReached as limit:  # its parts had what was left, and tell that
        if limit.limit != "seconds":
            raise
        raise clock.reached(limit.where or "whether it is legal") from None


def _in_time(question: Question, claim: Claim | None, limits: Limits, clock: Clock) -> Verdict:
    """Answer under each reading of what the rules leave open, all of them by one clock."""
    from lawful.api import open_points

    def under(asked: Question, *, full: bool) -> Verdict:
        clock.check("readings of the rules")
        return _under(asked, claim, clock.limits(limits), full=full)

    verdict = base = under(question, full=True)
    assumed: dict[str, str] = {}
    for point, others in open_points(question, lambda path: _touches(question, path.split("."))):
        assumed[point.id] = question.ruleset.readings.get(point.id, point.default)
        verdicts = {assumed[point.id]: base}
        for name, asked in others:
            verdicts[name] = under(asked, full=False)
            if verdicts[name].status == "illegal" != base.status:  # where it decides, it is told why
                verdicts[name] = under(asked, full=True)
        if len({(v.status, v.count) for v in verdicts.values()}) > 1:
            readings = {f"{point.id}: {name}": replace(v, readings=FrozenMap()) for name, v in verdicts.items()}
            verdict = replace(verdict, readings=FrozenMap({**verdict.readings, **readings}))
        if len({v.status for v in verdicts.values()}) > 1:
            verdict = replace(verdict, status="undetermined")
    return replace(verdict, assumed=FrozenMap(assumed))


def _under(question: Question, claim: Claim | None, limits: Limits, *, full: bool) -> Verdict:
    """Answer under the ruleset as it stands; where it does not say which requirements bind, under every reading."""
    from lawful.playing import Referee
    from lawful.readings import together
    from lawful.solver.check import readings_of

    readings = readings_of(question, limits, Referee(limits))
    if len(readings) < 2:
        return _one(question, claim, limits, readings[0] if readings else None, full=full)
    found = {_obeying(keys): _one(question, claim, limits, keys, full=full) for keys in readings}
    return together(found, lambda declared: _is_legal(replace(question, declaration=declared), limits))


def _obeying(keys: Keys) -> str:
    return "obeying " + (", ".join(sorted({thing or norm.partition("/")[0] for norm, thing in keys})) or "none")


def _one(question: Question, claim: Claim | None, limits: Limits, oblige: Keys | None, *, full: bool) -> Verdict:
    from lawful.playing import Referee
    from lawful.solver.check import Checker

    refuse_totals(question)
    if question.declaration.kind != "declare" and not question.declaration.resolving:
        refuse_unplayed(question)
    checker = Checker(question, limits, frozenset(), oblige, Referee(limits))
    found = checker.verdict()
    if claim is not None:
        return _claimed(checker, claim, full=full)
    if found.legal:
        assert found.witness is not None
        assert found.payment is not None
        replay = _confirm(question, found.witness, found.payment, oblige)
        return Verdict(
            "legal", found.count, True, (), _offers(checker) if full else FrozenMap(),
            found.witness, found.payment, replay, obeyed=obeyed(checker), engine=_engine(checker),
        )  # fmt: skip
    return _illegal(checker, found.count, full=full)


def _illegal(checker: Checker, count: int | None, *, full: bool) -> Verdict:
    from lawful.solver.nearest import nearest
    from lawful.solver.repair import repairs

    if not full:
        return Verdict("illegal", count)
    grounds = checker.grounds
    reasons = grounds.all()
    if not reasons:
        raise Disagreement("nothing is legal, yet nothing forbids it", checker.question)
    _agree(checker, grounds.broken())
    pays = not grounds.barred or grounds.lacking
    mended = repairs(checker.question, checker.left, checker.oblige, checker.player)
    near = nearest(checker.question, reasons, lambda asked: _is_legal(asked, checker.left), pays=pays)
    return Verdict(
        "illegal", count, grounds.complete, reasons, _offers(checker),
        repairs=mended.found, repairs_complete=mended.complete, shortfalls=near.shortfalls,
        near_complete=near.complete, obeyed=obeyed(checker), engine=_engine(checker),
    )  # fmt: skip


def _engine(checker: Checker) -> Literal["models", "played"]:
    return "played" if checker.played else "models"


def _is_legal(question: Question, limits: Limits) -> bool:
    """Say whether a declaration is legal, in all readings."""
    from lawful.playing import Referee
    from lawful.solver.check import Checker, readings_of

    player = Referee(limits)
    readings = readings_of(question, limits, player) or (None,)
    for prove in (False, True):  # what counting finds legal is asked of CP-SAT too
        for oblige in readings:
            checker = Checker(question, limits, frozenset(), oblige, player, prove)
            if not (checker.verdict().legal if prove else checker.count()):
                return False
    return True


def obeyed(checker: Checker) -> tuple[Obeyed, ...]:
    """Return how many requirements can be obeyed together, where the rules ask for as many as can be."""
    if checker.question.ruleset.norming.must != "most":
        return ()
    return tuple(
        Obeyed(bound.scene.modes, bound.scene.x, bound.proved, len(bound.scene.demands))
        for bound in checker.bounds
        if bound.proved is not None
    )


def _offers(checker: Checker) -> FrozenMap[str, Offer]:
    return FrozenMap({name: Offer(slot.legal, slot.refused) for name, slot in checker.slots().items()})


def _claimed(checker: Checker, claim: Claim, *, full: bool) -> Verdict:
    """Judge a declaration with its payment: the choice by itself, and the payment step by step."""
    from lawful.api import judge
    from lawful.playing import Referee
    from lawful.solver.encode.declaring import paying
    from lawful.solver.grounds import ranked
    from lawful.solver.mending import repaired
    from lawful.solver.repair import Repairs

    question, grounds = checker.question, checker.grounds
    judgement = judge(replace(paying(question), ignore_unread=True), claim, checker.left)  # said of all of it
    reasons = [*grounds.family_said(), *judgement.reasons]
    marks = {id for found in checker.marks.values() for id in found if isinstance(id, str)}
    used = {step.thing for step in claim.steps if isinstance(step, Use)}
    chosen = {id for ids in question.declaration.targets.values() for id in ids}
    if marks & used & chosen:
        reasons.append((grounds.spending(tuple(sorted(marks & used & chosen))),))
    status: Status = "illegal" if reasons else judgement.status
    offers = _offers(checker) if full else FrozenMap[str, Offer]()
    mended = Repairs(())
    if full and status == "illegal":
        mended = repaired(question, claim, checker.left, checker.oblige, Referee(checker.left))
    return Verdict(
        status, checker.count(), grounds.complete, ranked(reasons), offers, replay=judgement.replay,
        repairs=mended.found, repairs_complete=mended.complete, engine=_engine(checker),
    )  # fmt: skip


def _confirm(question: Question, witness: Declaration, payment: Payment, oblige: Keys | None) -> Replay | None:
    """Let the referee judge a completion and replay its payment."""
    from lawful.model import referee
    from lawful.model.priced import to_pay, x_to_pay

    settled = replace(question, declaration=witness)
    try:
        broken = referee.breaks(settled, oblige)
    except LimitReached:  # too many choices to try one by one: the number of requirements is CP-SAT's
        broken = ()
    broken += referee.misspent(settled, payment)
    if broken:
        raise Disagreement(f"the referee: {', '.join(b.role for b in broken)}; the solver: legal", settled)
    if witness.resolving:
        return None
    asked = to_pay(settled)
    asked = replace(asked, declaration=replace(asked.declaration, x=x_to_pay(settled)))
    replay = referee.replay(asked, payment)
    if not replay.complete:
        what = replay.broken.role if replay.broken is not None else "not all is paid"
        raise Disagreement(f"the referee: {what}; the solver: paid", settled)
    return replay


def _agree(checker: Checker, found: frozenset[tuple[str, tuple[str, ...], str, str]] | None) -> None:
    """Compare what forbids a complete choice with what the referee says that it breaks."""
    from lawful.model import referee

    declaration = checker.question.declaration
    complete = len(checker.scenes) == 1 and set(declaration.targets) >= set(checker.slot_names())
    if found is None or not complete:
        return
    scene = checker.scenes[0]
    settled = replace(checker.question, declaration=replace(declaration, modes=scene.modes, x=scene.x))
    try:
        broken = {instance(because) for because in referee.breaks(settled, checker.oblige)}
    except LimitReached:
        return
    if broken != found:
        roles = sorted({role for role, *_ in broken}), sorted({role for role, *_ in found})
        raise Disagreement(f"the referee: {roles[0]}; the solver: {roles[1]}", settled)


def _touches(question: Question, path: list[str]) -> bool:
    """Tell whether a parameter of the rules can matter to a question."""
    from lawful.model.effect import Norm, Static
    from lawful.model.priced import x_in_cost
    from lawful.model.slots import acts, refers, text_of
    from lawful.solver.encode.declaring import paying
    from lawful.solver.touches import Touched

    position, text = question.position, text_of(question)
    if path[0] == "norming":
        cards = [position.card(thing) for thing in position.things]
        norms = [a.effect for card in cards for a in card.abilities if isinstance(a, Static)]
        laid = [effect.modifier for effect in position.lasting]
        return any(isinstance(norm, Norm) for norm in (*norms, *laid, *question.ruleset.norms))
    if path == ["choosing", "outside"]:
        play = [zone.name for zone in question.ruleset.zones if zone.play]
        used = question.declaration.thing if question.declaration.kind == "activate" else None
        return used is not None and position.thing(used).zone not in play
    if path == ["choosing", "unmet"]:
        return any(act.when is not None for act, _ in acts(text))
    if path[0] == "choosing":
        return text != type(text)()
    if path[0] == "targets_change":
        return Touched(question).by("targets_change")
    if path[0] == "x":
        return x_in_cost(question) or "x" in refers((text.do, text.modes))
    return Touched(paying(question)).by(".".join(path))
