"""The five cards, played: a tax, a source of its own, a trigger, a static effect, a prevention."""

from __future__ import annotations

from dataclasses import replace

import pytest
from five import BEAR, CONTROLLER, FRIEND, FROSTBITE, RULES, SCROLL, moment, position, said, thing

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import ActTerm, AssetTerm, Cost, CostAll
from lawful.model.declaration import Declaration, Question
from lawful.model.expression import Expression, Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Position, Thing
from lawful.model.referee.acts import perform
from lawful.model.referee.amounts import due
from lawful.model.referee.announce import announce
from lawful.model.referee.evaluate import Scope, value
from lawful.model.referee.listing import payments
from lawful.model.referee.moment import Moment
from lawful.model.referee.queue import settle
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Selector

SELF = Ref("self")


def one(moments: tuple[Moment, ...]) -> Moment:
    assert len(moments) == 1
    return moments[0]


def wounds(at: Moment) -> dict[str, int]:
    return {t.id: t.counters["wounds"] for t in at.position.things if "wounds" in t.counters}


# Frostbite: the tax is locked in before its source is destroyed, and is not added twice


def breath(*frost: Thing, player: str = "Tyler") -> Question:
    hero = thing("Adept", who=player)
    return Question(RULES, position(hero, *frost), Declaration(player, "activate", "Adept"))


def test_frostbite_adds_one_resource_to_a_chi_cost() -> None:
    amounts = due(breath(thing("Frostbite")), None, ()).amounts
    assert (amounts["c"], amounts["r"]) == (3, 1)


def test_the_tax_stays_due_when_its_source_is_gone() -> None:
    question = breath(thing("Frostbite"))
    announced = announce(question)
    waiting = one(announced.moments)
    assert [ability.source for ability in waiting.position.queue] == ["Frostbite"]
    assert waiting.position.thing("Frostbite").zone == "arena"
    end = one(settle(waiting))
    assert end.position.thing("Frostbite").zone == "graveyard"
    assert (announced.due.amounts["c"], announced.due.amounts["r"]) == (3, 1)
    # It is not the position that remembers it: asked anew, nothing but the printed cost is due.
    again = due(replace(question, position=end.position), None, ()).amounts
    assert (again["c"], again["r"]) == (3, 0)


@pytest.mark.parametrize(
    "frost",
    [(), (thing("Frostbite", who="Nic"),), (thing("Frostbite", "graveyard"),), (thing("Frostbite", face="down"),)],
    ids=["none", "of the other player", "not in play", "face down"],
)
def test_no_tax_and_no_trigger_without_a_frostbite_of_ones_own(frost: tuple[Thing, ...]) -> None:
    announced = announce(breath(*frost))
    assert (announced.due.amounts["c"], announced.due.amounts["r"]) == (3, 0)
    assert one(announced.moments).position.queue == ()


def test_two_tax_twice_and_are_both_destroyed() -> None:
    announced = announce(breath(thing("Frostbite"), thing("Frostbite #2")))
    assert announced.due.amounts["r"] == 2
    end = one(settle(one(announced.moments)))
    assert {t.zone for t in end.position.things if t.card == "Frostbite"} == {"graveyard"}


def test_what_cannot_be_declared_triggers_nothing() -> None:
    question = Question(
        RULES, position(thing("Plain", "hand"), thing("Frostbite")), Declaration("Tyler", "play", "Plain")
    )
    announced = announce(question)
    assert announced.due.broken is not None
    assert announced.moments == ()


# Cell: what it may pay for, counters that two costs want, a wild icon that pays a typed part


def cell(counters: int = 3, **more: object) -> Thing:
    return thing("Cell", counters=FrozenMap({"charge": counters} if counters else {}), **more)


def ways(cost: Cost, of: Card = SCROLL, *there: Thing, rules: Ruleset = RULES, form: str = "hero") -> int:
    here = position(thing(of.name, "hand"), *there, form=form)
    here = replace(here, cards=here.cards.put(of.name, replace(of, cost=cost)))
    return sum(1 for _ in payments(Question(rules, here, Declaration("Tyler", "play", of.name))))


def energy(n: int, charges: int = 0) -> Cost:
    """Return a cost of energy that also takes charge counters from an upgrade."""
    remove = ActTerm(Act("remove", "charge", of=Selector(type=("upgrade",), how="choose"), n=charges))
    return CostAll((AssetTerm("e", n), *((remove,) if charges else ())))


def test_the_cell_pays_for_an_event() -> None:
    assert ways(energy(1), SCROLL, cell()) == 1
    question = Question(
        RULES, position(thing("Scroll", "hand"), cell(), form="hero"), Declaration("Tyler", "play", "Scroll")
    )
    ((payment, outcome),) = payments(question)
    assert [(use.thing, use.part, use.source) for use in payment.uses] == [("Cell", "e", "source")]
    assert set(outcome.pool.values()) == {0}


@pytest.mark.parametrize(
    ("of", "form", "cells", "rules"),
    [
        (FRIEND, "hero", (cell(),), RULES),
        (SCROLL, "alter-ego", (cell(),), RULES),
        (SCROLL, "hero", (cell(0),), RULES),
        (SCROLL, "hero", (cell(status=frozenset({"exhausted"})),), RULES),
        (SCROLL, "hero", (cell(who="Nic"),), RULES),
        (SCROLL, "hero", (cell(face="down"),), RULES),
        (SCROLL, "hero", (), RULES),
        (SCROLL, "hero", (cell(),), replace(RULES, source_abilities=False)),
    ],
    ids=["ally", "form", "no counter", "exhausted", "of the other player", "face down", "none", "rules without"],
)
def test_the_cell_does_not_pay(of: Card, form: str, cells: tuple[Thing, ...], rules: Ruleset) -> None:
    assert ways(energy(1), of, *cells, rules=rules, form=form) == 0


def test_one_cell_exhausts_once_however_many_counters() -> None:
    assert ways(energy(2), SCROLL, cell(3)) == 0
    assert ways(energy(2), SCROLL, cell(1), thing("Cell #2", counters=FrozenMap({"charge": 1}))) > 0


@pytest.mark.parametrize(("held", "asked", "payable"), [(3, 2, True), (3, 3, False), (2, 1, True), (1, 1, False)])
def test_a_counter_is_spent_once(held: int, asked: int, payable: bool) -> None:
    assert (ways(energy(1, asked), SCROLL, cell(held)) > 0) is payable
    assert ways(energy(0, asked), SCROLL, cell(held)) > 0  # alone, either could be paid


def test_wild_pays_energy_but_not_chi() -> None:
    assert ways(AssetTerm("e", 1), SCROLL, cell()) == 1
    assert ways(AssetTerm("w", 1), SCROLL, cell()) == 1
    assert ways(AssetTerm("c", 1), SCROLL, cell()) == 0


# Astral Double: not queued where it has no choice; changes a base value for good


def hire(*others: Thing) -> Moment:
    at = moment(thing("Astral Double", "hand"), *others)
    return one(perform((Act("play", SELF, to="arena"),), at, self="Astral Double", controller="Tyler"))


def life(at: Moment, id: str = "Astral Double", *path: str) -> int:
    return value(Ref("self", (*path, "life")), at.scope.bind(self=id))


def test_the_double_takes_the_life_of_another_creature_for_good() -> None:
    played = hire(thing("Bear"))
    assert life(played) == 0
    assert [ability.source for ability in played.position.queue] == ["Astral Double"]
    end = one(settle(played))
    assert (life(end), life(end, "Astral Double", "base")) == (4, 4)
    assert end.position.thing("Astral Double").zone == "arena"
    # It does not follow the other one: it stays when that one dies.
    alone = one(perform((Act("destroy", Ref("bear")),), end, bear="Bear"))
    assert life(one(settle(alone))) == 4


def test_the_double_takes_the_life_that_the_other_has_now() -> None:
    assert life(one(settle(hire(thing("Bear", base=FrozenMap({"life": 9})))))) == 9


@pytest.mark.parametrize(
    "others",
    [(), (thing("Bear", face="down"),), (thing("Bear", "hand"),), (thing("Bear", "graveyard"),), (thing("Cell"),)],
    ids=["none", "face down", "in hand", "in the graveyard", "no creature"],
)
def test_without_another_creature_it_is_not_queued_and_dies(others: tuple[Thing, ...]) -> None:
    played = hire(*others)
    assert played.position.queue == ()
    assert said(played, "unqueued") == [{"source": "Astral Double"}]
    assert one(settle(played)).position.thing("Astral Double").zone == "graveyard"


def test_the_check_waits_for_the_queue() -> None:
    played = hire(thing("Bear"))
    assert played.position.thing("Astral Double").zone == "arena"  # base life 0, but its ability waits
    trace = [line.params.get("event", line.id) for line in one(settle(played)).trace]
    assert "destroy" not in trace


def test_every_choice_of_another_creature_is_an_end_of_its_own() -> None:
    ends = settle(hire(thing("Bear"), thing("Gabriel", who="Nic")))
    assert [life(end) for end in ends] == [4, 5]


def test_nothing_happens_where_the_other_creature_is_gone_as_it_resolves() -> None:
    played = hire(thing("Bear"))
    gone = one(perform((Act("destroy", Ref("bear")),), played, bear="Bear"))
    end = one(settle(gone))
    assert end.position.thing("Astral Double").zone == "graveyard"
    assert said(end, "nothing") == [{"verb": "set"}]


# Widowmaker: put as defending, then the effect is looked at anew, then the defend event occurs


def defended(*defenders: str) -> Moment:
    hands = [thing(id, "hand" if id.startswith("Plain") else "arena", "Nic") for id in defenders]
    at = moment(thing("Widowmaker", "chain"), *hands)
    put = Act("put", Selector(zone=("hand", "arena"), controller=CONTROLLER), of=Ref("attack"), to="defends")
    return one(perform((put,), at, attack="Widowmaker", controller="Nic"))


def power(at: Moment) -> int:
    return value(Ref("self", ("power",)), at.scope.bind(self="Widowmaker"))


@pytest.mark.parametrize(
    ("defenders", "expected"),
    [((), 7), (("Plain",), 7), (("Plain", "Plain #2"), 4), (("Plain", "Plain #2", "Plain #3"), 4)],
)
def test_widowmaker_is_stronger_while_fewer_than_two_defend(defenders: tuple[str, ...], expected: int) -> None:
    at = defended(*defenders) if defenders else moment(thing("Widowmaker", "chain"))
    assert power(at) == expected


def test_the_defend_event_sees_what_the_defenders_made_of_the_attack() -> None:
    both = defended("Plain", "Gauntlet")
    assert both.position.queue == ()  # +3 was gone by the time of the event
    alone = defended("Gauntlet")
    assert [ability.source for ability in alone.position.queue] == ["Gauntlet"]
    assert one(settle(alone)).position.thing("Gauntlet").counters == {"glory": 1}


def test_the_strength_comes_back_when_a_defender_leaves() -> None:
    both = defended("Plain", "Gauntlet")
    assert power(one(perform((Act("destroy", Ref("it")),), both, it="Plain"))) == 7


def test_both_become_defending_at_once_where_the_attack_lies() -> None:
    both = defended("Plain", "Gauntlet")
    assert {t.zone for t in both.position.things} == {"chain"}
    assert [line["subject"] for line in said(both, "happens")] == ["Plain", "Gauntlet"]


def test_put_one_after_the_other_the_first_still_sees_the_strong_attack() -> None:
    at = moment(thing("Widowmaker", "chain"), thing("Gauntlet", who="Nic"), thing("Plain", "hand", "Nic"))
    steps = [Act("put", Ref(name), of=Ref("attack"), to="defends") for name in ("one", "two")]
    bound = {"attack": "Widowmaker", "controller": "Nic"}
    first = one(perform(tuple(steps), at, one="Gauntlet", two="Plain", **bound))
    assert (len(first.position.queue), power(first)) == (1, 4)
    last = one(perform(tuple(steps), at, one="Plain", two="Gauntlet", **bound))
    assert (len(last.position.queue), power(last)) == (0, 4)


# Gabriel: one prevention for each wound event; three wounded at once are three events of one batch


THREE = (thing("Gabriel"), thing("Bear"), thing("Bear #2"), thing("Bear #3"), thing("Bear #4", who="Nic"))
MINE = Selector(name="Bear", controller=CONTROLLER)


def wound(at: Moment, *each: int, whom: Selector | Ref = MINE, **bindings: str) -> tuple[Moment, ...]:
    return perform(tuple(Act("wound", whom, n=n) for n in each), at, **{"controller": "Tyler", **bindings})


def test_three_creatures_wounded_at_once_are_three_events() -> None:
    assert wounds(one(wound(moment(*THREE), 3))) == {"Bear": 2, "Bear #2": 2, "Bear #3": 2}
    assert wounds(one(wound(moment(*THREE), 1))) == {}


def test_one_creature_wounded_twice_is_two_events() -> None:
    assert wounds(one(wound(moment(*THREE), 1, 3, whom=SELF, self="Bear"))) == {"Bear": 2}
    assert wounds(one(wound(moment(*THREE), 4, whom=SELF, self="Bear"))) == {"Bear": 3}


def test_under_the_other_reading_the_three_are_one_event() -> None:
    at = moment(*THREE, rules=replace(RULES, at_once="whole"))
    ends = [sorted(wounds(end).values()) for end in wound(at, 3)]
    assert ends == [[2, 3, 3]] * 3  # one wound is prevented; whose, is chosen


@pytest.mark.parametrize(
    ("gabriel", "hit", "expected"),
    [
        (thing("Gabriel"), "Bear", 2),
        (thing("Gabriel"), "Gabriel", 2),
        (thing("Gabriel"), "Bear #4", 3),
        (thing("Gabriel"), "Cell", 3),
        (thing("Gabriel", "hand"), "Bear", 3),
        (thing("Gabriel", face="down"), "Bear", 3),
    ],
    ids=["own", "itself", "of the other player", "no creature", "not in play", "face down"],
)
def test_gabriel_guards_the_creatures_of_its_controller(gabriel: Thing, hit: str, expected: int) -> None:
    at = moment(gabriel, *THREE[1:], thing("Cell"))
    assert wounds(one(wound(at, 3, whom=SELF, self=hit)))[hit] == expected


def test_prevention_lowers_the_wounds_not_the_strength() -> None:
    bear = Scope(position(*THREE), RULES, FrozenMap({"self": "Bear #4"}))
    strike: Expression = Ref("self", ("power",))
    at = moment(*THREE)
    end = one(perform((Act("wound", Ref("hit"), n=strike),), at, self="Bear #4", controller="Nic", hit="Bear"))
    assert wounds(end) == {"Bear": 1}
    assert value(strike, bear.at(end.position)) == 2


def test_two_gabriels_prevent_one_each_time_each() -> None:
    at = moment(*THREE, thing("Gabriel #2"))
    assert wounds(one(wound(at, 3))) == {"Bear": 1, "Bear #2": 1, "Bear #3": 1}


# names mean nothing


def renamed(at: Position, names: dict[str, str]) -> Position:
    cards = FrozenMap({names.get(n, n): replace(c, name=names.get(n, n)) for n, c in at.cards.items()})
    return replace(at, cards=cards, things=tuple(replace(t, card=names.get(t.card, t.card)) for t in at.things))


def test_cards_are_played_the_same_under_any_name() -> None:
    names = {FROSTBITE.name: "qx17", BEAR.name: "zzz", "Gabriel": "v", "Astral Double": "w", "Adept": "y"}
    question = breath(thing("Frostbite"))
    assert due(replace(question, position=renamed(question.position, names)), None, ()).amounts["r"] == 1
    played = hire(thing("Bear"))
    assert life(one(settle(played.at(renamed(played.position, names))))) == 4
    at = moment(*THREE)
    ours = Selector(type=("creature",), controller=CONTROLLER)
    assert wounds(one(wound(at.at(renamed(at.position, names)), 3, whom=ours)))["Bear"] == 2
