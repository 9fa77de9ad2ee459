"""Exhaustively: every multiset of up to four effects under every mixture of policies, by the machine and the referee.

The gate takes all of one effect and a slice of the others. ``LAWFUL_EFFECTS=1`` takes them all, one of each that
`every_world` shows to be equal: 71,772 worlds that stand for 1,285,262; `pytest -n auto` shares them out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import pytest
from event_worlds import EFFECTS, world
from every_world import DIFFERENT, PALETTE, WIDER, alike, bearing, different, every, multisets, says
from order_worlds import agree, explored

from lawful.model.effect import Grant, Modifier, Norm, Prevention, Replacement, Static, Trigger
from lawful.model.referee.resolution import outcomes, seen

WHOLE = bool(os.environ.get("LAWFUL_EFFECTS"))
SHARDS = 97 if WHOLE else 3  # odd, so that a slice does not keep to one value of a policy
NARROW, WIDE = 331, 337
"""One of so many is looked at in the gate."""

World = tuple[tuple[int, ...], dict[str, Any]]


@cache
def narrow() -> list[World]:
    """Return the worlds of the palette, one of each that are equal."""
    return list(different(PALETTE))


@cache
def wide() -> list[World]:
    """Return the worlds of the wider palette that are not of the other, one of each that are equal."""
    return list(different(WIDER, known=PALETTE))


@pytest.mark.parametrize("shard", range(SHARDS))
def test_every_multiset_of_up_to_four_effects_under_every_policy(shard: int) -> None:
    some = islice(narrow(), shard, None, SHARDS) if WHOLE else _slice(every(PALETTE), shard, NARROW)
    assert _several(some)


@pytest.mark.parametrize("shard", range(SHARDS))
def test_every_multiset_of_up_to_four_effects_of_the_wider_palette(shard: int) -> None:
    some = islice(wide(), shard, None, SHARDS) if WHOLE else _slice(every(WIDER, 3), shard, WIDE)
    assert _several(some)


def _slice(worlds: Iterator[World], shard: int, every_other: int) -> Iterator[World]:
    return islice(worlds, shard * every_other, None, SHARDS * every_other)


def _several(worlds: Iterator[World]) -> int:
    """Return in how many of the worlds something can come out in several ways; in all, the two engines agree."""
    several = 0
    for chosen, mixture in worlds:
        several += len(agree(world(chosen, mixture))) > 1
    return several


def test_mixtures_that_say_the_same_of_the_effects_are_one() -> None:
    """What is left out of the whole is equal to what is looked at; here two of a kind, one by each engine."""
    looked_at = 0
    groups = (
        (chosen, group)
        for chosen in islice(multisets(WIDER), 5, None, 23)
        for group in alike(chosen)[:: 1 + len(alike(chosen)) // 2]
        if len(group) > 1
    )
    for n, (chosen, group) in enumerate(groups):
        one, other = group[n % len(group)], group[(n + 1 + n % (len(group) - 1)) % len(group)]
        assert one != other
        assert says(chosen, one) == says(chosen, other)
        asked = world(chosen, other)
        there = explored(asked)
        ends = frozenset(seen(there.places[i].state.position, asked) for i in there.ends)
        assert ends == outcomes(world(chosen, one)), (chosen, one, other)
        looked_at += 1
    assert looked_at > 60


def test_every_effect_alone_under_every_policy() -> None:
    assert sum(1 for chosen, mixture in every(WIDER, 1) if agree(world(chosen, mixture))) == 204


def test_there_are_as_many_worlds_as_is_said() -> None:
    assert sum(1 for _ in every(PALETTE)) == 197_061
    assert sum(1 for _ in every(WIDER, 3)) == 129_072
    if WHOLE:
        assert (len(narrow()), len(wide())) == (17_018, 54_754)
        assert sum(1 for _ in every(WIDER)) == 1_285_262
    assert [sum(1 for c in multisets(PALETTE) if len(c) == n) for n in range(1, 5)] == [8, 36, 120, 330]


def test_the_palette_has_every_kind() -> None:
    def kind(effect: Any) -> type:
        return type(effect.effect) if isinstance(effect, Static) else type(effect)

    kinds = {kind(EFFECTS[n]) for n in PALETTE.values()}
    assert kinds == {Trigger, Replacement, Prevention, Norm, Modifier}
    assert {kind(EFFECTS[n]) for n in WIDER.values()} == kinds | {Grant}


def test_every_policy_bears_on_something() -> None:
    assert {name for chosen in multisets(WIDER, 2) for name in bearing(chosen)} == {*DIFFERENT} - {
        *("lasting", "thereby", "adding"),  # what they are about is in none of these; see test_every_kind
        "stamp_ties",  # decides who chooses only
    }
