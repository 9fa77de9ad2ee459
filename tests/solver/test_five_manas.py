"""A fourth game, written as data alone: five manas, generic and hybrid costs, colour or life, a surplus that floats."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest

from lawful.model.casefile import build_question
from lawful.model.declaration import Question
from lawful.model.errors import LimitReached
from lawful.model.limits import Limits
from lawful.model.payment import project
from lawful.model.referee import payments
from lawful.model.rulesets import load_ruleset
from lawful.playing import play
from lawful.solver.explain import why_not
from lawful.solver.ways import ways

RULES = load_ruleset(Path(__file__).parent.parent / "data" / "five-manas.yaml")
LANDS = {"amber land": "a", "blue land": "b", "coral land": "c", "dark land": "d", "fern land": "f", "twin land": "ab"}
PARTS = {"g": "abcdf", "a": "a", "b": "b", "c": "c", "d": "d", "f": "f", "ab": "ab"}


def board(cost: str, lands: list[str], **more: object) -> Question:
    return build_question(RULES, cost=cost, in_play=lands, **more)  # type: ignore[arg-type]


FILTERS = {"coral sieve": ("b", "cc"), "prism": ("g", "ad")}


def brute(cost: list[str], lands: list[str]) -> int:
    """Count the ways to tap lands, and each twin for one colour, so that every symbol finds a point of its own.

    What a filter costs is one more symbol, which its own points do not pay.
    """
    choices = [["", *LANDS.get(name, ["filter"])] for name in lands]
    found = 0
    for taps in product(*choices):
        symbols = [(symbol, -1) for symbol in cost]
        points = []
        for at, (name, tap) in enumerate(zip(lands, taps, strict=True)):
            if tap == "filter":
                symbols.append((FILTERS[name][0], at))
                points += [(point, at) for point in FILTERS[name][1]]
            elif tap:
                points.append((tap, at))
        found += bool(cost) and match(symbols, points)
    return found if cost else 1


def match(symbols: list[tuple[str, int]], points: list[tuple[str, int]]) -> bool:
    if not symbols:
        return True
    symbol, whose = symbols[0]
    return any(
        match(symbols[1:], points[:i] + points[i + 1 :])
        for i, (point, of) in enumerate(points)
        if point in PARTS[symbol] and of != whose
    )


@pytest.mark.parametrize("seed", range(4))
def test_against_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(25):
        symbols = [rng.choice(list(PARTS)) for _ in range(rng.randint(0, 3))]
        lands = [rng.choice([*LANDS, "coral sieve"]) for _ in range(rng.randint(0, 4))]
        lands += ["prism"] if rng.random() < 0.3 else []
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
        ("1{a}1{c}", ["blue land", "blue land", "coral sieve", "prism"]),
        ("3{c}", ["blue land", "twin land", "coral sieve", "coral sieve"]),
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


def in_order(symbols: list[tuple[str, int]], points: list[tuple[str, int]], fed: frozenset[tuple[int, int]]) -> bool:
    """Tell whether every symbol finds a point so that no filter is paid for, by way of others, by itself."""
    if not symbols:
        left = set(fed)
        while left:
            first = {edge for edge in left if not any(edge[0] == payee for _, payee in left)}
            if not first:
                return False
            left -= first
        return True
    symbol, whose = symbols[0]
    return any(
        in_order(symbols[1:], points[:i] + points[i + 1 :], fed | ({(of, whose)} if whose >= 0 else set()))
        for i, (point, of) in enumerate(points)
        if point in PARTS[symbol] and of != whose
    )


@pytest.mark.parametrize("seed", range(3))
def test_filters_that_could_feed_each_other(seed: int) -> None:
    """Two prisms each give what the other costs: one of them has to be paid for by something else."""
    rng, seen = random.Random(seed), 0
    for _ in range(12):
        symbols = [rng.choice(("g", "a", "d", "ab", "c")) for _ in range(rng.randint(1, 2))]
        lands = ["prism", "prism"] + [rng.choice([*LANDS, "coral sieve"]) for _ in range(rng.randint(0, 2))]
        cost = "".join("{" + symbol + "}" for symbol in symbols)
        asked = board(cost, lands)
        found = ways(asked, "sequences", limits=Limits(listed=10_000))
        by_hand = 0
        for taps in product(*(["", *LANDS.get(name, ["filter"])] for name in lands)):
            due, points = [(symbol, -1) for symbol in symbols], []
            for at, (name, tap) in enumerate(zip(lands, taps, strict=True)):
                if tap == "filter":
                    due.append((FILTERS[name][0], at))
                    points += [(point, at) for point in FILTERS[name][1]]
                elif tap:
                    points.append((tap, at))
            by_hand += in_order(due, points, frozenset())
        played = list(payments(asked))
        assert found.engine == "diagram"
        assert found.counts["sources"] == by_hand
        assert {(line.payment, line.outcome) for line in found.listed} == set(played)
        assert found.counts["sequences"] == len(played)
        assert (why_not(asked) is None) == bool(by_hand)
        seen += bool(by_hand)
    assert seen


def test_too_many_filters_in_a_circle_are_played_or_a_limit_that_is_said() -> None:
    asked = board("1{a}", ["prism"] * 5)
    with pytest.raises(LimitReached, match="circle"):
        ways(asked, "sources")
    played = ways(asked, "sources", play=play)
    assert (played.engine, played.counts["sources"]) == ("played", 0)
