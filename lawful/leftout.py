"""Says what of the texts of cards was not read and bears on an answer; as lines and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lawful.model.frozen import FrozenMap
from lawful.model.messages import text
from lawful.model.verdict import LeftOut, Message, Status, Value

if TYPE_CHECKING:
    from lawful.cards.library import CardLibrary

MANY = 3


def say_left_out(unread: Sequence[LeftOut], as_read: Status | None) -> Iterator[str]:
    """Yield the text that was not read and bears on an answer, clause by clause; and what is assumed of it.

    Parameters
    ----------
    unread : sequence of LeftOut
        As an answer has it.
    as_read : str, optional
        The verdict by what was read; None where what was not read is assumed not to matter.

    Yields
    ------
    str
        A line.
    """
    if unread and as_read is None:
        yield _say("face.unread.assumed")
    for one in unread:
        if one.place:
            kind = one.kind or _say("face.unread.what")
            yield "  " + _say("face.unread.clause", kind=kind, card=one.card, text=one.clause, place=one.place)
        else:
            yield "  " + _say("face.unread.clause.plain", card=one.card, text=one.clause)


def unread_document(unread: Sequence[LeftOut], as_read: Status | None) -> dict[str, Any]:
    """Return what a document says of text that was not read and bears on the question: nothing where there is none."""
    if not unread:
        return {}
    clauses = [
        {"card": one.card, "clause": one.clause, "kind": one.kind, "place": one.place, "things": list(one.things)}
        for one in unread
    ]
    return {**({"as_read": as_read} if as_read is not None else {}), "unread": clauses}


def ignored_points(unread: Sequence[LeftOut], as_read: Status | None) -> list[dict[str, Any]]:
    """Return what is assumed of text that was not read, where it is assumed not to matter."""
    if not unread or as_read is not None:
        return []
    about, says = _say("face.unread.about"), _say("face.unread.says")
    return [{"point": "unread", "about": about, "reading": "ignored", "says": says}]


def left_out(faults: Sequence[str]) -> dict[str, Any]:
    """Return what a document says of rows of card files that could not be read: nothing where there are none."""
    return {"left_out": list(faults)} if faults else {}


def faulty_rows(libraries: Sequence[CardLibrary]) -> Iterator[str]:
    """Yield the rows of card files that could not be read, a few of each file, and how many more there are."""
    for library in libraries:
        for fault in library.faults[:MANY]:
            yield _say("face.left-out", fault=str(fault))
        if len(library.faults) > MANY:
            yield _say("face.left-out-more", n=len(library.faults) - MANY)


def _say(id: str, **params: Value) -> str:
    return text(Message(id, FrozenMap(params)))
