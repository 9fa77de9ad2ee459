"""Texts that compare what cards cost: the number is the same to referee and solver, and no cost is not a cost of 0."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

import pytest
from worlds import cost, question

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import ActTerm, AssetTerm, Cost, CostAll, CostAny, terms
from lawful.model.declaration import Question
from lawful.model.effect import Modifier, Norm, Static
from lawful.model.expression import Comparison, Ref, Sum, Times
from lawful.model.frozen import FrozenMap
from lawful.model.payment import project
from lawful.model.referee import payments
from lawful.model.selector import Pattern, Selector
from lawful.model.selector import Test as Where
from lawful.solver.explain import why_not
from lawful.solver.ways import ways

X = Ref("x")
COSTS: list[tuple[Cost | None, int | None]] = [
    (None, None),
    (CostAll(), 0),
    (cost(r=0), 0),
    (cost(r=1), 1),
    (cost(c=1, r=2), 3),
    (CostAll((cost(r=1), cost(r=1))), 2),
    (CostAll((*cost(r=2).terms, ActTerm(Act("discard", Selector(("hand",), how="choose"))))), 2),  # type: ignore[union-attr]
    (cost(r=X), 0),
    (cost(r=Times(2, X)), 0),
    (cost(r=Sum((X, 3))), 3),
    (CostAny((cost(c=1), cost(r=1))), None),
]
OPS: dict[Comparison, Callable[[int, int], bool]] = {
    "lt": operator.lt,
    "le": operator.le,
    "eq": operator.eq,
    "ne": operator.ne,
    "ge": operator.ge,
    "gt": operator.gt,
}


def forbids(test: Where) -> Card:
    return Card("frost", abilities=(Static(Norm("cannot", Pattern("pitch", Selector(where=(test,))))),))


def agreed(asked: Question) -> int:
    """Return the number of source sets, the same by referee and solver; where there is none, there is a reason."""
    literal = {project(payment, "sources") for payment, _ in payments(asked, 1000)}
    found = ways(asked, "sources")
    assert found.complete
    assert {project(line.payment, "sources") for line in found.listed} == literal
    assert (why_not(asked) is None) == bool(literal)
    return len(literal)


@pytest.mark.parametrize(("printed", "number"), COSTS)
@pytest.mark.parametrize("op", OPS)
def test_a_card_is_pitched_unless_its_printed_cost_is_forbidden(
    printed: Cost | None, number: int | None, op: Comparison
) -> None:
    card = Card("card", ("card",), printed, FrozenMap({"r": 1}))
    for limit in range(5):
        cards = {"card": card, "frost": forbids(Where("cost", op, limit))}
        asked = question(cost(r=1), ["card"], arena=["frost"], cards=cards)
        # An absent number fails every test, so the card is not forbidden.
        forbidden = number is not None and OPS[op](number, limit)
        assert agreed(asked) == (0 if forbidden else 1)


def discount(least: int) -> Card:
    of = Pattern("declaration", Selector(where=(Where("cost", "ge", least),)), Ref("controller"))
    return Card("thrift", abilities=(Static(Modifier("cost.r", "subtract", 1, "reduce", of)),))


@pytest.mark.parametrize(
    ("printed", "least", "due"),
    [
        (cost(r=2), 2, [1]),
        (cost(r=2), 3, [2]),
        (cost(r=X), 2, [0, 1, 1, 2]),
        (cost(r=Times(2, X)), 3, [0, 2, 3, 5]),
        (cost(r=Sum((X, 2))), 3, [2, 2, 3, 4]),
        (cost(c=1, r=1), 2, [0]),
    ],
)
def test_the_card_that_is_played_has_the_x_that_is_declared(printed: Cost, least: int, due: Sequence[int]) -> None:
    cards = {"card": Card("card", ("card",), printed), "thrift": discount(least)}
    chi = sum(term.asset == "c" for term in terms(printed) if isinstance(term, AssetTerm))
    for x, amount in enumerate(due):
        declared = x if len(due) > 1 else None
        for have in (amount - 1, amount):
            if have >= 0:
                asked = question(
                    None, ["card"], {"c": chi, "r": have}, ["thrift"], cards=cards,
                    kind="play", thing="card", x=declared,
                )  # fmt: skip
                assert agreed(asked) == (have == amount)
