"""Ways as JSON lines, at the speed of reading a diagram: one line a way, nothing held.

The lines hold what `pay --json` says of a way, but for the referee's replay: a stream of millions is read from the
diagram, whose listed ways the referee replays elsewhere. Its first line says so.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from math import inf
from sys import maxsize
from typing import TYPE_CHECKING, Any

from lawful.model.errors import LimitReached
from lawful.model.payment import Payment
from lawful.model.unplayed import refuse_unplayed
from lawful.model.verdict import Reached
from lawful.unread import unread

if TYPE_CHECKING:
    from lawful.model.declaration import Question
    from lawful.model.limits import Clock, Limits
    from lawful.model.page import Page
    from lawful.model.payment import Level, Outcome
    from lawful.model.verdict import Status
    from lawful.solver.found import Found


def stream(
    question: Question,
    level: Level,
    limits: Limits,
    *,
    page: Page,
    by_name: bool,
    limit: int | None,
    timed: bool = True,
    faults: Sequence[str] = (),
) -> Iterator[str]:
    """Yield the answer as JSON lines: the head, one line for each way, the end.

    Parameters
    ----------
    question : Question
        What is asked.
    level : {"outcomes", "sources", "allocations", "sequences"}
        What counts as one way.
    limits : Limits
        What it may cost; how many are listed is not limited by it.
    page : Page
        Which ways.
    by_name : bool
        Whether equal cards are merged.
    limit : int, optional
        Ways that are listed at most.
    timed : bool
        Whether the time of `limits` is also for listing; else it is for the head alone.
    faults : sequence of str
        Rows of card files that could not be read.

    Yields
    ------
    str
        ``{"type": "answer", ...}``, then ``{"type": "way", ...}`` for each, then ``{"type": "end", ...}``.
    """
    from lawful.api import open_points
    from lawful.document import SCHEMA_VERSION, nearest, reached_document, reasons_document
    from lawful.leftout import left_out, unread_document
    from lawful.model.limits import Clock
    from lawful.playing import play, why_unpaid
    from lawful.solver.diagram import OverBudget
    from lawful.solver.ways import counted, find

    refuse_unplayed(question)
    clock = Clock(limits.seconds)
    found = find(question, limits=limits, play=play, clock=clock)
    counts = counted(found, level, clock)
    verdict: Status = "legal" if counts[level] else "illegal"
    readings = {}
    for point, others in open_points(question):
        for name, asked in others:
            count = counted(find(asked, limits=limits, play=play, clock=clock), level, clock)[level]
            readings[f"{point.id}: {name}"] = {"verdict": "legal" if count else "illegal", "count": count}
    if any(reading["verdict"] != verdict for reading in readings.values()):
        verdict = "undetermined"
    left = unread(question, "pay")
    as_read: Status | None = None
    if left and not question.ignore_unread:
        verdict, as_read = "undetermined", verdict
    head = {
        "type": "answer",
        "schema_version": SCHEMA_VERSION,
        "ruleset": question.ruleset.id,
        "rules_version": question.ruleset.version,
        "verdict": verdict,
        "readings": readings,
        "complete": found.complete and as_read is None,
        "level": level,
        "count": counts[level],
        "counts": counts,
        "engine": found.engine,
        "limit": found.reached[0].limit if found.reached else None,
        "replayed": False,
        **unread_document(left, as_read),
        **left_out(faults),
    }
    yield json.dumps(head, ensure_ascii=False)
    spell, listed = _Spelling(question, by_name), 0
    most = None if limit is None else min(limit, maxsize)
    reached = found.reached
    try:
        for line in islice(_lines(found, level, by_name, page, clock if timed else Clock(inf), spell), most):
            yield line
            listed += 1
    except LimitReached as cut:
        reached.append(Reached(cut.limit, cut.value, cut.where or "listing"))
    except OverBudget as over:
        reached.append(Reached(over.limit, clock.seconds if over.limit == "seconds" else over.value, "listing"))
    reasons, lacking = ((), ()) if counts[level] else why_unpaid(question, limits, found.engine, clock, reached)
    end = {
        "type": "end",
        "listed": listed,
        "complete": found.complete and as_read is None,
        "reasons": reasons_document(question, reasons, by_name),
        "nearest": nearest(lacking),
        "reached": reached_document(reached),
    }
    yield json.dumps(end, ensure_ascii=False)


def _lines(found: Found, level: Level, by_name: bool, page: Page, clock: Clock, spell: _Spelling) -> Iterator[str]:
    """Yield the lines of ways: in bulk where all that is said of a way can be put together from pieces."""
    from lawful.bulk import Bulk
    from lawful.solver.charted import Charted
    from lawful.solver.diagram import OverBudget
    from lawful.solver.listing import Listing

    plain = not by_name and page.sample is None and not page.best
    if plain and isinstance(found, Charted) and level in ("sources", "allocations"):
        with suppress(OverBudget):  # way by way, then
            chart = found.singly(clock)
            if Bulk.fits(chart):
                diagram = Listing(chart, chart.nodes, clock).diagram(False, page.minimal)
                bulk = Bulk(chart, diagram, level, spell.names, chart.nodes, clock)
                yield from bulk.lines(page.start, lambda n: spell.head(*chart.declared(n)), spell.tail)
                return
    for key, payment, outcome, copies in found.lines(level, by_name, page, clock):
        yield spell.way(key, payment, outcome, copies)


class _Spelling:
    """Spells ways; what many ways share is spelled once."""

    def __init__(self, question: Question, by_name: bool) -> None:
        from lawful.model.referee.amounts import due
        from lawful.ways import shown_names

        self.question, self._due = question, due
        self.names = {
            thing: json.dumps(name, ensure_ascii=False) for thing, name in shown_names(question, by_name).items()
        }
        self._owed: dict[tuple[object, ...], list[tuple[str, str]]] = {}
        self._acts: dict[tuple[object, ...], list[str]] = {}
        self._demands: dict[tuple[object, ...], list[tuple[str, str]]] = {}
        self._tails: dict[Outcome, str] = {}

    def _head(self, payment: Payment) -> tuple[list[tuple[str, str]], list[str]]:
        declared = payment.x, payment.options
        if declared not in self._owed:
            owed = self._due(self.question, *declared)
            self._owed[declared] = [(asset.id, json.dumps(f"{amount}{asset.id}")) for asset, amount in owed.parts]
            from lawful.model.referee.telling import spell_demand

            self._demands[declared] = [(spell_demand(demand), demand.cost) for demand in owed.demands]
            self._acts[declared] = [json.dumps(effect.act.verb.replace("_", " ")) for effect in owed.effects]
        return self._owed[declared], self._acts[declared]

    def head(self, options: tuple[str, ...], x: int | None) -> tuple[list[tuple[str, str]], str]:
        """Return the parts due for a declaration, and how keys begin with it."""
        parts, _ = self._head(Payment(options=options, x=x))
        start = " ".join([*(f"+{option}" for option in options), *([] if x is None else [f"X={x}"])])
        return parts, json.dumps(start, ensure_ascii=False)[1:-1]

    def tail(self, outcome: Outcome) -> str:
        """Return what is said of an outcome."""
        if outcome not in self._tails:
            left: dict[str, Any] = {
                "x": {} if outcome.x is None else {"X": outcome.x},
                "options": list(outcome.options),
                "pool": dict(outcome.pool),
                "overpaid": dict(outcome.overpaid),
            }
            self._tails[outcome] = json.dumps(left, ensure_ascii=False)[1:-1]
        return self._tails[outcome]

    def _at_once(self, payment: Payment) -> Iterator[str]:
        """Yield the steps of parts that are paid at once."""
        for j, (pay, cost) in enumerate(self._demands[payment.x, payment.options]):
            mine = [spend for spend in payment.spends if spend.part == j]
            given: dict[str, int] = {}
            for spend in mine:
                given[spend.as_] = given.get(spend.as_, 0) + spend.n
            used = [json.loads(self.names[thing]) for thing in dict.fromkeys(s.thing for s in mine if s.thing)]
            yield json.dumps({"pay": pay, "with": used, "cost": cost, "as": given}, ensure_ascii=False)

    def way(self, key: str, payment: Payment, outcome: Outcome, copies: int) -> str:
        """Return the line of one way."""
        names = self.names
        parts, acts = self._head(payment)
        with_: dict[str, list[str]] = {asset: [] for asset, _ in parts}
        for use in payment.uses:
            with_.setdefault(use.part, []).append(names[use.thing])
        steps = [f'{{"pay": {said}, "with": [{", ".join(with_[asset])}]}}' for asset, said in parts]
        steps += self._at_once(payment)
        steps += [
            f'{{"pay": {acts[c.term]}, "with": [{", ".join(names[thing] for thing in c.things)}]}}'
            for c in payment.choices
        ]
        sources = ", ".join(names[use.thing] for use in payment.uses)
        return (
            f'{{"type": "way", "sources": [{sources}], "steps": [{", ".join(steps)}], {self.tail(outcome)}, '
            f'"copies": {copies}, "key": {json.dumps(key, ensure_ascii=False)}}}'
        )
