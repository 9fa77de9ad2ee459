"""A sweep as JSON lines, and as a summary for people."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from lawful.model.stress import CHECKS
from lawful.stressing import Row, Stressed, identity

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
    return (
        f"{figures['cards']} cards in question, {len(found.rows)} checks of groups, {figures['findings']} findings, "
        f"{figures['seconds']} s"
    )


def told(found: Stressed) -> Iterator[str]:
    """Yield the findings and what was not checked, in players' words."""
    new = found.new
    for one in new[:MOST_SHOWN]:
        mark = "" if one["confirmed_by_referee"] else " (too large for the referee to try everything)"
        more = _more(found, one)
        yield f"{one['check']}: {one['says']}{more}{mark}"
        size = one["size"]
        yield f"  {size['objects']} objects, {size['assets']} points and steps; {one['limits']}"
    if len(new) > MOST_SHOWN:
        yield f"and {len(new) - MOST_SHOWN} more"
    known = len(found.findings) - len(new)
    if known:
        yield f"{known} findings are in the baseline"
    unread = Counter(row["cards"][0] for row in found.rows if row.get("unread"))
    if unread:
        some = ", ".join(list(unread)[:5]) + (", ..." if len(unread) > 5 else "")
        yield f"not checked: the text of {len(unread)} cards was not read whole ({some})"


def _more(found: Stressed, one: Row) -> str:
    groups = 1
    for name in one["cards"]:
        groups *= len(found.same.get(name, [name]))
    return f" (and {groups - 1} more that say the same)" if groups > 1 else ""


def table(found: Stressed) -> list[tuple[str, ...]]:
    """Return the rows of the table of checks."""
    rows = []
    for check, counts in found.counts().items():
        if counts:
            rows.append((check, *(str(counts[key]) for key in ("finding", "clean", "not checked", "nothing"))))
    return rows


HEADER = ("check", "finding", "clean", "not checked", "nothing to look at")
