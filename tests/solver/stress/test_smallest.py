"""A counterexample is the smallest: every smaller position of the same cards was tried, and shows nothing."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from faults import FAULTS, written

from lawful.model.declaration import OrderQuestion, Question
from lawful.model.frozen import FrozenMap
from lawful.model.rulesets import load_ruleset
from lawful.model.stress import Finding
from lawful.solver.stress import effects
from lawful.solver.stress.asking import can_declare, can_pay
from lawful.solver.stress.hands import State, at, smallest
from lawful.solver.stress.looking import look
from lawful.solver.stress.meeting import Meeting
from lawful.solver.stress.smallest import kept_ids, size_of
from lawful.solver.stress.weighing import ample, floating
from lawful.stressing.plan import Plan
from lawful.stressing.pool import Entry, Pool

SHOWS: dict[str, Callable[[Question | OrderQuestion], bool]] = {
    "circle": lambda q: bool(effects.bad_knots(q)),  # type: ignore[arg-type]
    "unordered": lambda q: effects.shows("unordered", q),  # type: ignore[arg-type]
    "endless": lambda q: effects.shows("endless", q),  # type: ignore[arg-type]
    "deadlock": lambda q: not can_declare(q) and can_declare(q, frozenset({"must"})),  # type: ignore[arg-type]
}


def found(check: str, seed: int, folder: Path) -> tuple[Meeting, Finding]:
    """Return the finding of a seeded fault, as the solver tells it."""
    seeded = FAULTS[check](random.Random(seed))
    cards = written(seeded.cards, seeded.game, folder)
    pool = Pool(load_ruleset(seeded.game), {name: Entry(card) for name, card in cards.items()})
    plan = Plan(pool, seeded.group, (check,), seeded.promises, len(seeded.group))
    for job in plan.jobs():
        if job.task is not None and set(job.names) == set(seeded.group):
            setting = plan.setting
            meeting = Meeting(
                pool.ruleset, job.task.cards, setting.sources, job.task.objects, setting.readings, setting.gained
            )  # fmt: skip
            looked = look(check, meeting, seeded.promises)
            if looked.findings:
                return meeting, looked.findings[0]
    raise AssertionError("nothing was found")


def smaller(asked: Question | OrderQuestion) -> Iterator[Question | OrderQuestion]:
    """Yield every position with fewer objects or fewer counters, of the same objects."""
    position = asked.position
    keep = kept_ids(asked)
    for there in product((True, False), repeat=len(position.things)):
        things = tuple(t for t, stays in zip(position.things, there, strict=True) if stays)
        if len(things) < len(position.things) and keep <= {t.id for t in things}:
            yield replace(asked, position=replace(position, things=things))


@pytest.mark.parametrize("check", sorted(SHOWS))
@pytest.mark.parametrize("seed", [0, 3])
def test_no_smaller_position_shows_it(check: str, seed: int, tmp_path: Path) -> None:
    _, finding = found(check, seed, tmp_path)
    names = set(finding.cards)
    assert SHOWS[check](finding.witness)
    assert size_of(finding.witness, len(names)) == finding.size
    for less in smaller(finding.witness):
        if names <= {thing.card for thing in less.position.things}:
            assert not SHOWS[check](less)


def every_state(asked: Question, most: int) -> Iterator[State]:
    """Yield every hand and pool up to a bound."""
    cards = sorted({t.card for t in asked.position.things if t.zone == "hand" and t.id != asked.declaration.thing})
    assets = floating(asked)
    for hand in product(range(most + 1), repeat=len(cards)):
        for pool in product(range(most + 1), repeat=len(assets)):
            if sum(hand) + sum(pool) <= most:
                yield State(
                    FrozenMap({c: n for c, n in zip(cards, hand, strict=True) if n}),
                    FrozenMap({a: n for a, n in zip(assets, pool, strict=True) if n}),
                )


@pytest.mark.parametrize("cost", ["2r", "1c1r", "1r1h", "3r"])
def test_the_smallest_states_are_those_that_brute_force_finds(cost: str, tmp_path: Path) -> None:
    rules = load_ruleset("fab")
    card = written({"A": {"types": ["Instant"], "cost": cost}}, "fab", tmp_path)["A"]
    sources = tuple(c for c in rules.cards if c.name in ("red", "yellow", "Inner Chi"))
    from lawful.solver.stress.asking import LIMITS, Using

    meeting = Meeting(rules, (card,), sources)
    asked = ample(Using(card), meeting)
    assert asked is not None
    states, whole = smallest(asked, floating(asked), LIMITS)
    assert whole
    payable = [state for state in every_state(asked, 3) if can_pay(at(asked, state))]
    least = {s for s in payable if not any(s.covers(o) and s != o for o in payable)}
    assert {s for s in states if s.total <= 3} == least
    for state in payable:
        assert any(state.covers(one) for one in states)


def test_a_broken_promise_is_shown_by_the_fewest_cards_and_points(tmp_path: Path) -> None:
    """Two floating chi pay what two resource points cannot; no smaller state tells them apart."""
    from lawful.model.stress import Invariant
    from lawful.solver.stress.asking import Using

    rules = load_ruleset("fab")
    card = written({"A": {"types": ["Instant"], "cost": "2c"}}, "fab", tmp_path)["A"]
    sources = tuple(c for c in rules.cards if c.name in ("red", "Inner Chi"))
    meeting = Meeting(rules, (card,), sources)
    looked = look("invariant", meeting, (Invariant("chi", "exchange", "c", "r", 2),))
    (finding,) = looked.findings
    assert looked.bound.saturated
    pool = finding.witness.position.players[0].pool
    assert (pool["c"], pool["r"], len(finding.witness.position.things)) == (2, 0, 1)
    asked = ample(Using(card), meeting)
    assert asked is not None
    for state in every_state(asked, 1):
        c, r = state.floating.get("c", 0), state.floating.get("r", 0)
        other = State(state.used, FrozenMap({**state.floating, "c": 0, "r": c + r}))
        assert can_pay(at(asked, state)) == can_pay(at(asked, other))


def test_a_chi_cost_of_three_keeps_the_promise(tmp_path: Path) -> None:
    from lawful.model.stress import Invariant

    rules = load_ruleset("fab")
    card = written({"A": {"types": ["Instant"], "cost": "3c1r"}}, "fab", tmp_path)["A"]
    meeting = Meeting(rules, (card,), tuple(rules.cards))
    looked = look("invariant", meeting, (Invariant("chi", "exchange", "c", "r", 2),))
    assert looked.outcome == "clean"
    assert looked.bound.saturated


def test_where_a_text_counts_the_hand_states_are_not_compared(tmp_path: Path) -> None:
    from lawful.model.stress import Invariant

    rules = load_ruleset("fab")
    one = {"count": {"zone": "hand", "owner": "$controller"}, "eq": 1}
    ability = {"activate": {"cost": ["1r"], "do": [{"draw": 1}], "when": one}}
    card = written({"A": {"types": ["Item"], "abilities": [ability]}}, "fab", tmp_path)["A"]
    meeting = Meeting(rules, (card,), tuple(rules.cards))
    looked = look("invariant", meeting, (Invariant("chi", "exchange", "c", "r", 2),))
    assert looked.outcome == "not checked"
