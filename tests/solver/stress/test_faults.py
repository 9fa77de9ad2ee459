"""Faults that are put into innocent cards are found, confirmed, and shown by the smallest position."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from faults import FAULTS, Seeded, innocent, written

from lawful.model.stress import CHECKS
from lawful.stressing import Row, stress
from lawful.stressing.pool import Entry, Pool

SEEDS = range(20 if os.environ.get("LAWFUL_LONG") else 4)


def swept(seeded: Seeded, folder: Path) -> list[Row]:
    from lawful.model.rulesets import load_ruleset

    cards = written(seeded.cards, seeded.game, folder)
    pool = Pool(load_ruleset(seeded.game), {name: Entry(card) for name, card in cards.items()})
    found = stress(
        pool, game=pool.ruleset, only=seeded.group, checks=(seeded.check,), promises=seeded.promises,
        groups=len(seeded.group),
    )  # fmt: skip
    assert not [row["why"] for row in found.rows if "disagree" in row["why"] or "confirmed" in row["why"]]
    return found.findings


@pytest.mark.parametrize("check", CHECKS)
def test_faults_are_found_by_each_check(check: str, tmp_path: Path) -> None:
    missed = []
    for seed in SEEDS:
        seeded = FAULTS[check](random.Random(seed))
        found = swept(seeded, tmp_path)
        fits = [one for one in found if set(one["cards"]) == set(seeded.group)]
        if not fits or not all(one["confirmed_by_referee"] for one in fits):
            missed.append((seed, seeded.operator, [(one["cards"], one["item"]) for one in found]))
    assert not missed


@pytest.mark.parametrize("seed", range(10))
def test_a_hundred_innocent_cards_give_no_finding(seed: int, tmp_path: Path) -> None:
    from lawful.model.rulesets import load_ruleset

    cards = written(innocent(seed), "fab", tmp_path)
    assert len(cards) == 11
    pool = Pool(load_ruleset("fab"), {name: Entry(card) for name, card in cards.items()})
    found = stress(pool, game=pool.ruleset)
    assert [(one["check"], one["cards"], one["says"]) for one in found.findings] == []
    assert any(row["verdict"] == "clean" for row in found.rows)
