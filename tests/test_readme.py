"""What the first page says, works as written."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from lawful.cli import main

TOP = Path(__file__).parent.parent
TEXT = (TOP / "README.md").read_text(encoding="utf8")
SHOWN = [tuple(part.split("\n", 1)) for part in re.findall(r"^```console\n\$ lawful (.*?)^```", TEXT, re.M | re.S)]
NAMED = sorted(set(re.findall(r"\]\(([^)#:]+)\)", TEXT)))


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command for command, _ in SHOWN])
def test_commands(
    command: str, output: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(TOP)
    assert main(shlex.split(command)) in (0, 1)
    out, err = capsys.readouterr()
    assert all(line.startswith("note: ") for line in err.splitlines()), err
    assert out
    if output:
        assert out == output


def test_python() -> None:
    [code] = re.findall(r"^```python\n(.*?)^```", TEXT, re.M | re.S)
    exec(compile(code, "README.md", "exec"), {})


def test_there_are_two_commands_for_a_newcomer() -> None:
    first, second = re.findall(r"^```sh\n(.*?)^```", TEXT, re.M | re.S)
    assert ".venv/bin/lawful pay" in first
    assert ".venv/bin/pytest" in second


@pytest.mark.parametrize("path", NAMED)
def test_what_is_linked_is_there(path: str) -> None:
    assert (TOP / path).exists()
