"""One position to be looked at: what lies about a group of cards, and what holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from lawful.model.frozen import FrozenMap
from lawful.solver.stress.needs import Need
from lawful.solver.stress.scenery import Builder, laid

Place: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Scene:
    """What lies about a group of cards, and what holds.

    Parameters
    ----------
    wanted : tuple of Need
        Objects, each with how many of it.
    facts : mapping of pairs of str to str
        By player and key.
    counters : mapping of pairs of str to int
        By the id of an object of the group and the kind.
    """

    wanted: tuple[Need, ...]
    facts: FrozenMap[Place, str] = FrozenMap()
    counters: FrozenMap[Place, int] = FrozenMap()

    @property
    def size(self) -> int:
        """Objects, facts and counters."""
        return sum(need.n for need in self.wanted) + len(self.facts) + sum(self.counters.values())


def merged(wanted: Sequence[Need]) -> tuple[Need, ...]:
    """Return needs with those that differ in their number only as one."""
    found: dict[Need, int] = {}
    for need in wanted:
        kind = replace(need, n=0)
        found[kind] = max(found.get(kind, 0), need.n)
    return tuple(replace(kind, n=n) for kind, n in found.items())


def staged(builder: Builder, scene: Scene, about: str | None) -> None:
    """Lay out a scene around the group that a builder has laid."""
    builder.facts.update(scene.facts)
    for n, thing in enumerate(builder.things):
        mine = {kind: n for (of, kind), n in scene.counters.items() if of == thing.id}
        if mine:
            counters = {kind: n for kind, n in {**thing.counters, **mine}.items() if n}
            builder.things[n] = replace(thing, counters=FrozenMap(counters))
    laid(builder, scene.wanted, about)
