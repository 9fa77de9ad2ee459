"""Hands to pay with, as questions and in a plain form for the other engines; ways as numbers, to be compared."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

import lawful
from lawful.model.declaration import Question

CHI = "Inner Chi"
COLOURS = ("red", "yellow", "blue")  # worth 1, 2, 3
BITS = 2  # of a source in a key: 0 unused, 1 for the chi part, 2 for the resource part
FOR_CHI, FOR_RESOURCES = 1, 2


@dataclass(frozen=True, slots=True)
class Hand:
    """A random hand and a cost: `n` cards, a quarter of them chi, against 3 chi and 0.8 resources a card.

    Parameters
    ----------
    n : int
        Cards.
    seed : int
        Which of the hands of this size.
    """

    n: int
    seed: int = 0

    @property
    def cards(self) -> list[str]:
        """The cards, in order."""
        rng = random.Random(1000 + self.seed)
        return [CHI if rng.random() < 0.25 else COLOURS[rng.randint(1, 3) - 1] for _ in range(self.n)]

    @property
    def chi(self) -> int:
        """Chi points due."""
        return 3 if CHI in self.cards else 0

    @property
    def resources(self) -> int:
        """Resource points due."""
        return max(3, int(0.8 * self.n))

    def question(self) -> Question:
        """Return it as a question."""
        cost = (f"{self.chi}c" if self.chi else "") + f"{self.resources}r"
        return lawful.question("fab", cost=cost, hand=", ".join(self.cards), float_="1c")

    def problem(self) -> Problem:
        """Return it in the plain form.

        One chi floats: 2 more are short, so exactly one chi card is pitched for them, and 1 of its 3 is left for the
        resources. For those, pitching stops as soon as there is enough: without the largest card it was too little.
        """
        chis = 1 if self.chi else 0
        short = self.resources - 1
        values = [3 if card == CHI else COLOURS.index(card) + 1 for card in self.cards]
        options = [(FOR_CHI, FOR_RESOURCES) if card == CHI else (FOR_RESOURCES,) for card in self.cards]
        # What an option adds to: chi cards, points, cards of 2 or more, cards of 3.
        adds = {
            (i, o): (1, 0, 0, 0) if o == FOR_CHI else (0, value, int(value >= 2), int(value >= 3))
            for i, value in enumerate(values)
            for o in options[i]
        }
        clauses = [
            [(0, 1, chis)],
            [(0, -1, -chis)],
            [(1, 1, short)],
            [(1, -1, -(short + 2))],
            [(1, -1, -short), (2, 1, 1)],
            [(1, -1, -(short + 1)), (3, 1, 1)],
        ]
        return Problem.of(self.cards, options, adds, clauses)


@dataclass(frozen=True, slots=True)
class Problem:
    """Each source takes one option or none; in every clause some sum of weights reaches its least.

    Parameters
    ----------
    order : tuple of int
        Sources, equal ones together: the order of search.
    options : tuple of tuple of int
        For each source, what it may be used for.
    least : tuple of int
        For each atom, the sum that it needs.
    weights : tuple of dict
        For each source and option (0 is unused), its weight in every atom.
    clauses : tuple of tuple of int
        Atoms, of which one must hold.
    """

    order: tuple[int, ...]
    options: tuple[tuple[int, ...], ...]
    least: tuple[int, ...]
    weights: tuple[dict[int, tuple[int, ...]], ...]
    clauses: tuple[tuple[int, ...], ...]

    @classmethod
    def of(
        cls,
        cards: list[str],
        options: list[tuple[int, ...]],
        adds: dict[tuple[int, int], tuple[int, ...]],
        clauses: list[list[tuple[int, int, int]]],
    ) -> Problem:
        """Number the atoms, drop those that the ranges settle, and give every option its weights."""
        n = len(cards)
        kept: list[list[tuple[int, int, int]]] = []
        for clause in clauses:
            row, settled = [], False
            for what, sign, least in clause:
                own = [[0, *(sign * adds[i, o][what] for o in options[i])] for i in range(n)]
                settled = settled or sum(map(min, own)) >= least
                if sum(map(max, own)) >= least:
                    row.append((what, sign, least))
            if not settled:
                kept.append(row)
        atoms = list(dict.fromkeys(atom for row in kept for atom in row))
        weights = []
        for i in range(n):
            mine = {o: tuple(sign * adds[i, o][what] for what, sign, _ in atoms) for o in options[i]}
            weights.append({0: (0,) * len(atoms), **mine})
        return cls(
            tuple(sorted(range(n), key=lambda i: (cards[i], i))),
            tuple(options),
            tuple(least for _, _, least in atoms),
            tuple(weights),
            tuple(tuple(atoms.index(atom) for atom in row) for row in kept),
        )

    def gaps(self) -> list[tuple[int, ...]]:
        """Return for each depth of the search what the atoms' sums must have reached, the rest taken at its best."""
        need = [self.least]
        for i in reversed(self.order):
            best = [max(w[a] for w in self.weights[i].values()) for a in range(len(self.least))]
            need.append(tuple(n - b for n, b in zip(need[-1], best, strict=True)))
        return need[::-1]


def key(source: int, option: int) -> int:
    """Return what a use adds to the number of a way."""
    return option << (BITS * source)


def fingerprint(found: Iterable[int] | NDArray[np.uint64]) -> str:
    """Return a hash of a set of ways.

    Raises
    ------
    AssertionError
        If one stands in it twice.
    """
    keys = np.sort(np.asarray(found, dtype=np.uint64))
    assert len(keys) < 2 or bool((keys[1:] != keys[:-1]).all()), "a way was found twice"
    return blake2b(keys.tobytes(), digest_size=8).hexdigest()
