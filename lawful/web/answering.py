"""Answers one request, in a worker: the lines of the answer, and its status."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from lawful.model.errors import BadInput, Fault, LimitReached, UnknownName
from lawful.model.limits import Limits
from lawful.model.messages import speak
from lawful.model.page import Page
from lawful.web.faults import refusal
from lawful.web.questions import Asked, Catalog, read

LINES = 500
Job = Mapping[str, Any]


def answer(job: Job, catalog: Catalog) -> Iterator[tuple[int, str]]:
    """Yield the answer piece by piece, each with the status; what goes wrong is an answer too.

    Parameters
    ----------
    job : mapping
        `ask` (pay, check, order, page, cards), `request`, `seconds`, `listed`, `stream`.
    catalog : Catalog
        Games and card files.

    Yields
    ------
    tuple of int and str
        HTTP status and text. A stream yields lines, many at once; all else is one document.
    """
    try:
        if job["ask"] == "page":
            from lawful.web.views import view

            yield 200, json.dumps(view(job, catalog), ensure_ascii=False)
        elif job.get("stream"):
            yield from _stream(job, catalog)
        else:
            yield 200, json.dumps(_document(job, catalog), ensure_ascii=False)
    except Exception as error:
        status, document = refusal(error)
        yield status, json.dumps(document, ensure_ascii=False)


def limits_of(job: Job) -> Limits:
    """Return what the answer may cost."""
    listed = job["request"].get("limit")
    most = int(job["listed"])
    return Limits(seconds=float(job["seconds"]), listed=most if listed is None else min(listed, most))


def _document(job: Job, catalog: Catalog) -> dict[str, Any]:
    """Return the document of the command line: of a case, with its name."""
    from lawful.document import unanswered

    asked = read(job["request"], catalog, job["ask"])
    try:
        document = _answer(asked, job)
    except LimitReached as limit:
        document = unanswered(limit)
    return {**({"case": asked.name} if asked.name else {}), **document}


def _answer(asked: Asked, job: Job) -> dict[str, Any]:
    request, ask, start = job["request"], job["ask"], time.perf_counter()
    speak(game=asked.question.ruleset.id)
    if ask == "order":
        from lawful.api import order
        from lawful.orderdoc import order_document

        assert asked.order is not None
        comes = order(asked.order, limits_of(job))
        return order_document(asked.order, comes, elapsed_ms=_since(start))
    if ask == "check":
        return _checked(asked, job, start)
    if asked.claim is not None:
        from lawful.api import judge
        from lawful.document import judged

        judgement = judge(asked.question, asked.claim, limits_of(job))
        return judged(asked.question, judgement, elapsed_ms=_since(start))
    from lawful.api import pay
    from lawful.document import answered
    from lawful.ways import by_source

    by_name, page, level = bool(request.get("by_name")), page_of(request, asked), request.get("level")
    if request.get("by_source"):
        level = by_source(asked.question.ruleset)
    found = pay(asked.question, level, limits_of(job), by_name, page, bool(request.get("prove")))
    explain = bool(request.get("explain"))
    return answered(asked.question, found, by_name=by_name, explain=explain, elapsed_ms=_since(start))


def _checked(asked: Asked, job: Job, start: float) -> dict[str, Any]:
    from lawful.checked import checked, reason_document
    from lawful.checking import check

    thing = job["request"].get("why_not")
    known = [thing.id for thing in asked.question.position.things]
    if thing is not None and thing not in known:
        raise UnknownName("object", thing, known)
    verdict = check(asked.question, asked.claim, limits_of(job))
    document = checked(asked.question, verdict, elapsed_ms=_since(start))
    if thing is not None:
        document["why_not"] = {
            slot: [reason_document(asked.question, reason) for reason in offer.refused.get(thing, ())]
            for slot, offer in verdict.offers.items()
        }
    return document


def page_of(request: Mapping[str, Any], asked: Asked) -> Page:
    """Return which ways are listed."""
    from lawful.wishes import parse_wishes

    best = request.get("best")
    try:
        wishes = parse_wishes(best, asked.question) if best is not None else ()
    except BadInput as bad:
        raise BadInput([replace(fault, file="best") for fault in bad.faults]) from None
    start, sample, seed = request.get("from_") or 0, request.get("sample"), request.get("seed") or 0
    return Page(start, sample, seed, wishes, bool(request.get("minimal")))


def _stream(job: Job, catalog: Catalog) -> Iterator[tuple[int, str]]:
    """Yield JSON lines, many at once."""
    from lawful.streaming import stream

    request = job["request"]
    asked = read(request, catalog, "pay")
    speak(game=asked.question.ruleset.id)
    if asked.claim is not None:
        raise BadInput([Fault("one payment is judged: there is nothing to list", "with")])
    if request.get("explain") or request.get("prove") or request.get("by_source"):
        raise BadInput([Fault("lines come as ways are found: ask for explain, prove and by_source in a document")])
    level = request.get("level") or asked.question.ruleset.level
    lines = stream(
        asked.question,
        level,
        replace(limits_of(job), listed=Limits().listed),
        page=page_of(request, asked),
        by_name=bool(request.get("by_name")),
        limit=request.get("limit"),
        timed=False,  # the server says how long a stream may last
    )
    first = next(lines)
    yield 200, first + "\n"
    while many := list(islice(lines, LINES)):
        yield 200, "\n".join(many) + "\n"


def _since(start: float) -> float:
    return (time.perf_counter() - start) * 1000
