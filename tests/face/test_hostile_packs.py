"""JSON packs that are malformed, truncated or hostile: every fault with its place, the good cards kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lawful.cards import open_library
from lawful.cards.library import CardLibrary
from lawful.model.errors import BadInput
from lawful.model.rulesets import load_ruleset

GOOD = '{"code": "2", "name": "Beta", "type_code": "ally", "cost": 2}'
OTHER = '{"code": "3", "name": "Gamma", "type_code": "ally", "cost": 1}'


def library(folder: Path, *items: str, end: str = "\n]") -> CardLibrary:
    pack = folder / "pack.json"
    pack.write_text("[\n" + ",\n".join(items) + end, encoding="utf8")
    return open_library(pack, load_ruleset("marvel-champions"))


@pytest.mark.parametrize(
    ("item", "line", "message"),
    [
        ('{"code": "9", "type_code": "ally"}', 3, "no name"),
        ('{"code": "9", "name": "X"}', 3, "no type_code"),
        ('{"code": "9", "name": ["X"], "type_code": "ally"}', 3, "name is no text"),
        ('{"code": "9", "name": "X", "type_code": {"a": 1}}', 3, "type_code is no text"),
        ("5", 3, "a mapping of fields"),
        ("null", 3, "a mapping of fields"),
        ('{"code": "2", "name": "X", "type_code": "ally"}', 3, "code '2'"),
        ('{"name": "X", "name": "Y", "type_code": "ally"}', 3, "'name' twice"),
        ('{"name": "X" "type_code": "ally"}', 3, "not JSON from here"),
        ('{"name": "X\ty", "type_code": "ally"}', 3, "not JSON from here"),
        ('{"name": "X", "type_code": "ally", "x": ' + "[" * 50_000 + "]" * 50_000 + "}", 3, "nested too deeply"),
        ('{"name": "X\\u0000", "type_code": "ally"}', 3, "zero byte"),
        ('{"name": "X\\ud800", "type_code": "ally"}', 3, "surrogate"),
        (json.dumps({"name": "X", "type_code": "ally", "text": "Exhaust " * 5000}), 3, "longer than"),
    ],
)
def test_a_faulty_card_is_told_and_the_others_are_kept(tmp_path: Path, item: str, line: int, message: str) -> None:
    found = library(tmp_path, GOOD, item, OTHER)
    assert list(found) == ["Beta", "Gamma"]
    (fault,) = found.faults
    assert message in str(fault)
    assert fault.line == line


@pytest.mark.parametrize("cost", ["NaN", "Infinity", "2.5", '"two"', "-7", "9" * 5000])
def test_a_cost_that_is_none_is_told_when_the_card_is_asked_for(tmp_path: Path, cost: str) -> None:
    found = library(tmp_path, GOOD, f'{{"code": "9", "name": "X", "type_code": "ally", "cost": {cost}}}')
    assert found.find("Beta").cost is not None
    with pytest.raises(BadInput, match=r"pack\.json:3:.*cost is"):
        found.find("X")


def test_a_pack_that_ends_early_keeps_what_is_there(tmp_path: Path) -> None:
    found = library(tmp_path, GOOD, '{"name": "Cut", "type_co', end="")
    assert list(found) == ["Beta"]
    assert [fault.line for fault in found.faults] == [3]
    found = library(tmp_path, GOOD, OTHER, end=",\n")
    assert list(found) == ["Beta", "Gamma"]
    assert "truncated" in str(found.faults[0])


def test_what_is_no_pack_is_refused(tmp_path: Path) -> None:
    pack = tmp_path / "pack.json"
    for text in ("", '{"a": 1}', "[", "[\n5\n]"):
        pack.write_text(text, encoding="utf8")
        with pytest.raises(BadInput):
            open_library(pack, load_ruleset("marvel-champions"))


def test_a_text_of_very_many_words_is_not_read_and_ends(tmp_path: Path) -> None:
    text = "(" * 3000 + " → " + "Choose a " * 1500
    found = library(tmp_path, GOOD, json.dumps({"code": "9", "name": "X", "type_code": "event", "text": text}))
    assert found.find("X").abilities == ()
