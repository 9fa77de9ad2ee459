"""The page on cards: its first example is read, and its table names the kinds of abilities that there are."""

from __future__ import annotations

import re
from pathlib import Path

from lawful.model.reading.desk import Desk, Names
from lawful.model.reading.faults import Faults
from lawful.model.reading.spelling_abilities import READERS
from lawful.model.reading.spelling_cards import read_cards
from lawful.model.reading.yamltext import parse_yaml

PAGE = (Path(__file__).parents[3] / "docs" / "cards.md").read_text(encoding="utf-8")


def test_the_example_is_read() -> None:
    block = PAGE[PAGE.index("    cards:") : PAGE.index("No `cost` means")]
    faults = Faults("cards.md")
    [node] = parse_yaml(block, faults)
    cards = node.find("cards")
    assert cards is not None
    frostbite, double, riddle = read_cards(Desk(faults, Names(("c", "r"), "r")), cards)
    assert [clause.text for clause in riddle.unread] == ["Frobnicate the quux."]
    faults.stop()
    assert len(frostbite.abilities) == 2
    assert double.stats["life"] == 0


def test_every_kind_of_ability_is_named() -> None:
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, re.M)) == set(READERS)
