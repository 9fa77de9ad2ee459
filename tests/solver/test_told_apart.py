"""What is told apart, and what is not: equal cards merged by name, objects with several sources."""

from __future__ import annotations

import pytest
from worlds import cost, question, ruleset

import lawful
from lawful.model.act import Act
from lawful.model.cost import ActTerm, CostAll
from lawful.model.declaration import Question
from lawful.model.effect import Source
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.page import Page
from lawful.model.referee import payments
from lawful.model.selector import Selector
from lawful.solver.encode.steady import unsteady
from lawful.solver.ways import find

ENGINES = ["diagram", "enumeration"]


def act(verb: str) -> ActTerm:
    return ActTerm(Act(verb, Selector(zone=("hand",), how="choose", n=1)))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("verbs", [("discard", "reveal"), ("reveal", "discard")])
@pytest.mark.parametrize("hand", [["red", "red"], ["red", "blue", "red"]])
def test_orders_of_equal_cards_are_counted_as_they_are_listed(
    hand: list[str], verbs: tuple[str, str], engine: str
) -> None:
    asked = question(CostAll((*cost(r=0).terms, *map(act, verbs))), hand)
    found = find(asked, engine=engine)
    merged = list(found.lines("sequences", True, Page()))
    assert found.counts_by_name("sequences") == len(merged)
    assert sum(copies for *_, copies in merged) == found.counts()["sequences"] == len(list(payments(asked)))


def two_sources(first: str, second: str) -> Question:
    arena = Selector(zone=("arena",))
    rules = ruleset(
        sources=(
            Source(FrozenMap({"r": 1}), ActTerm(Act(first, Ref("self"))), name="one", of=arena),
            Source(FrozenMap({"r": 1}), ActTerm(Act(second, Ref("self"))), name="two", of=arena),
        )
    )
    return question(cost(r=2), [], arena=["red", "blue"], rules=rules)


def test_sources_of_one_object_that_exclude_each_other_in_one_order_are_played_out() -> None:
    asked = two_sources("tap", "destroy")
    assert unsteady(asked) is not None
    answer = lawful.pay(asked, "sequences")
    assert (answer.engine, answer.count) == ("played", len(list(payments(asked))))


@pytest.mark.parametrize("engine", ENGINES)
def test_an_object_with_several_sources_is_used_once_in_a_way(engine: str) -> None:
    asked = two_sources("tap", "tap")
    found = find(asked, engine=engine)
    for level in ("sources", "allocations"):
        listed = [{use.thing for use in payment.uses} for _, payment, _, _ in found.lines(level, False, Page())]
        assert listed
        assert {thing: n for thing, n in found.used(level).items() if n} == {
            thing: sum(thing in things for things in listed) for thing in set().union(*listed)
        }


def test_only_a_proof_is_called_one() -> None:
    asked = lawful.question("fab", cost="2r", hand="red, red")
    for engine, proved in (("enumeration", True), ("diagram", True)):
        assert find(asked, engine=engine).prove() is proved
    assert find(asked, engine="diagram", in_order=True).prove() is True  # the diagram of sequences is proved, too
    played = find(asked, engine="played", play=lambda question, limits: [])
    assert played.prove() is False
    assert played.unproved == "played"
