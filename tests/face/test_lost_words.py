"""Words that change what a text of Flesh and Blood says: none of them is lost, on cards made up for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_new_wordings import library, meanings

PLAIN = "Target dagger attack gets +3{p}."
DIFFERENT = [
    (PLAIN, "Instead target dagger attack gets +3{p}."),
    (PLAIN, "Target dagger attack gets +3{p} instead."),
    ("Draw a card.", "Draw a card twice."),
    ("Draw a card.", "Draw a card again."),
    (
        "Whenever you discard a card with 6 or more {p}, you may destroy this.",
        "Whenever you discard a random card with 6 or more {p}, you may destroy this.",
    ),
    (
        "Put a card from your hand into your arsenal.",
        "Put a card from your hand face-up into your arsenal.",
    ),
    (
        "Put a card from your hand into your arsenal.",
        "Put a card from your hand into your arsenal face-up.",
    ),
    (
        "Put a card from your hand into your arsenal.",
        "Put a card from your hand face-down into your arsenal.",
    ),
]


@pytest.mark.parametrize(("text", "other"), DIFFERENT)
def test_what_says_more_is_not_played_as_what_says_less(text: str, other: str, tmp_path: Path) -> None:
    assert library(text, tmp_path).find("Rook").abilities
    card = library(other, tmp_path).find("Rook")
    assert card.abilities == ()
    assert [unread.text for unread in card.unread]


COSTS = [
    "As an additional cost to play this, you may {pay}{r}{r}{r}.",
    "As an additional cost to play this, {pay}{r} and discard a card.",
    "You may {pay}{r}{r} rather than pay this card's {r} cost.",
]


@pytest.mark.parametrize("text", COSTS)
def test_what_is_paid_is_said_to_be_paid(text: str, tmp_path: Path) -> None:
    assert library(text.replace("{pay}", "pay "), tmp_path).find("Rook").abilities
    assert library(text.replace("{pay}", ""), tmp_path).find("Rook").abilities == ()


OPTIONS = "\n- Target dagger attack gets +3{p}.\n- Target attack action card gets +1{p}."


def test_modes_that_are_chosen_at_random_are_not_chosen(tmp_path: Path) -> None:
    assert len(library("Choose 1;" + OPTIONS, tmp_path).find("Rook").abilities) == 1
    assert library("Choose 1 at random;" + OPTIONS, tmp_path).find("Rook").abilities == ()


def test_a_choice_among_what_is_not_known_whole_is_no_ability(tmp_path: Path) -> None:
    card = library("Choose 1;" + OPTIONS.replace("+1{p}", "+1{p} instead"), tmp_path).find("Rook")
    assert card.abilities == ()
    assert len(card.unread) == 3


@pytest.mark.parametrize(
    "text",
    [
        "Attack action cards have -1{p} while defending this.",
        "If this has 13 or more {p}, non-equipment cards get -1{d} while defending this.",
    ],
)
def test_what_holds_for_some_while_they_defend_is_no_condition_of_an_ability(text: str, tmp_path: Path) -> None:
    card = library(text, tmp_path).find("Rook")
    assert card.abilities == ()
    assert [unread.text for unread in card.unread] == [text]


@pytest.mark.parametrize(
    "text",
    ["Put 2 thread counters on 2 target auras you control.", "Turn 2 target cards in a banished zone face-down."],
)
def test_how_much_of_each_of_several_targets_is_not_said(text: str, tmp_path: Path) -> None:
    card = library(text, tmp_path).find("Rook")
    assert card.abilities == ()
    assert [unread.text for unread in card.unread] == [text]


FEW: dict[str, Any] = {"count": {"defends": "$self", "none": [{"type": ["Equipment"]}]}, "lt": "2"}


@pytest.mark.parametrize(
    "text",
    [
        "While this is defended by less than 2 non-equipment cards, it has +1{p}.",
        "If this is defended by fewer than 2 non-equipment cards, it gets +1{p}.",
    ],
)
def test_what_is_so_while_few_cards_defend_it(text: str, tmp_path: Path) -> None:
    (found,) = meanings(text, tmp_path)["effect"]
    bonus = {"modify": "power", "stage": "increase", "add": "+1"}
    assert found == {"stats": [bonus], "of": "$self", "when": FEW}
    assert library(text, tmp_path).find("Rook").abilities


def test_a_list_that_goes_on_counting_is_none_of_modes(tmp_path: Path) -> None:
    text = (
        "If you have 1 or more daggers equipped, this gets +1{p}.\n"
        "- 2 or more, this costs {r}{r} less to play,\n- 3 or more, this gets +3{p}."
    )
    card = library(text, tmp_path).find("Rook")
    assert len(card.abilities) == 3
    assert card.unread == ()


@pytest.mark.parametrize(("whose", "by"), [("The first attack", {}), ("Your first attack", {"by": "$controller"})])
def test_whose_first_attack_it_is(whose: str, by: dict[str, str], tmp_path: Path) -> None:
    (found,) = meanings(f"{whose} each turn gets +1{{p}}.", tmp_path)["effect"]
    assert found["of"] == {"subject": {"status": ["attacking"]}, **by}
