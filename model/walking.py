"""Walks through a term of the vocabulary: everything that a text, a cost, a selector or a card consists of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import TypeVar

from lawful.model.frozen import FrozenMap

T = TypeVar("T")

_FIELDS: dict[type, tuple[str, ...]] = {}
"""By class the names of what a term of it consists of."""


def parts(term: object) -> Iterable[object]:
    """Return what a term consists of: the items of a tuple, the values of a mapping, the fields of a noun.

    Parameters
    ----------
    term : object
        A noun of the vocabulary, or what stands in one.

    Returns
    -------
    iterable of object
        In the order written; empty for a word or a number.
    """
    if isinstance(term, tuple):
        return term
    if isinstance(term, FrozenMap):
        return term.values()
    kind = type(term)
    names = _FIELDS.get(kind)
    if names is None:
        there = is_dataclass(term) and not isinstance(term, type)
        names = _FIELDS[kind] = tuple(field.name for field in fields(term)) if there else ()  # type: ignore[arg-type]
    return [getattr(term, name) for name in names]


def walk(term: object) -> Iterator[object]:
    """Yield a term and every term in it, each before what it consists of."""
    left = [term]
    while left:
        here = left.pop()
        yield here
        left.extend(reversed(list(parts(here))))


def every(term: object, kind: type[T]) -> Iterator[T]:
    """Yield every term of a kind in a term, itself included.

    Examples
    --------
    >>> from lawful.model.expression import Ref, Sum
    >>> [ref.name for ref in every(Sum((1, Ref("x"), Ref("n"))), Ref)]
    ['x', 'n']
    """
    return (part for part in walk(term) if isinstance(part, kind))
