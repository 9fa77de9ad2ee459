"""The worked examples and the derived vectors, with other names: every payment and what it leaves."""

from __future__ import annotations

import pytest
from worlds import cost, question

from lawful.model.declaration import Question
from lawful.model.frozen import FrozenMap
from lawful.model.payment import LEVELS, Claim, Use, project
from lawful.model.referee import judge, payments, replay

FIVE = ["red", "yellow", "blue", "chi", "chi"]


def ways(asked: Question) -> list[tuple[tuple[str, ...], tuple[int, int]]]:
    """Return every payment as the sources in the order used, with chi and resource points left."""
    found = []
    for payment, outcome in payments(asked):
        played = replay(asked, payment)
        assert played.outcome == outcome
        assert played.broken is None
        found.append((tuple(use.thing for use in payment.uses), (outcome.pool["c"], outcome.pool["r"])))
    assert len(set(found)) == len(found)
    return sorted(found)


def pay(hand: list[str], pool: tuple[int, int] = (0, 0), **amounts: int) -> Question:
    return question(cost(**amounts), hand, {"c": pool[0], "r": pool[1]})


@pytest.mark.parametrize(
    ("hand", "pool", "amounts", "left", "used"),
    [
        pytest.param(["chi", "blue"], (0, 0), {"c": 3, "r": 1}, (0, 2), ("chi", "blue"), id="E1"),
        pytest.param(["chi"], (0, 2), {"r": 3}, (0, 2), ("chi",), id="E2"),
        pytest.param(["chi"], (0, 0), {"r": 1}, (2, 0), ("chi",), id="E3"),
        pytest.param(["blue"], (2, 0), {"r": 3}, (0, 2), ("blue",), id="E4"),
        pytest.param(["chi"], (0, 1), {"r": 2}, (1, 1), ("chi",), id="E5"),
        pytest.param(["chi"], (3, 0), {"c": 3}, (0, 0), (), id="D5"),
        pytest.param(["chi", "blue"], (1, 0), {"c": 3, "r": 1}, (0, 0), ("chi",), id="D7"),
        pytest.param(["chi", "blue"], (0, 1), {"c": 3, "r": 1}, (0, 0), ("chi",), id="D8"),
        pytest.param(["chi", "blue"], (1, 2), {}, (1, 2), (), id="D9"),
        pytest.param(["blue", "chi"], (2, 0), {"c": 3}, (2, 0), ("chi",), id="D10"),
    ],
)
def test_one_way(
    hand: list[str],
    pool: tuple[int, int],
    amounts: dict[str, int],
    left: tuple[int, int],
    used: tuple[str, ...],
) -> None:
    assert ways(pay(hand, pool, **amounts)) == [(used, left)]


@pytest.mark.parametrize(
    ("hand", "pool", "amounts"),
    [
        pytest.param(["blue"], (0, 3), {"c": 3}, id="D4: resource does not pay chi"),
        pytest.param(["chi"], (0, 0), {"c": 3, "r": 1}, id="D14"),
        pytest.param(["chi", "blue"], (0, 0), {"c": 3, "r": 4}, id="D23: one too few"),
        pytest.param(["nil"], (0, 0), {"r": 1}, id="D22: a card that gives 0"),
        pytest.param(["blank"], (0, 0), {"r": 1}, id="a card that gives nothing"),
        pytest.param(["blue"], (0, 0), {"a": 2}, id="nothing is gained for actions"),
    ],
)
def test_no_way(hand: list[str], pool: tuple[int, int], amounts: dict[str, int]) -> None:
    assert ways(pay(hand, pool, **amounts)) == []


def test_d1_the_small_one_first() -> None:
    assert ways(pay(["red", "blue"], r=3)) == [(("blue",), (0, 0)), (("red", "blue"), (0, 1))]


def test_d2_equal_cards_are_different() -> None:
    found = ways(pay(["red", "red", "blue"], r=3))
    assert {(frozenset(used), left) for used, left in found} == {
        (frozenset({"blue"}), (0, 0)),
        (frozenset({"red", "blue"}), (0, 1)),
        (frozenset({"red #2", "blue"}), (0, 1)),
        (frozenset({"red", "red #2", "blue"}), (0, 2)),
    }
    assert len([used for used, _ in found if len(used) == 3]) == 2


def test_d3_one_too_many_in_any_order() -> None:
    sets = {frozenset(used): left for used, left in ways(pay(["yellow", "yellow", "blue"], r=3))}
    assert sets == {
        frozenset({"blue"}): (0, 0),
        frozenset({"yellow", "yellow #2"}): (0, 1),
        frozenset({"yellow", "blue"}): (0, 2),
        frozenset({"yellow #2", "blue"}): (0, 2),
    }


def test_d6_what_the_first_part_leaves_pays_the_second() -> None:
    found = ways(pay(["chi", "chi"], c=3, r=1))
    assert found == [(("chi", "chi #2"), (2, 0)), (("chi #2", "chi"), (2, 0))]


def test_d15_d16_d17() -> None:
    assert {left for _, left in ways(pay(["chi", "chi"], c=3, r=3))} == {(0, 0)}
    sixteen = ways(pay(["chi", "red", "blue"], c=3, r=4))
    assert sixteen == [(("chi", "blue", "red"), (0, 0)), (("chi", "red", "blue"), (0, 0))]
    assert {left for _, left in ways(pay(["chi", "chi"], c=4))} == {(2, 0)}


def test_d18_one_set_two_allocations() -> None:
    asked = pay(["chi", "k2"], c=2, r=2)
    found = list(payments(asked))
    assert {(o.pool["c"], o.pool["r"]) for _, o in found} == {(1, 0)}
    assert len({project(p, "sources") for p, _ in found}) == 1
    assert len({project(p, "allocations") for p, _ in found}) == 2


def test_the_first_example_with_five_cards() -> None:
    found = [payment for payment, _ in payments(pay(FIVE, c=3, r=1))]
    assert [len({project(p, level) for p in found}) for level in LEVELS[1:]] == [7, 8, 8]


@pytest.mark.parametrize(
    ("pool", "amounts"), [((0, 2), {"r": 3}), ((0, 0), {"r": 1}), ((2, 0), {"r": 3}), ((0, 1), {"r": 2})]
)
def test_the_other_examples_with_five_cards(pool: tuple[int, int], amounts: dict[str, int]) -> None:
    found = [payment for payment, _ in payments(pay(FIVE, pool, **amounts))]
    assert len({project(p, "sources") for p in found}) == 5


@pytest.mark.parametrize(
    ("hand", "pool", "amounts", "used", "said", "rule"),
    [
        pytest.param(["chi", "blue"], (0, 0), {"c": 3, "r": 1}, ["blue", "chi"], None, "useful.c", id="E1 blue first"),
        pytest.param(["chi"], (0, 2), {"r": 3}, ["chi"], {"c": 2, "r": 0}, "draw.r", id="E2 resource first"),
        pytest.param(["chi", "red"], (0, 0), {"r": 1}, ["chi", "red"], None, "stop.r", id="E3 a second card"),
        pytest.param(["blue"], (2, 0), {"r": 3}, ["blue"], {"c": 2, "r": 0}, "draw.r", id="E4 resource first"),
        pytest.param(["chi"], (0, 1), {"r": 2}, ["chi"], {"c": 2, "r": 0}, "draw.r", id="E5 resource first"),
        pytest.param(["red", "blue"], (0, 0), {"r": 3}, ["blue", "red"], None, "stop.r", id="D1 the large one first"),
        pytest.param(["chi"], (3, 0), {"c": 3}, ["chi"], None, "stop.c", id="D5 for later"),
        pytest.param(["chi", "blue"], (1, 0), {"c": 3, "r": 1}, ["chi", "blue"], None, "stop.r", id="D7"),
        pytest.param(["chi"], (0, 0), {"c": 3, "r": 1}, ["chi"], None, "part.r", id="D14"),
        pytest.param(["nil"], (0, 0), {"r": 1}, ["nil"], None, "useful.r", id="D22"),
        pytest.param(["blank"], (0, 0), {"r": 1}, ["blank"], None, "source.pitch", id="no such property"),
        pytest.param(["chi", "chi"], (0, 0), {"c": 4}, ["chi", "chi #2"], {"c": 3}, "part.c", id="exactly the cost"),
    ],
)
def test_the_rule_that_is_broken(
    hand: list[str],
    pool: tuple[int, int],
    amounts: dict[str, int],
    used: list[str],
    said: dict[str, int] | None,
    rule: str,
) -> None:
    steps = tuple(Use(thing, "", "pitch") for thing in used)
    heard = judge(pay(hand, pool, **amounts), Claim(steps, pool=None if said is None else FrozenMap(said)))
    assert heard.broken is not None
    assert heard.broken.role == rule
    assert not heard.complete
    assert heard.outcome is None
