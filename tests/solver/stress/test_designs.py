"""Cards of designers who err, and innocent ones close to them: each fault is found, and nothing else is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lawful.model.rulesets import load_ruleset
from lawful.stressing import Row, stress
from lawful.stressing.pool import Pool, load_pool

DATA = Path(__file__).parents[2] / "data" / "stress"
POOL = {"fab": ("pitched", ("Wolf", "Bear", "Sage", "Rock")), "bh": ("coins", ("Rat",))}
# Numbers set to different values, set and tested, marked and tested: who hears the same event, in no order.
UNORDERED = ["N1a N1b", "N1a N5b", "N1b N5b", "N3i N6b", "N4i N6b"]
# Dead in a small pool; in the whole one an effect makes an ally stronger, and there is a weaker ally.
ELSEWHERE = ("D2", "S2")
FOUND = {
    "fab": {
        "unpayable": ["U2", "U5"],
        "dead": ["D2", "D5", "D8", "S2"],
        "looks-legal": ["D2 L3", "D2i L3", "L1 L3", "L3 X1"],
        "circle": ["C2", "C2i", "C3", "C4a C4b"],
        "endless": ["E1", "E3", "E1i P6"],
        "engine": ["G6", "G8", "G9", "P1 P2", "P3 P4", "P5 P6", "G1i P6", "G2i P6", "G6i P2"],
        "dominated": ["M1"],
        "wording": ["M1i", "P4", "W1"],
    },
    "bh": {
        "deadlock": ["K1", "K1 K3"],
        "unordered": UNORDERED,
        "wording": UNORDERED,
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def pools() -> dict[str, Pool]:
    return {game: load_pool([str(DATA / f"{name}.cards.yaml")], load_ruleset(game)) for game, (name, _) in POOL.items()}


def told(rows: list[Row]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for one in rows:
        assert one["confirmed_by_referee"], one
        found.setdefault(one["check"], set()).add(" ".join(sorted(one["cards"])))
    return found


@pytest.mark.parametrize(
    ("game", "check", "group"),
    [(game, check, group) for game, some in FOUND.items() for check, groups in some.items() for group in groups],
)
def test_a_fault_is_found(game: str, check: str, group: str, pools: dict[str, Pool]) -> None:
    names, pool = group.split(), pools[game]
    objects = {name: pool.entries[name] for name in dict.fromkeys((*names, *POOL[game][1]))}
    found = stress(Pool(pool.ruleset, objects), game=pool.ruleset, only=names, checks=(check,), groups=len(names))
    assert group in told(found.findings).get(check, set())


@pytest.mark.parametrize("game", sorted(FOUND))
def test_innocent_cards_are_told_nothing_of(game: str, pools: dict[str, Pool]) -> None:
    """Each card alone; in a long run every connected pair as well: just what is wrong is found."""
    wide = bool(os.environ.get("LAWFUL_LONG"))
    found = told(stress(pools[game], game=pools[game].ruleset, groups=2 if wide else 1).findings)
    wanted: dict[str, set[str]] = {}
    for check, groups in FOUND[game].items():
        wanted[check] = {group for group in groups if (wide or " " not in group) and group not in ELSEWHERE}
    assert found == {check: groups for check, groups in wanted.items() if groups}
