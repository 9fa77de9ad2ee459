"""Pages, samples and the best, at every level: what is listed from a rank on is what follows in the whole list."""

from __future__ import annotations

import random
from collections import Counter
from math import inf

import pytest
from joints import asking, random_cost, random_hand
from worlds import cost, question, ruleset

import lawful
from lawful.model.act import Act
from lawful.model.cost import ActTerm, Cost, CostAll, CostAny
from lawful.model.declaration import Question
from lawful.model.errors import BadInput, LimitReached
from lawful.model.expression import Ref
from lawful.model.limits import Limits
from lawful.model.page import Page, Wish, worth
from lawful.model.payment import LEVELS, Level, project
from lawful.model.referee import payments
from lawful.model.ruleset import AssetRule, Ruleset, XRule
from lawful.model.selector import Selector
from lawful.playing import play
from lawful.solver.chart import Chart
from lawful.solver.charted import Charted
from lawful.solver.diagram import OverBudget
from lawful.solver.encode.allocation import Allocation
from lawful.solver.encode.frame import frame
from lawful.solver.found import Found
from lawful.solver.sequences import Sequences
from lawful.solver.spelling import Line
from lawful.solver.ways import find, ways
from lawful.model.limits import Clock

ENDLESS = Clock(inf)
MANY = 400  # sequences that are held and sorted over and over here


def rules(rng: random.Random) -> Ruleset:
    """Return rules with any phases, acceptance, stop rule, surplus."""
    ids, phases = ["c", "r"], rng.sample([1, 2], 2)
    assets = []
    for id, phase in zip(ids, phases, strict=True):
        accepts = [id] if rng.random() < 0.5 else rng.sample(ids, 2)
        generate = rng.choice(["while_short", "while_short", "freely"])
        surplus = rng.choice(["floats", "lost", "lost", "forbidden"])
        assets.append(AssetRule(id, id, phase, tuple(accepts), generate, rng.random() < 0.5, surplus))  # type: ignore[arg-type]
    assets.append(AssetRule("h", "life", 3, ("h",), "never", start=20))
    assets.append(AssetRule("a", "action", 4, ("a",), "never", start=1))
    return ruleset(tuple(assets), x=XRule(rng.randint(0, 1), "zero"))


def picking(rng: random.Random) -> list[Cost]:
    zone = ("hand",)
    return [
        ActTerm(Act(verb, Selector(zone=zone, how="choose", n=1)))
        for verb in rng.choice([(), (), ("discard",), ("reveal",), ("discard", "reveal"), ("reveal", "reveal")])
    ]


def asked(rng: random.Random) -> Question:
    """Return a small random question: copies, X, either-or, effect-costs, several parts, or parts paid at once."""
    if rng.random() < 0.25:
        return asking(random_cost(rng, 2), random_hand(rng, 4))
    hand = [rng.choice(["red", "red", "yellow", "blue", "chi", "nil"]) for _ in range(rng.randint(0, 5))]
    effects = picking(rng)
    amount = rng.choice([rng.randint(0, 5), Ref("x")]) if not effects else rng.randint(0, 3)
    due: Cost = CostAll((*cost(c=rng.randint(0, 3), r=amount).terms, *effects))  # type: ignore[union-attr]
    if rng.random() < 0.15:
        due = CostAny((cost(r=rng.randint(1, 3)), cost(c=rng.randint(1, 3))))
    pool = {"c": rng.choice([0, 0, 1]), "r": rng.choice([0, 0, 2])}
    return question(due, hand, pool, rules=rules(rng) if rng.random() < 0.5 else None)


def wished(rng: random.Random, question: Question) -> tuple[Wish, ...]:
    ids = [thing.id for thing in question.position.things]
    found = []
    for _ in range(rng.randint(1, 3)):
        things = frozenset(rng.sample(ids, rng.randint(0, len(ids)))) if rng.random() < 0.7 else None
        found.append(Wish(rng.choice(("uses", "uses", "left", "x")), rng.random() < 0.5, things))
    return tuple(found)


def pages_fit(question: Question, found: Found, rng: random.Random) -> dict[tuple[Level, bool, bool], list[Line]]:
    """Hold every kind of page against the whole list; return the lists."""
    every: dict[tuple[Level, bool, bool], list[Line]] = {}
    for level in LEVELS:
        for by_name in (False, True):
            for minimal in (False, True):
                if minimal and level == "outcomes":
                    continue
                whole = list(found.lines(level, by_name, Page(minimal=minimal), ENDLESS))
                every[level, by_name, minimal] = whole
                for start in {0, 1, rng.randrange(len(whole) + 1), len(whole), len(whole) + 9, 10**30}:
                    assert list(found.lines(level, by_name, Page(start, minimal=minimal), ENDLESS)) == whole[start:]
                wishes = wished(rng, question)
                ranked = sorted(whole, key=lambda line: [-n for n in worth(wishes, line[1], line[2])])
                start = rng.choice([0, rng.randrange(len(whole) + 2)])
                page = Page(start, best=wishes, minimal=minimal)
                assert list(found.lines(level, by_name, page, ENDLESS)) == ranked[start:], (
                    level,
                    by_name,
                    minimal,
                    wishes,
                )
                if not by_name:
                    number = rng.randint(0, len(whole) + 1)
                    drawn = list(found.lines(level, False, Page(sample=number, seed=number, minimal=minimal), ENDLESS))
                    assert len({line[0] for line in drawn}) == len(drawn) == min(number, len(whole))
                    assert all(line in whole for line in drawn)
    return every


@pytest.mark.parametrize("seed", range(60))
def test_pages_samples_and_the_best_on_random_questions(seed: int) -> None:
    pages_agree(seed)


def pages_agree(seed: int) -> None:
    rng = random.Random(seed)
    question = asked(rng)
    while find(question).counts()["sequences"] > MANY:
        question = asked(rng)
    lists = [pages_fit(question, find(question, engine=engine), rng) for engine in ("diagram", "enumeration")]
    assert lists[0] == lists[1]
    played = {payment for payment, _ in payments(question, 50_000)}
    assert {payment for _, payment, _, _ in lists[0]["sequences", False, False]} == played
    for level in ("sources", "allocations"):
        merged = lists[0][level, True, False]  # type: ignore[index]
        assert sum(copies for *_, copies in merged) == len({project(payment, level) for payment in played})  # type: ignore[arg-type]
