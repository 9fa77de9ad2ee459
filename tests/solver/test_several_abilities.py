"""A card that uses an ability as it is played, and has several of them: which one it is, is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

import lawful
from lawful.model.casefile import read_cases
from lawful.model.errors import BadInput

CASE = """
case: one of two
ruleset: marvel-champions
cards:
  Boss: {{types: [villain], life: 9}}
  Plot: {{types: [side_scheme]}}
  Twofold:
    types: [event]
    cost: 1
    abilities:
      - activate:
          name: Strike
          cost: []
          when: {{form: hero}}
          do: [{{deal: damage, of: {{type: villain, zone: play, how: choose}}, n: 2}}]
      - activate:
          name: Plan
          cost: [1e]
          when: {{form: alter-ego}}
          do: [{{remove: threat, of: {{type: side_scheme, zone: play, how: choose}}, n: 1}}]
given:
  players:
    Ann: {{facts: {{form: {form}}}, hand: [Twofold, {hand}]}}
    Foe: {{play: [Boss, {{card: Plot, counters: {{threat: 2}}}}]}}
when: {{player: Ann, play: Twofold{more}}}
"""


def asked(form: str, ability: str | None, hand: str = "e, e") -> lawful.Question:
    more = "" if ability is None else f", ability: {ability}"
    (case,) = read_cases(CASE.format(form=form, hand=hand, more=more))
    return case.question


@pytest.mark.parametrize(
    ("form", "ability", "verdict"),
    [
        ("hero", "Strike", "legal"),
        ("alter-ego", "Strike", "illegal"),
        ("hero", "Plan", "illegal"),
        ("alter-ego", "Plan", "legal"),
    ],
)
def test_the_ability_that_is_named_is_the_one_that_is_used(form: str, ability: str, verdict: str) -> None:
    question = asked(form, ability)
    assert lawful.check(question).status == verdict
    assert lawful.pay(question).status == verdict


def test_its_own_cost_is_due() -> None:
    assert lawful.pay(asked("hero", "Strike", "e")).status == "legal"
    assert lawful.pay(asked("alter-ego", "Plan", "e")).status == "illegal"
    assert next(iter(lawful.check(asked("hero", "Strike", "e")).offers.values())).legal == ("Boss",)
    assert next(iter(lawful.check(asked("alter-ego", "Plan")).offers.values())).legal == ("Plot",)


def test_without_a_name_nobody_knows_which() -> None:
    with pytest.raises(BadInput, match="several abilities") as fault:
        asked("hero", None)
    assert "Strike or Plan" in str(fault.value)
    with pytest.raises(BadInput, match="Strike"):
        asked("hero", "Strik")
    named = asked("hero", "Strike")
    nameless = replace(named, declaration=replace(named.declaration, ability=None))
    for ask in (lawful.pay, lawful.check):
        with pytest.raises(BadInput, match="several abilities"):
            ask(nameless)
