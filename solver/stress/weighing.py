"""Checks that weigh payments against each other: options that are never better, promises, open readings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from lawful.model.declaration import OrderQuestion, Question
from lawful.model.effect import Additional
from lawful.model.ruleset import Ruleset
from lawful.model.stress import Finding, Said
from lawful.model.verdict import Message, Value
from lawful.solver.encode.declaring import paying
from lawful.solver.encode.due import Plan, plans
from lawful.solver.stress.asking import LIMITS, Using, found_real, pays, questions, uses
from lawful.solver.stress.hands import State, at, monotone, same_model, smallest
from lawful.solver.stress.meeting import Meeting
from lawful.solver.stress.smallest import shrunk, size_of
from lawful.solver.touches import Touched


class Bounded(Exception):
    """A search ended at a bound: what was found holds, that nothing more is there does not."""


def floating(asked: Question) -> tuple[str, ...]:
    """Return the assets whose floating points are a variable."""
    return tuple(asset.id for asset in asked.ruleset.assets if asset.surplus == "floats")


def emptied(asked: Question) -> Question:
    """Return the question with nothing floating, so that all that floats is a variable."""
    position = asked.position
    player = position.player(asked.declaration.player)
    pool = player.pool
    for asset in floating(asked):
        pool = pool.put(asset, 0)
    return replace(asked, position=position.with_player(replace(player, pool=pool)))


def ample(using: Using, meeting: Meeting) -> Question | None:
    """Return the fullest position in which it can be paid, its pool emptied; None where there is none."""
    found, _ = found_real(questions(using, meeting), pays, meeting)
    return None if found is None else emptied(found)


def dominated(meeting: Meeting) -> Iterator[Finding]:
    """Yield options that are never better than another: whoever can pay them can pay the other, and keeps more."""
    for using in uses(meeting.cards[0], meeting):
        asked = ample(using, meeting)
        if asked is None:
            continue
        due = {plan.options: plan for plan in plans(paying(asked)) if not plan.broken}
        if len(due) > 1 and not monotone(asked):
            raise Bounded
        if len(due) < 2 or any(plan.has_x for plan in due.values()):
            continue
        optional = {a.name for a in using.card.abilities if isinstance(a, Additional) and a.optional}
        states: dict[tuple[str, ...], tuple[State, ...]] = {}
        for options in due:
            mine = replace(asked, declaration=replace(asked.declaration, options=options))
            states[options], whole = smallest(mine, floating(mine), LIMITS)
            if not whole:
                raise Bounded
        for worse in due:
            for better in due:
                same_extras = set(worse) & optional == set(better) & optional
                if worse != better and same_extras and _beats(due, states, better, worse):
                    yield _dominated(using, meeting, asked, worse, better, states)
                    break


def _beats(
    due: dict[tuple[str, ...], Plan],
    states: dict[tuple[str, ...], tuple[State, ...]],
    better: tuple[str, ...],
    worse: tuple[str, ...],
) -> bool:
    """Tell whether one option is payable wherever the other is, asks for no act more, and for less of something."""
    acts = [[e.act for e in due[options].effects] for options in (better, worse)]
    more = list(acts[1])
    for act in acts[0]:
        if act not in more:
            return False
        more.remove(act)
    if not states[worse]:
        return False
    if not all(any(state.covers(b) for b in states[better]) for state in states[worse]):
        return False
    amounts = [_amounts(due[options]) for options in (better, worse)]
    if any(n > amounts[1].get(asset, 0) for asset, n in amounts[0].items()):
        return False
    return bool(more) or amounts[0] != amounts[1]


def _amounts(plan: Plan) -> dict[str, int]:
    found = {asset: amount.base for asset, amount in plan.amounts.items()}
    for demand in plan.demands:
        found[demand.term.asset] = found.get(demand.term.asset, 0) + demand.amount.base
    return found


def _dominated(
    using: Using,
    meeting: Meeting,
    asked: Question,
    worse: tuple[str, ...],
    better: tuple[str, ...],
    states: dict[tuple[str, ...], tuple[State, ...]],
) -> Finding:
    state = states[worse][0]

    def both(q: Question) -> bool:
        return all(pays(replace(q, declaration=replace(q.declaration, options=o))) for o in (worse, better))

    small = shrunk(at(asked, state), both)
    declared = replace(small, declaration=replace(small.declaration, options=worse))
    called = [", ".join(options) or "the printed cost" for options in (worse, better)]
    says = Message(
        "stress.dominated",
        Said({"card": using.card.name, "what": using.name, "worse": called[0], "better": called[1]}),
    )
    then = Said({"verdict": "legal"})
    size = size_of(declared, len(meeting.cards))
    beside = ((replace(small, declaration=replace(small.declaration, options=better)), "payable"),)
    return Finding("dominated", meeting.names, f"{using.name}: {called[0]}", says, declared, then, size, beside)


def reworded(meeting: Meeting) -> Iterator[Finding]:
    """Yield payments whose verdict depends on an open reading: payable under one, not under the other."""
    for using in uses(meeting.cards[0], meeting):
        asked = ample(using, meeting)
        if asked is None:
            continue
        touched = Touched(paying(asked))
        for point, assumed, paths, others in meeting.readings:
            if not any(map(touched.by, paths)):
                continue
            for name, rules in others:
                found = _differs(asked, replace(asked, ruleset=rules))
                if found is None:
                    continue
                small, only = found
                small = shrunk(small, partial(_splits, meeting.ruleset, rules))
                params: dict[str, Value] = {
                    "card": using.card.name, "what": using.name, "point": point,
                    "reading": assumed if only else name, "other": name if only else assumed,
                }  # fmt: skip
                yield Finding(
                    "wording", meeting.names, f"{using.name}: {point}", Message("stress.wording", Said(params)),
                    replace(small, ruleset=meeting.ruleset), Said({"verdict": "undetermined"}),
                    size_of(small, len(meeting.cards)), _both(small, meeting, rules, pays(_under(small, meeting))),
                )  # fmt: skip
                break


def _splits(ours: Ruleset, theirs: Ruleset, asked: Question) -> bool:
    return pays(replace(asked, ruleset=ours)) != pays(replace(asked, ruleset=theirs))


def _under(asked: Question, meeting: Meeting) -> Question:
    return replace(asked, ruleset=meeting.ruleset)


def _both(
    small: Question, meeting: Meeting, rules: Ruleset, first: bool
) -> tuple[tuple[Question | OrderQuestion, str], ...]:
    """Return the question under both readings, with what comes of it."""
    ours, theirs = ("payable", "unpayable") if first else ("unpayable", "payable")
    return (replace(small, ruleset=meeting.ruleset), ours), (replace(small, ruleset=rules), theirs)


def _differs(one: Question, two: Question) -> tuple[Question, bool] | None:
    """Return the smallest state in which only one of two can be paid, and whether it is the first."""
    if same_model(one, two, LIMITS):
        return None
    best: tuple[Question, bool, int] | None = None
    whole = True
    for mine, other, first in ((one, two, True), (two, one, False)):
        states, all_ = smallest(mine, floating(mine), LIMITS)
        whole = whole and all_ and monotone(mine)
        for state in states:
            split = not pays(at(other, state)) and pays(at(mine, state))
            if split and (best is None or state.total < best[2]):
                best = at(mine, state), first, state.total
    if best is None:
        if not whole:
            raise Bounded
        return None
    return best[0], best[1]
