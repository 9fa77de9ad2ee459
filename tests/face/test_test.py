"""``lawful test`` and the pytest plug-in: the same cases, the same failures."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lawful.cli import main

GOOD = """\
case: one chi card and one other
ruleset: flesh-and-blood
rows: [FAB-02]
given:
  players:
    Tyler: {hand: [Inner Chi, blue]}
  turn: Tyler
when: {player: Tyler, cost: "{c}{c}{c}{r}"}
then:
  verdict: legal
  count: 1
  ways: [{c: [Inner Chi], r: [blue], pool: {r: 2}}]
---
case: no chi at all
ruleset: flesh-and-blood
rows: [FAB-04-]
given:
  players:
    Tyler: {hand: [blue, blue]}
  turn: Tyler
when: {player: Tyler, cost: 3c}
then:
  verdict: illegal
  reasons: [1.14.2c]
"""
WRONG = GOOD.replace("count: 1", "count: 2")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "good.case.yaml").write_text(GOOD, encoding="utf8")
    (tmp_path / "deep" / "other.yaml").write_text("no: case", encoding="utf8")
    return tmp_path


def test_a_folder_is_run_and_every_expectation_holds(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(folder)]) == 0
    assert capsys.readouterr().out == "2 cases, 5 expectations: 2 passed, 0 failed\n"


def test_a_failure_says_what_was_expected_and_what_was_got(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "wrong.case.yaml"
    path.write_text(WRONG, encoding="utf8")
    assert main(["test", str(path)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"FAILED {path}:1: one chi card and one other",
        "  count: expected 2, got 1",
        "2 cases, 5 expectations: 1 passed, 1 failed",
    ]


def test_the_document(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "wrong.case.yaml").write_text(WRONG, encoding="utf8")
    assert main(["test", str(folder), "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["schema_version"], document["passed"], document["failed"]) == (1, 3, 1)
    [failed] = [case for case in document["cases"] if not case["passed"]]
    assert [check for check in failed["checks"] if not check["holds"]] == [
        {"what": "count", "expected": "2", "got": "1", "holds": False}
    ]


def test_only_some_cases(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(folder), "-k", "NO CHI"]) == 0
    assert capsys.readouterr().out.startswith("1 cases, 2 expectations")
    assert main(["test", str(folder), "-k", "nothing of that name"]) == 3


@pytest.mark.parametrize("content", ["", "case: x\nruleset: chess\n", "a: [\n", "\x00\x01"])
def test_unreadable_files_are_named_all_at_once(folder: Path, content: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("bad.case.yaml", "worse.case.yaml"):
        (folder / name).write_text(content, encoding="utf8")
    assert main(["test", str(folder)]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert "bad.case.yaml" in err
    assert "worse.case.yaml" in err
    assert "Traceback" not in err


def test_a_path_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", "nowhere.case.yaml"]) == 3
    assert "nowhere.case.yaml" in capsys.readouterr().err


def test_rows_lack_sides(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(folder), "--rows"]) == 1
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["FAB-02", "1", "0", "-"] in [line[:4] for line in lines]
    assert ["FAB-04", "0", "1", "+"] in [line[:4] for line in lines]


def test_a_row_that_nobody_knows(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "odd.case.yaml").write_text(GOOD.replace("FAB-02", "FAB-99"), encoding="utf8")
    assert main(["test", str(folder), "--rows", "--json"]) == 3
    assert "odd.case.yaml:3:8: unknown row 'FAB-99'" in capsys.readouterr().err


def test_mutation_releases_the_rules_of_every_illegal_case(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["test", str(folder), "--mutate", "--json"])
    document = json.loads(capsys.readouterr().out)
    assert document["released"] == 1
    assert [(found["row"], found["case"]) for found in document["mutations"]] == [("FAB-04", "no chi at all")]
    assert code == (1 if document["survivors"] else 0)


def test_pytest_collects_the_same_cases(folder: Path) -> None:
    (folder / "wrong.case.yaml").write_text(WRONG, encoding="utf8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=folder)
    assert done.returncode == 1
    assert "1 failed, 3 passed" in done.stdout
    assert "wrong.case.yaml::one chi card and one other" in done.stdout
    assert "    expected  2\n    got       1\n" in done.stdout
    assert "Traceback" not in done.stdout


def test_pytest_says_what_is_wrong_with_a_file(tmp_path: Path) -> None:
    (tmp_path / "bad.case.yaml").write_text("a: [\n", encoding="utf8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert done.returncode == 2
    assert "bad.case.yaml:" in done.stdout
    assert "Traceback" not in done.stdout
