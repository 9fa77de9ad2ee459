"""Lines that are spelled in bulk are those that are spelled one by one, letter for letter."""

from __future__ import annotations

import json
import random
from itertools import islice
from math import inf

import pytest
from runs import Run
from worlds import cost, question, ruleset

import lawful
from lawful import bulk
from lawful.bulk import Bulk
from lawful.model.declaration import Question
from lawful.model.limits import Clock, Limits
from lawful.model.page import Page
from lawful.model.payment import Level
from lawful.model.ruleset import AssetRule
from lawful.solver.charted import Charted
from lawful.solver.ways import find
from lawful.streaming import _Spelling, stream


def asked(rng: random.Random) -> Question:
    hand = [rng.choice(["red", "yellow", "blue", "chi", "k1"]) for _ in range(rng.randint(0, 7))]
    assets = (
        AssetRule("c", "chi", 1, ("c",), rng.choice(["while_short", "freely"])),
        AssetRule("r", "resource", 2, rng.choice([("c", "r"), ("r",)]), surplus=rng.choice(["floats", "lost"])),
    )
    pool = {"c": rng.choice([0, 0, 1]), "r": rng.choice([0, 0, 2])}
    amount = rng.choice([rng.randint(0, 7), lawful.model.expression.Ref("x")])
    return question(cost(c=rng.randint(0, 3), r=amount), hand, pool, rules=ruleset(assets))  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(40))
def test_bulk_is_letter_for_letter_what_is_spelled_one_by_one(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "SHARED", seed % 5 * 3 + 1)
    monkeypatch.setattr(bulk, "HELD", 20)
    rng = random.Random(seed)
    given = asked(rng)
    found = find(given)
    assert isinstance(found, Charted)
    assert Bulk.fits(found.each)
    levels: tuple[Level, Level] = ("sources", "allocations")
    for level in levels:
        for minimal in (False, True):
            spell = _Spelling(given, False)
            page = Page(minimal=minimal)
            slowly = [spell.way(*line) for line in found.lines(level, False, page, Clock(inf))]
            start = rng.choice([0, rng.randrange(len(slowly) + 2), 10**30])
            page = Page(start, minimal=minimal)
            head, *lines, end = stream(given, level, Limits(), page=page, by_name=False, limit=None)
            assert lines == slowly[start:]
            assert json.loads(head)["type"] == "answer"
            assert json.loads(end)["listed"] == len(lines)


def test_a_stream_of_millions_begins_at_once_and_ends_where_it_is_told() -> None:
    given = lawful.question("fab", cost="15r", hand=", ".join(["red", "yellow", "blue"] * 10))
    lines = stream(given, "sources", Limits(), page=Page(10**6), by_name=False, limit=None)
    head, *some = islice(lines, 1001)
    assert json.loads(head)["count"] > 10**7
    assert len({json.loads(line)["key"] for line in some}) == 1000
    _, *again = islice(stream(given, "sources", Limits(), page=Page(10**6 + 900), by_name=False, limit=None), 101)
    assert again == some[900:]


def test_a_stream_says_why_there_is_no_way(pay: Run) -> None:
    given = ("--cost", "3c1r", "--hand", "blue, blue")
    document = pay.json(*given)
    *_, end = (json.loads(line) for line in pay(*given, "--jsonl")[1].splitlines())
    assert end["reasons"] == document["reasons"]
    assert end["nearest"] == document["nearest"]
    assert end["reasons"]


def test_a_stream_that_is_cut_says_so() -> None:
    given = lawful.question("fab", cost="15r", hand=", ".join(["red", "yellow", "blue"] * 10))
    for level in ("sources", "sequences"):
        *_, end = stream(given, level, Limits(seconds=1.0), page=Page(), by_name=False, limit=None)  # type: ignore[arg-type]
        assert json.loads(end)["reached"] == [{"limit": "seconds", "value": 1.0, "where": "listing"}]
