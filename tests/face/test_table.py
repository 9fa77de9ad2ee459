"""Tables: aligned where nobody looks, drawn where somebody does."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from lawful.table import plain

DRAW = "from lawful.table import draw; draw(['3c', 'left'], [['Inner Chi [x]', '2r'], ['red', '-']])"


def test_columns_are_aligned_and_lines_end_where_they_end() -> None:
    assert plain(["3c", "left"], [["Inner Chi", "2r"], ["red", "-"]]) == [
        "3c         left",
        "Inner Chi  2r",
        "red        -",
    ]


def drawn_on_terminal(**environment: str) -> str:
    ours, theirs = pty.openpty()
    clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM", "FORCE_COLOR")}
    done = subprocess.Popen(
        [sys.executable, "-c", DRAW], stdout=theirs, env={**clean, "TERM": "xterm", "COLUMNS": "80", **environment}
    )
    os.close(theirs)
    read = b""
    while True:
        try:
            more = os.read(ours, 4096)
        except OSError:  # the other side has closed
            break
        if not more:
            break
        read += more
    os.close(ours)
    assert done.wait(timeout=60) == 0
    return read.decode()


def test_a_terminal_gets_a_frame() -> None:
    shown = drawn_on_terminal()
    assert "─" in shown
    assert "Inner Chi [x]" in shown


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_who_wants_no_colour_gets_plain_lines(environment: dict[str, str]) -> None:
    shown = drawn_on_terminal(**environment)
    assert shown.replace("\r\n", "\n") == "3c             left\nInner Chi [x]  2r\nred            -\n"


def test_a_pipe_gets_plain_lines() -> None:
    done = subprocess.run([sys.executable, "-c", DRAW], capture_output=True, text=True, check=True)
    assert done.stdout == "3c             left\nInner Chi [x]  2r\nred            -\n"
