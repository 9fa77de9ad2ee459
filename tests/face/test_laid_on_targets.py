"""What a text changes of one that it targets: it is chosen as the text is declared, and it alone is changed."""

from __future__ import annotations

from pathlib import Path

import pytest

import lawful

SHEET = """name,types,cost,pitch,power,text
Boost,"Generic, Instant",0,1,,"Target ally gets +3{p}."
Twice,"Generic, Instant",0,1,,"Target ally gets +3{p}. Target weapon gets +1{p}."
Wolf,"Generic, Ally",0,1,2,
Bear,"Generic, Ally",0,1,2,
Sword,"Generic, Weapon",0,1,2,
"""
CASE = """
case: a target that is changed
ruleset: flesh-and-blood
use: cards.csv
given: {{players: {{Ann: {{hand: [{card}]}}, Foe: {{arena: [{there}]}}}}}}
when: {{player: Ann, play: {card}{more}}}
"""


def asked(tmp_path: Path, card: str, there: str, more: str = "") -> lawful.Verdict:
    (tmp_path / "cards.csv").write_text(SHEET)
    path = tmp_path / "one.case.yaml"
    path.write_text(CASE.format(card=card, there=there, more=more))
    (case,) = lawful.load(path)
    return lawful.check(case)


@pytest.mark.parametrize(
    ("card", "there", "verdict"),
    [
        ("Boost", "Wolf", "legal"),
        ("Boost", "", "illegal"),
        ("Boost", "Sword", "illegal"),
        ("Twice", "Wolf, Sword", "legal"),
        ("Twice", "Wolf", "illegal"),
        ("Twice", "Sword", "illegal"),
    ],
)
def test_without_a_target_it_is_not_played(card: str, there: str, verdict: str, tmp_path: Path) -> None:
    found = asked(tmp_path, card, there)
    assert (found.status, found.as_read) == (verdict, None)


def test_the_targets_are_told(tmp_path: Path) -> None:
    offers = asked(tmp_path, "Twice", "Wolf, Bear, Sword").offers
    assert [sorted(offer.legal) for offer in offers.values()] == [["Bear", "Wolf"], ["Sword"]]
    assert asked(tmp_path, "Boost", "Wolf, Sword", ", targets: {target: Sword}").status == "illegal"
    assert asked(tmp_path, "Boost", "Wolf, Sword", ", targets: {target: Wolf}").status == "legal"


RESOLVES = """
case: as it resolves
ruleset: flesh-and-blood
cards: {Wolf: {types: [ally], power: 2}, Bear: {types: [ally], power: 2}}
given: {players: {Ann: {arena: [Wolf, Bear]}}}
when:
  player: Ann
  do: [{as: target, choose: {type: ally, how: target}}, {lay: {modify: power, stage: increase, add: 3}, of: $target}]
"""


def test_one_alone_is_changed() -> None:
    (case,) = lawful.read(RESOLVES)
    assert len(lawful.order(case).outcomes) == 2
