"""A card that is played for one of several abilities: each of them is asked, and named in what is found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from faults import written

from lawful.model.rulesets import load_ruleset
from lawful.stressing import stress
from lawful.stressing.pool import Entry, Pool

MC = load_ruleset("mc")
NONE = {"deal": "damage", "of": {"type": "villain", "zone": "play", "how": "choose"}, "n": 2}
WALL = {"types": ["side_scheme"], "abilities": [{"static": {"cannot": {"damage": {"subject": {"type": "villain"}}}}}]}
BOSS = {"types": ["villain"], "life": 9}


def ability(name: str, cost: list[Any], do: dict[str, Any]) -> dict[str, Any]:
    return {"activate": {"name": name, "cost": cost, "do": [do]}}


def found(cards: dict[str, Any], folder: Path, **more: Any) -> dict[str, set[str]]:
    read = written(cards, "mc", folder)
    pool = Pool(MC, {name: Entry(card) for name, card in read.items()})
    rows = stress(pool, game=MC, only=["Twofold"], **more).rows
    assert all(one["confirmed_by_referee"] for row in rows for one in row["findings"])
    return {row["check"]: {one["item"] for one in row["findings"]} for row in rows if row["findings"]}


@pytest.mark.parametrize("turned", [False, True])
def test_the_ability_that_can_never_be_used_is_named(turned: bool, tmp_path: Path) -> None:
    """One ability asks for a support that nobody has: the other can be used all the same."""
    bad = ability("Bad", [{"exhaust": {"type": "support", "name": "Nobody", "zone": "play"}}], {"draw": 1})
    good = ability("Good", [], {"draw": 1})
    both = [bad, good] if turned else [good, bad]
    twofold = {"types": ["event"], "cost": "0r", "abilities": both}
    assert found({"Twofold": twofold}, tmp_path, groups=1)["unpayable"] == {"play: Bad"}


@pytest.mark.parametrize("turned", [False, True])
def test_what_another_card_forbids_is_of_one_ability(turned: bool, tmp_path: Path) -> None:
    """Where villains take no damage, striking one is nothing; drawing a card is something."""
    both = [ability("Strike", [], NONE), ability("Draw", [], {"draw": 1})]
    twofold = {"types": ["event"], "cost": "0r", "abilities": both[::-1] if turned else both}
    there = found({"Twofold": twofold, "Wall": WALL, "Boss": BOSS}, tmp_path, groups=2, checks=("unpayable", "dead"))
    assert set().union(*there.values()) == {"play: Strike"}


def test_a_card_with_one_ability_is_played(tmp_path: Path) -> None:
    bad = ability("Bad", [{"exhaust": {"type": "support", "name": "Nobody", "zone": "play"}}], {"draw": 1})
    twofold = {"types": ["event"], "cost": "0r", "abilities": [bad]}
    assert found({"Twofold": twofold}, tmp_path, groups=1)["unpayable"] == {"play"}
