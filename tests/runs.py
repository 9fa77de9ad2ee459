"""Runs commands in this process."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lawful.cli import main


class Run:
    """Runs ``lawful pay`` in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        asked = "--cost" in arguments or "--play" in arguments
        game = ["--game", "fab"] if asked and "--game" not in arguments else []
        code = main(["pay", *game, *arguments])
        out, err = self.capsys.readouterr()
        assert "Traceback" not in err
        return code, out, err

    def json(self, *arguments: str) -> dict[str, Any]:
        code, out, _ = self(*arguments, "--json")
        document = json.loads(out)
        assert isinstance(document, dict)
        assert {"legal": 0, "illegal": 1, "undetermined": 4, None: 4}[document["verdict"]] == code
        return document
