"""What the texts of published cards say that was not read: an answer that leaves it out must say so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lawful.text import say

if TYPE_CHECKING:
    from lawful.cards.library import CardLibrary
    from lawful.model.declaration import Question
    from lawful.model.ruleset import Ruleset


def unread(libraries: Sequence[CardLibrary], question: Question, choosing: bool = False) -> tuple[str, ...]:
    """Return what the cards in question say that was not read, one sentence each.

    Parameters
    ----------
    libraries : sequence of CardLibrary
        Where the cards are from.
    question : Question
        What is asked.
    choosing : bool
        Whether what may be chosen is asked: then a text with a target that was not read bears on the answer.

    Returns
    -------
    tuple of str
        Empty where everything that bears on the answer was read.
    """
    return tuple(line for library in libraries for line in _of(library, question, choosing))


def _of(library: CardLibrary, question: Question, choosing: bool) -> Iterator[str]:
    thing = question.declaration.thing
    about = question.position.thing(thing).card if thing is not None else None
    for name in dict.fromkeys(t.card for t in question.position.things):
        if name not in library:
            continue
        clauses = library.reading(library.record(name)).clauses
        aiming = {c.clause.text for c in clauses if c.clause.phrase} if choosing and name == about else set()
        for read in clauses:
            bears = read.clause.kind in library.bearing or (name == about and bool(read.clause.head))
            aims = not read.played and any(target in read.clause.text for target in aiming)
            if (aims or (bears and not read.read)) and not read.clause.phrase:
                yield say("face.unread", card=name, kind=read.clause.kind, text=read.clause.text)


class Opened:
    """Opens card files, and remembers which.

    Parameters
    ----------
    open_library : callable
        Opens one.
    """

    def __init__(self, open_library: Opener) -> None:
        self._open = open_library
        self.libraries: list[CardLibrary] = []

    def __call__(self, path: str | Path, ruleset: Ruleset) -> CardLibrary:
        """Open a card file."""
        found = self._open(path, ruleset)
        self.libraries.append(found)
        return found


if TYPE_CHECKING:
    from collections.abc import Callable

    Opener = Callable[[str | Path, Ruleset], CardLibrary]
