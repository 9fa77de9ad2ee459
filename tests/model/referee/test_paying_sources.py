"""Which sources may be used: their own costs, scopes and limits, restrictions, and what replaces their gain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from worlds import PITCH, VERBS, cost, question, ruleset

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import ActTerm, CostAll
from lawful.model.declaration import Question
from lawful.model.effect import Norm, Replacement, Source, Static
from lawful.model.errors import BadInput, LimitReached
from lawful.model.expression import Compare, Count, Fact, Ref
from lawful.model.frozen import FrozenMap
from lawful.model.messages import text
from lawful.model.payment import Claim, Payment, Use
from lawful.model.referee import judge, payments, replay
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Pattern, Selector

SELF, YOU = Ref("self"), Ref("controller")
OPEN = ruleset(source_abilities=True)


def sequences(asked: Question) -> list[tuple[str, ...]]:
    found = []
    for payment, outcome in payments(asked):
        assert replay(asked, payment).outcome == outcome
        found.append(tuple("+".join((use.thing, *use.replaced)) for use in payment.uses))
    assert len(found) == len(set(found))
    return sorted(found)


def left(asked: Question) -> set[int]:
    return {outcome.pool["r"] for _, outcome in payments(asked)}


def role(asked: Question, *steps: Use, **more: object) -> str | None:
    heard = judge(asked, Claim(steps, **more))  # type: ignore[arg-type]
    assert all(text(step.says) for step in heard.steps)
    assert heard.broken is None or text(heard.broken.says)
    return heard.broken.role if heard.broken else None


def lamp(*acts: Act, gain: int = 1, **more: object) -> Card:
    source = Source(FrozenMap({"r": gain}), CostAll(tuple(ActTerm(a) for a in acts)), "lamp", **more)  # type: ignore[arg-type]
    return Card("lamp", ("item",), abilities=(source,))


def lit(
    card: Card,
    need: int = 1,
    rules: Ruleset = OPEN,
    charges: int = 0,
    hand: Sequence[str] = (),
    **declared: object,
) -> Question:
    asked = question(cost(r=need), hand, arena=["lamp"], rules=rules, cards={"lamp": card}, **declared)  # type: ignore[arg-type]
    thing = replace(asked.position.thing("lamp"), counters=FrozenMap({"charge": charges}))
    return replace(asked, position=asked.position.with_thing(thing))


def test_abilities_are_sources_only_where_the_rules_say_so() -> None:
    tap = Act("tap", SELF)
    assert sequences(lit(lamp(tap))) == [("lamp",)]
    closed = lit(lamp(tap), rules=ruleset())
    assert sequences(closed) == []
    assert role(closed, Use("lamp", "", "lamp")) == "source.lamp"


def test_an_exhausted_object_is_no_source() -> None:
    asked = lit(lamp(Act("tap", SELF)), 2)
    assert sequences(asked) == []
    assert role(asked, Use("lamp", "", "lamp"), Use("lamp", "", "lamp")) == "once"
    tapped = replace(asked.position.thing("lamp"), status=frozenset({"tapped"}))
    assert role(replace(asked, position=asked.position.with_thing(tapped)), Use("lamp", "", "lamp")) == "source.lamp"


def test_counters_are_contested() -> None:
    burn = lamp(Act("remove", "charge", of=SELF, n=1))
    assert sequences(lit(burn, 3, charges=3)) == [("lamp", "lamp", "lamp")]
    assert sequences(lit(burn, 3, charges=2)) == []
    assert role(lit(burn, 3, charges=2), *[Use("lamp", "", "lamp")] * 3) == "once"
    asked = lit(burn, 2, charges=3)
    two_more = ActTerm(Act("remove", "charge", of=Selector(name="lamp", how="choose"), n=2))
    declaration = replace(asked.declaration, cost=CostAll((*cost(r=2).terms, two_more)))  # type: ignore[union-attr]
    assert sequences(replace(asked, declaration=declaration)) == []
    enough = lit(burn, 2, charges=4)
    assert sequences(replace(enough, declaration=declaration)) == [("lamp", "lamp")]


def test_a_limit_ends_what_costs_nothing() -> None:
    assert sequences(lit(lamp(limit=2), 2)) == [("lamp", "lamp")]
    assert sequences(lit(lamp(limit=2), 3)) == []
    assert role(lit(lamp(limit=1), 3), *[Use("lamp", "", "lamp")] * 2) == "once"


def test_what_never_ends_is_a_limit_not_a_hang() -> None:
    freely = tuple(replace(a, generate="freely") if a.id == "r" else a for a in OPEN.assets)
    with pytest.raises(LimitReached, match="sources"):
        list(payments(lit(lamp(), 1, rules=replace(OPEN, assets=freely))))


def test_when_and_for() -> None:
    tap = Act("tap", SELF)
    assert sequences(lit(lamp(tap, for_=Selector(type=("event",))), types=("event",))) == [("lamp",)]
    assert sequences(lit(lamp(tap, for_=Selector(type=("event",))), types=("ally",))) == []
    assert sequences(lit(lamp(tap, when=Fact("form", "hero")))) == []
    many = Compare(Count(Selector(zone=("hand",))), "ge", 1)
    assert sequences(lit(lamp(tap, when=many))) == []
    assert sequences(lit(lamp(tap, when=many), hand=["blank"])) == [("lamp",)]


def test_only_face_up_in_play_and_ones_own() -> None:
    asked = lit(lamp(Act("tap", SELF)))
    thing = asked.position.thing("lamp")
    for changed in (replace(thing, face="down"), replace(thing, controller="Bob"), replace(thing, zone="graveyard")):
        assert sequences(replace(asked, position=asked.position.with_thing(changed))) == []


def test_the_cost_of_a_source_is_acts_to_one_object_each() -> None:
    odd = Card("lamp", abilities=(Source(FrozenMap({"r": 1}), cost(c=1), "lamp"),))
    with pytest.raises(BadInput, match="costs assets"):
        list(payments(lit(odd)))
    other = lamp(Act("discard", Selector(zone=("hand",))))
    with pytest.raises(BadInput, match="one object"):
        list(payments(lit(other, hand=["red", "blue"])))


@pytest.mark.parametrize("owner", ["Ann", "Bob"])
def test_a_card_of_somebody_else_or_elsewhere_is_not_pitched(owner: str) -> None:
    asked = question(cost(r=1), ["red", "blue"])
    thing = replace(asked.position.thing("red"), owner=owner, zone="hand" if owner == "Bob" else "graveyard")
    asked = replace(asked, position=asked.position.with_thing(thing))
    assert sequences(asked) == [("blue",)]
    assert role(asked, Use("red", "", "pitch")) == "source.pitch"


def test_a_card_is_pitched_once() -> None:
    assert role(question(cost(r=2), ["red"]), Use("red", "", "pitch"), Use("red", "", "pitch")) == "once"


def banned(*, subject: object = None, **more: object) -> Question:
    norm = Norm("cannot", Pattern("pitch", subject, by=more.pop("by", None)), **more)  # type: ignore[arg-type]
    cards = {"seal": Card("seal", abilities=(Static(norm),))}
    return question(cost(r=1), ["red", "blue"], arena=["seal"], cards=cards)


def test_a_restriction_goes_before_everything() -> None:
    assert sequences(banned()) == []
    assert role(banned(), Use("red", "", "pitch")) == "restriction"
    assert sequences(banned(subject=Selector(name="red"))) == [("blue",)]
    assert sequences(banned(by=YOU)) == []
    many = Compare(Count(Selector(zone=("hand",))), "ge", 3)
    assert sequences(banned(while_=many)) == [("blue",), ("red",)]
    assert sequences(banned(unless=many)) == []


def test_a_restriction_of_somebody_elses_on_themselves() -> None:
    asked = banned(by=YOU)
    seal = replace(asked.position.thing("seal"), controller="Bob")
    assert sequences(replace(asked, position=asked.position.with_thing(seal))) == [("blue",), ("red",)]


def swap(name: str, before: int | None, after: int, *, optional: bool = False, destroy: bool = True) -> Card:
    acts = (Act("gain", FrozenMap({"r": after})), *((Act("destroy", SELF),) if destroy else ()))
    on = Pattern("gains", by=YOU, cause="pitch", assets=None if before is None else FrozenMap({"r": before}))
    return Card(name, abilities=(Replacement(on, acts, optional=optional),))


def with_swaps(need: int, hand: Sequence[str], *swaps: Card) -> Question:
    return question(cost(r=need), hand, arena=[s.name for s in swaps], cards={s.name: s for s in swaps})


def test_a_gain_of_one_becomes_three_and_order_matters() -> None:
    asked = with_swaps(3, ["red", "red", "yellow"], swap("coin", 1, 3))
    assert sequences(asked) == [
        ("red #2+coin",),
        ("red+coin",),
        ("yellow", "red #2+coin"),
        ("yellow", "red+coin"),
    ]
    assert left(asked) == {0, 2}
    assert sequences(with_swaps(4, ["red", "red"], swap("coin", 1, 3))) == [
        ("red #2+coin", "red"),
        ("red+coin", "red #2"),
    ]


def test_what_has_to_be_applied_cannot_be_left_out() -> None:
    asked = with_swaps(1, ["red"], swap("coin", 1, 3))
    assert replay(asked, Payment((Use("red", "r", "pitch"),))).broken is not None
    heard = judge(asked, Claim((Use("red", "", "pitch"),)))
    assert heard.outcome is not None
    assert heard.outcome.pool["r"] == 2
    assert role(asked, Use("red", "", "pitch", ("red",))) == "replacement"


def test_what_may_be_applied() -> None:
    asked = with_swaps(1, ["red"], swap("coin", 1, 3, optional=True))
    assert sequences(asked) == [("red",), ("red+coin",)]
    assert left(asked) == {0, 2}


def test_only_exactly_that_gain_is_replaced() -> None:
    asked = with_swaps(1, ["yellow", "both"], swap("coin", 1, 3))
    assert sequences(asked) == [("both",), ("yellow",)]
    assert role(asked, Use("yellow", "", "pitch", ("coin",))) == "replacement"


def test_one_after_the_other_on_the_changed_event_each_once() -> None:
    asked = with_swaps(1, ["red"], swap("coin", 1, 3), swap("gem", 3, 1), swap("ring", 1, 2))
    found = {p.uses[0].replaced: o.pool["r"] for p, o in payments(asked)}
    assert found == {("coin", "gem", "ring"): 1, ("ring",): 1}


def test_a_kept_replacement_applies_once_to_each_event() -> None:
    asked = with_swaps(4, ["red", "red"], swap("font", None, 2, destroy=False))
    assert sequences(asked) == [("red #2+font", "red+font"), ("red+font", "red #2+font")]


def test_a_replaced_gain_does_not_make_a_source_useful() -> None:
    asked = with_swaps(3, ["chi"], swap("coin", None, 1))
    assert len(sequences(asked)) == 0
    on_chi = question(cost(c=1), ["red"], arena=["coin"], cards={"coin": turn_into_chi()})
    assert sequences(on_chi) == []
    assert role(on_chi, Use("red", "", "pitch")) == "useful.c"


def turn_into_chi() -> Card:
    on = Pattern("gains", by=YOU, cause="pitch")
    return Card("coin", abilities=(Replacement(on, (Act("gain", FrozenMap({"c": 3})),)),))


def test_a_destroyed_replacement_pays_no_effect_cost() -> None:
    asked = with_swaps(1, ["red"], swap("coin", 1, 3, optional=True))
    effect = ActTerm(Act("destroy", Selector(name="coin", zone=("arena",), how="choose")))
    declaration = replace(asked.declaration, cost=CostAll((*cost(r=1).terms, effect)))  # type: ignore[union-attr]
    assert sequences(replace(asked, declaration=declaration)) == [("red",)]


def test_two_ways_to_use_the_same_card() -> None:
    ditch = Source(
        FrozenMap({"c": 1}),
        ActTerm(Act("discard", SELF)),
        "ditch",
        Selector(zone=("hand",), owner=YOU, has=("yields",)),
    )
    asked = question(cost(c=1, r=1), ["red", "blue"], rules=ruleset(sources=(PITCH, ditch), verbs=VERBS))
    found = [[(u.thing, u.source) for u in p.uses] for p, _ in payments(asked)]
    assert sorted(found) == [
        [("blue", "ditch"), ("red", "ditch")],
        [("blue", "ditch"), ("red", "pitch")],
        [("red", "ditch"), ("blue", "ditch")],
        [("red", "ditch"), ("blue", "pitch")],
    ]
    heard = judge(asked, Claim((Use("red", "", ""), Use("blue", "", "pitch"))))
    assert heard.complete
