"""The command line where its streams are narrow, closed or full, and where JSON is asked for and there is no answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from lawful.cli import guard, main
from lawful.cli.group import COMMANDS
from lawful.cli.streams import ESCAPES
from lawful.document import SCHEMA_VERSION

CASE = """case: Æther
ruleset: flesh-and-blood
cards: {"Æther 🂡": {yields: {r: 3}}}
given: {players: {T: {hand: ["Æther 🂡"]}}}
when: {cost: 1r}
"""
PAY = [sys.executable, "-m", "lawful.cli", "pay"]


@pytest.fixture
def case(tmp_path: Path) -> str:
    path = tmp_path / "a.case.yaml"
    path.write_text(CASE, "utf8")
    return str(path)


def shell(line: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    found = subprocess.run(
        ["sh", "-c", f'"$@" {line}', "sh", *arguments],
        capture_output=True, text=True, encoding="utf8", check=False, env={**os.environ, **environment},
    )  # fmt: skip
    assert "Traceback" not in found.stderr
    assert "bug of ours" not in found.stderr
    return found


def test_letters_that_cannot_be_shown(case: str) -> None:
    found = shell("", *PAY, case, PYTHONIOENCODING="ascii")
    assert (found.returncode, found.stderr) == (0, "")
    assert "\\u00c6ther \\ud83c\\udca1" in found.stdout


def test_json_stays_json_there(case: str) -> None:
    found = shell(f"< {case}", *PAY, "-", "--json", PYTHONIOENCODING="ascii")
    assert found.stdout.isascii()
    assert json.loads(found.stdout)["ways"][0]["sources"] == ["Æther 🂡"]


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_escapes_are_valid_in_json(encoding: str) -> None:
    text = "Æ “quoted” 🂡 \udcff"
    shown = json.dumps(text, ensure_ascii=False).encode(encoding, ESCAPES).decode(encoding)
    assert json.loads(shown) == text


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no full device")
@pytest.mark.parametrize("arguments", [["--cost", "0"], ["--cost", "0", "--json"], ["--help"]])
def test_no_room_for_the_answer(arguments: list[str]) -> None:
    found = shell("> /dev/full", *PAY, "--game", "fab", *arguments)
    assert found.returncode == 74
    assert found.stderr == "lawful: standard output: No space left on device\n"


def test_output_closed(case: str) -> None:
    found = shell(">&-", *PAY, case)
    assert (found.returncode, found.stderr) == (74, "lawful: standard output: it is closed\n")


def test_input_closed() -> None:
    found = shell("<&-", *PAY, "-")
    assert (found.returncode, found.stderr) == (3, "-: cannot be read: standard input is closed\n")


def test_errors_closed() -> None:
    found = shell("2>&-", *PAY, "--game", "fab", "--cost", "0", "--hand", "blou")
    assert (found.returncode, found.stdout, found.stderr) == (3, "", "")


def test_input_that_is_no_text() -> None:
    found = subprocess.run([*PAY, "-"], input=b"case: \xff", capture_output=True, check=False)
    assert found.returncode == 3
    assert found.stderr.startswith(b"-:1:7: the character U+DCFF is not text")


@pytest.mark.parametrize("arguments", [[], ["pay"]])
def test_help_that_nobody_reads(arguments: list[str]) -> None:
    program = [sys.executable, "-m", "lawful.cli", *arguments, "--help"]
    reader, writer = os.pipe()
    os.close(reader)
    try:
        found = subprocess.run(program, stdout=writer, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(writer)
    assert (found.returncode, found.stderr) == (guard.READER_GONE, b"")


@pytest.mark.parametrize(
    ("arguments", "code", "kind"),
    [
        (["pay", "--json"], 2, "usage"),
        (["pay", "--cost", "0", "--sconds", "2", "--json"], 2, "usage"),
        (["pay", "--game", "fab", "--cost", "1r", "--hand", "blou", "--json"], 3, "input"),
        (["pay", "--game", "chess", "--cost", "1r", "--json"], 3, "input"),
        (["test", "no-such.case.yaml", "--json"], 3, "input"),
    ],
)
def test_no_answer_as_json(arguments: list[str], code: int, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == code
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert (document["schema_version"], document["verdict"]) == (SCHEMA_VERSION, None)
    assert (document["error"]["kind"], document["error"]["exit"]) == (kind, code)
    assert document["error"]["message"] in err
    assert all(fault["message"] in err for fault in document["error"]["faults"])
    assert bool(document["error"]["faults"]) == (kind == "input")


def test_no_json_unless_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pay", "--game", "chess", "--cost", "1r"]) == 3
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", COMMANDS)
def test_no_number_is_nan(name: str) -> None:
    command = import_module(COMMANDS[name][0]).command
    for parameter in command.params:
        if isinstance(parameter.type, click.types.FloatParamType):
            with pytest.raises(click.BadParameter):
                parameter.type.convert("nan", parameter, None)
        assert parameter.name != "seconds" or isinstance(parameter.type, click.types.FloatParamType)


def test_a_missing_library_is_no_bug(capsys: pytest.CaptureFixture[str]) -> None:
    def run() -> int:
        raise ModuleNotFoundError("No module named 'lark'", name="lark.parsers")

    assert guard.guarded(run) == guard.NOT_INSTALLED
    err = capsys.readouterr().err
    assert err == "lawful: the library 'lark' is missing or too old (`lawful doctor` says what to install)\n"


def test_a_file_that_cannot_be_written_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    def run() -> int:
        raise PermissionError(13, "Permission denied", "out.svg")

    assert guard.guarded(run) == 74
    assert capsys.readouterr().err == "lawful: out.svg: Permission denied\n"
