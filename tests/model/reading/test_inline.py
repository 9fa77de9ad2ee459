"""Questions from a few words, and what is wrong with them, under the name of the option."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.model.card import Card
from lawful.model.casefile import build_question
from lawful.model.cost import AssetTerm, CostAll
from lawful.model.errors import BadInput, UnknownName
from lawful.model.frozen import FrozenMap
from lawful.model.rulesets import load_ruleset

RULES = load_ruleset("fab")
OWN = {
    "Fire, walk": Card("Fire, walk", ("Action",), CostAll((AssetTerm("r", 1),)), FrozenMap({"r": 1})),
    "3 wishes": Card("3 wishes", ("Action",), yields=FrozenMap({"r": 1})),
}


class Library:
    """Finds one card."""

    def find(self, name: str) -> Card:
        if name.casefold() == "flat kick (red)":
            return Card("Flat Kick (red)", ("Action",), CostAll((AssetTerm("r", 2),)))
        raise UnknownName("card", name, ["Flat Kick (red)"])


def ids(**given: Any) -> list[str]:
    return [thing.id for thing in build_question(RULES, **{"cost": "0", **given}).position.things]


@pytest.mark.parametrize(
    ("hand", "wanted"),
    [
        ("Inner Chi, blue", ["Inner Chi", "blue"]),
        ("blue x3", ["blue", "blue #2", "blue #3"]),
        ("3 blue,red", ["blue", "blue #2", "blue #3", "red"]),
        ("BLUE,  blue x 2", ["blue", "blue #2", "blue #3"]),
        ('"Fire, walk", red', ["Fire, walk", "red"]),
        ("3 wishes", ["3 wishes"]),
        ("2 3 wishes", ["3 wishes", "3 wishes #2"]),
        ("", []),
        (["Fire, walk", "2x red"], ["Fire, walk", "red", "red #2"]),
    ],
)
def test_hands(hand: str | list[str], wanted: list[str]) -> None:
    assert ids(hand=hand, cards=OWN) == wanted


def test_everything_that_can_be_said() -> None:
    question = build_question(
        RULES, cost="Xr", hand="blue", float_="1c", in_play="red", x=2, options=("fuse",), types=["Action"],
        rules="reprise-20", player="Nic",
    )  # fmt: skip
    assert question.ruleset.version == "reprise-20"
    assert question.position.thing("red").zone == "arena"
    assert question.position.player("Nic").pool["c"] == 1
    declaration = question.declaration
    assert (declaration.player, declaration.x, declaration.options) == ("Nic", 2, ("fuse",))
    assert declaration.types == ("Action",)


def test_a_card_of_a_library_is_played() -> None:
    question = build_question(RULES, play="flat kick (RED)", hand="blue", cards=Library(), free=True)
    thing = question.position.thing("Flat Kick (red)")
    assert (thing.zone, question.declaration.thing, question.declaration.free) == ("hand", thing.id, True)


@pytest.mark.parametrize(
    ("given_", "says"),
    [
        ({"cost": "3q"}, "--cost:1:2: unknown asset 'q'"),
        ({"cost": "1000000000"}, "--cost:1:1: more than 1000000 points (limit: amount)"),
        ({"cost": "-1"}, "--cost:1:1: not a cost"),
        ({"hand": "Inner Chi, blu"}, "--hand:1:12: unknown card 'blu' (did you mean 'blue'?)"),
        ({"hand": "blue x10000"}, "--hand:1:1: more than 2000 objects (limit: objects)"),
        ({"hand": ",".join(["blue"] * 10_000)}, "limit: objects"),
        ({"hand": "blue," * 100_000}, "--hand:1:1: longer than"),
        ({"hand": '"blue'}, "--hand:1:1: not a list of names"),
        ({"hand": "blue,,red"}, "--hand:1:5: a name is missing"),
        ({"float_": "1q"}, "--float:1:2: unknown asset 'q'"),
        ({"float_": {"q": 1}}, "--float:1:1: unknown asset 'q'"),
        ({"float_": {"c": -1}}, "--float:1:1: c is from 0"),
        ({"in_play": "blu"}, "--in-play:1:1: unknown card 'blu'"),
        ({"x": -1}, "--x:1:1: X is from 0"),
        ({"x": 10**9}, "limit: amount"),
        ({"rules": "reprise-21"}, "--rules:1:1: unknown version 'reprise-21' (did you mean 'reprise-20'?)"),
        ({"play": "blu", "cost": None}, "--play:1:1: unknown card 'blu' (did you mean 'blue'?)"),
        ({"activate": "blue", "cost": None}, "--activate:1:1: 'blue' has no ability"),
        ({"cost": None}, "what is to be paid?"),
        ({"hand": "flat kik (red)", "cards": Library()}, "did you mean 'Flat Kick (red)'?"),
    ],
)
def test_faults(given_: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInput) as caught:
        ids(**given_)
    assert len(caught.value.faults) == 1, caught.value
    assert says in str(caught.value)


def test_all_faults_at_once() -> None:
    with pytest.raises(BadInput) as caught:
        ids(cost="1q", hand="blu, rd", float_="1z")
    assert [(f.file, f.column) for f in caught.value.faults] == [
        ("--cost", 2), ("--float", 2), ("--hand", 1), ("--hand", 6),
    ]  # fmt: skip


@given(st.text(max_size=20), st.text(max_size=30), st.text(max_size=10))
def test_any_words_give_a_question_or_faults(cost: str, hand: str, pool: str) -> None:
    files = {""}
    try:
        build_question(RULES, cost=cost, hand=hand, float_=pool)
    except BadInput as bad:
        files = {fault.file for fault in bad.faults}
    assert files == {""} or files <= {"--cost", "--hand", "--float"}
