"""Card files of every kind: packs, a designer's own table, hostile ones; the starter; what the commands say."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from lawful.cards.library import read_libraries, read_library
from lawful.cards.records import MOST_LETTERS
from lawful.cli import main
from lawful.model.effect import Activated, Additional, Source
from lawful.model.errors import BadInput
from lawful.model.rulesets import load_ruleset

FAB, MC = "flesh-and-blood", "marvel-champions"
PACK = [
    {"code": "90001", "name": "Quiet Ledger", "type_code": "upgrade", "cost": 1, "resource_mental": 1,
     "text": "<b>Hero Resource</b>: Exhaust Quiet Ledger → generate a [wild] resource for a [[Tech]] card."},
    {"code": "90002", "name": "Tin Oracle", "type_code": "ally", "cost": -1, "resource_wild": 2, "traits": "Tech. Spy.",
     "is_unique": True, "text": "<b>Action</b>: Exhaust Tin Oracle and take 1 damage → draw 1 card."},
    {"code": "90003", "duplicate_of": "90001"},
]  # fmt: skip


def pack(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "pack.json"
    path.write_text(text, encoding="utf8")
    return path


def run(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def test_a_pack_becomes_cards_with_their_abilities(tmp_path: Path) -> None:
    library = read_library(pack(tmp_path, json.dumps(PACK)), load_ruleset(MC))
    assert list(library) == ["Quiet Ledger", "Tin Oracle"]
    ledger, oracle = library.find("Quiet Ledger"), library.find("90002")
    assert isinstance(ledger.abilities[0], Source)
    assert ledger.abilities[0].for_ is not None
    assert ledger.abilities[0].for_.type == ("Tech",)
    assert {"ally", "Tech", "Spy", "unique"} <= set(oracle.types)
    assert dict(oracle.yields or {}) == {"w": 2}
    assert isinstance(oracle.abilities[0], Activated)
    assert oracle.abilities[0].types == ("Action",)


def test_provenance_is_kept(tmp_path: Path) -> None:
    path = pack(tmp_path, json.dumps(PACK, indent=1))
    record = read_library(path, load_ruleset(MC)).record("Tin Oracle")
    assert record.file == str(path)
    assert '"90002"' in path.read_text(encoding="utf8").splitlines()[record.line]


@pytest.mark.parametrize(
    ("text", "faults", "kept"),
    [
        (json.dumps(PACK)[:-140], ["not JSON from here"], 1),
        (json.dumps([*PACK, 5, {"name": "Nameless"}]), ["a card is a mapping", "no type_code"], 2),
        (json.dumps([{**PACK[0], "text": "x" * (MOST_LETTERS + 1)}, PACK[1]]), ["text is longer than"], 1),
        (json.dumps([{**PACK[0], "name": "a\u0000b"}, PACK[1]]), ["zero byte"], 1),
    ],
)
def test_a_faulty_pack_keeps_the_good_cards(tmp_path: Path, text: str, faults: list[str], kept: int) -> None:
    library = read_library(pack(tmp_path, text), load_ruleset(MC))
    assert len(library) == kept
    assert [any(part in str(fault) for fault in library.faults) for part in faults] == [True] * len(faults)
    assert len(library.faults) == len(faults)


@pytest.mark.parametrize("text", ["", "{}", "[" * 100_000, "nonsense", '[{"name": '])
def test_what_is_no_pack_is_refused_without_a_traceback(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadInput, match=r"pack\.json"):
        read_library(pack(tmp_path, text), load_ruleset(MC))


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_of_ones_own(tmp_path: Path, separator: str) -> None:
    rows = [["Name", "Cost", "Type", "Pitch", "Text"], ["Ember Toll", "2", "Action", "1", "{text}"]]
    text = "As an additional cost to play this, discard a random card."
    path = tmp_path / "mine.csv"
    path.write_text("\n".join(separator.join(row) for row in rows).replace("{text}", f'"{text}"'), encoding="utf-16")
    card = read_library(path, load_ruleset(FAB)).find("ember toll")
    assert isinstance(card.abilities[0], Additional)


def test_a_table_may_speak_of_the_cards_of_another(tmp_path: Path) -> None:
    own, pool = tmp_path / "own.csv", tmp_path / "pool.csv"
    own.write_text(
        'name,types,text\nToll,Action,"As an additional cost to play this, destroy a Bent Penny you control."\n'
    )
    pool.write_text("name,types\nBent Penny,Token\n")
    rules = load_ruleset(FAB)
    assert read_library(own, rules).find("Toll").abilities == ()
    assert len(read_libraries([own, pool], rules)[0].find("Toll").abilities) == 1


def test_what_is_not_read_is_kept_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.csv"
    path.write_text('name,types,cost,text\nRiddle,Action,1,"This costs {r} less to play on odd days."\n')
    code, out, err = run("cards", str(path), "--game", "fab", "--coverage", "--json", capsys=capsys)
    kinds = {kind["kind"]: kind for kind in json.loads(out)["kinds"]}
    assert (code, err) == (0, "")
    assert kinds["cost modifier"]["distinct"] == {"found": 1, "read": 0, "played": 0}
    assert kinds["cost modifier"]["not_read"][0]["card"] == "Riddle"
    code, out, err = run(
        "pay", "--game", "fab", "--cards", str(path), "--play", "Riddle", "--hand", "blue", capsys=capsys
    )
    assert (code, err) == (4, "")
    assert "not read" in out
    assert "odd days" in out


def test_no_clause_has_no_share(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.csv"
    path.write_text('name,types,text\nPlain,Action,"As an additional cost to play this, discard a card."\n')
    _, out, _ = run("cards", str(path), "--game", "fab", "--coverage", capsys=capsys)
    rows = {line.partition("  ")[0]: line.split() for line in out.splitlines() if "  " in line}
    assert rows["additional cost"][-3:] == ["100.0", "1", "(1)"]
    assert rows["alternative cost"][-3:] == ["-", "0", "(0)"]
    code, out, _ = run("cards", str(path), "--game", "fab", "--coverage", "--json", capsys=capsys)
    shares = {kind["kind"]: kind["share"] for kind in json.loads(out)["kinds"]}
    assert (code, shares["additional cost"], shares["alternative cost"]) == (0, 1.0, None)


def test_a_faulty_row_is_listed_and_the_rest_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("name,types,cost\nFine,Action,1\nOdd,Action,many\nGood,Action,X\n")
    code, out, err = run("cards", str(path), "--game", "fab", capsys=capsys)
    assert code == 3
    assert "3 cards" in out
    assert f"{path}:3:3: Odd: cost is 'many'" in err


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("name,types,types\nFine,Action,Action\n")
    with pytest.raises(BadInput, match="two columns are called 'types'"):
        read_library(path, load_ruleset(FAB))


@pytest.mark.parametrize("game", [FAB, MC, "berserk-heroes"])
def test_the_starter_is_green(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "mine"
    code, out, _ = run("new", str(folder), "--game", game, capsys=capsys)
    assert code == 0
    assert len(list((folder / "cases").glob("*.case.yaml"))) == 3
    assert (folder / ".github" / "workflows" / "cards.yml").exists()
    code, out, _ = run("test", str(folder), capsys=capsys)
    assert (code, "0 failed" in out) == (0, True)
    if load_ruleset(game).card_file is None:  # its cards are written with their abilities, and no text is read
        assert not (folder / "cards.csv").exists()
        code, out, _ = run(
            "stress", str(folder / "set.cards.yaml"), "--game", game, "--card", "Marsh Wolf", capsys=capsys
        )
    else:
        code, out, _ = run("cards", str(folder / "cards.csv"), "--game", game, "--coverage", "--json", capsys=capsys)
    assert code == 0


def test_every_shipped_game_has_a_starter() -> None:
    there = {path.name for path in (Path(__file__).parents[2] / "model/rulesets/starters").iterdir()}
    assert there == {path.stem for path in (Path(__file__).parents[2] / "model/rulesets").glob("*.yaml")}


@pytest.mark.parametrize("game", [FAB, "berserk-heroes"])
@pytest.mark.parametrize("way", ["empty", "here", "link", "dangling", "slash"])
def test_a_starter_is_written_into_an_empty_folder(
    game: str, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    name = str(folder)
    if way == "here":
        monkeypatch.chdir(folder)
        name = "."
    elif way in ("link", "dangling"):
        (tmp_path / "other").symlink_to(folder)
        name = str(tmp_path / "other")
        if way == "dangling":
            folder.rmdir()
    elif way == "slash":
        name = f"{folder}/"
    code, _, err = run("new", name, "--game", game, capsys=capsys)
    if way == "dangling":
        assert (code, "link" in err, folder.exists()) == (3, True, False)
        return
    assert (code, err) == (0, "")
    assert (folder / "cases" / "costs.case.yaml").exists()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".lawful")] == []
    assert run("test", str(folder), capsys=capsys)[0] == 0


def test_where_the_starter_cannot_be_finished_the_folder_stays_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    moved: list[object] = []

    def failing(source: object, target: object) -> None:
        if moved:
            raise OSError(28, "No space left on device")
        moved.append(source)
        rename(source, target)  # type: ignore[arg-type]

    rename = os.rename
    folder = tmp_path / "mine"
    folder.mkdir()
    monkeypatch.setattr("lawful.cards.starter.os.rename", failing)
    code, _, err = run("new", str(folder), "--game", FAB, capsys=capsys)
    assert (code, "No space left" in err, len(moved)) == (3, True, 1)
    assert list(folder.iterdir()) == []


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    code, _, err = run("new", str(tmp_path), "--game", "fab", capsys=capsys)
    assert code == 3
    assert "is not empty" in err
    assert [p.name for p in tmp_path.iterdir()] == ["mine.txt"]


def test_help_says_what_there_is() -> None:
    from lawful.cli.cards import command

    assert "--coverage" in CliRunner().invoke(command, ["--help"]).output


MINE = (
    "name,types,cost,text\n"
    'Paid,"Generic, Action",3,"You may destroy 2 Zinc Sow you control rather than pay Paid\'s {r} cost."\n'
)
USING = """case: texts of one file name cards of another
ruleset: flesh-and-blood
use: [mine.csv, {second}]
given: {{players: {{Ann: {{hand: [Paid], arena: [{{card: Zinc Sow, n: {n}}}]}}}}}}
when: {{player: Ann, play: Paid, options: [alternative cost]}}
then: {{verdict: {verdict}}}
"""


@pytest.mark.parametrize(("n", "verdict"), [(2, "legal"), (1, "illegal")])
def test_a_case_that_uses_two_files_reads_their_texts_together(
    n: int, verdict: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.csv").write_text(MINE)
    (tmp_path / "tokens.csv").write_text('name,types\nZinc Sow,"Generic, Token, Item"\n')
    case = USING.format(second="tokens.csv", n=n, verdict=verdict)
    alone = case.replace("tokens.csv", "mine.csv").replace(f"{{card: Zinc Sow, n: {n}}}", "")
    (tmp_path / "a.case.yaml").write_text(f"{case}---\n{alone}---\n{case}")
    _, out, err = run("test", str(tmp_path), capsys=capsys)
    assert "Traceback" not in err
    assert out.count("FAILED") == out.count("a.case.yaml:8") == 1  # the file alone does not know what it speaks of


def test_what_stands_behind_the_list_of_a_pack_is_a_fault(tmp_path: Path) -> None:
    path = pack(tmp_path, json.dumps(PACK[:2], indent=1) + "\n\n")
    assert read_library(path, load_ruleset(MC)).faults == ()
    line = path.read_text().count("\n") + 1
    path.write_text(path.read_text() + '[{"code": "3"}]\n')
    library = read_library(path, load_ruleset(MC))
    assert len(library) == 2
    (fault,) = library.faults
    assert ("behind the list" in fault.message, fault.line) == (True, line)


@pytest.mark.parametrize("game", [FAB])
def test_json_is_refused_with_what_is_expected(game: str, tmp_path: Path) -> None:
    path = tmp_path / "card.json"
    path.write_text('[{"name": "Bolt", "types": ["Action"], "functional_text_plain": "Draw a card."}]')
    with pytest.raises(BadInput) as refused:
        read_library(path, load_ruleset(game))
    (fault,) = refused.value.faults
    assert "not read from JSON" in fault.message
    assert "'Functional Text'" in fault.hint


@pytest.mark.parametrize("game", [FAB, MC])
def test_every_key_of_a_sheet_in_yaml_is_used_or_a_fault(game: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "- {name: Bolt, Types: Action, cost: 1, text: '', Unread: Frobnicate the quux.}\n"
        "- {name: Zap, types: Action, cots: 1}\n"
        "- {name: Zip, types: Action, flavour text: hm}\n"
    )
    library = read_library(path, load_ruleset(game))
    assert [clause.text for clause in library.find("Bolt").unread] == ["Frobnicate the quux."]
    assert list(library) == ["Bolt"]
    assert [(fault.line, fault.message) for fault in library.faults] == [
        (2, "a card has no 'cots'"),
        (3, "a card has no 'flavour text'"),
    ]
    assert "'cost'" in library.faults[0].hint


def test_two_cards_of_one_name_in_two_files_are_told_with_their_rows(tmp_path: Path) -> None:
    from lawful.stressing.pool import load_pool

    (tmp_path / "a.csv").write_text("name,types,cost\nZap,Action,1\nBolt,Action,1\n")
    (tmp_path / "b.csv").write_text("name,types,cost\nBolt,Action,2\n")
    pool = load_pool([str(tmp_path / "a.csv"), str(tmp_path / "b.csv")], load_ruleset(FAB))
    (fault,) = pool.faults
    assert (Path(fault.file).name, fault.line) == ("b.csv", 2)
    assert f"line 3 of {tmp_path / 'a.csv'}" in fault.message
