"""From what a family says to payments: witnesses, orders, and where each stands in canonical order.

Canonical order: fewer options first, then by their names; then X; then object by object in the order of the position:
for each of its sources, more uses before fewer, earlier parts first; then which effect-costs pick it. Of parts paid at
once then how much each takes, and how much is given as what for each, and left over: more before less. Where ways are
told apart by their sources only, the parts are left out of that. Sequences of one allocation follow each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeAlias

from lawful.model.payment import Choice, Outcome, Payment, Spend, Use
from lawful.model.ruleset import AssetRule
from lawful.solver.encode.sources import Candidate
from lawful.solver.families import Family, Meaning
from lawful.solver.split import in_order

Members: TypeAlias = tuple[tuple[int, ...], ...]
"""For each source of the frame, how often it is used for each part."""

Line: TypeAlias = tuple[str, Payment, Outcome, int]


class Speller:
    """Spells families out.

    Parameters
    ----------
    meaning : Meaning
        Reads the families.
    """

    def __init__(self, meaning: Meaning) -> None:
        self.meaning, self.f = meaning, meaning.f
        self._terms = meaning.model.effects.terms
        self._touched = meaning.model.effects.touched
        self._at = {thing.id: i for i, thing in enumerate(self.f.question.position.things)}
        self._source = {id(c): i for i, c in enumerate(self.f.sources)}
        self._points: dict[str, dict[int, int]] = {}
        self._uses: dict[str, dict[int, Use]] = {}
        self._of_thing: dict[str, list[int]] = {}
        for i, candidate in enumerate(self.f.sources):
            self._of_thing.setdefault(candidate.thing.id, []).append(i)

    def rank(self, family: Family, members: Members, *, parts: bool = True) -> tuple[object, ...]:
        """Return what ways are sorted by; with `parts` false, as sets of sources."""
        plan = self.meaning.plan(family)
        due = [e.key for e in plan.effects]
        picked = {self._place(due[i]): set(ids) for i, ids in enumerate(family.picks)}
        vector: list[tuple[int, ...]] = []
        for thing in self.f.question.position.things:
            for i in self._of_thing.get(thing.id, ()):
                uses = members[i]
                vector.append(tuple(-n for n in uses) if parts else (-sum(uses),))
            if thing.id in self._touched:
                vector.append(tuple(-(thing.id in picked.get(j, ())) for j in range(len(self._terms))))
        given = tuple(-n for n in (*family.numbers, *(family.cells if parts else ())))
        return len(plan.options), plan.options, family.x or 0, tuple(vector), *([given] if given else [])

    def _place(self, key: tuple[str, int]) -> int:
        return next(j for j, term in enumerate(self._terms) if term.due.key == key)

    def in_parts(self, members: Members) -> list[list[Candidate]]:
        """Return for every part what is used for it, in the order of the position."""
        parts: list[list[Candidate]] = [[] for _ in self.f.parts]
        for candidate, uses in zip(self.f.sources, members, strict=True):
            for k, n in enumerate(uses):
                if n:
                    parts[k] += [candidate] * n
        return parts

    def payment(self, family: Family, members: Members, order: tuple[int, ...]) -> Payment:
        """Return a witness: in each part the source that gives most comes last."""
        uses: list[Use] = []
        in_parts = self.in_parts(members)
        for k, (part, candidates) in enumerate(zip(self.f.parts, in_parts, strict=True)):
            if k == self.f.joint:
                uses += [self.use(c, "") for c in candidates]
                continue
            points = self.points(part)
            last = max(reversed(range(len(candidates))), key=lambda i: points(candidates[i]), default=None)
            ordered = candidates if last is None else [*candidates[:last], *candidates[last + 1 :], candidates[last]]
            uses += [self.use(c, part.id) for c in ordered]
        spends = next(self.spends(family, in_parts))
        return Payment(tuple(uses), self.choices(family, order), family.x, self.meaning.plan(family).options, spends)

    def spends(self, family: Family, in_parts: list[list[Candidate]]) -> Iterator[tuple[Spend, ...]]:
        """Yield the ways in which the points of these sources are given for the parts that are paid at once."""
        joint, splitter = self.meaning.model.joint, self.meaning.splitter
        purses, room = self.meaning.by_source(family, in_parts) if family.cells else ([], ())
        if joint is None or splitter is None or not room:
            yield ()
            return
        used = {self._source[id(c)] for part in in_parts for c in part}
        places = {-1: -1, **joint.places(self.meaning.plan(family), family.x, used)}
        for spends in splitter.each(purses, room):
            yield in_order((replace(s, part=places[s.part]) for s in spends), self._at)

    def points(self, part: AssetRule) -> Callable[[Candidate], int]:
        """Return what a source gives towards a part, replacements that always apply included."""
        known = self._points.setdefault(part.id, {})

        def points(candidate: Candidate) -> int:
            if id(candidate) not in known:
                gain = dict(self.f.chains(candidate)[0].gain)
                known[id(candidate)] = sum(gain.get(asset, 0) for asset in part.accepts)
            return known[id(candidate)]

        return points

    def use(self, candidate: Candidate, part: str) -> Use:
        """Return one use of a source."""
        known = self._uses.setdefault(part, {})
        if id(candidate) not in known:
            replaced = tuple(r.thing for r in self.f.chains(candidate)[0].replaced)
            known[id(candidate)] = Use(candidate.thing.id, part, candidate.source, replaced)
        return known[id(candidate)]

    def choices(self, family: Family, order: tuple[int, ...]) -> tuple[Choice, ...]:
        """Return what effect-costs pick, in an order."""
        return tuple(Choice(i, family.picks[i]) for i in order)

    def sequences(self, family: Family, members: Members, orders: set[tuple[int, ...]]) -> Iterator[Payment]:
        """Yield the payments of one allocation, in every order."""
        short = self.meaning.settled(family).short
        parts = self.in_parts(members)
        for uses in self._in_every_order(parts, short, 0):
            for order in sorted(orders):
                choices, options = self.choices(family, order), self.meaning.plan(family).options
                for spends in self.spends(family, parts):
                    yield Payment(uses, choices, family.x, options, spends)

    def _in_every_order(
        self, parts: list[list[Candidate]], short: tuple[int, ...], k: int
    ) -> Iterator[tuple[Use, ...]]:
        if k == len(parts):
            yield ()
            return
        part = self.f.parts[k]
        if k == self.f.joint:
            for rest in self._in_every_order(parts, short, k + 1):
                yield (*(self.use(c, "") for c in parts[k]), *rest)
            return
        for ordered in in_orders(parts[k], self.points(part), short[k], part.generate):
            here = tuple(self.use(c, part.id) for c in ordered)
            for rest in self._in_every_order(parts, short, k + 1):
                yield here + rest


def in_orders(
    candidates: list[Candidate], points: Callable[[Candidate], int], short: int, generate: str
) -> Iterator[tuple[Candidate, ...]]:
    """Yield the orders in which each source is used while still short; equal uses of one object are not told apart."""
    if not candidates:
        yield ()
        return
    if generate != "freely" and short <= 0:
        return
    seen = set()
    for i, first in enumerate(candidates):
        if id(first) in seen:
            continue
        seen.add(id(first))
        rest = candidates[:i] + candidates[i + 1 :]
        for others in in_orders(rest, points, short - points(first), generate):
            yield (first, *others)
