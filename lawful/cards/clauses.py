"""What was understood of the text of a card, clause by clause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lawful.cards.sheet import Clause
from lawful.model.effect import Ability, Activated


@dataclass(frozen=True, slots=True)
class ReadClause:
    """A clause and what was understood of it.

    Parameters
    ----------
    clause : Clause
        As it was found.
    meaning : data, optional
        In the notation of cards; None where it was not read.
    why : str
        Why it was not read, or is not played.
    played : bool
        Whether terms of the vocabulary say all of it.
    whole : data, optional
        What it means together with the sentence before it, of one that goes on from that ("if you do").
    sure : bool
        Whether the meaning is the one that all words have; a sketch is none, nor is one of two readings. Only such a
        one is played, and only from such a one another goes on.
    own : data, optional
        The meaning with ``$that`` for "it", where nothing before it in the cost can be meant.
    ability : tuple of str
        Names of the abilities that are used and that its paragraph is, where it is any.
    unopened : bool
        Whether it opens an ability that is used, and when that can be was not read: nothing is made of it.
    """

    clause: Clause
    meaning: Any = None
    why: str = ""
    played: bool = False
    whole: Any = None
    sure: bool = True
    own: Any = None
    ability: tuple[str, ...] = ()
    unopened: bool = False

    @property
    def read(self) -> bool:
        """Whether it counts as read: as terms; for an effect, as a skeleton of what it reads and writes."""
        return self.meaning is not None and (self.played or self.clause.skeleton)


@dataclass(frozen=True, slots=True)
class TextReading:
    """The text of a card, read.

    Parameters
    ----------
    clauses : tuple of ReadClause
        All of it.
    abilities : tuple of Ability
        Those that the referee can play.
    repairs : tuple of str
        Slips in the text that were put right.
    needs : tuple of str
        Assets that have to be among what is paid for the card.
    """

    clauses: tuple[ReadClause, ...] = ()
    abilities: tuple[Ability, ...] = ()
    repairs: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    @property
    def unread(self) -> tuple[ReadClause, ...]:
        """The clauses that the abilities do not say."""
        return tuple(c for c in self.clauses if not c.played and not c.clause.phrase)


def belonging(
    clauses: Sequence[ReadClause], abilities: Sequence[Ability], made: Mapping[int, range]
) -> Iterator[ReadClause]:
    """Yield clauses with the names of the abilities of which they are part.

    Parameters
    ----------
    clauses : sequence of ReadClause
        Of a card.
    abilities : sequence of Ability
        All that they are.
    made : mapping of int to range
        Of a paragraph: which of the abilities it is. Where texts were put together nothing is used by itself.
    """
    for read in clauses:
        there = [abilities[n] for n in made.get(read.clause.paragraph, ()) if n < len(abilities)]
        names = tuple(one.name for one in there if isinstance(one, Activated))
        yield replace(read, ability=names) if names else read
