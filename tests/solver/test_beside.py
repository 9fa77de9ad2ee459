"""What an object lies beside, what lies on it, and the most of a property: referee and CP-SAT read the same."""

from __future__ import annotations

import random
from itertools import product

import pytest

from lawful.model.casefile import read_cases
from lawful.model.declaration import Question
from lawful.model.page import Page
from lawful.model.payment import Payment
from lawful.model.referee import payments
from lawful.solver.ways import find

CASE = """
case: a choice
ruleset: marvel-champions
cards:
  Plan: {types: [upgrade], abilities: [{activate: {cost: [COST], do: [draw], name: go}}]}
  Hero: {types: [hero], hit_points: 9}
  Foe: {types: [minion], attack: 2}
  Big: {types: [ally], cost: 3, attack: 2}
  Small: {types: [ally], cost: 1, attack: 1}
  Odd: {types: [ally], attack: 2}
  Cap: {types: [upgrade, Training]}
given: {players: {Ann: {play: [Plan, Hero, THINGS]}}}
when: {player: Ann, activate: Plan}
"""
HIGHEST = "{discard: {type: ally, highest: cost, controller: $controller, zone: play}}"
LOWEST = "{discard: {type: ally, lowest: attack, controller: $controller, zone: play}}"
BEARING = "{exhaust: {type: ally, bears: {attached: {type: Training}}, controller: $controller, zone: play}}"
NEAR = "{discard: {type: upgrade, relations: {attached: {type: ally}}, zone: play}}"


def question(cost: str, things: str) -> Question:
    (case,) = read_cases(CASE.replace("COST", cost).replace("THINGS", things))
    assert isinstance(case.question, Question)
    return case.question


def picked(cost: str, things: str) -> set[str]:
    """Return what can be picked, by CP-SAT and by the referee."""
    asked = question(cost, things)
    found = find(asked)
    assert found.complete
    solved = {payment for _, payment, _, _ in found.lines("sequences", False, Page())}
    played = {payment for payment, _ in payments(asked, 1000)}
    assert solved == played
    return _chosen(played)


def _chosen(found: set[Payment]) -> set[str]:
    return {thing for payment in found for choice in payment.choices for thing in choice.things}


@pytest.mark.parametrize(
    ("cost", "things", "picks"),
    [
        (HIGHEST, "Big, Small", {"Big"}),
        (HIGHEST, "Small, Odd", {"Small"}),  # no cost is no least cost
        (HIGHEST, "Odd", set()),
        (HIGHEST, "Big, {card: Big, id: other}", {"Big", "other"}),
        (LOWEST, "Big, Small, Odd", {"Small"}),
        (LOWEST, "Big, Odd", {"Big", "Odd"}),
        (BEARING, "Big, Small, {card: Cap, relations: {attached: Big}}", {"Big"}),
        (BEARING, "Big, Small, Cap", set()),
        (NEAR, "Big, {card: Cap, relations: {attached: Big}}", {"Cap"}),
        (NEAR, "Foe, {card: Cap, relations: {attached: Foe}}", set()),
    ],
)
def test_what_can_be_picked(cost: str, things: str, picks: set[str]) -> None:
    assert picked(cost, things) == picks


def test_the_referee_agrees_on_every_board() -> None:
    rng = random.Random(7)
    allies = ["Big", "Small", "Odd"]
    for cost, n in product((HIGHEST, LOWEST, BEARING, NEAR), range(6)):
        there = [rng.choice(allies) for _ in range(rng.randint(0, 3))]
        things = [f"{{card: {name}, id: a{i}}}" for i, name in enumerate(there)]
        for i in range(rng.randint(0, 2)):
            on = rng.choice(["Hero", *(f"a{k}" for k in range(len(there)))])
            things.append(f"{{card: Cap, id: c{i}, relations: {{attached: {on}}}}}")
        there_is = picked(cost, ", ".join(things) or "Foe")
        assert there_is <= {f"a{i}" for i in range(3)} | {"c0", "c1"}, (cost, things, n)
