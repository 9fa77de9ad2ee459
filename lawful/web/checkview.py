"""What the page shows of a verdict: who may be chosen and who not, why, and what would be legal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lawful.checked import change_text
from lawful.checking import Offer, check
from lawful.checktext import headline
from lawful.document import assumed_points
from lawful.model.casefile import write_case
from lawful.model.limits import Limits
from lawful.text import say, trace
from lawful.titles import title
from lawful.web.questions import Asked
from lawful.web.views import documents, near, reason_view, unread_view

MANY = 60


def check_view(asked: Asked, request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """Return what the page shows of the verdict on a declaration.

    Parameters
    ----------
    asked : Asked
        What is declared.
    request : mapping
        The request; `why_not` names one object.
    limits : Limits
        What it may cost.

    Returns
    -------
    dict
        Of JSON types only.
    """
    question = asked.question
    verdict = check(question, asked.claim, limits)
    every = [b for reason in verdict.reasons for b in reason]
    every += [b for offer in verdict.offers.values() for reasons in offer.refused.values() for r in reasons for b in r]
    return {
        "kind": "check",
        "verdict": verdict.status,
        "headline": headline(verdict, title(question)),
        "complete": verdict.complete or verdict.as_read is not None,
        "reasons": [reason_view(question, reason) for reason in verdict.reasons],
        "offers": [_offer(asked, slot, offer, request.get("why_not")) for slot, offer in verdict.offers.items()],
        "repairs": [
            {
                "says": change_text(question.declaration, repair.declaration),
                "case": write_case(replace(question, declaration=repair.declaration), asked.claim, "repaired"),
            }
            for repair in verdict.repairs
        ],
        "nearest": near(verdict.shortfalls),
        "near_complete": verdict.near_complete,
        "obeyed": [say("face.obeyed", n=one.n, of=one.of, status=one.status) for one in verdict.obeyed],
        "steps": trace(question, verdict.replay.steps) if verdict.replay is not None else [],
        "assumed": assumed_points(question.ruleset, verdict.assumed),
        **unread_view(verdict.unread, verdict.as_read),
        "readings": [
            {"name": name, "verdict": reading.status, "says": _legal(reading.offers)}
            for name, reading in verdict.readings.items()
        ],
        "documents": documents(question, every),
    }


def _offer(asked: Asked, slot: str, offer: Offer, only: str | None) -> dict[str, Any]:
    question = asked.question
    chosen = question.declaration.targets.get(slot, ())
    refused = [
        {"id": thing, "reasons": [reason_view(question, reason) for reason in reasons]}
        for thing, reasons in offer.refused.items()
        if only is None or thing == only
    ]
    legal = [thing for thing in offer.legal if only is None or thing == only]
    return {
        "slot": slot,
        "chosen": list(chosen),
        "legal": [{"id": thing, "case": _choosing(asked, slot, thing)} for thing in legal[:MANY]],
        "refused": refused[:MANY],
        "more": max(0, len(legal) - MANY) + max(0, len(refused) - MANY),
    }


def _choosing(asked: Asked, slot: str, thing: str) -> str:
    """Return the case in which this object is chosen instead."""
    question = asked.question
    declaration = question.declaration
    was = declaration.targets.get(slot, ())
    now = (*was[:-1], thing) if was else (thing,)
    targets = declaration.targets.put(slot, now)
    return write_case(replace(question, declaration=replace(declaration, targets=targets)), asked.claim, "chosen")


def _legal(offers: Mapping[str, Offer]) -> str:
    return "; ".join(say("face.offer", slot=slot, things=offer.legal or ("-",)) for slot, offer in offers.items())
