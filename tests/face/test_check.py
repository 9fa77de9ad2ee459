"""``lawful check``: what it prints, its JSON, its exit codes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import lawful
from lawful.cli import main
from lawful.model.casefile import read_cases
from lawful.model.frozen import FrozenMap

CARDS = """
Wolf: {types: [Ally]}
Bear: {types: [Ally], abilities: [{static: {cannot: {target: $self}}}]}
Bolt: {types: [Instant], cost: 1r, abilities: [{resolve: {do: [{destroy: {type: Ally, how: target}}]}}]}
Choice:
  types: [Instant]
  cost: "0"
  abilities:
    - resolve: {modes: {of: {hit: [{destroy: {type: Ally, how: target}}], wait: [draw]}}}
"""
KEYS = {
    "schema_version", "ruleset", "rules_version", "verdict", "count", "complete", "engine", "reasons", "legal_targets",
    "refused",
    "example", "repairs", "repairs_complete", "nearest", "nearest_complete", "obeyed", "assumed", "readings",
    "elapsed_ms",
}  # fmt: skip


@pytest.fixture
def cards(tmp_path: Path) -> str:
    path = tmp_path / "my.cards.yaml"
    path.write_text(CARDS, encoding="utf8")
    return str(path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


def test_legal(capsys: pytest.CaptureFixture[str], cards: str) -> None:
    code, out, _ = run(
        capsys, "check", "--game", "fab", "--cards", cards, "--play", "Bolt", "--in-play", "Wolf, Bear",
        "--hand", "blue", "--target", "Wolf",
    )  # fmt: skip
    assert code == 0
    assert out.startswith("legal: Bolt (1r); 1 choice\n")
    assert "target: Wolf" in out
    assert "choosing it is forbidden by Bear" in out
    assert "[CR 1.0.2]" in out
    assert "pitch blue" in out


def test_illegal_as_json(capsys: pytest.CaptureFixture[str], cards: str) -> None:
    code, out, _ = run(
        capsys, "check", "--game", "fab", "--cards", cards, "--play", "Bolt", "--in-play", "Wolf, Bear",
        "--hand", "blue", "--target", "Bear", "--json",
    )  # fmt: skip
    document = json.loads(out)
    assert code == 1
    assert set(document) == KEYS
    assert document["verdict"] == "illegal"
    assert document["complete"] is True
    ((member,),) = document["reasons"]
    assert (member["rule"], member["about"]) == ("1.0.2", ["Bear"])
    assert document["legal_targets"] == {"target": ["Wolf"]}
    assert document["refused"]["Bear"] == [["1.0.2"]]
    assert document["repairs"] == [{"change": "target: Wolf instead of Bear", "distance": 1}]


def test_a_payment_that_is_lacking(capsys: pytest.CaptureFixture[str], cards: str) -> None:
    code, out, _ = run(capsys, "check", "--game", "fab", "--cards", cards, "--play", "Bolt", "--in-play", "Wolf")
    assert code == 1
    assert "resource must be paid in full" in out
    assert "nearest position: 1 red more in hand" in out


def test_why_not_one_object(capsys: pytest.CaptureFixture[str], cards: str) -> None:
    asked = ("check", "--game", "fab", "--cards", cards, "--play", "Bolt", "--in-play", "Wolf, Bear", "--hand", "red")
    code, out, _ = run(capsys, *asked, "--why-not", "Bear")
    assert code == 1
    assert out.splitlines()[0] == "target: choosing Bear is forbidden by Bear [CR 1.0.2]"
    code, out, _ = run(capsys, *asked, "--why-not", "Wolf")
    assert (code, out) == (0, "target: Wolf may be chosen\n")
    code, _, err = run(capsys, *asked, "--why-not", "Wulf")
    assert code == 3
    assert "did you mean 'Wolf'" in err


def test_modes(capsys: pytest.CaptureFixture[str], cards: str) -> None:
    asked = ("check", "--game", "fab", "--cards", cards, "--play", "Choice", "--in-play", "Wolf", "--json")
    code, out, _ = run(capsys, *asked)
    assert (code, json.loads(out)["count"]) == (0, 2)
    code, out, _ = run(capsys, *asked, "--mode", "wait", "--target", "Wolf")
    document = json.loads(out)
    assert (code, document["reasons"][0][0]["rule"]) == (1, "5.1.4a")
    assert {repair["change"] for repair in document["repairs"]} == {"modes: hit"}
    code, _, err = run(capsys, *asked, "--mode", "hot")
    assert code == 3
    assert "unknown mode 'hot' (did you mean 'hit'?)" in err


def test_a_given_payment(capsys: pytest.CaptureFixture[str], cards: str) -> None:
    asked = ("check", "--game", "fab", "--cards", cards, "--play", "Bolt", "--in-play", "Wolf", "--hand", "red, red")
    code, _, _ = run(capsys, *asked, "--target", "Wolf", "--with", "red")
    assert code == 0
    code, out, _ = run(capsys, *asked, "--target", "Wolf", "--with", "red > red #2")
    assert code == 1
    assert "[CR 1.14.2d]" in out


def test_undetermined(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "two.case.yaml"
    path.write_text(
        """
case: two that must be chosen
ruleset: flesh-and-blood
cards: {Lure: {types: [Ally], abilities: [{static: {must: {target: $self}}}]}}
given: {players: {Nic: {}, Tyler: {arena: [Lure, Lure]}}, turn: Nic}
when: {player: Nic, do: [{destroy: {type: Ally, how: target}}], targets: Lure}
""",
        encoding="utf8",
    )
    code, out, _ = run(capsys, "check", str(path))
    assert code == 4
    assert out.splitlines()[0] == "undetermined: a text without a cost; the rules can be read in more than one way"
    assert "obeying Lure: legal" in out
    assert "obeying Lure #2: illegal" in out
    assert "    1. Lure #2 must be chosen, says Lure #2 [CR 1.0.2]" in out
    assert "    nearest legal change: target: Lure #2 instead of Lure" in out
    code, out, _ = run(capsys, "check", str(path), "--json")
    document = json.loads(out)
    assert document["repairs"] == []  # none is legal in both readings
    assert [len(reading["reasons"]) for reading in document["readings"].values()].count(1) == 1
    repairs = {name: [r["change"] for r in reading["repairs"]] for name, reading in document["readings"].items()}
    assert repairs == {"obeying Lure": [], "obeying Lure #2": ["target: Lure #2 instead of Lure"]}


OPEN = """
case: a text alone
ruleset: flesh-and-blood
cards: {Wolf: {types: [Ally]}}
given: {players: {Nic: {}, Tyler: {arena: [WHO]}}, turn: Nic}
when: {player: Nic, do: [{destroy: {type: Ally, how: target}}]}
"""


@pytest.mark.parametrize(("who", "code", "word"), [("Wolf", 0, "legal"), ("", 1, "illegal")])
def test_a_text_alone_is_asked_for_its_choices_and_for_what_comes_out(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, who: str, code: int, word: str
) -> None:
    path = tmp_path / "open.case.yaml"
    path.write_text(OPEN.replace("WHO", who), encoding="utf8")
    found, out, _ = run(capsys, "check", str(path))
    assert (found, out.partition(":")[0]) == (code, word)
    found, out, _ = run(capsys, "order", str(path), "--json")
    assert found == 0
    states = [outcome["state"] for outcome in json.loads(out)["outcomes"]]
    assert states == ([{"Wolf.zone": "graveyard"}] if who else [{}])


def test_bad_input(capsys: pytest.CaptureFixture[str], tmp_path: Path, cards: str) -> None:
    path = tmp_path / "bad.case.yaml"
    path.write_text(
        "case: bad\nruleset: fab\ncards: {Wolf: {types: [Ally]}}\n"
        "given: {players: {Nic: {arena: [Wolf]}}}\n"
        "when: {player: Nic, do: [{destroy: {type: Ally, how: target}}], targets: {taget: Wulf}}\n",
        encoding="utf8",
    )
    code, _, err = run(capsys, "check", str(path))
    assert code == 3
    assert "bad.case.yaml:5:" in err
    assert "unknown slot 'taget' (did you mean 'target'?)" in err
    code, _, err = run(capsys, "check", "--game", "fab")
    assert code == 2
    assert "what is declared?" in err
    code, _, err = run(capsys, "check", "--game", "fab", "--cards", cards, "--play", "Bolt", "--target", "Wulf")
    assert code == 3
    assert "unknown object" in err


LIMITED = """
case: an ability for one use
ruleset: flesh-and-blood
cards:
  Wolf: {types: [Ally], abilities: [{activate: {cost: 1r, limit: 1, do: [{tap: {type: Ally, how: target}}]}}]}
  Moss: {types: [Item], abilities: [{static: {stage: types, gain_types: Ally, of: {name: Moss}}}]}
given: {players: {Nic: {hand: [red], arena: [Wolf]}}, turn: Nic}
when: {player: Nic, activate: Wolf, ask: check}
"""


def test_an_ability_that_is_used_up() -> None:
    [case] = read_cases(LIMITED)
    assert lawful.check(case.question).status == "legal"
    position = replace(case.question.position, remaining=FrozenMap({"Wolf/0": 0}))
    verdict = lawful.check(replace(case.question, position=position))
    assert verdict.status == "illegal"
    assert [[because.role for because in reason] for reason in verdict.reasons] == [["limit"]]


NAMED = """
case: a word of the name
ruleset: flesh-and-blood
cards: {Moon Elf: {types: [Ally]}, Wolf: {types: [Ally]}}
given: {players: {Nic: {}, Tyler: {arena: [Moon Elf, Wolf]}}, turn: Nic}
when: {player: Nic, ask: check, do: [{destroy: {words: moon, how: target}}]}
"""


def test_a_target_by_a_word_of_its_name() -> None:
    [case] = read_cases(NAMED)
    offer = lawful.check(case.question).offers["target"]
    assert offer.legal == ("Moon Elf",)
    assert [because.role for because in offer.refused["Wolf"][0]] == ["fits.words"]


def test_what_effects_make_of_objects_is_seen() -> None:
    """Moss is an Ally by an effect of its own, unless it has lost its abilities; Wolf that has lost them has no use."""
    there = LIMITED.replace("[Wolf]}}, turn", "[Wolf, Moss]}}, turn")
    [case] = read_cases(there)
    assert lawful.check(case.question).offers["target"].legal == ("Wolf", "Moss")
    [case] = read_cases(there.replace("gain_types: Ally", "no_abilities: true"))
    verdict = lawful.check(case.question)
    assert verdict.offers["target"].legal == ("Wolf",)
    [case] = read_cases(there.replace("gain_types: Ally, of: {name: Moss}", "no_abilities: true, of: {type: Ally}"))
    verdict = lawful.check(case.question)
    assert [[because.role for because in reason] for reason in verdict.reasons] == [["from.lost"]]


PLAYED = """
case: the cost takes away what forbids a source
ruleset: flesh-and-blood
cards:
  Gate: {types: [Item], abilities: [{static: {cannot: {pitch: {name: red}}}}]}
  Wand:
    types: [Item]
    abilities: [{activate: {cost: [1r, {destroy: {name: Gate}}], do: [{destroy: {type: Ally, how: target}}]}}]
  Wolf: {types: [Ally]}
given: {players: {Nic: {hand: [HAND], arena: [Wand, Gate, Wolf]}}, turn: Nic}
when: {player: Nic, activate: Wand, ask: check}
"""


@pytest.mark.parametrize(("hand", "status"), [("red", "illegal"), ("blue", "legal")])
def test_a_payment_that_changes_what_is_read_is_played(hand: str, status: str) -> None:
    """Effect-costs are paid last, so Gate forbids red until then, though in the end it is gone."""
    [case] = read_cases(PLAYED.replace("HAND", hand))
    verdict = lawful.check(case.question)
    assert verdict.status == status
    assert verdict.complete == (status == "legal")  # what stopped a payment that was played need not be all there is
    assert verdict.offers["target"].legal == (("Wolf",) if status == "legal" else ())
    if status == "illegal":
        assert [near.distance for near in verdict.shortfalls] == [1] * len(verdict.shortfalls)
        assert {lack.kind for near in verdict.shortfalls for lack in near.changes} == {"card", "norm"}


def test_from_python() -> None:
    verdict = lawful.check(lawful.question("fab", cost="3c1r", hand="blue, blue"))
    assert verdict.status == "illegal"
    assert [[(lack.what, lack.n) for lack in near.changes] for near in verdict.shortfalls] == [[("Inner Chi", 1)]]
    with pytest.raises(TypeError, match="no truth value"):
        bool(verdict)


def test_a_fact_that_is_a_number_counts_as_one(tmp_path: Path) -> None:
    """Referee and solver alike: found by a sweep of a published pool."""
    text = """
case: a number of things done
ruleset: fab
cards:
  Mask: {types: [Equipment], abilities: [{activate: {cost: [{destroy: $self}], do: [{draw: 1}],
    when: {value: $controller.hits, ge: 3}}}]}
given: {players: {Ann: {facts: {hits: HITS}, arena: [Mask]}, Bob: {}}, turn: Ann}
when: {player: Ann, activate: Mask, ask: check}
"""
    for hits, status in (("2", "illegal"), ("3", "legal")):
        (case,) = read_cases(text.replace("HITS", hits))
        assert lawful.check(case.question).status == status


SHEET = """name,color,cost,pitch,types,text
Bolt,Red,1,1,"Generic, Action",{text}
Wolf,Red,2,1,"Generic, Ally",
"""


@pytest.mark.parametrize(
    ("text", "board", "verdict"),
    [
        ("Destroy target ally.", (), "illegal"),
        ("Destroy target ally.", ("--opposing", "Wolf (red)"), "legal"),
        ("Draw a card. Destroy target ally.", (), "illegal"),
        ("Draw a card.", (), "legal"),
    ],
)
def test_the_targets_of_a_sheet_are_judged_as_those_of_a_case(
    text: str, board: tuple[str, ...], verdict: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(SHEET.format(text=text))
    asked = ["--game", "fab", "--cards", str(sheet), "--play", "Bolt (red)", "--hand", "Bolt (red), red", *board]
    main(["check", *asked, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == verdict
    assert found.get("unread", []) == []
