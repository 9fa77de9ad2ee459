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


def test_clauses_checked_by_hand() -> None:
    rows = yaml.load((DATA / "checked.yaml").read_text(encoding="utf8"), yaml.BaseLoader)
    assert len(rows) >= 50
    wrong = []
    for game, card, kind, number, meaning in rows:
        there = library(game)
        clauses = [c for c in there.clauses(there.record(card), {kind})[0] if c.clause.kind == kind]
        found = clauses[int(number) - 1]
        if not found.read or found.meaning != meaning:
            wrong.append((card, kind, found.meaning, meaning))
    assert wrong == []


def test_clauses_of_flesh_and_blood_checked_by_hand() -> None:
    rows = yaml.load((DATA / "flesh-and-blood.checked.yaml").read_text(encoding="utf8"), yaml.BaseLoader)
    assert len(rows) == 200
    there, wrong = library("flesh-and-blood"), []
    for card, kind, number, meaning in rows:
        found = [c for c in there.clauses(there.record(card), {kind})[0] if c.clause.kind == kind][int(number) - 1]
        said = found.meaning
        if found.clause.skeleton:
            of = skeleton(said)
            said = {"kind": of.kind, "events": [*of.events], "reads": [*of.reads], "writes": [*of.writes]}
        if not found.read or said != meaning:
            wrong.append((card, kind, said, meaning))
    assert wrong == []


# What the shares of distinct clauses read must not fall below.
SHARES = {
    ("flesh-and-blood", "activated cost"): 0.97,
    ("flesh-and-blood", "additional cost"): 0.95,
    ("flesh-and-blood", "alternative cost"): 0.95,
    ("flesh-and-blood", "cost modifier"): 0.95,
    ("flesh-and-blood", "target phrase"): 0.85,
    ("flesh-and-blood", "restriction"): 0.75,
    ("marvel-champions", "arrow cost"): 0.80,
    ("marvel-champions", "resource ability"): 0.85,
}


@pytest.mark.parametrize(("game", "kind"), SHARES)
def test_what_was_read_stays_read(game: str, kind: str) -> None:
    from lawful.cards.coverage import cover

    covered = cover(library(game), [kind]).kinds[kind]
    assert covered.share >= SHARES[game, kind]
    assert set(covered.read) <= set(covered.found)
