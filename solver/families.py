"""Families held: counted at four levels, by name, and without what is superfluous."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from lawful.model.payment import LEVELS, Level, Payment
from lawful.solver.encode.allocation import Allocation
from lawful.solver.meaning import Family, Meaning, Reader
from lawful.solver.settle import Settled

if TYPE_CHECKING:
    from lawful.solver.chart import Chart
    from lawful.solver.diagram import Path

__all__ = ["Families", "Family", "Meaning", "Reader"]


class Late(Exception):
    """The time allowed is over."""


def before(deadline: float | None, families: Iterable[Family]) -> Iterator[Family]:
    """Yield families until the time is over.

    Raises
    ------
    Late
        If it is over before they are.
    """
    for family in families:
        if deadline is not None and time.monotonic() > deadline:
            raise Late
        yield family


class Families(Meaning):
    """All families of one question.

    Parameters
    ----------
    model : Allocation
        The model whose solutions they are.
    """

    def __init__(self, model: Allocation) -> None:
        super().__init__(model)
        self.orders: dict[Family, set[tuple[int, ...]]] = {}
        self._settled: dict[Family, Settled] = {}

    def take(self, values: tuple[int, ...]) -> None:
        """Take one solution."""
        family, order = self.read(values)
        self.orders.setdefault(family, set()).add(order)

    def hold(self, chart: Chart, paths: Iterable[Path]) -> None:
        """Take the families of paths through the allocations of a diagram."""
        for path in paths:
            self.orders[chart.family(path)] = chart.orders(path)

    def settled(self, family: Family) -> Settled:
        """Return the course of the payments of a family, worked out once."""
        if family not in self._settled:
            self._settled[family] = super().settled(family)
        return self._settled[family]

    @cached_property
    def _sets(self) -> dict[tuple[object, ...], Family]:
        return {family.set_key: family for family in self.orders}

    def counts(self, deadline: float | None = None) -> dict[Level, int]:
        """Return the number of ways at every level; what could not be counted by a deadline is left out."""
        each: dict[Level, Callable[[], int]] = {
            "sources": lambda: sum(self.sets(f) for f in before(deadline, self._sets.values())),
            "allocations": lambda: sum(map(self.allocations, before(deadline, self.orders))),
            "outcomes": lambda: len({self.outcome(f) for f in before(deadline, self.orders)}),
            "sequences": lambda: sum(
                self.allocations(f) * self.arrangements(f) * len(self.orders[f]) for f in before(deadline, self.orders)
            ),
        }
        found: dict[Level, int] = {}
        for level, count in each.items():
            with suppress(Late):
                found[level] = count()
        return {level: found[level] for level in LEVELS if level in found}

    def counts_by_name(self, level: Level) -> int:
        """Return the number of ways at a level when equal cards are not told apart."""
        if level != "sequences":
            return len({self.name(family, level) for family in self.orders})
        from lawful.solver.lines import Lines  # which orders can be told apart is told by the lines themselves

        return sum(1 for _ in Lines(self).lines("sequences", True))

    def minimal(self, deadline: float | None = None) -> int:
        """Return how many source sets have no superfluous source: without any one of them it is no way.

        Raises
        ------
        Late
            If they could not be looked at by the deadline.
        """
        return sum(self.sets(family) for family in before(deadline, self._sets.values()) if self.needed(family))

    def needed(self, family: Family) -> bool:
        """Say whether a family's source sets have no superfluous source."""
        totals = family.totals
        fewer = ((*totals[:g], n - 1, *totals[g + 1 :]) for g, n in enumerate(totals) if n)
        return not any((family.plan, family.x, t, family.picks, family.numbers) in self._sets for t in fewer)

    def is_minimal(self, payment: Payment) -> bool:
        """Say whether a payment has no superfluous source."""
        options, x = payment.options, payment.x
        uses: dict[tuple[str, str], int] = {}
        for use in payment.uses:
            uses[use.thing, use.source] = uses.get((use.thing, use.source), 0) + 1
        totals = tuple(sum(uses.get((m.thing.id, m.source), 0) for m in g.members) for g in self.model.groups)
        picks = tuple(choice.things for choice in sorted(payment.choices, key=lambda c: c.term))
        for i, plan in enumerate(self.f.plans):
            key = (i, x, totals, picks, self._numbers(i, payment))
            if plan.options == options and key in self._sets:
                return self.needed(self._sets[key])
        raise KeyError(payment)

    def _numbers(self, plan: int, payment: Payment) -> tuple[int, ...]:
        """Return how much a payment gives for each part that is due at once."""
        if self.model.joint is None:
            return ()
        numbers = [0] * len(self.f.demands)
        at = {place: j for j, place in self.f.places(self.f.plans[plan], payment.x).items()}
        for spend in payment.spends:
            if spend.part in at:
                numbers[at[spend.part]] += spend.n
        return tuple(numbers)

    def used(self, level: Level, deadline: float | None = None) -> dict[str, int]:
        """Return for every object the number of ways that use it; empty where the level does not tell.

        Raises
        ------
        Late
            If they could not be counted by the deadline.
        """
        found = {c.thing.id: 0 for c in self.f.sources}
        if level not in ("sources", "allocations"):
            return {}
        families = self._sets.values() if level == "sources" else self.orders
        for family in before(deadline, families):
            ways = self.sets(family) if level == "sources" else self.allocations(family)
            alone = set()
            for group, n in zip(self.model.groups, family.totals, strict=True):
                members = self.members(group)
                if n and (members is None or len(group.members) == 1):
                    alone.add(group.members[0].thing.id)  # an object with several sources counts once
                elif n and members is not None:
                    for member in group.members:  # equal ones are used equally often
                        found[member.thing.id] += ways * n // members
            for thing in alone:
                found[thing] += ways
        return found
