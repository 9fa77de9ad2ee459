"""What the texts of cards say that was not read: where it bears on a question, the answer is undetermined."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from lawful.model.verdict import LeftOut

if TYPE_CHECKING:
    from lawful.model.card import Unread
    from lawful.model.declaration import OrderQuestion, Question
    from lawful.model.position import Position, Thing

Asked = Literal["pay", "check", "order"]
A = TypeVar("A", bound=Any)


def unread(question: Question | OrderQuestion, ask: Asked, ends: Iterable[Position] = ()) -> tuple[LeftOut, ...]:
    """Return the clauses that were not read and bear on a question; see ``docs/cards.md``.

    Parameters
    ----------
    question : Question or OrderQuestion
        What is asked.
    ask : {"pay", "check", "order"}
        Whether it is about paying, about what may be declared, or about what comes out.
    ends : iterable of Position
        What comes out, by what was read: text bears where an object comes to lie, too.

    Returns
    -------
    tuple of LeftOut
        Each clause of a card once, with the objects that bear it; empty where everything that bears was read.
    """
    found: dict[tuple[str, Unread], list[str]] = {}
    zones = {(thing.id, thing.zone) for position in ends for thing in position.things}
    for thing in question.position.things:
        card = question.position.card(thing)
        for clause in card.unread:
            lies = {thing.zone} | {zone for id, zone in zones if id == thing.id}
            if ask in _bears(clause, thing, lies, question):
                found.setdefault((card.name, clause), []).append(thing.id)
    return tuple(
        LeftOut(name, clause.text, clause.kind, clause.place, tuple(things)) for (name, clause), things in found.items()
    )


def _bears(clause: Unread, thing: Thing, lies: Set[str], question: Question | OrderQuestion) -> Iterator[str]:
    """Yield the questions on which a clause bears in the zones where its card lies, as what it is asked about."""
    if _about(clause, thing, question):
        yield from clause.own
    # Text works in play; elsewhere where it says so itself.
    if any((zone.play or _names(clause.text, zone.name)) for zone in question.ruleset.zones if zone.name in lies):
        yield from clause.play
    declaration = getattr(question, "declaration", None)
    if declaration is not None and thing.zone == question.ruleset.hand and thing.controller == declaration.player:
        yield from clause.hand


def _names(text: str, zone: str) -> bool:
    """Tell whether a text names a zone, as texts write it: ``encounter_deck`` is the encounter deck."""
    return zone.replace("_", " ").casefold() in text.replace("_", " ").casefold()


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
    ends = [one.position for one in answer.outcomes] if ask == "order" else []
    left = unread(question, ask, ends)
    if not left:
        return answer
    if question.ignore_unread or answer.status is None:
        return replace(answer, unread=left)
    said = {"complete": False} if hasattr(answer, "complete") else {}
    return replace(answer, status="undetermined", as_read=answer.status, unread=left, **said)
