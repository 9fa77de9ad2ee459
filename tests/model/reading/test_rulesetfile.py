"""Ruleset files: names, faults with their places, readings of open points, versions."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawful.model.errors import BadInput, Fault, UnknownName
from lawful.model.reading.rulesetfile import dump_ruleset, read_ruleset
from lawful.model.reading.yamlout import to_yaml
from lawful.model.ruleset import Ruleset
from lawful.model.rulesets import load_ruleset, shipped, under, with_version

SMALL = """\
ruleset: small
name: A small game
documents:
  - {id: one, title: Rules, version: 1.10}
  - {id: two, title: Rules, version: "2"}
assets:
  - {id: c, name: chi, phase: 1, accepts: [c]}
  - {id: r, name: resource, phase: 2, accepts: [c, r], generate: never, keep: 1}
zones:
  - {name: hand, private: true}
  - {name: arena, play: true}
verbs:
  - {name: pitch, from: [hand], to: arena}
sources:
  - {name: pitch, of: {zone: hand}, cost: [{pitch: $self}], gain: $self.yields}
charges:
  - {cost: 1c, types: [Action]}
rules:
  - {id: a, says: this, roles: [part.c], cites: {one: 1.10, two: "1.2"}, rows: [R-1]}
  - {id: b, says: that, roles: [part.r], implied_by: [a]}
rows:
  - {id: R-1, kind: P, says: so}
open_points:
  - id: U1
    about: may it be paid down to 0
    default: "no"
    readings:
      - {name: "no", says: no}
      - {name: "yes", says: yes, changes: {assets.r.keep: "0", x.on_free: keep, assets.c.accepts: "c, r"}}
cards:
  - {name: blue, yields: {r: 3}}
"""


def small(**changes: str) -> Ruleset:
    text = SMALL
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return read_ruleset(text, "small.yaml")


def faults(old: str, new: str) -> tuple[Fault, ...]:
    assert old in SMALL
    with pytest.raises(BadInput) as caught:
        read_ruleset(SMALL.replace(old, new), "small.yaml")
    return caught.value.faults


def line(text: str) -> int:
    return SMALL[: SMALL.index(text)].count("\n") + 1


def test_what_is_written_is_read_again() -> None:
    ruleset = small()
    assert read_ruleset(to_yaml(dump_ruleset(ruleset))) == ruleset
    assert read_ruleset(to_yaml(dump_ruleset(with_version(ruleset, "two")))).version == "two"


def test_versions_stay_text_and_the_first_document_is_the_default() -> None:
    ruleset = small()
    assert ruleset.documents[0].version == "1.10"
    assert ruleset.rules[0].cites["one"] == "1.10"
    assert ruleset.version == "one"
    assert with_version(ruleset, "two").version == "two"
    with pytest.raises(UnknownName):
        with_version(ruleset, "three")


@pytest.mark.parametrize(
    ("old", "new", "says", "hint"),
    [
        ("id: r,", "id: c,", "'c' stands twice", ""),
        ("roles: [part.r]", "roles: [parrt.r]", "unknown role 'parrt.r'", "part"),
        ("phase: 2", "phase: 1", "has the phase of 'c'", "distinct"),
        ("accepts: [c, r]", "accepts: [c, q]", "unknown asset 'q'", ""),
        ("phase: 2", "phase: two", "phase must be a whole number", ""),
        ("phase: 2", "phase: -2", "phase cannot be negative", ""),
        ("keep: 1", "keep: 1000001", "limit: amount", ""),
        ("keep: 1", "kepe: 1", "unknown key 'kepe'", "'keep'"),
        ("keep: 1", "surplus: flaots", "unknown surplus: 'flaots'", "'floats'"),
        ("keep: 1", "useful: perhaps", "useful must be true or false", ""),
        ("{name: arena, play: true}", "{nam: arena, play: true}", "unknown key 'nam'", "'name'"),
        ("from: [hand]", "from: [hnad]", "unknown zone 'hnad'", "'hand'"),
        ("to: arena", "to: arean", "unknown zone 'arean'", "'arena'"),
        ("cost: [{pitch: $self}]", "cost: [{pithc: $self}]", "unknown verb 'pithc'", "'pitch'"),
        ("cost: [{pitch: $self}]", "cost: [{move: $self}]", "unknown verb 'move'", "pitch"),
        ("of: {zone: hand}", "of: {zone: hnad}", "unknown zone", "'hand'"),
        ("cost: 1c", "cost: 1q", "unknown asset 'q'", ""),
        ("rows: [R-1]", "rows: [R-2]", "unknown row 'R-2'", "'R-1'"),
        ("implied_by: [a]", "implied_by: [z]", "unknown rule 'z'", ""),
        ("roles: [part.r]", "roles: [part.c]", "played by rule 'a'", ""),
        ('default: "no"', "default: maybe", "unknown reading 'maybe'", ""),
        ("assets.r.keep", "assets.r.kept", "unknown parameter 'kept'", ""),
        ("assets.r.keep", "assets.q.keep", "unknown parameter 'q'", ""),
        ('assets.r.keep: "0"', "assets.r.keep: none", "is not a value", ""),
        ("x.on_free: keep", "x.on_free: kept", "is not a value", ""),
        ("yields: {r: 3}", "yields: {q: 3}", "unknown asset 'q'", ""),
        ("cites: {one: 1.10", "cites: {noe: 1.10", "unknown document 'noe'", "'one'"),
        ("name: A small game", "nmae: A small game", "unknown key 'nmae'", "'name'"),
    ],
)
def test_faults(old: str, new: str, says: str, hint: str) -> None:
    found = faults(old, new)
    fitting = [f for f in found if says in f.message and hint in f.hint]
    assert fitting, found
    assert line(old) <= fitting[0].line <= line(old) + 1


def test_faults_of_structure_and_of_terms_come_together() -> None:
    text = SMALL.replace("keep: 1", "kepe: 1").replace("yields: {r: 3}", "yields: {q: 3}").replace("cost: 1c", "x: {r}")
    with pytest.raises(BadInput) as caught:
        read_ruleset(text, "small.yaml")
    assert {"kepe", "'q'", "'{r}'"} <= {
        word for f in caught.value.faults for word in f.message.replace("'kepe'", "kepe").split()
    }


@pytest.mark.parametrize(
    "text", ["", "a", "[]", "{}", "ruleset: x", "ruleset: [a]\nassets: 3\nrules: {}", "a: 1\n---\nb: 1"]
)
def test_no_ruleset(text: str) -> None:
    with pytest.raises(BadInput):
        read_ruleset(text)


def test_no_asset_at_all() -> None:
    with pytest.raises(BadInput, match="at least one asset"):
        read_ruleset("ruleset: a\nname: a\ndocuments: [{id: d, title: d, version: 1}]\nassets: []")


def test_readings_are_put_one_for_the_other() -> None:
    ruleset = small()
    yes = under(ruleset, "U1", "yes")
    assert (yes.asset("r").keep, yes.x.on_free, yes.asset("c").accepts) == (0, "keep", ("c", "r"))
    assert yes.readings["U1"] == "yes"
    no = under(yes, "U1", "no")
    assert (no.asset("r").keep, no.x.on_free, no.asset("c").accepts) == (1, "zero", ("c",))
    assert no == under(ruleset, "U1", "no")
    assert ruleset.asset("r").keep == 1


def test_readings_that_there_are_not() -> None:
    with pytest.raises(UnknownName):
        under(small(), "U2", "yes")
    with pytest.raises(UnknownName):
        under(small(), "U1", "perhaps")


def test_names_short_names_and_paths(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(SMALL, encoding="utf-8")
    assert load_ruleset(path) == load_ruleset(str(path)) == small()
    for id in shipped():
        ruleset = load_ruleset(id)
        assert ruleset.id == id
        assert all(load_ruleset(alias) is ruleset for alias in ruleset.aliases)


def test_unknown_rulesets_get_the_closest() -> None:
    name = shipped()[0]
    with pytest.raises(UnknownName) as caught:
        load_ruleset(name[:-1])
    assert caught.value.closest[0] == name
    with pytest.raises(BadInput, match="cannot be read"):
        load_ruleset("no/such.yaml")
