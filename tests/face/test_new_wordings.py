"""Wordings of newer cards, on cards made up for them: each was not read, or read as something else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lawful.cards import open_library
from lawful.cards.grammar import Grammar, NotRead
from lawful.cards.lexing import Lexicon
from lawful.cards.library import CardLibrary
from lawful.cards.skeleton import Skeleton, skeleton
from lawful.expectations import run
from lawful.model.casefile import read_cases
from lawful.model.rulesets import load_ruleset

MINE = {"controller": "$controller", "zone": ["arena", "chain"]}
MY_CARD = {"how": "choose", "n": "1", "zone": "hand", "owner": "$controller"}
LINKED = [{"status": ["attacking"]}, {"status": ["defending"]}]
ON_LINK = {"count": {"is": "$self", "any": LINKED}, "ge": "1"}


def library(text: str, folder: Path, types: str = "Weapon, Dagger") -> CardLibrary:
    path = folder / "cards.yaml"
    path.write_text(
        f"- {{name: Rook, types: '{types}', cost: 1, text: {json.dumps(text)}}}\n"
        "- {name: Ember, types: 'Token, Aura', text: '**Suspense**', Card Keywords: Suspense}\n"
        "- {name: Ally, types: 'Ally, Action, Attack, Guardian, Ninja, Equipment, Hero', text: ''}\n",
        encoding="utf8",
    )
    return open_library(path, load_ruleset("flesh-and-blood"))


def meanings(text: str, folder: Path) -> dict[str, list[Any]]:
    there = library(text, folder)
    found: dict[str, list[Any]] = {}
    for read in there.clauses(there.record("Rook"))[0]:
        found.setdefault(read.clause.kind, []).append(read.meaning)
    return found


COSTS = [
    (
        "Instant - {t}, remove a thread counter from an aura you control: Draw a card.",
        [{"tap": "$self"}, {"remove": "thread", "n": "1", "of": {"type": ["Aura"], **MINE}}],
    ),
    ("Action - {x}{x}{r}, destroy this: Draw a card.", ["XX1r", {"destroy": "$self"}]),
    ("Action - {x}: Draw a card.", ["Xr"]),
    (
        "Action - {r}{r} or destroy an Ember you control: Draw a card.",
        [{"any": [["2r"], [{"destroy": {"name": "Ember", **MINE}}]]}],
    ),
    (
        "Action - Destroy a dagger you control that's not on the active chain link: Draw a card.",
        [{"destroy": {"type": ["Dagger"], **MINE, "none": LINKED}}],
    ),
    (
        "Instant - Banish another aura you control with no thread counters: Draw a card.",
        [{"banish": {"type": ["Aura"], "none": [{"counters": {"thread": "1"}}], **MINE, "not": "$self"}}],
    ),
]


@pytest.mark.parametrize(("text", "cost"), COSTS)
def test_what_is_paid_to_use_it(text: str, cost: list[Any], tmp_path: Path) -> None:
    (found,) = meanings(text, tmp_path)["activated cost"]
    assert found["cost"] == cost
    assert library(text, tmp_path).find("Rook").abilities


MODIFIERS = [
    (
        "If you've been praised this turn, this costs {r}{r} less to play.",
        {"modify": "cost.r", "stage": "reduce", "subtract": "2", "of": {"play": {"subject": "$self"}},
         "when": {"value": "$controller.been praised this turn", "ge": "1"}},
    ),
    (
        "This costs an additional {r} to play for each card defending on the active chain link.",
        {"modify": "cost.r", "stage": "increase",
         "add": {"times": "1", "of": {"count": {"status": ["defending"], "zone": ["arena", "chain"]}}},
         "of": {"play": {"subject": "$self"}}},
    ),
    (
        "Ninja cards cost opponents an additional {r} to play.",
        {
            "modify": "cost.r",
            "stage": "increase",
            "add": "1",
            "of": {"play": {"subject": {"type": ["Ninja"]}, "by": "$opponent"}},
        },
    ),
    (
        "The first card with cost 2 or more you play each turn costs {r} less to play.",
        {"modify": "cost.r", "stage": "reduce", "subtract": "1",
         "of": {"play": {"subject": {"where": [{"cost": {"ge": "2"}}]}, "by": "$controller"}},
         "when": {"not": {"value": "$controller.played card with cost 2 or more this turn", "ge": "1"}}},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "meaning"), MODIFIERS)
def test_what_changes_a_cost(text: str, meaning: Any, tmp_path: Path) -> None:
    assert meanings(text, tmp_path)["cost modifier"] == [meaning]
    assert library(text, tmp_path).find("Rook").abilities


def test_a_cost_instead_of_this_cards_cost(tmp_path: Path) -> None:
    text = "You may destroy an Ember you control rather than pay this card's {r} cost."
    cost = [{"destroy": {"name": "Ember", **MINE}}]
    assert meanings(text, tmp_path)["alternative cost"] == [{"alternative": {"cost": cost, "replaces": ["r"]}}]


def test_a_card_put_somewhere_into_the_deck_as_a_cost(tmp_path: Path) -> None:
    text = "As an additional cost to play this, put a card from your hand into your deck fifth from the top."
    cost = [{"insert": {"zone": "hand", "owner": "$controller"}}]
    assert meanings(text, tmp_path)["additional cost"] == [{"additional": {"cost": cost}}]


RESTRICTIONS = [
    ("Play this only if you've pitched a card with 6 or more {p} this turn.",
     {"cannot": {"play": "$self"}, "unless": {"value": "$controller.pitched card with 6 power this turn", "ge": "1"}}),
    ("Embers you control can't be destroyed by opponents' effects.",
     {"cannot": {"destroy": {"subject": {"name": "Ember", **MINE}, "source": {"controller": "$opponent"}}}}),
    ("Activate this only if you control an aura of suspense.",
     {"only": {"count": {"type": ["Aura", "Suspense"], **MINE}, "ge": "1"}}),
    ("Activate this only while it's in your graveyard and you control an Ember.",
     {"only": {"every": [{"count": {"is": "$self", "zone": "graveyard", "owner": "$controller"}, "ge": "1"},
                         {"count": {"name": "Ember", **MINE}, "ge": "1"}]}}),
    ("Activate this only if an aura with a thread counter has entered the arena under your control this turn.",
     {"only": {"value": "$controller.Aura with thread counter entered arena this turn", "ge": "1"}}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "meaning"), RESTRICTIONS)
def test_what_forbids(text: str, meaning: Any, tmp_path: Path) -> None:
    assert meanings(text, tmp_path)["restriction"] == [meaning]


def test_what_is_on_the_active_chain_link_attacks_or_defends(tmp_path: Path) -> None:
    found = meanings("Target Ninja card on the active chain link gets +1{p}.", tmp_path)
    assert found["target phrase"] == [{"type": ["Ninja"], "zone": "chain", "any": LINKED, "how": "target"}]


def test_to_target_something_is_no_target(tmp_path: Path) -> None:
    assert "target phrase" not in meanings("Your Ninja attacks may target any opposing hero or ally.", tmp_path)
    assert "target phrase" in meanings("You may deal 1 damage to target hero.", tmp_path)


BONUS = {"modify": "power", "stage": "increase", "add": "+3"}


@pytest.mark.parametrize("who", ["this", "it"])
def test_after_a_condition_about_the_card_it_is_the_card(who: str, tmp_path: Path) -> None:
    (found,) = meanings(f"If this has 6 or more {{p}}, {who} gets +3{{p}}.", tmp_path)["effect"]
    assert found == {"stats": [BONUS], "of": "$self", "when": {"value": "$self.power", "ge": "6"}}


EFFECTS = [
    ("The first time you would be dealt damage each turn, prevent 1 of that damage.",
     {"prevent": {"to": "$controller", "less": "1"}, "per": "turn"}),
    ("Your first attack each turn gets +3{p}.",
     {"stats": [BONUS], "of": {"subject": {"status": ["attacking"]}, "by": "$controller"}, "per": "turn"}),
    ("The winner deals 1 damage to each other hero.",
     {"do": [{"wound": {"type": "Hero", "not": "$winner", "how": "each"}, "n": "1", "by": "$winner"}]}),
    ("When you win a clash revealing this, draw a card.", {"do": [{"draw": "1"}], "on": {"win clash": "$self"}}),
    ("When this chain link resolves, draw a card.", {"do": [{"draw": "1"}], "on": "resolves", "when": ON_LINK}),
    ("At the beginning of your end phase, put a thread counter on this, then destroy it unless you discard a card.",
     {"do": [{"place_counter": "thread", "n": "1", "of": "$self"},
             {"unless": {"discard": MY_CARD}, "do": [{"destroy": "$it"}]}],
      "on": {"end phase": {"by": "$controller"}}}),
    ("You may play your next Ninja card this turn as though it were an instant.",
     {"do": [{"allow": "play as instant", "of": {"type": ["Ninja"]}, "to": "turn", "n": "1"}], "optional": "true"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "meaning"), EFFECTS)
def test_what_is_done(text: str, meaning: Any, tmp_path: Path) -> None:
    assert meanings(text, tmp_path)["effect"] == [meaning]


def test_a_word_that_is_called_as_a_kind_of_phrase_is_no_phrase() -> None:
    grammar = Grammar('start: "the" "name" //= word\n    | "call" NAME //= {called: $1}\n%declare NAME', ["start"])
    names = Lexicon({"NAME": ["Ember"]})
    assert grammar.read("the name", "start", names) == "word"
    assert grammar.read("call Ember", "start", names) == {"called": "Ember"}
    for text in ("the Ember", "call name"):
        with pytest.raises(NotRead):
            grammar.read(text, "start", names)


MODAL = """name;types;cost;text
Fork;Action;0;"Choose 1;
- Destroy target aura.
- Draw a card."
Both;Action;0;"Choose 1 or both;
- Destroy target aura.
- Destroy target item."
Half;Action;0;"Choose 1;
- Destroy target aura.
- Wobble the aura."
Ember;Token, Aura;;
Husk;Token, Item;;
"""
CASE = """
case: chosen
ruleset: flesh-and-blood
use: modal.csv
given: {{players: {{Ann: {{hand: [{card}]}}, Ben: {{arena: [Ember, Husk]}}}}}}
when: {{player: Ann, play: {card}, modes: [{modes}], targets: {targets}}}
then: {{verdict: {verdict}}}
"""


@pytest.mark.parametrize(
    ("card", "modes", "targets", "verdict"),
    [
        ("Fork", "Draw a card", "{}", "legal"),
        ("Fork", "Destroy target aura", "{target: Ember}", "legal"),
        ("Fork", "Draw a card, Destroy target aura", "{target: Ember}", "illegal"),
        ("Both", "Destroy target item", "{'target #2': Husk}", "legal"),
        ("Both", "Destroy target item, Destroy target aura", "{target: Ember, 'target #2': Husk}", "legal"),
    ],
)
def test_what_is_chosen_among(card: str, modes: str, targets: str, verdict: str, tmp_path: Path) -> None:
    (tmp_path / "modal.csv").write_text(MODAL, encoding="utf8")
    text = CASE.format(card=card, modes=modes, targets=targets, verdict=verdict)
    (case,) = read_cases(text, file="one", open_library=lambda name, rules: open_library(tmp_path / name, rules))
    assert [str(check) for check in run(case) if not check.holds] == []


def test_a_choice_not_known_whole_does_nothing_and_is_told(tmp_path: Path) -> None:
    (tmp_path / "modal.csv").write_text(MODAL, encoding="utf8")
    card = open_library(tmp_path / "modal.csv", load_ruleset("flesh-and-blood")).find("Half")
    assert not [act for ability in card.abilities for act in getattr(ability, "do", ()) if act.verb == "destroy"]
    assert [said.text for said in card.unread] == ["Choose 1;", "- Destroy target aura.", "- Wobble the aura."]


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("Heroes can't gain {h}.", {"cannot": {"gains": {"asset": "h"}}}),
        (
            "Activate this only while this is face-up in your arsenal.",
            {"only": {"count": {"is": "$self", "face": "up", "zone": "arsenal", "owner": "$controller"}, "ge": "1"}},
        ),
    ],
)
def test_what_forbids_as_long_as_it_is_there(text: str, meaning: Any, tmp_path: Path) -> None:
    assert meanings(text, tmp_path)["restriction"] == [meaning]


def test_some_of_one_kind_and_some_of_another_are_not_one_of_both(tmp_path: Path) -> None:
    there = library("When this attacks, banish 2 Ninja cards and an aura from your graveyard.", tmp_path)
    (read,) = there.clauses(there.record("Rook"))[0]
    assert (read.read, read.played) == (True, False)
    assert not there.find("Rook").abilities


CUT = [
    ("Remove all steam counters from target equipment, ally, or weapon.",
     [{"any": [{"type": ["Equipment"]}, {"type": ["Ally"]}, {"type": ["Weapon"]}], "how": "target"}]),
    ("Put up to 2 target Ninja, Guardian and/or Ally action cards from your graveyard on top of your deck.",
     [{"type": ["Action"], "any": [{"type": ["Ninja"]}, {"type": ["Guardian"]}, {"type": ["Ally"]}],
       "zone": "graveyard", "owner": "$controller", "how": "target", "n": "any"}]),
    ("Destroy X target aura tokens and/or auras with cost 0 controlled by target hero.",
     [None]),
    ("Put target Ninja attack action card and target Ninja ally from your graveyard on top of your deck.", [None]),
    ("Put target Ninja ally and draw a card, then gain 1{h} and 1{p}.", [{"type": ["Ninja", "Ally"], "how": "target"}]),
    ("Turn target face-down equipment you have equipped face-up.",
     [{"type": ["Equipment"], "how": "target", "face": "down", **MINE, "status": ["equipped"]}]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "targets"), CUT)
def test_of_several_targets_none_is_left_out(text: str, targets: list[Any], tmp_path: Path) -> None:
    assert meanings(text, tmp_path)["target phrase"] == targets


def test_what_is_put_face_down_is_not_played_as_if_it_lay_face_up(tmp_path: Path) -> None:
    there = library("Put a card from your hand face-down into your arsenal.", tmp_path)
    (read,) = there.clauses(there.record("Rook"))[0]
    assert read.read
    assert not read.played
    assert skeleton(read.meaning) == Skeleton((), ("zone:hand",), ("move",), "effect")


def test_what_is_done_to_prevent_damage_is_written(tmp_path: Path) -> None:
    text = "If your hero would be dealt damage, you may banish this to prevent 2 of that damage."
    (found,) = meanings(text, tmp_path)["effect"]
    assert skeleton(found) == Skeleton((), (), ("damage", "banish"), "prevention")


def test_a_name_that_was_chosen_is_no_name(tmp_path: Path) -> None:
    text = "Banish all cards with the chosen name from each opposing hero's graveyard."
    (found,) = meanings(text, tmp_path)["effect"]
    assert found["do"][0]["banish"] == {"name": "$named", "zone": "graveyard", "owner": "$opponent", "how": "each"}
    assert skeleton(found).reads == ("zone:graveyard",)
