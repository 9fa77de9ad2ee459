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
BLOCK = 1 << 13  # solutions that a shared block has at most
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
    where, depth, below = packing(diagram), len(diagram.rows), diagram.below
    shared: dict[tuple[int, int], Keys] = {}
    end = np.zeros((1, where.words), dtype=np.uint64)

    def suffixes(i: int, node: int) -> Keys:
        if i == depth:
            return end
        known = shared.get((i, node))
        if known is None:
            known = shared[i, node] = np.empty((below[i][node], where.words), dtype=np.uint64)
            at, word, shift = 0, where.word[i], where.shift[i]
            for label, child in diagram.rows[i][node]:
                rest = suffixes(i + 1, child)
                part = known[at : at + len(rest)]
                if label and where.words == 1:  # the frequent case, in one pass
                    np.bitwise_or(rest, np.uint64(label << shift), out=part)
                else:
                    part[:] = rest
                    if label:
                        part[:, word] |= np.uint64(label << shift)
                at += len(rest)
        return known

    buffer = np.empty((size, where.words), dtype=np.uint64)
    stack = [(0, 0, (0,) * where.words)]
    while stack:
        i, node, prefix = stack.pop()
        if below[i][node] <= size:
            suffix = suffixes(i, node)
            out = buffer[: len(suffix)]
            for w in range(where.words):
                np.bitwise_or(suffix[:, w], np.uint64(prefix[w]), out=out[:, w])
            yield out
            continue
        for label, child in reversed(diagram.rows[i][node]):
            longer = list(prefix)
            longer[where.word[i]] |= label << where.shift[i] if where.bits[i] else 0
            stack.append((i + 1, child, tuple(longer)))


def keys(diagram: Diagram) -> Keys:
    """Return the keys of all solutions in one array, in canonical order.

    Returns
    -------
    array of uint64, shape (solutions, words)
        Sorted.
    """
    result = np.empty((diagram.count(), packing(diagram).words), dtype=np.uint64)
    at = 0
    for block in blocks(diagram):
        result[at : at + len(block)] = block
        at += len(block)
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
