"""The JSON Schemas accept what the readers accept, refuse what is plainly wrong, and explain every key."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from lawful.model.errors import BadInput
from lawful.model.notation import parse_cost
from lawful.model.reading.faults import Faults
from lawful.model.reading.schema import asked
from lawful.model.reading.schema_spelled import SCHEMAS
from lawful.model.reading.spelling_abilities import read_source
from lawful.model.reading.spelling_terms import read_selector
from lawful.model.reading.yamltext import parse_yaml
from lawful.model.rulesets import load_ruleset

ROOT = Path(__file__).parents[3]
# What texts mean and tables of checked clauses are read by others.
OTHERS = re.compile(r"model/rulesets/texts/|tests/data/real/.*\.checked\.yaml")
FILES = sorted(
    path
    for folder in ("cases", "model/rulesets", "tests/data")
    for path in (ROOT / folder).rglob("*.yaml")
    if not OTHERS.match(path.relative_to(ROOT).as_posix())
)
STARTERS = ROOT / "model" / "rulesets" / "starters"
MODELINE = re.compile(r"# yaml-language-server: \$schema=(\S+)\n")


def kind_of(path: Path) -> str:
    if path.name.endswith((".case.yaml", ".cases.yaml")):
        return "case"
    return "card" if ".cards." in path.name else "ruleset"


@cache
def validator(kind: str) -> Draft202012Validator:
    return Draft202012Validator(SCHEMAS[kind]())


class EditorLoader(yaml.SafeLoader):
    """Takes scalars for what YAML 1.2 takes them for, as editors do."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012


for tag, pattern, first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"|~|null|Null|NULL", "~nN"),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
):
    EditorLoader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"(?:{pattern})$"), [*first, ""])


@pytest.mark.parametrize("kind", SCHEMAS)
def test_a_schema_is_a_schema(kind: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[kind]())


@pytest.mark.parametrize("kind", SCHEMAS)
def test_the_file_in_the_docs_is_up_to_date(kind: str) -> None:
    path = ROOT / "docs" / "schema" / f"{kind}.schema.json"
    assert json.loads(path.read_text("utf8")) == SCHEMAS[kind](), f"lawful schema {kind} > {path.relative_to(ROOT)}"


def properties(schema: object, where: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(schema, dict):
        for key, found in schema.get("properties", {}).items():
            yield f"{where}.{key}", found
        for key, part in schema.items():
            yield from properties(part, f"{where}/{key}")
    elif isinstance(schema, list):
        for part in schema:
            yield from properties(part, where)


@pytest.mark.parametrize("kind", SCHEMAS)
def test_every_key_is_explained(kind: str) -> None:
    schema = SCHEMAS[kind]()
    assert [where for where, found in properties(schema) if "description" not in found] == []
    assert [name for name, found in schema["$defs"].items() if "description" not in found] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_shipped_file_fits_as_the_reader_takes_it(path: Path) -> None:
    documents = parse_yaml(path.read_text("utf8"), Faults())
    assert documents
    for node in documents:
        assert [error.message for error in validator(kind_of(path)).iter_errors(node.data)] == [], node.line


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_shipped_file_fits_as_an_editor_takes_it(path: Path) -> None:
    documents = list(yaml.load_all(path.read_text("utf8"), EditorLoader))
    assert documents
    for number, data in enumerate(documents):
        errors = [error.message for error in validator(kind_of(path)).iter_errors(data)]
        assert errors == [], number


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_shipped_file_names_its_schema(path: Path) -> None:
    found = MODELINE.match(path.read_text("utf8"))
    assert found is not None
    if STARTERS in path.parents:  # the schemas are written beside it when it is copied
        up = "../" * (len(path.relative_to(STARTERS).parts) - 2)
        assert found[1] == f"{up}schema/{kind_of(path)}.schema.json"
        return
    assert (path.parent / found[1]).resolve() == ROOT / "docs" / "schema" / f"{kind_of(path)}.schema.json"


@pytest.mark.parametrize("game", [path.name for path in sorted(STARTERS.iterdir())])
def test_a_new_folder_has_the_schemas_that_its_files_name(game: str, tmp_path: Path) -> None:
    from lawful.cards.starter import write_starter

    files = write_starter(tmp_path / "new", load_ruleset(game))
    named = {
        (path.parent / found[1]).resolve()
        for path in files
        if path.name.endswith(".case.yaml") and (found := MODELINE.match(path.read_text("utf8")))
    }
    assert named == {(tmp_path / "new" / "schema" / "case.schema.json").resolve()}
    for kind, schema in SCHEMAS.items():
        assert json.loads((tmp_path / "new" / "schema" / f"{kind}.schema.json").read_text("utf8")) == schema()


CASE = "{case: a, ruleset: flesh-and-blood, when: {cost: 1r}%s}"
RULESET = "{ruleset: a, name: A, documents: [{id: d, title: D, version: 1}], assets: [{id: r, name: r, phase: 1, accepts: [r]}]%s}"  # noqa: E501
WRONG = {
    "case": [
        "{ruleset: flesh-and-blood, when: {cost: 1r}}",
        "{case: a, ruleset: flesh-and-blood}",
        "[case]",
        CASE % ", gievn: {}",
        CASE % ", then: {count: many}",
        CASE % ", then: {count: -1}",
        CASE % ", then: {verdict: leagl}",
        CASE % ", then: {complete: maybe}",
        CASE % ", given: {started: 1.5}",
        CASE % ", given: {players: [Ann]}",
        CASE % ", given: {players: {Ann: {hand: [{name: blue}]}}}",
        CASE % ", given: {players: {Ann: {hand: [{card: blue, face: sideways}]}}}",
        CASE % ", cards: {A: {abilities: [{triger: {on: played, do: []}}]}}",
        CASE % ", cards: {A: {abilities: [{trigger: {on: played}}]}}",
        CASE % ", cards: {A: {abilities: [{static: {modify: cost.r, stage: increase}}]}}",
        CASE % ", cards: {A: {cost: '{r'}}",
        CASE % ", cards: {A: {cost: {asset: r}}}",
        CASE % ", cards: {A: {cost: {asset: r, amout: 2}}}",
        CASE % ", cards: {A: {power: strong}}",
        CASE % ", cards: [{types: [hero]}]",
        CASE % ", cards: {A: {abilities: [{source: {gain: {r: 1}, when: {}}}]}}",
        CASE % ", cards: {A: {abilities: [{source: {gain: {r: {times: 2}}}}]}}",
        "{case: a, ruleset: b, when: {cost: 1r, x: two}}",
        "{case: a, ruleset: b, when: {cost: 1r, free: 7}}",
    ],
    "card": [
        "just a text",
        "{A: {abilites: [{source: {gain: 1r}}]}}",
        "{A: {abilities: [{source: {of: {zone: hand}}}]}}",
        "[{cost: 1r}]",
        "{cards: 3}",
    ],
    "ruleset": [
        "{ruleset: a}",
        RULESET % ", level: ways",
        RULESET % ", zones: [{name: hand, private: perhaps}]",
        RULESET % ", asets: []",
        RULESET % ", sources: [{name: pitch}]",
        RULESET % ", x: {least: few}",
        RULESET % ", verbs: {pitch: {}}",
    ],
}


@pytest.mark.parametrize("text", ["", ", then: {verdict: legal}", ", cards: {A: {power: 3}}", ", given:\n  {turn: A}"])
def test_the_faulty_cases_are_made_from_right_ones(text: str) -> None:
    node = parse_yaml(CASE % text, Faults())[0]
    assert validator("case").is_valid(node.data)
    assert validator("ruleset").is_valid(parse_yaml(RULESET % "", Faults())[0].data)


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in WRONG.items() for text in texts])
def test_what_is_wrong_is_refused(kind: str, text: str) -> None:
    node = parse_yaml(text, Faults())[0]
    assert not validator(kind).is_valid(node.data)
    assert not validator(kind).is_valid(yaml.load(text, EditorLoader))


@settings(max_examples=200, deadline=None)
@given(st.text("0123cr{}X|&+, v_$", min_size=1, max_size=12))
def test_every_cost_that_can_be_read_fits(text: str) -> None:
    try:
        parse_cost(text, ("c", "r"), "r")
    except BadInput:
        return
    assert validator("card").is_valid({"A": {"cost": text}})


def test_a_reader_tells_its_keys() -> None:
    known, needed = asked(read_source)
    assert {"name", "of", "gain", "cost"} <= set(known)
    assert needed == ("gain",)
    assert "zone" in asked(read_selector)[0]
