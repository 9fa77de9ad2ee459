"""Costs with words of their own: found by the models as they are played."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lawful.model.casefile import read_cases
from lawful.model.declaration import Question
from lawful.model.limits import Limits
from lawful.playing import play
from lawful.solver.ways import ways

FOLDER = Path(__file__).parents[2] / "cases" / "games"
PAYING = ("Call", "Glider", "Dig", "Look", "Home", "Push", "Slip", "Suffer", "Effort", "Chi", "Valkyr")
LYING = ("Hero", "Friend", "Scholar", "Blank", "Scheme", "Crisis", "Lock", "Shell", "Foe")
HELD = ("Trick", "Blow", "Walk", "Friend", "Scholar")


def asked(rng: random.Random) -> Question:
    """Return a question about an ability of one of the cards, with what it looks for there or not."""
    what = rng.choice(PAYING)
    play_ = [{"card": name} for name in rng.sample(LYING, rng.randint(1, 5))]
    for one in play_:
        if one["card"] in ("Hero", "Scheme") and rng.random() < 0.7:
            one["counters"] = {"damage": rng.randint(1, 9), "threat": rng.randint(1, 2)}  # type: ignore[assignment]
    play_.append({"card": what, "counters": {"chi": rng.randint(0, 3)}})  # type: ignore[dict-item]
    hand, deck, gone = (rng.sample(HELD, rng.randint(0, 4)) for _ in range(3))
    text = f"""
case: one
ruleset: marvel-champions
use: marvel-champions-words.cards.yaml
given: {{players: {{Ann: {{facts: {{form: {rng.choice(("hero", "alter-ego"))}}}, hand: {hand}, deck: {deck},
  discard: {[*gone, "Foe"][: rng.randint(0, 4)]}, play: {play_}}}}}}}
when: {{player: Ann, activate: {what}}}
then: {{verdict: legal}}
"""
    return read_cases(text, folder=FOLDER)[0].question


@pytest.mark.parametrize("seed", range(4))
def test_found_as_played(seed: int) -> None:
    rng, found, none = random.Random(seed), 0, 0
    for _ in range(12):
        question = asked(rng)
        by_model = ways(question, "sources", limits=Limits(), engine="enumeration")
        by_play = ways(question, "sources", limits=Limits(), engine="played", play=play)
        assert by_model.counts == by_play.counts
        found, none = found + bool(by_model.counts["sources"]), none + (not by_model.counts["sources"])
    assert found
    assert none
