"""What a text asks about how objects are related to others is laid out: attached ones, bearers, traits in common."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from faults import written

from lawful.model.rulesets import load_ruleset
from lawful.solver.stress import scenes
from lawful.stressing import stress
from lawful.stressing.pool import Entry, Pool

FAB = load_ruleset("fab")
MC = load_ruleset("mc")
ALLY = {"types": ["ally", "Brute"]}
AVENGER = {"types": ["ally", "Avenger"]}
HERO = {"types": ["hero", "Brute"]}
TRAINING = {"types": ["Training", "upgrade"]}
ENERGY = {"types": ["resource"], "yields": {"e": 1}}
MINION = {"types": ["minion"]}


def bearing(kind: str) -> dict[str, Any]:
    return {"pick": {"zone": "play", "type": "ally", "bears": {"attached": {"type": [kind, "upgrade"]}}}}


NEAR = {
    "discard": {"zone": "play", "type": "upgrade", "whose": "chosen", "relations": {"attached": {"type": "minion"}}}
}
UNTIL = {"discard": {"zone": "deck", "owner": "$controller", "until": {"type": "ally"}, "how": "top"}}
SHARES = {
    "exhaust": {
        "zone": "play", "type": "ally", "controller": "$controller", "n": 3, "shares": {"zone": "play", "type": "hero"},
    }
}  # fmt: skip


@pytest.mark.parametrize(
    ("cost", "others", "verdict"),
    [
        (bearing("Training"), {"A": ALLY, "T": TRAINING}, "clean"),
        (bearing("Spell"), {"A": ALLY, "T": TRAINING}, "finding"),
        (NEAR, {"M": MINION, "T": TRAINING}, "clean"),
        (NEAR, {"A": ALLY, "T": TRAINING}, "finding"),
        (UNTIL, {"A": ALLY}, "clean"),
        (UNTIL, {"M": MINION}, "finding"),
        (SHARES, {"A": ALLY, "B": AVENGER, "H": HERO}, "clean"),
        (SHARES, {"B": AVENGER, "H": HERO}, "finding"),
    ],
)
def test_a_cost_of_related_objects(cost: dict[str, Any], others: dict[str, Any], verdict: str, tmp_path: Path) -> None:
    text = [{"activate": {"cost": [cost], "do": [{"draw": 1}]}}]
    read = written({"K": {"types": ["event"], "cost": "0r", "abilities": text}, **others}, "mc", tmp_path)
    pool = Pool(MC, {name: Entry(card) for name, card in read.items()})
    (row,) = stress(pool, game=MC, only=["K"], checks=("unpayable",), groups=1).rows
    assert row["verdict"] == verdict
    assert all(one["confirmed_by_referee"] for one in row["findings"])


TURNED = {"cost": [{"turn_up": "$self"}], "do": [{"draw": 1}]}


@pytest.mark.parametrize(
    ("lies", "verdict"),
    [
        ({"face": "down"}, "clean"),
        ({"face": "down", "zone": ["arsenal"]}, "clean"),
        ({}, "finding"),  # it lies face up, and cannot be turned so
    ],
)
def test_a_card_lies_as_its_ability_is_used(lies: dict[str, Any], verdict: str, tmp_path: Path) -> None:
    card = {"types": ["Equipment"], "abilities": [{"activate": {**TURNED, **lies}}]}
    read = written({"Veil": card}, "fab", tmp_path)
    pool = Pool(FAB, {name: Entry(card) for name, card in read.items()})
    (row,) = stress(pool, game=FAB, checks=("unpayable",), groups=1).rows
    assert row["verdict"] == verdict
    assert all(one["confirmed_by_referee"] for one in row["findings"])


TRAININGS = {"zone": "play", "type": "Training", "controller": "$controller"}
NEITHER = {"every": [{"count": TRAININGS, "ge": 1}, {"count": {"zone": "play", "type": "minion"}, "ge": 1}]}


@pytest.mark.parametrize(
    ("most", "banned", "verdict"),
    [
        (96, {"count": TRAININGS, "ge": 2}, "clean"),
        (1, {"count": TRAININGS, "ge": 2}, "clean"),  # nothing lies about, or one kind alone: asked all the same
        (1, {"not": {"count": TRAININGS, "eq": 1}}, "clean"),
        (96, {"not": NEITHER}, "clean"),
        (1, {"not": {"every": [*NEITHER["every"], {"not": {"count": TRAININGS, "ge": 2}}]}}, "not checked"),
        (1, {"not": {"some": NEITHER["every"]}}, "clean"),
        (1, {"not": {"count": TRAININGS, "eq": 7}}, "clean"),
        (96, {"count": TRAININGS, "ge": 0}, "finding"),
        (1, {"count": TRAININGS, "ge": 0}, "not checked"),
    ],
)
def test_never_is_not_said_where_not_all_classes_were_looked_at(
    most: int, banned: dict[str, object], verdict: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scenes, "MOST_SCENES", most)
    text = [{"static": {"cannot": {"play": "$self"}, "while": banned}}]
    name = f"K {most} {banned}"  # what was laid out for equal cards is kept
    read = written(
        {name: {"types": ["event"], "cost": "1r", "abilities": text}, "T": TRAINING, "M": MINION, "R": ENERGY},
        "mc",
        tmp_path,
    )
    pool = Pool(MC, {name: Entry(card) for name, card in read.items()})
    (row,) = stress(pool, game=MC, only=[name], checks=("unpayable",), groups=1).rows
    assert row["verdict"] == verdict


@pytest.mark.parametrize(
    ("ways", "verdict"),
    [
        ([{"status": "attacking"}, {"status": "defending"}], "clean"),
        ([{"type": "Light", "status": "attacking"}, {"type": "Sword"}], "clean"),
        ([{"type": "Light", "status": "attacking"}, {"type": "Light", "face": "down"}], "finding"),
    ],
)
def test_objects_lie_in_each_of_the_ways_that_fit(ways: list[Any], verdict: str, tmp_path: Path) -> None:
    do = [{"as": "target", "choose": {"type": "Attack", "any": ways, "how": "target"}}, {"destroy": "$target"}]
    beam = {"types": ["Instant"], "cost": "1r", "abilities": [{"resolve": {"do": do}}]}
    read = written({"Beam": beam, "Slash": {"types": ["Attack", "Sword"], "cost": "0r"}}, "fab", tmp_path)
    pool = Pool(FAB, {name: Entry(card) for name, card in read.items()})
    (row,) = stress(pool, game=FAB, only=["Beam"], checks=("dead",), groups=1).rows
    assert row["verdict"] == verdict
