"""Questions over published cards, and the meanings of clauses checked by hand. They run where the card files are."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import real
import yaml

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


def rows_checked() -> list[tuple[str, str, str, str, object]]:
    """Return the rows of both tables: game, card, kind, which one, meaning."""
    both = yaml.load((DATA / "checked.yaml").read_text(encoding="utf8"), yaml.BaseLoader)
    one = yaml.load((DATA / "marvel-champions.checked.yaml").read_text(encoding="utf8"), yaml.BaseLoader)
    assert len(one) == 200
    return [*map(tuple, both), *(("marvel-champions", *row) for row in one)]


def test_clauses_checked_by_hand() -> None:
    rows = rows_checked()
    assert len(rows) >= 290
    wrong = []
    for game, card, kind, number, meaning in rows:
        there = library(game)
        found = [c for c in there.clauses(there.record(card), ())[0] if c.clause.kind == kind][int(number) - 1]
        assert there.reader is not None
        read = there.reader.clause(found.clause)
        if not read.read or read.meaning != meaning:
            wrong.append((card, kind, read.meaning, meaning))
    assert wrong == []


# What the shares of distinct clauses read must not fall below.
SHARES = {
    ("flesh-and-blood", "activated cost"): 0.97,
    ("flesh-and-blood", "additional cost"): 0.90,
    ("flesh-and-blood", "alternative cost"): 0.80,
    ("flesh-and-blood", "target phrase"): 0.75,
    ("marvel-champions", "arrow cost"): 0.87,
    ("marvel-champions", "resource ability"): 0.94,
    ("marvel-champions", "target phrase"): 0.72,
    ("marvel-champions", "restriction"): 0.58,
}


@pytest.mark.parametrize(("game", "kind"), SHARES)
def test_what_was_read_stays_read(game: str, kind: str) -> None:
    from lawful.cards.coverage import cover

    covered = cover(library(game), [kind]).kinds[kind]
    assert covered.share >= SHARES[game, kind]
    assert set(covered.read) <= set(covered.found)
