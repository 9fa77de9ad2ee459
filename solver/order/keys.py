"""Small keys of states: every different part of a position has a number, so that a state is a tuple of numbers."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias

from lawful.model.position import Position
from lawful.solver.order.frames import Acts, Frame, State

Key: TypeAlias = tuple[Hashable, ...]


class Keys:
    """Numbers for objects, abilities that wait, and texts; equal ones have the same.

    Notes
    -----
    From one state to the next most parts stay the very same objects, and those are known without being compared.
    """

    def __init__(self) -> None:
        self._same: dict[int, int] = {}
        self._equal: dict[Hashable, int] = {}
        self._kept: list[Hashable] = []

    def number(self, part: Hashable) -> int:
        """Return the number of a part."""
        found = self._same.get(id(part))
        if found is None:
            found = self._same[id(part)] = self._equal.setdefault(part, len(self._equal))
            self._kept.append(part)  # so that no other part ever has its identity
        return found

    def resting(self, position: Position) -> Key:
        """Return the key of a position, without what waits."""
        number = self.number
        return (
            number(position.things), number(position.players), number(position.lasting), number(position.remaining),
            number(position.laid), position.clock, position.turn,
        )  # fmt: skip

    def doing(self, stack: tuple[Frame, ...]) -> Key:
        """Return the key of what is being done."""
        return tuple([self._frame(frame) for frame in stack])

    def state(self, state: State) -> Key:
        """Return the key of a state."""
        queue = tuple([self.number(ability) for ability in state.position.queue])
        return (self.resting(state.position), queue, self.doing(state.stack), state.next)

    def _frame(self, frame: Frame) -> Hashable:
        if isinstance(frame, Acts):
            parts = (frame.acts, frame.bound, frame.done, frame.gathered)
            return (*[self.number(part) for part in parts], frame.used, frame.chosen, frame.cause)
        return self.number(frame)
