"""No proof that triggers end is false: what never ends is a loop with what grows, or bounded and not proved."""

# ruff: noqa: E501 - a card is one line
from __future__ import annotations

import os
import random

import pytest
from loop_worlds import growing, text
from order_worlds import ask

from lawful.model.act import Act
from lawful.model.declaration import OrderQuestion
from lawful.model.effect import Trigger
from lawful.model.errors import LimitReached
from lawful.model.expression import Ref
from lawful.model.frozen import replace
from lawful.model.limits import Limits
from lawful.model.ordered import Ordered
from lawful.model.ruleset import Verb
from lawful.model.selector import Pattern
from lawful.solver.order.answer import ordered
from lawful.solver.order.board import Boards
from lawful.solver.order.explore import Explorer, Place
from lawful.solver.order.termination import certificate

HUNT = int(os.environ.get("LAWFUL_HUNT", "0"))
"""``LAWFUL_HUNT=20`` takes twenty times as many worlds, and others."""
START = random.SystemRandom().randrange(1_000_000_000) if HUNT else 0


def _asked(cards: str, arena: str, do: str = "", game: str = "berserk-heroes") -> OrderQuestion:
    zone = "play" if game == "marvel-champions" else "arena"
    return ask(
        f"case: circle\nruleset: {game}\ncards:\n{cards}\n"
        f"given: {{players: {{Ann: {{{zone}: [{arena}]}}, Bob: {{}}}}, turn: Ann}}\nwhen: {{do: [{do}]}}\n"
    )


def _answer(*asked: str, **more: str) -> Ordered:
    return ordered(_asked(*asked, **more), states=400)


def _moth(instead: str, more: str = "") -> str:
    return f"  Moth: {{types: [creature], life: 0, abilities: [{{replace: {{on: {{die: $self}}, {more}instead: [{instead}]}}}}]}}"


# A check and what comes instead of it.


@pytest.mark.parametrize(
    ("instead", "grows"),
    [("{add: rust, of: $self}", "Moth counters rust"), ("{wound: $self}", "Moth counters wounds")],
)
def test_a_death_that_is_replaced_by_one_counter_more_is_a_loop(instead: str, grows: str) -> None:
    answer = _answer(_moth(instead), "Moth")
    assert (answer.status, answer.outcomes, answer.terminates, answer.limit) == ("undetermined", (), "loops", None)
    (loop,) = answer.loops
    assert (loop.steps[:2], dict(loop.grows), loop.optional) == (("check", "Moth replaces die"), {grows: 1}, False)


def test_where_it_may_be_declined_it_may_end() -> None:
    answer = _answer(_moth("{add: rust, of: $self}", "optional: true, "), "Moth")
    assert [loop.optional for loop in answer.loops] == [True]
    assert [o.position.thing("Moth").zone for o in answer.outcomes] == ["graveyard"]


def test_a_death_that_is_replaced_by_using_something_up_ends() -> None:
    answer = _answer(_moth("{remove: fuel, of: $self}"), "{card: Moth, counters: {fuel: 3}}")
    assert (answer.status, answer.terminates) == ("legal", "proved")
    assert answer.certificate["counters fuel"] > 0
    assert [dict(o.position.thing("Moth").counters) for o in answer.outcomes] == [{}]


def test_a_replaced_death_has_not_taken_anything_out_of_play() -> None:
    """The check would lower what is in play, were it not replaced; the card in a hand may come to be there."""
    cards = _moth("{add: rust, of: $self}").replace("life: 0", "life: 2")
    assert _answer(cards, "Moth").terminates == "bounded"
    plain = _answer("  Moth: {types: [creature], life: 2}", "Moth")
    assert (plain.terminates, dict(plain.certificate)) == ("proved", {})


def test_damage_that_is_read_as_it_grows_is_a_loop() -> None:
    """The check compares it with the hit points, and that comes out the same however much more it is."""
    brute = "  Brute: {types: [minion], hit_points: 1, abilities: [{replace: {on: {defeat: $self}, instead: [{deal: damage, of: $self}]}}]}"
    answer = _answer(brute, "{card: Brute, counters: {damage: 1}}", game="marvel-champions")
    assert [dict(loop.grows) for loop in answer.loops] == [{"Brute counters damage": 1}]


@pytest.mark.parametrize(
    ("when", "loops"),
    [
        ("value: $self.counters.mark, ge: 1", True),
        ("value: $self.counters.mark, lt: 30", False),
        ("some: [{value: $self.counters.mark, lt: 9}, {value: $self.counters.mark, gt: 60}]", False),
        ("some: [{value: $self.counters.mark, lt: 9}, {value: $self.counters.mark, gt: 6}]", True),
    ],
)
def test_what_is_read_as_it_grows_goes_on_only_where_every_comparison_stays_as_it_is(when: str, loops: bool) -> None:
    bell = f"  Bell: {{types: [x], abilities: [{{trigger: {{on: {{add: $self}}, when: {{{when}}}, do: [{{add: mark, of: $self}}]}}}}]}}"
    do = "{add: mark, of: {type: x, how: each}}"
    answer = _answer(bell, "Bell", do)
    assert (bool(answer.loops), answer.terminates) == (loops, "loops" if loops else "bounded")


def test_numbers_that_are_multiplied_are_followed_and_nothing_is_claimed() -> None:
    bell = "  Bell: {types: [x], abilities: [{trigger: {on: {add: $self}, do: [{add: mark, of: $self, n: $self.counters.mark}]}}]}"
    answer = ordered(_asked(bell, "Bell", "{add: mark, of: {type: x, how: each}}"), states=60)
    assert (answer.status, answer.terminates, answer.certificate, answer.complete) == (None, "bounded", {}, False)


# A check and what it sets off.

GHOST = "  Ghost: {types: [creature], life: 0, abilities: [{trigger: {on: {die: $self}, LIMITdo: [{move: $self, to: ZONE}]}}]}"
BELL = "\n  Bell: {types: [x], abilities: [{trigger: {on: {die: {type: creature}}, do: [{add: rust, of: $self}]}}]}"


def test_what_dies_and_comes_back_is_a_loop() -> None:
    answer = _answer(GHOST.replace("ZONE", "arena").replace("LIMIT", ""), "Ghost")
    assert [(loop.steps, dict(loop.grows)) for loop in answer.loops] == [(("check", "Ghost", "move Ghost"), {})]


def test_what_grows_beside_it_is_said() -> None:
    answer = _answer(GHOST.replace("ZONE", "arena").replace("LIMIT", "") + BELL, "Ghost, Bell")
    assert {"Bell counters rust": 1} in [dict(loop.grows) for loop in answer.loops]


def test_a_limit_of_what_comes_back_is_none() -> None:
    """It is a new object each time."""
    answer = _answer(GHOST.replace("ZONE", "arena").replace("LIMIT", "limit: 1, "), "Ghost")
    assert answer.terminates == "loops"


def test_what_goes_to_the_hand_does_not_come_back() -> None:
    answer = _answer(GHOST.replace("ZONE", "hand").replace("LIMIT", ""), "Ghost")
    assert (answer.terminates, dict(answer.certificate)) == ("proved", {"in play": 1})


# Static effects that turn triggers on; shields that run out; outcomes that are replaced; what waits.


def test_a_static_effect_that_turns_a_trigger_on_for_ever_is_seen_in_the_loop() -> None:
    cards = (
        "  Moth: {types: [creature], life: 1, abilities: [{trigger: {on: {add: $self}, when: {value: $self.life, ge: 2}, do: [{add: mark, of: $self}]}}]}\n"
        "  Lord: {types: [x], abilities: [{static: {modify: life, stage: change, add: 1, of: {type: creature}}}]}"
    )
    do = "{add: mark, of: {type: creature, how: each}}"
    assert [dict(loop.grows) for loop in _answer(cards, "Moth, Lord", do).loops] == [{"Moth counters mark": 1}]
    alone = _answer(cards, "Moth", do)
    assert (alone.status, alone.loops, alone.terminates) == ("legal", (), "bounded")


def test_a_shield_that_runs_out_proves_nothing() -> None:
    cat = "  Cat: {types: [creature], life: 9, abilities: [{prevent: {on: {wounds: $self}, n: 3, per: total}}, {trigger: {on: {wounds: $self}, do: [{wound: $self}]}}]}"
    few = _answer(cat, "Cat", "{wound: {type: creature, how: each}, n: 2}")
    assert (few.status, few.loops, few.terminates) == ("legal", (), "bounded")
    many = _answer(cat, "Cat", "{wound: {type: creature, how: each}, n: 4}")
    assert [dict(loop.grows) for loop in many.loops] == [{"Cat counters wounds": 1}]


def test_what_happens_without_its_outcome_uses_nothing_up() -> None:
    bell = "  Bell: {types: [x], abilities: [REPLACE{trigger: {on: {remove: $self}, do: [{remove: fuel, of: $self}]}}]}"
    do, there = "{remove: fuel, of: {type: x, how: each}}", "{card: Bell, counters: {fuel: 3}}"
    kept = bell.replace("REPLACE", "{replace: {on: {remove: $self}, kind: outcome, instead: []}}, ")
    assert _answer(kept, there, do).terminates == "loops"
    assert _answer(bell.replace("REPLACE", ""), there, do).terminates == "proved"


def test_more_that_waits_each_time_is_what_grows() -> None:
    bell = "  Bell: {types: [x], abilities: [{trigger: {on: {add: $self}, do: [{add: mark, of: $self}, {add: mark, of: $self}]}}]}"
    (loop,) = _answer(bell, "Bell", "{add: mark, of: {type: x, how: each}}").loops
    assert dict(loop.grows) == {"Bell counters mark": 2, "waiting Bell": 1}


def test_what_comes_back_only_as_often_as_something_else_is_used_up_ends() -> None:
    """Marks come back, but each time fuel is used up, and that does not."""
    bell = (
        "  Bell: {types: [x], abilities: [{trigger: {on: {remove_mark: $self}, do: [{remove: mark, of: $self}]}}, "
        "{trigger: {on: {heal: $self}, do: [{add: mark, of: $self, n: 3}, {remove: mark, of: $self}]}}, {trigger: {on: {remove: $self}, do: [{heal: $self}]}}]}"
    ).replace("remove_mark", "remove")
    answer = _answer(bell, "{card: Bell, counters: {mark: 1, wounds: 2}}", "{heal: {type: x, how: each}}")
    assert answer.terminates == "proved"
    assert answer.certificate["counters wounds"] > answer.certificate["counters mark"]


# Whatever random worlds do.


def _never_false(seeds: range, states: int = 250) -> dict[str, int]:
    """Hold what is proved against what goes on for ever; say how many of each there were."""
    many = {"proved": 0, "loops": 0, "neither": 0}
    for seed in seeds:
        asked = ask(text(random.Random(seed)))
        try:
            explorer = Explorer(asked, Limits(seconds=20), states=states)
            found = explorer.map()
        except LimitReached:
            continue
        proof = certificate(explorer.machine.boards, asked.position)
        comes_back = _comes_back(found.places)
        assert proof is None or not (comes_back or found.cut), seed
        many["proved" if proof is not None else "loops" if comes_back or found.cut else "neither"] += 1
    return many


def _comes_back(places: list[Place]) -> bool:
    import networkx as nx

    ways: nx.DiGraph[int] = nx.DiGraph()
    ways.add_edges_from((n, to) for n, place in enumerate(places) for _, to in place.ways)
    return not nx.is_directed_acyclic_graph(ways)


def test_no_proof_is_false_in_worlds_of_circles() -> None:
    many = _never_false(range(START, START + 150 * max(1, HUNT)))
    assert many["proved"] > 50
    assert many["loops"] > 1


def test_no_loop_is_claimed_of_what_ends() -> None:
    """Where a loop is told from far on, no end is found without that either."""
    claimed = ended = 0
    for seed in range(START, START + 40 * max(1, HUNT)):
        asked = ask(growing(random.Random(seed)))
        far = Explorer(asked, Limits(seconds=20), states=70).map()
        plain = Explorer(asked, Limits(seconds=20), states=70)
        plain.__dict__["straight_texts"] = False
        found = plain.map()
        ended += found.limit is None
        claimed += bool(far.cut) and not found.cut
        assert not (far.cut and found.limit is None), seed
    assert claimed > 2
    assert ended > 5


def test_a_verb_that_places_counters_need_not_take_any_away() -> None:
    """Where it does both, it is done to an object that has none of what it takes."""
    rules = _asked("  Bell: {types: [x]}", "Bell").ruleset
    trade = Verb("trade", counters=True, places="rust")
    heard = Trigger(Pattern("trade", Ref("self")), (Act("trade", "gold", of=Ref("self")),))
    position = _asked("  Bell: {types: [x]}", "Bell").position
    cards = position.cards.put("Bell", replace(position.cards["Bell"], abilities=(heard,)))
    position = replace(position, cards=cards)
    for verb, proved in ((trade, False), (replace(trade, places=None), True)):
        boards = Boards(replace(rules, verbs=(*rules.verbs, verb)), position)
        assert (certificate(boards, position) is not None) == proved
