"""Acts make events; events are replaced, prevented, happen, and only then trigger."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from five import RULES, moment, said, thing

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.effect import Prevention, Replacement, Trigger
from lawful.model.errors import LimitReached, UnknownName
from lawful.model.expression import Compare, Ref
from lawful.model.frozen import FrozenMap
from lawful.model.messages import text
from lawful.model.referee.acts import perform
from lawful.model.referee.moment import Moment
from lawful.model.referee.queue import settle
from lawful.model.ruleset import Verb
from lawful.model.selector import Pattern, Selector

SELF, CREATURES = Ref("self"), Selector(type=("creature",))


def card(name: str, *abilities: Any, type: str = "charm") -> Card:
    return Card(name, (type,), abilities=abilities)


def one(moments: tuple[Moment, ...]) -> Moment:
    assert len(moments) == 1
    return moments[0]


def do(at: Moment, *acts: Act, **bindings: Any) -> Moment:
    return one(perform(acts, at, **{"controller": "Tyler", **bindings}))


# verbs


@pytest.mark.parametrize(
    ("act", "path", "expected"),
    [
        (Act("wound", SELF, n=2), "counters.wounds", 3),
        (Act("add", "charge", of=SELF), "counters.charge", 3),
        (Act("add", "charge", of=SELF, n=2), "counters.charge", 4),
        (Act("remove", "charge", of=SELF, n=1), "counters.charge", 1),
        (Act("remove", "charge", of=SELF, n=9), "counters.charge", 0),
        (Act("set", "base.life", of=SELF, to=9), "base.life", 9),
        (Act("set", "counters.charge", of=SELF, to=5), "counters.charge", 5),
        (Act("set", "base.life", of=SELF, to=Ref("pick", ("life",))), "base.life", 4),
        (Act("destroy", SELF), "zone", "graveyard"),
        (Act("move", SELF, to="hand"), "zone", "hand"),
    ],
)
def test_a_verb_changes_its_object(act: Act, path: str, expected: object) -> None:
    from lawful.model.referee.evaluate import resolve

    bear = thing("Bear", counters=FrozenMap({"charge": 2, "wounds": 1}))
    after = do(moment(bear), act, self="Bear").scope.bind(self="Bear")
    assert resolve(Ref("self", tuple(path.split("."))), after) == expected


@pytest.mark.parametrize(
    ("act", "bear"),
    [
        (Act("destroy", SELF), thing("Bear", "hand")),
        (Act("exhaust", SELF), thing("Bear", status=frozenset({"exhausted"}))),
        (Act("ready", SELF), thing("Bear")),
        (Act("turn_down", SELF), thing("Bear", face="down")),
        (Act("remove", "charge", of=SELF), thing("Bear")),
        (Act("wound", SELF, n=0), thing("Bear")),
        (Act("wound", SELF, n=-1), thing("Bear")),
        (Act("wound", Ref("pick")), thing("Bear")),
        (Act("set", "base.life", of=SELF, to=Ref("pick", ("life",))), thing("Bear")),
        (Act("move", SELF, to="arena"), thing("Bear")),
        (Act("gain", FrozenMap({"r": 0})), thing("Bear")),
        (Act("draw"), thing("Bear")),
    ],
)
def test_to_do_nothing_is_no_event(act: Act, bear: Any) -> None:
    before = moment(bear)
    after = do(before, act, self="Bear")
    assert after.position == before.position
    assert said(after, "nothing") == [{"verb": act.verb}]
    assert not said(after, "happens")


def test_statuses_and_faces() -> None:
    bear = do(moment(thing("Bear")), Act("exhaust", SELF), Act("turn_down", SELF), self="Bear").position.thing("Bear")
    assert (bear.status, bear.face) == ({"exhausted"}, "down")


def test_gaining_and_drawing() -> None:
    deck = [thing(f"Plain #{n}", "deck") for n in (2, 3, 4)]
    after = do(moment(*deck, thing("Plain", "deck", "Nic")), Act("draw", n=2), Act("gain", FrozenMap({"r": 2, "c": 0})))
    assert [t.zone for t in after.position.things] == ["hand", "hand", "deck", "deck"]
    assert after.position.player("Tyler").pool == {"r": 2}
    assert after.position.player("Nic").pool == {}


def test_a_players_fact_can_be_set() -> None:
    after = do(moment(form="hero"), Act("set", "form", of=Ref("controller"), to="alter-ego"))
    assert after.position.player("Tyler").facts == {"form": "alter-ego"}


def test_an_unknown_verb_is_named_with_the_closest() -> None:
    with pytest.raises(UnknownName, match="'destroy'"):
        do(moment(thing("Bear")), Act("destory", SELF), self="Bear")


def test_what_leaves_play_forgets_and_is_forgotten() -> None:
    bear = thing("Bear", status=frozenset({"x"}), base=FrozenMap({"life": 9}), counters=FrozenMap({"charge": 1}))
    guard = thing("Gauntlet", relations=FrozenMap({"defends": "Bear"}))
    stolen = replace(bear, controller="Nic")
    at = moment(stolen, guard)
    at = at.at(replace(at.position, remaining=FrozenMap({"Bear/0": 2, "Bear #2/0": 1})))
    after = do(at, Act("destroy", SELF), self="Bear").position
    gone = after.thing("Bear")
    assert (gone.status, gone.base, gone.counters, gone.controller) == (frozenset(), {}, {}, "Tyler")
    assert after.thing("Gauntlet").relations == {}
    assert after.remaining == {"Bear #2/0": 1}


def test_what_moves_inside_play_stays_what_it_is() -> None:
    bear = thing("Bear", counters=FrozenMap({"charge": 1}), timestamp=1)
    after = do(moment(bear), Act("move", SELF, to="chain"), self="Bear").position.thing("Bear")
    assert after == replace(bear, zone="chain")


# picking


BEARS = (thing("Bear"), thing("Bear #2"), thing("Bear #3", "hand"), thing("Bear #4", who="Nic", face="down"))


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        (CREATURES, [{"Bear", "Bear #2"}]),
        (replace(CREATURES, how="choose"), [{"Bear"}, {"Bear #2"}]),
        (replace(CREATURES, how="random"), [{"Bear"}, {"Bear #2"}]),
        (replace(CREATURES, how="choose", n=2), [{"Bear", "Bear #2"}]),
        (replace(CREATURES, how="choose", n=3), [{"Bear", "Bear #2"}]),
        (replace(CREATURES, how="target", n=3), [set()]),
        (replace(CREATURES, how="choose", n=2, up_to=True), [set(), {"Bear"}, {"Bear #2"}, {"Bear", "Bear #2"}]),
        (replace(CREATURES, how="top", n=1), [{"Bear"}]),
        (replace(CREATURES, zone=("hand",)), [{"Bear #3"}]),
    ],
)
def test_picking_is_among_face_up_objects_in_play_unless_a_text_says_so(selector: Selector, expected: Any) -> None:
    ends = perform((Act("add", "mark", of=selector),), moment(*BEARS), controller="Tyler")
    hit = [{t.id for t in end.position.things if t.counters.get("mark")} for end in ends]
    assert hit == expected


def test_a_verb_looks_where_it_takes_from() -> None:
    after = do(moment(*BEARS), Act("discard", CREATURES))
    assert [t.id for t in after.position.things if t.zone == "graveyard"] == ["Bear #3"]


def test_a_later_step_uses_what_an_earlier_one_yielded_or_is_passed_over() -> None:
    steps = (
        Act("choose", replace(CREATURES, name="Bear"), as_="pick"),
        Act("wound", Ref("pick"), n=2, as_="dealt"),
        Act("gain", FrozenMap({"r": Ref("dealt")})),
        Act("add", "charge", of=SELF),
    )
    there = do(moment(thing("Bear"), thing("Cell")), *steps, self="Cell")
    assert there.position.player("Tyler").pool == {"r": 2}
    none = do(moment(thing("Cell")), *steps, self="Cell")
    assert none.position.player("Tyler").pool == {}
    assert none.position.thing("Cell").counters == {"charge": 1}  # the rest goes on


def test_a_choice_with_too_many_ways_is_refused() -> None:
    many = [thing(f"Bear #{n}") for n in range(2, 42)]
    with pytest.raises(LimitReached, match="ways"):
        perform((Act("wound", replace(CREATURES, how="choose", n=20)),), moment(*many), controller="Tyler")


def test_what_the_rules_say_of_a_verb_comes_first() -> None:
    rules = replace(RULES, verbs=(*RULES.verbs, Verb("wound", ("arena",), adds="wounded")))
    bear = do(moment(thing("Bear"), rules=rules), Act("wound", SELF), self="Bear").position.thing("Bear")
    assert (bear.status, bear.counters) == ({"wounded"}, {})


# triggers


def listener(event: str, subject: Any = None, **more: Any) -> Card:
    return card("Ear", Trigger(Pattern(event, subject, **more), (Act("add", "heard", of=SELF),)))


def heard(*things: Any, on: Card, act: Act, ear: Any = None, **bindings: Any) -> int:
    after = do(moment(*things, ear or thing("Ear"), cards=(on,)), act, **bindings)
    return len(after.position.queue)


@pytest.mark.parametrize(
    ("on", "expected"),
    [
        (listener("wounds"), 1),
        (listener("wound"), 1),
        (listener("destroy"), 0),
        (listener("wounds", CREATURES), 1),
        (listener("wounds", Selector(type=("event",))), 0),
        (listener("wounds", Selector(controller=Ref("controller"))), 1),
        (listener("wounds", SELF), 0),
        (listener("wounds", by=Ref("controller")), 1),
        (listener("wounds", cause="wound"), 1),
        (listener("wounds", cause="pitch"), 0),
    ],
)
def test_a_pattern_must_agree_in_every_part(on: Card, expected: int) -> None:
    assert heard(thing("Bear"), on=on, act=Act("wound", SELF), self="Bear") == expected


@pytest.mark.parametrize(
    ("assets", "expected"), [({"r": 2}, 1), ({"r": 1}, 0), ({"r": 2, "c": 1}, 0)], ids=["equal", "less", "more"]
)
def test_a_pattern_of_assets_is_of_exactly_these(assets: dict[str, int], expected: int) -> None:
    on = listener("gains", assets=FrozenMap(assets))
    assert heard(on=on, act=Act("gain", FrozenMap({"r": 2}))) == expected


def test_each_object_wounded_at_once_is_an_event_or_all_are_one() -> None:
    on, act = listener("wounds"), Act("wound", CREATURES)
    at = moment(thing("Bear"), thing("Bear #2"), thing("Ear"), cards=(on,))
    assert len(do(at, act).position.queue) == 2
    whole = replace(at, scope=replace(at.scope, ruleset=replace(RULES, at_once="whole")))
    assert len(do(whole, act).position.queue) == 1


def test_an_object_hears_its_own_leaving_and_its_own_coming_but_nothing_from_outside_play() -> None:
    leaving = listener("destroy", SELF)
    assert heard(on=leaving, act=Act("destroy", SELF), self="Ear") == 1
    coming = listener("played", SELF)
    assert heard(on=coming, act=Act("play", SELF, to="arena"), ear=thing("Ear", "hand"), self="Ear") == 1
    outside = listener("wounds")
    assert heard(thing("Bear"), on=outside, act=Act("wound", Ref("b")), ear=thing("Ear", "hand"), b="Bear") == 0
    down = thing("Ear", face="down")
    assert heard(thing("Bear"), on=outside, act=Act("wound", Ref("b")), ear=down, b="Bear") == 0


def test_what_comes_with_others_does_not_hear_them_come() -> None:
    on = listener("move")
    at = moment(thing("Ear", "hand"), thing("Bear", "hand"), cards=(on,))
    after = do(at, Act("move", Selector(zone=("hand",)), to="arena"))
    assert [dict(q.bindings)["subject"] for q in after.position.queue] == ["Ear"]


def test_what_left_play_is_looked_at_as_it_was() -> None:
    stolen = replace(thing("Bear", who="Nic"), controller="Tyler")
    mine = listener("destroy", Selector(controller=Ref("controller")))
    assert heard(stolen, on=mine, act=Act("destroy", Ref("b")), b="Bear") == 1
    assert heard(thing("Bear", who="Nic"), on=mine, act=Act("destroy", Ref("b")), b="Bear") == 0


def test_an_optional_ability_may_be_declined() -> None:
    on = card("Ear", Trigger(Pattern("wounds"), (Act("add", "heard", of=SELF),), optional=True))
    ends = settle(do(moment(thing("Bear"), thing("Ear"), cards=(on,)), Act("wound", SELF), self="Bear"))
    assert [end.position.thing("Ear").counters.get("heard", 0) for end in ends] == [1, 0]


def test_every_order_of_waiting_abilities_is_played() -> None:
    plus = card("Plus", Trigger(Pattern("wounds"), (Act("set", "counters.n", of=Ref("subject"), to=1),)))
    minus = card("Minus", Trigger(Pattern("wounds"), (Act("set", "counters.n", of=Ref("subject"), to=2),)))
    at = moment(thing("Bear"), thing("Plus"), thing("Minus"), cards=(plus, minus))
    ends = settle(do(at, Act("wound", SELF), self="Bear"))
    assert [end.position.thing("Bear").counters["n"] for end in ends] == [2, 1]
    assert [len(said(end, "resolves")) for end in ends] == [2, 2]
    alone = settle(do(moment(thing("Bear"), thing("Plus"), cards=(plus,)), Act("wound", SELF), self="Bear"))
    assert [end.position.thing("Bear").counters["n"] for end in alone] == [1]


@pytest.mark.parametrize("act", [Act("wound", SELF), Act("set", "counters.n", of=SELF, to=1)], ids=["grows", "turns"])
def test_effects_without_end_are_stopped_and_named(act: Act) -> None:
    ever = card("Ever", Trigger(Pattern(act.verb), (act,)))
    at = do(moment(thing("Ever"), cards=(ever,)), act, self="Ever")
    with pytest.raises(LimitReached, match="never end"):
        settle(at, steps=50)


# replacements


def talisman(name: str = "Talisman", gives: int = 3, takes: int = 1, optional: bool = False) -> Card:
    pattern = Pattern("gains", by=Ref("controller"), assets=FrozenMap({"r": takes}))
    return card(
        name, Replacement(pattern, (Act("destroy", SELF), Act("gain", FrozenMap({"r": gives}))), None, optional)
    )


def gained(*cards: Card, r: int = 1, by: str = "Tyler", **more: Any) -> list[tuple[int, tuple[str, ...]]]:
    at = moment(*(thing(c.name) for c in cards), cards=cards, **more)
    ends = perform((Act("gain", FrozenMap({"r": r})),), at, controller=by)
    here = [(e.position.player(by).pool.get("r", 0), e.position.things) for e in ends]
    return [(n, tuple(t.id for t in things if t.zone == "graveyard")) for n, things in here]


def test_a_replaced_event_is_not_the_one_that_happens() -> None:
    assert gained(talisman()) == [(3, ("Talisman",))]
    assert gained(talisman(), r=2) == [(2, ())]
    assert gained(talisman(), by="Nic") == [(1, ())]


def test_a_replacement_applies_once_to_one_event() -> None:
    same = card("Echo", Replacement(Pattern("gains"), (Act("gain", FrozenMap({"r": 2})),)))
    assert gained(same) == [(2, ())]


def test_an_event_already_changed_may_be_replaced_again() -> None:
    both = gained(talisman(), talisman("Greater", 5, takes=3))
    assert both == [(5, ("Talisman", "Greater"))]
    either = gained(talisman(), talisman("Other", 4))
    assert either == [(3, ("Talisman",)), (4, ("Other",))]


def test_an_optional_replacement_may_be_declined() -> None:
    assert gained(talisman(optional=True)) == [(3, ("Talisman",)), (1, ())]


def test_what_is_replaced_does_not_trigger() -> None:
    exact = listener("gains", assets=FrozenMap({"r": 1}))
    changed = listener("gains", assets=FrozenMap({"r": 3}))
    for on, expected in ((exact, 0), (changed, 1)):
        at = moment(thing("Talisman"), thing("Ear"), cards=(talisman(), on))
        assert len(do(at, Act("gain", FrozenMap({"r": 1}))).position.queue) == expected


def test_what_happens_instead_has_the_same_cause() -> None:
    double = card("Double", Replacement(Pattern("wounds", cause="wound"), (Act("wound", Ref("subject"), n=4),)))
    halve = card("Halve", Replacement(Pattern("wounds", cause="wound"), (Act("wound", Ref("subject"), n=1),)))
    at = moment(thing("Bear"), thing("Double"), thing("Halve"), cards=(double, halve))
    ends = perform((Act("wound", SELF, n=2),), at, self="Bear", controller="Nic")
    assert sorted(end.position.thing("Bear").counters["wounds"] for end in ends) == [1, 4]


# preventions


def shield(name: str, n: int, per: Any = "total", optional: bool = False) -> Card:
    return card(name, Prevention(Pattern("wounds", CREATURES), n, per, optional))


def wounds(end: Moment) -> int:
    return sum(t.counters.get("wounds", 0) for t in end.position.things)


def test_a_shield_in_all_keeps_its_rest() -> None:
    at = moment(thing("Bear"), thing("Four"), cards=(shield("Four", 4),))
    first = do(at, Act("wound", SELF, n=2), self="Bear")
    assert (wounds(first), first.position.remaining) == (0, {"Four/0": 2})
    second = do(first, Act("wound", SELF, n=3), self="Bear")
    assert (wounds(second), second.position.remaining) == (1, {"Four/0": 0})
    third = do(second, Act("wound", SELF, n=3), self="Bear")
    assert wounds(third) == 4


def test_a_prevention_is_gone_with_its_source_and_new_with_a_new_one() -> None:
    at = do(moment(thing("Bear"), thing("Four"), cards=(shield("Four", 4),)), Act("wound", SELF, n=2), self="Bear")
    gone = do(at, Act("destroy", Ref("four")), four="Four")
    assert wounds(do(gone, Act("wound", SELF, n=2), self="Bear")) == 2
    back = do(gone, Act("move", Ref("four"), to="arena"), four="Four")
    assert wounds(do(back, Act("wound", SELF, n=4), self="Bear")) == 0


def test_wholly_prevented_wounds_are_no_event() -> None:
    on = listener("wounds")
    at = moment(thing("Bear"), thing("Two"), thing("Ear"), cards=(shield("Two", 2), on))
    assert do(at, Act("wound", SELF, n=2), self="Bear").position.queue == ()
    assert len(do(at, Act("wound", SELF, n=3), self="Bear").position.queue) == 1


def test_the_order_of_two_shields_is_free_and_nothing_is_wasted() -> None:
    cards = (shield("Four", 4), shield("One", 1, "event"))
    ends = perform(
        (Act("wound", SELF, n=4),), moment(thing("Bear"), thing("Four"), thing("One"), cards=cards), self="Bear"
    )
    assert [wounds(end) for end in ends] == [0, 0]
    assert sorted(end.position.remaining.get("Four/0", 4) for end in ends) == [0, 1]


def test_a_shield_is_shared_out_among_those_wounded_at_once() -> None:
    at = moment(thing("Bear"), thing("Bear #2"), thing("One"), cards=(shield("One", 1),))
    ends = perform((Act("wound", CREATURES),), at)
    hit = [[t.id for t in end.position.things if t.counters] for end in ends]
    assert sorted(hit) == [["Bear"], ["Bear #2"]]


def test_an_optional_prevention_may_be_declined() -> None:
    at = moment(thing("Bear"), thing("May"), cards=(shield("May", 1, "event", optional=True),))
    assert sorted(map(wounds, perform((Act("wound", SELF),), at, self="Bear"))) == [0, 1]


# the trace


def test_every_line_of_a_trace_has_its_sentence() -> None:
    never = card("Never", Trigger(Pattern("wounds"), (Act("choose", Selector(type=("dragon",))),)))
    cards = (talisman(optional=True), shield("Four", 4), listener("wounds"), never)
    things = [thing(name) for name in ("Bear", "Talisman", "Four", "Ear", "Never")]
    steps = (
        Act("gain", FrozenMap({"r": 1})),
        Act("choose", CREATURES, as_="pick"),
        Act("wound", Ref("pick"), n=5),
        Act("draw"),
    )
    ends = [end for after in perform(steps, moment(*things, cards=cards), controller="Tyler") for end in settle(after)]
    lines = {line.id: text(line) for end in ends for line in end.trace}
    assert set(lines) == {
        f"effect.{n}"
        for n in ("happens", "nothing", "chosen", "queued", "unqueued", "resolves", "declined", "replaced", "prevented")
    }
    assert lines["effect.prevented"] == "Four prevents 4 of the wounds of Bear"


def test_a_condition_of_a_trigger_is_read_after_the_event() -> None:
    def on(n: int) -> Card:
        when = Compare(Ref("subject", ("counters", "wounds")), "eq", n)
        return card("Ear", Trigger(Pattern("wounds"), (Act("add", "heard", of=SELF),), when))

    assert heard(thing("Bear"), on=on(1), act=Act("wound", Ref("b")), b="Bear") == 1
    assert heard(thing("Bear"), on=on(0), act=Act("wound", Ref("b")), b="Bear") == 0
