"""Effects of every kind together: what the machine finds is what the referee finds, in every mixture of policies."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import odd_worlds
import pytest
from event_worlds import EFFECTS, VALUES, mixtures, subsets, world
from order_worlds import explored

from lawful.model.declaration import OrderQuestion
from lawful.model.errors import LimitReached
from lawful.model.referee.resolution import outcomes, seen
from lawful.solver.order.answer import face, ordered
from lawful.solver.order.board import Boards

MIXTURES = mixtures()


def found(asked: OrderQuestion, **how: Any) -> frozenset[Any]:
    there = explored(asked, **how)
    assert there.limit is None
    return frozenset(seen(there.places[n].state.position, asked) for n in there.ends)


def test_every_two_values_of_the_policies_meet_in_some_mixture() -> None:
    for a, b in combinations(VALUES, 2):
        met = {(repr(m[a]), repr(m[b])) for m in MIXTURES}
        assert met == {(repr(v), repr(w)) for v in VALUES[a] for w in VALUES[b]}


CORE = (0, 2, 5, 6, 9, 10, 12, 14, 18)
"""Two triggers, two replacements, two preventions, a norm, two static effects."""


@pytest.mark.parametrize("start", range(4))
def test_every_set_of_up_to_four_effects_of_every_kind(start: int) -> None:
    sets = [chosen for many in range(1, 5) for chosen in combinations(CORE, many)]
    several = 0
    for n, chosen in list(enumerate(sets))[start::4]:
        for turn in range(2):
            asked = world(chosen, MIXTURES[(2 * n + turn) % len(MIXTURES)])
            expected = outcomes(asked)
            assert found(asked) == expected, (chosen, turn)
            several += len(expected) > 1
    assert several > 20


@pytest.mark.parametrize("start", range(2))
def test_sets_of_four_out_of_all_effects(start: int) -> None:
    sets = [chosen for chosen in subsets(4) if any(n not in CORE for n in chosen)]
    for n, chosen in list(enumerate(sets))[start * 46 :: 92]:
        asked = world(chosen, MIXTURES[n % len(MIXTURES)])
        assert found(asked) == found(asked, reduce=False) == outcomes(asked), chosen


@pytest.mark.parametrize("start", range(0, 600, 200))
def test_odd_worlds_of_whatever_a_text_can_do(start: int) -> None:
    several = asked_of = 0
    for seed in range(start, start + 200):
        asked = odd_worlds.question(random.Random(seed), 5, 2 + (seed % 5 == 0))
        try:
            expected = outcomes(asked, 400)
            got = found(asked)
        except LimitReached:
            continue
        assert got == expected, seed
        asked_of += 1
        several += len(expected) > 1
    assert asked_of > 180
    assert several > 10


# Changing a policy changes an answer: for every two values of every one, a set of effects and a mixture in which it does.

WITNESSES: dict[tuple[str, int, int], tuple[tuple[int, ...], int]] = {
}  # fmt: skip


def _answer(asked: OrderQuestion) -> object:
    """Return the verdict, what comes out by whose choice, and the silences."""
    answer, boards = ordered(asked), Boards(asked.ruleset, asked.position, asked.events)
    return (
        answer.status,
        frozenset((face(one.position, boards), one.choosers) for one in answer.outcomes),
        frozenset(answer.silences),
    )


@pytest.mark.parametrize("name", VALUES)
def test_changing_a_policy_changes_an_answer(name: str) -> None:
    for i, j in combinations(range(len(VALUES[name])), 2):
        chosen, n = WITNESSES[name, i, j]
        one, other = ({**MIXTURES[n], name: VALUES[name][k]} for k in (i, j))
        assert _answer(world(chosen, one)) != _answer(world(chosen, other)), (name, i, j)


def test_the_worlds_have_effects_of_every_kind() -> None:
    assert {type(effect).__name__ for effect in EFFECTS} == {"Trigger", "Replacement", "Prevention", "Static"}
