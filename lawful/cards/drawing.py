"""Draws clauses that were read, by a seed, so that somebody can check them against the cards."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from lawful.cards.library import CardLibrary


@dataclass(frozen=True, slots=True)
class Drawn:
    """A clause that was drawn.

    Parameters
    ----------
    card : str
        The first card that has it.
    kind : str
        Its kind.
    number : int
        Which clause of this kind it is on the card, from 1.
    text : str
        As it was found.
    meaning : data
        In the notation of cards.
    """

    card: str
    kind: str
    number: int
    text: str
    meaning: Any


def readable(library: CardLibrary, kinds: Iterable[str]) -> list[Drawn]:
    """Return the distinct clauses of these kinds that were read, each on the first card that has it."""
    wanted = set(kinds)
    found: dict[tuple[str, str], Drawn] = {}
    for record in library.records:
        count: dict[str, int] = {}
        for read in library.clauses(record, wanted)[0]:
            kind, text = read.clause.kind, read.clause.text
            if kind in wanted:
                count[kind] = count.get(kind, 0) + 1
                if read.read and (kind, text) not in found:
                    found[kind, text] = Drawn(library.title(record), kind, count[kind], text, read.meaning)
    return list(found.values())


def draw_clauses(libraries: Sequence[CardLibrary], kinds: Iterable[str], n: int, seed: int) -> list[Drawn]:
    """Draw clauses of several libraries, in the order of the cards.

    Parameters
    ----------
    libraries : sequence of CardLibrary
        Where they are drawn from.
    kinds : iterable of str
        Which kinds.
    n : int
        How many.
    seed : int
        Of the draw.

    Returns
    -------
    list of Drawn
        Each distinct text at most once.
    """
    there = [drawn for library in libraries for drawn in readable(library, kinds)]
    at = sorted(random.Random(seed).sample(range(len(there)), min(n, len(there))))
    return [there[i] for i in at]
