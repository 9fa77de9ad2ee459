"""A fourth game, written as data alone: five manas, generic and hybrid costs, colour or life, a surplus that floats."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest

from lawful.model.casefile import build_question
from lawful.model.declaration import Question
from lawful.model.limits import Limits
from lawful.model.payment import project
from lawful.model.referee import payments
from lawful.model.rulesets import load_ruleset
from lawful.solver.ways import ways

RULES = load_ruleset(Path(__file__).parent.parent / "data" / "five-manas.yaml")
LANDS = {"amber land": "a", "blue land": "b", "coral land": "c", "dark land": "d", "fern land": "f", "twin land": "ab"}
PARTS = {"g": "abcdf", "a": "a", "b": "b", "c": "c", "d": "d", "f": "f", "ab": "ab"}


def board(cost: str, lands: list[str], **more: object) -> Question:
    return build_question(RULES, cost=cost, in_play=lands, **more)  # type: ignore[arg-type]


def brute(cost: list[str], lands: list[str]) -> int:
    """Count the ways to tap lands, and each twin for one colour, so that every symbol finds a point of its own."""
    choices = [["", *LANDS[name]] for name in lands]
    found = 0
    for taps in product(*choices):
        points = [tap for tap in taps if tap]
        found += bool(cost) and match(cost, points)
    return found if cost else 1


def match(cost: list[str], points: list[str]) -> bool:
    if not cost:
        return True
    return any(
        match(cost[1:], points[:i] + points[i + 1 :]) for i, point in enumerate(points) if point in PARTS[cost[0]]
    )


@pytest.mark.parametrize("seed", range(4))
def test_against_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(25):
        symbols = [rng.choice(list(PARTS)) for _ in range(rng.randint(0, 3))]
        lands = [rng.choice(list(LANDS)) for _ in range(rng.randint(0, 4))]
        cost = "".join("{" + symbol + "}" for symbol in symbols) or "0"
        found = ways(board(cost, lands), "sources", limits=Limits(listed=0))
        assert found.counts["sources"] == brute(symbols, lands), (cost, lands)


@pytest.mark.parametrize(
    ("cost", "lands"),
    [
        ("{a} | 2{life}", ["amber land", "blue land"]),
        ("X", ["amber land", "twin land"]),
        ("1{g}1{ab}", ["twin land", "coral land", "coral land"]),
        ("1{ab}1{a}", ["twin land", "twin land"]),
    ],
)
def test_referee_and_solver(cost: str, lands: list[str]) -> None:
    asked = board(cost, lands)
    played = list(payments(asked))
    found = ways(asked, "sequences", limits=Limits(listed=10_000))
    assert {(line.payment, line.outcome) for line in found.listed} == set(played)
    assert found.counts["allocations"] == len({project(payment, "allocations") for payment, _ in played})


def test_a_surplus_floats_and_x_may_be_nothing() -> None:
    found = ways(board("1{a}", ["amber land", "coral land"]), "sources").listed
    assert [dict(line.outcome.pool)["c"] for line in found] == [1, 0]
    assert {line.payment.x for line in ways(board("X", ["amber land"]), "sources").listed} == {0, 1}


def test_floating_mana_pays() -> None:
    found = ways(board("1{g}1{a}", [], float_={"a": 1, "c": 1}), "allocations")
    assert found.counts["allocations"] == 1
    assert dict(found.listed[0].outcome.pool)["a"] == 0


def test_life_is_kept_above_nothing() -> None:
    assert not ways(board("20{life}", []), "sources").counts["sources"]
    assert ways(board("19{life}", []), "sources").counts["sources"] == 1
