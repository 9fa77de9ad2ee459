"""What is written in the sheet of a game's card text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Repair(_Part):
    """A slip in published data that is put right, and reported wherever it is."""

    find: str
    put: str
    why: str


class Implied(_Part):
    """A word that a text leaves out where only one is possible.

    All that `of` finds in a text are the words; where they are one word, `put` stands for what `find` finds, with
    ``{word}`` for it.
    """

    of: str
    find: str
    put: str


class Words(_Part):
    """Which fields of a card file hold the phrases of a terminal; the first group of `parts` is one of ``_PART``.

    `forms` are words with all that stands for them. Of `exact` ones there is no plural and no ``'s``;
    `capital` ones begin with a capital letter in a sketch. With `of` a phrase stands for what this field says of the
    cards that have it, those that `where` picks (a field: any of these words in it); it is none where they differ.
    """

    fields: tuple[str, ...] = ()
    split: str = ""
    without: str = ""
    parts: str = ""
    words: tuple[str, ...] = ()
    forms: Mapping[str, tuple[str, ...]] = {}
    exact: bool = False
    capital: bool = False
    of: str = ""
    where: Mapping[str, tuple[str, ...]] = {}


class Finder(_Part):
    """How clauses of a kind are found, and with which rule of the grammar they are read."""

    kind: str
    start: str = ""
    found: str = ""
    skeleton: bool = False
    sketch: str = ""
    wrap: str = ""
    parts: Mapping[str, Finder] = {}


class Keyword(_Part):
    """A keyword that says something of costs where it stands alone: a pattern, and what its groups mean together."""

    found: str
    means: Any


class Unheard(_Part):
    """How it is told on what a clause that was not read bears; see ``docs/card-text.md``. What is left out is careful.

    `idle` says nothing of a position; `known` are read keywords that say nothing of paying; `mine` speaks of playing
    its own card alone; `doing` is an effect, whatever its other words mean; with `paying` an effect may bear on paying,
    with `barring` a restriction may; with `changing` an effect in play changes what objects are, and with a pattern of
    `stats` it may change that number of theirs; `once` is done as something happens, and not before; `held` works from
    the hand; `later` are heads of abilities that are used by themselves; cards of the types `at_once` are used as they
    are played; the kinds `unordered` are no effects.
    """

    idle: str = "(?!)"
    known: str = ""
    mine: str = "(?!)"
    doing: str = "(?!)"
    paying: str = ""
    once: str = "(?!)"
    held: str = ""
    barring: str = ""
    changing: str = ""
    later: str = "(?!)"
    at_once: tuple[str, ...] = ()
    unordered: tuple[str, ...] = ()
    stats: tuple[tuple[str, str], ...] = ()

    def patterns(self) -> dict[str, str]:
        """Return the patterns by name."""
        return {key: value for key, value in self.model_dump().items() if isinstance(value, str)}


class Sheet(_Part):
    """The text rules of a game; see ``docs/card-text.md``.

    With `context` ``$it`` is what the text spoke of last, and sentences go on from those before them.
    """

    grammar: str
    sketches: str = ""
    own: tuple[str, ...] = ()
    small: str = ""
    itself: str = "~"
    lying: str = "(?!)"
    plain: tuple[tuple[str, str], ...] = ()
    repairs: tuple[Repair, ...] = ()
    implied: tuple[Implied, ...] = ()
    lexicon: Mapping[str, Words] = {}
    sketch_lexicon: Mapping[str, Words] = {}
    heads: tuple[Finder, ...] = ()
    sentence: str = r"(?<=[.!])\s+"
    context: bool = False
    clauses: tuple[Finder, ...] = ()
    phrases: tuple[Finder, ...] = ()
    resolving: Mapping[str, Any] = {}
    apart: tuple[str, ...] = ()
    keywords: tuple[Keyword, ...] = ()
    bearing: tuple[str, ...] = ()
    unpaid: str = "(?!)"
    uncertain: str = ""
    options: str = "(?!)"
    lists: str = "(?!)"
    gone: str = "(?!)"
    labels: tuple[str, ...] = ()
    unread: Unheard = Unheard()
