"""Texts without a cost before an arrow: what they make one choose is asked for as the card is played."""

from __future__ import annotations

from pathlib import Path

import lawful

SHEET = """name,types,cost,text
Big Blow,event,0,Hero Action (attack): Deal 5 damage to an enemy.
Odd Blow,event,0,Hero Action (attack): Deal 5 damage to a minion. Frobnicate the sprockets.
Late Blow,event,0,"Hero Interrupt: When the villain attacks you, deal 2 damage to a minion."
Free Blow,event,0,"Action: If you are in hero form, deal 2 damage to a minion."
Wide Blow,event,0,"Hero Action (attack): Deal 5 damage to a minion. Choose an ally in your discard pile. Grin."
Either Blow,event,0,"Hero Action: Choose one:
\u2022 Deal 2 damage to a minion.
\u2022 Draw 1 card."
Loose List,event,0,"Hero Action: Choose one of the following:
Deal 2 damage to a minion
Draw 1 card."
Maybe Blow,event,0,"Hero Action: Frobnicate. If you do, deal 2 damage to a minion."
Trainer,support,0,"Alter-Ego Action: Exhaust Trainer \u2192 deal 1 damage to a minion."
Coach,support,0,"Alter-Ego Action: Deal 1 damage to a minion."
Boss,villain,,
Thug,minion,,
"""


def asked(tmp_path: Path, kind: str, name: str, opposing: str = "", facts: str = "form: hero", target: str = "") -> str:
    (tmp_path / "cards.csv").write_text(SHEET, encoding="utf8")
    where = "hand" if kind == "play" else "play"
    ann = f"Ann: {{facts: {{{facts}}}, {where}: [{name}]}}"
    there = f", Eve: {{play: [{opposing}]}}" if opposing else ""
    chosen = f", targets: {{choice: {target}}}" if target else ""
    case = f"""
case: what a text makes one choose
ruleset: marvel-champions
use: cards.csv
given: {{players: {{{ann}{there}}}}}
when: {{player: Ann, {kind}: {name}{chosen}}}
"""
    path = tmp_path / "one.case.yaml"
    path.write_text(case, encoding="utf8")
    found = lawful.check(lawful.load(path)[0])
    return str(found.status) if found.as_read is None else f"{found.status}, as read {found.as_read}"


def test_a_text_without_an_arrow_asks_for_its_target(tmp_path: Path) -> None:
    assert asked(tmp_path, "play", "Big Blow", "Boss") == "legal"
    assert asked(tmp_path, "play", "Big Blow", "Trainer") == "illegal"
    assert asked(tmp_path, "play", "Big Blow", "Boss, Trainer", target="Trainer") == "illegal"
    assert asked(tmp_path, "play", "Big Blow", "Boss", facts="form: alter-ego") == "illegal"


def test_what_is_not_read_whole_asks_for_its_target_all_the_same(tmp_path: Path) -> None:
    assert asked(tmp_path, "play", "Odd Blow", "Thug") == "undetermined, as read legal"
    assert asked(tmp_path, "play", "Odd Blow", "Boss") == "undetermined, as read illegal"


def test_one_part_that_finds_somebody_is_enough(tmp_path: Path) -> None:
    assert asked(tmp_path, "play", "Wide Blow", "Thug") == "undetermined, as read legal"
    assert asked(tmp_path, "play", "Wide Blow", "Boss") == "undetermined, as read illegal"


def test_what_may_not_be_done_asks_for_nothing(tmp_path: Path) -> None:
    assert asked(tmp_path, "play", "Either Blow", "Boss") == "legal"
    assert asked(tmp_path, "play", "Loose List", "Boss") == "legal"
    assert asked(tmp_path, "play", "Maybe Blow", "Boss") == "undetermined, as read legal"


def test_an_interrupt_waits_for_what_happens(tmp_path: Path) -> None:
    facts = "form: hero, happening: villain attacks you"
    assert asked(tmp_path, "play", "Late Blow", "Thug", facts) == "legal"
    assert asked(tmp_path, "play", "Late Blow", "Thug") == "illegal"
    assert asked(tmp_path, "play", "Late Blow", "Boss", facts) == "illegal"


def test_a_text_that_hangs_on_a_condition(tmp_path: Path) -> None:
    assert asked(tmp_path, "play", "Free Blow", "Thug") == "legal"
    assert asked(tmp_path, "play", "Free Blow", "Thug", "form: alter-ego") == "illegal"


def test_abilities_in_play_choose_too(tmp_path: Path) -> None:
    facts = "form: alter-ego"
    assert asked(tmp_path, "activate", "Trainer", "Thug", facts) == "legal"
    assert asked(tmp_path, "activate", "Trainer", "Boss", facts) == "illegal"
    assert asked(tmp_path, "activate", "Coach", "Thug", facts) == "legal"
    assert asked(tmp_path, "activate", "Coach", "Boss", facts) == "illegal"
