"""The answer of `check` as one JSON document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lawful.checking import Verdict
from lawful.citing import cite
from lawful.document import assumed_points, because_document, head, nearest
from lawful.leftout import ignored_points, unread_document
from lawful.model.declaration import Declaration, Question
from lawful.model.payment import Payment
from lawful.model.ruleset import Ruleset
from lawful.model.verdict import Because, Reason
from lawful.text import say
from lawful.ways import shown_names


def checked(question: Question, verdict: Verdict, *, elapsed_ms: float = 0.0) -> dict[str, Any]:
    """Return the document of a verdict.

    Parameters
    ----------
    question : Question
        What was asked.
    verdict : Verdict
        What was answered.
    elapsed_ms : float
        Time it took.

    Returns
    -------
    dict
        Of JSON types only. `engine` is ``played`` where payments were played out: their reasons then are what stopped
        those that went furthest. `count` is of complete choices of modes, X and targets; `complete` is of `reasons`.
        `refused` is by object, or by ``slot: object`` where there are several slots; each reason is a list of rule
        numbers. Of several readings each has its own reasons and repairs; those of all are the reasons, and the repairs
        that are legal in all of them.
    """
    return {
        **head(question.ruleset),
        "verdict": verdict.status,
        "count": verdict.count,
        "complete": verdict.complete,
        "engine": verdict.engine,
        "reasons": [reason_document(question, reason) for reason in verdict.reasons],
        "legal_targets": {slot: list(offer.legal) for slot, offer in verdict.offers.items()},
        "refused": _refused(question, verdict),
        "example": _example(verdict),
        "repairs": _repairs(question, verdict),
        "repairs_complete": verdict.repairs_complete,
        "nearest": nearest(verdict.shortfalls),
        "nearest_complete": verdict.near_complete,
        "obeyed": [
            {"modes": list(one.modes), "x": one.x, "n": one.n, "of": one.of, "status": one.status}
            for one in verdict.obeyed
        ],
        "assumed": assumed_points(question.ruleset, verdict.assumed) + ignored_points(verdict.unread, verdict.as_read),
        "readings": {
            name: {
                "verdict": reading.status,
                "count": reading.count,
                "legal_targets": {slot: list(offer.legal) for slot, offer in reading.offers.items()},
                "complete": reading.complete,
                "reasons": [reason_document(question, reason) for reason in reading.reasons],
                "repairs": _repairs(question, reading),
            }
            for name, reading in verdict.readings.items()
        },
        **unread_document(verdict.unread, verdict.as_read),
        "elapsed_ms": round(elapsed_ms, 1),
    }


def _repairs(question: Question, verdict: Verdict) -> list[dict[str, Any]]:
    was = question.declaration
    return [
        {"change": change_text(was, repair.declaration, repair.payment), "distance": repair.distance}
        for repair in verdict.repairs
    ]


def reason_document(question: Question, reason: Reason) -> list[dict[str, Any]]:
    """Return the members of a reason, each with the rules that its own implies."""
    names = shown_names(question)
    found = []
    for because in reason:
        more = see_also(question.ruleset, because)
        member = because_document(question.ruleset, because, names)
        found.append({**member, "see_also": [numbers(question.ruleset, rule) for rule in more]} if more else member)
    return found


def see_also(ruleset: Ruleset, because: Because) -> tuple[str, ...]:
    """Return the ids of rules that the rule of a member implies: one of them may be what a judge would name."""
    if because.rule is None:
        return ()
    return tuple(rule.id for rule in ruleset.rules if because.rule in rule.implied_by)


def numbers(ruleset: Ruleset, rule: str) -> str:
    """Return a rule's number."""
    return cite(ruleset, rule).number


def rule_numbers(question: Question, reason: Reason) -> list[str]:
    """Return the rule numbers of a reason, each once; of a fact, nothing."""
    return list(dict.fromkeys(numbers(question.ruleset, b.rule) for b in reason if b.rule is not None))


def _refused(question: Question, verdict: Verdict) -> dict[str, list[list[str]]]:
    several = len(verdict.offers) > 1
    found: dict[str, list[list[str]]] = {}
    for slot, offer in verdict.offers.items():
        for thing, reasons in offer.refused.items():
            told = [rule_numbers(question, reason) for reason in reasons]
            found[f"{slot}: {thing}" if several else thing] = [r for i, r in enumerate(told) if r not in told[:i]]
    return found


def _example(verdict: Verdict) -> dict[str, Any] | None:
    if verdict.witness is None:
        return None
    paid = [] if verdict.payment is None else [use.thing for use in verdict.payment.uses]
    return {
        "targets": {slot: list(ids) for slot, ids in verdict.witness.targets.items()},
        "modes": list(verdict.witness.modes or ()),
        "x": {} if verdict.witness.x is None else {"X": verdict.witness.x},
        "paid_with": paid,
    }


def change_text(was: Declaration, now: Declaration, payment: Payment | None = None) -> str:
    """Say what is changed: ``target: Bear instead of Wolf; X = 1``; and, where one was given, the payment then."""
    said = []
    slots: Mapping[str, None] = dict.fromkeys((*was.targets, *now.targets))
    for slot in slots:
        before, after = was.targets.get(slot, ()), now.targets.get(slot, ())
        gone = tuple(id for id in dict.fromkeys(before) if id not in after or before.count(id) > 1)
        come = tuple(id for id in after if id not in before)
        if gone and come:
            said.append(say("face.change.swap", slot=slot, come=come, gone=gone))
        elif gone:
            said.append(say("face.change.drop", slot=slot, gone=gone))
        elif come:
            said.append(say("face.change.add", slot=slot, come=come))
    if was.x != now.x and now.x is not None:
        said.append(say("face.change.x", x=now.x))
    if was.modes != now.modes and now.modes is not None:
        said.append(say("face.change.modes", modes=now.modes))
    if payment is not None:
        said.append(say("face.change.pay" if payment.uses else "face.change.pay.none", used=_sources(payment)))
    return "; ".join(said)


def _sources(payment: Payment) -> tuple[str, ...]:
    return tuple(use.thing for use in payment.uses)
