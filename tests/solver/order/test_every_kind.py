"""Effects of every kind together: what the machine finds is what the referee finds, in every mixture of policies."""

# ruff: noqa: E501 - a row is one line
from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations
from typing import Any

import odd_worlds
import pytest
from event_worlds import EFFECTS, VALUES, mixtures, ruleset, subsets, world
from invented import crowd
from order_worlds import explored

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.declaration import Happening, OrderQuestion
from lawful.model.effect import Norm, Static
from lawful.model.errors import LimitReached
from lawful.model.frozen import FrozenMap
from lawful.model.position import Player, Position, Thing
from lawful.model.procedure import Norming
from lawful.model.referee.acts import perform
from lawful.model.referee.moment import start
from lawful.model.referee.queue import resolve, settle
from lawful.model.referee.resolution import outcomes, seen
from lawful.model.selector import Pattern, Selector
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


# Every permutation, one by one: nothing is merged, nothing is left out.


def _by_every_permutation(asked: OrderQuestion) -> frozenset[Any]:
    """Resolve what waits in every order that there is, each by the referee."""
    moments = perform(asked.events[0].do, start(asked.position, asked.ruleset), self="bell", controller="Ann")
    ends: dict[Position, Any] = {}
    open_ = list(moments)
    while open_:
        now = open_.pop()
        if not now.position.queue:
            ends[now.position] = now
        for index in range(len(now.position.queue)):
            open_ += resolve(now, index)
    return frozenset(seen(end.position, asked) for now in ends.values() for end in settle(now))


@pytest.mark.parametrize(("many", "seed"), [(7, 10), (6, 1), (6, 2), (5, 3), (5, 4), (5, 5), (4, 6), (3, 7), (2, 8)])
def test_outcomes_and_independence_hold_under_every_permutation(many: int, seed: int) -> None:
    asked = crowd(random.Random(seed), many)
    free = replace(asked.ruleset.ordering, ties="silent", waiting="any", checks="empty", tiers=())
    things = tuple(replace(t, controller="Ann", owner="Ann") for t in asked.position.things)
    asked = replace(
        asked, ruleset=replace(asked.ruleset, ordering=free), position=replace(asked.position, things=things)
    )
    assert found(asked) == _by_every_permutation(asked)


# Changing a policy changes an answer: for every two values of every one, a set of effects and a mixture in which it does.

WITNESSES: dict[tuple[str, int, int], tuple[tuple[int, ...], int]] = {
    ("adding", 0, 1): ((22,), 0),
    ("at_once", 0, 1): ((0,), 0),
    ("bans", 0, 1): ((5, 12), 0),
    ("checks", 0, 1): ((0, 15), 0),
    ("classes", 0, 1): ((6, 11), 1),
    ("classes", 0, 2): ((4, 5), 1),
    ("classes", 0, 3): ((4, 5), 1),
    ("classes", 1, 2): ((4, 5), 1),
    ("classes", 1, 3): ((4, 5), 1),
    ("classes", 2, 3): ((4, 5), 1),
    ("contradiction", 0, 1): ((17, 0, 16), 0),
    ("declining", 0, 1): ((9,), 0),
    ("dependency", 0, 1): ((17, 18), 0),
    ("dependency", 0, 2): ((18, 0, 15), 0),
    ("dependency", 1, 2): ((17, 18), 0),
    ("lasting", 0, 1): ((19,), 0),
    ("partly", 0, 1): ((0, 6), 0),
    ("preventions", 0, 1): ((9,), 0),
    ("preventions", 0, 2): ((9,), 0),
    ("preventions", 0, 3): ((9,), 0),
    ("preventions", 0, 4): ((9,), 0),
    ("preventions", 1, 2): ((0, 11), 0),
    ("preventions", 1, 3): ((0, 11), 0),
    ("preventions", 1, 4): ((0, 11), 0),
    ("preventions", 2, 3): ((9, 10), 0),
    ("preventions", 2, 4): ((9, 10), 0),
    ("preventions", 3, 4): ((9, 10), 0),
    ("replacements", 0, 1): ((5, 10), 3),
    ("replacements", 0, 2): ((5, 10), 3),
    ("replacements", 1, 2): ((5, 10), 3),
    ("stamp_ties", 0, 1): ((15, 18), 0),
    ("thereby", 0, 1): ((9, 21), 1),
    ("tiers", 0, 1): ((24, 25), 0),
    ("tiers", 0, 2): ((24, 25), 0),
    ("tiers", 1, 2): ((24, 25), 0),
    ("ties", 0, 1): ((0, 1), 1),
    ("ties", 0, 2): ((0, 1), 0),
    ("ties", 0, 3): ((0, 1), 0),
    ("ties", 1, 2): ((0, 1), 0),
    ("ties", 1, 3): ((0, 1), 0),
    ("ties", 2, 3): ((0, 1), 0),
    ("waiting", 0, 1): ((0, 1, 4), 1),
    ("waiting", 0, 2): ((0, 1, 4), 1),
    ("waiting", 1, 2): ((0, 2, 4), 0),
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


# What norms do as something is chosen while it resolves: every value of every parameter of theirs.

X, Y, Z = (Selector(name=name) for name in "XYZ")
NORMING: list[tuple[str, Any, Any, tuple[tuple[str, Selector, int | None], ...], int, bool]] = [
    ("must", "hard", "any", (("must", X, None), ("must", Y, None)), 1, False),
    ("must", "any", "most", (("must", X, None), ("must", Y, None)), 2, False),
    ("must", "hard", "most", (("must", X, None), ("must", Y, None)), 1, False),
    ("must", "most", "maximal", (("must", X, None), ("must", Y, None), ("must", Z, None), ("cannot", Selector(any_of=(X, Y)), 1), ("cannot", Selector(any_of=(X, Z)), 1)), 2, True),
    ("must", "any", "maximal", (("must", X, None), ("must", Y, None)), 2, False),
    ("must", "hard", "maximal", (("must", X, None), ("must", Y, None)), 1, False),
    ("others", "exclusive", "include", (("must", X, None),), 2, False),
    ("barred", "void", "blocks", (("must", X, None), ("cannot", X, None)), 1, False),
    ("rank", ("cannot", "must", "may"), ("may", "cannot", "must"), (("cannot", X, None), ("may", X, None)), 1, False),
    ("rank", ("cannot", "must", "may"), ("must", "cannot", "may"), (("cannot", X, None), ("must", X, None)), 1, False),
    ("conflict", "rank", "latest", (("cannot", X, None), ("may", X, None)), 1, False),
]  # fmt: skip


@pytest.mark.parametrize(("name", "one", "other", "norms", "n", "up_to"), NORMING)
def test_changing_how_norms_rank_changes_who_is_chosen(
    name: str, one: Any, other: Any, norms: tuple[tuple[Any, Selector, int | None], ...], n: int, up_to: bool
) -> None:
    cards = {name: Card(name, ("beast",), stats=FrozenMap({"life": 3})) for name in "XYZ"}
    things = [Thing(name, name, "Bob", "Bob", "arena") for name in "XYZ"]
    for i, (modality, subject, most) in enumerate(norms):
        cards[f"n{i}"] = Card(
            f"n{i}", ("charm",), abilities=(Static(Norm(modality, Pattern("target", subject), more_than=most)),)
        )
        things.append(Thing(f"n{i}", f"n{i}", "Ann", "Ann", "arena", timestamp=i + 1))
    position = Position((Player("Ann"), Player("Bob")), tuple(things), FrozenMap(cards), "Ann", 2, clock=9)
    wanted = Selector(type=("beast",), how="target", n=n, up_to=up_to)
    bolt = Happening((Act("wound", wanted, n=1),), "Ann", "n0")
    ends = []
    for value in (one, other):
        norming: Norming = replace(Norming(), **{name: value})
        rules = replace(ruleset({key: values[0] for key, values in VALUES.items()}), norming=norming)
        asked = OrderQuestion(rules, position, (bolt,))
        assert found(asked) == outcomes(asked)
        ends.append(found(asked))
    assert ends[0] != ends[1]


def test_the_worlds_have_effects_of_every_kind() -> None:
    assert {type(effect).__name__ for effect in EFFECTS} == {"Trigger", "Replacement", "Prevention", "Static"}
