"""What lasts, and what the rules themselves forbid, binds a payment as a permanent's text does."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from worlds import cost, question, ruleset

import lawful
from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import ActTerm, CostAll
from lawful.model.declaration import Question
from lawful.model.effect import Norm, Static
from lawful.model.expression import Compare, Condition, Count, Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Lasting
from lawful.model.referee import payments
from lawful.model.selector import Pattern, Selector

YOU = Ref("controller")
SUBJECTS = (None, Selector(zone=("hand",)), Selector(name="red"), Selector(name="blue", zone=("hand",)))
CONDITIONS: tuple[Condition | None, ...] = (
    None, None, None,
    Compare(Count(Selector(zone=("pitch",))), "ge", 1),
    Compare(Count(Selector(zone=("hand",), owner=YOU)), "lt", 3),
)  # fmt: skip


def norm(r: Random) -> Norm:
    action = Pattern(r.choice(["pitch", "pitch", "discard", "tap"]), r.choice(SUBJECTS), r.choice([None, None, YOU]))
    return Norm("cannot", action, r.choice(CONDITIONS), r.choice(CONDITIONS) if r.random() < 0.2 else None)


def asked(seed: int) -> tuple[Question, Question]:
    """The same norms: laid on the position or part of the rules; and printed on objects in play."""
    r = Random(seed)
    found = [norm(r) for _ in range(r.randint(1, 2))]
    hand = [r.choice(["red", "red", "blue", "chi"]) for _ in range(r.randint(1, 4))]
    wanted = cost(r=r.randint(0, 4), c=r.randint(0, 1))
    if r.random() < 0.4:
        act = Act("discard", Selector(zone=("hand",), how="choose", n=1))
        wanted = CostAll((*wanted.terms, ActTerm(act)))  # type: ignore[union-attr]
    plain = question(wanted, hand, {"c": r.randint(0, 2)})
    owner = [r.choice(["Ann", "Bob"]) for _ in found]
    lasting = tuple(Lasting(f"laid {i}", who, n) for i, (n, who) in enumerate(zip(found, owner, strict=True)))
    cards = {f"ban {i}": Card(f"ban {i}", abilities=(Static(n),)) for i, n in enumerate(found)}
    printed = question(wanted, hand, dict(plain.position.players[0].pool), [*cards], cards=cards)
    things = tuple(
        replace(t, controller=owner[int(t.card[4:])], owner=owner[int(t.card[4:])]) if t.card in cards else t
        for t in printed.position.things
    )
    printed = replace(printed, position=replace(printed.position, things=things))
    return replace(plain, position=replace(plain.position, lasting=lasting)), printed


@pytest.mark.parametrize("seed", range(120))
def test_laid_or_printed_it_is_the_same(seed: int) -> None:
    laid, printed = asked(seed)
    played = {(p.uses, p.choices) for p, _ in payments(laid, 50_000)}
    assert played == {(p.uses, p.choices) for p, _ in payments(printed, 50_000)}
    answers = [lawful.pay(one, "sequences") for one in (laid, printed)]
    assert [a.count for a in answers] == [len(played)] * 2
    assert [{(w.payment.uses, w.payment.choices) for w in a.ways} for a in answers] == [played] * 2


def test_some_are_payable_and_some_are_not() -> None:
    """The comparison says something: bans that bind, bans that do not, and bans that leave nothing."""
    counts = [sum(1 for _ in payments(asked(seed)[0])) for seed in range(120)]
    free = [sum(1 for _ in payments(without(asked(seed)[0]))) for seed in range(120)]
    pairs = list(zip(counts, free, strict=True))
    assert sum(now < was for now, was in pairs) > 20
    assert sum(now == was > 0 for now, was in pairs) > 20
    assert sum(now == 0 < was for now, was in pairs) > 10


def without(bound: Question) -> Question:
    return replace(bound, position=replace(bound.position, lasting=()))


def test_the_rules_themselves_forbid() -> None:
    ban = Norm("cannot", Pattern("pitch", Selector(name="red")), name="no-red")
    bound = question(cost(r=1), ["red", "blue"], rules=ruleset(norms=(ban,)))
    assert [[use.thing for use in way.payment.uses] for way in lawful.pay(bound).ways] == [["blue"]]
    [reason, *_] = lawful.pay(question(cost(r=1), ["red"], rules=ruleset(norms=(ban,)))).reasons
    assert "no-red" in [about for because in reason for about in because.about]


def test_what_it_is_bound_to_decides() -> None:
    on = Norm("cannot", Pattern("pitch", Ref("on")))
    plain = question(cost(r=1), ["red", "blue"])
    laid = Lasting("laid", "Bob", on, bindings=FrozenMap({"on": "blue"}))
    answer = lawful.pay(replace(plain, position=replace(plain.position, lasting=(laid,))))
    assert [[use.thing for use in way.payment.uses] for way in answer.ways] == [["red"]]
    banned = Norm("cannot", Pattern("play", Ref("on")))
    asked = question(None, ["bolt"], cards={"bolt": Card("bolt", cost=cost(r=0))}, thing="bolt", kind="play")
    for on, count in (("bolt", 0), ("nothing", 1)):
        laid = Lasting("laid", "Bob", banned, bindings=FrozenMap({"on": on}))
        assert lawful.pay(replace(asked, position=replace(asked.position, lasting=(laid,)))).count == count
