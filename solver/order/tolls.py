"""What an effect that does something costs whoever does it: what of a batch is paid for, and what is left undone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lawful.model.act import Act
from lawful.model.cost import Cost, CostAll
from lawful.model.effect import Additional
from lawful.model.position import Position
from lawful.solver.order.board import Boards, own
from lawful.solver.order.frames import Acts, State
from lawful.solver.order.happens import Happens
from lawful.solver.order.noting import did
from lawful.solver.order.purse import Purse
from lawful.solver.order.view import Key, View

if TYPE_CHECKING:
    from lawful.solver.order.machine import Machine

Way = tuple[tuple[Happens, ...], Position, str]
"""What is done, the position after paying, and how it is told: nothing where nothing had to be paid."""


class Tolls:
    """Additional costs of what is done.

    Parameters
    ----------
    boards : Boards
        What there is.
    purse : Purse
        How they are paid.
    """

    def __init__(self, boards: Boards, purse: Purse) -> None:
        self.boards, self.purse = boards, purse
        self._last: tuple[object, bool] = (None, False)

    def ways(self, batch: Sequence[Happens], position: Position, reads: set[Key]) -> Iterator[Way]:
        """Yield the ways to pay for a batch, event by event, or to leave it undone.

        References
        ----------
        Rules Reference 1.8, Ready (who does not pay leaves the card exhausted).
        """
        if not self._any(position) or not batch:
            yield tuple(batch), position, ""
            return
        event, rest = batch[0], batch[1:]
        due = self._due(event, position, reads)
        if not due:
            for others, after, told in self.ways(rest, position, reads):
                yield (event, *others), after, told
            return
        for end in self.purse.after(position, event.by, CostAll(due), reads):
            for others, after, told in self.ways(rest, end, reads):
                yield (event, *others), after, f"{event.by} pays for {event.subject}{told and ', '}{told}"
        for others, after, told in self.ways(rest, position, reads):
            yield others, after, f"{event.by} does not pay for {event.subject}{told and ', '}{told}"

    def begun(
        self, machine: Machine, batch: tuple[Happens, ...], done: tuple[Act, tuple[str, ...]], rest: Acts, state: State,
        reads: set[Key],
    ) -> Iterator[tuple[str, State]]:  # fmt: skip
        """Yield the states in which an act is about to happen, on the position after paying for it, or was tried.

        Parameters
        ----------
        machine : Machine
            Begins what happens.
        batch : tuple of Happens
            What the act would do.
        done : pair of Act and tuple of str
            The act, and whom it is done to.
        rest : Acts
            What is done after it.
        state : State
            Before; the text stands on top of the stack.
        reads : set
            What was read.
        """
        act, ids = done
        below = state.stack[:-1]
        for due, position, said in self.ways(batch, state.position, reads):
            if due:
                on = State(position, (*below, rest), state.next)
                yield said, machine.begin(due, act, rest.used, on, reads, rest.cause)
            else:
                yield said, State(position, (*below, did(rest, act, *(("attempted",) if ids else ()))), state.next)

    def _any(self, position: Position) -> bool:
        """Tell whether any card has such a cost: of most boards none has."""
        if self._last[0] is not position.cards:  # the cards themselves are kept: their id may come to be another's
            texts = (ability for card in position.cards.values() for ability in card.abilities)
            self._last = position.cards, any(isinstance(a, Additional) and a.to is not None for a in texts)
        return self._last[1]

    def _due(self, event: Happens, position: Position, reads: set[Key]) -> tuple[Cost, ...]:
        found = []
        verb = event.verb.casefold()
        for thing in position.things:
            for ability in position.cards[thing.card].abilities:
                if isinstance(ability, Additional) and ability.to is not None:
                    reads.update({(thing.id, "zone"), (thing.id, "face"), (thing.id, "controller")})
        for thing, _, ability in self.boards.working(position):
            if not isinstance(ability, Additional) or ability.to is None:
                continue
            view = View(position, self.boards.rules, own(thing), self.boards, reads)
            to, subject = ability.to, view.thing(event.subject)
            if tuple(label.casefold() for label in ability.types) != (verb,) or to.subject is not None:
                continue
            by = to.by is None or view.ref(to.by) == event.by
            on = to.on is None or (subject is not None and view.finds(to.on, subject))
            if by and on and view.holds(ability.when):
                found.append(ability.cost)
        return tuple(found)
