"""Pages, samples and the best, at every level: what is listed from a rank on is what follows in the whole list."""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import replace
from math import inf

import pytest
from joints import asking, random_cost, random_hand
from worlds import PITCH, cost, question, ruleset

import lawful
from lawful.model.act import Act
from lawful.model.cost import ActTerm, Cost, CostAll, CostAny
from lawful.model.declaration import Question
from lawful.model.effect import Source
from lawful.model.errors import BadInput, LimitReached
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Clock, Limits
from lawful.model.page import SAMPLE_MOST, Page, Wish, worth
from lawful.model.payment import LEVELS, Level, project
from lawful.model.referee import payments, replay
from lawful.model.ruleset import AssetRule, Ruleset, XRule
from lawful.model.selector import Selector
from lawful.solver.charted import Charted
from lawful.solver.diagram import OverBudget
from lawful.solver.found import Found
from lawful.solver.listing import Listing
from lawful.solver.named import Named
from lawful.solver.ranked import Ranked
from lawful.solver.sequences import Sequences
from lawful.solver.spelling import Line
from lawful.solver.ways import find, ways

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


@pytest.mark.parametrize("seed", range(20))
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


BIG = {"cost": "30r", "hand": ", ".join(["red"] * 15 + ["yellow"] * 15 + ["blue"] * 14)}


def charted(asked: Question) -> Charted:
    found = find(asked)
    assert isinstance(found, Charted)
    return found


@pytest.mark.parametrize("seed", range(12))
def test_rank_undoes_unrank_and_sequences_of_an_allocation_follow_each_other(seed: int) -> None:
    rng = random.Random(seed)
    hand = [rng.choice(["red", "red", "yellow", "blue", "chi"]) for _ in range(5)]
    asked = question(CostAll((*cost(c=rng.randint(0, 2), r=rng.randint(1, 5)).terms, *picking(rng))), hand)  # type: ignore[union-attr]
    found = charted(asked)
    sequences = Sequences(found.each, found.each.allocations, 10**6, ENDLESS)
    assert sequences.count == found.counts()["sequences"] == len(list(payments(asked, 50_000)))
    told = [sequences.unrank(rank) for rank in range(sequences.count)]
    assert [sequences.rank(*one) for one in told] == list(range(sequences.count))
    assert Counter(path for path, _ in told) == {path: sequences.weight(path) for path, _ in told}
    for path, n in Counter(path for path, _ in told).items():
        with pytest.raises(KeyError):
            sequences.rank(path, n)
    for wrong in (-1, sequences.count):
        with pytest.raises(IndexError):
            sequences.unrank(wrong)


def test_a_source_that_is_used_several_times_is_not_told_apart_from_itself() -> None:
    lamp = Source(
        FrozenMap({"r": 1}), ActTerm(Act("remove", "oil", Ref("self"), n=1)), "burn", Selector(zone=("arena",))
    )
    for generate, amount in (("while_short", 4), ("freely", 3), ("while_short", 5)):
        assets = (AssetRule("c", "chi", 1, ("c",)), AssetRule("r", "resource", 2, ("c", "r"), generate))  # type: ignore[arg-type]
        rules = ruleset(assets, sources=(PITCH, lamp))
        asked = question(cost(r=amount), ["red", "yellow"], arena=["nil", "k1"], rules=rules)
        things = [replace(t, counters=FrozenMap({"oil": 2})) if t.zone == "arena" else t for t in asked.position.things]
        asked = replace(asked, position=replace(asked.position, things=tuple(things)))
        found = charted(asked)
        sequences = Sequences(found.each, found.each.allocations, 10**6, ENDLESS)
        assert max(n for layer in found.each.allocations.layers for label in layer.labels for n in label) == 2
        assert sequences.count == found.counts()["sequences"] == len(list(payments(asked, 50_000)))
        assert [sequences.rank(*sequences.unrank(n)) for n in range(sequences.count)] == list(range(sequences.count))
        pages_fit(asked, found, random.Random(amount))


def test_more_sequences_than_could_ever_be_walked() -> None:
    asked = lawful.question("fab", **BIG)
    found = charted(asked)
    count = found.counts()["sequences"]
    assert count == 14085472278673656392455123200
    sequences = Sequences(found.each, found.each.allocations, 10**6, ENDLESS)
    assert sequences.count == count
    rng = random.Random(5)
    for rank in (0, 1, count - 1, *(rng.randrange(count) for _ in range(50))):
        assert sequences.rank(*sequences.unrank(rank)) == rank
    last = list(found.lines("sequences", False, Page(count - 3)))
    assert len(last) == 3
    far = [line for line, _ in zip(found.lines("sequences", False, Page(count // 2)), range(5), strict=False)]
    again = [line for line, _ in zip(found.lines("sequences", False, Page(count // 2 + 2)), range(3), strict=False)]
    assert far[2:] == again
    for _, payment, outcome, _ in [*last, *far, *found.lines("sequences", False, Page(sample=5, seed=3))]:
        assert replay(asked, payment).outcome == outcome
    wishes = (Wish("left", True), Wish("uses", False))
    best = [line for line, _ in zip(found.lines("sequences", False, Page(10**20, best=wishes)), range(3), strict=False)]
    assert len({line[0] for line in best}) == 3


def test_the_sampler_of_sequences_is_uniform() -> None:
    asked = question(
        CostAll((*cost(r=4).terms, ActTerm(Act("discard", Selector(zone=("hand",), how="choose", n=1))))),
        ["red", "red", "yellow", "blue"],
    )  # type: ignore[union-attr]
    for engine in ("diagram", "enumeration"):
        found = find(asked, engine=engine)
        every = {payment for payment, _ in payments(asked)}
        assert len(every) == 24
        drawn = Counter(
            next(found.lines("sequences", False, Page(sample=1, seed=seed), ENDLESS))[1] for seed in range(2_400)
        )
        assert set(drawn) <= every
        chi = sum((drawn[payment] - 100) ** 2 / 100 for payment in every)
        assert chi < 49.8, engine  # 23 degrees of freedom: 0.1 % of fair samplers are above; the seeds are fixed


@pytest.mark.parametrize(
    ("game", "asked"),
    [
        ("fab", {"cost": "2c4r", "hand": "red, yellow, blue, Inner Chi, Inner Chi"}),
        ("fab", {"cost": "X", "hand": "red, yellow, blue"}),
        ("mc", {"cost": "1 & Xe", "hand": "ee, w"}),
        ("mc", {"cost": "2", "hand": "e, w, m"}),
        ("bh", {"cost": "X", "stock": {"coins": 3}}),
        ("bh", {"cost": "2", "stock": {"coins": 4}}),
    ],
)
def test_pages_samples_and_the_best_in_every_game(game: str, asked: dict[str, object]) -> None:
    given = lawful.question(game, **asked)
    rng = random.Random(str(asked))
    for _ in range(2):
        pages_fit(given, find(given), rng)


def test_what_is_lost_is_not_left_whatever_the_level() -> None:
    lost = ruleset((AssetRule("c", "chi", 1, ("c",)), AssetRule("r", "resource", 2, ("c", "r"), surplus="lost")))
    asked = question(cost(r=2), ["red", "blue", "chi"], rules=lost)
    page = Page(best=(Wish("left", True),))
    for level in LEVELS:
        lines = list(find(asked).lines(level, False, page))
        worths = [worth(page.best, payment, outcome) for _, payment, outcome, _ in lines]
        assert worths == sorted(worths, reverse=True)
    assert {outcome.overpaid.get("r", 0) for _, _, outcome, _ in find(asked).lines("outcomes")} == {0, 1, 2}


def test_by_name_far_beyond_what_could_be_held() -> None:
    names = ["red"] * 12 + ["yellow"] * 12 + ["blue"] * 12
    asked = lawful.question(
        "fab",
        cost="18r",
        hand=", ".join(names),
    )
    found = charted(asked)
    merged = list(found.lines("allocations", True))
    assert sum(copies for *_, copies in merged) == found.counts()["allocations"] > 10**8
    fits = {(a, b, c) for a in range(13) for b in range(13) for c in range(13) if a + 2 * b + 3 * c >= 18}
    fits = {(a, b, c) for a, b, c in fits if a + 2 * b + 3 * c - max(3 * (c > 0), 2 * (b > 0), 1) < 18}
    assert found.counts_by_name("allocations") == len(merged) == len(fits)


@pytest.mark.parametrize(
    "given", [{"start": -1}, {"sample": -1}, {"sample": SAMPLE_MOST + 1}, {"sample": 1, "start": 2}]
)
def test_a_page_that_is_none_is_refused(given: dict[str, int]) -> None:
    with pytest.raises(BadInput):
        Page(**given)  # type: ignore[arg-type]


def test_every_limit_says_what_it_cut_short() -> None:
    asked = lawful.question("fab", **BIG)
    found = find(asked, clock=Clock(30))
    with pytest.raises(LimitReached) as caught:
        list(found.lines("sequences", False, Page(), Clock(-1)))
    assert (caught.value.limit, caught.value.where) == ("seconds", "listing")
    small = find(asked, limits=Limits(nodes=80), clock=Clock(30))
    assert isinstance(small, Charted)
    counts = small.counts()
    assert set(counts) == {"outcomes", "sources", "allocations"}
    assert {f"counting {level}" for level in LEVELS if level not in counts} == {r.where for r in small.reached}
    with pytest.raises(LimitReached, match="sequences"):
        ways(asked, "sequences", limits=Limits(nodes=80))


def test_a_clock_is_shared_and_says_the_whole() -> None:
    clock = Clock(100)
    part = clock.part(0.1)
    assert part.left <= 10
    assert part.reached("proof").value == 100
    assert clock.limits(Limits()).seconds <= 100
    with pytest.raises(LimitReached, match=r"seconds = 100 \(proof\)"), clock.during("proof"):
        raise LimitReached("seconds", 3.5)


def test_a_list_ends_in_time_and_keeps_what_it_has() -> None:
    start = time.monotonic()
    found = ways(lawful.question("fab", **BIG), "sequences", limits=Limits(seconds=1.5, listed=10**9))
    assert found.listed
    assert [(r.limit, r.value, r.where) for r in found.reached] == [("seconds", 1.5, "listing")]
    assert time.monotonic() - start >= 1.5  # an upper bound would be a test of the machine


def too_large(*_: object) -> None:
    raise OverBudget("nodes", 0)


@pytest.mark.parametrize("seed", [1, 2, 12, 19])
@pytest.mark.parametrize("what", [(Ranked,), (Named,), (Sequences, Ranked), (Listing, Named)])
def test_where_a_diagram_would_be_too_large_the_lists_are_the_same(
    seed: int, what: tuple[type, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(seed)
    asked_ = asked(rng)
    whole = pages_fit(asked_, find(asked_), random.Random(seed))
    for one in what:
        monkeypatch.setattr(one, "__init__", too_large)
    assert pages_fit(asked_, find(asked_), random.Random(seed)) == whole
