"""Parts that are paid at once: referee, CP-SAT and maximal flow agree, unpayable ones included."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from joints import asking, flows, paying_sets, plain, random_cost, random_hand, typed

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import ActTerm, AssetTerm, Cost, CostAll, CostAny
from lawful.model.declaration import Question
from lawful.model.effect import Source
from lawful.model.errors import LimitReached
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.payment import Choice, Claim, Level, Spend, Use, project
from lawful.model.position import Thing
from lawful.model.referee import judge as referee_judge
from lawful.model.referee import payments, replay
from lawful.model.ruleset import AssetRule, XRule
from lawful.model.selector import Selector
from lawful.solver.ask import feasible
from lawful.solver.encode.allocation import Allocation
from lawful.solver.encode.frame import frame
from lawful.solver.explain import why_not
from lawful.solver.judge import judge
from lawful.solver.source_sets import source_sets
from lawful.solver.ways import Ways, ways

LEVELS: tuple[Level, ...] = ("sources", "allocations", "sequences")
EVERY = Limits(listed=100_000)


def agree(asked: Question, most: int = 4_000) -> Ways:
    played = list(payments(asked, most))
    found = ways(asked, "sequences", limits=EVERY)
    assert found.complete
    assert {(line.payment, line.outcome) for line in found.listed} == set(played)
    assert len(found.listed) == len(played)
    for level in LEVELS:
        told = {project(payment, level) for payment, _ in played}
        assert found.counts[level] == len(told), level
        listed = ways(asked, level, limits=EVERY).listed
        assert len({line.key for line in listed}) == len(listed) == len(told)
        assert {project(line.payment, level) for line in listed} == told
        merged = ways(asked, level, limits=EVERY, by_name=True)
        assert len(merged.listed) == merged.count_by_name, level
        assert sum(line.copies for line in merged.listed) == found.counts[level]
    assert found.counts["outcomes"] == len({outcome for _, outcome in played})
    for line in found.listed[:4]:
        assert replay(asked, line.payment).outcome == line.outcome
    return found


@pytest.mark.parametrize("seed", range(10))
def test_three_ways_to_find_out_whether_it_can_be_paid(seed: int) -> None:
    """500 multi-costs each: the referee plays, CP-SAT solves, and maximal flow knows neither; nor does the diagram."""
    rng, payable = random.Random(seed), 0
    for i in range(500):
        cost, hand = random_cost(rng, x=False), random_hand(rng, 3)
        asked = asking(cost, hand)
        f = frame(asked)
        Allocation(f)
        solved = feasible(f.cp, seconds=10) == "feasible"
        assert solved == flows(plain(cost), hand) == (next(payments(asked), None) is not None), (cost, hand)
        if i % 5 == 0:
            assert bool(source_sets(asked).count) == solved
        payable += solved
    assert 50 < payable < 450


@pytest.mark.parametrize("seed", range(4))
def test_the_same_ways_at_every_level(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(14):
        cost, hand = random_cost(rng), random_hand(rng, 3)
        found = agree(asking(cost, hand))
        if all(isinstance(n, int) for n in [t.amount for p in cost.terms for t in p.terms]):  # type: ignore[union-attr]
            sets = paying_sets(plain(cost), hand)
            assert found.counts["sources"] == len(sets)


def test_rows_of_hall_are_what_flows_leave() -> None:
    """Which sets of sources pay: the rows without flows say the same as flows do."""
    rng = random.Random(11)
    for _ in range(20):
        cost, hand = random_cost(rng, x=False), random_hand(rng, 4)
        found = ways(asking(cost, hand), "sources", limits=EVERY)
        used = {frozenset(int(u.thing.split()[1]) for u in line.payment.uses) for line in found.listed}
        assert used == paying_sets(plain(cost), hand)
        assert found.counts["sources"] == len(used)
        minimal = {s for s in used if not any(other < s for other in used)}
        assert found.minimal == len(minimal)


GROUPS: list[Cost] = [
    AssetTerm("r", 2, alike="same"),
    AssetTerm("r", 3, alike="different"),
    AssetTerm("r", 2, "up_to"),
    AssetTerm("r", 0, "any"),
    AssetTerm("e", 0, "any"),
    AssetTerm("r", 2, only=("p",)),
    AssetTerm("r", 3, needs=("e", "m")),
    AssetTerm("r", 2, printed=True),
    AssetTerm("e", 1, printed=True),
    AssetTerm("r", 2, "up_to", alike="same", printed=True),
    CostAny((AssetTerm("e", 2), AssetTerm("m", 1))),
]


@pytest.mark.parametrize("group", GROUPS, ids=str)
def test_typed_groups(group: Cost) -> None:
    rng = random.Random(str(group))
    for _ in range(5):
        more = [CostAll((AssetTerm("r", 1),))] if rng.random() < 0.5 else []
        asked = asking(CostAll((CostAll((group,)), *more)), random_hand(rng, 3))
        found = agree(asked)
        assert (why_not(asked) is None) == bool(found.counts["sources"])


LAMP = Card(
    "lamp",
    ("lamp",),
    abilities=(
        Source(FrozenMap({"w": 1}), ActTerm(Act("tap", Ref("self"))), "shine"),
        Source(
            FrozenMap({"e": 1}),
            ActTerm(Act("remove", "oil", Ref("self"), n=1)),
            "burn",
            into=("overpaid",),
            printed=True,
        ),
    ),
)
SHIELD = Card(
    "shield",
    ("lamp",),
    abilities=(Source(FrozenMap({"p": 2}), ActTerm(Act("tap", Ref("self"))), "bash", into=("cost",)),),
)


def lit(cost: Cost, hand: list[str], oil: int, **changes: object) -> Question:
    asked = asking(cost, hand, typed(**changes))
    things = (
        Thing("lamp", "lamp", "Ann", "Ann", "arena", counters=FrozenMap({"oil": oil})),
        Thing("shield", "shield", "Ann", "Ann", "arena"),
    )
    position = replace(
        asked.position,
        things=(*asked.position.things, *things),
        cards=FrozenMap({**asked.position.cards, "lamp": LAMP, "shield": SHIELD}),
    )
    return replace(asked, position=position)


TAP = ActTerm(Act("tap", Selector(type=("lamp",), how="choose", n=1)))
OIL = ActTerm(Act("remove", "oil", Selector(type=("lamp",), how="choose", n=1), n=1))
DROP = ActTerm(Act("discard", Selector(zone=("hand",), how="choose", n=1)))


@pytest.mark.parametrize("acts", [(), (TAP,), (OIL,), (DROP,), (TAP, OIL), (TAP, TAP), (DROP, DROP)])
@pytest.mark.parametrize("at_once", ["at_once", "after"])
def test_what_sources_and_costs_contest(acts: tuple[ActTerm, ...], at_once: str) -> None:
    """Readiness, counters and cards in hand pay once; what a source gives may be for one cost only."""
    for cost in (AssetTerm("r", 2), AssetTerm("p", 1)):
        for oil in (0, 2):
            asked = lit(CostAll((CostAll((cost,)), *acts)), ["w"], oil, effects=at_once)
            found = agree(asked, 20_000)
            assert (why_not(asked) is None) == bool(found.counts["sources"])


@pytest.mark.parametrize("surplus", ["floats", "lost", "forbidden"])
def test_other_rules_for_what_is_left_over(surplus: str) -> None:
    rules = typed()
    assets = tuple(replace(a, surplus=surplus, useful=surplus != "lost") for a in rules.assets)
    later = AssetRule("z", "later", 2, ("e", "z"), "never")
    rng = random.Random(surplus)
    for pool in ({}, {"e": 1}, {"w": 1, "m": 1}):
        for more in ((), (AssetTerm("z", 1),)):
            rules = typed(assets=(*assets, later))
            asked = asking(CostAll((CostAll((AssetTerm("r", 2),)), *more)), random_hand(rng, 2), rules)
            player = replace(asked.position.players[0], pool=FrozenMap({**asked.position.players[0].pool, **pool}))
            agree(replace(asked, position=asked.position.with_player(player)))


def mixed(rng: random.Random) -> Question:
    """Return a question by rules that mix parts in order with parts paid at once, each parameter by itself."""
    assets = []
    for a in typed().assets:
        surplus = rng.choice(("floats", "lost", "lost", "forbidden"))
        assets.append(replace(a, surplus=surplus, useful=rng.random() < 0.5, phase=2))
    taken = rng.sample(("e", "m", "w"), rng.randint(0, 2))
    order = rng.choice(("while_short", "freely", "never"))
    accepts = tuple(rng.sample(["z", *taken], len(taken) + 1))
    assets.append(AssetRule("z", "other", rng.choice((1, 3)), accepts, order, surplus=rng.choice(("floats", "lost"))))
    rules = typed(assets=tuple(assets), effects=rng.choice(("at_once", "after")), x=XRule(rng.randint(0, 1)))
    more = [CostAll((AssetTerm("z", rng.randint(1, 2)),))] if rng.random() < 0.7 else []
    acts = rng.choice(((), (), (DROP,)))
    asked = asking(CostAll((*random_cost(rng, 2).terms, *more, *acts)), random_hand(rng, 3), rules)  # type: ignore[union-attr]
    pool = {**asked.position.players[0].pool, "z": rng.randint(0, 2), "e": rng.randint(0, 1)}
    player = replace(asked.position.players[0], pool=FrozenMap(pool))
    return replace(asked, position=asked.position.with_player(player))


@pytest.mark.parametrize("seed", range(4))
def test_any_mixture_of_rules(seed: int) -> None:
    rng, payable = random.Random(seed), 0
    for _ in range(10):
        asked = mixed(rng)
        try:
            found = agree(asked, 2_000)
        except LimitReached:  # too many payments to play them all
            continue
        assert (why_not(asked) is None) == bool(found.counts["sources"])
        payable += bool(found.counts["sources"])
    assert payable


@pytest.mark.parametrize("seed", range(3))
def test_given_payments(seed: int) -> None:
    rng, legal = random.Random(seed), 0
    for _ in range(60):
        cost, hand = random_cost(rng, 2), random_hand(rng, 3)
        asked = asking(cost, hand)
        ids = [thing.id for thing in asked.position.things]
        steps: list[Use | Spend] = [Use(rng.choice(ids), "", "discard") for _ in range(rng.randint(0, 3)) if ids]
        steps += [
            Spend(rng.randint(-1, 2), rng.choice("emp"), rng.randint(1, 2)) for _ in range(rng.choice((0, 0, 1, 2)))
        ]
        pool = FrozenMap({"e": rng.randint(0, 1)}) if rng.random() < 0.2 else None
        claim = Claim(tuple(steps), rng.choice((None, 1, 2)), pool=pool, started=rng.random() < 0.2)
        if claim.started:
            claim = replace(claim, pool=None)
        played, judged = referee_judge(asked, claim), judge(asked, claim)
        assert judged.legal == (played.broken is None), (cost, hand, claim, played.broken, judged.reason)
        legal += judged.legal
    assert legal


def test_every_way_found_is_a_legal_claim() -> None:
    rng = random.Random(5)
    for _ in range(40):
        asked = asking(random_cost(rng), random_hand(rng, 3))
        for line in ways(asked, "allocations", limits=Limits(listed=3)).listed:
            spends = {}
            for s in line.payment.spends:
                spends[s.part, s.as_] = spends.get((s.part, s.as_), 0) + s.n
            steps = (*line.payment.uses, *(Spend(part, as_, n) for (part, as_), n in spends.items()))
            claim = Claim(steps, line.payment.x)
            assert referee_judge(asked, claim).outcome == line.outcome
            assert judge(asked, claim).legal


@pytest.mark.parametrize("seed", range(4))
def test_given_payments_with_sources_and_effect_costs_that_contest(seed: int) -> None:
    rng, legal = random.Random(seed), 0
    named = {"lamp": ["shine", "burn", ""], "shield": ["bash", ""]}
    for _ in range(40):
        acts = rng.choice([(), (TAP,), (OIL,), (DROP,), (TAP, OIL)])
        group = rng.choice([*GROUPS[:10], AssetTerm("r", 2)])
        cost = CostAll((CostAll((group,)), *acts))
        at_once = rng.choice(("at_once", "after"))
        asked = lit(cost, random_hand(rng, 2), rng.choice((0, 1, 2)), effects=at_once)
        ids = [thing.id for thing in asked.position.things]
        steps: list[Use | Spend | Choice] = []
        for _ in range(rng.randint(0, 3)):
            id = rng.choice(ids)
            steps.append(Use(id, "", rng.choice(named.get(id, ["discard", ""]))))
        if rng.random() < 0.4:
            steps.append(Spend(rng.choice((-1, 0)), rng.choice("emp"), rng.randint(1, 2)))
        steps += [Choice(k, (rng.choice(ids),)) for k in range(len(acts)) if rng.random() < 0.9]
        claim = Claim(tuple(steps), started=rng.random() < 0.15)
        played, judged = referee_judge(asked, claim), judge(asked, claim)
        assert judged.legal == (played.broken is None), (claim, played.broken, judged.reason)
        legal += judged.legal
    assert legal
