"""Which facts a text names: numbers, types, counters, zones; found from the data alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import TypeAlias

from lawful.model.expression import Fact, Ref
from lawful.model.selector import Selector, Test
from lawful.model.walking import parts

Place: TypeAlias = tuple[str, str | None]
PLAIN = ("controller", "owner", "zone", "counters", "name", "pool", "yields")


@lru_cache(maxsize=4096)
def named(term: object) -> frozenset[str]:
    """Return the facts that a term reads, by name.

    Parameters
    ----------
    term : object
        Any term of the vocabulary.

    Returns
    -------
    frozenset of str
        ``stat power``, ``types``, ``counters charge``, ``zone``, ``status``, ``face``, ``controller``, ``relations``,
        ``facts``, ``pool``.

    Examples
    --------
    >>> sorted(named(Ref("self", ("defends", "power"))))
    ['relations', 'stat defends', 'stat power']
    """
    return frozenset(_named(term))


def _named(term: object) -> Iterator[str]:
    if isinstance(term, Ref):
        yield from _path(term)
    elif isinstance(term, Test):
        yield f"stat {term.stat}"
        yield from _named(term.value)
    elif isinstance(term, Fact):
        yield "facts"
        yield from _named(term.player)
    else:
        if isinstance(term, Selector):
            yield from _selected(term)
        for part in parts(term):
            yield from _named(part)


def _path(ref: Ref) -> Iterator[str]:
    path = ref.path
    if not path:
        return
    if path[-2:-1] == ("counters",):
        yield f"counters {path[-1]}"
    if path[0] == "pool":
        yield "pool"
    if path[-2:-1] == ("base",):
        yield f"stat base.{path[-1]}"
    if len(path) > 1 and path[0] not in PLAIN:
        yield "relations"
    for step in path:
        yield step if step in ("controller", "zone") else f"stat {step}"


def _selected(wanted: Selector) -> Iterator[str]:
    if wanted.type:
        yield "types"
    for key, has in (("zone", wanted.zone), ("status", wanted.status), ("controller", wanted.controller)):
        if has:
            yield key
    if wanted.relations or wanted.near or wanted.bears:
        yield "relations"
    for one in (*wanted.near.values(), *wanted.bears.values()):
        yield from _selected(one)
    if isinstance(wanted.namesake, Selector):
        yield from _selected(wanted.namesake)
    if wanted.shares is not None:
        yield "types"
        yield from _selected(wanted.shares)
    for prop in (wanted.highest, wanted.lowest):
        if prop is not None:
            yield f"stat {prop}"
    for kind in wanted.counters:
        yield f"counters {kind}"
    for prop in wanted.has:
        yield f"stat {prop}"


def located(term: object, bound: Mapping[str, object]) -> frozenset[Place]:
    """Return the facts that a term reads, each with the object whose it is, where the term says which.

    Parameters
    ----------
    term : object
        Any term of the vocabulary.
    bound : mapping
        What its references stand for.

    Returns
    -------
    frozenset of (str, str or None)
        None: of any object.

    Examples
    --------
    >>> sorted(located(Ref("self", ("power",)), {"self": "Bear"}))
    [('stat power', 'Bear')]
    """
    return frozenset(_located(term, bound))


def _located(term: object, bound: Mapping[str, object]) -> Iterator[Place]:
    if isinstance(term, Ref):
        of = bound.get(term.name)
        near = len(term.path) == 1 or (len(term.path) == 2 and term.path[0] in ("counters", "base"))
        for name in _path(term):
            yield name, str(of) if near and isinstance(of, str) else None
    elif isinstance(term, tuple):
        for part in term:
            yield from _located(part, bound)
    elif is_dataclass(term) and not isinstance(term, Selector | Test):
        for field in fields(term):
            yield from _located(getattr(term, field.name), bound)
    else:
        for name in _named(term):
            yield name, None
