"""What looks legal but for one rule: the referee without that rule, held against the solver without it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from boards import board
from faults import written

from lawful.model import referee
from lawful.model.declaration import Declaration, Question
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.rulesets import load_ruleset
from lawful.playing import Referee
from lawful.solver.check import Checker, readings_of
from lawful.solver.stress.meeting import YOU, Meeting
from lawful.solver.stress.scenery import Builder
from lawful.solver.stress.unpayable import HIDDEN_RULES
from lawful.stressing.confirm import _choices, _legal

PLAYER = Referee(Limits())
FAB = load_ruleset("fab")


def solved(question: Question, dropped: frozenset[str]) -> bool:
    return any(
        Checker(question, released=dropped, oblige=oblige, player=PLAYER).possible({})
        for oblige in readings_of(question, player=PLAYER) or (None,)
    )


# 1120 and 1560 have many objects that a dropped rule lets be chosen, an X of 0, and a cost that a restriction keeps.
@pytest.mark.parametrize("start", range(0, 2000, 40) if os.environ.get("LAWFUL_LONG") else (0, 40, 80, 120, 1120, 1560))
def test_the_referee_without_a_rule_and_the_solver_without_it_say_the_same(start: int) -> None:
    for seed in range(start, start + 40):
        rng = Random(seed)
        question = board(rng, rng.randint(1, 4))
        if any(map(_legal, _choices(question))):
            continue
        for role in HIDDEN_RULES:
            dropped = frozenset({role})
            ours = any(_legal(choice, dropped) for choice in _choices(question, dropped))
            assert ours == solved(question, dropped), (seed, role)


def bolt(folder: Path, *, warded: bool, where: str) -> Question:
    """Return the question whether a bolt may be played at the only wolf."""
    bolt_text = [{"resolve": {"do": [{"destroy": {"type": "Ally", "how": "target"}}]}}]
    ward = [{"static": {"cannot": {"target": {"type": "Ally"}}}}]
    cards = written(
        {"Bolt": {"types": ["Action"], "cost": "0r", "abilities": bolt_text}, "Wolf": {"types": ["Ally"]},
         "Ward": {"types": ["Aura"], "abilities": ward}},
        "fab", folder,
    )  # fmt: skip
    builder = Builder(Meeting(FAB, tuple(cards.values())))
    builder.add(cards["Bolt"], FAB.hand)
    builder.add(cards["Wolf"], where)
    if warded:
        builder.add(cards["Ward"], builder.meeting.play)
    slot = next(iter(_slots(Question(FAB, builder.position(), Declaration(YOU, "play", "Bolt")))))
    declared = Declaration(YOU, "play", "Bolt", targets=FrozenMap({slot: ("Wolf",)}))
    return Question(FAB, builder.position(), declared)


def _slots(question: Question) -> list[str]:
    from lawful.model.slots import picks, text_of

    return [pick.name for pick in picks(text_of(question))]


@pytest.mark.parametrize(
    ("warded", "where", "dropped", "legal"),
    [
        (False, "permanent", "", True),
        (True, "permanent", "", False),
        (True, "permanent", "cannot", True),  # just the ward is in the way
        (True, "permanent", "zone", False),
        (False, "graveyard", "", False),
        (False, "graveyard", "cannot", False),
        (True, "graveyard", "cannot", False),  # two rules are in the way, and one is dropped
    ],
)
def test_a_rule_is_dropped_and_no_other(warded: bool, where: str, dropped: str, legal: bool, tmp_path: Path) -> None:
    where = Meeting(FAB, ()).play if where == "permanent" else where
    asked = bolt(tmp_path, warded=warded, where=where)
    assert referee.legal(asked, frozenset({dropped} - {""})) is legal


def test_what_is_spent_though_it_is_a_target(tmp_path: Path) -> None:
    asked = bolt(tmp_path, warded=False, where=Meeting(FAB, ()).play)
    assert referee.affordable(asked) == referee.affordable(asked, frozenset({"spent"}))
    assert referee.breaks(replace(asked, declaration=replace(asked.declaration, targets=FrozenMap()))) != ()
