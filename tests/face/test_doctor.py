"""``lawful doctor`` says that all is well only where it is."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest

from lawful.cli import doctor_models, doctor_versions, doctoring, main
from lawful.model.rulesets import shipped

CARDS = str(Path(__file__).parent.parent / "data" / "cards.csv")


def ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    code = main(["doctor", "--json", *arguments])
    document = json.loads(capsys.readouterr().out)
    assert isinstance(document, dict)
    assert (code == 0) == document["ok"]
    return code, document


def failed(document: dict[str, Any]) -> dict[str, dict[str, str]]:
    return {one["name"]: one for one in document["findings"] if one["state"] == "failed"}


def test_all_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    code, document = ask(capsys, "--cards", CARDS)
    assert code == 0, failed(document)
    names = [one["name"] for one in document["findings"]]
    assert {"lawful", "Python", "ortools", "networkx", "numpy", "cases", f"cards {CARDS}"} <= set(names)
    assert {f"ruleset {name}" for name in shipped()} <= set(names)
    assert all(f"{known.name}, {how}" in names for known in doctor_models.MODELS for how in ("compiled", "proved"))


def test_a_table_says_so_too(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_models, "MODELS", doctor_models.MODELS[:1])
    assert main(["doctor"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "all is well"


def test_a_wrong_count_is_noticed_by_every_way_of_counting(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = doctor_models.Known("queens", doctor_models.MODELS[1].build, 5)
    monkeypatch.setattr(doctor_models, "MODELS", (wrong,))
    code, document = ask(capsys)
    assert code == 1
    assert list(failed(document)) == ["queens, enumerated", "queens, compiled", "queens, proved"]
    assert failed(document)["queens, compiled"]["found"] == "4 solutions instead of 5"


def test_a_solver_that_loses_solutions_is_noticed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    count = doctor_models.enumerated
    monkeypatch.setattr(doctor_models, "enumerated", lambda built: max(0, count(built) - 1))
    _, document = ask(capsys)
    assert "6 queens, enumerated" in failed(document)
    assert "6 queens, compiled" not in failed(document)


def test_a_library_that_is_missing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        if name == "networkx":
            raise PackageNotFoundError(name)
        return "1.0" if name == "ortools" else "999"

    monkeypatch.setattr(doctor_versions, "version", version)
    monkeypatch.setattr(doctor_models, "MODELS", ())
    code, document = ask(capsys)
    assert code == 1
    assert failed(document)["networkx"]["fix"].startswith("pip install -U 'networkx>=")
    assert failed(document)["ortools"]["found"] == "1.0, which is too old"


def test_a_solver_that_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "lawful.cli.doctor_models", None)
    (found,) = doctoring.self_test()
    assert found.state == "failed"


def test_optional_libraries_may_be_absent() -> None:
    found = doctor_versions._library("no-such-thing>=1; extra == 'more'")
    assert found is not None
    assert (found.state, found.fix) == ("absent", "pip install 'lawful[more]'")
    assert doctor_versions._library("no-such-thing>=1; extra == 'dev'") is None


def test_card_files_that_cannot_be_read(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_models, "MODELS", ())
    code, document = ask(capsys, "--cards", "no-such.csv", "--cards", CARDS, "--game", "flesh-and-blood")
    assert code == 1
    assert list(failed(document)) == ["cards no-such.csv"]
    assert "cannot be read" in failed(document)["cards no-such.csv"]["found"]


@pytest.mark.parametrize(("argv", "code"), [(["pay"], 69), (["doctor", "--json"], 0)])
def test_without_the_library_that_reads_options(
    argv: list[str], code: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor_models, "MODELS", ())
    assert doctoring.without_click(argv, ImportError("No module named 'click'", name="click")) == code
    out, err = capsys.readouterr()
    assert ("click" in err) == (code == 69)
    assert bool(out) == (code == 0)


def test_a_card_file_that_is_not_there_is_called_so_without_a_game(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor_models, "MODELS", doctor_models.MODELS[:1])
    (tmp_path / "noise.csv").write_bytes(bytes(range(256)))
    paths = [str(tmp_path / "no-such.csv"), str(tmp_path), str(tmp_path / "noise.csv")]
    _, document = ask(capsys, *(word for path in paths for word in ("--cards", path)))
    wrong = failed(document)
    assert list(wrong) == [f"cards {path}" for path in paths]
    assert all("cannot be read" in wrong[f"cards {path}"]["found"] for path in paths[:2])
    assert all("does not say how" not in one["found"] for one in wrong.values())


def test_every_library_is_named_once(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_models, "MODELS", doctor_models.MODELS[:1])
    _, document = ask(capsys)
    names = [one["name"] for one in document["findings"] if one["part"] == "versions"]
    assert len(names) == len(set(names))
