"""Abilities that a text gives while something holds are played as the card's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawful.cards import open_library
from lawful.cards.granting import NotSo, as_own
from lawful.model.effect import Trigger
from lawful.model.rulesets import load_ruleset

SAYS = 'If you\'ve charged this turn, Spark gains "If this hits, draw a card."'
SHEET = 'name;types;cost;text\nSpark;Action, Attack;1;"' + SAYS.replace('"', '""') + '"\n'
HITS = {"on": {"hits": "$self"}, "do": [{"bottom": "$self"}]}

YOURS = {"controller": "$controller"}


def test_an_ability_under_a_condition_is_one_that_has_it(tmp_path: Path) -> None:
    path = tmp_path / "cards.csv"
    path.write_text(SHEET, encoding="utf8")
    (ability,) = open_library(path, load_ruleset("flesh-and-blood")).find("Spark").abilities
    assert isinstance(ability, Trigger)
    assert (ability.on.event, ability.do[0].verb) == ("hits", "draw")
    assert ability.when is not None


def test_both_conditions_hold() -> None:
    once = {**HITS, "when": {"fact": "a", "is": "yes"}}
    (own,) = as_own([once], "$self", {"fact": "b", "is": "yes"})
    assert own["when"] == {"every": [{"fact": "b", "is": "yes"}, {"fact": "a", "is": "yes"}]}


def test_others_are_spoken_of_as_what_it_happens_to() -> None:
    (own,) = as_own([HITS], {"type": ["Attack"], "how": "each", **YOURS}, None)
    assert own == {"on": {"hits": {"subject": {"type": ["Attack"], **YOURS}}}, "do": [{"bottom": "$subject"}]}


def test_who_you_are_is_not_the_giver_where_others_control_it() -> None:
    with pytest.raises(NotSo):
        list(as_own([{**HITS, "do": [{"draw": "1"}]}], {"type": ["Attack"], "how": "each"}, None))


@pytest.mark.parametrize(
    "given",
    [
        {"activation": {"cost": "0"}, "do": []},
        {"on": {"hits": {"type": ["Hero"]}}, "do": [{"bottom": "$self"}]},
        {"on": {"hits": "$self"}, "do": [{"gain": {"r": "$self.power"}}]},
        {"do": [{"bottom": "$self"}]},
        "go again",
    ],
)
def test_what_nobody_else_can_say_is_not_said(given: object) -> None:
    with pytest.raises(NotSo):
        list(as_own([given], {"type": ["Attack"], **YOURS}, None))
