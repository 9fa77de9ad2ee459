"""Walks through a term of the vocabulary: everything that a text, a cost, a selector or a card consists of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from operator import attrgetter
from typing import Any, TypeVar

from lawful.model.frozen import FrozenMap

T = TypeVar("T")

_PARTS: dict[type, Callable[[Any], Sequence[object]]] = {}
"""By class what takes apart a term of it: a look-up, as `isinstance` of a mapping takes longer than all the rest."""


def _nothing(term: object) -> Sequence[object]:
    return ()


def _taking(kind: type) -> Callable[[Any], Sequence[object]]:
    """Return what takes apart terms of a class."""
    if issubclass(kind, tuple):
        return tuple
    if issubclass(kind, FrozenMap):
        return lambda term: tuple(term.values())
    names = tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()
    if len(names) == 1:
        return lambda term: (getattr(term, names[0]),)
    found: Callable[[Any], Sequence[object]] = attrgetter(*names) if names else _nothing
    return found


def parts(term: object) -> Sequence[object]:
    """Return what a term consists of: the items of a tuple, the values of a mapping, the fields of a noun.

    Parameters
    ----------
    term : object
        A noun of the vocabulary, or what stands in one.

    Returns
    -------
    sequence of object
        In the order written; empty for a word or a number.
    """
    kind = type(term)
    take = _PARTS.get(kind)
    if take is None:
        take = _PARTS[kind] = _taking(kind)
    return take(term)


def walk(term: object) -> Iterator[object]:
    """Yield a term and every term in it, each before what it consists of."""
    left = [term]
    while left:
        here = left.pop()
        yield here
        left.extend(reversed(parts(here)))


def every(term: object, kind: type[T]) -> Iterator[T]:
    """Yield every term of a kind in a term, itself included.

    Examples
    --------
    >>> from lawful.model.expression import Ref, Sum
    >>> [ref.name for ref in every(Sum((1, Ref("x"), Ref("n"))), Ref)]
    ['x', 'n']
    """
    left = [term]
    while left:
        here = left.pop()
        if isinstance(here, kind):
            yield here
        left.extend(reversed(parts(here)))
