"""What the page shows of an answer, as plain data; made in a worker, drawn by templates."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from lawful.citing import cite, nearest_text
from lawful.document import assumed_points, unanswered
from lawful.leftout import say_left_out
from lawful.model.declaration import Question
from lawful.model.errors import LimitReached
from lawful.model.messages import speak, text
from lawful.model.verdict import Answer, Because, LeftOut, Reason, Shortfall, Status
from lawful.text import headline, judged_headline, reached, say, trace, unproved, way_table
from lawful.titles import title
from lawful.ways import lines, shown_names
from lawful.web.answering import limits_of, page_of
from lawful.web.forms import case_of, fields_of
from lawful.web.questions import Asked, Catalog, read

BARS = 40


def view(job: Mapping[str, Any], catalog: Catalog) -> dict[str, Any]:
    """Return what the page shows of the answer of one job.

    Parameters
    ----------
    job : mapping
        With `view`: pay, check, order; case for the question alone; find for names of cards. `ask_of` says what is
        asked.
    catalog : Catalog
        Games and card files.

    Returns
    -------
    dict
        Of JSON types only.
    """
    if job["view"] == "find":
        return {"names": catalog.find(job["request"]["find"], job["request"]["game"])}
    asked = read(job["request"], catalog, job["ask_of"])
    speak(game=asked.question.ruleset.id)
    shown = _question(asked, job)
    if job["view"] == "case":
        return shown
    try:
        return shown | _answered(asked, job)
    except LimitReached as limit:
        return shown | unanswered(limit)


def _question(asked: Asked, job: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is shown of the question itself, whatever comes of it."""
    if asked.order is not None:
        about, form = asked.name, None
    else:
        about, form = title(asked.question), fields_of(asked.question, asked.claim)
    return {
        "title": about,
        "game": asked.question.ruleset.name,
        "text": case_of(asked, job["request"]),
        "form": form,
    }


def _answered(asked: Asked, job: Mapping[str, Any]) -> dict[str, Any]:
    if asked.order is not None:
        from lawful.web.orderview import order_view

        return order_view(asked, limits_of(job))
    if job["view"] == "check":
        from lawful.web.checkview import check_view

        found = check_view(asked, job["request"], limits_of(job))
    else:
        found = _judged(asked, job) if asked.claim is not None else _paid(asked, job)
    from lawful.web.orderview import effects_view

    return found | effects_view(asked.question)


def _paid(asked: Asked, job: Mapping[str, Any]) -> dict[str, Any]:
    from lawful.api import pay

    request, question = job["request"], asked.question
    by_name, page = bool(request.get("by_name")), page_of(request, asked)
    answer = pay(question, request.get("level"), limits_of(job), by_name, page, bool(request.get("prove")))
    shown = lines(question, answer, by_name)
    bars = _bars(question, answer)
    header, rows = way_table(question, answer, shown, page.start if page.sample is None else 0) if shown else ([], [])
    return {
        "kind": "pay",
        "verdict": answer.status,
        "headline": headline(answer, title(question), by_name, page.start == 0 and not page.best, page.minimal),
        "count": answer.count,
        "complete": answer.complete,
        "proved": answer.proved,
        "unproved": unproved(answer) if answer.unproved else None,
        "reached": [reached(limit) for limit in answer.reached],
        "engine": answer.engine,
        "limit": answer.limit,
        "level": answer.level,
        "counts": [
            {"level": level, "says": say(f"level.{level}"), "n": answer.counts[level]} for level in answer.counts
        ],
        "count_by_name": answer.count_by_name,
        "minimal": answer.minimal,
        "start": page.start,
        "listed": len(shown),
        "header": header,
        "rows": rows,
        "keys": [line.way.key for line in shown],
        "traces": [trace(question, line.way.replay.steps) for line in shown] if request.get("explain") else [],
        "bars": bars[:BARS],
        "more_bars": len(bars[BARS:]),
        "reasons": [reason_view(question, reason) for reason in answer.reasons],
        "nearest": near(answer.shortfalls),
        "assumed": assumed_points(question.ruleset, answer.assumed),
        **unread_view(answer.unread, answer.as_read),
        "readings": [
            {
                "name": name,
                "verdict": reading.status,
                "says": f"{reading.count} ({say(f'level.{reading.level}')})",
            }
            for name, reading in answer.readings.items()
        ],
        "documents": documents(question, [b for reason in answer.reasons for b in reason]),
    }


def _bars(question: Question, answer: Answer) -> list[dict[str, Any]]:
    """Return in how many of all ways each object is used."""
    names = shown_names(question)
    return [
        {"id": thing, "name": names.get(thing, thing), "n": n, "share": n / answer.count}
        for thing, n in answer.used.items()
        if answer.count
    ]


def _judged(asked: Asked, job: Mapping[str, Any]) -> dict[str, Any]:
    from lawful.api import judge

    assert asked.claim is not None
    question = asked.question
    judgement = judge(question, asked.claim, limits_of(job))
    replay = judgement.replay
    because = [] if replay.broken is None else [replay.broken]
    return {
        "kind": "judge",
        "verdict": judgement.status,
        "headline": judged_headline(judgement, title(question)),
        "steps": trace(question, replay.steps),
        "broken": None if replay.broken is None else member(question, replay.broken),
        "reasons": [reason_view(question, reason) for reason in judgement.reasons],
        "assumed": assumed_points(question.ruleset, judgement.assumed),
        **unread_view(judgement.unread, judgement.as_read),
        "readings": [{"name": name, "verdict": verdict, "says": ""} for name, verdict in judgement.readings.items()],
        "documents": documents(question, [*because, *(b for reason in judgement.reasons for b in reason)]),
    }


def unread_view(unread: Sequence[LeftOut], as_read: Status | None) -> dict[str, Any]:
    """Return the text that was not read and bears on an answer, and whether it is assumed not to matter."""
    lines = [line.strip() for line in say_left_out(unread, as_read or "undetermined")]
    return {"unread": lines, "as_read": as_read}


def near(shortfalls: Sequence[Shortfall]) -> list[dict[str, Any]]:
    """Return the nearest positions; one that only lacks a card can be had on one click, so the card is named."""
    found = []
    for shortfall in shortfalls:
        lack = shortfall.changes[0]
        card = lack.what if len(shortfall.changes) == 1 and lack.kind == "card" else ""
        found.append({"says": nearest_text(shortfall), "what": card, "n": lack.n})
    return found


def reason_view(question: Question, reason: Reason) -> list[dict[str, Any]]:
    """Return the members of a reason as they are shown, each sentence once."""
    found: dict[str, dict[str, Any]] = {}
    for because in reason:
        shown = member(question, because)
        found.setdefault(json.dumps(shown), shown)
    return list(found.values())


def member(question: Question, because: Because) -> dict[str, Any]:
    """Return one member of a reason: what it says, its rule, and the rules that follow from it."""
    from lawful.checked import numbers, see_also

    cited = None if because.rule is None else cite(question.ruleset, because.rule)
    return {
        "says": text(because.says),
        "rule": None if cited is None or cited.document is None else str(cited),
        "also": [numbers(question.ruleset, rule) for rule in see_also(question.ruleset, because)],
    }


def documents(question: Question, because: list[Because]) -> list[str]:
    """Return the documents that are cited, as a list of abbreviations says them."""
    from lawful.citing import initials

    found = dict.fromkeys(cite(question.ruleset, b.rule).document for b in because if b.rule is not None)
    return [f"{initials(one)}: {one.title}, {one.version}" for one in found if one is not None]
