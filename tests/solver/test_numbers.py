"""Numbers of objects under random effects: the solver's reading and the referee's are the same, object by object."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from worlds import cost, question

from lawful.model.card import Card
from lawful.model.effect import Modifier, Static
from lawful.model.expression import Compare, Count, Expression, Greatest, Least, Ref, Sum, Times
from lawful.model.frozen import FrozenMap
from lawful.model.referee.layers import stats
from lawful.model.selector import Selector
from lawful.model.selector import Test as Where
from lawful.solver.encode.amount import Missing
from lawful.solver.encode.look import Look

STATS = ("power", "life", "cost")
paths = st.sampled_from(["power", "life", "base.power", "base.life"])
numbers: st.SearchStrategy[Expression] = st.recursive(
    st.one_of(
        st.integers(-2, 4),
        st.sampled_from([Ref("self", (name,)) for name in STATS]),
        st.sampled_from([Ref("self", ("base", "power")), Ref("self", ("counters", "ash"))]),
        st.sampled_from([Count(Selector(where=(Where("power", "ge", 2),))), Count(Selector(("arena",)))]),
    ),
    lambda inner: st.one_of(
        st.builds(Times, st.integers(-1, 2), inner),
        *(st.builds(kind, st.lists(inner, max_size=2).map(tuple)) for kind in (Sum, Least, Greatest)),
    ),
    max_leaves=3,
)
ops = st.sampled_from(["lt", "le", "eq", "ne", "ge", "gt"])
wheres = st.builds(Where, st.sampled_from(STATS), ops, numbers)
whose = st.one_of(
    st.just(Ref("self")), st.none(), st.builds(Selector, where=st.lists(wheres, max_size=1).map(tuple)),
    st.builds(Selector, zone=st.sampled_from([("hand",), ("arena",)])),
)  # fmt: skip
modifiers = st.builds(
    Modifier, paths, st.sampled_from(["set", "add", "subtract", "multiply"]), numbers,
    st.sampled_from(["set", "increase", "reduce"]), whose, st.none() | st.builds(Compare, numbers, ops, numbers),
)  # fmt: skip
amounts = st.dictionaries(st.sampled_from(["power", "life"]), st.integers(0, 3)).map(FrozenMap)
costs = st.none() | st.builds(lambda n: cost(r=n), st.one_of(st.integers(0, 2), st.just(Ref("x"))))
cards = st.builds(
    lambda printed, have, effects: Card("", ("card",), printed, stats=have, abilities=tuple(map(Static, effects))),
    costs, amounts, st.lists(modifiers, max_size=2),
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(cards, st.booleans(), st.booleans(), amounts), min_size=1, max_size=4), st.permutations("abcd")
)
def test_numbers_are_read_alike(laid: list[tuple[Card, bool, bool, FrozenMap[str, int]]], names: list[str]) -> None:
    known = {name: replace(card, name=name) for (card, *_), name in zip(laid, names, strict=False)}
    hand = [n for n, (_, held, *_) in zip(names, laid, strict=False) if held]
    asked = question(cost(r=1), hand, arena=[n for n in known if n not in hand], cards=known)
    position = asked.position
    for (_, _, down, changed), name in zip(laid, names, strict=False):
        thing = position.thing(name)
        position = position.with_thing(
            replace(thing, base=changed, face="down" if down else "up", counters=FrozenMap({"ash": 2}))
        )
    asked = replace(asked, position=position)
    literal, look = stats(position, asked.ruleset), Look(asked)
    for thing in position.things:
        for name in (*STATS, "base.power", "base.life", "base.cost"):
            try:
                found = look._stat(thing, name)
            except Missing:
                found = None
            assert found == literal.get((thing.id, name)), (thing, name)
