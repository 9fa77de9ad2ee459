"""Random positions beyond the bounds: found by a seed, shrunk, the same again."""

from __future__ import annotations

from pathlib import Path

import pytest
from faults import written

from lawful.model.rulesets import load_ruleset
from lawful.stressing import Row, stress
from lawful.stressing.pool import Entry, Pool

MANY = {"count": {"type": "Ally"}, "ge": 5}
STATIC = {
    "modify": "power", "stage": "increase", "add": {"count": {"type": "Ally"}}, "of": "$self",
    "while": {"every": [MANY, {"value": "$self.power", "le": 1}]},
}  # fmt: skip
CARDS = {"A": {"types": ["Ally"], "power": 1, "abilities": [{"static": STATIC}]}, "Wolf": {"types": ["Ally"]}}


def swept(folder: Path, random: int, seed: int = 0) -> list[Row]:
    cards = written(CARDS, "fab", folder)
    pool = Pool(load_ruleset("fab"), {name: Entry(card) for name, card in cards.items()})
    return stress(pool, game=pool.ruleset, only=["A"], checks=("circle",), groups=1, random=random, seed=seed).findings


def test_what_needs_more_than_the_bounds_is_found_by_chance_and_made_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lawful.solver.stress.needs.MOST_COPIES", 1)
    assert swept(tmp_path, 0) == []
    (found,) = swept(tmp_path, 30)
    assert found["size"]["objects"] == 5
    assert found["confirmed_by_referee"]
    assert swept(tmp_path, 30)[0]["case"] == found["case"]
