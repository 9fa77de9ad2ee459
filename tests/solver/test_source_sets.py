"""Source sets counted on a diagram: the same as enumerated, and far beyond what could be."""

from __future__ import annotations

import random
from math import comb
from pathlib import Path

import pytest
from joints import asking, random_cost, random_hand

from lawful.model.casefile import build_question
from lawful.model.cost import AssetTerm
from lawful.model.limits import Limits
from lawful.model.rulesets import load_ruleset
from lawful.solver.diagram import Unsupported
from lawful.solver.source_sets import source_sets
from lawful.solver.ways import ways

MANAS = load_ruleset(Path(__file__).parent.parent / "data" / "five-manas.yaml")


def test_the_same_counts_as_by_enumeration() -> None:
    rng = random.Random(8)
    for _ in range(40):
        asked = asking(random_cost(rng, 4), random_hand(rng, 4))
        found, counted = ways(asked, "sources", limits=Limits(listed=0), engine="enumeration"), source_sets(asked)
        assert (counted.count, counted.minimal) == (found.counts["sources"], found.minimal)


def test_what_asks_for_more_than_amounts_is_not_counted_so() -> None:
    with pytest.raises(Unsupported):
        source_sets(asking(AssetTerm("r", 2, alike="same"), ["e", "e"]))


def test_a_board_of_sixty_sources() -> None:
    """Twelve lands of each of five colours: more than 10^12 ways, checked by a sum over colours."""
    lands = ", ".join(f"{name} land x12" for name in ("amber", "blue", "coral", "dark", "fern"))
    found = source_sets(build_question(MANAS, cost="2{g}1{a}1{ab}1{c}", in_play=lands))
    by_hand = 0
    for a in range(13):
        for b in range(13):
            for c in range(13):
                rest = 5 - a - b - c
                if a >= 1 and a + b >= 2 and c >= 1:
                    others = sum(comb(24, n) for n in range(max(0, rest), 25))
                    by_hand += comb(12, a) * comb(12, b) * comb(12, c) * others
    assert found.count == by_hand > 10**12


def test_sixteen_sources_and_four_costs() -> None:
    hand = "e x2, m x2, p x2, w, ee x2, em, ew, mp x2, pw, ww, mm"
    found = source_sets(build_question(load_ruleset("mc"), cost="2 & 1e & 1m & 1p", hand=hand))
    assert 0 < found.minimal < found.count < 2**16
