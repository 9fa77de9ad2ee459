"""Asks what comes out, and shows it as text, as JSON, as a picture."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from lawful.api import order
from lawful.model.casefile import Case, read_cases
from lawful.model.errors import BadInput, Disagreement, Fault, LimitReached
from lawful.model.limits import Limits
from lawful.model.messages import speaking
from lawful.model.ordered import Graph, Ordered
from lawful.model.ruleset import Ruleset
from lawful.saying import said_error

EXIT = {"legal": 0, "undetermined": 4, None: 4}
FINDINGS, NO_ANSWER = 1, 4
KEPT = "lawful-disagreement.case.yaml"
KINDS = (".svg", ".dot", ".mmd", ".txt", ".json")


def answer_orders(
    file: str,
    only: str,
    graph: str | None,
    explain: bool,
    seconds: float | None,
    as_json: bool,
    ignore_unread: bool = False,
) -> int:
    """Answer the cases of a file that say what happens.

    Parameters
    ----------
    file : str
        The case file, or ``-``.
    only : str
        Only cases with this text in their names.
    graph : str, optional
        Where the graph is written; its ending says how. With several cases a number is put before the ending.
    explain : bool
        Whether the graph is shown.
    seconds : float, optional
        Time for one answer.
    as_json : bool
        As one JSON document.
    ignore_unread : bool
        Whether text of cards that was not read is assumed not to matter; a case may say so itself.

    Returns
    -------
    int
        The highest exit code: 0; 1 where there is a paradox; 4 where it is undetermined or a limit was reached.
    """
    if graph is not None and Path(graph).suffix not in KINDS:
        raise click.UsageError(f"--graph {graph}: which picture? The name must end in one of {', '.join(KINDS)}")
    cases = _cases(file, only, ignore_unread)
    limits = Limits() if seconds is None else replace(Limits(), seconds=seconds)
    codes, documents = [], []
    for n, case in enumerate(cases, 1):
        if len(cases) > 1 and not as_json:
            print(f"{chr(10) if n > 1 else ''}{case.name}")
        with speaking(game=case.question.ruleset.id):
            code, document, answer = _answer(case, limits, explain, as_json)
        codes.append(code)
        documents.append({"case": case.name, **document})
        if graph is not None and answer is not None:
            place = Path(graph) if len(cases) == 1 else Path(graph).with_suffix(f".{n}{Path(graph).suffix}")
            with speaking(game=case.question.ruleset.id):
                _draw(place, answer.graph, case.question.ruleset, as_json)
    if as_json:
        shown: Any = documents[0] if len(documents) == 1 else {"schema_version": 1, "cases": documents}
        json.dump(shown, sys.stdout, ensure_ascii=False)
        print()
    return max(codes, default=0)


def _cases(file: str, only: str, ignore_unread: bool) -> list[Case]:
    from lawful.cards import Opened
    from lawful.leftout import faulty_rows

    opened = Opened()
    source = sys.stdin.read() if file == "-" else Path(file)
    found = read_cases(source, file=file, open_library=opened)
    for said in faulty_rows(opened.libraries):
        print(said, file=sys.stderr)
    chosen = [case for case in found if only.casefold() in case.name.casefold()]
    asked = [case for case in chosen if case.order is not None]
    if not asked:
        line = chosen[0].line if chosen else 1
        what = "no case there says what happens" if chosen else f"no case has {only!r} in its name"
        raise BadInput([Fault(what, file, line, 1, "write when: {do: [...]}" if chosen else "")])
    return [replace(c, order=replace(c.order, ignore_unread=True)) if ignore_unread and c.order else c for c in asked]


def _answer(case: Case, limits: Limits, explain: bool, as_json: bool) -> tuple[int, dict[str, Any], Ordered | None]:
    from lawful.document import unanswered
    from lawful.orderdoc import order_document
    from lawful.ordertext import order_lines

    assert case.order is not None
    start = time.perf_counter()
    try:
        answer = order(case.order, limits)
    except LimitReached as limit:
        print(said_error(limit), file=sys.stderr)
        return NO_ANSWER, unanswered(limit), None
    except Disagreement as found:
        raise Disagreement(f"{found.what}; {_keep(case)}, please report it", found.question) from None
    elapsed = (time.perf_counter() - start) * 1000
    code = EXIT[answer.status]
    if code == 0 and any(knot.kind == "paradox" for knot in answer.knots):
        code = FINDINGS
    if as_json:
        return code, order_document(case.order, answer, elapsed_ms=elapsed), answer
    print("\n".join(order_lines(case.order, answer, explain)))
    return code, {}, answer


def _keep(case: Case) -> str:
    """Write the case to a file in the working directory, to be reported; say where it is."""
    from lawful.model.casefile import write_order

    assert case.order is not None
    try:
        Path(KEPT).write_text(write_order(case.order, "a disagreement"), encoding="utf8")
    except OSError as error:
        return f"the case could not be written ({error.strerror})"
    return f"the case is in {KEPT}"


def _draw(place: Path, graph: Graph, ruleset: Ruleset, as_json: bool) -> None:
    from lawful.graphtext import to_dot, to_lines, to_mermaid
    from lawful.orderdoc import graph_document
    from lawful.picture import to_svg
    from lawful.text import say

    if place.suffix == ".json":
        drawn = json.dumps(graph_document(ruleset, graph), ensure_ascii=False, indent=1) + "\n"
    elif place.suffix == ".txt":
        drawn = "\n".join(to_lines(graph, ruleset)) + "\n"
    else:
        drawn = {".svg": to_svg, ".dot": to_dot, ".mmd": to_mermaid}[place.suffix](graph, ruleset)
    try:
        place.write_text(drawn, encoding="utf8")
    except OSError as error:
        raise BadInput([Fault(f"cannot write {place}: {error.strerror}", "--graph")]) from None
    if not as_json:
        print(say("order.written", file=str(place)))
