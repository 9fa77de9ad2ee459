"""Numbers, conditions, references and selectors on a position."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from five import BEAR, RULES, position, thing

from lawful.model.card import Card
from lawful.model.cost import CostAll
from lawful.model.effect import Modifier, Static
from lawful.model.errors import BadInput, UnknownName
from lawful.model.expression import (
    Compare,
    Condition,
    Count,
    Every,
    Expression,
    Fact,
    Greatest,
    Least,
    Not,
    PerPlayer,
    Ref,
    Some,
    Sum,
    Times,
)
from lawful.model.frozen import FrozenMap
from lawful.model.position import Lasting, Position
from lawful.model.referee.evaluate import Absent, Scope, holds, ids, matches, number, resolve, select, value
from lawful.model.selector import Selector
from lawful.model.selector import Test as Where

GEM = Card("Gem", ("gem",), CostAll(), FrozenMap({"r": 2}), props=FrozenMap({"color": "blue"}))
BEARS = Selector(type=("creature",))
POWER = ("power",)


def scope(*things: Any, **bindings: Any) -> Scope:
    return Scope(position(*things, cards=(GEM,), form="hero"), RULES, FrozenMap(bindings))


TWO = (thing("Bear"), thing("Bear #2", who="Nic", face="down"))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (3, 3),
        (Ref("x"), 5),
        (Sum((1, Ref("x"))), 6),
        (Sum(()), 0),
        (Times(-2, Ref("x")), -10),
        (Least((4, Ref("x"))), 4),
        (Greatest((4, Ref("x"))), 5),
        (PerPlayer(3), 6),
        (Count(BEARS), 1),
        (Ref("self", POWER), 2),
        (Ref("self", ("counters", "wounds")), 0),
    ],
)
def test_numbers(expression: Expression, expected: int) -> None:
    assert value(expression, scope(*TWO, self="Bear", x=5)) == expected


@pytest.mark.parametrize(
    "expression",
    [Ref("self", ("wisdom",)), Ref("pick"), Ref("pick", POWER), Sum((1, Ref("self", ("wisdom",)))), Least(())],
)
def test_what_is_not_there_is_no_number(expression: Expression) -> None:
    assert number(expression, scope(*TWO, self="Bear")) is None
    assert value(expression, scope(*TWO, self="Bear")) == 0


@pytest.mark.parametrize("op", ["lt", "le", "eq", "ne", "ge", "gt"])
def test_a_missing_property_fails_every_test(op: Any) -> None:
    here = scope(*TWO, self="Bear")
    assert not holds(Compare(Ref("self", ("wisdom",)), op, 0), here)
    assert select(Selector(where=(Where("wisdom", op, 0),)), here) == ()
    assert holds(Compare(Ref("self", POWER), op, 2), here) is (op in ("le", "eq", "ge"))


HERO, FOE = Fact("form", "hero"), Fact("form", "alter-ego")


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (HERO, True),
        (FOE, False),
        (Not(FOE), True),
        (Every((HERO, FOE)), False),
        (Every(()), True),
        (Some((HERO, FOE)), True),
        (Some(()), False),
        (Fact("form", "hero", Ref("opponent")), False),
    ],
)
def test_conditions(condition: Condition, expected: bool) -> None:
    assert holds(condition, scope(controller="Tyler")) is expected


def test_references_follow_paths() -> None:
    attack = thing("Widowmaker", "chain", "Nic")
    shield = thing("Bear", "chain", relations=FrozenMap({"defends": "Widowmaker"}), counters=FrozenMap({"charge": 2}))
    here = scope(attack, shield, thing("Gem", "hand"), self="Bear", gem="Gem")
    for path, expected in {
        "self": "Bear",
        "self.controller": "Tyler",
        "self.zone": "chain",
        "self.name": "Bear",
        "self.counters.charge": 2,
        "self.defends": "Widowmaker",
        "self.defends.controller": "Nic",
        "self.defends.power": 7,
        "self.defends.base.power": 4,
        "gem.yields.r": 2,
        "gem.color": "blue",
        "controller": "Tyler",
        "chooser": "Tyler",
        "controller.form": "hero",
    }.items():
        name, *rest = path.split(".")
        assert resolve(Ref(name, tuple(rest)), here) == expected, path


def test_an_undeclared_x_is_0() -> None:
    assert resolve(Ref("x"), scope()) == 0


@pytest.mark.parametrize("ref", [Ref("pick"), Ref("self", ("wisdom",)), Ref("self", ("life", "of", "brian"))])
def test_a_reference_to_nothing_says_so(ref: Ref) -> None:
    with pytest.raises(Absent, match="stands for nothing"):
        resolve(ref, scope(*TWO, self="Bear"))


def test_a_reference_to_an_unknown_player_names_the_closest() -> None:
    with pytest.raises(UnknownName, match="'Tyler'"):
        resolve(Ref("controller", ("form",)), scope(controller="Tylor"))


ROSTER = (
    thing("Bear", status=frozenset({"exhausted"}), counters=FrozenMap({"charge": 2})),
    thing("Bear #2", who="Nic"),
    thing("Gem", "hand"),
    thing("Plain", "hand", face="down"),
)


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        (Selector(), ("Bear", "Bear #2", "Gem")),
        (Selector(zone=("hand",)), ("Gem",)),
        (Selector(zone=("hand", "arena")), ("Bear", "Bear #2", "Gem")),
        (Selector(type=("creature",)), ("Bear", "Bear #2")),
        (Selector(type=("creature", "gem")), ()),
        (Selector(name="Gem"), ("Gem",)),
        (Selector(controller=Ref("controller")), ("Bear", "Gem")),
        (Selector(owner=Ref("foe")), ("Bear #2",)),
        (Selector(controller=Ref("nobody")), ()),
        (Selector(status=("exhausted",)), ("Bear",)),
        (Selector(counters=FrozenMap({"charge": 2})), ("Bear",)),
        (Selector(counters=FrozenMap({"charge": 3})), ()),
        (Selector(has=("yields",)), ("Gem",)),
        (Selector(has=("cost",)), ("Gem",)),
        (Selector(has=("power",)), ("Bear", "Bear #2")),
        (Selector(has=("color",)), ("Gem",)),
        (Selector(type=("creature",), not_=Ref("self")), ("Bear #2",)),
        (Selector(where=(Where("power", "ge", 2),)), ("Bear", "Bear #2")),
        (Selector(where=(Where("power", "ge", 3),)), ()),
        (Selector(type=("creature",), how="choose", n=1), ("Bear", "Bear #2")),
    ],
)
def test_selectors(selector: Selector, expected: tuple[str, ...]) -> None:
    assert ids(select(selector, scope(*ROSTER, self="Bear", foe="Nic"))) == expected


@pytest.mark.parametrize(
    ("selector", "found"),
    [
        (Selector(), False),
        (Selector(face="up"), False),
        (Selector(face="down"), True),
        (Selector(face="down", zone=("arena",), controller=Ref("controller")), True),
        (Selector(face="down", type=("creature",)), False),
        (Selector(face="down", name="Bear"), False),
        (Selector(face="down", has=("power",)), False),
        (Selector(face="down", where=(Where("power", "ge", 0),)), False),
        (Ref("self"), True),
    ],
)
def test_a_face_down_object_is_blank(selector: Ref | Selector, found: bool) -> None:
    down = thing("Bear", face="down")
    here = scope(down, self="Bear")
    assert matches(selector, down, here) is found
    assert number(Ref("self", POWER), here) is None


def test_a_reference_finds_only_its_object() -> None:
    here = scope(*ROSTER, self="Bear")
    assert [matches(Ref("self"), t, here) for t in ROSTER] == [True, False, False, False]
    assert not matches(Ref("controller"), ROSTER[0], here)


def test_relations_look_at_what_is_referred_to() -> None:
    one = thing("Bear", relations=FrozenMap({"defends": "Bear #2"}))
    here = scope(one, TWO[1], self="Bear #2", other="Bear")
    assert matches(Selector(relations=FrozenMap({"defends": Ref("self")})), one, here)
    assert not matches(Selector(relations=FrozenMap({"defends": Ref("other")})), one, here)
    assert not matches(Selector(relations=FrozenMap({"attached": Ref("self")})), one, here)
    assert not matches(Selector(relations=FrozenMap({"defends": Ref("nobody")})), one, here)


def modified(*modifiers: tuple[int, Modifier], **base: int) -> Position:
    """Return a position with one creature and effects laid on it, each with its timestamp."""
    lasting = tuple(Lasting(f"effect {i}", "Tyler", m, at) for i, (at, m) in enumerate(modifiers))
    return replace(position(thing("Bear", base=FrozenMap(base))), lasting=lasting)


def power(of: Position, name: str = "power") -> int | None:
    return number(Ref("self", tuple(name.split("."))), Scope(of, RULES, FrozenMap({"self": "Bear"})))


def test_stages_run_in_the_order_of_the_rules_and_timestamps_inside_one() -> None:
    add, take = Modifier("power", "add", 1, "increase", BEARS), Modifier("power", "subtract", 9, "reduce", BEARS)
    first, second = (Modifier("power", "set", n, "set", BEARS) for n in (7, 3))
    assert power(modified((1, add), (2, first))) == 8  # set comes first, although it is newer
    assert power(modified((1, first), (2, second))) == 3
    assert power(modified((2, first), (1, second))) == 7
    assert power(modified((1, take), (2, add))) == 0  # the stage's floor
    assert power(modified((1, Modifier("power", "multiply", 3, "add", BEARS)))) == 6


def test_a_changed_base_is_where_modifiers_start() -> None:
    add = Modifier("power", "add", 1, "add", BEARS)
    assert power(modified((1, add), power=10)) == 11
    assert power(modified((1, add), power=10), "base.power") == 10
    on_base = Modifier("base.power", "set", 5, "set", BEARS)
    assert power(modified((1, add), (2, on_base))) == 6
    assert power(modified((1, add), (2, on_base)), "base.power") == 5


def test_no_modifier_gives_a_stat_that_is_not_there() -> None:
    assert power(modified((1, Modifier("wisdom", "add", 1, "add", BEARS))), "wisdom") is None


def test_a_modifier_of_something_else_does_nothing() -> None:
    assert power(modified((1, Modifier("power", "add", 1, "add", Selector(type=("aura",)))))) == 2
    assert power(modified((1, Modifier("cost.r", "add", 1, "add")))) == 2


def test_an_absent_amount_changes_nothing() -> None:
    assert power(modified((1, Modifier("power", "set", Ref("pick"), "set", BEARS)))) == 2


def test_effects_that_read_each_other_end() -> None:
    weak = Compare(Ref("subject", POWER), "le", 2)
    any_weak = Count(Selector(where=(Where("power", "le", 2),)))
    grow = Modifier("power", "add", 1, "add", BEARS, Compare(any_weak, "ge", 1))
    assert not holds(weak, Scope(modified((1, grow)), RULES, FrozenMap({"subject": "Bear"})))
    assert power(modified((1, grow), (2, grow))) == 3  # the second sees what the first made


def test_an_unknown_stage_is_named() -> None:
    with pytest.raises(BadInput, match="no stage 'never'"):
        power(modified((1, Modifier("power", "add", 1, "never", BEARS))))


@pytest.mark.parametrize(("zone", "face", "expected"), [("arena", "up", 3), ("hand", "up", 2), ("arena", "down", 2)])
def test_only_face_up_objects_in_play_modify(zone: str, face: Any, expected: int) -> None:
    banner = Card("Banner", ("banner",), abilities=(Static(Modifier("power", "add", 1, "add", BEARS)),))
    there = position(thing("Bear"), thing("Banner", zone, face=face), cards=(banner, BEAR))
    assert power(there) == expected
