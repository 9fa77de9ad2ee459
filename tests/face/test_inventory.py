"""Which side of which statement has a case."""

from __future__ import annotations

from lawful.inventory import inventory, strangers
from lawful.model.ruleset import Row, Ruleset

RULES = Ruleset(
    "invented",
    "An invented game",
    (),
    "v",
    (),
    rows=(Row("G-1", "one pays in full", "P"), Row("G-2", "a remark", "M", sides=""), Row("G-3", "one may", "P", "+")),
)


def test_sides() -> None:
    shown = inventory(RULES, [("a", ["G-1", "G-3"]), ("b", ["G-1-", "G-1+"])])
    assert [(s.row.id, s.legal, s.illegal, s.missing) for s in shown] == [
        ("G-1", ("a", "b"), ("b",), ""),
        ("G-2", (), (), ""),
        ("G-3", ("a",), (), ""),
    ]


def test_what_is_missing() -> None:
    assert [s.missing for s in inventory(RULES, [("b", ["G-1-"])])] == ["+", "", "+"]
    assert [s.missing for s in inventory(RULES, [])] == ["+-", "", "+"]


def test_rows_that_nobody_knows() -> None:
    assert strangers(RULES, ["G-1-", "G-9", "G-2+"]) == ("G-9",)
