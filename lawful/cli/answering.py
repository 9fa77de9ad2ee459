"""Asks, and shows the answer as text or as JSON; knows what each answer's exit code is."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lawful.cli.asking import Asking
from lawful.cli.jsonout import write_json
from lawful.cli.ordering import Order
from lawful.cli.progress import working
from lawful.model.errors import Disagreement, LimitReached
from lawful.model.limits import Limits
from lawful.model.messages import speaking
from lawful.model.payment import Level
from lawful.saying import said_error

EXIT = {"legal": 0, "illegal": 1, "undetermined": 4}
NO_ANSWER = 4
KEPT = "lawful-disagreement.case.yaml"


@dataclass(frozen=True, slots=True)
class Manner:
    """How to answer.

    Parameters
    ----------
    level : str, optional
        What counts as one way.
    limits : Limits
        What an answer may cost.
    by_name, explain, as_json : bool
        As the options say.
    order : Order
        Which ways are listed; whether superfluous sources are left out is left to the ruleset, for tables, where the
        options do not say it.
    prove : bool
        Whether CP-SAT proves the count.
    jsonl : bool
        Whether ways are streamed as JSON lines.
    limit : int, optional
        Ways that are listed, where the option says so.
    minimal : bool, optional
        What the options say of superfluous sources; None where they say nothing.
    by_source : bool
        Whether ways tell apart whose points paid for what.
    timed : bool
        Whether a time was given: then it bounds the stream of ways, too.
    progress : bool, optional
        Whether progress is shown; None shows it on a terminal only.
    """

    level: Level | None
    limits: Limits
    by_name: bool
    explain: bool
    as_json: bool
    order: Order = Order()
    prove: bool = False
    jsonl: bool = False
    limit: int | None = None
    minimal: bool | None = None
    by_source: bool = False
    timed: bool = False
    progress: bool | None = None


def answer_all(askings: Sequence[Asking], manner: Manner) -> int:
    """Answer one or several questions.

    Parameters
    ----------
    askings : sequence of Asking
        What is asked; several where a file holds several cases.
    manner : Manner
        How.

    Returns
    -------
    int
        The highest of their exit codes.
    """
    quiet = manner.as_json or manner.jsonl
    return _each(askings, lambda asking: _answer(asking, manner), quiet=quiet, as_json=manner.as_json)


def _each(
    askings: Sequence[Asking],
    answer: Callable[[Asking], tuple[int, dict[str, Any]]],
    *,
    quiet: bool,
    as_json: bool,
) -> int:
    """Answer one question after the other, each under its name unless it is to be quiet; return the highest code."""
    from lawful.leftout import left_out

    several = len(askings) > 1
    codes, documents = [], []
    for asking in askings:
        if several and not quiet:
            print(f"{'' if asking is askings[0] else chr(10)}{asking.name}")
        with speaking(game=asking.question.ruleset.id):
            code, document = answer(asking)
        codes.append(code)
        documents.append({**({"case": asking.name} if asking.name else {}), **document, **left_out(asking.left_out)})
    if as_json:
        shown: Any = {"schema_version": documents[0]["schema_version"], "cases": documents}
        write_json(shown if several else documents[0])
    return max(codes, default=0)


def check_all(askings: Sequence[Asking], limits: Limits, why_not: str | None, as_json: bool) -> int:
    """Say of one or several declarations whether they are legal.

    Parameters
    ----------
    askings : sequence of Asking
        What is asked; several where a file holds several cases.
    limits : Limits
        What an answer may cost.
    why_not : str, optional
        The one object that is asked about.
    as_json : bool
        As one JSON document.

    Returns
    -------
    int
        The highest of their exit codes.
    """
    return _each(askings, lambda asking: _check(asking, limits, why_not, as_json), quiet=as_json, as_json=as_json)


def _check(asking: Asking, limits: Limits, why_not: str | None, as_json: bool) -> tuple[int, dict[str, Any]]:
    """Answer one question; print it unless JSON is wanted."""
    from lawful.checked import checked
    from lawful.checking import check
    from lawful.checktext import show_verdict
    from lawful.document import unanswered
    from lawful.model.errors import UnknownName

    if why_not is not None and all(thing.id != why_not for thing in asking.question.position.things):
        raise UnknownName("object", why_not, [thing.id for thing in asking.question.position.things])
    start = time.perf_counter()
    try:
        verdict = check(asking.question, asking.claim, limits)
    except LimitReached as limit:
        print(said_error(limit), file=sys.stderr)
        return NO_ANSWER, unanswered(limit)
    except Disagreement as found:
        raise Disagreement(f"{found.what}; {_keep(asking)}, please report it", found.question) from None
    elapsed = (time.perf_counter() - start) * 1000
    code = EXIT[verdict.status]
    if why_not is not None:
        legal = any(why_not in offer.legal for offer in verdict.offers.values())
        code = code if verdict.as_read is not None else 0 if legal else 1
    if not as_json:
        show_verdict(asking.question, verdict, asking.title, why_not)
        return code, {}
    return code, checked(asking.question, verdict, elapsed_ms=elapsed)


def _answer(asking: Asking, manner: Manner) -> tuple[int, dict[str, Any]]:
    """Answer one question; print it unless JSON is wanted."""
    from lawful.document import unanswered

    try:
        if asking.claim is not None:
            return _judge(asking, manner)
        return _stream(asking, manner) if manner.jsonl else _pay(asking, manner)
    except LimitReached as limit:
        print(said_error(limit), file=sys.stderr)
        return NO_ANSWER, unanswered(limit)
    except Disagreement as found:
        raise Disagreement(f"{found.what}; {_keep(asking)}, please report it", found.question) from None


def _pay(asking: Asking, manner: Manner) -> tuple[int, dict[str, Any]]:
    from lawful.api import pay
    from lawful.document import answered
    from lawful.text import show_answer
    from lawful.ways import by_source

    start = time.perf_counter()
    ruleset, level = asking.question.ruleset, manner.level
    page = manner.order.page(asking.question)
    if manner.minimal is None and ruleset.view == "minimal" and not manner.as_json and level != "outcomes":
        page = replace(page, minimal=True)
    minimal = page.minimal
    if manner.by_source:
        level = by_source(ruleset)
    with working(asking.title, manner.progress):
        answer = pay(asking.question, level, manner.limits, manner.by_name, page, manner.prove)
    elapsed = (time.perf_counter() - start) * 1000
    if not manner.as_json:
        order = manner.order
        stretch = order.sample is None and order.best is None and not minimal
        show_answer(
            asking.question,
            answer,
            asking.title,
            by_name=manner.by_name,
            explain=manner.explain,
            start=order.start if stretch else None,
            minimal=minimal and order.sample is None and order.best is None and not order.start,
        )
        return EXIT[answer.status], {}
    document = answered(asking.question, answer, by_name=manner.by_name, explain=manner.explain, elapsed_ms=elapsed)
    return EXIT[answer.status], document


def _stream(asking: Asking, manner: Manner) -> tuple[int, dict[str, Any]]:
    """Print JSON lines as ways are found; the exit code is that of the verdict."""
    from lawful.streaming import stream

    question = asking.question
    level = manner.level or question.ruleset.level
    page = manner.order.page(question)
    found = stream(
        question,
        level,
        manner.limits,
        page=page,
        by_name=manner.by_name,
        limit=manner.limit,
        timed=manner.timed,
        faults=asking.left_out,
    )
    shown = manner.progress
    if shown is None and sys.stdout.isatty():
        shown = False  # the lines themselves are the progress
    with working(asking.title, shown) as progress:
        head = next(found)
        sys.stdout.write(head + "\n")
        for line in found:
            sys.stdout.write(line + "\n")
            progress.done += 1
    return EXIT[json.loads(head)["verdict"]], {}


def _judge(asking: Asking, manner: Manner) -> tuple[int, dict[str, Any]]:
    from lawful.api import judge
    from lawful.document import judged
    from lawful.text import show_judgement

    assert asking.claim is not None
    start = time.perf_counter()
    judgement = judge(asking.question, asking.claim, manner.limits)
    elapsed = (time.perf_counter() - start) * 1000
    if not manner.as_json:
        show_judgement(asking.question, judgement, asking.title)
        return EXIT[judgement.status], {}
    return EXIT[judgement.status], judged(asking.question, judgement, elapsed_ms=elapsed)


def _keep(asking: Asking) -> str:
    """Write the question to a case file in the working directory, to be reported; say where it is."""
    from lawful.model.casefile import write_case

    try:
        Path(KEPT).write_text(write_case(asking.question, asking.claim, name="a disagreement"), encoding="utf8")
    except OSError as error:
        return f"the case could not be written ({error.strerror})"
    return f"the case is in {KEPT}"
