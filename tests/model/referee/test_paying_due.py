"""What is due: options, alternatives, free, X, and the stages of what changes an amount."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from worlds import cost, question, ruleset

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import ActTerm, AssetTerm, CostAll, CostAny
from lawful.model.declaration import Question
from lawful.model.effect import Ability, Activated, Additional, Alternative, Modifier, Static
from lawful.model.errors import LimitReached, UnknownName
from lawful.model.expression import Compare, Count, Ref, Sum, Times
from lawful.model.frozen import FrozenMap
from lawful.model.messages import text
from lawful.model.payment import Claim, Use
from lawful.model.position import Lasting
from lawful.model.referee import due, judge, payments
from lawful.model.ruleset import Stage, XRule
from lawful.model.selector import Pattern, Selector

X, SELF, YOU = Ref("x"), Ref("self"), Ref("controller")
DISCARD = ActTerm(Act("discard", Selector(zone=("hand",), owner=YOU, how="choose")))


def tax(asset: str, operation: str, amount: int, stage: str, **more: object) -> Static:
    of = more.pop("of", Pattern("declaration", by=YOU))
    return Static(Modifier(f"cost.{asset}", operation, amount, stage, of, **more))  # type: ignore[arg-type]


def playing(printed: object, *abilities: Ability, hand: tuple[str, ...] = (), **declared: object) -> Question:
    card = Card("Bolt", ("Action", "Spell"), printed, abilities=abilities)  # type: ignore[arg-type]
    more = {"kind": "play", "thing": "Bolt", **declared}
    return question(None, ("Bolt", *hand), cards={"Bolt": card}, **more)  # type: ignore[arg-type]


def amounts(asked: Question, x: int | None = None, *options: str) -> Mapping[str, int]:
    found = due(asked, x, options)
    assert found.broken is None
    return {asset: n for asset, n in found.amounts.items() if n}


def broken(asked: Question, x: int | None = None, *options: str) -> str:
    found = due(asked, x, options)
    assert found.broken is not None
    assert not found.amounts
    assert text(found.broken.says)
    return found.broken.role


def test_a_card_that_is_played_charges_the_action_unless_as_an_instant() -> None:
    assert amounts(playing(cost(r=2))) == {"r": 2, "a": 1}
    assert amounts(playing(cost(r=2), instant=True)) == {"r": 2}


def test_no_cost_is_not_a_cost_of_nothing() -> None:
    assert broken(playing(None)) == "no-cost"
    assert list(payments(playing(None))) == []
    assert amounts(playing(CostAll(()), instant=True)) == {}


def test_free_leaves_what_is_added() -> None:
    asked = playing(CostAll((AssetTerm("r", 5), DISCARD)), Additional(cost(h=1)), free=True)
    assert amounts(asked) == {"h": 1, "a": 1}
    assert len(due(asked, None, ()).effects) == 1


def test_an_alternative_replaces_its_part_and_taxes_stay() -> None:
    asked = playing(cost(r=4, c=1), Alternative(CostAll((DISCARD,)), ("r",), "cash"))
    held = replace(asked, position=taxed(asked))
    assert amounts(held, None, "cash") == {"r": 1, "c": 1, "a": 1}
    assert amounts(held) == {"r": 5, "c": 1, "a": 1}


def taxed(asked: Question) -> object:
    modifier = Modifier("cost.r", "add", 1, "increase", Pattern("declaration", by=YOU))
    return replace(asked.position, lasting=(Lasting("frost", "Ann", modifier),))


def test_at_most_one_alternative_or_free() -> None:
    two = (Alternative(cost(h=1), ("r",), "blood"), Alternative(cost(h=2), ("r",), "bone"))
    assert amounts(playing(cost(r=4), *two), None, "blood") == {"h": 1, "a": 1}
    assert broken(playing(cost(r=4), *two), None, "blood", "bone") == "alternative"
    assert broken(playing(cost(r=4), *two, free=True), None, "blood") == "alternative"


def test_optional_costs_are_due_when_declared() -> None:
    asked = playing(cost(r=1), Additional(cost(r=2), "boost", optional=True), Additional(cost(c=1)))
    assert amounts(asked) == {"r": 1, "c": 1, "a": 1}
    assert amounts(asked, None, "boost") == {"r": 3, "c": 1, "a": 1}
    assert broken(asked, None, "nothing of the kind") == "option"
    assert broken(asked, None, "additional cost") == "option"


def test_either_or_is_numbered_over_the_whole_card() -> None:
    pair = CostAny((AssetTerm("r", 1), AssetTerm("c", 2)))
    asked = playing(
        CostAll((pair, pair)), Additional(CostAny((AssetTerm("h", 1), AssetTerm("h", 2))), "extra", optional=True)
    )
    assert amounts(asked, None, "choice 1", "choice 4") == {"r": 1, "c": 2, "a": 1}
    assert amounts(asked, None, "choice 1", "choice 3", "extra", "choice 6") == {"r": 2, "h": 2, "a": 1}
    assert broken(asked, None, "choice 1") == "option"
    assert broken(asked, None, "choice 1", "choice 2", "choice 3") == "option"
    assert broken(asked, None, "choice 1", "choice 3", "choice 6") == "option"


def test_all_open_options_are_played() -> None:
    pair = CostAny((AssetTerm("r", 1), AssetTerm("h", 1)))
    asked = playing(pair, Additional(cost(h=1), "boost", optional=True))
    found = {payment.options for payment, _ in payments(asked)}
    assert found == {("choice 2",), ("boost", "choice 2")}
    assert [p.options for p, _ in payments(replace_options(asked, ("choice 2",)))] == [("choice 2",)]


def replace_options(asked: Question, options: tuple[str, ...]) -> Question:
    return replace(asked, declaration=replace(asked.declaration, options=options))


def test_x_is_counted_as_it_is_written() -> None:
    double = question(CostAll((AssetTerm("r", Times(2, X)),)), ["blue", "red"])
    assert amounts(double, 2) == {"r": 4}
    assert {p.x for p, _ in payments(double)} == {0, 1, 2}
    assert amounts(question(CostAll((AssetTerm("r", Sum((X, 3))),))), 2) == {"r": 5}
    assert {p.x for p, _ in payments(question(cost(r=X), ["blue"]))} == {0, 1, 2, 3}


def test_x_must_be_said_and_be_large_enough() -> None:
    asked = question(cost(r=X), ["blue"], rules=ruleset(x=XRule(least=1)))
    assert broken(asked) == "x.least"
    assert broken(asked, 0) == "x.least"
    assert amounts(asked, 1) == {"r": 1}
    assert {p.x for p, _ in payments(asked)} == {1, 2, 3}
    assert broken(question(cost(r=1)), 1) == "x.none"


@pytest.mark.parametrize(
    ("on_free", "legal", "illegal"), [("zero", [0], [1, 2]), ("illegal", [], [0, 1]), ("keep", [0, 7], [])]
)
def test_x_of_a_cost_that_is_not_paid(on_free: str, legal: list[int], illegal: list[int]) -> None:
    rules = ruleset(x=XRule(1, on_free))  # type: ignore[arg-type]
    asked = replace(playing(cost(r=X), free=True, instant=True), ruleset=rules)
    for x in legal:
        assert amounts(asked, x) == {}
    for x in illegal:
        assert broken(asked, x) == "x.free"


def test_every_x_cannot_be_listed() -> None:
    rules = ruleset(x=XRule(0, "keep"))
    with pytest.raises(LimitReached, match="x = "):
        list(payments(replace(playing(cost(r=X), free=True), ruleset=rules)))


def test_x_of_an_additional_cost_is_paid_though_the_card_is_free() -> None:
    asked = playing(cost(r=5), Additional(cost(h=X)), free=True, instant=True)
    assert amounts(asked, 3) == {"h": 3}


def test_stages_run_in_their_order_and_have_a_floor() -> None:
    cards = {
        "Less": Card("Less", abilities=(tax("r", "subtract", 5, "reduce"),)),
        "More": Card("More", abilities=(tax("r", "add", 2, "increase"),)),
        "Set": Card("Set", abilities=(tax("r", "set", 1, "set"),)),
    }
    asked = question(cost(r=4), arena=["Less", "More", "Set"], cards=cards)
    assert amounts(asked) == {}
    assert [(c.before, c.after, c.by) for c in due(asked, None, ()).changes] == [
        (4, 1, "Set"),
        (1, 3, "More"),
        (3, 0, "Less"),
    ]
    last = ruleset(stages=(Stage("increase"), Stage("reduce", 1), Stage("set")))
    assert amounts(replace(asked, ruleset=last)) == {"r": 1}
    floored = ruleset(stages=(Stage("reduce", 1), Stage("increase")))
    assert amounts(replace(asked, ruleset=floored)) == {"r": 3}


def test_timestamps_inside_a_stage() -> None:
    cards = {
        "Two": Card("Two", abilities=(tax("r", "set", 2, "set"),)),
        "Six": Card("Six", abilities=(tax("r", "set", 6, "set"),)),
    }
    assert amounts(question(cost(r=4), arena=["Two", "Six"], cards=cards)) == {"r": 6}
    assert amounts(question(cost(r=4), arena=["Six", "Two"], cards=cards)) == {"r": 2}


def test_whom_a_tax_is_about() -> None:
    def with_of(**of: object) -> dict[str, Card]:
        pattern = Pattern("declaration", **of)  # type: ignore[arg-type]
        return {"Tax": Card("Tax", abilities=(tax("r", "add", 1, "increase", of=pattern),))}

    spell = Selector(type=("Spell",))
    for of, types, extra in [
        ({}, (), 1),
        ({"by": YOU}, (), 1),
        ({"subject": spell}, ("Spell", "Action"), 1),
        ({"subject": spell}, ("Action",), 0),
        ({"subject": Selector(type=("Spell",), zone=("hand",))}, ("Spell",), 0),
    ]:
        asked = question(cost(r=1), arena=["Tax"], cards=with_of(**of), types=types)
        assert amounts(asked) == {"r": 1 + extra}, of


def test_a_tax_works_only_face_up_in_play_and_while_it_says() -> None:
    while_ = Compare(Count(Selector(zone=("hand",))), "ge", 1)
    cards = {"Tax": Card("Tax", abilities=(tax("r", "add", 1, "increase", while_=while_),))}
    asked = question(cost(r=1), ["red"], arena=["Tax"], cards=cards)
    assert amounts(asked) == {"r": 2}
    assert amounts(question(cost(r=1), [], arena=["Tax"], cards=cards)) == {"r": 1}
    assert amounts(question(cost(r=1), ["Tax"], cards=cards)) == {"r": 1}
    down = asked.position.with_thing(replace(asked.position.thing("Tax"), face="down"))
    assert amounts(replace(asked, position=down)) == {"r": 1}


def test_a_tax_on_one_asset_leaves_the_others_alone() -> None:
    cards = {"Tax": Card("Tax", abilities=(tax("r", "add", 1, "increase"),))}
    assert amounts(question(cost(c=3), arena=["Tax"], cards=cards)) == {"c": 3, "r": 1}


def test_an_ability_has_its_own_cost() -> None:
    card = Card("Lamp", abilities=(Activated(cost(c=1), name="light"), Activated(cost(r=2), name="burn")))
    asked = question(None, arena=["Lamp"], cards={"Lamp": card}, kind="activate", thing="Lamp", ability="burn")
    assert amounts(asked) == {"r": 2}
    wrong = replace(asked, declaration=replace(asked.declaration, ability="bern"))
    with pytest.raises(UnknownName, match="burn"):
        due(wrong, None, ())


def test_the_card_that_is_played_does_not_pay_for_itself() -> None:
    card = Card("Bolt", ("Action",), cost(r=1), FrozenMap({"r": 3}))
    asked = question(None, ["Bolt", "red"], cards={"Bolt": card}, kind="play", thing="Bolt")
    assert [[u.thing for u in p.uses] for p, _ in payments(asked)] == [["red"]]
    heard = judge(asked, Claim((Use("Bolt", "", "pitch"),)))
    assert heard.broken is not None
    assert heard.broken.role == "announced"
    bare = replace(asked, ruleset=replace(asked.ruleset, announced=None))
    assert [[u.thing for u in p.uses] for p, _ in payments(bare)] == [["red"]]


def test_somebody_elses_tax_on_their_own_costs_is_not_ours() -> None:
    cards = {"Tax": Card("Tax", abilities=(tax("r", "add", 1, "increase"),))}
    asked = question(cost(r=1), arena=["Tax"], cards=cards)
    theirs = asked.position.with_thing(replace(asked.position.thing("Tax"), controller="Bob"))
    assert amounts(replace(asked, position=theirs)) == {"r": 1}
