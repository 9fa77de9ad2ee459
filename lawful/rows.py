"""Ways as rows of a file: read from a diagram, or told one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawful.exported import Column, unlike
from lawful.model.declaration import Question
from lawful.model.limits import Clock
from lawful.model.payment import Level, Payment
from lawful.model.referee.amounts import due
from lawful.solver.chart import Chart
from lawful.solver.dd.blocks import blocks, labels, packing
from lawful.solver.dd.planning import Layer
from lawful.solver.diagram import Diagram
from lawful.solver.found import Found

Rank = NDArray[np.int32]
BLOCK = 1 << 16


class Charted:
    """Rows read from a diagram by single sources.

    Parameters
    ----------
    chart : Chart
        The chart.
    level : {"sources", "allocations"}
        The level.
    """

    def __init__(self, chart: Chart, level: Level) -> None:
        self.chart = chart
        self.diagram = chart.sources if level == "sources" else chart.allocations
        self.count = self.diagram.count()
        found = [self._column(i, level) for i in range(len(self.diagram.layers))]
        self.columns = named(found)

    def _column(self, i: int, level: Level) -> tuple[str, str, list[str], list[Any], dict[str, Any]]:
        chart, kind, mine = self.chart, self.chart.kinds[i], self.diagram.layers[i].labels
        terms = {term.due.key: j for j, term in enumerate(chart.model.effects.terms)}
        if kind.what == "declared":
            said = [(*chart.declared(n), chart.read_declared(label)[0]) for n, label in enumerate(mine)]
            values = [
                {"options": list(o), "x": x, "effects": [terms[e.key] for e in chart.f.plans[plan].effects]}
                for o, x, plan in said
            ]
            return "declared", "declared", [_declared(o, x) for o, x, _ in said], values, {}
        if kind.what == "picks":
            verbs = unlike([term.due.act.verb for term in chart.model.effects.terms])
            picks = [[j for j, n in enumerate(label) if n] for label in mine]
            return f"{kind.thing}:", "picks", [_picked(verbs, p) for p in picks], list(picks), {"thing": kind.thing}
        source = chart.model.groups[kind.group].members[0]
        gone = tuple(r.thing for r in chart.f.chains(source)[0].replaced)
        more = {"thing": kind.thing, "source": source.source, "replaced": gone}
        name = _source(chart.f.question, kind.thing, source.source)
        if level == "sources":
            return name, "uses", [str(label[0]) for label in mine], [label[0] for label in mine], more
        parts = [part.id for part in chart.f.parts]
        uses = [[[part, n] for part, n in zip(parts, label, strict=True) if n] for label in mine]
        return name, "uses", [_used(u) for u in uses], list(uses), more

    def blocks(self) -> Iterator[Rank]:
        """Yield the rows, as indexes of the values of each column."""
        for block in blocks(self.diagram, BLOCK):
            yield labels(self.diagram, block)


class Listed:
    """Rows told one by one, twice: first for what the columns can say, then for the rows.

    Parameters
    ----------
    question : Question
        What is asked.
    found : Found
        Its ways.
    level : {"sources", "allocations"}
        The level.
    clock : Clock
        Time for it.
    """

    def __init__(self, question: Question, found: Found, level: Level, clock: Clock) -> None:
        self.question, self.found, self.level, self.clock = question, found, level, clock
        place = {thing.id: i for i, thing in enumerate(question.position.things)}
        self._effects: dict[tuple[int | None, tuple[str, ...]], list[str]] = {}
        seen: dict[tuple[Any, ...], dict[Any, int]] = {("declared", "", ""): {}}
        self.count = 0
        for payment in self._payments():
            self.count += 1
            for key, value in self._cells(payment).items():
                seen.setdefault(key, {}).setdefault(value, 0)
        kinds = ("declared", "uses", "picks", "given", "replaced")
        self._keys = sorted(seen, key=lambda k: (kinds.index(k[0]), place.get(k[1], 0), str(k[2])))
        self._values = []
        for key in self._keys:
            values = list(seen[key])
            if key[0] != "declared" and () not in values:
                values.append(())  # where it is not used, picked, given
            self._values.append({value: n for n, value in enumerate(values)})
        self.columns = named([self._column(key, list(v)) for key, v in zip(self._keys, self._values, strict=True)])

    def _payments(self) -> Iterator[Payment]:
        for _, payment, _, _ in self.found.lines(self.level, False, clock=self.clock):
            yield payment

    def _cells(self, payment: Payment) -> dict[tuple[Any, ...], Any]:
        """Return what a way says in each column where it says something."""
        declared = payment.x, payment.options
        if declared not in self._effects:
            effects = due(self.question, *declared).effects
            self._effects[declared] = unlike([effect.act.verb for effect in effects])
        cells: dict[tuple[Any, ...], Any] = {("declared", "", ""): (payment.options, payment.x, len(payment.choices))}
        for use in payment.uses:
            key: tuple[Any, ...] = ("uses", use.thing, use.source)
            part = use.part if self.level == "allocations" else "*"
            uses = dict(cells.get(key, ()))
            cells[key] = tuple({**uses, part: uses.get(part, 0) + 1}.items())
        for choice in payment.choices:
            for thing in choice.things:
                key = "picks", thing, ""
                cells[key] = (*cells.get(key, ()), (choice.term, self._effects[declared][choice.term]))
        for spend in payment.spends:
            if spend.part >= 0 or self.level == "allocations":
                key = "given", "", spend.part
                given = dict(cells.get(key, ()))
                as_ = spend.as_ if self.level == "allocations" else ""
                cells[key] = tuple(sorted({**given, as_: given.get(as_, 0) + spend.n}.items()))
        gone = tuple(sorted({thing for use in payment.uses for thing in use.replaced}))
        return {**cells, ("replaced", "", ""): gone} if gone else cells

    def _column(self, key: tuple[Any, ...], values: list[Any]) -> tuple[str, str, list[str], list[Any], dict[str, Any]]:
        what, thing, more = key
        if what == "declared":
            said = [{"options": list(o), "x": x, "effects": list(range(n))} for o, x, n in values]
            return "declared", what, [_declared(o, x) for o, x, _ in values], said, {}
        if what == "uses":
            name, about = _source(self.question, thing, more), {"thing": thing, "source": more}
            if self.level == "sources":
                counts = [dict(value).get("*", 0) for value in values]
                return name, what, [str(n) for n in counts], list(counts), about
            return name, what, [_used(value) for value in values], [[list(u) for u in v] for v in values], about
        if what == "picks":
            texts = [" ".join(verb for _, verb in value) for value in values]
            return f"{thing}:", what, texts, [[term for term, _ in value] for value in values], {"thing": thing}
        if what == "given":
            name = f"part {more + 1}" if more >= 0 else "left over"
            texts = [" ".join(f"{n}{as_}" for as_, n in value) for value in values]
            return name, what, texts, [[list(g) for g in value] for value in values], {"part": more}
        return "replaced", what, [", ".join(value) for value in values], [list(value) for value in values], {}

    def blocks(self) -> Iterator[Rank]:
        """Yield the rows, as indexes of the values of each column."""
        rows: list[list[int]] = []
        for payment in self._payments():
            cells = self._cells(payment)
            rows.append([at[cells.get(key, ())] for key, at in zip(self._keys, self._values, strict=True)])
            if len(rows) == BLOCK:
                yield np.array(rows, dtype=np.int32)
                rows = []
        if rows:
            yield np.array(rows, dtype=np.int32)


def named(found: Sequence[tuple[str, str, list[str], list[Any], dict[str, Any]]]) -> list[Column]:
    """Return columns of which no two have one name, and none has two values that read the same."""
    names = unlike([name for name, *_ in found])
    return [
        Column(name, what, tuple(unlike(texts)), tuple(values), **more)
        for name, (_, what, texts, values, more) in zip(names, found, strict=True)
    ]


def packed(rows: Charted | Listed, check: Callable[[], None]) -> tuple[dict[str, list[int]], NDArray[np.uint64]]:
    """Return where each column stands in a key, and the keys of all rows."""
    shape = Diagram([Layer((), tuple((n,) for n in range(len(c.texts)))) for c in rows.columns], [], True)
    where = packing(shape)
    keys = np.zeros((rows.count, where.words), dtype=np.uint64)
    at = 0
    for block in rows.blocks():
        check()
        for i, (word, shift, bits) in enumerate(zip(where.word, where.shift, where.bits, strict=True)):
            if bits:
                keys[at : at + len(block), word] |= block[:, i].astype(np.uint64) << np.uint64(shift)
        at += len(block)
    return {"word": where.word, "shift": where.shift, "bits": where.bits}, keys


def _declared(options: Sequence[str], x: int | None) -> str:
    return " ".join([*options, *([] if x is None else [f"X={x}"])])


def _source(question: Question, thing: str, source: str) -> str:
    return thing if source == question.ruleset.sources[0].name else f"{thing}/{source}"


def _picked(verbs: Sequence[str], picks: Sequence[int]) -> str:
    return " ".join(verbs[j] for j in picks)


def _used(uses: Sequence[Sequence[Any]]) -> str:
    return " ".join(part or "used" for part, n in uses for _ in range(n))
