"""A sweep as JSON lines, and as a summary for people."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from lawful.model.frozen import FrozenMap
from lawful.model.messages import DEFAULT, spoken, text, word
from lawful.model.stress import CHECKS
from lawful.model.verdict import Message
from lawful.stressing import Row, Stressed, identity
from lawful.text import say

MOST_SHOWN = 20
SHARED = 50


def json_lines(found: Stressed) -> Iterator[str]:
    """Yield a line for each finding, each group that is clean and each that was not checked; then a summary."""
    for row in found.rows:
        same = _same(found, row)
        head = {
            "check": row["check"], "cards": row["cards"], "verdict": row["verdict"],
        }  # fmt: skip
        tail = {
            "bound": {**row["bound"], "says": row["limits"]}, "saturated": row["saturated"], **same,
        }  # fmt: skip
        if row["verdict"] != "finding":
            line: Row = {**head, "case": None, "size": None, **tail, "confirmed_by_referee": False}
            yield json.dumps({**line, "why": row["why"]} if row["why"] else line, ensure_ascii=False)
            continue
        for one in row["findings"]:
            line = {**head, "item": one["item"], "says": one["says"], "case": one["case"], "size": one["size"], **tail}
            line["confirmed_by_referee"] = one["confirmed_by_referee"]
            line["id"] = identity({**row, **one})
            line["new"] = line["id"] not in found.baseline
            yield json.dumps(line, ensure_ascii=False)
    yield json.dumps({"summary": summary(found)}, ensure_ascii=False)


def _same(found: Stressed, row: Row) -> Row:
    """Return the cards that say the same as those of a row, the first few, and how many groups share its verdict."""
    groups = 1
    like: dict[str, list[str]] = {}
    for name in row["cards"]:
        names = found.same.get(name, [name])
        groups *= len(names)
        if len(names) > 1:
            like[name] = [other for other in names if other != name][:SHARED]
    return {"groups": groups, **({"same": like} if like else {})}


def summary(found: Stressed) -> Row:
    """Return the figures of a sweep."""
    counts = found.counts()
    pairs = Counter(len(row["cards"]) for row in found.rows)
    return {
        "schema_version": 1,
        "ruleset": found.game,
        "cards": found.cards,
        "kinds": len(found.same),
        "groups": {str(n): pairs[n] for n in sorted(pairs)},
        "checks": {check: dict(counts[check]) for check in CHECKS if counts[check]},
        "findings": len(found.findings),
        "new": len(found.new),
        "not_confirmed": sum(1 for one in found.findings if not one["confirmed_by_referee"]),
        "left_out": [str(fault) for fault in found.left_out],
        "taken_from_store": found.taken,
        "workers_died": found.deaths,
        "seconds": round(found.seconds, 2),
    }


def document(found: Stressed) -> Row:
    """Return the one document of a sweep: its figures, and every finding."""
    lines = [json.loads(line) for line in json_lines(found)]
    return {**summary(found), "results": [line for line in lines if line.get("verdict") == "finding"]}


def headline(found: Stressed) -> str:
    """Return what was looked at and how much was found, in one line."""
    figures = summary(found)
    shown = {name: str(figures[name]) for name in ("cards", "findings", "seconds")}
    return say("stress.summary", groups=len(found.rows), **shown)


def told(found: Stressed) -> Iterator[str]:
    """Yield the findings and what was not checked, in players' words."""
    new = found.new
    for one in new[:MOST_SHOWN]:
        mark = "" if one["confirmed_by_referee"] else f" ({say('stress.unconfirmed')})"
        yield f"{say('stress.found', check=one['check'], says=says(one))}{_more(found, one)}{mark}"
        size = one["size"]
        yield "  " + say("stress.size", objects=size["objects"], assets=size["assets"], limits=bounds(one))
    if len(new) > MOST_SHOWN:
        yield say("stress.more", n=len(new) - MOST_SHOWN)
    yield from aside(found)


def aside(found: Stressed) -> Iterator[str]:
    """Yield what is no new finding: what is in the baseline, what was not checked."""
    known = len(found.findings) - len(found.new)
    if known:
        yield say("stress.known", n=known)
    unread = Counter(row["cards"][0] for row in found.rows if row.get("unread"))
    if unread:
        some = ", ".join(list(unread)[:5]) + (", ..." if len(unread) > 5 else "")
        yield say("stress.unread", n=len(unread), some=some)


def left_out(found: Stressed) -> Iterator[str]:
    """Yield the rows of card files that could not be read, the first few, and how many more there are."""
    for fault in found.left_out[:MOST_SHOWN]:
        yield say("face.left-out", fault=str(fault))
    if len(found.left_out) > MOST_SHOWN:
        yield say("face.left-out-more", n=len(found.left_out) - MOST_SHOWN)


def says(one: Row) -> str:
    """Say a finding in the language that is spoken; rows are kept in English, with what they are made from."""
    if "message" not in one or spoken() == DEFAULT:
        return str(one["says"])
    params = {
        name: tuple(value) if isinstance(value, list) else value for name, value in one["message"]["params"].items()
    }
    return text(Message(one["message"]["id"], FrozenMap(params)))


def bounds(one: Row) -> str:
    """Say how far a check went, in the language that is spoken."""
    return say(one["limits_id"]) if one.get("limits_id") else str(one["limits"])


def _more(found: Stressed, one: Row) -> str:
    groups = 1
    for name in one["cards"]:
        groups *= len(found.same.get(name, [name]))
    return f" ({say('stress.same', n=groups - 1)})" if groups > 1 else ""


def table(found: Stressed) -> list[tuple[str, ...]]:
    """Return the rows of the table of checks."""
    rows = []
    for check, counts in found.counts().items():
        if counts:
            rows.append(
                (word("word", check), *(str(counts[key]) for key in ("finding", "clean", "not checked", "nothing")))
            )
    return rows


def header() -> tuple[str, ...]:
    """Return the titles of the table of checks."""
    outcomes = (say(f"stress.column.{one}") for one in ("finding", "clean", "not-checked", "nothing"))
    return (say("stress.column.check"), *outcomes)
