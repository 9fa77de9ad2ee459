"""Exceptions become exit codes and one line each, never a traceback."""

from __future__ import annotations

from collections.abc import Callable

import click
import pytest

from lawful.cli.guard import guarded
from lawful.model.errors import BadInput, Disagreement, Fault, LimitReached, UnknownName


def raising(error: BaseException) -> Callable[[], int]:
    def run() -> int:
        raise error

    return run


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (BadInput([Fault("odd", "f.yaml", 2, 3, "write it even")]), 3, "f.yaml:2:3: odd (write it even)"),
        (UnknownName("card", "bleu", ["blue"]), 3, "unknown card 'bleu'; did you mean 'blue'?"),
        (LimitReached("seconds", 2, "raise --seconds"), 4, "limit reached: seconds = 2; raise --seconds"),
        (Disagreement("one says so", None), 70, "referee and solver disagree: one says so"),
        (click.UsageError("not so"), 2, "Error: not so"),
        (MemoryError(), 4, "limit reached: memory; ask for less"),
        (KeyboardInterrupt(), 130, ""),
        (click.Abort(), 130, ""),
    ],
)
def test_codes(error: BaseException, code: int, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(raising(error)) == code
    assert capsys.readouterr().err.strip() == line


def test_every_fault_has_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    guarded(raising(BadInput([Fault("one", "f", 1, 1), Fault("two", "f", 2, 2)])))
    assert capsys.readouterr().err.splitlines() == ["f:1:1: one", "f:2:2: two"]


def test_a_bug_of_ours_is_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LAWFUL_DEBUG", raising=False)
    assert guarded(raising(ZeroDivisionError("by\nnothing"))) == 70
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "ZeroDivisionError: by nothing" in err
    assert "Traceback" not in err


def test_who_looks_for_a_bug_sees_where(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAWFUL_DEBUG", "1")
    assert guarded(raising(ZeroDivisionError())) == 70
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(("result", "code"), [(None, 0), (1, 1), (0, 0)])
def test_what_a_command_returns_is_its_code(result: int | None, code: int) -> None:
    assert guarded(lambda: result) == code
