"""How the cards of a group lie there: with what any text of it takes from them, and turned as their text says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from faults import written

from lawful.model.rulesets import load_ruleset
from lawful.solver.stress.happening import trials
from lawful.solver.stress.meeting import Meeting
from lawful.stressing import Row, stress
from lawful.stressing.pool import Entry, Pool

RULES = load_ruleset("fab")


def rows(cards: dict[str, Any], folder: Path, *checks: str, groups: int = 2) -> list[Row]:
    read = written(cards, "fab", folder)
    pool = Pool(RULES, {name: Entry(card) for name, card in read.items()})
    return stress(pool, game=RULES, checks=checks, groups=groups).rows


def paying(cost: dict[str, Any]) -> dict[str, Any]:
    return {"types": ["Aura"], "abilities": [{"activate": {"name": "use", "cost": [cost], "do": [{"draw": 1}]}}]}


def locking(event: str, not_: str | None = "$self") -> dict[str, Any]:
    locked = {"type": "Item", **({"not": not_} if not_ else {})}
    return {"types": ["Item"], "abilities": [{"static": {"cannot": {event: locked}}}]}


ITEM = {"type": "Item", "how": "choose"}
SCRAPE = paying({"remove": "rust", "n": 2, "of": ITEM})
ROUSE = paying({"untap": ITEM})
ROCK = {"types": ["Item"]}


@pytest.mark.parametrize(("first", "event"), [(SCRAPE, "remove_rust"), (ROUSE, "untap")])
def test_what_only_the_second_card_can_give_it_has(first: dict[str, Any], event: str, tmp_path: Path) -> None:
    """No counters are removed from *other* items: those of the second card itself are enough."""
    found = rows({"A": first, "B": locking(event), "Rock": ROCK}, tmp_path, "unpayable")
    pair = next(row for row in found if row["cards"] == ["A", "B"])
    assert pair["verdict"] == "clean"


@pytest.mark.parametrize(("first", "event"), [(SCRAPE, "remove_rust"), (ROUSE, "untap")])
def test_what_nothing_can_give_is_found(first: dict[str, Any], event: str, tmp_path: Path) -> None:
    found = rows({"A": first, "B": locking(event, None), "Rock": ROCK}, tmp_path, "unpayable")
    pair = next(row for row in found if row["cards"] == ["A", "B"])
    assert (pair["verdict"], [one["confirmed_by_referee"] for one in pair["findings"]]) == ("finding", [True])


def test_only_the_second_card_lies_face_down(tmp_path: Path) -> None:
    """What asks for another object that lies face down can turn the second one."""
    cards = {"A": paying({"turn_up": {"face": "down", "how": "choose"}}), "B": locking("turn_up")}
    assert [row["verdict"] for row in rows(cards, tmp_path, "unpayable", groups=1)][:1] == ["clean"]


HIDDEN = {"types": ["Aura"], "abilities": [
    {"activate": {"cost": [], "face": "down", "do": [{"gain": {"r": 1}}]}}]}  # fmt: skip
TURNED = {"types": ["Aura"], "abilities": [
    {"activate": {"cost": [{"turn_up": "$self"}], "face": "down", "do": [{"gain": {"r": 1}}]}}]}  # fmt: skip
TURNS = {"types": ["Item"], "abilities": [{"activate": {"cost": [], "do": [{"turn_down": {"type": "Aura"}}]}}]}


def test_an_engine_of_what_is_used_face_down(tmp_path: Path) -> None:
    (row,) = rows({"A": HIDDEN}, tmp_path, "engine", groups=1)
    assert (row["verdict"], [one["confirmed_by_referee"] for one in row["findings"]]) == ("finding", [True])


def test_what_turns_itself_up_is_an_engine_only_with_what_turns_it_down(tmp_path: Path) -> None:
    alone, *_ = rows({"A": TURNED}, tmp_path, "engine", groups=1)
    assert alone["verdict"] == "clean"


def test_an_ability_that_has_no_fixed_numbers_is_played_or_not_checked(tmp_path: Path) -> None:
    many = {"gain": {"r": {"count": {"type": "Item"}}}}
    x = {"types": ["Item"], "abilities": [{"activate": {"cost": ["Xr"], "do": [many]}}]}
    one = {"types": ["Item"], "abilities": [{"activate": {"cost": [], "do": [many]}}]}
    (row,) = rows({"A": x}, tmp_path, "engine", groups=1)
    assert row["verdict"] == "not checked"
    assert "fixed numbers" in row["why"]
    (row,) = rows({"A": one}, tmp_path, "engine", groups=1)
    assert row["verdict"] == "finding"


def test_the_text_of_a_trial_is_that_of_an_object_that_lies_so(tmp_path: Path) -> None:
    arsenal = {"activate": {"cost": [], "face": "down", "zone": ["arsenal"], "do": [{"draw": 1}]}}
    turned = {"trigger": {"on": {"turn_up": "$self"}, "do": [{"draw": 1}]}}
    read = written({"A": {"types": ["Aura"], "abilities": [arsenal, turned]}}, "fab", tmp_path)
    asked = list(trials(Meeting(RULES, (read["A"],))))
    mine = {(q.events[0].do[0].verb, q.position.things[0].zone, q.position.things[0].face) for q in asked if q.events}
    assert {("draw", "arsenal", "down"), ("turn_up", "arena", "down")} <= mine


def test_a_card_is_played_from_where_it_lies_face_down(tmp_path: Path) -> None:
    """A hand from which nothing is played leaves the arsenal, face up or down."""
    first = {"types": ["Action"], "cost": "0r"}
    barred = {"types": ["Item"], "abilities": [{"static": {"cannot": {"play": {"zone": "hand"}}}}]}
    shown = {"static": {"cannot": {"play": {"zone": "arsenal", "face": "up"}}}}
    both = {**barred, "abilities": [*barred["abilities"], shown]}
    for second in (barred, both):
        found = rows({"A": first, "B": second}, tmp_path, "unpayable")
        assert [row["verdict"] for row in found if row["cards"] == ["A", "B"]] == ["clean"]


def test_text_of_a_card_in_yaml_that_was_not_read_is_not_checked(tmp_path: Path) -> None:
    path = tmp_path / "mine.cards.yaml"
    path.write_text("cards:\n  A: {types: [Action], cost: 0r, unread: [It may cost more.]}\n", encoding="utf8")
    found = stress([str(path)], game="fab", checks=("unpayable",))
    assert [(row["verdict"], row["unread"]) for row in found.rows] == [("not checked", ["It may cost more."])]


def test_what_the_second_card_is_attached_to_lies_there(tmp_path: Path) -> None:
    """What is about the object that it is attached to is known, and is not the first card."""
    rules = load_ruleset("mc")
    first = {"types": ["Support"], "abilities": [{"activate": {"cost": [{"exhaust": "$self"}], "do": [{"draw": 1}]}}]}
    second = {"types": ["Upgrade"], "abilities": [{"static": {"cannot": {"activate": {"is": "$self.attached"}}}}]}
    read = written({"A": first, "B": second}, "mc", tmp_path)
    pool = Pool(rules, {name: Entry(card) for name, card in read.items()})
    found = stress(pool, game=rules, checks=("unpayable",)).rows
    assert [row["verdict"] for row in found if row["cards"] == ["A", "B"]] == ["clean"]


@pytest.mark.parametrize(("n", "verdict"), [("$x", "not checked"), (1, "finding")])
def test_what_can_be_under_another_reading_only_is_not_told_as_never(n: Any, verdict: str, tmp_path: Path) -> None:
    """Whether X may be 0 is for the rules to say, and no fault of the card."""
    rules = load_ruleset("mc")
    none = {"discard": {"type": "Nonsense", "zone": "hand", "how": "choose", "n": n}}
    card = {"types": ["Support"], "abilities": [{"activate": {"cost": [none], "do": [{"draw": 1}]}}]}
    read = written({"A": card}, "mc", tmp_path)
    (row,) = stress(Pool(rules, {"A": Entry(read["A"])}), game=rules, checks=("unpayable",)).rows
    assert row["verdict"] == verdict
    assert ("reading" in row["why"]) == (verdict == "not checked")


def choosing(*kinds: str) -> dict[str, Any]:
    """Return a card of which two modes are chosen, each destroys one kind."""
    modes = {kind.lower(): [{"destroy": {"type": kind, "how": "target"}}] for kind in kinds}
    return {"types": ["Action"], "cost": "0r", "abilities": [{"resolve": {"modes": {"n": 2, "of": modes}}}]}


@pytest.mark.parametrize(("kinds", "dead"), [(("Ally", "Item", "Nobody"), ["mode nobody"]), (("Ally", "Item"), [])])
def test_a_mode_that_is_dead_with_every_other_one(kinds: tuple[str, ...], dead: list[str], tmp_path: Path) -> None:
    wolf = {"types": ["Ally"], "power": 2}
    found = rows({"A": choosing(*kinds), "Wolf": wolf, "Rock": ROCK}, tmp_path, "dead", groups=1)
    mine = next(row for row in found if row["cards"] == ["A"])
    assert [(one["item"], one["confirmed_by_referee"]) for one in mine["findings"]] == [(item, True) for item in dead]
