"""A restriction counts as read only where something that is done is what it speaks of."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawful.cards.coverage import cover
from lawful.cards.library import CardLibrary, read_library
from lawful.model.effect import Norm, Static
from lawful.model.rulesets import load_ruleset

TEXTS = {
    "fab": {
        "Heroes can't gain {h} this turn.": True,
        "You can't equip items.": True,
        "Hero abilities can't create cards.": False,  # nothing creates
    },
    "mc": {
        "This effect cannot be canceled.": True,
        "You cannot change form.": True,
        "You cannot change to hero form.": True,
        "You cannot change energy forms.": True,
        "Attached character cannot change form.": True,
        "Other Place cannot be unattached from Some Place.": True,
        "The villain cannot change form.": False,  # who changes form is a player
        "Some Place cannot take more than 2 damage from each attack.": True,
        "As an additional cost for a player to ready a support, that player must spend 1 resource of any type.": True,
    },
}


def library(game: str, folder: Path) -> CardLibrary:
    rows = ['Some Place,Hero,""', 'Other Place,Item,""']
    rows += [f'Card {n},Item,"{text}"' for n, text in enumerate(TEXTS[game])]
    (folder / "cards.csv").write_text("\n".join(["name,types,text", *rows]) + "\n", encoding="utf8")
    return read_library(folder / "cards.csv", load_ruleset(game))


@pytest.mark.parametrize("game", TEXTS)
def test_what_is_read_binds_something_that_is_done(game: str, tmp_path: Path) -> None:
    covered = cover(library(game, tmp_path)).kinds
    kinds = [covered["restriction"], covered["additional cost"]]
    found = {text for kind in kinds for text in kind.found}
    assert found == set(TEXTS[game])
    assert {text for kind in kinds for text in kind.read} == {text for text in found if TEXTS[game][text]}
    why = {text: reason for kind in kinds for text, reason in kind.why.items()}
    assert all(reason.startswith("nothing that is done is") for reason in why.values())


def test_who_is_attached_cannot_change_form_as_the_player_they_are_of(tmp_path: Path) -> None:
    there = library("mc", tmp_path)
    number = list(TEXTS["mc"]).index("Attached character cannot change form.")
    (ability,) = there.find(f"Card {number}").abilities
    assert isinstance(ability, Static)
    assert isinstance(ability.effect, Norm)
    assert str(ability.effect.action.by) == "$self.attached.controller"
    assert ability.effect.action.subject is None
