"""The rules covered: statements, numbers, open points, what is not covered; from the rulesets and the cases."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from lawful.cards import open_library
from lawful.inventory import Shown, inventory
from lawful.model.casefile import Case, read_cases
from lawful.model.ruleset import OpenPoint, Rule, Ruleset
from lawful.model.rulesets import load_ruleset
from site_pages.text import anchor, code, plain, slug, table

TOP = Path(__file__).parents[2]
KINDS = {"P": "Paying", "L": "Declaring and choosing", "E": "Effects and their order", "M": "Remarks"}


@cache
def cases_of(game: str) -> tuple[Case, ...]:
    """Return the shipped cases about a game."""
    found = [
        case
        for path in sorted((TOP / "cases").rglob("*.case.yaml"))
        for case in read_cases(path, file=path.relative_to(TOP).as_posix(), open_library=open_library)
    ]
    return tuple(case for case in found if case.question.ruleset.id == game)


def made(game: str) -> str:
    """Return all that is known of the rules of a game."""
    ruleset = load_ruleset(game)
    shown = inventory(ruleset, [(_named(case), case.rows) for case in cases_of(game)])
    parts = [
        _documents(ruleset),
        "## Statements\n",
        "Each statement has cases on its legal side (+) and on its illegal side (-). `lawful test cases --rows` prints "
        "the same.\n",
    ]
    for kind, title in KINDS.items():
        parts += _statements(ruleset, kind, title, shown)
    parts += ["## By document and section\n", *_sections(ruleset)]
    parts += ["## Not covered\n", _uncovered(ruleset, shown)]
    parts += ["## Open points\n", points(game)]
    parts += ["## The cases\n", _cases(shown)]
    return "\n".join(parts)


def _named(case: Case) -> str:
    return f"{case.name} ({code(f'{case.file}:{case.line}')})"


def _documents(ruleset: Ruleset) -> str:
    said = [
        (code(one.id), f"[{plain(one.title)}]({one.url})" if one.url else plain(one.title), plain(one.version))
        for one in ruleset.documents
    ]
    return table(("id", "document", "version"), said) + (
        "\nRules are cited by number; the texts are their publishers' and are not repeated here. Sentences are ours. "
        f"Where nothing is said, {code(ruleset.version)} is cited.\n"
    )


def _statements(ruleset: Ruleset, kind: str, title: str, shown: tuple[Shown, ...]) -> list[str]:
    rows = []
    for one in shown:
        if one.row.kind[0] != kind:
            continue
        cites = dict.fromkeys(_cites(ruleset, rule) for rule in ruleset.rules if one.row.id in rule.rows)
        sides = [
            str(len(side)) if sign in one.row.sides else "" for sign, side in (("+", one.legal), ("-", one.illegal))
        ]
        rows.append((code(one.row.id), plain(one.row.says), "; ".join(cites), *sides))
    return [f"### {title}\n", table(("", "says", "rules", "\\+", "\\-"), rows)] if rows else []


def _cites(ruleset: Ruleset, rule: Rule) -> str:
    return ", ".join(plain(rule.cites[one.id]) for one in ruleset.documents if one.id in rule.cites)


def section(number: str) -> str:
    """Return the section in which a rule stands.

    Examples
    --------
    >>> section("1.14.2c"), section("512.3.1"), section("Cost 5.1"), section("paying chi")
    ('1.14', '512', 'Cost', '')
    """
    if found := re.match(r"(\d{3,})", number):
        return found[1]
    if found := re.match(r"(\d+\.\d+)", number):
        return found[1]
    head = re.match(r"[^\d]*", number)
    word = head[0].strip() if head else ""
    return word if word[:1].isupper() else ""


def _order(number: str) -> list[tuple[int, int, str]]:
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.findall(r"\d+|\D+", number)]


def _sections(ruleset: Ruleset) -> list[str]:
    parts = []
    for document in ruleset.documents:
        rules = [rule for rule in ruleset.rules if document.id in rule.cites]
        if not rules:
            continue
        parts.append(f"### {plain(document.title)}, {plain(document.version)}\n")
        found = sorted(rules, key=lambda rule: _order(rule.cites[document.id]))
        rows = [
            (
                plain(section(rule.cites[document.id])),
                plain(rule.cites[document.id]),
                plain(rule.says),
                ", ".join(code(row) for row in rule.rows),
            )
            for rule in found
        ]
        parts.append(table(("section", "number", "rule", "statements"), _once(rows)))
    return parts


def _once(rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Name a section in its first row only."""
    return [
        ("" if at and rows[at - 1][0] == row[0] else row[0], *row[1:])
        for at, row in enumerate(rows)
    ]  # fmt: skip


def _uncovered(ruleset: Ruleset, shown: tuple[Shown, ...]) -> str:
    without = {rule.id: rule for rule in ruleset.rules if not rule.rows}
    lines = [f"- {plain(text)}" for text in ruleset.uncovered]
    lines += [
        f"- {code(one.row.id)}, {plain(one.row.says)}: a case of the {one.missing} side is missing"
        for one in shown
        if one.missing
    ]
    lines += [
        f"- {code(one.row.id)}, {plain(one.row.says)}: a remark, which no case can show"
        for one in shown
        if not one.row.sides
    ]
    head = "What a document says under a number that is not on this page is not covered. By subject:\n\n"
    tail = (
        f"\n\n{len(without)} of {len(ruleset.rules)} rules are cited in reasons and belong to no statement of the "
        "inventory: they are in force, and tested by cases and by referee and solver against each other, but not "
        "counted above.\n"
    )
    return head + "\n".join(lines) + (tail if without else "\n")


def points(game: str) -> str:
    """Return every open point of a game with its readings."""
    ruleset = load_ruleset(game)
    head = (
        "Where the rules are silent, or can be read in two ways, both readings are answered. The verdict is "
        "`undetermined` only where the readings differ in it; else the default's answer is given and the point is "
        "named (`assumed`).\n"
    )
    return "\n".join([head, *(_point(ruleset, point) for point in ruleset.open_points)])


def _point(ruleset: Ruleset, point: OpenPoint) -> str:
    rows = []
    for reading in point.readings:
        changes = ", ".join(code(f"{path}: {value}") for path, value in reading.changes.items()) or "-"
        name = f"**{code(reading.name)}**, the default" if reading.name == point.default else code(reading.name)
        rows.append((name, plain(reading.says), changes))
    touched = [case for case in cases_of(ruleset.id) if _touches(case, point)]
    about = f"### {code(point.id)}: {plain(point.about)}?\n"
    shown = "; ".join(_named(case) for case in touched)
    said = f"\nCases: {shown}.\n" if touched else "\nNo case names it.\n"
    return (
        anchor(f"open-{ruleset.id}-{slug(point.id)}")
        + about
        + "\n"
        + table(("reading", "says", "changes"), rows)
        + said
    )


def _touches(case: Case, point: OpenPoint) -> bool:
    """Say whether a case expects a point to be assumed, expects something of its readings, or chooses one."""
    expected = {*(case.expect.readings or {}), *(case.expect.data.get("readings") or {})}
    assumed = {*(case.expect.assumed or ()), *(case.expect.data.get("assumed") or ())}
    named = {str(name).partition(":")[0].strip() for name in expected}
    names = {reading.name for reading in point.readings}
    ruleset = case.order.ruleset if case.order is not None else case.question.ruleset
    return point.id in assumed | named | set(ruleset.readings) or bool(named & names)


def _cases(shown: tuple[Shown, ...]) -> str:
    parts = []
    for one in shown:
        for sign, side in (("+", one.legal), ("-", one.illegal)):
            parts += [f"{one.row.id} {sign}", ": " + "; ".join(side), ""] if side else []
    return "\n".join(parts) + "\n"
