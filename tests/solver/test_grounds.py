"""All minimal reasons, of choosing and paying together: against every subset of the rules, asked one by one."""

from __future__ import annotations

import os
from itertools import product

import pytest

import lawful
from lawful.model.limits import Limits
from lawful.playing import Referee
from lawful.solver.ask import conflict
from lawful.solver.check import Checker
from lawful.solver.grounds import ranked

BAN = "{static: {cannot: {target: $self}}}"
WORLD = """
case: one of many
ruleset: flesh-and-blood
cards:
  Bear: {{types: [Ally], abilities: [{ban}]}}
  Pelt: {{types: [Ally], yields: {{r: 1}}}}
  Bolt: {{types: [Instant], cost: {cost}, abilities: [{{resolve: {{do: [{text}]}}}}]}}
given: {{players: {{Tyler: {{hand: [{hand}], arena: [{arena}]}}}}, turn: Tyler}}
when: {{player: Tyler, play: Bolt, ask: check}}
"""
TEXTS = (
    "{destroy: {type: Ally, how: target, zone: arena}}",
    "{discard: {type: Ally, how: target, zone: hand}}",
    "{destroy: {type: Ally, how: target, n: 2, zone: arena}}",
)
WORLDS = [
    WORLD.format(ban=ban, cost=cost, text=text, hand=hand, arena=arena)
    for ban, cost, text, hand, arena in product(
        (BAN, ""), ("1r", "2r"), TEXTS, ("Bolt", "Bolt, Pelt", "Bolt, red"), ("", "Bear")
    )
]


def brute(checker: Checker) -> list[tuple[lawful.model.verdict.Because, ...]]:
    """Return every minimal set of rules, of choosing and of paying, that cannot be kept together.

    A set without any of those found must be possible; it is enough to ask about the largest such sets.
    """
    grounds = checker.grounds
    model = grounds.model
    labels = list(model.literals.assumed)
    n = len(labels)

    def possible(rules: int) -> bool:
        return (
            conflict(model.cp, [model.literals.assumed[labels[i]] for i in range(n) if rules >> i & 1], seconds=60)
            is None
        )

    found: list[int] = []
    while True:
        free = [rules for rules in range(1 << n) if not any(rules & reason == reason for reason in found)]
        known = set(free)
        largest = [r for r in free if not any(not r >> i & 1 and r | 1 << i in known for i in range(n))]
        wrong = next((rules for rules in largest if not possible(rules)), None)
        if wrong is None:
            break
        for i in range(n):
            if wrong >> i & 1 and not possible(wrong & ~(1 << i)):
                wrong &= ~(1 << i)
        found.append(wrong)
    sets = [[labels[i] for i in range(n) if reason >> i & 1] for reason in found]
    order = [sorted(one, key=lambda la: (la.fact, la.role, la.about)) for one in sets]
    return [tuple(grounds._either(label, {}) for label in members) for members in order]


def same(reasons: object) -> set[frozenset[object]]:
    return {frozenset((b.role, b.says, b.about) for b in reason) for reason in reasons}  # type: ignore[attr-defined]


@pytest.mark.parametrize("n", range(0, len(WORLDS), 1 if "LAWFUL_LONG" in os.environ else 5))  # a mixture of all
def test_reasons_are_all_minimal_sets_of_rules(n: int) -> None:
    (case,) = lawful.read(WORLDS[n])
    verdict = lawful.check(case)
    checker = Checker(verdict.question, Limits(), frozenset(), None, Referee(Limits()))
    if verdict.status == "legal":
        assert checker.verdict().legal
        return
    assert verdict.complete
    assert same(verdict.reasons) == same(ranked(brute(checker)))
