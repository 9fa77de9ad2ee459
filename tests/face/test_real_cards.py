"""Questions over published cards, and the meanings of clauses checked by hand. They run where the card files are."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import yaml
import real

from lawful.cards import open_library
from lawful.cards.library import CardLibrary
from lawful.expectations import run
from lawful.model.casefile import read_cases
from lawful.model.rulesets import load_ruleset

DATA = Path(__file__).parents[1] / "data" / "real"


@cache
def library(game: str) -> CardLibrary:
    return open_library(real.folder(game) / real.FILE[game], load_ruleset(game))


@pytest.mark.parametrize("game", real.GAMES)
def test_questions_over_published_cards(game: str) -> None:
    folder = real.folder(game)
    text = (DATA / f"{game}.cases.yaml").read_text(encoding="utf8")
    cases = read_cases(text, file=game, open_library=lambda path, ruleset: library(game), folder=folder)
    assert len(cases) >= 20
    failed = [f"{case.name}: {check}" for case in cases for check in run(case) if not check.holds]
    assert failed == []
