"""What comes out is what trying every permutation of seven items brings, one permutation after the other.

``LAWFUL_HUNT=10`` takes ten times as many worlds.
"""

from __future__ import annotations

import os
import random
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from event_worlds import BEASTS, VALUES, WOUNDS, ruleset
from invented import crowd
from order_worlds import explored

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.declaration import Happening, OrderQuestion
from lawful.model.effect import Prevention, Replacement
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Player, Position, Queued, Thing
from lawful.model.referee.acts import perform
from lawful.model.referee.moment import Moment, start
from lawful.model.referee.queue import check, resolve
from lawful.model.referee.resolution import seen

HUNT = max(1, int(os.environ.get("LAWFUL_HUNT", "0")))


def by_every_permutation(asked: OrderQuestion) -> frozenset[Any]:
    """Walk every permutation of what waits; one step of the referee is worked out once for a position and an item."""
    always, turns = asked.ruleset.ordering.checks == "always", asked.ruleset.ordering.ties == "turn"
    known: dict[tuple[Position, Queued], list[Moment]] = {}

    def checked(moment: Moment) -> list[Moment]:
        after = list(check(moment))
        return [end for then in after for end in checked(then)] if after else [moment]

    def step(moment: Moment, item: Queued) -> list[Moment]:
        key = (moment.position, item)
        if key not in known:
            after = list(resolve(moment, moment.position.queue.index(item)))
            known[key] = [end for then in after for end in (checked(then) if always else [then])]
        return known[key]

    ends: dict[Position, Moment] = {}
    bell = asked.events[0].do
    rung = [
        after
        for begun in checked(start(asked.position, asked.ruleset))
        for after in perform(bell, begun, self="bell", controller="Ann")
    ]
    for first in [end for moment in rung for end in (checked(moment) if always else [moment])]:
        for order in permutations(first.position.queue):
            whose = [item.controller for item in order]
            if turns and whose != sorted(whose, key=lambda who: who != asked.position.turn):
                continue
            moments = {first.position: first}
            for item in order:
                moments = {after.position: after for now in moments.values() for after in step(now, item)}
            ends |= moments
    return frozenset(seen(end.position, asked) for now in ends.values() for end in checked(now))


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize(("ties", "checks"), [("silent", "empty"), ("silent", "always"), ("turn", "empty")])
def test_seven_abilities_of_any_kind_in_all_5040_orders(ties: Any, checks: Any, part: int) -> None:
    waited = 0
    for seed in range(part * HUNT, (part + 1) * HUNT):
        asked = crowd(random.Random(seed), 7)
        free = replace(asked.ruleset.ordering, ties=ties, waiting="any", checks=checks, tiers=())
        asked = replace(asked, ruleset=replace(asked.ruleset, ordering=free))
        there = explored(asked)
        assert there.limit is None
        found = frozenset(seen(there.places[n].state.position, asked) for n in there.ends)
        assert found == by_every_permutation(asked), seed
        waited += max(len(place.state.position.queue) for place in there.places)
    assert waited >= 3 * HUNT


# Seven that all apply to one event: shields of three sorts, and replacements of a part; by arithmetic alone.

Item = tuple[str, int]


def by_arithmetic(wounds: int, items: list[Item]) -> set[tuple[int, tuple[int, ...]]]:
    """Return how many wounds are left, and what each has prevented or replaced, in every order of them."""
    found = set()
    for order in permutations(range(len(items))):
        left, did = wounds, [0] * len(items)
        for i in order:
            did[i] = min(items[i][1], left)
            left -= did[i]
        found.add((left, tuple(did)))
    return found


@pytest.mark.parametrize("seed", range(4 * HUNT))
def test_seven_that_change_one_event_in_all_5040_orders(seed: int) -> None:
    dice = random.Random(seed)
    items = [(dice.choice(("total", "one", "event", "part")), dice.randint(1, 3)) for _ in range(7)]
    wounds = dice.randint(3, 9)
    cards = {"beast": Card("beast", ("beast",), stats=FrozenMap({"life": 30}))}
    things = [Thing("X", "beast", "Ann", "Ann", "arena")]
    for i, (kind, n) in enumerate(items):
        instead = (Act("add", f"c{i}", of=Ref("subject"), n=Ref("event")),)
        does: Any = Replacement(WOUNDS, instead, n=n) if kind == "part" else Prevention(WOUNDS, n, kind)  # type: ignore[arg-type]
        cards[f"c{i}"] = Card(f"c{i}", ("charm",), abilities=(does,))
        things.append(Thing(f"c{i}", f"c{i}", "Ann", "Ann", "arena", timestamp=i + 1))
    position = Position((Player("Ann"), Player("Bob")), tuple(things), FrozenMap(cards), "Ann", 2, clock=20)
    rules = ruleset({name: values[0] for name, values in VALUES.items()} | {"classes": ("standard+prevention",)})
    asked = OrderQuestion(rules, position, (Happening((Act("wound", BEASTS, n=wounds),), "Bob", "X"),))
    there = explored(asked)
    assert there.limit is None

    def shown(end: Position, i: int) -> int:
        kind, n = items[i]
        if kind == "part":
            return end.thing("X").counters.get(f"c{i}", 0)
        left = end.remaining.get(f"c{i}/0", n)
        return n - left if kind == "total" else int(left < n)

    ends = {
        (place.thing("X").counters.get("wounds", 0), tuple(shown(place, i) for i in range(7)))
        for place in (there.places[n].state.position for n in there.ends)
    }
    tells = {"part": int, "total": int, "one": bool, "event": lambda did: 0}  # what can be seen of how much it did
    kinds = [tells[kind] for kind, _ in items]
    assert ends == {
        (left, tuple(int(tell(n)) for tell, n in zip(kinds, did, strict=True)))
        for left, did in by_arithmetic(wounds, items)
    }
