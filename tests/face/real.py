"""Where published card files are: LAWFUL_DATA, or the folder `shared/data` beside the checkout."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

HERE = Path(__file__)
GAMES = ("flesh-and-blood", "marvel-champions")
FILE = {"flesh-and-blood": "card.csv", "marvel-champions": "pack"}


def folder(game: str) -> Path:
    """Return the folder of a game's card files, or skip the test."""
    named = os.environ.get("LAWFUL_DATA")
    places = [Path(named)] if named else [parent / "shared" / "data" for parent in HERE.parents]
    for place in places:
        if (place / game / FILE[game]).exists():
            return place / game
    pytest.skip("no published card files: set LAWFUL_DATA")
