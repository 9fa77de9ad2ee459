"""What the page shows of what comes out: outcomes, who chooses, the graph."""

from __future__ import annotations

from typing import Any

from lawful.api import order
from lawful.model.casefile import write_order
from lawful.model.limits import Limits
from lawful.orderdoc import order_document
from lawful.ordertext import order_lines
from lawful.picture import to_svg
from lawful.web.questions import Asked


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
    document = order_document(question, answer)
    said = [line for line in order_lines(question, answer, False)]
    return {
        "kind": "order",
        "game": question.ruleset.name,
        "title": asked.name,
        "text": write_order(question, asked.name or "case"),
        "form": None,
        "things": [],
        "verdict": answer.status,
        "headline": said[0],
        "complete": answer.complete,
        "outcomes": document["outcomes"],
        "lines": [line for line in said[1:] if line and not line.startswith(("   ", "1. "))],
        "svg": to_svg(answer.graph, question.ruleset) if answer.graph.nodes else "",
        "edges": document["graph"]["edges"],
        "nodes": {node["id"]: node["says"] for node in document["graph"]["nodes"]},
        "reasons": [],
        "nearest": [],
        "assumed": [{**one, "says": one["reading"]} for one in document["assumed"]],
        "readings": [
            {"name": name, "verdict": "", "says": "; ".join(_state(o["state"]) for o in outcomes)}
            for name, outcomes in document["readings"].items()
        ],
        "documents": [],
    }


def _state(state: dict[str, Any]) -> str:
    return ", ".join(f"{path} {value}" for path, value in state.items()) or "-"
