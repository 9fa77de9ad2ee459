"""The vocabulary's spelling: generated terms are written and read again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.model.act import Act, Success
from lawful.model.card import Card
from lawful.model.cost import ActTerm, AssetTerm, CostAll, CostAny
from lawful.model.effect import (
    Ability,
    Activated,
    Additional,
    Alternative,
    Modifier,
    Norm,
    Prevention,
    Replacement,
    Source,
    Static,
    Trigger,
)
from lawful.model.errors import Fault
from lawful.model.expression import (
    Compare,
    Count,
    Every,
    Fact,
    Greatest,
    Least,
    Not,
    PerPlayer,
    Ref,
    Some,
    Sum,
    Times,
)
from lawful.model.frozen import FrozenMap
from lawful.model.reading.desk import Desk, Names
from lawful.model.reading.faults import Faults
from lawful.model.reading.spelling_abilities import named_kind
from lawful.model.reading.spelling_cards import dump_card, read_card
from lawful.model.reading.spelling_costs import read_cost
from lawful.model.reading.yamlout import to_yaml
from lawful.model.reading.yamltext import parse_yaml
from lawful.model.selector import Pattern, Selector
from lawful.model.selector import Test as Property

ASSETS = ("c", "r", "w")
NAMES = Names(ASSETS, "r")


def some(kind: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | kind


def tuples(kind: st.SearchStrategy[Any], least: int = 0) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(kind, min_size=least, max_size=3).map(tuple)


def maps(keys: st.SearchStrategy[str], values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.dictionaries(keys, values, max_size=2).map(FrozenMap)


words = st.sampled_from(["hand", "arena", "no", "1.10", "a b", "null", "type", "is", "each", "{c}"])
labels = st.sampled_from(["charge", "wound", "glow", "n", "name"])
assets = st.sampled_from(ASSETS)
verbs = st.sampled_from(["tap", "discard", "remove", "set", "choose", "destroy"])
events = st.sampled_from(["played", "declared", "wounds", "declaration", "gains"])
refs = st.builds(Ref, st.sampled_from(["self", "controller", "x", "it"]), tuples(st.sampled_from(["life", "yields"])))
numbers = st.integers(-20, 1000)
expressions: st.SearchStrategy[Any] = st.deferred(
    lambda: st.one_of(
        numbers,
        refs,
        st.builds(Count, selectors),
        st.builds(Times, numbers, expressions),
        st.builds(PerPlayer, expressions),
        *(st.builds(kind, tuples(expressions, 1)) for kind in (Sum, Least, Greatest)),
    )
)
ops = st.sampled_from(["lt", "le", "eq", "ne", "ge", "gt"])
selectors: st.SearchStrategy[Selector] = st.deferred(
    lambda: st.builds(
        Selector,
        zone=tuples(words),
        type=tuples(words),
        name=some(words),
        controller=some(refs),
        owner=some(refs),
        face=st.sampled_from([None, "up", "down"]),
        status=tuples(words),
        counters=maps(labels, st.integers(0, 9)),
        relations=maps(st.sampled_from(["defends", "attached", "zone", "by", "cause"]), refs),
        where=tuples(st.builds(Property, labels, ops, expressions)),
        has=tuples(words),
        not_=some(refs),
        how=st.sampled_from(["each", "choose", "target", "random", "top", "count"]),
        n=some(expressions),
        up_to=st.booleans(),
        by=some(refs),
    )
)
conditions: st.SearchStrategy[Any] = st.deferred(
    lambda: st.one_of(
        st.builds(Fact, st.sampled_from(["form", "not", "is", "count", "value", "player"]), words),
        st.builds(Fact, labels, words, refs),
        st.builds(Compare, expressions, ops, expressions),
        st.builds(Not, conditions),
        st.builds(Every, tuples(conditions)),
        st.builds(Some, tuples(conditions)),
    )
)
patterns = st.builds(
    Pattern, events, some(refs | selectors), some(refs), some(verbs), some(maps(assets, st.integers(0, 9)))
)
gains = maps(assets, expressions)
acts = st.one_of(
    st.builds(Act, verbs, some(labels | refs | selectors), some(refs | selectors), some(expressions | labels),
              some(expressions), some(labels)),
    st.builds(Act, st.just("gain"), gains),
)  # fmt: skip
costs: st.SearchStrategy[Any] = st.deferred(
    lambda: st.one_of(
        st.builds(AssetTerm, assets, expressions | st.integers(0, 9)),
        st.builds(ActTerm, acts, st.sampled_from(Success)),
        st.builds(CostAll, tuples(costs)),
        st.builds(CostAny, tuples(costs, 1)),
    )
)
modifiers = st.builds(
    Modifier,
    st.sampled_from(["cost.r", "power", "base.life"]),
    st.sampled_from(["set", "add", "subtract", "multiply"]),
    expressions,
    st.sampled_from(["set", "increase"]),
    some(refs | selectors | patterns),
    some(conditions),
)
norms = st.builds(
    Norm, st.sampled_from(["must", "cannot", "may"]), patterns, some(conditions), some(conditions)
)  # fmt: skip
abilities = st.one_of(
    st.builds(Static, modifiers | norms),
    st.builds(Trigger, patterns, tuples(acts), some(conditions), st.booleans()),
    st.builds(Source, gains | st.just(Ref("self", ("yields",))), costs, words, some(selectors), some(conditions),
              some(selectors), ability=some(words), limit=some(st.integers(0, 9))),
    st.builds(Replacement, patterns, tuples(acts), some(conditions), st.booleans()),
    st.builds(Prevention, patterns, expressions, st.sampled_from(["event", "total"]), st.booleans()),
    st.builds(Activated, costs, tuples(acts), words, tuples(words), some(conditions)),
    st.builds(Additional, costs, words, st.booleans()),
    st.builds(Alternative, costs, tuples(assets), words),
)  # fmt: skip


def told_apart(found: tuple[Ability, ...]) -> tuple[Ability, ...]:
    """Drop what a payment could not call by a name of its own."""
    kept: dict[object, Ability] = {}
    for place, one in enumerate(found):
        kind, name = named_kind(one), getattr(one, "name", "")
        kept.setdefault(place if kind is None else (kind, name), one)
    return tuple(kept.values())


cards = st.builds(
    Card,
    words,
    tuples(words),
    some(costs),
    some(maps(assets, st.integers(0, 9))),
    maps(labels, numbers),
    maps(labels, words),
    tuples(abilities).map(told_apart),
)


def read(text: str) -> tuple[Card, list[Fault]]:
    faults = Faults("f")
    return read_card(Desk(faults, NAMES), parse_yaml(text, faults)[0]), faults.found


@given(cards)
def test_what_is_written_is_read_again(card: Card) -> None:
    again, faults = read(to_yaml(dump_card(card)))
    assert not faults
    assert again == card


def ability(text: str) -> Any:
    card, faults = read("name: N\nabilities:\n  - " + text)
    assert not faults, faults
    return card.abilities[0]


SELF, CONTROLLER = Ref("self"), Ref("controller")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "replace: {on: {gains: {assets: {r: 1}, by: $controller, cause: pitch}}, "
            "instead: [{destroy: $self}, {gain: {r: 3}}]}",
            Replacement(
                Pattern("gains", by=CONTROLLER, cause="pitch", assets=FrozenMap({"r": 1})),
                (Act("destroy", SELF), Act("gain", FrozenMap({"r": 3}))),
            ),
        ),
        ("static: {cannot: {pitch: {name: Y}}}", Static(Norm("cannot", Pattern("pitch", Selector(name="Y"))))),
        (
            "additional: {name: fuse, optional: true, cost: [{reveal: {zone: hand, type: Ice}}]}",
            Additional(CostAll((ActTerm(Act("reveal", Selector(("hand",), ("Ice",), how="choose"))),)), "fuse", True),
        ),
        (
            "alternative: {name: coppers, replaces: [r], cost: [2c, {tap: $self}]}",
            Alternative(CostAll((AssetTerm("c", 2), ActTerm(Act("tap", SELF)))), ("r",), "coppers"),
        ),
        (
            'activate: {name: hero, cost: "{c}{c}{c}", do: [shuffle, {draw: 2}]}',
            Activated(CostAll((AssetTerm("c", 3),)), (Act("shuffle"), Act("draw", n=2)), "hero"),
        ),
        ("source: {gain: 2w}", Source(FrozenMap({"w": 2}))),
        (
            "static: {modify: power, stage: add, add: 1, of: {attached: $self}}",
            Static(Modifier("power", "add", 1, "add", Selector(relations=FrozenMap({"attached": SELF})))),
        ),
        (
            "trigger: {on: declared, do: {discard: {zone: hand, how: random}}, when: [{form: hero}, {not: {a: b}}]}",
            Trigger(
                Pattern("declared"),
                (Act("discard", Selector(("hand",), how="random")),),
                Every((Fact("form", "hero"), Not(Fact("a", "b")))),
            ),
        ),
    ],
)
def test_spellings(text: str, wanted: Any) -> None:
    assert ability(text) == wanted


@pytest.mark.parametrize(
    ("text", "cost"),
    [
        ("c: [1c, [2r]]", CostAll((AssetTerm("c", 1), CostAll((AssetTerm("r", 2),))))),
        ('c: ["1c & 2r"]', CostAll((CostAll((AssetTerm("c", 1),)), CostAll((AssetTerm("r", 2),))))),
        ("c: {any: [1c, {tap: $self}]}", CostAny((CostAll((AssetTerm("c", 1),)), ActTerm(Act("tap", SELF))))),
        ("c: {asset: r, amount: {count: {type: Ice}}}", AssetTerm("r", Count(Selector(type=("Ice",))))),
        ("c: {tap: $self, success: full}", ActTerm(Act("tap", SELF), Success.FULL)),
        ("c: [0]", CostAll()),
        ("c: []", CostAll()),
    ],
)
def test_costs(text: str, cost: Any) -> None:
    faults = Faults()
    node = parse_yaml(text, faults)[0].find("c")
    assert node is not None
    assert read_cost(Desk(faults, NAMES), node) == cost
    assert not faults.found


def test_a_selector_is_a_choice_in_an_act_and_everything_elsewhere() -> None:
    picked = ability("trigger: {on: {played: {type: a}}, do: [{discard: {zone: hand}}]}")
    assert picked.on.subject.how == "each"
    assert picked.do[0].what.how == "choose"


def test_a_list_of_abilities_is_a_card_and_a_number_beside_the_keys_a_stat() -> None:
    card, faults = read("name: N\nlife: 0\nstats: {power: 3}\nprops: {color: red}")
    assert not faults
    assert card.stats == FrozenMap({"life": 0, "power": 3})
