"""Referee and CP-SAT on random questions and random rulesets, unpayable ones included: the same ways at every level."""

from __future__ import annotations

from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from worlds import KINDS, cost, question, ruleset

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import ActTerm, Cost, CostAll, CostAny
from lawful.model.declaration import Question
from lawful.model.effect import Modifier, Replacement, Static
from lawful.model.expression import Ref, Sum, Times
from lawful.model.frozen import FrozenMap
from lawful.model.page import Page
from lawful.model.payment import LEVELS, Claim, Level, Outcome, Payment, Use, project
from lawful.model.referee import judge as referee_judge
from lawful.model.referee import payments, replay
from lawful.model.ruleset import AssetRule, XRule
from lawful.model.selector import Pattern, Selector
from lawful.solver.explain import why_not
from lawful.solver.judge import judge
from lawful.solver.ways import find

YOU = Ref("controller")
TAX = Card("tax", abilities=(Static(Modifier("cost.r", "add", 1, "increase", Pattern("declaration", by=YOU))),))
OFF = Card("off", abilities=(Static(Modifier("cost.r", "subtract", 2, "reduce", Pattern("declaration", by=YOU))),))
TRIPLE = Card(
    "triple",
    abilities=(
        Replacement(
            Pattern("gains", by=YOU, cause="pitch", assets=FrozenMap({"r": 1})),
            (Act("destroy", Ref("self")), Act("gain", FrozenMap({"r": 3}))),
        ),
    ),
)
ARENA = {"tax": TAX, "off": OFF, "triple": TRIPLE}
FEW = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
HAND = st.lists(st.sampled_from(sorted(KINDS)), max_size=5)
POOL = st.fixed_dictionaries({"c": st.integers(0, 3), "r": st.integers(0, 3)})
X = Ref("x")
AMOUNT = st.one_of(st.integers(0, 5), st.sampled_from([X, Times(2, X), Sum((X, 1))]))


@st.composite
def rulesets(draw: st.DrawFn) -> object:
    """Generate a ruleset: any order of phases, acceptance, stop rule, draw order, surplus, X policy."""
    ids = ["c", "r", "h"]
    phases = draw(st.permutations([1, 2, 3]))
    assets = []
    for id, phase in zip(ids, phases, strict=True):
        others = draw(st.lists(st.sampled_from([i for i in ids if i != id]), unique=True, max_size=2))
        accepts = draw(st.permutations([id, *others]))
        generate = draw(st.sampled_from(["while_short", "while_short", "freely", "never"]))
        surplus = draw(st.sampled_from(["floats", "floats", "lost", "forbidden"]))
        assets.append(AssetRule(id, id, phase, tuple(accepts), generate, draw(st.booleans()), surplus))
    assets.append(AssetRule("a", "a", 4, ("a",), "never", start=1))
    x = XRule(draw(st.integers(0, 1)), draw(st.sampled_from(["zero", "illegal", "keep"])))
    return ruleset(tuple(assets), x=x)


def effect_costs() -> st.SearchStrategy[tuple[Cost, ...]]:
    one = st.sampled_from(
        [
            ActTerm(Act("discard", Selector(zone=("hand",), how="choose", n=1))),
            ActTerm(Act("discard", Selector(zone=("hand",), how="random", n=1))),
            ActTerm(Act("reveal", Selector(zone=("hand",), how="choose", n=1))),
            ActTerm(Act("banish", Selector(zone=("graveyard",), how="choose", n=1))),
            ActTerm(Act("banish", Selector(zone=("pitch",), how="choose", n=1))),
            ActTerm(Act("tap", Selector(zone=("arena",), how="choose", n=1))),
            ActTerm(Act("destroy", Selector(zone=("arena",), how="choose", n=1))),
            ActTerm(Act("discard", Selector(zone=("hand",), how="choose", n=2, up_to=True))),
        ]
    )
    return st.lists(one, max_size=2).map(tuple)


ENGINES = ("diagram", "enumeration")


def agree(asked: Question) -> None:
    """Referee, diagram and enumeration give the same ways, in the same order, at every level."""
    played = list(payments(asked, 50_000))
    first, second = (agrees(asked, engine, played) for engine in ENGINES)
    assert first == second
    assert (why_not(asked) is None) == bool(played)


def agrees(asked: Question, engine: str, played: list[tuple[Payment, Outcome]]) -> dict[Level, list[str]]:
    found = find(asked, engine=engine)
    assert found.engine in (engine, "enumeration")
    assert found.complete
    counts = found.counts()
    assert counts["outcomes"] == len({outcome for _, outcome in played})
    keys: dict[Level, list[str]] = {}
    for level in LEVELS:
        listed = list(found.lines(level, False, Page()))
        keys[level] = [key for key, *_ in listed]
        assert len(set(keys[level])) == len(listed) == counts[level]
        if level == "outcomes":
            continue
        told = {project(payment, level) for payment, _ in played}
        assert {project(payment, level) for _, payment, _, _ in listed} == told, level
        if level != "sequences":
            using = [{use.thing for use in payment.uses} for _, payment, _, _ in listed]
            used = {thing: n for thing, n in found.used(level).items() if n}
            assert used == dict(Counter(thing for things in using for thing in things)), level
        merged = list(found.lines(level, True, Page()))
        assert len(merged) == found.counts_by_name(level)
        assert sum(copies for *_, copies in merged) == counts[level]
    sequences = [(payment, outcome) for _, payment, outcome, _ in found.lines("sequences", False, Page())]
    assert set(sequences) == set(played)
    for payment, outcome in sequences[:5]:
        assert replay(asked, payment).outcome == outcome
    return keys


@FEW
@given(HAND, POOL, st.integers(0, 4), st.integers(0, 6))
def test_plain_costs(hand: list[str], pool: dict[str, int], chi: int, resource: int) -> None:
    agree(question(cost(c=chi, r=resource), hand, pool))


@FEW
@given(
    st.lists(st.sampled_from(sorted(KINDS)), max_size=4),
    POOL,
    AMOUNT,
    AMOUNT,
    st.lists(st.sampled_from(["tax", "off"]), max_size=2),
)
def test_x_taxes_and_reductions(
    hand: list[str], pool: dict[str, int], chi: object, resource: object, arena: list[str]
) -> None:
    agree(question(cost(c=chi, r=resource), hand, pool, arena, cards=ARENA))  # type: ignore[arg-type]


@FEW
@given(
    st.lists(st.sampled_from(["red", "red", "yellow", "blue", "chi"]), max_size=4),
    POOL,
    st.integers(0, 6),
    st.integers(1, 2),
)
def test_replacements_on_pitching(hand: list[str], pool: dict[str, int], resource: int, many: int) -> None:
    agree(question(cost(r=resource), hand, pool, ["triple"] * many, cards=ARENA))


@FEW
@given(st.lists(st.sampled_from(["red", "blue", "chi"]), max_size=4), POOL, st.integers(0, 3), effect_costs())
def test_effect_costs(hand: list[str], pool: dict[str, int], resource: int, effects: tuple[Cost, ...]) -> None:
    asked = CostAll((*cost(r=resource).terms, *effects))  # type: ignore[union-attr]
    agree(question(asked, hand, pool, ["red"]))


@FEW
@given(HAND, POOL, st.integers(0, 3), st.integers(0, 4), rulesets())
def test_generated_rulesets(hand: list[str], pool: dict[str, int], chi: int, resource: int, rules: object) -> None:
    agree(question(cost(c=chi, r=resource, h=1), hand[:4], {**pool, "h": 1}, rules=rules))  # type: ignore[arg-type]


@FEW
@given(st.lists(st.sampled_from(["red", "blue", "chi"]), max_size=4), POOL, st.integers(0, 3), st.integers(1, 3))
def test_either_or(hand: list[str], pool: dict[str, int], one: int, other: int) -> None:
    agree(question(CostAny((cost(r=one), cost(c=other))), hand, pool))


@FEW
@given(
    st.lists(st.sampled_from(["red", "blue", "chi", "nil", "k1"]), min_size=1, max_size=4),
    POOL,
    st.integers(0, 3),
    st.integers(0, 4),
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["", "c", "r"])), max_size=4),
    st.booleans(),
    st.one_of(st.none(), st.integers(0, 3)),
)
def test_given_payments(
    hand: list[str],
    pool: dict[str, int],
    chi: int,
    resource: int,
    steps: list[tuple[int, str]],
    started: bool,
    left: int | None,
) -> None:
    asked = question(cost(c=chi, r=resource), hand, pool)
    ids = [thing.id for thing in asked.position.things]
    uses = tuple(Use(ids[i % len(ids)], part, "pitch") for i, part in steps)
    claim = Claim(uses, pool=None if left is None or started else FrozenMap({"r": left}), started=started)
    played = referee_judge(asked, claim)
    judged = judge(asked, claim)
    assert judged.legal == (played.broken is None), (claim, played.broken, judged.reason)


DOUBLED = Card(
    "doubled",
    abilities=(
        Replacement(
            Pattern("gains", by=YOU, cause="pitch", assets=FrozenMap({"r": 1})),
            (Act("destroy", Ref("self")), Act("gain", FrozenMap({"r": 3}))),
            optional=True,
        ),
    ),
)


def test_source_sets_that_differ_in_replacements_alone_are_each_without_a_superfluous_source() -> None:
    found = find(question(cost(r=1), ["red", "red"], arena=["doubled"], cards={"doubled": DOUBLED}))
    listed = [key for key, *_ in found.lines("sources", False, Page(minimal=True))]
    assert listed == ["[red]", "[red] ~doubled", "[red #2]", "[red #2] ~doubled"]
    assert found.minimal() == len(listed) == found.counts()["sources"]


def test_sequences_of_one_allocation_follow_each_other_where_gains_are_replaced() -> None:
    found = find(question(cost(r=2), ["red", "red"], arena=["doubled"], cards={"doubled": DOUBLED}))
    told = [project(payment, "allocations") for _, payment, _, _ in found.lines("sequences", False, Page())]
    assert len(told) == 6
    starts = [one for i, one in enumerate(told) if i == 0 or told[i - 1] != one]
    assert starts == [project(payment, "allocations") for _, payment, _, _ in found.lines("allocations", False, Page())]


TURNED = Card(
    "turned",
    abilities=(
        Replacement(
            Pattern("gains", by=YOU, cause="pitch", assets=FrozenMap({"r": 3})),
            (Act("gain", FrozenMap({"c": 1})),),
            optional=True,
        ),
    ),
)


def test_how_often_a_replacement_was_applied_is_not_told_of_merged_source_sets() -> None:
    found = find(question(cost(r=2), ["blue", "blue"], arena=["turned"], cards={"turned": TURNED}))
    assert found.counts()["sources"] == 3  # either blue as it is; both, of which one is turned, or both are
    for level in ("sources", "allocations"):
        merged = list(found.lines(level, True, Page()))
        assert len({key for key, *_ in merged}) == len(merged) == found.counts_by_name(level)
        assert sum(copies for *_, copies in merged) == found.counts()[level]
