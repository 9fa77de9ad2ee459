"""Questions over published cards, and the meanings of clauses checked by hand. They run where the card files are."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import real
import yaml

from lawful.cards import open_library
from lawful.cards.library import CardLibrary
from lawful.cards.skeleton import skeleton
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
    """Return the rows of the tables of all games: game, card, kind, which one, meaning."""
    rows = []
    for path in sorted(DATA.glob("*.checked.yaml")):
        game = path.name.removesuffix(".checked.yaml")
        rows += [(game, *row) for row in yaml.load(path.read_text(encoding="utf8"), yaml.BaseLoader)]
    assert len(rows) >= 780
    return rows


@pytest.mark.parametrize("game", real.GAMES)
def test_clauses_checked_by_hand(game: str) -> None:
    there, wrong = library(game), []
    rows = [row[1:] for row in rows_checked() if row[0] == game]
    assert len(rows) >= 390
    for card, kind, number, meaning in rows:
        read = [c for c in there.clauses(there.record(card), {kind})[0] if c.clause.kind == kind][int(number) - 1]
        said = read.meaning
        if read.clause.skeleton and isinstance(meaning, dict) and "events" in meaning:
            of = skeleton(said)
            said = {"kind": of.kind, "events": [*of.events], "reads": [*of.reads], "writes": [*of.writes]}
        if not read.read or said != meaning:
            wrong.append((card, kind, said, meaning))
    assert wrong == []


# What the shares of distinct clauses read must not fall below.
SHARES = {
    ("flesh-and-blood", "activated cost"): 0.97,
    ("flesh-and-blood", "additional cost"): 0.95,
    ("flesh-and-blood", "alternative cost"): 0.95,
    ("flesh-and-blood", "cost modifier"): 0.95,
    ("flesh-and-blood", "target phrase"): 0.85,
    ("flesh-and-blood", "restriction"): 0.85,
    ("marvel-champions", "arrow cost"): 0.95,
    ("marvel-champions", "resource ability"): 0.95,
    ("marvel-champions", "target phrase"): 0.85,
    ("marvel-champions", "restriction"): 0.85,
}


@pytest.mark.parametrize(("game", "kind"), SHARES)
def test_what_was_read_stays_read(game: str, kind: str) -> None:
    from lawful.cards.coverage import cover

    covered = cover(library(game), [kind]).kinds[kind]
    assert covered.share >= SHARES[game, kind]
    assert set(covered.read) <= set(covered.found)
