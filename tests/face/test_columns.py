"""A designer's own columns, and cards in YAML: what is what, and what is said of slips."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawful.cards.columns import parse_columns
from lawful.cards.library import read_library
from lawful.cli import main
from lawful.model.effect import Additional
from lawful.model.errors import BadInput
from lawful.model.rulesets import load_ruleset

FAB = load_ruleset("flesh-and-blood")
TEXT = "As an additional cost to play this, discard a random card."
SHEET = f'Titel;Art;Kosten;"Text, neu";Farbe\nToll;Action;2;"{TEXT}";red\n'
COLUMNS = 'name=Titel, types=Art, cost=Kosten, text="Text, neu", color=Farbe'


def test_a_column_map_says_what_is_what(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(SHEET, encoding="utf8")
    assert FAB.card_file is not None
    card = read_library(path, FAB, parse_columns(COLUMNS, FAB.card_file)).find("Toll")
    assert card.name == "Toll (red)"
    assert card.types == ("Action", "red")
    assert isinstance(card.abilities[0], Additional)


@pytest.mark.parametrize(
    ("columns", "faults"),
    [
        ("nam=Titel", ["a card has no 'nam' (did you mean 'name'?)"]),
        ("name=Titl, types=Art", ["there is no column 'Titl' for name (did you mean 'Titel'?)"]),
        ("name", ["'name' is no pair"]),
        ("name=Titel, name=Art, types=Titel", ["'name' is said twice", "the column 'Titel' is said twice"]),
        ("", ["says nothing"]),
    ],
)
def test_slips_in_a_column_map_are_all_named(
    columns: str, faults: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(SHEET, encoding="utf8")
    assert main(["cards", str(path), "--game", "fab", "--columns", columns]) == 3
    err = capsys.readouterr().err
    assert [part for part in faults if part not in err] == []
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "text",
    [
        "- {name: Toll, types: [Action, Attack], cost: 2}\n- {name: Half}\n- 5\n- {name: Deep, types: {a: b}}\n",
        "cards:\n  Toll: {types: [Action, Attack], cost: 2}\n  Half: {cost: 1}\n  Odd: 5\n  Deep: {types: {a: b}}\n",
    ],
)
def test_cards_in_yaml_are_rows_with_their_lines(text: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf8")
    library = read_library(path, FAB)
    assert [library.title(record) for record in library.records] == ["Toll"]
    assert library.find("toll").types == ("Action", "Attack")
    assert len(library.faults) == 3
    assert all(fault.line > 0 for fault in library.faults)


@pytest.mark.parametrize("text", ["[[[[", "a: &a [x]\nb: *a\n", "5", "- [1, 2]\n"])
def test_what_is_no_list_of_cards_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf8")
    with pytest.raises(BadInput, match=r"mine\.yaml"):
        read_library(path, FAB)


HOSTILE = [
    ('name,types,text\nGood,Action,x\nA,Action,"unclosed\n', 1, 1),
    ("name,types\n" + "x" * 30_000 + ",Action\nGood,Action\n", 1, 1),
    ("name,types\nA\x00b,Action\nGood,Action\n", 1, 1),
    ("name\ttypes\nGood\tAction\nB\n", 1, 1),
    ("name,types,text\nGood,Action," + "If " * 3000 + "\n", 1, 0),
    ("name,types,text\nGood,Action," + "When this attacks and " * 40 + "draw a card.\n", 1, 0),
]


@pytest.mark.parametrize(("text", "kept", "faults"), HOSTILE)
def test_hostile_tables_keep_their_good_rows(text: str, kept: int, faults: int, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(text, encoding="utf8")
    library = read_library(path, FAB)
    assert (len(library), len(library.faults)) == (kept, faults)
    assert library.find("Good").abilities == ()


@pytest.mark.parametrize("missing", ["Functional Text", "Cost", "Pitch"])
def test_a_published_table_says_which_column_it_lacks(missing: str, tmp_path: Path) -> None:
    columns = ["Identifiers", "Name", "Pitch", "Cost", "Types", "Card Keywords", "Functional Text", "Image URLs"]
    header = [column for column in columns if column != missing]
    path = tmp_path / "card.csv"
    path.write_text("\t".join(header) + "\n" + "\t".join("x" for _ in header) + "\n", encoding="utf8")
    with pytest.raises(BadInput, match=f"there is no column '{missing}'"):
        read_library(path, FAB)
