"""Positions as variables, held against all of them: every class has its scene, every circle of effects its board."""

from __future__ import annotations

import os
import random
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from faults import written

from lawful.model.card import Card
from lawful.model.declaration import OrderQuestion
from lawful.model.errors import LimitReached
from lawful.model.rulesets import load_ruleset
from lawful.solver.order.board import Boards
from lawful.solver.order.view import View
from lawful.solver.stress.asking import Using, question, scenes_of
from lawful.solver.stress.effects import bad_knots, circles
from lawful.solver.stress.lazily import Lazily
from lawful.solver.stress.meeting import OTHER, YOU, Meeting
from lawful.solver.stress.scenery import Builder

RULES = load_ruleset("fab")
SEEDS = range(100) if os.environ.get("LAWFUL_LONG") else (*range(8), 79, 87)  # these two tie several amounts
OBJECTS = {
    "Wolf": {"types": ["Ally"], "power": 2},
    "Bear": {"types": ["Ally"], "power": 4},
    "Rock": {"types": ["Item"], "power": 1},
}
ALLY, ITEM = {"type": "Ally"}, {"type": "Item"}
STRONG = {"type": "Ally", "where": {"power": {"ge": 3}}}


def counted(rng: random.Random) -> dict[str, Any]:
    number: Any = {"count": rng.choice([ALLY, ITEM, STRONG])}
    if rng.random() < 0.25:
        number = {"sum": [number, {"count": rng.choice([ALLY, ITEM])}]}
    op = rng.choice(["lt", "le", "eq", "ne", "ge", "gt"])
    return {"value": number, op: rng.randint(0, 3)}


def condition(rng: random.Random) -> dict[str, Any]:
    kind = rng.choice(["plain", "every", "some", "not"])
    if kind == "plain":
        return counted(rng)
    if kind == "not":
        return {"not": counted(rng)}
    return {kind: [counted(rng) for _ in range(rng.randint(2, 3))]}


def objects(folder: Path) -> tuple[Card, ...]:
    return tuple(written(OBJECTS, "fab", folder).values())


@pytest.mark.parametrize("seed", SEEDS)
def test_every_class_of_positions_has_its_scene(seed: int, tmp_path: Path) -> None:
    """A condition that holds, or fails, with some number of each object up to five does so in a scene."""
    rng = random.Random(seed)
    when = condition(rng)
    ability = {"activate": {"cost": ["1r"], "do": [{"draw": 1}], "when": when}}
    card = written({"A": {"types": ["Aura"], "abilities": [ability]}}, "fab", tmp_path)["A"]
    there = objects(tmp_path)
    meeting = Meeting(RULES, (card,), tuple(RULES.cards), there)
    using = Using(card, card.abilities[0])  # type: ignore[arg-type]
    found = scenes_of(using, meeting)
    assert found.whole

    def holds(builder: Builder) -> bool:
        position = builder.position()
        bound = {"self": "A", "controller": YOU}
        return View(position, RULES, bound, Boards(RULES, position)).holds(card.abilities[0].when)  # type: ignore[union-attr]

    every = set()
    for amounts in product(range(6), repeat=len(there)):
        builder = Builder(meeting)
        builder.add(card, meeting.play)
        for one, n in zip(there, amounts, strict=True):
            for _ in range(n):
                builder.add(one, meeting.play)
        every.add(holds(builder))
    assert found.count == len(found.all)
    seen = set()
    for scene in found.all:
        asked = question(using, meeting, scene, supply=False)
        seen.add(holds(Builder(meeting, list(asked.position.things), dict(asked.position.cards))))
    assert seen == every, when


@pytest.mark.parametrize("seed", SEEDS)
def test_the_smallest_board_of_a_circle_is_the_one_that_trying_all_finds(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    cards = {}
    for name in "AB"[: rng.randint(1, 2)]:
        static = {
            "modify": "power", "stage": "increase", "add": rng.randint(1, 2), "of": rng.choice([ALLY, ITEM]),
            "while": rng.choice([condition(rng), {"count": STRONG, "lt": 1}, {"count": STRONG, "ge": 2}]),
        }  # fmt: skip
        cards[name] = {"types": ["Aura"], "abilities": [{"static": static}]}
    group = tuple(written(cards, "fab", tmp_path).values())
    there = objects(tmp_path)
    meeting = Meeting(RULES, group, tuple(RULES.cards), there)
    found, bound = circles(meeting)
    assert bound.saturated
    least = {finding.item: finding.size.objects for finding in found}
    layouts = [[(card, YOU) for card in group]]
    if len(group) == 1:
        layouts += [[(group[0], YOU)] * 2, [(group[0], YOU), (group[0], OTHER)]]
    brute: dict[str, int] = {}
    for layout in layouts:
        for amounts in product(range(4), repeat=len(there)):
            if sum(amounts) > 4:
                continue
            builder = Builder(meeting)
            for card, whose in [
                *layout,
                *((one, YOU) for one, n in zip(there, amounts, strict=True) for _ in range(n)),
            ]:
                builder.add(card, meeting.play, whose)
            for knot in bad_knots(OrderQuestion(RULES, builder.position())):
                brute[knot.kind] = min(brute.get(knot.kind, 99), len(builder.things))
    for kind, n in brute.items():
        assert least.get(kind, 99) <= n, (kind, n, least)
    for kind, n in least.items():
        assert n > 4 or brute.get(kind) == n, (kind, n, brute)


def test_selectors_are_told_apart_by_the_pool(tmp_path: Path) -> None:
    """What is no strong ally is another object than what is one."""
    from lawful.stressing.plan import Plan
    from lawful.stressing.pool import Entry, Pool

    ability = {"activate": {"cost": ["1r"], "do": [{"draw": 1}], "when": [
        {"count": ALLY, "ge": 2}, {"count": STRONG, "lt": 1}]}}  # fmt: skip
    cards = written({"A": {"types": ["Aura"], "abilities": [ability]}, **OBJECTS}, "fab", tmp_path)
    plan = Plan(Pool(RULES, {name: Entry(card) for name, card in cards.items()}), ["A"], ("dead",), groups=1)
    (job,) = plan.jobs()
    assert job.task is not None
    assert {card.name for card in job.task.objects} == {"Wolf", "Bear"}


def test_a_card_that_can_be_paid_in_the_first_position_has_no_other_laid_out(tmp_path: Path) -> None:
    """How many classes there are is told all the same."""
    from lawful.solver.stress.asking import questions
    from lawful.solver.stress.looking import look

    when = [{"count": ALLY, "ge": 2}, {"count": ITEM, "lt": 3}, {"count": STRONG, "eq": 1}]
    ability = {"activate": {"cost": ["1r"], "do": [{"draw": 1}], "when": {"some": when}}}
    card = written({"A": {"types": ["Aura"], "abilities": [ability]}}, "fab", tmp_path)["A"]
    meeting = Meeting(RULES, (card,), tuple(RULES.cards), objects(tmp_path))
    looked = look("unpayable", meeting)
    assert looked.outcome == "clean"
    using = Using(card, card.abilities[0])  # type: ignore[arg-type]
    assert questions(using, meeting).made == 1
    there = scenes_of(using, meeting)
    assert looked.bound.most["positions"] == there.count > 10
    assert len(there.all) == there.count


def test_more_classes_than_are_looked_at_are_told_as_cut(tmp_path: Path) -> None:
    """Each kind of object is not there, there, or ample: five kinds are 243 classes, four are 81."""
    for n, cut in ((5, True), (4, False)):
        kinds = {f"K{k}": {"types": ["Ally", f"Kind{k}"]} for k in range(n)}
        when = {"some": [{"value": {"count": {"type": f"Kind{k}"}}, "ge": 1} for k in range(n)]}
        ability = {"activate": {"cost": ["1r"], "do": [{"draw": 1}], "when": when}}
        made = written({"A": {"types": ["Aura"], "abilities": [ability]}, **kinds}, "fab", tmp_path)
        meeting = Meeting(RULES, (made["A"],), tuple(RULES.cards), tuple(made[k] for k in kinds))
        there = scenes_of(Using(made["A"], made["A"].abilities[0]), meeting)  # type: ignore[arg-type]
        assert (there.cut, there.whole) == (cut, not cut), (n, there.count)
        assert len(set(there.all)) == there.count if not cut else len(there.all) > there.count
        kinds_there = [{need.card.name for need in scene.wanted} for scene in there]
        assert all(one in kinds_there for one in (set(), *({kind} for kind in kinds)))  # none, and each alone


def test_what_ended_by_a_limit_does_not_look_as_if_there_were_no_more() -> None:
    def limited() -> Any:
        yield 1
        raise LimitReached("seconds", 1)

    there = Lazily(limited())
    for _ in range(2):
        with pytest.raises(LimitReached):
            list(there)
