"""Diagrams over groups, told apart: the same ways as by single sources; and the benchmark's engines agree."""

import random
from itertools import product

import cell
import pytest
from instances import Hand

import lawful
from lawful.model.limits import Limits
from lawful.solver.chart import Chart
from lawful.solver.encode.allocation import Alike, Allocation
from lawful.solver.encode.frame import frame
from lawful.solver.members import apart

ENGINES = [engine for engine in cell.ENGINES if cell.installed(engine)]


def chart(question: lawful.Question, alike: Alike) -> Chart:
    return Chart(Allocation(frame(question, limits=Limits()), alike), nodes=100_000, seconds=60)


def single(question: lawful.Question) -> set[frozenset[tuple[str, tuple[int, ...]]]]:
    """Return every allocation by single sources: who is used for what."""
    made = chart(question, "none")
    found = set()
    for path in made.allocations.paths():
        uses = made.family(path).used
        found.add(frozenset((g.members[0].thing.id, u) for g, u in zip(made.model.groups, uses, strict=True) if any(u)))
    return found


def told_apart(question: lawful.Question) -> list[frozenset[tuple[str, tuple[int, ...]]]]:
    made = chart(question, "gain")
    diagram = apart(made)
    sources: list[str | None] = []
    for kind in made.kinds[: len(made.allocations.layers)]:
        members = made.model.groups[kind.group].members if kind.what == "uses" else ()
        sources += [m.thing.id for m in members] or [None]
    found = []
    for path in diagram.paths():
        labels = [layer.labels[n] for layer, n in zip(diagram.layers, path, strict=True)]
        found.append(frozenset((s, u) for s, u in zip(sources, labels, strict=True) if s is not None and any(u)))
    return found


def hands(number: int) -> list[lawful.Question]:
    rng = random.Random(7)
    found = []
    for _ in range(number):
        hand = [rng.choice(["red", "yellow", "blue", "Inner Chi"]) for _ in range(rng.randint(0, 7))]
        cost = f"{rng.randint(0, 4)}c{rng.randint(0, 7)}r"
        found.append(lawful.question("fab", cost=cost, hand=", ".join(hand), float_=f"{rng.randint(0, 2)}c"))
    return found


def test_telling_apart_gives_the_ways_by_single_sources() -> None:
    unpayable = 0
    for question in hands(40):
        want, got = single(question), told_apart(question)
        assert len(got) == len(set(got))
        assert set(got) == want
        unpayable += not want
    assert 3 < unpayable < 37


def test_a_diagram_told_apart_is_reduced_and_counts_members() -> None:
    for question in hands(40):
        made = chart(question, "gain")
        diagram = apart(made)
        assert diagram.count() == made.allocations.count(made.members(made.allocations))
        for rows in diagram.rows:
            assert len(set(rows)) == len(rows)
            assert all(rows)


@pytest.mark.parametrize("seed", range(2))
def test_the_engines_of_the_benchmark_find_the_same_ways(seed: int) -> None:
    hand = Hand(cell.SMALL, seed)
    found = {}
    for engine in ENGINES:
        result = cell.runner(engine, hand, 60)()
        found[engine] = cell.fingerprint(cell.ways_of(engine, hand, result))
    assert len(ENGINES) >= 8
    assert len(set(found.values())) == 1, found


def test_the_engines_of_the_benchmark_find_what_can_be_counted_by_hand() -> None:
    """The plain form against every choice of uses, by the rule itself: stop as soon as there is enough."""
    hand = Hand(6, 4)
    values = [3 if card == "Inner Chi" else ("red", "yellow", "blue").index(card) + 1 for card in hand.cards]
    ways = 0
    for uses in product((0, 1, 2), repeat=hand.n):
        if any(use == 1 and card != "Inner Chi" for use, card in zip(uses, hand.cards, strict=True)):
            continue
        chis = [i for i, use in enumerate(uses) if use == 1]
        paid = [values[i] for i, use in enumerate(uses) if use == 2]
        floating = 1 + 3 * len(chis)
        if hand.chi and not (floating >= 3 and (not chis or floating - 3 < 3)):
            continue
        if not hand.chi and chis:
            continue
        held = floating - hand.chi  # what is left of chi pays for resources first
        need = hand.resources - held
        ways += sum(paid) >= need and (not paid or sum(paid) - max(paid) < need)
    assert ways == len(cell.runner("depth-first", hand, 60)()) > 0
