"""Phrases of a card file: words of a kind, or names with what each stands for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from lawful.cards.sheet_parts import Words

Phrases = Sequence[str] | Mapping[str, str]
LISTED = re.compile(r"\s*[,;]\s*")


def standing_for(words: Words, rows: Sequence[Callable[[str], str]]) -> dict[str, str]:
    """Return the phrases of the rows that are meant, with what each stands for.

    Where rows of one phrase differ, or one of them does not say what it stands for, that is empty: nobody knows.

    Parameters
    ----------
    words : Words
        Which fields, and of which rows.
    rows : sequence of callable
        Each gives what a row says in a field.
    """
    found: dict[str, str] = {}
    for row in rows:
        if not all(_has(row(field), some) for field, some in words.where.items()):
            continue
        means = row(words.of)
        for phrase in filter(None, map(row, words.fields)):
            found[phrase] = means if found.get(phrase, means) == means else ""
    return found


def joined(some: Mapping[str, Phrases], more: Mapping[str, Phrases]) -> dict[str, Phrases]:
    """Return the phrases of two card files; what stands for different things in them stands for nothing."""
    both: dict[str, Phrases] = {}
    for key in dict.fromkeys([*some, *more]):
        one, other = some.get(key, ()), more.get(key, ())
        if isinstance(one, Mapping) or isinstance(other, Mapping):
            first, second = _meant(one), _meant(other)
            differ = {phrase: "" for phrase in first.keys() & second.keys() if first[phrase] != second[phrase]}
            both[key] = {**first, **second, **differ}
        else:
            both[key] = [*one, *other]
    return both


def _meant(phrases: Phrases) -> dict[str, str]:
    return dict(phrases) if isinstance(phrases, Mapping) else {phrase: phrase for phrase in phrases}


def _has(said: str, some: Sequence[str]) -> bool:
    """Tell whether a list of words has one of these."""
    return not {word.casefold() for word in LISTED.split(said.strip())}.isdisjoint(some)
