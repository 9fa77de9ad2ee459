"""What must hold whatever the question: laws that need no oracle, and figures worked out elsewhere."""

from __future__ import annotations

import random
from dataclasses import replace

from joints import asking, plain, random_cost, random_hand

import lawful
from lawful.model.casefile import build_question, read_cases
from lawful.model.cost import AssetTerm, CostAll
from lawful.model.declaration import Question
from lawful.model.expression import PerPlayer
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.position import Thing
from lawful.model.referee.amounts import due
from lawful.model.rulesets import load_ruleset
from lawful.solver.explain import why_not
from lawful.solver.found import Page
from lawful.solver.ways import ways

EVERY = Limits(listed=100_000)


def sets(asked: Question) -> set[frozenset[str]]:
    listed = ways(asked, "sources", limits=EVERY).listed
    return {frozenset(use.thing for use in line.payment.uses) for line in listed}


def test_another_source_takes_no_way_away() -> None:
    rng = random.Random(1)
    for _ in range(30):
        cost, hand = random_cost(rng), random_hand(rng, 3)
        fewer = sets(asking(cost, hand))
        assert fewer <= sets(asking(cost, [*hand, rng.choice(("e", "w", "em"))]))


def test_equal_cards_can_change_places() -> None:
    rng = random.Random(2)
    for _ in range(20):
        cost, hand = random_cost(rng), [*random_hand(rng, 2), "e", "e"]
        n = len(hand)
        swapped = {f"e {n - 1}": f"e {n - 2}", f"e {n - 2}": f"e {n - 1}"}
        found = sets(asking(cost, hand))
        assert {frozenset(swapped.get(id, id) for id in some) for some in found} == found


def test_a_larger_cost_and_a_source_for_it() -> None:
    """Raising a term and adding a source that it accepts keeps a cost payable."""
    rng, seen = random.Random(3), 0
    for _ in range(60):
        cost, hand = random_cost(rng, x=False), random_hand(rng, 3)
        if not ways(asking(cost, hand), "sources", limits=Limits(listed=0)).counts["sources"]:
            continue
        seen += 1
        terms = plain(cost)
        at = rng.randrange(len(terms))
        asset, n = terms[at]
        more = [*terms[:at], (asset, n + 1), *terms[at + 1 :]]
        raised = CostAll(tuple(CostAll((AssetTerm(a, k),)) for a, k in more))
        card = "e" if asset == "r" else asset
        assert ways(asking(raised, [*hand, card]), "sources", limits=Limits(listed=0)).counts["sources"]
    assert seen > 5


def test_players_times_the_cost() -> None:
    asked = asking(CostAll((AssetTerm("r", PerPlayer(2)),)), ["e"])
    for started in range(1, 5):
        position = replace(asked.position, started=started)
        found = due(replace(asked, position=position), None, ())
        assert [(d.asset.id, d.amount) for d in found.demands] == [("r", 2 * started)]


def test_many_equal_sources_are_counted_not_listed() -> None:
    for n, every, minimal in ((12, 4_017, 220), (20, 1_048_365, 1_140)):
        asked = build_question(load_ruleset("mc"), cost="3", hand=f"e x{n}")
        found = ways(asked, "sources", limits=Limits(listed=5))
        assert (found.counts["sources"], found.minimal, found.complete) == (every, minimal, True)


def test_a_view_without_superfluous_sources() -> None:
    asked = build_question(load_ruleset("mc"), cost="3", hand="e x4, ee")
    shown = ways(asked, "sources", limits=EVERY, page=Page(minimal=True))
    everything = sets(asked)
    minimal = {some for some in everything if not any(other < some for other in everything)}
    assert {frozenset(use.thing for use in line.payment.uses) for line in shown.listed} == minimal
    assert shown.minimal == len(minimal)
    assert shown.counts["sources"] == len(everything)


def test_reasons_are_minimal_and_name_what_is_contested() -> None:
    asked = build_question(load_ruleset("mc"), cost="1 & 1e", hand="e")
    [reason] = lawful.pay(asked).reasons
    assert [b.about for b in reason if b.role == "split"] == [("e",)]
    rng, seen = random.Random(4), 0
    for _ in range(150):
        asked = asking(random_cost(rng, x=False), random_hand(rng, 3))
        found = why_not(asked)
        if found is None:
            continue
        roles = {b.role for b in found if b.rule is not None}
        contested = [b for b in found if b.role == "split"]
        if contested:
            seen += 1
            assert contested[0].about
            assert why_not(asked, released=frozenset({"split"})) is None
        for role in roles:
            assert role == "split" or role.startswith("part.")
    assert seen > 3


CASE = """
case: {name}
ruleset: mc
cards:
  Lamp: {{types: [upgrade], abilities: [{{source: {{name: lamp, cost: [{{exhaust: $self}}], gain: {{w: 1}}}}}}]}}
given: {{players: {{Ann: {{hand: [e, m], play: [Lamp]}}}}}}
when: {{player: Ann, cost: {cost}}}
"""


def test_names_of_cards_do_not_matter() -> None:
    for cost in ('"2"', '"1 & 1e"', "[{asset: r, number: any}, {exhaust: {zone: play}}]"):
        [case] = read_cases(CASE.format(name="a", cost=cost))
        position = case.question.position
        names = {card: f"card {i}" for i, card in enumerate(position.cards)}
        things = tuple(replace(t, card=names[t.card]) for t in position.things)
        cards = FrozenMap({names[name]: replace(card, name=names[name]) for name, card in position.cards.items()})
        renamed = replace(case.question, position=replace(position, things=things, cards=cards))
        assert ways(renamed, "allocations").counts == ways(case.question, "allocations").counts


def test_a_source_of_somebody_else_changes_nothing() -> None:
    asked = asking(CostAll((AssetTerm("r", 1),)), ["e", "m"])
    other = Thing("theirs", "e", "Bob", "Bob", "hand")
    player = replace(asked.position.players[0], name="Bob")
    position = replace(
        asked.position, things=(*asked.position.things, other), players=(*asked.position.players, player)
    )
    assert sets(replace(asked, position=position)) == sets(asked)
