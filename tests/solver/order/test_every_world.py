"""Exhaustively: every multiset of up to four effects under every mixture of policies, by the machine and the referee.

The gate takes all of one effect and a slice of the others; ``LAWFUL_EFFECTS=1`` takes them all, and all of up to three
effects of the wider palette (326,133 worlds, some eighty minutes of one core; `pytest -n auto` shares them out).
"""

from __future__ import annotations

import os
from itertools import islice
from typing import Any

import pytest
from event_worlds import EFFECTS, world
from every_world import DIFFERENT, PALETTE, WIDER, bearing, every, multisets
from order_worlds import agree

from lawful.model.effect import Grant, Modifier, Norm, Prevention, Replacement, Static, Trigger

WHOLE = bool(os.environ.get("LAWFUL_EFFECTS"))
SHARDS = 199 if WHOLE else 3  # odd, so that a slice does not keep to one value of a policy
NARROW, WIDE = (1, 1) if WHOLE else (331, 337)
"""One of so many is looked at."""


@pytest.mark.parametrize("shard", range(SHARDS))
def test_every_multiset_of_up_to_four_effects_under_every_policy(shard: int) -> None:
    several = 0
    for chosen, mixture in islice(every(PALETTE), shard * NARROW, None, SHARDS * NARROW):
        several += len(agree(world(chosen, mixture))) > 1
    assert several


@pytest.mark.parametrize("shard", range(SHARDS))
def test_every_multiset_of_up_to_three_effects_of_the_wider_palette(shard: int) -> None:
    several = 0
    for chosen, mixture in islice(every(WIDER, 3), shard * WIDE, None, SHARDS * WIDE):
        several += len(agree(world(chosen, mixture))) > 1
    assert several


def test_every_effect_alone_under_every_policy() -> None:
    assert sum(1 for chosen, mixture in every(WIDER, 1) if agree(world(chosen, mixture))) == 204


def test_there_are_as_many_worlds_as_is_said() -> None:
    assert sum(1 for _ in every(PALETTE)) == 197_061
    assert sum(1 for _ in every(WIDER, 3)) == 129_072
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
