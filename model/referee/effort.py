"""What playing everything out may cost, and what stopped the payments that went furthest."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from lawful.model.errors import LimitReached
from lawful.model.payment import Choice
from lawful.model.referee.effects_cost import open_terms, pay_effect, picks
from lawful.model.referee.forbid import because
from lawful.model.referee.sources import Refusal, names, offer
from lawful.model.referee.splitting import broken_by, splits
from lawful.model.referee.table import Table
from lawful.model.verdict import Because, Reason

__all__ = ["Effort"]


@dataclass(slots=True)
class Effort:
    """What a listing may cost.

    Parameters
    ----------
    steps : int, optional
        Partial payments that are looked at.
    seconds : float, optional
        Wall time.
    merge : bool
        Whether of several ways to the same state only the first is played on: enough where only the question is
        whether there is any payment.
    """

    steps: int | None = None
    seconds: float | None = None
    merge: bool = False
    spent: int = 0
    _end: float | None = None
    _seen: set[object] = field(default_factory=set)
    _furthest: list[Table] = field(default_factory=list)
    _refused: list[Because] = field(default_factory=list)

    def meet(self, table: Table) -> bool:
        """Take note of a partial payment.

        Returns
        -------
        bool
            Whether it is to be played on.

        Raises
        ------
        LimitReached
            If there were too many, or time ran out.
        """
        self.spent += 1
        if self.steps is not None and self.spent > self.steps:
            raise LimitReached("partial payments", self.steps, "there are more to be played out")
        if self.seconds is not None:
            now = time.monotonic()
            self._end = now + self.seconds if self._end is None else self._end
            if now > self._end:
                raise LimitReached("seconds", self.seconds, "give more time")
        if not self._furthest or _far(table) > _far(self._furthest[0]):
            self._furthest = [table]
        if not self.merge:
            return True
        state = _state(table)
        new = state not in self._seen
        self._seen.add(state)
        return new

    def refuse(self, why: Because) -> None:
        """Take note of a rule that a declaration or the end of a payment broke."""
        self._refused.append(why)

    def stopped(self) -> Reason:
        """Return the rules that stopped a payment that went as far as any."""
        if not self._furthest:
            return tuple(self._refused[:1])
        table = self._furthest[0]
        found = _unsplit(table) if table.at_once else _short(table) if table.part is not None else _unpaid(table)
        return tuple(dict.fromkeys(found)) or tuple(self._refused[-1:])


def _state(table: Table) -> object:
    """Return all that decides how a payment may go on."""
    uses = tuple(sorted((use.thing, use.source) for use in table.uses))
    gone = frozenset(id for use in table.uses for id in use.replaced)
    asked = table.asked.x, table.asked.options
    return (
        asked,
        table.position,
        table.paid,
        uses,
        gone,
        frozenset(table.choices),
        table.chance,
        table.late,
        table.split,
    )


def _far(table: Table) -> tuple[int, int, int]:
    return table.paid, len(table.choices), len(table.uses)


def _unsplit(table: Table) -> list[Because]:
    """Say why the points at hand cannot be split among the parts that are paid at once."""
    if next(splits(table), None) is not None:
        return []
    role, j, about = broken_by(table, ())
    demand, kind = table.demands[j], role.partition(".")[0]
    amount = f"{demand.amount}{demand.asset.id}"
    rules, says = table.asked.ruleset, f"broken.split.{kind}"
    return [because(rules, role, says, about, cost=demand.cost, amount=amount, part=demand.asset.name, by=about)]


def _short(table: Table) -> list[Because]:
    """Say that a part is not covered, and what forbids the sources that would help."""
    assert table.part is not None
    asset, amount = table.part
    rules = table.asked.ruleset
    there = tuple(f"{table.pool[id]} {rules.asset(id).name}" for id in asset.accepts)
    role = f"part.{asset.id}"
    found = [because(rules, role, "broken.part", part=asset.name, amount=f"{amount}{asset.id}", there=there)]
    for thing in table.position.things:
        for name in names(table.asked, thing):
            offered = offer(table, thing, name)
            if isinstance(offered, Refusal) and offered.role == "restriction":
                by = offered.about[-1]
                found.append(
                    because(rules, "restriction", "broken.restriction", offered.about, thing=thing.id, by=by, verb=name)
                )
    return found


def _unpaid(table: Table) -> list[Because]:
    """Say what forbids each effect-cost that is left, or that there is nothing for it."""
    found = []
    for i in open_terms(table):
        verb = table.due.effects[i].act.verb
        tried = [pay_effect(table, Choice(i, things)) for things in picks(table, i)]
        why = [one for one in tried if isinstance(one, Because)][:1]
        found += why or [because(table.asked.ruleset, "effect", "broken.effect.nothing", verb=verb)]
    return found
