"""Makes a witness small: what can go goes, as long as it shows the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from lawful.model.declaration import OrderQuestion, Question
from lawful.model.errors import BadInput, LawfulError
from lawful.model.position import Position
from lawful.model.stress import Size
from lawful.solver.stress.asking import tidy

Q = TypeVar("Q", Question, OrderQuestion)


def kept_ids(asked: Question | OrderQuestion) -> frozenset[str]:
    """Return the objects that the question itself names."""
    if isinstance(asked, Question):
        declaration = asked.declaration
        found = {id for ids in declaration.targets.values() for id in ids}
        return frozenset(found | ({declaration.thing} if declaration.thing is not None else set()))
    named = {str(id) for event in asked.events for id in event.bindings.values()}
    return frozenset(named | {event.source for event in asked.events if event.source is not None})


def shrunk(asked: Q, shows: Callable[[Q], bool]) -> Q:
    """Return the question with as little as possible, so that it still shows the same.

    Parameters
    ----------
    asked : Question or OrderQuestion
        It shows something.
    shows : callable
        Whether a question shows it. What it cannot answer does not.

    Returns
    -------
    Question or OrderQuestion
        Without any one object, fact, counter or point left, it does not show it. Halves are tried first, then ones.
    """
    n = max(1, len(asked.position.things) // 2)
    while True:
        for ids in _chunks(asked, n):
            left = tuple(t for t in asked.position.things if t.id not in ids)
            smaller = replace(asked, position=tidy(replace(asked.position, things=left)))
            if len(left) < len(asked.position.things) and _safe(shows, smaller):
                asked = smaller
        if n == 1:
            break
        n //= 2
    again = True
    while again:
        again = False
        for smaller in _less(asked):
            if _safe(shows, smaller):
                asked, again = smaller, True
                break
    return asked


def _chunks(asked: Question | OrderQuestion, n: int) -> Iterator[frozenset[str]]:
    keep = kept_ids(asked)
    ids = [thing.id for thing in reversed(asked.position.things) if thing.id not in keep]
    for at in range(0, len(ids), n):
        yield frozenset(ids[at : at + n])


def _safe(shows: Callable[[Q], bool], asked: Q) -> bool:
    try:
        return shows(asked)
    except BadInput:
        return False
    except LawfulError:
        return False


def _less(asked: Q) -> Iterator[Q]:
    """Yield the question with one object, counter, status, relation, fact, event or point less."""
    position = asked.position
    keep = kept_ids(asked)
    for thing in reversed(position.things):
        if thing.id not in keep:
            left = tuple(t for t in position.things if t.id != thing.id)
            yield replace(asked, position=tidy(replace(position, things=left)))
    if isinstance(asked, OrderQuestion):
        for at in range(len(asked.events)):
            yield replace(asked, events=asked.events[:at] + asked.events[at + 1 :])
    for thing in position.things:
        for kind, n in thing.counters.items():
            fewer = thing.counters.put(kind, n - 1) if n > 1 else thing.counters.without(kind)
            yield replace(asked, position=position.with_thing(replace(thing, counters=fewer)))
        for word in sorted(thing.status):
            yield replace(asked, position=position.with_thing(replace(thing, status=thing.status - {word})))
    for player in position.players:
        for key in player.facts:
            fewer_facts = replace(player, facts=player.facts.without(key))
            yield replace(asked, position=position.with_player(fewer_facts))
        for asset in asked.ruleset.assets:
            have = player.pool.get(asset.id, 0)
            if have > asset.start:
                yield replace(
                    asked, position=position.with_player(replace(player, pool=player.pool.put(asset.id, asset.start)))
                )
                less = replace(player, pool=player.pool.put(asset.id, have - 1))
                yield replace(asked, position=position.with_player(less))


def size_of(asked: Question | OrderQuestion, cards: int) -> Size:
    """Return how large a witness is."""
    position: Position = asked.position
    start = {asset.id: asset.start for asset in asked.ruleset.assets}
    floating = sum(max(0, n - start.get(a, 0)) for p in position.players for a, n in p.pool.items())
    counted = sum(n for thing in position.things for n in thing.counters.values())
    steps = sum(len(event.do) for event in asked.events) if isinstance(asked, OrderQuestion) else 0
    x = asked.declaration.x or 0 if isinstance(asked, Question) else 0
    return Size(cards, len(position.things), floating + counted + steps, x)
