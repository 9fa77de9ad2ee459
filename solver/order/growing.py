"""Numbers that only grow: whether a way comes to where it was, but for what is more each time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from lawful.model.position import Queued
from lawful.solver.order.frames import State
from lawful.solver.order.view import Key

if TYPE_CHECKING:
    from lawful.solver.order.explore import Place


def grows(n: int, places: Sequence[Place]) -> bool:
    """Tell whether a place is one that came thrice before on the way, but for numbers that nothing there reads."""
    place = places[n]
    if not place.state.idle:
        return False
    # Cheap first: whether the same abilities waited on the way; only then whether all else was alike.
    waiting, at = _sources(place.state), place.state.next
    alike, steps, last = [n], 0, n
    while place.before is not None and steps < 400:
        last, steps = place.before[0], steps + 1
        place = places[last]
        if place.state.idle and place.state.next == at and _sources(place.state) == waiting:
            alike.append(last)
    if len(alike) < 4:
        return False
    shape = shape_of(places[n].state)
    trail = [i for i in alike if shape_of(places[i].state) == shape][:4]
    if len(trail) < 4:
        return False
    numbers = [numbers_of(places[i].state) for i in trail]
    gains = [_gain(new, old) for new, old in pairwise(numbers)]
    if any(gain != gains[0] for gain in gains) or any(v < 0 for v in gains[0].values()):
        return False
    return not (_read_between(trail[0], trail[-1], places) & set(gains[0]))


def _sources(state: State) -> tuple[str, ...]:
    """Return whose abilities wait; of equal ones alone, how many is a number like any other."""
    sources = tuple(ability.source for ability in state.position.queue)
    return sources[:1] if _uniform(state.position.queue) else sources


def _uniform(queue: tuple[Queued, ...]) -> bool:
    """Tell whether several wait, and all are the same but for when they triggered."""
    return len({(q.source, q.controller, q.do, q.bindings, q.optional, q.tier) for q in queue}) == 1


def _read_between(last: int, first: int, places: Sequence[Place]) -> set[Key]:
    """Return what was read on the way from one place to another."""
    reads: set[Key] = set()
    while last != first:
        before = places[last].before
        assert before is not None
        last = before[0]
        reads |= places[last].reads
    return reads


def shape_of(state: State) -> object:
    """Return a state without its numbers and times."""
    position = state.position
    things = tuple(replace(t, counters=type(t.counters)(), timestamp=0) for t in position.things)
    players = tuple(replace(p, pool=type(p.pool)()) for p in position.players)
    lasting = frozenset((e.controller, e.modifier, e.bindings, e.until) for e in position.lasting)
    queue = tuple((q.source, q.do, q.tier) for q in position.queue)
    queue = queue[:1] if _uniform(position.queue) else queue
    ages = tuple(t.id for t in sorted(position.things, key=lambda t: t.timestamp))
    return things, players, lasting, queue, ages, () if state.idle else state.stack, state.next


def numbers_of(state: State) -> dict[Key, int]:
    """Return the numbers of a state: counters, pools, what is left of shields and limits."""
    position = state.position
    found: dict[Key, int] = {("remaining", key): n for key, n in position.remaining.items()}
    found |= {(t.id, "counters", kind): n for t in position.things for kind, n in t.counters.items()}
    found |= {("pool", p.name, asset): n for p in position.players for asset, n in p.pool.items()}
    if position.lasting:
        found[("lasting",)] = len(position.lasting)
    if _uniform(position.queue):
        found[("waiting", position.queue[0].source)] = len(position.queue)
    return found


def _gain(new: dict[Key, int], old: dict[Key, int]) -> dict[Key, int]:
    keys = {*new, *old}
    return {key: d for key in keys if (d := new.get(key, 0) - old.get(key, 0))}
