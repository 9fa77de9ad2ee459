"""Wordings that had lost a word of theirs, or were done where they only seem to be: on cards made up for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lawful.cards import open_library
from lawful.cards.clauses import ReadClause
from lawful.cards.skeleton import skeleton
from lawful.model.casefile import read_cases
from lawful.model.errors import LimitReached
from lawful.model.rulesets import load_ruleset
from lawful.results import order


def chess(text: str, folder: Path, name: str = "Rook") -> list[ReadClause]:
    path = folder / "cards.yaml"
    path.write_text(
        f"- {{name: '{name}', types: 'Action, Attack', cost: 1, text: {json.dumps(text)}}}\n"
        "- {name: Ember, types: 'Token, Aura', text: '**Suspense**', Card Keywords: 'Suspense, Opt, Ward, Go again'}\n"
        "- {name: Ally, types: 'Ally, Equipment, Base, Arms, Hero, Weapon, Item, Ice, Earth', text: ''}\n",
        encoding="utf8",
    )
    there = open_library(path, load_ruleset("flesh-and-blood"))
    return [read for read in there.clauses(there.record(name))[0] if not read.clause.phrase]


def bakery(text: str, folder: Path) -> list[ReadClause]:
    card = {"name": "Bread", "code": "9", "type_code": "support", "cost": 1, "traits": "Oven. Cake.", "text": text}
    (folder / "9.json").write_text(json.dumps([card]), encoding="utf8")
    there = open_library(folder, load_ruleset("marvel-champions"))
    return list(there.clauses(there.record("Bread"))[0])


HAND = {"zone": "hand", "owner": "$controller", "how": "choose", "n": "1"}

PLAYED: list[tuple[str, Any]] = [
    ("When this hits, discard a card.", [{"discard": HAND}]),
    ("When this hits, turn a card in your arsenal face-up.",
     [{"turn_up": {**HAND, "zone": "arsenal", "face": "down"}}]),
    ("When this hits a hero, they discard a card.",
     [{"discard": {"zone": "hand", "owner": "$opponent", "by": "$opponent"}}]),
    ("When this hits, destroy an aura permanent you control.",
     [{"destroy": {"type": ["Aura"], "zone": ["arena"], "controller": "$controller", "how": "choose", "n": "1"}}]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "doing"), PLAYED)
def test_what_is_done_says_to_what(text: str, doing: object, tmp_path: Path) -> None:
    (read,) = chess(text, tmp_path)
    assert read.played
    assert read.meaning["do"] == doing


UNPLAYED = [
    "When this hits, remove all steam counters from target item you control.",  # one is what no number means
    "When this hits, you may destroy Rook. If you do, the attack gets +1{p}.",  # not what was destroyed
    "When this attacks, Rook gets +1{p} and opt.",  # nothing has it: it is done
    "When this hits, destroy the top card of your deck.",  # the rules take nothing from there by that verb
    "When this hits, draw a card. You lose the game.",
    "Each hero draws a card.",
    "When this hits, equip an Ember token.",
    "When this hits, look at the defending hero's hand and choose a card.",
]


@pytest.mark.parametrize("text", UNPLAYED)
def test_what_no_term_says_is_not_played(text: str, tmp_path: Path) -> None:
    assert not chess(text, tmp_path)[-1].played


SKELETONS: list[tuple[str, set[str], set[str]]] = [
    ("This gets +1{p} or go again.", set(), {"power", "Go again"}),
    ("If you do, this gets +X{p}, where X is the number of steam counters on this.", {"counters:steam"}, {"power"}),
    ("If you've pitched, played, and defended with an Ice card this turn, opt 1.",
     {f"fact:{done} Ice card this turn" for done in ("pitched", "played", "defended with")}, {"Opt"}),
    ("When this is played or put into your graveyard, opt 1.", {"zone:graveyard"}, {"Opt"}),
    ("If you have base arms equipped, transform it into this, then equip this.",
     {"type:Base", "type:Arms", "status:equipped"}, {"transform", "equip"}),
    ("Choose 1 or both;", set(), {"choose"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "reads", "writes"), SKELETONS)
def test_skeletons_lose_nothing(text: str, reads: set[str], writes: set[str], tmp_path: Path) -> None:
    of = skeleton(chess(text, tmp_path)[-1].meaning)
    assert (set(of.reads), set(of.writes)) == (reads, writes)


def test_a_number_is_no_name_of_the_card(tmp_path: Path) -> None:
    (read,) = chess("Ward 10", tmp_path, "10,000 Rooks")
    assert read.clause.text == "Ward 10"


BEHIND = [
    "<b>Forced Response</b>: After Bread attacks, draw 1 card. Discard Bread.",
    "<b>When Revealed</b>: Draw 1 card. Draw 1 card.",
    "<b>When Revealed</b>: You are stunned. If you were already stunned, take 1 damage.",
]


@pytest.mark.parametrize("text", BEHIND)
def test_what_stands_behind_an_event_is_not_done_by_itself(text: str, tmp_path: Path) -> None:
    assert not bakery(text, tmp_path)[-1].played


def test_what_is_part_of_an_ability_is_done(tmp_path: Path) -> None:
    """One that is used is no event: both of its sentences are what it does."""
    read = bakery("<b>Action</b>: Draw 1 card. Draw 1 card.", tmp_path)
    assert read[-1].played


def test_bonuses_of_you_are_of_your_identity(tmp_path: Path) -> None:
    (read,) = bakery("You get +2 hit points.", tmp_path)
    assert read.played
    assert read.meaning["of"] == {"any": [{"type": "hero"}, {"type": "alter_ego"}], "controller": "$controller"}


def test_one_of_two_traits_is_had_by_a_character(tmp_path: Path) -> None:
    read = bakery("<b>Action</b>: Heal 1 damage from an [[Oven]] or [[Cake]] character.", tmp_path)
    (choice,) = [one.meaning for one in read if one.clause.kind == "target phrase"] or [read[-1].meaning["do"][0]["of"]]
    assert {"type": ["Oven", "ally"]} in choice["any"]
    assert {"type": "ally"} not in choice["any"]


EACH = """\
case: each draws
ruleset: flesh-and-blood
cards:
  Ann's Hero: {{types: [Hero]}}
  Ben's Hero: {{types: [Hero]}}
  Plain: {{types: [Action]}}
given:
  turn: Ann
  players: {{Ann: {{arena: [Ann's Hero], deck: [Plain]}}, Ben: {{arena: [Ben's Hero], deck: [Plain]}}}}
when: {{player: Ann, do: [{act}]}}
then: {{outcomes: []}}
"""


@pytest.mark.parametrize(
    "act", ["{draw: 1, of: {type: Hero, how: each}}", "{gain: {h: 1}, of: {type: Hero, how: each}}"]
)
def test_what_is_done_to_players_who_are_picked_by_their_heroes_is_refused(act: str) -> None:
    """It was done to the controller of the text, or to a player called as the hero is: no answer is better."""
    (case,) = read_cases(EACH.format(act=act), file="each.case.yaml")
    with pytest.raises(LimitReached, match="choices of players"):
        order(case)
