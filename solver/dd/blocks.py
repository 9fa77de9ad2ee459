"""All solutions as numpy arrays of keys: the labels of a solution, packed into machine words.

The solutions below a node near the end are worked out once and shared by all paths that lead there, so that a solution
costs one machine operation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lawful.solver.diagram import Diagram

Keys: TypeAlias = NDArray[np.uint64]
Flat: TypeAlias = NDArray[np.uint64]
Words: TypeAlias = tuple[Flat, ...]  # an array for each word
BLOCK = 1 << 14  # solutions that a shared block has at most: with what is written from it, it stays in the cache
HELD = 1 << 22  # keys that are held in blocks
FEW = 256  # keys that a call of numpy is worth
WORD = 64


@dataclass(frozen=True, slots=True)
class Packing:
    """Where each layer's label stands in a key.

    Parameters
    ----------
    words : int
        Words of a key.
    word, shift, bits : list of int
        For each layer its word, the place of its lowest bit, its number of bits.
    """

    words: int
    word: list[int]
    shift: list[int]
    bits: list[int]


def packing(diagram: Diagram) -> Packing:
    """Return where labels stand: the first layer in the highest bits of the first word, so that keys sort by rank."""
    bits = [max(len(layer.labels) - 1, 0).bit_length() for layer in diagram.layers]
    word, shift, used, number = [], [], 0, 0
    for n in bits:
        if used + n > WORD:
            number, used = number + 1, 0
        used += n
        word.append(number)
        shift.append(WORD - used)
    return Packing(number + 1, word, shift, bits)


class _Endings:
    """The keys of what follows a node, for every node that not too many follow.

    Parameters
    ----------
    diagram : Diagram
        The solutions.
    where : Packing
        Where labels stand.
    size : int
        How many may follow.

    Attributes
    ----------
    of : dict of (int, int) to Words
        For each layer and node where a block starts, an array for each word from that of its layer on: what stands
        before is the caller's.
    """

    def __init__(self, diagram: Diagram, where: Packing, size: int) -> None:
        self.rows, self.below, self.where, self.size = diagram.rows, diagram.below, where, size
        self.of: dict[tuple[int, int], Words] = {}
        after: list[Words | None] = [()]
        for i in range(len(self.rows) - 1, -1, -1):
            fits = [n <= size for n in self.below[i]]
            starts = {c for row, fit in zip(self.rows[i], fits, strict=True) if not fit for _, c in row}
            self.of |= {(i + 1, c): words for c in starts if (words := after[c]) is not None}
            bits = self._bits(i, len(diagram.layers[i].labels))
            after = self._layer(i, fits, bits, after)
            if not any(fits):
                return
        self.of |= {(0, c): words for c, words in enumerate(after) if words is not None}

    def _bits(self, i: int, labels: int) -> list[int]:
        return [label << self.where.shift[i] for label in range(labels)] if self.where.bits[i] else [0]

    def _layer(self, i: int, fits: list[bool], bits: list[int], after: list[Words | None]) -> list[Words | None]:
        """Return the endings of a layer's nodes, slices of one array for each word; None where there are too many."""
        edges = [edge for row, fit in zip(self.rows[i], fits, strict=True) if fit for edge in row]
        rest = [words for _, child in edges if (words := after[child]) is not None]
        sizes = [self.below[i + 1][child] for _, child in edges]
        shares = self._shares(i)
        own = self._own(bits, [label for label, _ in edges], sizes, [r[0] for r in rest] if shares else [])
        others = [np.concatenate([r[n] for r in rest]) for n in range(int(shares), len(rest[0]))] if rest else []
        found: list[Words | None] = []
        end = 0
        for n, fit in zip(self.below[i], fits, strict=True):
            if not fit:
                found.append(None)
                continue
            at, end = end, end + n
            found.append(tuple([word[at:end] for word in (own, *others)]) if others else (own[at:end],))
        return found

    def _shares(self, i: int) -> bool:
        """Say whether the layer after this one has its labels in the same word."""
        return i + 1 < len(self.rows) and self.where.word[i] == self.where.word[i + 1]

    @staticmethod
    def _own(bits: list[int], labels: list[int], sizes: list[int], rest: list[Flat]) -> Flat:
        """Put labels before what follows in the same word."""
        total = sum(sizes)
        if total < FEW * len(sizes):  # numpy is called once for all of them
            mine = np.repeat(np.array([bits[label] for label in labels], dtype=np.uint64), sizes)
            if rest:
                mine |= np.concatenate(rest)
            return mine
        numbers = [np.uint64(n) for n in bits]
        made = np.empty(total, dtype=np.uint64)
        at = 0
        for n, label in enumerate(labels):
            end = at + sizes[n]
            if rest:
                np.bitwise_or(rest[n], numbers[label], made[at:end])
            else:
                made[at:end] = numbers[label]
            at = end
        return made


def _stretches(diagram: Diagram, where: Packing, size: int) -> Iterator[tuple[list[np.uint64], Words, int]]:
    """Yield what neighbouring solutions have in common in each word, the rest of their keys, and how many they are."""
    rows, below, word, shift = diagram.rows, diagram.below, where.word, where.shift
    while size > 1 and sum(n for layer in below for n in layer if n <= size) > HELD:
        size //= 2
    endings = _Endings(diagram, where, size).of
    stack: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, (0,) * where.words)]
    while stack:
        i, node, prefix = stack.pop()
        known = endings.get((i, node))
        if known is not None:
            yield [np.uint64(part) for part in prefix], known, below[i][node]
            continue
        for label, child in reversed(rows[i][node]):
            longer = prefix
            if label:
                w = word[i]
                longer = (*prefix[:w], prefix[w] | label << shift[i], *prefix[w + 1 :])
            stack.append((i + 1, child, longer))


def _fill(out: Keys, prefix: list[np.uint64], endings: Words) -> None:
    """Write keys in one pass for each word."""
    alone = len(prefix) - len(endings)
    for w, part in enumerate(prefix):
        if w < alone:
            out[:, w] = part
        else:
            np.bitwise_or(endings[w - alone], part, out[:, w])


def blocks(diagram: Diagram, size: int = BLOCK) -> Iterator[Keys]:
    """Yield the keys of all solutions in canonical order.

    Parameters
    ----------
    diagram : Diagram
        The solutions.
    size : int
        Solutions that a shared block has at most.

    Yields
    ------
    array of uint64, shape (solutions, words)
        The array is used again for the next block: copy what is to be kept.
    """
    if not diagram.alive:
        return
    where = packing(diagram)
    buffer = np.empty((max(size, 1), where.words), dtype=np.uint64)
    for prefix, endings, count in _stretches(diagram, where, size):
        out = buffer[:count]
        _fill(out, prefix, endings)
        yield out


def _few(diagram: Diagram, where: Packing) -> Keys:
    """Return the keys where there are so few that plain numbers are faster than calls of numpy."""
    places = [WORD * (where.words - 1 - word) + shift for word, shift in zip(where.word, where.shift, strict=True)]
    after: list[list[int]] = [[0]]
    for place, bits, rows in zip(reversed(places), reversed(where.bits), reversed(diagram.rows), strict=True):
        if bits:
            after = [[label << place | rest for label, child in row for rest in after[child]] for row in rows]
        else:
            after = [[rest for _, child in row for rest in after[child]] for row in rows]
    mask = (1 << WORD) - 1
    words = [[key >> WORD * w & mask for key in after[0]] for w in range(where.words - 1, -1, -1)]
    return np.array(words, dtype=np.uint64).T.copy()


def keys(diagram: Diagram) -> Keys:
    """Return the keys of all solutions in one array, in canonical order.

    Returns
    -------
    array of uint64, shape (solutions, words)
        Sorted.
    """
    where = packing(diagram)
    if diagram.alive and diagram.count() <= FEW:
        return _few(diagram, where)
    result = np.empty((diagram.count(), where.words), dtype=np.uint64)
    at = 0
    for prefix, endings, count in _stretches(diagram, where, BLOCK) if diagram.alive else ():
        _fill(result[at : at + count], prefix, endings)
        at += count
    return result


def labels(diagram: Diagram, found: Keys) -> NDArray[np.int32]:
    """Return the label of every layer, for an array of keys.

    Returns
    -------
    array of int32, shape (solutions, layers)
        Indexes into the labels of each layer.
    """
    where = packing(diagram)
    result = np.empty((len(found), len(diagram.layers)), dtype=np.int32)
    for i, (word, shift, bits) in enumerate(zip(where.word, where.shift, where.bits, strict=True)):
        mask = np.uint64((1 << bits) - 1)
        result[:, i] = (found[:, word] >> np.uint64(shift)) & mask if bits else 0
    return result


def values(diagram: Diagram, found: Keys) -> NDArray[np.int64]:
    """Return the value of every decision variable, for an array of keys.

    Returns
    -------
    array of int64, shape (solutions, variables)
        In the order of the layers' variables.
    """
    at = labels(diagram, found)
    columns = []
    for i, layer in enumerate(diagram.layers):
        table = np.array(layer.labels, dtype=np.int64).reshape(len(layer.labels), len(layer.variables))
        columns.append(table[at[:, i]])
    return np.concatenate(columns, axis=1) if columns else np.zeros((len(found), 0), dtype=np.int64)
