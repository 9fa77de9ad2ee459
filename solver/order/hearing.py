"""Triggers: what hears a batch that has happened, and how it waits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lawful.model.effect import Trigger
from lawful.model.frozen import FrozenMap, replace
from lawful.model.position import Position, Queued, Thing
from lawful.solver.order.altering import bound_by
from lawful.solver.order.frames import Look, Node, State
from lawful.solver.order.happens import Happens
from lawful.solver.order.picking import can_be_done
from lawful.solver.order.view import Key, View

if TYPE_CHECKING:
    from lawful.solver.order.machine import Machine


class Hearing:
    """The look for triggers.

    Parameters
    ----------
    machine : Machine
        Rules and boards.
    """

    def __init__(self, machine: Machine) -> None:
        self.m = machine

    def node(self, frame: Look, state: State) -> Node:
        """Return the state with what triggered queued; several where somebody says whose are put first."""
        reads: set[Key] = set()
        position = self.m.noted(frame.before, state.position)
        if self.m.rules.ordering.contradiction == "latest":
            # Since when an effect is on an object depends on all that decides what is in force.
            reads |= {*self.m.boards.of(state.position).reads, ("laid",), ("clock",)}
        waiting: list[Queued] = []
        for thing, i, ability, was_there in self._listening(frame, position, reads):
            for event in self._heard(ability, thing, was_there, frame, position, reads):
                if ability.limit is not None:
                    reads.add(("remaining", f"{thing.id}/{i}"))
                    if position.remaining.get(f"{thing.id}/{i}", ability.limit) <= 0:
                        continue
                bound = bound_by(thing, event)
                if can_be_done(ability.do, View(position, self.m.rules, bound, self.m.boards, reads)):
                    position = self.m.spent(position, f"{thing.id}/{i}", ability)
                    tier = self._tier(ability)
                    waiting.append(
                        Queued(thing.id, thing.controller, ability.do, FrozenMap(bound), ability.optional, tier=tier)
                    )
        options = [(label, self.m.closed(frame, state, after)) for label, after in self._placed(waiting, position)]
        several = len(options) > 1
        return Node(position.turn if several else None, "start" if several else "", options, reads, _labels(options))

    def _tier(self, ability: Trigger) -> int:
        tiers = self.m.rules.ordering.tiers
        for n, tier in enumerate(tiers):
            if tier.name == ability.tier:
                return n
        return next((n for n, tier in enumerate(tiers) if tier.when == "after"), 0)

    def _listening(
        self, frame: Look, position: Position, reads: set[Key]
    ) -> Iterator[tuple[Thing, int, Trigger, bool]]:
        names = {n for e in frame.batch for n in e.names}
        seen: set[tuple[str, int]] = set()
        for there in (frame.before, position):
            for thing, i, ability in list(self.m.abilities(there, names, reads)):
                if isinstance(ability, Trigger) and (thing.id, i) not in seen and not self.m.comes_before(ability):
                    seen.add((thing.id, i))
                    yield thing, i, ability, there is frame.before

    def _heard(
        self, ability: Trigger, thing: Thing, was_there: bool, frame: Look, position: Position, reads: set[Key]
    ) -> list[Happens]:
        batch = frame.batch
        silent = self.m.rules.ordering.partly == "silent"
        heard: list[Happens] = []
        for group in self.m.groups(batch) if ability.batch != "once" else (tuple(range(len(batch))),):
            events = [
                batch[n]
                for n in group
                if (was_there or batch[n].subject == thing.id)
                and not (silent and batch[n].partly)
                and self._hears(ability, thing, batch[n], frame.before, position, reads)
            ]
            if not events:
                continue
            many = sum(event.name == events[0].name for event in batch)
            if ability.batch in ("each", "once") or (ability.batch == "alone") == (many == 1):
                heard.append(events[0])
        return heard

    def _hears(
        self, ability: Trigger, thing: Thing, event: Happens, before: Position, position: Position, reads: set[Key]
    ) -> bool:
        view = View(position, self.m.rules, bound_by(thing, event), self.m.boards, reads)
        play = self.m.boards.play
        was = next((t for t in before.things if t.id == event.subject), None)
        gone = was is not None and was.zone in play and position.thing(event.subject).zone not in play
        return (view.on(before) if gone else view).means(ability.on, event) and view.holds(ability.when)

    def _placed(self, waiting: list[Queued], position: Position) -> list[tuple[str, Position]]:
        if not waiting:
            return [("", position)]
        window = 1 + max((w.window for w in position.queue), default=-1)
        owners = {w.controller for w in waiting}
        orders: dict[tuple[str, ...], None] = {(): None}
        if self.m.rules.ordering.ties == "blocks" and len(owners) > 1:
            starts = [self.m.from_(player) for player in self.m.players]
            orders = dict.fromkeys(tuple(p for p in order if p in owners) for order in starts)
        found = []
        for order in orders:
            new = tuple(replace(w, window=window + (order.index(w.controller) if order else 0)) for w in waiting)
            label = f"{order[0]} puts first" if order else ""
            found.append((label, replace(position, queue=(*position.queue, *new))))
        return found


def _labels(options: list[tuple[str, State]]) -> tuple[str, ...]:
    return tuple(label for label, _ in options if label)
