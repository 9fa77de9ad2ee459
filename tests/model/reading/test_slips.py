"""Slips of the pen in cards: each is a fault with its place and the closest word, all of them at once."""

from __future__ import annotations

import pytest

from lawful.model.errors import Fault
from lawful.model.reading.desk import Desk, Names
from lawful.model.reading.faults import Faults
from lawful.model.reading.spelling_cards import read_card
from lawful.model.reading.yamltext import parse_yaml

NAMES = Names(
    ("c", "r", "w"), "r", ("tap", "discard", "gain", "destroy"), ("set", "increase"), ("hand", "arena")
)  # fmt: skip


def faults_of(text: str) -> list[Fault]:
    faults = Faults("f")
    read_card(Desk(faults, NAMES), parse_yaml(text, faults)[0])
    return faults.found


@pytest.mark.parametrize(
    ("text", "at", "says"),
    [
        ("name: N\ntyps: [a]", (2, 1), "did you mean 'types'?"),
        ("name: N\ncots: 3", (2, 1), "did you mean 'cost'?"),
        ("name: N\nyields: {q: 3}", (2, 10), "unknown asset 'q'"),
        ("name: N\nyields: {r: -3}", (2, 13), "cannot be negative"),
        ("name: N\nyields: {r: 1.5}", (2, 13), "whole number"),
        ("name: N\nstats: {power: 99999999999}", (2, 16), "limit: amount"),
        ("name: N\ncost: 3c1q", (2, 10), "unknown asset 'q'"),
        ('name: N\ncost: "{c}{q}"', (2, 11), "unknown asset 'q'"),
        ("name: N\nabilities: [{sorce: {gain: {r: 1}}}]", (2, 14), "did you mean 'source'?"),
        ("name: N\nabilities: [{source: {gain: {q: 1}}}]", (2, 30), "unknown asset"),
        ("name: N\nabilities: [{source: {cost: {tpa: $self}, gain: {r: 1}}}]", (2, 30), "did you mean 'tap'?"),
        ("name: N\nabilities: [{source: {}}]", (2, 22), "needs 'gain'"),
        ("name: N\nabilities: [{static: {modify: cost.q, stage: set, add: 1}}]", (2, 31), "unknown asset 'q'"),
        ("name: N\nabilities: [{static: {modify: cost.r, stage: sett, add: 1}}]", (2, 46), "did you mean 'set'?"),
        ("name: N\nabilities: [{static: {modify: cost.r, stage: set}}]", (2, 22), "does one of"),
        ("name: N\nabilities: [{static: {modify: cost, stage: set, add: 1}}]", (2, 31), "write cost.c or cost.r"),
        ("name: N\nabilities: [{static: {modify: base.cost, stage: set, add: 1}}]", (2, 31), "what is printed"),
        ("name: N\nabilities: [{additional: {cost: [{discard: {zone: hnad}}]}}]", (2, 51), "did you mean 'hand'?"),
        ("name: N\nabilities: [{additional: {cost: [{discard: {zoen: hand}}]}}]", (2, 45), "did you mean 'zone'?"),
        ("name: N\nabilities: [{trigger: {on: {a: $b, c: $d}, do: tap}}]", (2, 28), "one key"),
        ("name: N\nabilities: [{trigger: {on: a, do: [{tap: $self, discard: $self}]}}]", (2, 36), "one verb"),
        ("name: N\nabilities: [{prevent: {on: a, n: many}}]", (2, 34), "number"),
        ("name: N\nabilities: [{prevent: {on: a, n: {sum: 1, of: 2}}}]", (2, 34), "one of"),
        ("name: N\nabilities: [{additional: {cost: {any: []}}}]", (2, 39), "at least one"),
        ("name: N\nabilities: [{additional: {cost: 1r, optional: maybe}}]", (2, 47), "true or false"),
        ("name: N\nabilities: [{additional: {cost: 1r, types: [attack]}}]", (2, 44), "with 'to'"),
        ("name: N\nabilities: [{additional: {cost: 1r, when: {value: 1, ge: 1}}}]", (2, 43), "with 'to'"),
        ("name: N\nabilities: [{trigger: {on: a, do: tap, when: {}}}]", (2, 46), "says nothing"),
        ("types: [a]", (1, 1), "needs a name"),
        ("name: N\nabilities: 3", (2, 12), "an ability"),
    ],
)
def test_slips_of_the_pen(text: str, at: tuple[int, int], says: str) -> None:
    found = faults_of(text)
    assert len(found) == 1, found
    assert (found[0].line, found[0].column) == at
    assert says in f"{found[0].message} {found[0].hint}"


def test_one_fault_hides_no_other() -> None:
    text = (
        "name: N\ncost: 3q\ntyps: [a]\nabilities:\n"
        "  - source: {when: 3, gain: {q: 1}, cost: {tpa: $self}}\n  - sorce: {}\n"
        "  - static: {must: {a: [b]}, wile: x}\n"
    )
    assert [fault.line for fault in faults_of(text)] == [2, 3, 5, 5, 5, 6, 7, 7]
