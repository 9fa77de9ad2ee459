"""What the page shows of what comes out: outcomes, who chooses, the graph."""

from __future__ import annotations

from typing import Any

from lawful.api import order
from lawful.document import assumed_points
from lawful.leftout import say_left_out
from lawful.model.declaration import OrderQuestion, Question
from lawful.model.effect import Prevention, Replacement, Static, Trigger
from lawful.model.errors import LawfulError
from lawful.model.limits import Limits
from lawful.model.ordered import Ordered
from lawful.model.ruleset import Ruleset
from lawful.orderdoc import graph_document, order_document
from lawful.ordertext import chosen_text, order_lines, steps_text
from lawful.picture import to_svg
from lawful.web.questions import Asked

EFFECTS = (Static, Trigger, Replacement, Prevention)


def order_view(asked: Asked, limits: Limits) -> dict[str, Any]:
    """Return what the page shows of what comes out.

    Parameters
    ----------
    asked : Asked
        What happens.
    limits : Limits
        What it may cost.

    Returns
    -------
    dict
        Of JSON types only.
    """
    assert asked.order is not None
    question = asked.order
    answer = order(question, limits)
    from lawful.web.views import unread_view

    document = order_document(question, answer)
    blocks: list[list[str]] = [[]]
    said = set(say_left_out(answer.unread, answer.as_read))
    for line in order_lines(question, answer, False):
        if line in said:
            continue  # it has a place of its own
        blocks[-1].append(line) if line else blocks.append([])
    (first, *before), after = blocks[0], blocks[1 + len(answer.outcomes) :]  # between them, outcomes, which are a table
    return {
        "kind": "order",
        "verdict": answer.status,
        "headline": first,
        "complete": answer.complete,
        "outcomes": [
            {"state": one["state"], "steps": steps_text(outcome.order), "chosen": chosen_text(outcome)}
            for one, outcome in zip(document["outcomes"], answer.outcomes, strict=True)
        ],
        "lines": before + [line for block in after for line in block],
        **graph_view(answer, question.ruleset),
        "reasons": [],
        "nearest": [],
        "assumed": assumed_points(question.ruleset, answer.assumed),
        **unread_view(answer.unread, answer.as_read),
        "readings": [
            {"name": name, "verdict": "", "says": "; ".join(_state(o["state"]) for o in outcomes)}
            for name, outcomes in document["readings"].items()
        ],
        "documents": [],
    }


def graph_view(answer: Ordered, ruleset: Ruleset) -> dict[str, Any]:
    """Return the picture of a graph, and the same as data."""
    graph = graph_document(ruleset, answer.graph)
    return {
        "svg": to_svg(answer.graph, ruleset) if answer.graph.nodes else "",
        "edges": graph["edges"],
        "nodes": {node["id"]: node["says"] for node in graph["nodes"]},
    }


SOON = Limits(seconds=1.5)
"""A picture beside an answer may take so long, and is left out where it takes longer."""


def effects_view(question: Question) -> dict[str, Any]:
    """Return the graph of the effects that are in a position, before anything happens; nothing where there are none."""
    position = question.position
    effects = [a for t in position.things for a in position.card(t).abilities if isinstance(a, EFFECTS)]
    if not effects and not position.lasting:
        return {}
    try:
        answer = order(OrderQuestion(question.ruleset, position, ()), SOON)
    except LawfulError:
        return {}  # the question itself is answered without it
    return graph_view(answer, question.ruleset)


def _state(state: dict[str, Any]) -> str:
    return ", ".join(f"{path} {value}" for path, value in state.items()) or "-"
