"""A counterexample is the smallest: every smaller position of the same cards was tried, and shows nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from faults import written

from lawful.model.declaration import Question
from lawful.model.frozen import FrozenMap
from lawful.model.rulesets import load_ruleset
from lawful.solver.stress.asking import can_pay
from lawful.solver.stress.hands import State, at, smallest
from lawful.solver.stress.looking import look
from lawful.solver.stress.meeting import Meeting
from lawful.solver.stress.weighing import ample, floating


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


@pytest.mark.parametrize(("most", "outcome"), [(1, "clean"), (2, "clean"), (3, "finding")])
def test_a_chi_cost_of_three_keeps_the_promise_of_two(most: int, outcome: str, tmp_path: Path) -> None:
    """Floating chi need not be told from resource up to 2: with 3 it can be: 3 resource pay no chi."""
    from lawful.model.stress import Invariant

    rules = load_ruleset("fab")
    card = written({"A": {"types": ["Instant"], "cost": "3c1r"}}, "fab", tmp_path)["A"]
    meeting = Meeting(rules, (card,), tuple(rules.cards))
    looked = look("invariant", meeting, (Invariant("chi", "exchange", "c", "r", most),))
    assert looked.outcome == outcome
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


@pytest.mark.parametrize(("cost", "splits"), [("2r", False), ("1r1h", True)])
def test_readings_that_make_the_same_model_are_paid_in_the_same_states(cost: str, splits: bool, tmp_path: Path) -> None:
    """Whether the last life may be paid (U1) is no matter of a cost without life; no same model is split."""
    from lawful.model.rulesets import under
    from lawful.solver.stress.asking import LIMITS, Using
    from lawful.solver.stress.hands import same_model

    rules = load_ruleset("fab")
    point = next(point for point in rules.left_open if point.id == "U1")
    card = written({"A": {"types": ["Instant"], "cost": cost}}, "fab", tmp_path)["A"]
    meeting = Meeting(rules, (card,), tuple(c for c in rules.cards if c.name in ("red", "Inner Chi")))
    one = ample(Using(card), meeting)
    assert one is not None
    for reading in point.readings:
        other = replace(one, ruleset=under(rules, "U1", reading.name))
        states = [smallest(asked, floating(asked), LIMITS)[0] for asked in (one, other)]
        split = [s for found in states for s in found if can_pay(at(one, s)) != can_pay(at(other, s))]
        assumed = reading.name == rules.readings.get("U1", point.default)
        assert bool(split) is (splits and not assumed)
        same = same_model(one, other, LIMITS)
        assert same if assumed else not (same and split)
