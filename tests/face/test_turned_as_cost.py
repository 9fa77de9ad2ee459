"""What is turned face up as the cost of its own ability is used while it lies face down."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawful.cards import open_library
from lawful.model.effect import Activated
from lawful.model.rulesets import load_ruleset

SHEET = 'name;types;cost;text\nVeil;Equipment, Head;;"Cloaked\n\n{}"\n'


@pytest.mark.parametrize(
    ("text", "face"),
    [
        ("**Instant** - {r}, turn this face-up: Draw a card.", "down"),
        ("**Attack Reaction** - {r}, turn this face up: Target attack gets **go again**.", "down"),
        ("**Instant** - {r}, destroy this: Draw a card.", "up"),
    ],
)
def test_an_ability_that_costs_to_turn_its_object_up_is_used_face_down(tmp_path: Path, text: str, face: str) -> None:
    path = tmp_path / "cards.csv"
    path.write_text(SHEET.replace("{}", text), encoding="utf8")
    (ability,) = open_library(path, load_ruleset("flesh-and-blood")).find("Veil").abilities
    assert isinstance(ability, Activated)
    assert ability.face == face
