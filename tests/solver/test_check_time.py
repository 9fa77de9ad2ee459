"""One time for one answer of `check`, and X no larger than what is there to pay for it."""

from __future__ import annotations

import pytest

import lawful
from lawful.model.errors import LimitReached
from lawful.model.limits import Limits
from lawful.solver.encode.declaring import largest_x

CASE = """
case: as many as X cost
ruleset: marvel-champions
cards:
  V:
    types: [upgrade]
    cost: X
    abilities: [{resolve: {do: [{ready: {type: ally, where: {cost: {le: $x}}, how: target}}]}}]
  A: {types: [ally], cost: "2"}
  B: {types: [ally], cost: "5"}
given: {players: {Ann: {hand: [V, e, e, m], play: [A, B]}}}
when: {player: Ann, play: V, targets: {}}
"""


@pytest.mark.parametrize("seconds", [0.001, 0.3])
def test_the_limit_that_is_told_is_the_one_that_was_given(seconds: float) -> None:
    with pytest.raises(LimitReached) as limit:
        lawful.check(lawful.read(CASE)[0], limits=Limits(seconds=seconds))
    assert (limit.value.limit, limit.value.value) == ("seconds", seconds)
    assert limit.value.where


def test_a_text_that_asks_for_x_does_not_make_x_larger_than_what_is_there() -> None:
    assert largest_x(lawful.read(CASE)[0].question, Limits()) == 3
    assert largest_x(lawful.read(CASE.replace(", e, e, m]", ", e]"))[0].question, Limits()) == 1
