"""What a card never can alone: who helps it, how many of them, and the proof that nobody does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from faults import written

from lawful.model.rulesets import load_ruleset
from lawful.solver.stress.helping import loosened
from lawful.stressing import Row, stress
from lawful.stressing.plan import Plan
from lawful.stressing.pool import Entry, Pool, Unread

RULES = load_ruleset("fab")
WOLF = {"types": ["Ally"], "power": 2}
PAID = {"types": ["Instant"], "cost": "0r", "yields": {"r": 1}}
SPIRITS = {
    "types": ["Aura"],
    "abilities": [{"static": {"stage": "types", "gain_types": ["Spirit"], "of": {"type": "Ally"}}}],
}  # fmt: skip


def kill(power: int, kind: str = "Ally") -> dict[str, Any]:
    target = {"type": kind, "how": "target", "where": {"power": {"ge": power}}}
    return {"types": ["Action"], "cost": "1r", "abilities": [{"resolve": {"do": [{"destroy": target}]}}]}


def buff(of: str = "Ally", by: int = 1) -> dict[str, Any]:
    static = {"modify": "power", "stage": "increase", "add": by, "of": {"type": of}}
    return {"types": ["Aura"], "abilities": [{"static": static}]}


def counting(*conditions: dict[str, Any]) -> dict[str, Any]:
    able = {"activate": {"cost": ["1r"], "do": [{"draw": 1}], "when": list(conditions)}}
    return {"types": ["Item"], "abilities": [able]}


def asked(cards: dict[str, Any], folder: Path, check: str = "dead") -> Row:
    """Return the row of a check of the card K alone."""
    read = written({**cards, "P": PAID}, "fab", folder)
    pool = Pool(RULES, {name: Entry(card) for name, card in read.items()})
    found = stress(pool, game=RULES, only=["K"], checks=(check,), groups=1)
    (row,) = found.rows
    return row


STRONG = {"count": {"type": "Ally", "where": {"power": {"ge": 3}}}, "ge": 1}
NEVER = ({"count": {"type": "Item"}, "ge": 4}, {"count": {"type": "Item"}, "le": 2})


@pytest.mark.parametrize(
    ("cards", "with_"),
    [
        ({"K": kill(3), "W": WOLF, "H": buff()}, "H"),
        ({"K": kill(5), "W": WOLF, "H": buff()}, "H"),  # three copies of it
        ({"K": kill(5), "W": WOLF, "H": buff(), "G": buff("Ally", 2)}, "G, H"),
        ({"K": kill(3, "Spirit"), "W": WOLF, "H": buff(), "S": SPIRITS}, "H, S"),  # just both together
        ({"K": counting(STRONG), "W": WOLF, "H": buff()}, "H"),
    ],
)
def test_what_others_make_possible_is_no_finding(cards: dict[str, Any], with_: str, tmp_path: Path) -> None:
    row = asked(cards, tmp_path)
    assert row["verdict"] == "clean"
    assert f"with {with_} in play" in row["why"]


@pytest.mark.parametrize(
    "cards",
    [
        {"K": kill(3), "W": WOLF},  # nobody is there
        {"K": kill(3), "W": WOLF, "H": buff("Item"), "I": {"types": ["Item"], "power": 1}},  # it is of other things
        {"K": kill(3, "Spirit"), "W": WOLF, "H": buff()},  # what is no spirit stays none
        {"K": counting(STRONG, *NEVER), "W": WOLF, "H": buff()},  # whatever power an ally has
    ],
)
def test_what_nobody_makes_possible_is_found_and_the_bound_is_saturated(cards: dict[str, Any], tmp_path: Path) -> None:
    row = asked(cards, tmp_path)
    assert (row["verdict"], row["saturated"]) == ("finding", True)
    assert all(one["confirmed_by_referee"] for one in row["findings"])


def test_what_is_done_to_an_object_may_help_and_is_no_finding(tmp_path: Path) -> None:
    """A text that is carried out sets the number: that lies in no position that is tried."""
    target = {"type": "Ally", "how": "target"}
    done = {
        "types": ["Action"],
        "cost": "1r",
        "abilities": [{"resolve": {"do": [{"set": "power", "of": target, "n": 9}]}}],
    }
    row = asked({"K": kill(3), "W": WOLF, "H": done}, tmp_path)
    assert (row["verdict"], row["saturated"]) == ("not checked", False)
    assert "(H)" in row["why"]


def test_helpers_beyond_the_limit_are_counted(tmp_path: Path) -> None:
    buffs = {f"H{n}": buff("Ally", n + 1) for n in range(12)}
    row = asked({"K": kill(900), "W": WOLF, **buffs}, tmp_path)
    assert (row["verdict"], row["bound"]["helpers left out"]) == ("not checked", 4)
    assert "4 were not tried" in row["why"]


def test_a_card_that_asks_for_nothing_that_others_change(tmp_path: Path) -> None:
    read = written({"K": counting(STRONG, NEVER[0])}, "fab", tmp_path)["K"]
    loose = loosened(read, [("seen", "stat power")])
    assert loose is not None
    words = [word in repr(one) for one in (read, loose) for word in ("power", "Item")]
    assert words == [True, True, False, True]
    assert loosened(read, [("norm", "activate")]) is None


WEAK = {"count": {"type": "Ally", "where": {"power": {"lt": 3}}}, "ge": 1}


@pytest.mark.parametrize(
    "ability",
    [
        {"static": {"modify": "cost.r", "stage": "increase", "add": 1, "of": "$self", "while": WEAK}},
        {"static": {"must": {"target": {"type": "Ally"}}, "while": WEAK}},
        {"static": {"may": {"play": "$self"}, "unless": WEAK}},
        {"resolve": {"do": [{"destroy": {"type": "Ally", "how": "choose", "n": {"count": WEAK["count"]}}}]}},
    ],
)
def test_what_would_ask_for_more_were_it_always_so_is_no_proof(ability: dict[str, Any], tmp_path: Path) -> None:
    plain = {"types": ["Action"], "cost": "1r"}
    read = written({"K": {**plain, "abilities": [ability]}, "L": plain}, "fab", tmp_path)
    assert loosened(read["K"], [("seen", "stat power")]) is None
    assert loosened(read["K"], [("seen", "stat life")]) is not None
    assert loosened(read["L"], [("seen", "stat power")]) is not None


WARDED = {**WOLF, "abilities": [{"static": {"cannot": {"target": "$self"}}}]}


@pytest.mark.parametrize(("ally", "saturated"), [(WOLF, True), (WARDED, False)])
def test_what_can_be_only_as_long_as_objects_do_nothing_is_not_saturated(
    ally: dict[str, Any], saturated: bool, tmp_path: Path
) -> None:
    """The only ally there is cannot be targeted, which is no matter of the other card alone."""
    row = asked({"K": kill(2), "W": ally}, tmp_path)
    assert (row["verdict"], row["saturated"]) == ("clean", saturated)
    assert ("do nothing" in row["limits"]) != saturated


def test_objects_whose_text_was_not_read_stand_last(tmp_path: Path) -> None:
    read = written({"K": kill(2), "A": WOLF, "B": WOLF}, "fab", tmp_path)
    unread = (Unread("other", False, "Something."),)
    pool = Pool(RULES, {name: Entry(card, unread if name == "A" else ()) for name, card in read.items()})
    (job,) = Plan(pool, ["K"], ("dead",), groups=1).jobs()
    assert job.task is not None
    assert [card.name for card in job.task.objects] == ["B"]
    del pool.entries["B"]
    (job,) = Plan(pool, ["K"], ("dead",), groups=1).jobs()
    assert job.task is not None
    assert ([card.name for card in job.task.objects], job.task.real) == (["A, plain"], ())
