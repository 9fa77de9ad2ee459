"""The referee judges complete declarations; worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from worlds import ruleset

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.declaration import Declaration, Question
from lawful.model.effect import Norm, Static
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Player, Position, Thing
from lawful.model.procedure import Choosing, Norming
from lawful.model.referee import breaks, legal
from lawful.model.selector import Pattern, Selector

SELF = Ref("self")
MUST, CANNOT = Norm("must", Pattern("target", SELF)), Norm("cannot", Pattern("target", SELF))


def asked(*norms: tuple[Norm, ...], n: int = 1, targets: tuple[str, ...] = (), **rules: object) -> Question:
    """Return a question about one slot; one creature for each tuple of norms."""
    cards = {f"c{i}": Card(f"c{i}", ("beast",), abilities=tuple(map(Static, own))) for i, own in enumerate(norms)}
    things = tuple(Thing(f"c{i}", f"c{i}", "Ann", "Ann", "arena") for i in range(len(norms)))
    position = Position((Player("Ann"),), things, FrozenMap(cards), "Ann")
    do = (Act("destroy", Selector(type=("beast",), how="target", n=n)),)
    declaration = Declaration("Ann", do=do, targets=FrozenMap({"target": targets}), modes=())
    return Question(ruleset(**rules), position, declaration)


def roles(question: Question) -> list[str]:
    return sorted({because.role for because in breaks(question)})


@pytest.mark.parametrize(
    ("norms", "n", "targets", "expected"),
    [
        (((), ()), 1, ("c0",), []),
        (((), ()), 1, (), ["few"]),
        (((), ()), 1, ("c0", "c1"), ["many"]),
        (((), ()), 2, ("c0", "c0"), ["distinct"]),
        (((), ()), 1, ("gone",), ["gone"]),
        (((MUST,), ()), 1, ("c0",), []),
        (((MUST,), ()), 1, ("c1",), ["must", "must.others"]),
        (((MUST,), (MUST,)), 1, ("c0",), ["must"]),
        (((MUST,), (MUST,), ()), 2, ("c0", "c1"), []),
        (((CANNOT,), ()), 1, ("c0",), ["cannot"]),
        (((MUST, CANNOT), ()), 1, ("c1",), []),
    ],
)
def test_one_slot(norms: tuple[tuple[Norm, ...], ...], n: int, targets: tuple[str, ...], expected: list[str]) -> None:
    question = asked(*norms, n=n, targets=targets)
    assert roles(question) == expected
    assert legal(question) == (not expected)


def test_a_requirement_on_what_cannot_be_chosen_blocks_in_the_other_reading() -> None:
    question = asked((MUST, CANNOT), (), targets=("c1",), norming=Norming(barred="blocks"))
    assert roles(question) == ["must", "must.others"]


def test_more_targets_than_requirements() -> None:
    exclusive = asked((MUST,), (), n=2, targets=("c0", "c1"))
    assert roles(exclusive) == ["must.others"]
    assert roles(replace(exclusive, ruleset=ruleset(norming=Norming(others="include")))) == []


def test_as_many_requirements_as_can_be() -> None:
    rules = Norming(must="most", others="include")
    assert roles(asked((MUST,), (MUST,), (), n=2, targets=("c0", "c2"), norming=rules)) == ["must"]
    assert roles(asked((MUST,), (MUST,), (), n=1, targets=("c0",), norming=rules)) == []
    assert roles(asked((MUST,), (MUST,), (), n=1, targets=("c2",), norming=rules)) == ["must"]


def test_at_least_one_requirement() -> None:
    rules = Norming(must="any")
    assert roles(asked((MUST,), (MUST,), (), n=2, targets=("c0", "c2"), norming=rules)) == []
    assert roles(asked((MUST,), (MUST,), (), n=1, targets=("c2",), norming=rules)) == ["must"]
    assert roles(asked((MUST, CANNOT), (), n=1, targets=("c1",), norming=rules)) == []


def test_what_nothing_can_affect() -> None:
    shielded = (Norm("cannot", Pattern("destroy", SELF)),)
    assert roles(asked(shielded, targets=("c0",))) == []
    assert roles(asked(shielded, targets=("c0",), choosing=Choosing(affected="any"))) == ["cannot"]


def test_a_face_down_object_is_blank() -> None:
    question = asked((), targets=("c0",))
    down = tuple(replace(thing, face="down") for thing in question.position.things)
    hidden = replace(question, position=replace(question.position, things=down))
    assert roles(hidden) == ["face"]
    do = (Act("destroy", Selector(face="down", how="target")),)
    assert roles(replace(hidden, declaration=replace(hidden.declaration, do=do))) == []
    do = (Act("destroy", Selector(face="down", type=("beast",), how="target")),)
    assert roles(replace(hidden, declaration=replace(hidden.declaration, do=do))) == ["blank"]
