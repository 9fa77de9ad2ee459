"""Effect-costs: after every asset part, each object where it is then, in the order that the payer likes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from worlds import cost, question

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import ActTerm, CostAll
from lawful.model.declaration import Question
from lawful.model.effect import Norm, Static
from lawful.model.errors import UnknownName
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.messages import text
from lawful.model.payment import Choice, Claim, Payment, Use
from lawful.model.referee import judge, payments, replay
from lawful.model.selector import Pattern, Selector

SELF, YOU = Ref("self"), Ref("controller")


def hand(**more: object) -> Selector:
    return Selector(zone=("hand",), owner=YOU, **{"how": "choose", **more})  # type: ignore[arg-type]


def due_for(
    acts: Sequence[Act], held: Sequence[str] = (), arena: Sequence[str] = (), r: int = 0, **more: object
) -> Question:
    terms = (*cost(r=r).terms, *(ActTerm(act) for act in acts))  # type: ignore[union-attr]
    return question(CostAll(terms), held, arena=arena, **more)  # type: ignore[arg-type]


def orders(asked: Question) -> list[tuple[tuple[int, tuple[str, ...]], ...]]:
    found = []
    for payment, outcome in payments(asked):
        assert replay(asked, payment).outcome == outcome
        found.append(tuple((choice.term, choice.things) for choice in payment.choices))
    assert len(found) == len(set(payments_of(asked)))
    return sorted(found)


def payments_of(asked: Question) -> list[Payment]:
    return [payment for payment, _ in payments(asked)]


def role(asked: Question, *steps: Use | Choice, **more: object) -> str | None:
    heard = judge(asked, Claim(steps, **more))  # type: ignore[arg-type]
    assert all(text(step.says) for step in heard.steps)
    assert heard.broken is None or text(heard.broken.says)
    return heard.broken.role if heard.broken else None


def test_a_pitched_card_is_not_discarded() -> None:
    asked = due_for([Act("discard", hand())], ["red", "blank"], r=1)
    assert orders(asked) == [((0, ("blank",)),)]
    assert role(asked, Use("red", "", "pitch"), Choice(0, ("red",))) == "effect.after"
    assert orders(due_for([Act("discard", hand())], ["red"], r=1)) == []
    assert orders(due_for([Act("discard", hand())], ["red"])) == [((0, ("red",)),)]


def test_effect_costs_come_after_every_part() -> None:
    asked = due_for([Act("discard", hand())], ["red", "blank"], r=1)
    assert role(asked, Choice(0, ("blank",)), Use("red", "", "pitch")) == "effect.after"
    assert role(asked, Use("red", "", "pitch"), Choice(0, ("blank",))) is None
    assert role(asked, Use("red", "", "pitch")) == "effect"
    assert role(asked, Use("red", "", "pitch"), started=True) is None


@pytest.mark.parametrize(
    ("n", "up_to", "sizes"), [(None, False, [1, 1]), (2, False, [2]), (2, True, [1, 1, 2]), (3, False, [])]
)
def test_how_many(n: int | None, up_to: bool, sizes: list[int]) -> None:
    asked = due_for([Act("discard", hand(n=n, up_to=up_to))], ["red", "blank"])
    assert sorted(len(things) for ((_, things),) in orders(asked)) == sizes


def test_the_wrong_number_is_not_a_payment() -> None:
    asked = due_for([Act("discard", hand(n=2))], ["red", "blank"])
    assert role(asked, Choice(0, ("red",))) == "effect"
    assert role(asked, Choice(0, ("red", "red"))) == "effect"
    assert role(asked, Choice(0, ("red", "blank"))) is None
    assert role(asked, Choice(1, ("red",))) == "effect"


def test_x_objects() -> None:
    asked = due_for([Act("discard", hand(n=Ref("x")))], ["red", "blank"])
    assert sorted((p.x, p.choices[0].things) for p in payments_of(asked)) == [
        (0, ()),
        (1, ("blank",)),
        (1, ("red",)),
        (2, ("blank", "red")),
    ]


def test_each_takes_all_and_at_least_one() -> None:
    each = Act("tap", Selector(zone=("arena",)))
    assert orders(due_for([each], arena=["red", "blue"])) == [((0, ("blue", "red")),)]
    assert orders(due_for([each])) == []
    assert role(due_for([each], arena=["red", "blue"]), Choice(0, ("red",))) == "effect"
    assert role(due_for([each], arena=["red", "blue"])) is None


def test_two_terms_cannot_have_the_same_object() -> None:
    two = [Act("discard", hand()), Act("discard", hand())]
    assert orders(due_for(two, ["red"])) == []
    assert len(orders(due_for(two, ["red", "blue"]))) == 4
    assert role(due_for(two, ["red", "blue"]), Choice(0, ("red",)), Choice(1, ("red",))) == "effect.distinct"


def test_revealed_and_then_discarded_but_not_the_other_way() -> None:
    asked = due_for([Act("reveal", hand()), Act("discard", hand())], ["red"])
    assert orders(asked) == [((0, ("red",)), (1, ("red",)))]
    assert role(asked, Choice(1, ("red",)), Choice(0, ("red",))) == "effect.distinct"


def test_tapped_once() -> None:
    tap = Act("tap", Selector(zone=("arena",), how="choose"))
    assert orders(due_for([tap, tap], arena=["red"])) == []
    assert len(orders(due_for([tap, tap], arena=["red", "blue"]))) == 4
    assert role(due_for([tap, tap], arena=["red"]), Choice(0, ("red",)), Choice(1, ("red",))) == "effect.distinct"


def lamp(*acts: Act, charges: int = 0) -> Question:
    cards = {"lamp": Card("lamp")}
    asked = due_for(acts, arena=["lamp"], cards=cards, kind="activate", thing="lamp")
    thing = replace(asked.position.thing("lamp"), counters=FrozenMap({"charge": charges}))
    return replace(asked, position=asked.position.with_thing(thing))


def test_the_object_named() -> None:
    assert orders(lamp(Act("tap", SELF))) == [((0, ("lamp",)),)]
    assert role(lamp(Act("tap", SELF))) is None
    destroyed = lamp(Act("tap", SELF), Act("destroy", SELF))
    assert orders(destroyed) == [((0, ("lamp",)), (1, ("lamp",)))]
    assert role(destroyed, Choice(1, ("lamp",)), Choice(0, ("lamp",))) == "effect.distinct"
    # An object that has moved is not the one referred to any more, wherever the verb could find it.
    assert orders(lamp(Act("destroy", SELF), Act("banish", SELF))) == []


def test_counters() -> None:
    def burn(n: int) -> Act:
        return Act("remove", "charge", of=SELF, n=n)

    assert orders(lamp(burn(2), charges=2)) == [((0, ("lamp",)),)]
    assert orders(lamp(burn(2), charges=1)) == []
    assert len(orders(lamp(burn(1), burn(2), charges=3))) == 2
    assert orders(lamp(burn(1), burn(2), charges=2)) == []


def test_chance_needs_enough_and_picks_nobody() -> None:
    random = Act("discard", hand(how="random"))
    assert orders(due_for([random], ["red", "blank"])) == [((0, ()),)]
    assert orders(due_for([random], [])) == []
    assert role(due_for([random], ["red"]), Choice(0, ("red",))) == "effect"
    assert orders(due_for([random], ["red"], r=1)) == []
    assert orders(due_for([random], ["red", "blank"], r=1)) == [((0, ()),)]


def test_chance_and_choice_share_what_is_there() -> None:
    both = [Act("discard", hand(how="random")), Act("discard", hand())]
    assert orders(due_for(both, ["red"])) == []
    assert orders(due_for(both, ["red", "blue"])) == [
        ((0, ()), (1, ("blue",))),
        ((0, ()), (1, ("red",))),
        ((1, ("blue",)), (0, ())),
        ((1, ("red",)), (0, ())),
    ]
    three = [*both, Act("discard", hand(how="random"))]
    assert orders(due_for(three, ["red", "blue"])) == []


def test_the_top_of_a_deck() -> None:
    top = Act("banish", Selector(zone=("deck",), owner=YOU, how="top", n=2))
    assert orders(due_for([top], deck=["red", "blue"])) == [((0, ()),)]
    assert orders(due_for([top], deck=["red"])) == []


def test_what_an_effect_cost_gains_comes_too_late() -> None:
    gain = Act("gain", FrozenMap({"r": 2}))
    asked = due_for([gain], ["red"], r=1)
    assert [(p.uses[0].thing, o.pool["r"]) for p, o in payments(asked)] == [("red", 2)]
    assert orders(due_for([gain], [], r=1)) == []
    assert [o.pool["r"] for _, o in payments(due_for([gain]))] == [2]


def test_what_a_pitch_moved_can_be_found_where_it_went() -> None:
    asked = due_for([Act("banish", Selector(zone=("pitch",), owner=YOU, how="choose"))], ["red"], r=1)
    assert orders(asked) == [((0, ("red",)),)]


def test_a_restriction_forbids_an_effect_cost() -> None:
    seal = Card("seal", abilities=(Static(Norm("cannot", Pattern("discard", Selector(name="red")))),))
    asked = due_for([Act("discard", hand())], ["red", "blue"], arena=["seal"], cards={"seal": seal})
    assert orders(asked) == [((0, ("blue",)),)]
    assert role(asked, Choice(0, ("red",))) == "restriction"


def test_the_card_played_is_no_object_of_an_effect_cost() -> None:
    card = Card("Bolt", ("card",), cost())
    act = ActTerm(Act("banish", Selector(name="Bolt", how="choose")))
    asked = question(CostAll((act,)), ["Bolt"], cards={"Bolt": card}, kind="play", thing="Bolt")
    assert orders(asked) == []
    assert role(asked, Choice(0, ("Bolt",))) == "announced"


def test_a_verb_that_the_rules_do_not_have() -> None:
    with pytest.raises(UnknownName, match="unknown verb 'discrad'; did you mean 'discard'"):
        payments_of(due_for([Act("discrad", hand())], ["red"]))
