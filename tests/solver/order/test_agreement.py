"""The machine and the referee, two readings of the same rules, find the same outcomes."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from invented import crowd, question
from order_worlds import agree, ask, explored

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.declaration import Happening, OrderQuestion
from lawful.model.effect import Grant, Modifier, Static
from lawful.model.errors import LimitReached
from lawful.model.expression import Compare, Count, Ref
from lawful.model.frozen import FrozenMap
from lawful.model.policy import EffectRules
from lawful.model.position import Player, Position, Thing
from lawful.model.referee.layers import layers
from lawful.model.referee.resolution import outcomes, seen
from lawful.model.ruleset import AssetRule, Document, Ruleset, Stage, Zone
from lawful.model.selector import Selector, Test
from lawful.solver.order.board import Boards

SELF, ALL = Ref("self"), Selector(type=("creature",))


def found(asked: OrderQuestion, **how: Any) -> frozenset[Any]:
    there = explored(asked, **how)
    assert there.limit is None
    return frozenset(seen(there.places[n].state.position, asked) for n in there.ends)


@pytest.mark.parametrize("start", range(0, 600, 100))
def test_random_worlds_under_any_mixture_of_policies(start: int) -> None:
    for seed in range(start, start + 100):
        asked = question(random.Random(seed), 8)
        try:
            expected = outcomes(asked, 1_500)
        except LimitReached:
            continue
        assert found(asked) == expected, seed


@pytest.mark.parametrize("start", range(0, 300, 100))
def test_abilities_at_once_agree_with_and_without_telling_them_apart(start: int) -> None:
    split = 0
    for seed in range(start, start + 100):
        asked = crowd(random.Random(seed), 4)
        expected = outcomes(asked, 3_000)
        there = explored(asked)
        split += there.split
        assert frozenset(seen(there.places[n].state.position, asked) for n in there.ends) == expected, seed
        assert found(asked, reduce=False) == expected, seed
    assert split > 20  # independent abilities were told apart at all


class Drawn:
    """Choices made by hypothesis, so that what fails is made small."""

    def __init__(self, data: st.DataObject) -> None:
        self.data = data

    def choice(self, seq: Any, /) -> Any:
        return self.data.draw(st.sampled_from(seq))

    def randint(self, a: int, b: int, /) -> int:
        return self.data.draw(st.integers(a, b))


@settings(max_examples=60)
@given(st.data())
def test_worlds_that_hypothesis_makes(data: st.DataObject) -> None:
    asked = question(Drawn(data), 6)
    try:
        expected = outcomes(asked, 600)
    except LimitReached:
        return
    assert found(asked) == expected


# Exhaustively: up to four static effects over three facts (two numbers and a type), all policies.

STATIC = (
    Modifier("might", "set", 2, "one", ALL),
    Modifier("might", "add", 1, "one", Selector(where=(Test("might", "ge", 2),))),
    Modifier("life", "add", Ref("subject", ("might",)), "two", ALL, Compare(Ref("self", ("life",)), "lt", 3)),
    Modifier("might", "set", 0, "two", ALL, Compare(Count(Selector(type=("beast",))), "ge", 1)),
    Grant("one", gain_types=("beast",), of=ALL),
    Grant("one", set_types=("beast",), of=Selector(type=("creature",), not_=SELF)),
    Grant("one", no_abilities=True, of=Selector(type=("beast",), not_=SELF)),
    Grant("one", lose_types=("beast",), of=Selector(where=(Test("might", "ge", 1),))),
)


def _rules(policy: EffectRules) -> Ruleset:
    return Ruleset(
        "small", "A small game", (Document("text", "Rules", "1"),), "text",
        assets=(AssetRule("r", "resource", 1, ("r",)),),
        zones=(Zone("arena", play=True),),
        stages=(Stage("one"), Stage("two", floor=0)),
        ordering=policy,
    )  # fmt: skip


POLICIES = [
    EffectRules(dependency=dependency, contradiction=contradiction)  # type: ignore[arg-type]
    for dependency, contradiction in product(("ignore", "defer", "sort"), ("stages", "latest"))
]


@pytest.mark.parametrize("policy", POLICIES, ids=lambda p: f"{p.dependency}-{p.contradiction}")
def test_every_order_of_up_to_four_static_effects(policy: EffectRules) -> None:
    rules = _rules(policy)
    differ = 0
    for many in range(1, 5):
        for chosen in permutations(range(len(STATIC)), many):
            position = _laid([STATIC[n] for n in chosen])
            ours, theirs = Boards(rules, position).of(position), layers(position, rules)
            assert (ours.numbers, ours.types, ours.mute) == (theirs.table, theirs.types, theirs.mute), chosen
            differ += ours.order != sorted(ours.order)
    assert differ or policy.dependency == "ignore"  # the policy moved something


def _laid(effects: list[Any]) -> Position:
    cards, things = {}, []
    for n, effect in enumerate(effects):
        name = f"c{n}"
        cards[name] = Card(
            name, ("creature",), stats=FrozenMap({"might": n % 2, "life": 1}), abilities=(Static(effect),)
        )
        things.append(Thing(name, name, "Ann", "Ann", "arena", timestamp=n))
    return Position((Player("Ann"),), tuple(things), FrozenMap(cards), "Ann", clock=9)


# Independence, and outcome sets, against every permutation.


def _bells(marks: list[str], policy: str = "ties: turn") -> OrderQuestion:
    cards = "\n".join(
        f"  C{n}: {{types: [clapper], abilities: [{{trigger: {{on: {{tap: {{name: Bell}}}}, do: [{mark}]}}}}]}}"
        for n, mark in enumerate(marks)
    )
    arena = ", ".join(["Bell", *(f"C{n}" for n in range(len(marks)))])
    asked = ask(
        f"case: bells\nruleset: flesh-and-blood\ncards:\n  Bell: {{types: [bell]}}\n{cards}\n"
        f"given: {{players: {{Ann: {{arena: [{arena}]}}, Bob: {{}}}}}}\nwhen: {{do: [{{tap: {{name: Bell}}}}]}}\n"
    )
    assert policy
    return asked


def _by_permutations(marks: list[tuple[str, int]]) -> set[int]:
    ends = set()
    for order in permutations(marks):
        n = 0
        for what, by in order:
            n = by if what == "set" else n + by if what == "add" else max(0, n - by)
        ends.add(n)
    return ends


@pytest.mark.parametrize("seed", range(6))
def test_outcomes_are_those_of_all_permutations_up_to_seven(seed: int) -> None:
    dice = random.Random(seed)
    many = 7 if seed == 0 else dice.randint(2, 6)
    marks = [(dice.choice(("set", "add", "remove")), dice.randint(1, 3)) for _ in range(many)]
    spelled = {
        "set": "{{set: counters.mark, of: {{name: Bell}}, to: {n}}}",
        "add": "{{add: mark, of: {{name: Bell}}, n: {n}}}",
        "remove": "{{remove: mark, of: {{name: Bell}}, n: {n}}}",
    }
    there = explored(_bells([spelled[what].format(n=n) for what, n in marks]))
    assert there.limit is None
    ends = {there.places[n].state.position.thing("Bell").counters.get("mark", 0) for n in there.ends}
    assert ends == _by_permutations(marks)


def test_720_orders_agree_without_being_tried() -> None:
    asked = _bells(["{add: mark, of: $self}"] * 6)
    there = explored(asked)
    assert (len(there.ends), there.orders) == (1, 720)
    assert len(there.places) < 20
    assert len(explored(asked, reduce=False).places) > 60
    assert len(agree(asked)) == 1


def test_what_sets_a_number_to_what_it_is_already_is_not_independent() -> None:
    """Doing nothing now is no proof: after the other it would do something."""
    asked = _bells(["{set: counters.mark, of: {name: Bell}, to: 0}", "{add: mark, of: {name: Bell}}"])
    assert len(agree(asked)) == 2


def test_a_happening_that_does_nothing_has_one_end() -> None:
    asked = _bells([])
    assert (
        len(agree(OrderQuestion(asked.ruleset, asked.position, (Happening((Act("tap", SELF),), "Ann", "Bell"),)))) == 1
    )


# That the worlds are worth anything: policies decide something in them. The others decide in cases of the three games.

OTHER = {
    "dependency": ("ignore", "defer", "sort"),
    "bans": ("first", "last"),
    "lasting": ("live", "fixed"),
    "preventions": ("silent", "inactive"),
}


@pytest.mark.parametrize("name", OTHER)
def test_policies_decide_something(name: str) -> None:
    for seed in range(1_000):
        asked = question(random.Random(seed), 8)
        ends = {found(_under(asked, name, value)) for value in OTHER[name]}
        if len(ends) > 1:
            return
    raise AssertionError(f"no world tells the values of {name} apart")


def _under(asked: OrderQuestion, name: str, value: str) -> OrderQuestion:
    ordering = replace(asked.ruleset.ordering, **{name: value})  # type: ignore[arg-type]
    if name != "preventions":
        ordering = replace(ordering, preventions="silent")
    return replace(asked, ruleset=replace(asked.ruleset, ordering=ordering))
