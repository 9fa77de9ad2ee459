"""Text of a card that was not read: where it bears on a question, the answer is undetermined; else it is as ever.

Cases come in pairs: a text that is just read, or just does not bear, and one that just is not, or just does.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import lawful
from lawful.cards.library import read_library
from lawful.cards.sheet_parts import Unheard
from lawful.cli import main
from lawful.expectations import run
from lawful.model.card import QUESTIONS, Card, Unread
from lawful.model.casefile import read_cases, write_case
from lawful.model.errors import BadInput
from lawful.model.rulesets import load_ruleset
from lawful.unread import unread

FAB, MC = "flesh-and-blood", "marvel-champions"
ODD = "On odd days, this costs {r} less to play."
QUUX = "Frobnicate the quux."
SHEET = """name,types,cost,pitch,text
Riddle,"Generic, Action",1,3,"{text}"
Plain,"Generic, Action",1,3,
Wolf,"Generic, Ally",1,3,
"""
HEROES = 'name,types,cost,e,text\nRiddle,event,1,1,"{text}"\nPlain,event,1,1,\n'


def sheet(tmp_path: Path, text: str, game: str = FAB) -> Path:
    path = tmp_path / "mine.csv"
    path.write_text((SHEET if game == FAB else HEROES).replace("{text}", text), encoding="utf8")
    return path


def typed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def asked(tmp_path: Path, text: str, game: str = FAB, **given: str) -> lawful.Question:
    ruleset = load_ruleset(game)
    return lawful.question(game, cards=read_library(sheet(tmp_path, text, game), ruleset), **given)


OWN = {"play": "Riddle", "hand": "Riddle, blue"}
PLAY = {"play": "Plain", "hand": "Plain, blue", "in_play": "Riddle"}
THEIRS = {"play": "Plain", "hand": "Plain, blue", "opposing": "Riddle"}
HELD = {"play": "Plain", "hand": "Plain, blue, Riddle"}
HOLDS = {"play": "Plain", "hand": "Plain, Riddle"}
BOARD = {"cost": "1r", "hand": "blue", "in_play": "Riddle"}


@pytest.mark.parametrize(
    ("text", "given", "verdict"),
    [
        ("This costs {r} less to play.", OWN, "legal"),
        (ODD, OWN, "undetermined"),
        (QUUX, OWN, "undetermined"),
        ("Frobnicate the quux", OWN, "undetermined"),  # without a point it is found as a keyword might be
        ("Draw a card.", OWN, "legal"),
        ("Gloriously draw a card, then frobnicate it.", OWN, "legal"),  # an effect, by its verb
        ("Gloriously draw a card. Frobnicate it.", OWN, "undetermined"),
        ("When this hits, gloriously frobnicate.", OWN, "legal"),
        ("Whenever you pitch a card, gloriously gain {r}.", OWN, "undetermined"),
        ("As an additional cost to play this, frobnicate.", OWN, "undetermined"),
        ("As an additional cost to play this, frobnicate.", PLAY, "legal"),  # of its own card alone
        ("As an additional cost to play an action card, frobnicate.", PLAY, "undetermined"),
        (ODD, HELD, "legal"),
        (QUUX, HELD, "undetermined"),
        (QUUX, PLAY, "undetermined"),
        (QUUX, BOARD, "undetermined"),
        (QUUX, THEIRS, "undetermined"),
        ("On odd days, cards cost {r} less to play.", BOARD, "undetermined"),
        ("On odd days, cards cost {r} less to play.", HELD, "legal"),  # it works in play
        ("Gloriously draw a card, then frobnicate it.", BOARD, "legal"),
        ("You can't play cards that quux.", BOARD, "undetermined"),
        ("This can't be quuxed.", BOARD, "legal"),  # nothing that is paid with, or done as a cost
        ("Quux Specialization", OWN, "legal"),
        ("You may only have quux cards in your deck.", OWN, "legal"),
        ("Go again", OWN, "legal"),
        ("Quux again", OWN, "undetermined"),
        (
            "On odd days, your hero becomes Royal.",
            BOARD,
            "undetermined",
        ),  # what it is a condition or a selector may ask
        ("On odd days, your hero becomes Royal.", OWN, "legal"),  # the card is not in play yet
        ("If your hero is Royal, gloriously draw a card.", BOARD, "legal"),
        ("Rune Gate", OWN, "undetermined"),
        ("Rune Gate", HELD, "legal"),
    ],
)
def test_what_was_not_read_and_bears_on_paying_leaves_it_open(
    text: str, given: dict[str, str], verdict: str, tmp_path: Path
) -> None:
    question = asked(tmp_path, text, **given)
    answer = lawful.pay(question)
    assert answer.status == verdict
    assert bool(answer.unread) == (verdict == "undetermined")
    assert answer.as_read == ("legal" if answer.unread else None)
    assert answer.count == lawful.pay(question, ignore_unread=True).count > 0
    assert answer.complete == (verdict == "legal")


@pytest.mark.parametrize(
    ("text", "given", "verdict"),
    [
        ("Reduce the cost to play Riddle by 1.", OWN, "legal"),
        ("Reduce the cost to play Riddle by 1 on odd days.", OWN, "undetermined"),
        ("Hero Action: Reduce the cost of the next card you play by 1.", PLAY, "legal"),
        ("Interrupt: When you play a card, gloriously reduce its cost by 1.", PLAY, "undetermined"),
        ("Double the number of resources this card generates on odd days.", HOLDS, "undetermined"),
        ("Draw 1 card.", HOLDS, "legal"),
        ("Hero Response: After you frobnicate, draw 1 card.", HOLDS, "legal"),
        ("(Max 2 quux cards per player.)", HOLDS, "legal"),
        ("Toughness.", HOLDS, "legal"),
        ("Each minion gains guard.", PLAY, "undetermined"),
        ("Each minion gains surge.", PLAY, "legal"),
        ("Your hero gains steady.", PLAY, "undetermined"),
        ("Your hero gains steady.", OWN, "legal"),
        ("Your hero ignores the guard keyword.", PLAY, "undetermined"),
        ("Treat each support's text box as if it were blank.", PLAY, "undetermined"),
        ("Forced Response: After you frobnicate, each minion gains guard.", PLAY, "legal"),
        ("Quux.", HOLDS, "undetermined"),
    ],
)
def test_so_it_is_in_another_game(text: str, given: dict[str, str], verdict: str, tmp_path: Path) -> None:
    given = {**given, "hand": given["hand"].replace("blue", "e")}
    answer = lawful.pay(asked(tmp_path, text, MC, **given))
    assert (answer.status, bool(answer.unread)) == (verdict, verdict == "undetermined")


def test_what_cannot_be_paid_by_what_was_read_is_open_too(tmp_path: Path) -> None:
    answer = lawful.pay(asked(tmp_path, ODD, play="Riddle", hand="Riddle"))
    assert (answer.status, answer.as_read, answer.count) == ("undetermined", "illegal", 0)
    assert answer.reasons
    plain = lawful.pay(asked(tmp_path, "", play="Riddle", hand="Riddle"))
    assert (plain.status, plain.as_read) == ("illegal", None)


@pytest.mark.parametrize(
    ("text", "given", "verdict"),
    [
        ("Destroy target ally.", {**OWN, "opposing": "Wolf"}, "legal"),
        ("Destroy target ally.", OWN, "illegal"),
        ("Gloriously destroy target ally.", OWN, "undetermined"),  # whom it may choose was not read
        ("Gloriously draw a card.", OWN, "legal"),
        ("This can't be quuxed.", BOARD, "undetermined"),
        (QUUX, BOARD, "undetermined"),
        ("", BOARD, "legal"),
    ],
)
def test_what_may_be_declared_is_left_open(text: str, given: dict[str, str], verdict: str, tmp_path: Path) -> None:
    found = lawful.check(asked(tmp_path, text, **given))
    assert found.status == verdict
    assert lawful.check(asked(tmp_path, text, **given), ignore_unread=True).status in ("legal", "illegal")


def test_one_payment_is_judged_so_too(tmp_path: Path) -> None:
    read, not_read = asked(tmp_path, "", **OWN), asked(tmp_path, QUUX, **OWN)
    assert lawful.judge(read, "blue").status == "legal"
    judged = lawful.judge(not_read, "blue")
    assert (judged.status, judged.as_read, judged.replay.complete) == ("undetermined", "legal", True)
    assert str(judged).startswith("undetermined: text that was not read may bear on it")
    assert lawful.judge(not_read, "blue", ignore_unread=True).status == "legal"
    assert judged.to_dict()["as_read"] == "legal"


HAPPENS = """
case: something happens
ruleset: flesh-and-blood
use: mine.csv
given: {players: {Ann: {arena: [Riddle], hand: [Plain], deck: [blue]}}}
when: {player: Ann, do: [{draw: 1}]}
"""


@pytest.mark.parametrize(
    ("text", "verdict"),
    [("", "legal"), ("Gloriously draw a card.", "undetermined"), (ODD, "legal"), (QUUX, "undetermined")],
)
def test_what_comes_out_is_left_open(
    text: str, verdict: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet(tmp_path, text)
    (tmp_path / "happens.case.yaml").write_text(HAPPENS)
    (case,) = lawful.load(tmp_path / "happens.case.yaml")
    found = lawful.order(case)
    assert (found.status, found.as_read) == (verdict, "legal" if verdict == "undetermined" else None)
    assert lawful.order(case, ignore_unread=True).status == "legal"
    code, out, _ = typed(capsys, "order", str(tmp_path / "happens.case.yaml"), "--json")
    document = json.loads(out)
    assert (code, document["verdict"], document["confluent"]) == (
        (4, "undetermined", False) if verdict == "undetermined" else (0, "legal", True)
    )
    assert typed(capsys, "order", str(tmp_path / "happens.case.yaml"), "--ignore-unread")[0] == 0


MOVED = """
case: a card with text that was not read
ruleset: flesh-and-blood
cards: {Riddle: {types: [ally], unread: [TEXT]}}
given: {players: {Ann: {FROM: [Riddle]}}}
when: {player: Ann, do: [{move: {type: ally, how: each, zone: FROM}, to: TO}]}
"""


@pytest.mark.parametrize(
    ("text", "zones", "verdict"),
    [
        (QUUX, ("hand", "arena"), "undetermined"),  # it may be about coming into play, and works there
        (QUUX, ("arena", "hand"), "undetermined"),
        (QUUX, ("hand", "deck"), "legal"),
        ("When this is put into your Graveyard, quux.", ("hand", "graveyard"), "undetermined"),
        ("When this is put into your Graveyard, quux.", ("hand", "banished"), "legal"),
    ],
)
def test_text_bears_where_its_card_comes_to_lie(
    text: str, zones: tuple[str, str], verdict: str, tmp_path: Path
) -> None:
    path = tmp_path / "moved.case.yaml"
    path.write_text(MOVED.replace("TEXT", f'"{text}"').replace("FROM", zones[0]).replace("TO", zones[1]))
    (case,) = lawful.load(path)
    assert lawful.order(case).status == verdict


THROUGH = """
case: what comes into play and goes again
ruleset: flesh-and-blood
cards: {Riddle: {types: [ally], unread: [TEXT]}}
given: {players: {Ann: {hand: [Riddle]}}}
when:
  player: Ann
  do: [{move: {type: ally, how: each, zone: hand}, to: BY}, {move: {type: ally, how: each, zone: BY}, to: hand}]
"""


@pytest.mark.parametrize(
    ("text", "by", "verdict"),
    [
        (QUUX, "arena", "undetermined"),  # while it was there, its text worked
        (QUUX, "banished", "legal"),
        ("While this is banished, quux.", "hand", "legal"),
        ("When this is put into your banished zone, quux.", "banished", "undetermined"),
    ],
)
def test_text_bears_where_its_card_lies_on_the_way(text: str, by: str, verdict: str, tmp_path: Path) -> None:
    path = tmp_path / "through.case.yaml"
    path.write_text(THROUGH.replace("TEXT", f'"{text}"').replace("BY", by))
    (case,) = lawful.load(path)
    assert lawful.order(case).status == verdict
    assert lawful.order(case, ignore_unread=True).status == "legal"


def test_a_zone_is_named_as_texts_write_it(tmp_path: Path) -> None:
    path = tmp_path / "deck.case.yaml"
    path.write_text(
        MOVED.replace(FAB, MC).replace("TEXT", '"While this is in the Encounter Deck, quux."')
        .replace("FROM", "encounter_deck").replace("TO", "discard")
    )  # fmt: skip
    (case,) = lawful.load(path)
    assert lawful.order(case).status == "undetermined"


def test_the_command_line_says_what_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(sheet(tmp_path, QUUX))
    given = ["--game", "fab", "--cards", path, "--play", "Riddle", "--hand", "blue"]
    code, out, err = typed(capsys, "pay", *given)
    assert (code, err) == (4, "")
    assert out.startswith("undetermined: text that was not read may bear on it; as far as it was read: 1 way to pay")
    assert "not read: text of Riddle: Frobnicate the quux. (mine.csv:2)" in out
    code, out, err = typed(capsys, "pay", *given, "--json")
    document = json.loads(out)
    assert (code, document["verdict"], document["as_read"], document["complete"]) == (4, "undetermined", "legal", False)
    assert document["unread"] == [
        {"card": "Riddle", "clause": QUUX, "kind": "", "place": "mine.csv:2", "things": ["Riddle"]}
    ]
    assert document["count"] == len(document["ways"]) == 1
    assert document["assumed"] == []
    code, out, err = typed(capsys, "pay", *given, "--jsonl")
    head, *_, end = map(json.loads, out.splitlines())
    assert (code, head["verdict"], head["as_read"], end["complete"]) == (4, "undetermined", "legal", False)
    code, out, _ = typed(capsys, "pay", *given, "--with", "blue")
    assert (code, "as far as it was read: legal" in out) == (4, True)
    code, out, _ = typed(capsys, "check", *given, "--json")
    assert (code, json.loads(out)["as_read"]) == (4, "legal")
    code, out, _ = typed(capsys, "check", *given, "--why-not", "blue")
    assert (code, QUUX in out) == (4, True)


def test_it_can_be_assumed_not_to_matter(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(sheet(tmp_path, QUUX))
    given = ["--game", "fab", "--cards", path, "--play", "Riddle", "--hand", "blue", "--ignore-unread"]
    code, out, err = typed(capsys, "pay", *given)
    assert (code, err) == (0, "")
    assert out.startswith("1 way to pay")
    assert "assumed: text that was not read does not matter" in out
    assert QUUX in out
    for command in ("pay", "check"):
        code, out, _ = typed(capsys, command, *given, "--json")
        document = json.loads(out)
        assert (code, document["verdict"], document["complete"]) == (0, "legal", True)
        assert [point["point"] for point in document["assumed"]] == ["unread"]
        assert document["unread"][0]["clause"] == QUUX
        assert "as_read" not in document
    code, out, _ = typed(capsys, "pay", *given, "--jsonl")
    head = json.loads(out.splitlines()[0])
    assert (code, head["verdict"], head["unread"][0]["card"]) == (0, "legal", "Riddle")


def test_an_export_says_it_beside_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(sheet(tmp_path, QUUX))
    given = ["--game", "fab", "--cards", path, "--play", "Riddle", "--hand", "blue"]
    code, _, err = typed(capsys, "pay", *given, "--export", str(tmp_path / "ways.npz"))
    assert (code, QUUX in err) == (4, True)
    assert typed(capsys, "pay", *given, "--export", str(tmp_path / "ways.npz"), "--ignore-unread")[0] == 0


@pytest.mark.parametrize(
    ("language", "said"),
    [("es", "indeterminado: un texto que no se ha leído"), ("ru", "не определено: непрочитанный текст")],
)
def test_it_is_said_in_every_language(language: str, said: str, tmp_path: Path) -> None:
    answer = lawful.pay(asked(tmp_path, ODD, **OWN))
    assert answer.said(language).startswith(said)
    assert repr(answer).startswith("<Payments: undetermined: text that was not read")
    with lawful.speaking(language):
        assert "cost modifier" not in str(answer)


CASE = """
case: a riddle
ruleset: flesh-and-blood
use: mine.csv
{more}
given: {players: {Ann: {hand: [Riddle, blue]}}}
when: {player: Ann, play: Riddle}
then: {verdict: {verdict}}
"""


def test_a_case_expects_it_or_assumes_that_it_does_not_matter(tmp_path: Path) -> None:
    sheet(tmp_path, QUUX)
    for more, verdict in (("", "undetermined"), ("ignore_unread: true", "legal")):
        text = CASE.replace("{more}", more).replace("{verdict}", verdict)
        (tmp_path / "a.case.yaml").write_text(text)
        (case,) = lawful.load(tmp_path / "a.case.yaml")
        assert all(check.holds for check in run(case))
        (again,) = read_cases(write_case(case.question, name="again"))  # with its cards as data
        assert lawful.pay(again).status == verdict
        assert [one.clause for one in lawful.pay(again).unread] == [QUUX]
    (tmp_path / "a.case.yaml").write_text(CASE.replace("{more}", "").replace("{verdict}", "legal"))
    (case,) = lawful.load(tmp_path / "a.case.yaml")
    assert not all(check.holds for check in run(case))


def test_a_card_as_data_says_what_was_not_read_and_on_what_it_bears() -> None:
    card = "{types: [Action], cost: 1r, unread: [{text: Quux., own: [pay], play: [], hand: [], used: no}, Frob.]}"
    text = (
        CASE.replace("use: mine.csv", f"cards: {{Riddle: {card}}}").replace("{more}", "").replace("{verdict}", "legal")
    )
    (case,) = read_cases(text)
    (riddle,) = [c for c in case.question.position.cards.values() if c.unread]
    assert riddle.unread == (Unread("Quux.", own=("pay",), play=(), hand=()), Unread("Frob."))
    assert [one.clause for one in unread(case.question, "pay")] == ["Quux.", "Frob."]
    assert [one.clause for one in unread(case.question, "check")] == ["Frob."]
    assert Card("Plain").unread == ()
    with pytest.raises(BadInput, match="order"):
        read_cases(text.replace("own: [pay]", "own: [ordr]"))


def test_an_ability_that_is_named_is_one_that_was_read(tmp_path: Path) -> None:
    text = "Action - {r}: Draw a card.\nInstant - Frobnicate: Draw a card."
    path = tmp_path / "mine.csv"
    path.write_text(f'name,types,text\nLever,"Generic, Item","{text}"\n')
    library = read_library(path, load_ruleset(FAB))
    (clause,) = [one for one in library.find("Lever").unread if "Frobnicate" in one.text]
    assert (clause.used, clause.kind, clause.play) == (True, "activated cost", ())
    given = {"in_play": "Lever", "hand": "blue", "activate": "Lever"}
    assert lawful.pay(lawful.question(FAB, cards=library, **given)).status == "undetermined"
    name = next(a.name for a in library.find("Lever").abilities)
    assert lawful.pay(lawful.question(FAB, cards=library, ability=name, **given)).status == "legal"
    other = lawful.question(FAB, cards=library, in_play="Lever", hand="blue", cost="1r")
    assert lawful.pay(other).status == "legal"


def test_text_in_another_zone_works_where_it_names_the_zone(tmp_path: Path) -> None:
    there = {"cost": "1r", "hand": "blue", "zones": ("graveyard: Riddle",)}
    assert lawful.pay(asked(tmp_path, QUUX, **there)).status == "legal"  # type: ignore[arg-type]
    assert lawful.pay(asked(tmp_path, "From your graveyard, quux the frob.", **there)).status == "undetermined"  # type: ignore[arg-type]


def test_without_a_sheet_for_texts_no_text_is_read(tmp_path: Path) -> None:
    ruleset = load_ruleset(FAB)
    assert ruleset.card_file is not None
    mute = replace(ruleset, card_file=replace(ruleset.card_file, text_rules=""))
    library = read_library(sheet(tmp_path, "Draw a card."), mute)
    assert library.find("Riddle").unread == (Unread("Draw a card.", place="mine.csv:2"),)
    assert library.find("Plain").unread == ()


def test_a_sheet_that_says_nothing_of_it_is_careful() -> None:
    patterns = Unheard().patterns()
    assert patterns["doing"] == patterns["once"] == patterns["idle"] == "(?!)"
    assert Unread("Quux.").own == QUESTIONS


FAULTY = 'name,types,cost,pitch,text\nPlain,"Generic, Action",1,3,\nBroken,"Generic, Action",lots,3,\n'


@pytest.mark.parametrize("command", ["pay", "check", "test"])
def test_faulty_rows_of_a_file_that_a_case_names_are_said(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = tmp_path / "a.case.yaml"
    case.write_text(CASE.replace("Riddle", "Plain").replace("{more}", "").replace("{verdict}", "legal"))
    (tmp_path / "mine.csv").write_text(FAULTY + "Torn,,1,3,\n")
    code, out, err = typed(capsys, command, str(case), "--json")
    assert code == 0
    assert "note: left out" in err
    assert "mine.csv:4" in err
    if command != "test":
        assert "mine.csv:4" in json.loads(out)["left_out"][0]
    (tmp_path / "mine.csv").write_text(FAULTY.partition("Broken")[0])
    assert typed(capsys, command, str(case))[2] == ""


@pytest.mark.parametrize("game", ["fab", "mc"])
def test_starters_are_read_whole(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    typed(capsys, "new", str(tmp_path / "set"), "--game", game)
    library = read_library(tmp_path / "set" / "cards.csv", load_ruleset(game))
    cards = [library.card(record) for record in library.records]
    assert len(cards) > 2
    assert [(card.name, clause.text) for card in cards for clause in card.unread if {*clause.own, *clause.play}] == []


SCENE = """
case: whom a text makes one choose that is not read whole
ruleset: marvel-champions
use: mine.csv
cards:
  Hero: {{types: [hero]}}
  Boss: {{types: [villain], abilities: [{{static: {{cannot: {{damage: {{subject: $self}}}}}}}}]}}
given: {{players: {{Ann: {{facts: {{form: hero}}, play: [Hero], hand: [Riddle, e]}}, Foe: {{play: [Boss]}}}}}}
when: {{player: Ann, play: Riddle, targets: {{{targets}}}}}
"""
PAID = " If you paid for this card using a [energy] resource, draw 1 card."


@pytest.mark.parametrize(
    ("text", "targets", "verdict"),
    [
        ("Hero Action (attack): Deal 5 damage to an enemy.", "", "illegal"),
        (
            "Hero Action (attack): Deal 5 damage to an enemy. This attack gains overkill.",
            "choice: Boss",
            "undetermined",
        ),
        ("Hero Action (attack): Deal 5 damage to an enemy." + PAID, "choice: Boss", "undetermined"),
        ("Hero Action: Draw 1 card. This attack gains overkill.", "", "legal"),
    ],
)
def test_what_is_done_to_whom_one_chooses_is_read_or_it_is_open(
    text: str, targets: str, verdict: str, tmp_path: Path
) -> None:
    """The text is asked whom it makes one choose, but nobody knows what it does to them: a norm may forbid that."""
    sheet(tmp_path, text, MC)
    (tmp_path / "scene.case.yaml").write_text(SCENE.format(targets=targets))
    (case,) = lawful.load(tmp_path / "scene.case.yaml")
    assert lawful.check(case).status == verdict


def test_a_card_attaches_itself_by_an_ability(tmp_path: Path) -> None:
    """Parts that are terms each, but not together, were an error of ours."""
    text = "Hero Action: Spend [energy] resource → attach this card to your identity."
    card = read_library(sheet(tmp_path, text, MC), load_ruleset(MC)).find("Riddle")
    (ability,) = card.abilities
    assert [act.verb for act in ability.do] == ["attach"]
    assert not any(clause.own for clause in card.unread)


NUMBERS = """
case: a number that a text asks for
ruleset: flesh-and-blood
use: mine.csv
cards:
  Ask: {{types: [Action], cost: 0, abilities: [{ask}]}}
  Bear: {{types: [ally], power: 2}}
given: {{players: {{Ann: {{{there}, hand: [Ask]}}}}}}
when: {{player: Ann, play: Ask}}
"""
POWER = "resolve: {do: [{destroy: {type: ally, zone: arena, where: {power: {ge: 3}}, how: target}}]}"
LIFE = "resolve: {do: [{destroy: {type: ally, zone: arena, where: {life: {ge: 3}}, how: target}}]}"
ONLY = "static: {cannot: {play: {subject: $self}}, while: {count: {type: ally, where: {power: {ge: 3}}}, ge: 1}}"


@pytest.mark.parametrize(
    ("text", "ask", "zone", "verdict"),
    [
        ("On odd days, allies you control get +1{p}.", POWER, "arena", "undetermined"),
        ("On odd days, allies you control get +1{p}.", POWER, "graveyard", "illegal"),
        ("On odd days, allies you control get +1{p}.", LIFE, "arena", "illegal"),
        ("On odd days, allies you control get +1{h}.", POWER, "arena", "illegal"),
        ("When this attacks, on odd days it gets +1{p}.", POWER, "arena", "illegal"),  # it does so then, and not before
        ("On odd days, allies you control get +1{p}.", ONLY, "arena", "undetermined"),
        ("Gloriously draw a card, then frobnicate it.", ONLY, "arena", "legal"),
    ],
)
def test_what_may_change_a_number_bears_on_who_asks_for_it(
    text: str, ask: str, zone: str, verdict: str, tmp_path: Path
) -> None:
    sheet(tmp_path, text)
    there = "arena: [Riddle, Bear]" if zone == "arena" else f"{zone}: [Riddle], arena: [Bear]"
    (tmp_path / "numbers.case.yaml").write_text(NUMBERS.format(ask="{" + ask + "}", there=there))
    (case,) = lawful.load(tmp_path / "numbers.case.yaml")
    assert lawful.check(case).status == verdict
    if ask == ONLY:
        assert lawful.pay(case).status == verdict


def test_an_unopened_ability_is_no_permission(tmp_path: Path) -> None:
    """An event of which it was not read when it is used was legal at any time."""
    read = asked(tmp_path, "Hero Action: Draw 1 card.", MC, play="Riddle", hand="Riddle, e", facts=("form=hero",))  # type: ignore[arg-type]
    assert lawful.check(read).status == lawful.pay(read).status == "legal"
    text = "Hero Interrupt: When the moon gloriously quuxes, draw 1 card."
    late = asked(tmp_path, text, MC, play="Riddle", hand="Riddle, e", facts=("form=hero",))  # type: ignore[arg-type]
    assert lawful.check(late).status == lawful.pay(late).status == "undetermined"
    stays = HEROES.replace("Riddle,event", "Riddle,ally").replace("{text}", text)
    (tmp_path / "mine.csv").write_text(stays, encoding="utf8")
    library = read_library(tmp_path / "mine.csv", load_ruleset(MC))
    ally = lawful.question(MC, cards=library, play="Riddle", hand="Riddle, e")
    assert lawful.check(ally).status == "legal"  # it is used later


def test_whom_a_half_read_text_makes_one_choose_bears_on_paying(tmp_path: Path) -> None:
    sheet(tmp_path, "Hero Action (attack): Deal 5 damage to an enemy. This attack gains overkill.", MC)
    (tmp_path / "scene.case.yaml").write_text(SCENE.format(targets="choice: Boss"))
    (case,) = lawful.load(tmp_path / "scene.case.yaml")
    found = lawful.pay(case)
    assert (found.status, found.as_read) == ("undetermined", "legal")
    scene = SCENE.format(targets="choice: Boss").replace("Riddle, e]", "Riddle]")
    poor = lawful.read(scene.replace("mine.csv", str(tmp_path / "mine.csv")))
    assert lawful.pay(poor[0]).status == "illegal"  # whomever it makes one choose
    other = "Hero Action: Draw 1 card.\nAlter-Ego Interrupt: When the moon gloriously quuxes, draw 2 cards."
    given = {"play": "Riddle", "hand": "Riddle, e", "facts": ("form=hero",)}
    assert lawful.pay(asked(tmp_path, other, MC, **given)).status == "undetermined"  # type: ignore[arg-type]
    assert lawful.pay(asked(tmp_path, other, MC, **given, ability="Action")).status == "legal"  # type: ignore[arg-type]


BANS = [
    ("fab", "Attack action cards cost an extra {r} to play."),
    ("fab", "The first card you play each turn costs nothing."),
    ("fab", "While you control an ally, no hero may play instants."),
    ("mc", "While this is in play, no player may play allies."),
    ("mc", "Spend 2 fewer resources when playing upgrades."),
    ("mc", "While you are in hero form, allies may not thwart."),
    ("mc", "Allies cost one resource extra while a minion is in play."),
]


@pytest.mark.parametrize(("game", "text"), BANS)
def test_a_ban_or_a_price_in_words_that_no_grammar_knows_bears_on_paying(tmp_path: Path, game: str, text: str) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(f'name,types,cost,text\nOdd,{"ally" if game == "mc" else "Action"},1,"{text}"\n', encoding="utf8")
    card = read_library(path, load_ruleset(game)).find("Odd")
    assert {word for one in card.unread for word in one.play} >= {"pay", "check"}


@pytest.mark.parametrize(
    ("text", "kind", "given", "verdict"),
    [
        (
            "Alter-Ego Action: Deal 1 damage to a minion. Gloriously heal 1 damage from it.",
            "support",
            "activate",
            "undetermined",
        ),
        ("Alter-Ego Action: Deal 1 damage to a minion. Gloriously heal 1 damage from it.", "support", "play", "legal"),
        ("Special (attack): Gloriously deal 4 damage to an enemy.", "support", "play", "legal"),
        ("When Revealed: Gloriously deal 4 damage to an enemy.", "support", "play", "legal"),
        ("Gloriously deal 4 damage to an enemy.", "event", "play", "undetermined"),
    ],
)
def test_what_is_used_later_asks_for_nobody_now(text: str, kind: str, given: str, verdict: str, tmp_path: Path) -> None:
    sheet(tmp_path, text, MC)
    rows = (tmp_path / "mine.csv").read_text().replace("Riddle,event", f"Riddle,{kind}") + "Thug,minion,,,\n"
    (tmp_path / "mine.csv").write_text(rows)
    lies = {"play": "hand: [Riddle, e]", "activate": "hand: [e], play: [Riddle]"}[given]
    case = f"""
case: used later
ruleset: {MC}
use: mine.csv
given: {{players: {{Ann: {{facts: {{form: alter-ego}}, {lies}}}, Foe: {{play: [Thug]}}}}}}
when: {{player: Ann, {given}: Riddle}}
"""
    (tmp_path / "later.case.yaml").write_text(case)
    assert lawful.check(lawful.load(tmp_path / "later.case.yaml")[0]).status == verdict


GIVES = 'name,types,cost,pitch,text\nRiddle,"Generic, Ally",1,3,"On odd days, your allies have ""{given}"""\n'


@pytest.mark.parametrize(
    ("given", "verdict"), [("This can't be quuxed.", "undetermined"), ("When this hits, draw a card.", "legal")]
)
def test_an_ability_that_is_given_and_was_not_read_bears_on_who_gets_it(
    given: str, verdict: str, tmp_path: Path
) -> None:
    (tmp_path / "mine.csv").write_text(GIVES.replace("{given}", given), encoding="utf8")
    library = read_library(tmp_path / "mine.csv", load_ruleset(FAB))
    question = lawful.question(FAB, cards=library, cost="1r", hand="blue", in_play="Riddle")
    assert lawful.check(question).status == verdict
