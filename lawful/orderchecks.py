"""Checks what a case expects to come out of what happens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lawful.comparing import paired, said
from lawful.model.declaration import OrderQuestion
from lawful.model.ordered import ComesOut, Ordered
from lawful.orderdoc import at_path, order_document

SCALARS = ("verdict", "complete", "confluent", "count")
COUNTED = ("loops", "paradoxes", "ambiguities")

Checked = tuple[str, str, str, bool]
"""What was expected of, as text what was expected and what was got, and whether it holds."""


def compare_order(question: OrderQuestion, answer: Ordered, then: Mapping[str, Any]) -> Iterator[Checked]:
    """Compare what is expected with what came out.

    Parameters
    ----------
    question : OrderQuestion
        What happens.
    answer : Ordered
        What came out.
    then : mapping
        `verdict`, `complete`, `confluent`, `count`; `outcomes` (each fits one and none is left over); `ever` (each fits
        some), `never` (none fits any), `always` (fits all); `loops`, `paradoxes`, `ambiguities` (how many);
        `silences` (what they are about); `edges`, `no_edges`; `applied`; `assumed`; `readings`.

    Yields
    ------
    tuple
        One for each, in the order written.
    """
    document = order_document(question, answer)
    for what, expected in then.items():
        if what in SCALARS:
            got = said(document[what])
            yield what, said(expected), got, said(expected) == got
        elif what in COUNTED:
            yield what, str(expected), str(len(document[what])), expected == len(document[what])
        elif what == "silences":
            about = sorted({silence["about"] for silence in document["silences"]})
            yield what, said(expected), said(about), sorted(expected) == about
        elif what == "assumed":
            points = [one["point"] for one in document["assumed"]]
            yield what, said(expected), said(points), sorted(expected) == sorted(points)
        elif what == "applied":
            yield what, said(expected), said(document[what]), list(expected) == document[what]
        elif what in ("edges", "no_edges"):
            yield from _edges(what, expected, document["graph"]["edges"])
        elif what == "readings":
            for name, states in expected.items():
                found = [o for key, o in answer.readings.items() if name in (key, key.partition(": ")[2])]
                outcomes = found[0] if found else answer.outcomes
                yield _all(f"readings {name}", states, question, outcomes)
        else:
            yield from _states(what, expected, question, answer.outcomes)


def _states(what: str, expected: Any, question: OrderQuestion, outcomes: Sequence[ComesOut]) -> Iterator[Checked]:
    if what == "outcomes":
        yield _all(what, expected, question, outcomes)
    elif what == "always":
        holds = bool(outcomes) and all(_fits({"state": expected}, question, o) for o in outcomes)
        yield what, said(expected), _got([{"state": expected}], question, outcomes), holds
    else:
        for one in expected:
            fits = any(_fits(one, question, outcome) for outcome in outcomes)
            yield what, said(one), _got([one], question, outcomes), fits == (what == "ever")


def _all(what: str, expected: Sequence[Any], question: OrderQuestion, outcomes: Sequence[ComesOut]) -> Checked:
    """Pair every expected state with an outcome of its own."""
    fits = [[n for n, outcome in enumerate(outcomes) if _fits(one, question, outcome)] for one in expected]
    return what, said(expected), _got(expected, question, outcomes), paired(fits, len(outcomes))


def _fits(one: Mapping[str, Any], question: OrderQuestion, outcome: ComesOut) -> bool:
    if "by" in one and one["by"] != (" and ".join(outcome.choosers) or "none"):
        return False
    if "order" in one and one["order"] != list(outcome.order):
        return False
    return all(at_path(question, outcome.position, path) == value for path, value in one["state"].items())


def _got(expected: Sequence[Any], question: OrderQuestion, outcomes: Sequence[ComesOut]) -> str:
    """Say what came out, of the paths that were asked for."""
    paths = list(dict.fromkeys(path for one in expected for path in one["state"]))
    shown: list[dict[str, Any]] = []
    for outcome in outcomes:
        state: dict[str, Any] = {path: at_path(question, outcome.position, path) for path in paths}
        if any("by" in one for one in expected):
            state["by"] = " and ".join(outcome.choosers) or "none"
        if any("order" in one for one in expected):
            state["order"] = list(outcome.order)
        shown.append(state)
    return said(shown)


def _edges(what: str, expected: Sequence[Mapping[str, str]], edges: Sequence[Mapping[str, Any]]) -> Iterator[Checked]:
    for one in expected:
        found = any(all(str(edge.get(key)) == value for key, value in one.items()) for edge in edges)
        yield what, said(one), "there" if found else "not there", found == (what == "edges")
