"""What the texts of cards say that was not read: where it bears on a question, the answer is undetermined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from lawful.model.verdict import LeftOut

if TYPE_CHECKING:
    from lawful.model.card import Unread
    from lawful.model.declaration import OrderQuestion, Question
    from lawful.model.position import Thing

Asked = Literal["pay", "check", "order"]
A = TypeVar("A", bound=Any)


def unread(question: Question | OrderQuestion, ask: Asked) -> tuple[LeftOut, ...]:
    """Return the clauses that were not read and bear on a question; see ``docs/cards.md``.

    Parameters
    ----------
    question : Question or OrderQuestion
        What is asked.
    ask : {"pay", "check", "order"}
        Whether it is about paying, about what may be declared, or about what comes out.

    Returns
    -------
    tuple of LeftOut
        Each clause of a card once, with the objects that bear it; empty where everything that bears was read.
    """
    found: dict[tuple[str, Unread], list[str]] = {}
    for thing in question.position.things:
        card = question.position.card(thing)
        for clause in card.unread:
            if ask in _bears(clause, thing, question):
                found.setdefault((card.name, clause), []).append(thing.id)
    return tuple(
        LeftOut(name, clause.text, clause.kind, clause.place, tuple(things)) for (name, clause), things in found.items()
    )


def _bears(clause: Unread, thing: Thing, question: Question | OrderQuestion) -> Iterator[str]:
    """Yield the questions on which a clause bears where its card lies, as what it is asked about."""
    if _about(clause, thing, question):
        yield from clause.own
    # Text works in play; elsewhere where it says so itself.
    if any(zone.play for zone in question.ruleset.zones if zone.name == thing.zone) or thing.zone in clause.text:
        yield from clause.play
    declaration = getattr(question, "declaration", None)
    if declaration is not None and thing.zone == question.ruleset.hand and thing.controller == declaration.player:
        yield from clause.hand


def _about(clause: Unread, thing: Thing, question: Question | OrderQuestion) -> bool:
    """Tell whether a question is about the card of a clause, in the way in which the clause could matter."""
    declaration = getattr(question, "declaration", None)
    if declaration is None:
        return any(event.source == thing.id for event in getattr(question, "events", ()))
    if declaration.thing != thing.id:
        return False
    # An ability that is named is one that was read.
    return not clause.used or (declaration.kind == "activate" and declaration.ability is None)


def as_far_as_read(answer: A, question: Question | OrderQuestion, ask: Asked) -> A:
    """Return an answer with the text that was not read; where it bears on it, nobody knows more than that.

    Parameters
    ----------
    answer : Answer, Judgement, Verdict or Ordered
        By what was read.
    question : Question or OrderQuestion
        What was asked; its `ignore_unread` assumes that what was not read does not matter.
    ask : {"pay", "check", "order"}
        What is asked of it.

    Returns
    -------
    Answer, Judgement, Verdict or Ordered
        Undetermined where there is such text, unless it is assumed not to matter.
    """
    left = unread(question, ask)
    if not left:
        return answer
    if question.ignore_unread or answer.status is None:
        return replace(answer, unread=left)
    said = {"complete": False} if hasattr(answer, "complete") else {}
    return replace(answer, status="undetermined", as_read=answer.status, unread=left, **said)
