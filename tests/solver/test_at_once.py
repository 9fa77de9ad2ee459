"""Parts that are paid at once, read from diagrams: the same as enumerated, line by line, and as worked out by hand."""

from __future__ import annotations

import random
from itertools import combinations_with_replacement, product
from math import comb
from pathlib import Path

import pytest
from joints import asking, random_cost, random_hand
from test_joint import DROP, GROUPS, OIL, TAP, lit, mixed

import lawful
from lawful.model.casefile import build_question, read_cases
from lawful.model.cost import AssetTerm, CostAll
from lawful.model.declaration import Question
from lawful.model.errors import Disagreement, LimitReached
from lawful.model.limits import Limits
from lawful.model.page import Page, Wish
from lawful.model.payment import LEVELS, Level
from lawful.model.referee import replay
from lawful.model.rulesets import load_ruleset
from lawful.playing import play
from lawful.solver.at_once import AtOnce, Shares
from lawful.solver.certify import Certificate
from lawful.solver.charted_at_once import ChartedAtOnce
from lawful.solver.dd.operators import first_layers, project
from lawful.solver.ways import find, ways

EVERY = Limits(listed=100_000)
MANAS = load_ruleset(Path(__file__).parent.parent / "data" / "five-manas.yaml")
BOARD = ", ".join(f"{name} land x12" for name in ("amber", "blue", "coral", "dark", "fern"))


def some(rng: random.Random) -> Question:
    """Return a question of any of the kinds that there are."""
    kind = rng.random()
    if kind < 0.3:
        return asking(random_cost(rng, 4), random_hand(rng, 3))
    if kind < 0.6:
        more = [CostAll((AssetTerm("r", 1),))] if rng.random() < 0.5 else []
        return asking(CostAll((CostAll((rng.choice(GROUPS),)), *more)), random_hand(rng, 3))
    if kind < 0.8:
        return mixed(rng)
    acts = rng.choice([(), (TAP,), (OIL,), (DROP,), (TAP, OIL)])
    cost = CostAll((CostAll((rng.choice([*GROUPS[:10], AssetTerm("r", 2)]),)), *acts))
    return lit(cost, random_hand(rng, 2), rng.choice((0, 1, 2)), effects=rng.choice(("at_once", "after")))


def lines(asked: Question, level: Level, engine: str | None, by_name: bool = False, page: Page = Page()) -> object:
    found = ways(asked, level, limits=EVERY, by_name=by_name, page=page, engine=engine).listed
    return [(line.key, line.payment, line.outcome, line.copies) for line in found]


@pytest.mark.parametrize("seed", range(3))
def test_the_same_as_by_enumeration(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(5):
        asked = some(rng)
        read, enumerated = (ways(asked, "allocations", engine=engine) for engine in (None, "enumeration"))
        assert (read.engine, enumerated.engine) == ("diagram", "enumeration")
        assert (read.counts, read.minimal, read.used) == (enumerated.counts, enumerated.minimal, enumerated.used)
        for level in LEVELS:
            assert lines(asked, level, None) == lines(asked, level, "enumeration")
            assert lines(asked, level, None, by_name=True) == lines(asked, level, "enumeration", by_name=True)
        for page in (Page(minimal=True), Page(best=(Wish("uses", False),)), Page(best=(Wish("left", True),))):
            for level in ("sources", "allocations"):
                assert lines(asked, level, None, page=page) == lines(asked, level, "enumeration", page=page)


@pytest.mark.parametrize("seed", range(2))
def test_rows_of_hall_are_the_projection_of_the_cells(seed: int) -> None:
    """Node by node: reduced diagrams of equal sets are equal."""
    rng, seen = random.Random(seed), 0
    for _ in range(25):
        asked = asking(random_cost(rng, 4), random_hand(rng, 5))
        chart = AtOnce(asked, "gain", Limits(), 60)
        tell = [chart.total if kind.what == "uses" else None for kind in chart.kinds]
        narrow = first_layers(chart.full, len(chart.sources.layers))
        narrow = project(narrow, tell[: len(narrow.layers)])
        assert chart.projects
        assert (narrow.count(), narrow.nodes) == (chart.sources.count(), chart.sources.nodes)
        assert set(narrow.paths()) == set(chart.sources.paths())
        seen += chart.sources.alive
    assert seen


PAID = [paid for paid in product(range(4), repeat=4) if sum(paid) == 3]


def test_twelve_mixed_icons_at_every_level() -> None:
    found = ways(build_question(load_ruleset("mc"), cost="3", hand="e x3, m x3, p x3, w x3"), "sequences")
    assert found.engine == "diagram"
    assert (found.counts["sources"], found.minimal) == (4_017, 220)
    # Every used card pays or is left over; a wild one says as what, either way.
    sequences = sum(
        comb(9, plain) * comb(3, wild) * 4**wild * comb(plain + wild, 3)
        for plain in range(10)
        for wild in range(4)
        if plain + wild >= 3
    )
    assert found.counts["sequences"] == sequences
    allocations, outcomes = 0, set()
    for counts in product(range(4), repeat=4):
        if sum(counts) < 3:
            continue
        given = set()
        for wild in combinations_with_replacement("empw", counts[3]):  # what the wild ones are given as
            everything = tuple(n + wild.count(t) for t, n in zip("empw", (*counts[:3], 0), strict=True))
            for paid in PAID:
                left = tuple(n - k for n, k in zip(everything, paid, strict=True))
                if min(left) >= 0:
                    given.add((paid, left))
        allocations += len(given) * comb(3, counts[0]) * comb(3, counts[1]) * comb(3, counts[2]) * comb(3, counts[3])
        outcomes |= {left for _, left in given}
    assert found.counts["allocations"] == allocations
    assert found.counts["outcomes"] == len(outcomes)


def test_twenty_mixed_icons() -> None:
    asked = build_question(load_ruleset("mc"), cost="3", hand="e x5, m x5, p x5, w x5")
    found = ways(asked, "allocations", limits=Limits(listed=3), page=Page(sample=3, seed=1))
    assert (found.counts["sources"], found.minimal, found.complete) == (1_048_365, 1_140, True)
    for line in found.listed:
        assert replay(asked, line.payment).outcome == line.outcome


def test_a_board_of_sixty_sources_is_counted_and_certified() -> None:
    """Too many nodes for allocations: source sets by groups, and whose points they are, are what is counted."""
    asked = build_question(MANAS, cost="2{g}1{a}1{ab}1{c}", in_play=BOARD)
    found = ways(asked, "sources", limits=Limits(listed=3))
    assert found.counts["sources"] > 10**12
    assert (found.engine, found.complete) == ("diagram", True)
    chart = AtOnce(asked, "gain", Limits(), 60)
    assert chart.sources.count(chart.members(chart.sources)) == found.counts["sources"]
    assert chart.prove(60).proved
    assert "allocations" not in found.counts
    few = ways(asked, "sources", limits=Limits(listed=1), page=Page(best=(Wish("left", False),)))
    for line in (*found.listed, *few.listed):
        assert replay(asked, line.payment).outcome == line.outcome
    assert len(few.listed[0].payment.uses) == 5


def test_what_is_too_large_by_single_sources_is_no_disagreement() -> None:
    """Between the nodes that groups take and those that single sources do, counts are proved and lists are not."""
    asked, seen = build_question(load_ruleset("mc"), cost="2 & Xe", hand="e x3, w x2"), set()
    for nodes in range(180, 1_200, 100):
        small = Limits(nodes=nodes, listed=0)
        chart = find(asked, limits=small)
        assert isinstance(chart, ChartedAtOnce)
        found = ways(asked, "sources", limits=small, prove=True)
        seen.add((chart.groups.built, chart.each.built, found.proved, found.unproved))
        assert found.counts["sources"] == 23
        if found.unproved:
            assert [reached.where for reached in found.reached if reached.limit == "nodes"][-1] == "proof"
    assert {(True, False, False, "single"), (True, True, True, "")} <= seen


def test_every_diagram_that_was_read_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sequences have a diagram of their own, and so have cards: one too many or too few is refuted."""
    asked, proved = build_question(load_ruleset("mc"), cost="1 & Xe", hand="ee, w, em"), []
    prove = Shares.prove

    def proving(chart: Shares, seconds: float) -> Certificate:
        proved.append(chart.full.count())
        return prove(chart, seconds)

    monkeypatch.setattr(Shares, "prove", proving)
    found = ways(asked, "sequences", prove=True, by_name=True)
    assert found.proved
    assert proved == [found.counts["sequences"]]

    def late(chart: Shares, seconds: float) -> Certificate:
        raise LimitReached("seconds", seconds, "more time")

    monkeypatch.setattr(Shares, "prove", late)
    found = ways(asked, "sequences", prove=True)
    assert (found.proved, found.unproved) == (False, "shares")
    refuted = Certificate(True, False, 1, 0.0)
    monkeypatch.setattr(Shares, "prove", lambda chart, seconds: refuted)
    with pytest.raises(Disagreement):
        ways(asked, "sequences", prove=True)


def test_cards_that_were_merged_are_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, proved = build_question(load_ruleset("mc"), cost="1 & Xe", hand="ee, w, w"), []
    prove = AtOnce.prove

    def proving(chart: AtOnce, seconds: float) -> Certificate:
        proved.append(chart.alike)
        return prove(chart, seconds)

    monkeypatch.setattr(AtOnce, "prove", proving)
    assert ways(asked, "sources", prove=True).proved
    assert proved == ["gain", "none"]
    assert ways(asked, "sources", prove=True, by_name=True).proved
    assert proved[2:] == ["gain", "none", "looks"]


def test_sequences_are_drawn_from_their_own_diagram() -> None:
    """A draw of as many as there are is all of them; of billions a few are legal and different."""
    rng = random.Random(7)
    for _ in range(8):
        asked = some(rng)
        every = ways(asked, "sequences", limits=EVERY)
        drawn = ways(asked, "sequences", limits=EVERY, page=Page(sample=100_000)).listed
        assert {(d.key, d.payment, d.outcome) for d in drawn} == {(d.key, d.payment, d.outcome) for d in every.listed}
        assert len(drawn) == len(every.listed)
    asked = build_question(load_ruleset("mc"), cost="3", hand="e x5, m x5, p x5, w x5")
    drawn = ways(asked, "sequences", page=Page(sample=20)).listed
    assert len({line.key for line in drawn}) == 20
    for line in drawn[:5]:
        assert replay(asked, line.payment).outcome == line.outcome


AMPLIFIER = """
case: a
ruleset: marvel-champions
cards:
  Amplifier:
    types: [upgrade]
    abilities:
      - replace:
          on: {{gains: {{by: $controller, assets: {{e: 1}}}}}}
          optional: true
          instead: [{{discard: $self}}, {{gain: {{e: 2}}}}]
given: {{players: {{Ann: {{hand: [e, m], play: [Amplifier]}}}}}}
when: {{player: Ann, cost: {cost}}}
"""


def test_a_replacement_that_is_used_up_is_played() -> None:
    """Worked out by hand: two energy for one, once; 2 out of (e, m), or of (ee) with either kind left over."""
    counted = {'"2"': (3, 4), '"3"': (1, 1), '"1 & 2e"': (1, 1)}
    for cost, (sources, allocations) in counted.items():
        [case] = read_cases(AMPLIFIER.format(cost=cost))
        answer = lawful.pay(case.question)
        assert answer.engine == "played"
        assert (answer.counts["sources"], answer.counts["allocations"]) == (sources, allocations)
    [case] = read_cases(AMPLIFIER.format(cost='"4"'))
    answer = lawful.pay(case.question)
    assert answer.status == "illegal"
    assert [member.role for reason in answer.reasons for member in reason] == ["part.r"]


@pytest.mark.parametrize("seed", range(2))
def test_the_same_as_played(seed: int) -> None:
    rng, seen = random.Random(seed + 20), 0
    while seen < 5:
        asked = some(rng)
        if len(asked.position.things) > 4:
            continue
        read, played = ways(asked, "allocations"), ways(asked, "allocations", engine="played", play=play)
        assert (read.counts, read.minimal, read.used) == (played.counts, played.minimal, played.used)
        for level in LEVELS:
            for by_name in (False, True):
                one = ways(asked, level, limits=EVERY, by_name=by_name)
                two = ways(asked, level, limits=EVERY, by_name=by_name, engine="played", play=play)
                assert [(w.key, w.outcome, w.copies) for w in one.listed] == [
                    (w.key, w.outcome, w.copies) for w in two.listed
                ]
        seen += 1
