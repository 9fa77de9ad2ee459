"""What changes while a cost is being paid: such questions are played out, and nothing is missed or made up."""

from __future__ import annotations

import pytest
from worlds import card, cost, question, ruleset

import lawful
from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import ActTerm, Cost, CostAll
from lawful.model.declaration import Question
from lawful.model.effect import Norm, Replacement, Source, Static
from lawful.model.errors import BadInput, Disagreement, LimitReached
from lawful.model.expression import Compare, Condition, Count, Ref
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.payment import LEVELS, Choice, Claim, project
from lawful.model.referee import payments
from lawful.model.selector import Pattern, Selector
from lawful.solver.encode.steady import unsteady
from lawful.solver.ways import NotSteady, Ways, ways

SELF = Ref("self")
OWN = ruleset(source_abilities=True)


def act(verb: str, **selector: object) -> ActTerm:
    return ActTerm(Act(verb, Selector(**{"how": "choose", **selector})))  # type: ignore[arg-type]


def tells(q: Question) -> None:
    """Check an answer against everything that the referee plays."""
    played = list(payments(q))
    answer = lawful.pay(q, "sequences")
    assert {(way.payment, way.replay.outcome) for way in answer.ways} == set(played)
    for level in LEVELS:
        told = {outcome if level == "outcomes" else project(payment, level) for payment, outcome in played}
        assert answer.counts[level] == len(told)
    assert answer.status == ("legal" if played else "illegal")
    assert bool(answer.reasons) == (not played)


def source(when: Condition | None = None, **more: object) -> Source:
    return Source(FrozenMap({"r": 1}), ActTerm(Act("destroy", SELF)), when=when, **more)  # type: ignore[arg-type]


PITCHED = Compare(Count(Selector(("pitch",))), "ge", 1)
FORBIDS = Static(Norm("cannot", Pattern("discard", Selector(("hand",)))))
TRIPLES = Pattern("gains", cause="pitch", by=Ref("controller"), assets=FrozenMap({"r": 1}))
CHANGING = {
    "a source that waits for a pitch": ([source(PITCHED)], cost(r=2), ["red"]),
    "a restriction that is destroyed": (
        [FORBIDS],
        CostAll((act("discard", zone=("hand",)), act("destroy", zone=("arena",)))),
        ["red"],
    ),
    "a restriction whose object is a source": (
        [FORBIDS, source()],
        CostAll((*cost(r=1).terms, act("discard", zone=("hand",)))),  # type: ignore[union-attr]
        ["nil"],
    ),
    "a replacement that waits": (
        [Replacement(TRIPLES, (Act("gain", FrozenMap({"r": 3})),), PITCHED)],
        cost(r=4),
        ["red", "red"],
    ),
    "a replacement that counts": (
        [Replacement(TRIPLES, (Act("gain", FrozenMap({"r": Count(Selector(("hand",)))})),))],
        cost(r=2),
        ["red", "red", "red"],
    ),
    "a replacement whose object stays": (
        [Replacement(TRIPLES, (Act("gain", FrozenMap({"r": 3})), Act("tap", SELF)))],
        cost(r=5),
        ["red", "red"],
    ),
    "chance beside a choice": (
        [],
        CostAll((act("discard", zone=("hand",), how="random"), act("banish", zone=("hand",)))),
        ["red", "blue"],
    ),
}


def asked(abilities: list[object], due: Cost, hand: list[str]) -> Question:
    return question(due, hand, arena=["N"], rules=OWN, cards={"N": Card("N", abilities=tuple(abilities))})  # type: ignore[arg-type]


@pytest.mark.parametrize(("abilities", "due", "hand"), CHANGING.values(), ids=CHANGING)
@pytest.mark.parametrize("fewer", [0, 1])
def test_what_changes_is_played_out(abilities: list[object], due: Cost, hand: list[str], fewer: int) -> None:
    q = asked(abilities, due, hand[fewer:])
    assert fewer or unsteady(q)  # with less in hand, some have nothing left to change
    tells(q)


def test_what_is_played_has_its_engine_and_is_not_left_to_the_models() -> None:
    q = asked(*CHANGING["a source that waits for a pitch"])
    assert lawful.pay(q).engine == "played"
    with pytest.raises(NotSteady):
        ways(q, "sources")


def test_what_does_not_change_is_not_played() -> None:
    token = Card("N", abilities=(Static(Norm("cannot", Pattern("pitch", Selector(name="red")))),))
    q = question(cost(r=3), ["red", "blue"], arena=["N"], cards={"N": token})
    assert unsteady(q) is None
    assert lawful.pay(q).engine == "diagram"


def test_too_much_to_be_played_is_a_limit() -> None:
    q = asked(*CHANGING["chance beside a choice"])
    with pytest.raises(LimitReached):
        lawful.pay(q, limits=Limits(ways=1))


def test_a_given_payment_is_judged_as_it_is_played() -> None:
    q = asked(*CHANGING["a restriction that is destroyed"])
    assert lawful.judge(q, Claim((Choice(1, ("N",)), Choice(0, ("red",))))).status == "legal"
    too_early = lawful.judge(q, Claim((Choice(0, ("red",)), Choice(1, ("N",)))))
    assert too_early.status == "illegal"
    assert too_early.reasons[0][0].role == "restriction"


def test_more_effect_costs_than_the_models_can_order_are_played() -> None:
    five = CostAll(tuple(act("discard", zone=("hand",), name=name) for name in ("red", "blue", "nil", "k1", "k2")))
    tells(question(five, ["red", "blue", "nil", "k1", "k2"]))
    tells(question(CostAll((*cost(r=9).terms, *five.terms)), ["red", "blue", "nil", "k1", "k2"]))  # type: ignore[union-attr]


@pytest.mark.parametrize("due", [cost(r=3), cost(r=9), cost(c=1)])
def test_a_source_without_end(due: Cost) -> None:
    free = Source(FrozenMap({"r": 1}))
    tells(question(due, ["blue"], arena=["N"], rules=OWN, cards={"N": Card("N", abilities=(free,))}))


def test_a_source_without_end_and_an_open_x_have_no_end() -> None:
    free = Card("N", abilities=(Source(FrozenMap({"r": 1})),))
    q = question(cost(r=Ref("x")), arena=["N"], rules=OWN, cards={"N": free})
    for ask in (lambda: lawful.pay(q), lambda: list(payments(q))):
        with pytest.raises(LimitReached):
            ask()


def test_an_x_that_nothing_bounds_is_one_limit_for_both() -> None:
    q = question(CostAll((act("discard", zone=("hand",), n=Ref("x"), up_to=True),)), ["red"])
    found = []
    for ask in (lambda: lawful.pay(q), lambda: list(payments(q))):
        with pytest.raises(LimitReached) as limit:
            ask()
        found.append((limit.value.limit, limit.value.value, limit.value.advice))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "costs",
    [ActTerm(Act("discard", Selector(("hand",), how="choose"))), cost(h=1)],
    ids=["a choice of objects", "an asset"],
)
def test_a_source_that_costs_more_than_its_own_object_is_refused(costs: Cost) -> None:
    q = asked([Source(FrozenMap({"r": 2}), costs)], cost(r=2), ["red", "blue"])
    with pytest.raises(BadInput):
        lawful.pay(q)


def test_two_sources_of_one_name_are_refused() -> None:
    q = asked([source(), source()], cost(r=1), [])
    with pytest.raises(BadInput, match="two sources"):
        lawful.pay(q)


def test_an_act_without_an_object_is_no_verdict() -> None:
    with pytest.raises(BadInput, match="names no object"):
        lawful.pay(question(ActTerm(Act("discard", n=1)), ["red"]))


def test_an_amount_over_the_limit_is_a_limit() -> None:
    with pytest.raises(LimitReached, match="amount"):
        lawful.pay(question(cost(r=10**9), ["red"]))


def test_missing_ways_are_not_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    import lawful.solver.ways as module

    q, real = question(cost(r=3), ["red", "blue"]), ways

    def blind(*args: object, **more: object) -> Ways:
        return real(question(cost(r=3), ["red"]), "sources")

    monkeypatch.setattr(module, "ways", blind)
    with pytest.raises(Disagreement):
        lawful.pay(q)


def test_cards_that_give_much() -> None:
    tells(question(cost(r=Ref("x")), ["much"], cards={"much": card("much", r=3)}))
