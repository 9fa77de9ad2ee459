"""Triggers that wait in ever greater number: one way of playing on that comes back to where more waits than before."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from lawful.model.declaration import OrderQuestion
from lawful.model.ordered import Loop
from lawful.model.position import Position, Queued
from lawful.solver.order.machine import Machine

STEPS = 400


def pumped(question: OrderQuestion, steps: int = STEPS) -> Loop | None:
    """Return a loop in which more and more waits, None where none was found in so many steps.

    Parameters
    ----------
    question : OrderQuestion
        What happens.
    steps : int
        Steps played, each by its first choice.

    Notes
    -----
    Where nothing is being done, the position is as it was, and all waits that waited then, the same abilities can be
    resolved in the same order again, and so for ever.
    """
    machine = Machine(question)
    state = machine.start()
    seen: list[tuple[object, Counter[Queued], int]] = []
    said: list[str] = []
    for _ in range(steps):
        if not state.stack and state.next >= len(question.events) and state.position.queue:
            here, waits = _still(state.position), Counter(map(_told, state.position.queue))
            for before, waited, at in seen:
                if before == here and waited <= waits:
                    return Loop(tuple(said[at:]))
            seen.append((here, waits, len(said)))
        node = machine.node(state)
        if node is None or node.what == "decline":
            return None
        label, state = node.options[0]
        if label:
            said.append(label)
    return None


def _still(position: Position) -> object:
    things = tuple(replace(thing, timestamp=0) for thing in position.things)
    return things, position.players, position.remaining, position.lasting, position.turn


def _told(queued: Queued) -> Queued:
    return replace(queued, window=0)
