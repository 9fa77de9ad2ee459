"""Checks of effects: circles without an answer, orders that nobody chooses, triggers without end, open readings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from lawful.model.declaration import OrderQuestion
from lawful.model.errors import LawfulError, LimitReached
from lawful.model.frozen import FrozenMap
from lawful.model.ordered import Knot, Ordered
from lawful.model.ruleset import Ruleset
from lawful.model.stress import Bound, Finding, Said, said
from lawful.model.verdict import Message
from lawful.solver.order.answer import face
from lawful.solver.order.board import Boards
from lawful.solver.order.graph import events_of
from lawful.solver.order.knots import knots
from lawful.solver.order.termination import certificate
from lawful.solver.stress.boards import KINDS, NotLinear, circling
from lawful.solver.stress.happening import MOST_TRIALS, STATES, answered, grouped, hearers, trials
from lawful.solver.stress.meeting import Meeting
from lawful.solver.stress.pumping import pumped
from lawful.solver.stress.smallest import shrunk, size_of
from lawful.solver.stress.terms import acts, modifiers


def bound(tried: int, saturated: bool) -> Bound:
    """Return how far was looked."""
    why = "stress.bound.proved" if saturated else "stress.bound.open"
    return Bound(FrozenMap({"positions": min(tried, MOST_TRIALS), "states": STATES}), saturated, why)


def try_all(meeting: Meeting) -> tuple[list[tuple[OrderQuestion, Ordered]], bool]:
    """Return what comes out of everything that is tried, and whether all of it could be answered."""
    found, whole = [], True
    for asked in trials(meeting):
        try:
            found.append((asked, answered(asked)))
        except LawfulError:
            whole = False
    return found, whole


def circles(meeting: Meeting) -> tuple[list[Finding], Bound]:
    """Return static effects that decide about each other without one answer."""
    if not _may_circle(meeting):
        return [], bound(0, True)
    found: dict[str, Finding] = {}
    try:
        boards = 0
        for base, about in grouped(meeting):
            for kind in KINDS:
                for asked in circling(meeting, base, about, kind):
                    boards += 1
                    if _circles_as(kind, meeting, asked):
                        found.setdefault(kind, _circle(meeting, _shrunk_circle(meeting, asked, kind), kind))
                        break
        return list(found.values()), Bound(FrozenMap({"boards": boards}), True, "stress.bound.boards")
    except NotLinear:
        return _circles_tried(meeting)


def _circles_tried(meeting: Meeting) -> tuple[list[Finding], Bound]:
    """Return circles on boards that are tried one by one, where amounts do not say it all."""
    found: dict[str, Finding] = {}
    tried = 0
    for asked in trials(meeting):
        tried += 1
        for kind in KINDS if not asked.events else ():
            if kind not in found and _circles_as(kind, meeting, asked):
                found[kind] = _circle(meeting, _shrunk_circle(meeting, asked, kind), kind)
    return list(found.values()), bound(tried, False)


def _circles_as(kind: str, meeting: Meeting, asked: OrderQuestion) -> bool:
    return _whole(asked, meeting) and any(knot.kind == kind for knot in bad_knots(asked))


def _shrunk_circle(meeting: Meeting, asked: OrderQuestion, kind: str) -> OrderQuestion:
    return shrunk(asked, partial(_circles_as, kind, meeting))


def _circle(meeting: Meeting, small: OrderQuestion, kind: str) -> Finding:
    there = [k for k in bad_knots(small) if k.kind == kind]
    says = Message(f"stress.circle.{kind}", Said({"members": there[0].members}))
    then = Said({"paradoxes" if kind == "paradox" else "ambiguities": len(there)})
    return Finding("circle", meeting.names, kind, says, small, then, size_of(small, len(meeting.cards)))


def findings_of(check: str, meeting: Meeting, small: OrderQuestion) -> tuple[Finding, ...]:
    """Return what a check finds in one position, made small already."""
    if check == "circle":
        return tuple(_circle(meeting, small, kind) for kind in dict.fromkeys(k.kind for k in bad_knots(small)))
    return (_finding(meeting, check, small, answered(small)),) if shows(check, small) else ()


def bad_knots(asked: OrderQuestion) -> list[Knot]:
    """Return circles of conditions without an answer, or with several of which the rules give none.

    Raises
    ------
    LimitReached
        If one was too large to be solved: nothing is known of it.
    """
    boards = Boards(asked.ruleset, asked.position)
    there = knots(boards, asked.position)
    if any(knot.kind == "unsolved" for knot in there):
        raise LimitReached("circle", 0, "the circle of conditions is too large")
    return [knot for knot in there if knot.kind == "paradox" or (knot.kind == "ambiguous" and not knot.agrees)]


def _may_circle(meeting: Meeting) -> bool:
    """Tell whether some condition reads what some static effect of the group writes."""
    from lawful.model.effect import Grant, Static

    grants = [
        a.effect for card in meeting.cards for a in card.abilities
        if isinstance(a, Static) and isinstance(a.effect, Grant)
    ]  # fmt: skip
    mods = [m for card in meeting.cards for m in modifiers(card) if not m.modify.startswith("cost.")]
    return bool(grants) or any(m.while_ is not None for m in mods)


def unordered(meeting: Meeting) -> tuple[list[Finding], Bound]:
    """Return orders that decide what comes out, and that nobody chooses."""
    return _from_trials(meeting, "unordered")


def endless(meeting: Meeting) -> tuple[list[Finding], Bound]:
    """Return triggers that set each other off for ever, and that nobody can end."""
    if not _may_loop(meeting):
        return [], bound(0, True)
    first = next(iter(trials(meeting)), None)
    if first is None or certificate(Boards(first.ruleset, first.position), first.position) is not None:
        return [], bound(0, True)
    return _from_trials(meeting, "endless")


def _may_loop(meeting: Meeting) -> bool:
    """Tell whether some ability of the group does what some ability of it, or the rules, hear."""
    heard = {ability.on.event for card in meeting.cards for ability in hearers(card)}
    done = {event for card in meeting.cards for act in acts(card) for event in events_of(act, meeting.ruleset)}
    done |= {event for act in meeting.ruleset.checks for event in events_of(act, meeting.ruleset)}
    return bool(heard & done)


def reworded(meeting: Meeting) -> tuple[list[Finding], Bound]:
    """Return what comes out otherwise under another reading of an open point."""
    points = [p for p in meeting.readings if any(_of_effects(path) for path in p[2])]
    found: dict[str, Finding] = {}
    tried, whole = try_all(meeting) if points else ([], True)
    for asked, answer in tried:
        for point, assumed, _, others in points:
            if point in found or not _whole(asked, meeting):
                continue
            for name, rules in others:
                if _differs(asked, answer, replace(asked, ruleset=rules)):

                    def shows(q: OrderQuestion, rules: Ruleset = rules) -> bool:
                        other = replace(q, ruleset=rules)
                        return _whole(q, meeting) and _differs(q, answered(q), other)

                    small = shrunk(asked, shows)
                    params = {"card": ", ".join(meeting.names), "point": point, "reading": assumed, "other": name}
                    then = _undetermined(small)
                    found[point] = Finding(
                        "wording", meeting.names, point, Message("stress.wording.effects", Said(params)), small,
                        then, size_of(small, len(meeting.cards)), ((replace(small, ruleset=rules), "other"),),
                    )  # fmt: skip
                    break
    if not found and points:
        _answered_whole(tried, whole)
    return list(found.values()), bound(len(tried), False) if points else bound(0, whole)


def _answered_whole(tried: Sequence[tuple[OrderQuestion, Ordered]], whole: bool) -> None:
    """Raise where nothing was found, and yet not everything that was tried was answered."""
    if not whole or any(not answer.complete for _, answer in tried):
        raise LimitReached("states", STATES, "what happens is too much to look at all of it")


def _undetermined(asked: OrderQuestion) -> Said:
    return Said({"count": len(answered(asked).outcomes)})


def _of_effects(path: str) -> bool:
    return path.partition(".")[0] in ("ordering", "at_once") or path == "x.unknown_in"


def _differs(asked: OrderQuestion, answer: Ordered, other: OrderQuestion) -> bool:
    if not answer.complete:
        return False
    after = answered(other)
    if not after.complete:
        raise LimitReached("states", STATES, "what happens is too much to look at all of it")
    return _faces(asked, answer) != _faces(other, after) or answer.status != after.status


def _faces(asked: OrderQuestion, answer: Ordered) -> frozenset[object]:
    boards = Boards(asked.ruleset, asked.position)
    return frozenset(face(outcome.position, boards) for outcome in answer.outcomes)


def _whole(asked: OrderQuestion, meeting: Meeting) -> bool:
    return {card.name for card in meeting.cards} <= {thing.card for thing in asked.position.things}


def _from_trials(meeting: Meeting, check: str) -> tuple[list[Finding], Bound]:
    tried, whole = try_all(meeting)
    for asked, _ in tried:
        if _whole(asked, meeting) and shows(check, asked):

            def still(q: OrderQuestion) -> bool:
                return _whole(q, meeting) and shows(check, q)

            small = shrunk(asked, still)
            return [_finding(meeting, check, small, answered(small))], bound(len(tried), False)
    _answered_whole(tried, whole)
    return [], bound(len(tried), False)


def shows(check: str, asked: OrderQuestion) -> bool:
    """Tell whether what happens has an order that nobody chooses, or no end."""
    answer = answered(asked)
    if check == "endless" and pumps(asked):
        return True
    if check == "unordered":
        return bool(answer.silences)
    return any(not loop.optional for loop in answer.loops)


def pumps(asked: OrderQuestion) -> bool:
    """Tell whether ever more waits, where the states were too many to look at them all."""
    return not answered(asked).complete and pumped(asked) is not None


def _finding(meeting: Meeting, check: str, small: OrderQuestion, answer: Ordered) -> Finding:
    size = size_of(small, len(meeting.cards))
    if check == "unordered":
        silence = answer.silences[0]
        about = silence.about.partition(".")[2]
        says = Message("stress.unordered", said(about=about, items=silence.items))
        then = said(
            verdict="undetermined", silences=tuple(sorted({s.about.partition(".")[2] for s in answer.silences}))
        )
        return Finding(check, meeting.names, about, says, small, then, size)
    forced = [loop for loop in answer.loops if not loop.optional]
    loop = forced[0] if forced else pumped(small)
    assert loop is not None
    says = Message("stress.endless", said(steps=loop.steps, grows=tuple(loop.grows)))
    then = Said({"loops": len(answer.loops)} if forced else {})
    return Finding(check, meeting.names, "loop", says, small, then, size)
