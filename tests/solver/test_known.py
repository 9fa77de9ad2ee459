"""What lies face down, for who may look at it: the referee, both readers of the encoding and that of order agree."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

import lawful
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Position
from lawful.model.referee.evaluate import matches
from lawful.model.referee.scope import Scope
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Selector, Test
from lawful.solver.encode.look import Look
from lawful.solver.encode.sight import Sight
from lawful.solver.order.board import Boards
from lawful.solver.order.view import View

CASE = """
case: face down
ruleset: flesh-and-blood
cards:
  Bow: {types: [Weapon], power: 1}
  Dart: {types: [Arrow, Attack], power: 3, cost: 1r, props: {color: red}}
  Club: {types: [Weapon], cost: "0"}
given: {players: {Ann: {arena: [Bow, {card: Dart, id: D, face: down}, {card: Club, id: C, face: down}, Dart], arsenal: [{card: Dart, id: A, face: down}]}, Bob: {arena: [{card: Dart, id: B, face: down}]}}}
when: {player: Ann, cost: "0"}
"""  # noqa: E501
PLAIN = Selector()
ASKS = (
    Selector(type=("Arrow",)),
    Selector(name="Dart"),
    Selector(words="art"),
    Selector(has=("cost",)),
    Selector(has=("color",)),
    Selector(where=(Test("power", "ge", 2),)),
    Selector(where=(Test("cost", "le", 0),)),
    Selector(any_of=(Selector(type=("Arrow",)), Selector(where=(Test("cost", "le", 0),)))),
    Selector(none_of=(Selector(type=("Arrow",)),)),
)
LIES = list(product((None, "up", "down"), (False, True), ((), ("arsenal",)), (None, Ref("controller"))))


@pytest.mark.parametrize("asks", [PLAIN, *ASKS])
def test_four_readers_find_the_same(asks: Selector, tmp_path: Path) -> None:
    path = tmp_path / "down.case.yaml"
    path.write_text(CASE, encoding="utf8")
    (case,) = lawful.load(path)
    found = set()
    for face, known, zone, owner in LIES:
        wanted = replace(asks, face=face, known=known, zone=zone, owner=owner)
        told = of(wanted, case.question.position, case.question.ruleset)
        look = Look(case.question)
        assert {t.id: look.finds(wanted, t, "Ann", "Bow") for t in case.question.position.things} == told
        found |= {(id, face, known) for id, yes in told.items() if yes}
    seen = {id for id, face, known in found if face == "down" and known}
    blind = {id for id, face, known in found if face == "down" and not known}
    assert seen  # who may look finds some by each of these
    assert asks in (PLAIN, ASKS[-1]) or not blind


def of(wanted: Selector, position: Position, rules: Ruleset) -> dict[str, bool]:
    bound = {"self": "Bow", "controller": "Ann", "owner": "Ann"}
    view = View(position, rules, dict(bound), Boards(rules, position))
    sight, scope = Sight(position, rules), Scope(position, rules, FrozenMap(bound))
    told = {}
    for thing in position.things:
        answers = {matches(wanted, thing, scope), sight.finds(wanted, thing, dict(bound)), view.finds(wanted, thing)}
        assert len(answers) == 1, (wanted, thing.id)
        told[thing.id] = answers.pop()
    return told
