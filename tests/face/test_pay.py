"""``lawful pay``: what is printed, the JSON document, exit codes, wrong input."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from runs import Run

from lawful.cli import group, main
from lawful.cli import pay as pay_command

CARDS = Path(__file__).parent.parent / "data" / "cards.csv"
FIRST = ["--game", "fab", "--cost", "3c1r", "--hand", "Inner Chi, blue, red"]

KEYS = {
    "schema_version", "ruleset", "rules_version", "verdict", "complete", "level", "count", "counts", "minimal",
    "proved", "reached",
    "used", "ways", "listed", "reasons", "engine", "limit", "nearest", "assumed", "readings", "elapsed_ms",
}  # fmt: skip
WAY = {"sources", "steps", "x", "options", "pool", "overpaid", "copies", "key"}


def test_a_table(pay: Run) -> None:
    code, out, _ = pay(*FIRST)
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "2 ways to pay 3c1r (source sets), complete"
    assert lines[2:5] == [
        "   for 3c     for 1r  left",
        "1  Inner Chi  blue    2r",
        "2  Inner Chi  red     -",
    ]
    assert "source sets: 2" in out


def test_the_document(pay: Run) -> None:
    document = pay.json("--cost", "3c1r", "--hand", "Inner Chi, blue", "--float", "0c0r")
    assert set(document) == KEYS
    assert (document["verdict"], document["complete"], document["level"], document["count"]) == (
        "legal",
        True,
        "sources",
        1,
    )
    assert document["counts"] == {"outcomes": 1, "sources": 1, "allocations": 1, "sequences": 1}
    assert document["schema_version"] == 1
    assert document["proved"] is False
    [way] = document["ways"]
    assert set(way) == WAY
    assert way["sources"] == ["Inner Chi", "blue"]
    assert way["steps"] == [{"pay": "3c", "with": ["Inner Chi"]}, {"pay": "1r", "with": ["blue"]}]
    assert (way["x"], way["pool"], way["overpaid"], way["copies"]) == ({}, {"c": 0, "r": 2}, {}, 1)


def test_no_way_has_a_reason_with_rule_numbers(pay: Run) -> None:
    document = pay.json("--cost", "3c1r", "--hand", "blue, blue")
    assert (document["verdict"], document["count"], document["complete"]) == ("illegal", 0, True)
    [reason] = document["reasons"]
    assert all(set(member) >= {"rule", "document", "version", "says", "about"} for member in reason)
    assert "1.14.2c" in [member["rule"] for member in reason]
    assert all(member.get("fact") for member in reason if member["rule"] is None)
    code, out, _ = pay("--cost", "3c1r", "--hand", "blue, blue")
    assert code == 1
    assert out.splitlines()[0] == "3c1r cannot be paid"
    assert "3 chi" in out.splitlines()[1]
    assert "CR 1.14.2c" in out.splitlines()[1]


def test_a_cost_of_zero_has_one_way_the_empty_one(pay: Run) -> None:
    document = pay.json("--cost", "0", "--hand", "red, blue")
    assert document["count"] == 1
    assert document["ways"][0]["sources"] == []


def test_equal_cards_are_different_unless_merged_and_the_count_stays(pay: Run) -> None:
    apart = pay.json("--cost", "1r", "--hand", "red, red, blue")
    merged = pay.json("--cost", "1r", "--hand", "red, red, blue", "--by-name")
    assert apart["count"] == merged["count"] == 3
    assert "count_by_name" not in apart
    assert merged["count_by_name"] == len(merged["ways"]) == 2
    assert sum(way["copies"] for way in merged["ways"]) == 3
    assert [way["sources"] for way in apart["ways"]] == [["red"], ["red #2"], ["blue"]]


def test_levels_are_named_and_refine_each_other(pay: Run) -> None:
    counts = [pay.json("--cost", "2r", "--hand", "red, red, blue", "--level", level)["count"]
              for level in ("outcomes", "sources", "allocations", "sequences")]  # fmt: skip
    assert counts == sorted(counts)
    assert counts[1] < counts[3]
    assert "(sequences)" in pay("--cost", "2r", "--hand", "red, red", "--level", "sequences")[1]


def test_a_list_that_is_cut_says_so_and_the_count_stays_whole(pay: Run) -> None:
    document = pay.json("--cost", "1r", "--hand", "red, red, blue", "--limit", "2")
    assert (document["count"], document["complete"], document["listed"], len(document["ways"])) == (3, True, 2, 2)
    out = pay("--cost", "1r", "--hand", "red, red, blue", "--limit", "2")[1]
    assert out.splitlines()[0] == "3 ways to pay 1r (source sets), complete; the first 2 are listed"


def test_explaining_quotes_a_rule_for_every_step(pay: Run) -> None:
    out = pay(*FIRST, "--explain")[1]
    assert "[CR 1.14.3a" in out
    trace = pay.json(*FIRST, "--explain")["ways"][0]["trace"]
    assert trace
    assert all(set(step) >= {"rule", "says", "pool"} for step in trace)


@pytest.mark.parametrize(
    ("steps", "code"),
    [("Inner Chi > blue", 0), ("Inner Chi > red", 0), ("blue > Inner Chi", 1), ("Inner Chi > blue > red", 1)],
)
def test_one_given_payment_is_judged_in_its_order(pay: Run, steps: str, code: int) -> None:
    found, out, _ = pay(*FIRST, "--with", steps)
    assert found == code, out
    document = pay.json(*FIRST, "--with", steps)
    assert (document["broken"] is None) == (code == 0)
    assert document["reasons"] == [] if code == 0 else document["reasons"]


def test_x_is_answered_for_every_value_or_for_the_one_given(pay: Run) -> None:
    every = pay.json("--cost", "X", "--hand", "yellow")
    assert [way["x"] for way in every["ways"]] == [{"X": 0}, {"X": 1}, {"X": 2}]
    assert pay.json("--cost", "X", "--x", "2", "--hand", "yellow")["count"] == 1
    assert pay.json("--cost", "X", "--x", "3", "--hand", "yellow")["verdict"] == "illegal"


def test_x_of_nothing_is_said_too(pay: Run) -> None:
    code, out, _ = pay("--game", "bh", "--cost", "X", "--coins", "3", "--x", "0")
    assert code == 1
    assert "512.3.1" in out


def test_two_costs_at_once(pay: Run) -> None:
    document = pay.json("--game", "mc", "--cost", "1 & Xe", "--hand", "ee")
    assert document["count"] == 1
    assert document["ways"][0]["x"] == {"X": 1}
    assert [step["as"] for step in document["ways"][0]["steps"]] == [{"e": 1}, {"e": 1}]
    assert [point["point"] for point in document["assumed"]] == ["U9"]


def test_a_table_shows_no_superfluous_source_by_itself(pay: Run) -> None:
    _, out, _ = pay("--game", "mc", "--cost", "1", "--hand", "ee, m")
    assert out.startswith("4 ways to pay 1r (allocations), complete; 2 without a superfluous source are listed")
    _, out, _ = pay("--game", "mc", "--cost", "1", "--hand", "ee, m", "--limit", "1")  # not: "the 1", as if it were all
    assert out.startswith("4 ways to pay 1r (allocations), complete; 1 without a superfluous source are listed")
    _, out, _ = pay("--game", "mc", "--cost", "1", "--hand", "ee, m", "--all")
    assert "ee, m  1m      -     2e" in out
    assert pay.json("--game", "mc", "--cost", "1", "--hand", "ee, m")["listed"] == 4
    assert pay.json("--game", "mc", "--cost", "1", "--hand", "ee, m", "--minimal")["listed"] == 2


def test_whose_points_they_were(pay: Run) -> None:
    assert pay.json("--game", "mc", "--cost", "2 & 1e", "--hand", "ee, w")["count"] == 4
    assert pay.json("--game", "mc", "--cost", "2 & 1e", "--hand", "ee, w", "--by-source")["count"] == 5


def test_a_split_that_somebody_says(pay: Run) -> None:
    hand = ("--game", "mc", "--cost", "1 & 1e", "--hand", "w, m")
    assert pay(*hand, "--with", "w > m > on 1: 1m > on 2: 1e")[0] == 0
    code, out, _ = pay(*hand, "--with", "w > m > on 1: 1w > on 2: 1m")
    assert code == 1
    assert "RR Cost" in out


def test_ways_that_are_streamed_say_what_was_given(pay: Run) -> None:
    _, out, _ = pay("--game", "mc", "--cost", "1 & 1e", "--hand", "w, m", "--jsonl")
    [way] = [line for line in map(json.loads, out.splitlines()) if line["type"] == "way"]
    assert way["steps"] == pay.json("--game", "mc", "--cost", "1 & 1e", "--hand", "w, m")["ways"][0]["steps"]


def test_coins(pay: Run) -> None:
    assert pay.json("--game", "bh", "--cost", "X", "--coins", "3")["count"] == 7
    code, _, err = pay("--game", "fab", "--cost", "1", "--coins", "3")
    assert code == 3
    assert "--coins" in err


def test_per_player(pay: Run) -> None:
    assert pay("--game", "mc", "--cost", "2v", "--players", "3", "--hand", "ee x3")[0] == 0
    assert pay("--game", "mc", "--cost", "2v", "--players", "4", "--hand", "ee x3")[0] == 1


def test_what_is_in_play_is_an_object(pay: Run) -> None:
    code, _, err = pay("--cost", "1r", "--hand", "red", "--in-play", "nothing known")
    assert code == 3
    assert "nothing known" in err


def test_cards_of_a_file(pay: Run) -> None:
    document = pay.json("--cards", str(CARDS), "--play", "lantern oath (red)", "--hand", "Lantern Oath (Blue), yellow")
    assert document["verdict"] == "legal"
    assert {"pay": "1a", "with": []} in document["ways"][0]["steps"]
    assert document["ways"][0]["pool"]["a"] == 0
    assert [way["sources"] for way in document["ways"]] == [["Lantern Oath (Blue)"], ["yellow"]]


def test_a_name_with_a_comma_is_quoted(pay: Run) -> None:
    hand = '"Quiet, Then Thunder", red'
    assert pay.json("--cards", str(CARDS), "--cost", "3r", "--hand", hand)["count"] == 2


def test_a_card_without_a_cost_cannot_be_played(pay: Run) -> None:
    document = pay.json("--cards", str(CARDS), "--play", "Iron Cap", "--hand", "blue")
    assert document["verdict"] == "illegal"
    assert "1.8.7" in [member["rule"] for reason in document["reasons"] for member in reason]
    assert pay.json("--cards", str(CARDS), "--play", "Hollow Shell", "--hand", "blue")["verdict"] == "legal"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--cards", str(CARDS), "--play", "Lantern Oaf (red)"], "Lantern Oath (Red)"),
        (["--cards", str(CARDS), "--play", "Lantern Oath"], "Lantern Oath (Yellow)"),
        (["--cards", "nowhere.csv", "--play", "Lantern Oath"], "nowhere.csv: cannot be read"),
        (["--cost", "1r", "--hand", "blu"], "did you mean 'blue'"),
        (["--game", "chess", "--cost", "1"], "chess"),
        (["--cost", "1z"], "z"),
        (["--cost", "1r", "--float", "2z"], "z"),
        (["--cost", ""], "cost"),
        (["--cost", "{c"], "--cost"),
        (["--cost", "1r", "--float", "-1r"], "--float"),
        (["--cost", "1" + "0" * 60 + "r"], "--cost"),
        (["--cost", "1r", "--rules", "cr-1066"], "cr-1066"),
        (["--cost", "1r", "--hand", "red", "--with", "blue"], "blue"),
        (["nowhere.case.yaml"], "nowhere.case.yaml"),
    ],
)
def test_unreadable_input(pay: Run, arguments: list[str], said: str) -> None:
    code, out, err = pay(*arguments)
    assert (code, out) == (3, "")
    assert said in err


@pytest.mark.parametrize(
    "arguments",
    [[], ["--hand", "red"], ["--no-such"], ["a.case.yaml", "--cost", "1r"], ["--cost", "1", "--x", "-1"],
     ["--cost", "1", "--level", "all"], ["--cost", "1", "--seconds", "0"], ["a", "b"]],
)  # fmt: skip
def test_wrong_usage(pay: Run, arguments: list[str]) -> None:
    code, out, err = pay(*arguments)
    assert (code, out) == (2, "")
    assert "Usage: lawful pay" in err


def test_a_limit_is_neither_legal_nor_illegal(pay: Run) -> None:
    hand = ", ".join(["red"] * 5000)
    code, out, err = pay("--cost", "3r", "--hand", hand, "--json")
    assert code in (3, 4)
    assert err
    if code == 4:
        assert json.loads(out)["verdict"] is None


def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "lawful.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)


def test_a_reader_that_has_gone_is_no_error() -> None:
    hand = ", ".join(["red"] * 12)
    command = f'{sys.executable} -m lawful.cli pay --game fab --cost 6r --hand "{hand}" --explain | head -n 1'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120)
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_what_goes_into_a_pipe_has_no_escapes() -> None:
    done = run("pay", *FIRST)
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert all(line == line.rstrip() for line in done.stdout.splitlines())


def test_the_same_question_is_answered_with_the_same_bytes() -> None:
    def shown() -> str:
        return run("pay", "--cost", "2r", "--hand", "red, yellow, blue, red").stdout

    assert shown() == shown()


@pytest.mark.parametrize(
    "line",
    [
        line
        for of in (group, pay_command)
        for line in of.HELP.splitlines()
        if "pay --" in line and "--cards" not in line
    ],
)
def test_what_help_shows_can_be_typed(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every example that needs no file is a question that is answered."""
    assert main(shlex.split(line)[1:]) in (0, 1), capsys.readouterr().err
