"""From what a family says to payments: witnesses, orders, and where each stands in canonical order.

Canonical order: fewer options first, then by their names; then X; then object by object in the order of the position:
for each of its sources, more uses before fewer, earlier parts first; then which effect-costs pick it. Of parts paid at
once then how much each takes, and how much is given as what for each, and left over: more before less. Where ways are
told apart by their sources only, the parts are left out of that. Sequences of one allocation follow each other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import prod
from typing import TypeAlias

from lawful.model.payment import Choice, Outcome, Payment, Spend, Use
from lawful.model.ruleset import AssetRule
from lawful.solver.arranging import Item, arranged, arrangements
from lawful.solver.encode.sources import Candidate
from lawful.solver.families import Family, Meaning
from lawful.solver.split import in_order

Members: TypeAlias = tuple[tuple[int, ...], ...]
"""For each source of the frame, how often it is used for each part."""

Orders: TypeAlias = Iterator[tuple[Use, ...]]

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

    def spends(self, family: Family, in_parts: list[list[Candidate]], skip: int = 0) -> Iterator[tuple[Spend, ...]]:
        """Yield the ways in which the points of these sources are given for the parts that are paid at once."""
        joint, splitter = self.meaning.model.joint, self.meaning.splitter
        purses, room = self.meaning.by_source(family, in_parts) if family.cells else ([], ())
        if joint is None or splitter is None or not room:
            yield ()
            return
        used = {self._source[id(c)] for part in in_parts for c in part}
        places = {-1: -1, **joint.places(self.meaning.plan(family), family.x, used)}
        for spends in splitter.each(purses, room, skip):
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

    def sequences(
        self, family: Family, members: Members, orders: Collection[tuple[int, ...]], skip: int = 0
    ) -> Iterator[Payment]:
        """Yield the payments of one allocation, in every order, from a rank on."""
        parts = self.in_parts(members)
        choices, options = [self.choices(family, order) for order in sorted(orders)], self.meaning.plan(family).options
        shares = self._shares(family, parts)
        within = len(choices) * shares
        start, skip = divmod(skip, within)
        for uses in self._in_every_order(self._orders(family, parts), start):
            first, skip = divmod(skip, shares)
            for chosen in choices[first:]:
                for spends in self.spends(family, parts, skip):
                    yield Payment(uses, chosen, family.x, options, spends)
                skip = 0

    def sequence(self, family: Family, members: Members, orders: Collection[tuple[int, ...]], rank: int) -> Payment:
        """Return the payment of one allocation of a rank."""
        return next(self.sequences(family, members, orders, rank))

    def _shares(self, family: Family, parts: list[list[Candidate]]) -> int:
        """Return in how many ways the points of these sources can be given."""
        splitter = self.meaning.splitter
        purses, room = self.meaning.by_source(family, parts) if family.cells else ([], ())
        return splitter.count(purses, room) if splitter is not None and room else 1

    def _orders(self, family: Family, parts: list[list[Candidate]]) -> list[tuple[int, Callable[[int], Orders]]]:
        """Return for every part the number of orders of its sources, and the orders from a rank on."""
        short = self.meaning.settled(family).short
        found: list[tuple[int, Callable[[int], Orders]]] = []
        for k, (part, candidates) in enumerate(zip(self.f.parts, parts, strict=True)):
            if k == self.f.joint:
                found.append((1, partial(self._at_once, candidates)))
                continue
            points, each = self.points(part), {id(c): c for c in candidates}
            several = list(each.values())
            items = [(points(c), sum(other is c for other in candidates)) for c in several]
            freely = part.generate == "freely"
            uses = [self.use(c, part.id) for c in several]
            found.append((arrangements(items, short[k], freely), partial(_named, uses, items, short[k], freely)))
        return found

    def _at_once(self, candidates: list[Candidate], skip: int) -> Orders:
        yield tuple(self.use(c, "") for c in candidates)

    def _in_every_order(self, parts: list[tuple[int, Callable[[int], Orders]]], skip: int) -> Orders:
        if not parts:
            yield ()
            return
        (_, orders), *rest = parts
        after = prod(count for count, _ in rest)
        if not after:
            return
        start, skip = divmod(skip, after)
        for here in orders(start):
            for others in self._in_every_order(rest, skip):
                yield here + others
            skip = 0


def _named(uses: Sequence[Use], items: Sequence[Item], short: int, freely: bool, skip: int) -> Orders:
    for order in arranged(items, short, freely, skip):
        yield tuple(uses[i] for i in order)
