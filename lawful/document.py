"""The answer as one JSON document. Keys are a promise: they change with `SCHEMA_VERSION` only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lawful.api import Judgement
from lawful.citing import cite, nearest_text
from lawful.leftout import ignored_points, unread_document
from lawful.model.declaration import Question
from lawful.model.errors import LimitReached
from lawful.model.messages import text, word
from lawful.model.ruleset import Ruleset
from lawful.model.verdict import Answer, Because, Message, Reached, Reason, Shortfall, TraceStep
from lawful.saying import said_advice
from lawful.ways import Line, Step, lines, shown_names

SCHEMA_VERSION = 1


def answered(
    question: Question, answer: Answer, *, by_name: bool = False, explain: bool = False, elapsed_ms: float = 0.0
) -> dict[str, Any]:
    """Return the document of an answer.

    Parameters
    ----------
    question : Question
        What was asked.
    answer : Answer
        What was answered.
    by_name : bool
        Whether equal cards are merged; adds `count_by_name`.
    explain : bool
        Whether every way holds the referee's steps.
    elapsed_ms : float
        Time it took.

    Returns
    -------
    dict
        Of JSON types only. `count` is at `level`, and `complete` speaks of it; `minimal` counts source sets; `listed`
        is how many lines `ways` has.
    """
    counted: dict[str, Any] = {"count": answer.count, "counts": dict(answer.counts)}
    if by_name:
        counted["count_by_name"] = answer.count_by_name
    return {
        **head(question.ruleset),
        "verdict": answer.status,
        "complete": answer.complete,
        "level": answer.level,
        **counted,
        "minimal": answer.minimal,
        "proved": answer.proved,
        **({"unproved": text(Message(f"face.unproved.{answer.unproved}"))} if answer.unproved else {}),
        "used": dict(answer.used),
        "ways": [_way(question, line, explain, by_name) for line in lines(question, answer, by_name)],
        "listed": len(answer.ways),
        "reasons": reasons_document(question, answer.reasons, by_name),
        "nearest": nearest(answer.shortfalls),
        "engine": answer.engine,
        "limit": answer.limit,
        "reached": reached_document(answer.reached),
        "assumed": assumed_points(question.ruleset, answer.assumed) + ignored_points(answer.unread, answer.as_read),
        "readings": {
            name: {"verdict": reading.status, "count": reading.count, "counts": dict(reading.counts)}
            for name, reading in answer.readings.items()
        },
        **unread_document(answer.unread, answer.as_read),
        "elapsed_ms": round(elapsed_ms, 1),
    }


def judged(question: Question, judgement: Judgement, *, elapsed_ms: float = 0.0) -> dict[str, Any]:
    """Return the document of a judgement on one given payment.

    Parameters
    ----------
    question : Question
        What was asked.
    judgement : Judgement
        What was answered.
    elapsed_ms : float
        Time it took.

    Returns
    -------
    dict
        Of JSON types only. `complete` tells whether the whole cost was paid; `steps` are the referee's.
    """
    replay, names = judgement.replay, shown_names(question)
    left = replay.outcome.pool if replay.outcome is not None else None
    return {
        **head(question.ruleset),
        "verdict": judgement.status,
        "complete": replay.complete,
        "steps": [_step(question, step) for step in replay.steps],
        "broken": because_document(question.ruleset, replay.broken, names) if replay.broken is not None else None,
        "pool": dict(left) if left is not None else None,
        "reasons": reasons_document(question, judgement.reasons),
        "assumed": assumed_points(question.ruleset, judgement.assumed)
        + ignored_points(judgement.unread, judgement.as_read),
        "readings": {name: {"verdict": verdict} for name, verdict in judgement.readings.items()},
        **unread_document(judgement.unread, judgement.as_read),
        "elapsed_ms": round(elapsed_ms, 1),
    }


def reached_document(limits: Sequence[Reached]) -> list[dict[str, Any]]:
    """Return the limits that cut something short: which, its value, and what."""
    return [{"limit": each.limit, "value": each.value, "where": each.where} for each in limits]


def nearest(shortfalls: Sequence[Shortfall]) -> list[dict[str, Any]]:
    """Return the nearest positions in which a cost could be paid."""
    return [
        {
            "change": nearest_text(shortfall),
            "distance": shortfall.distance,
            "changes": [
                {"kind": lack.kind, "what": lack.what, "n": lack.n, "text": text(lack.message())}
                for lack in shortfall.changes
            ],
        }
        for shortfall in shortfalls
    ]


def unanswered(limit: LimitReached) -> dict[str, Any]:
    """Return the document where a limit was reached before there was an answer.

    Parameters
    ----------
    limit : LimitReached
        Which one.

    Returns
    -------
    dict
        The verdict is null: that is neither legal nor illegal.
    """
    return {
        "schema_version": SCHEMA_VERSION,
        "verdict": None,
        "complete": False,
        "limit": limit.limit,
        "value": limit.value,
        "where": limit.where,
        "advice": said_advice(limit.advice),
    }


def head(ruleset: Ruleset) -> dict[str, Any]:
    """Return what every document starts with."""
    return {"schema_version": SCHEMA_VERSION, "ruleset": ruleset.id, "rules_version": ruleset.version}


def _way(question: Question, line: Line, explain: bool, by_name: bool) -> dict[str, Any]:
    payment = line.way.payment
    way: dict[str, Any] = {
        "sources": list(line.sources),
        "steps": [_paid(step) for step in line.steps],
        "x": {} if payment.x is None else {"X": payment.x},
        "options": list(payment.options),
        "pool": dict(line.pool),
        "overpaid": dict(line.overpaid),
        "copies": line.way.copies,
        "key": line.way.key,
    }
    if explain:
        way["trace"] = [_step(question, step) for step in line.way.replay.steps]
    return way


def _paid(step: Step) -> dict[str, Any]:
    paid: dict[str, Any] = {"pay": step.pay, "with": list(step.with_)}
    return paid if step.place is None else {**paid, "cost": step.cost, "as": dict(step.given)}


def _step(question: Question, step: TraceStep) -> dict[str, Any]:
    return {**_cited(question.ruleset, step.rule, step.says), "pool": dict(step.pool)}


def reasons_document(
    question: Question, reasons: Sequence[Reason], by_name: bool = False
) -> list[list[dict[str, Any]]]:
    """Return the reasons, each a list of rules and facts."""
    names = shown_names(question, by_name)
    return [[because_document(question.ruleset, because, names) for because in reason] for reason in reasons]


def because_document(ruleset: Ruleset, because: Because, names: Mapping[str, str]) -> dict[str, Any]:
    """Return one member of a reason: its rule with number, document and version, what it says, whom it is about."""
    return {
        **_cited(ruleset, because.rule, because.says),
        "about": [names.get(thing, thing) for thing in because.about],
    }


def _cited(ruleset: Ruleset, rule: str | None, says: Message) -> dict[str, Any]:
    if rule is None:
        return {"rule": None, "fact": True, "document": None, "version": None, "says": text(says)}
    found = cite(ruleset, rule)
    document = found.document
    return {
        "rule": found.number,
        "document": document.title if document is not None else None,
        "version": document.version if document is not None else None,
        "says": text(says),
    }


def assumed_points(ruleset: Ruleset, assumed: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the open points that were touched, each with the reading that was assumed."""
    points = {point.id: point for point in ruleset.open_points}
    return [
        {
            "point": id,
            "about": word("about", points[id].about),
            "reading": name,
            "says": word("reading", next((r.says for r in points[id].readings if r.name == name), "")),
        }
        for id, name in assumed.items()
    ]
