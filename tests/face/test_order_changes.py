"""What came out says all in which outcomes differ: relations, statuses, effects that were laid or have ended."""

from __future__ import annotations

import random

import odd_worlds
import pytest
from loop_worlds import text
from order_worlds import ask

import lawful
from lawful.model.errors import LimitReached
from lawful.orderdoc import changes, order_document
from lawful.ordertext import order_lines
from lawful.solver.order.answer import ordered

CARDS = """
cards:
  Chain: {types: [attachment]}
  Hero: {types: [hero], hit_points: 10}
  Imp: {types: [minion], hit_points: 3}
"""
THERE = "{card: Imp, id: Imp A}, {card: Imp, id: Imp B}"
HELD = f"Hero, {{card: Chain, relations: {{attached: Hero}}}}, {THERE}"


def _asked(do: str, play: str = HELD, more: str = "") -> lawful.OrderQuestion:
    return ask(
        f"case: relations\nruleset: marvel-champions{CARDS}"
        f"given: {{players: {{Ann: {{play: [{play}]}}, Bob: {{}}}}, turn: Ann{more}}}\nwhen: {{do: [{do}]}}\n"
    )


def _states(asked: lawful.OrderQuestion) -> list[dict[str, object]]:
    return [one["state"] for one in order_document(asked, lawful.order(asked))["outcomes"]]


def test_outcomes_that_differ_in_a_relation_say_so() -> None:
    asked = _asked("{choose: {type: minion, how: choose}, as: m}, {put: {name: Chain}, to: attached, of: $m}")
    assert sorted(map(str, _states(asked))) == ["{'Chain.attached': 'Imp A'}", "{'Chain.attached': 'Imp B'}"]
    shown = "\n".join(order_lines(asked, lawful.order(asked)))
    assert "1. Chain.attached Imp" in shown
    assert "nothing changes" not in shown


def test_a_relation_that_ends_is_none() -> None:
    asked = _asked("{move: {type: hero}, to: discard}")
    assert _states(asked) == [{"Hero.zone": "discard", "Chain.attached": "none"}]


def test_what_stays_attached_has_not_changed() -> None:
    asked = _asked("{put: {name: Chain}, to: attached, of: {name: Hero}}")
    assert all("Chain.attached" not in state for state in _states(asked))


def test_a_status_that_is_gone_is_false() -> None:
    asked = _asked("{ready: {type: hero}}", "{card: Hero, status: exhausted}")
    assert _states(asked) == [{"Hero.status.exhausted": "false"}]


def test_a_norm_that_was_laid_is_told_with_its_object() -> None:
    lay = "{choose: {type: minion, how: choose}, as: m}, {lay: {cannot: {attack: $on}}, of: $m, until: round}"
    found = sorted(str(v) for state in _states(_asked(lay)) for v in state.values())
    assert found == [f"cannot: attack, on Imp {which}, until round" for which in "AB"]


def test_a_norm_that_has_ended_is_over() -> None:
    given = ", lasting: [{id: daze, controller: Ann, on: Imp A, until: round, cannot: {attack: $on}}]"
    assert _states(_asked("{end: round}", more=given)) == [{"daze": "over"}]
    assert _states(_asked("{end: phase}", more=given)) == [{}]


def test_an_effect_that_a_number_shows_is_not_told_twice() -> None:
    asked = _asked("{lay: {modify: hit_points, stage: change, add: 2}, of: {type: hero}, until: round}")
    assert _states(asked) == [{"Hero.hit_points": 12}]


@pytest.mark.parametrize(("lang", "words"), [("es", "hasta round"), ("ru", "до round")])
def test_it_is_said_in_every_language(lang: str, words: str) -> None:
    asked = _asked("{lay: {cannot: {attack: $on}}, of: {type: hero}, until: round}")
    with lawful.speaking(lang):
        assert any(words in line for line in order_lines(asked, lawful.order(asked)))


def test_no_two_outcomes_look_alike() -> None:
    several = 0
    for seed in range(240):
        try:
            dice = random.Random(seed)
            asked = odd_worlds.question(dice, 5, 2) if seed % 3 else ask(text(dice))
            answer = ordered(asked, states=300)
        except LimitReached:
            continue
        shown = [str(sorted(changes(asked, one.position).items(), key=str)) for one in answer.outcomes]
        assert len(set(shown)) == len(shown), seed
        several += len(shown) > 1
    assert several > 15
