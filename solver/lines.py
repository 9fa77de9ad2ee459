"""The lines of an answer, in canonical order: families of equal sources, spelled out one member after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from heapq import merge

from lawful.model.errors import LimitReached
from lawful.model.payment import Choice, Level, Outcome, Payment, Spend, Use, project
from lawful.model.ruleset import AssetRule
from lawful.solver.encode.allocation import looks
from lawful.solver.encode.sources import Candidate
from lawful.solver.families import Families, Family
from lawful.solver.keys import way_key
from lawful.solver.split import in_order

MANY_SEQUENCES = 200_000
Line = tuple[str, Payment, Outcome, int]


class Lines:
    """Spells families out.

    Parameters
    ----------
    families : Families
        What was found.
    minimal : bool
        Whether only ways without a superfluous source are spelled.
    """

    def __init__(self, families: Families, minimal: bool = False) -> None:
        self.found, self.f, self.model = families, families.f, families.model
        self.orders = families.orders
        if minimal:
            self.orders = {family: order for family, order in families.orders.items() if families.is_minimal(family)}
        self.minimal = minimal
        self._place = {id(c): i for i, c in enumerate(self.f.sources)}

    def lines(self, level: Level, by_name: bool) -> Iterator[Line]:
        """Yield the ways at a level, in canonical order."""
        if by_name and level == "sequences":
            yield from self._named_sequences()
        elif by_name:
            yield from self._named_lines(level)
        elif level == "sequences":
            for family, members in self._expanded(self.orders):
                yield from self._sequences(family, members)
        else:
            seen: set[object] = set()
            most = -1 if self.minimal else self.found.counts()[level]
            for family, members in self._expanded(self.orders):
                payment, outcome = self._payment(family, members), self.found.outcome(family)
                told = outcome if level == "outcomes" else project(payment, level)
                if told not in seen:
                    seen.add(told)
                    yield way_key(self.f.question, payment, level, outcome), payment, outcome, 1
                    if len(seen) == most:
                        return

    def _named_lines(self, level: Level) -> Iterator[Line]:
        alike: dict[tuple[object, ...], list[Family]] = {}
        for family in self.orders:
            alike.setdefault(self.found.name(family, level), []).append(family)
        firsts = []
        for families in alike.values():
            family, members = next(self._expanded(families))
            copies = self._weight(families, level)
            firsts.append((self._rank(family, members), family, members, copies))
        for _, family, members, copies in sorted(firsts, key=lambda f: f[0]):
            payment, outcome = self._payment(family, members), self.found.outcome(family)
            yield way_key(self.f.question, payment, level, outcome), payment, outcome, copies

    def _named_sequences(self) -> Iterator[Line]:
        """Yield the orders that can be told apart by name, the first of each with its number."""
        if self.found.counts()["sequences"] > MANY_SEQUENCES:
            raise LimitReached("sequences merged by name", MANY_SEQUENCES, "ask for another level")
        whose = {t.id: str(looks(t)) for t in self.f.question.position.things}
        found: dict[object, list[Line]] = {}
        for line in self.lines("sequences", False):
            payment = line[1]
            uses = tuple((whose[u.thing], u.source, u.part) for u in payment.uses)
            choices = tuple((c.term, tuple(sorted(whose[id] for id in c.things))) for c in payment.choices)
            shares: dict[tuple[str, str], list[tuple[object, ...]]] = {}
            for s in payment.spends:
                shares.setdefault((s.thing, s.source), []).append((s.part, s.as_, s.n, s.asset))
            spends = tuple(sorted(str((whose.get(id, ""), source, of)) for (id, source), of in shares.items()))
            if self.f.joint is not None:
                uses = tuple(sorted(uses))
            found.setdefault((payment.options, payment.x, uses, choices, spends), []).append(line)
        for lines in found.values():
            yield (*lines[0][:3], len(lines))

    def _weight(self, families: list[Family], level: Level) -> int:
        if level == "outcomes":
            return 1
        if level == "sources":
            return sum(self.found.sets(family) for family in {f.set_key: f for f in families}.values())
        if level == "allocations":
            return sum(map(self.found.allocations, families))
        return sum(self.found.allocations(x) * self.found.arrangements(x) * len(self.orders[x]) for x in families)

    def _rank(self, family: Family, members: tuple[tuple[int, ...], ...]) -> tuple[object, ...]:
        options = self.found.plan(family).options
        return len(options), options, family.x or 0, members, family.picks, tuple(-n for n in family.cells)

    def _expanded(self, families: Iterable[Family]) -> Iterator[tuple[Family, tuple[tuple[int, ...], ...]]]:
        """Yield every choice of members, in canonical order: for each source the parts that it is used for."""
        streams = map(self._stream, families)
        for _, family, members in merge(*streams, key=lambda line: line[0]):
            yield family, members

    def _stream(self, family: Family) -> Iterator[tuple[tuple[object, ...], Family, tuple[tuple[int, ...], ...]]]:
        for members in self._choose(family):
            yield self._rank(family, members), family, members

    def _choose(self, family: Family) -> Iterator[tuple[tuple[int, ...], ...]]:
        unused = len(self.f.parts)
        group_of = {self._place[id(member)]: g for g, group in enumerate(self.model.groups) for member in group.members}
        left = [list(uses) for uses in family.used]
        free = [len(group.members) for group in self.model.groups]
        chosen: list[tuple[int, ...]] = []

        def walk(i: int) -> Iterator[tuple[tuple[int, ...], ...]]:
            if i == len(self.f.sources):
                yield tuple(chosen)
                return
            g = group_of[i]
            if self.found.members(self.model.groups[g]) is None:
                chosen.append(tuple(k for k, n in enumerate(left[g]) for _ in range(n)) or (unused,))
                yield from walk(i + 1)
                chosen.pop()
                return
            free[g] -= 1
            for k in range(unused):
                if left[g][k]:
                    left[g][k] -= 1
                    chosen.append((k,))
                    yield from walk(i + 1)
                    chosen.pop()
                    left[g][k] += 1
            if free[g] >= sum(left[g]):
                chosen.append((unused,))
                yield from walk(i + 1)
                chosen.pop()
            free[g] += 1

        yield from walk(0)

    def _in_parts(self, members: tuple[tuple[int, ...], ...]) -> list[list[Candidate]]:
        parts: list[list[Candidate]] = [[] for _ in self.f.parts]
        for candidate, used in zip(self.f.sources, members, strict=True):
            for k in used:
                if k < len(parts):
                    parts[k].append(candidate)
        return parts

    def _payment(self, family: Family, members: tuple[tuple[int, ...], ...]) -> Payment:
        """Return a witness: in each part the source that gives most comes last."""
        uses: list[Use] = []
        in_parts = self._in_parts(members)
        for k, (part, candidates) in enumerate(zip(self.f.parts, in_parts, strict=True)):
            if k == self.f.joint:
                uses += [self._use(c, "") for c in candidates]
                continue
            last = max(reversed(candidates), key=self._points(part), default=None)
            ordered = [c for c in candidates if c is not last] + [c for c in candidates if c is last]
            uses += [self._use(c, part.id) for c in ordered]
        order = min(self.orders[family])
        spends = next(self._spends(family, in_parts))
        return Payment(tuple(uses), self._choices(family, order), family.x, self.found.plan(family).options, spends)

    def _spends(self, family: Family, in_parts: list[list[Candidate]]) -> Iterator[tuple[Spend, ...]]:
        """Yield the ways in which the points of these sources are given for the parts that are paid at once."""
        if self.found.splitter is None or not family.cells:
            yield ()
            return
        purses, room = self.found.by_source(family, in_parts)
        if not room:
            yield ()
            return
        places = {-1: -1, **self.f.places(self.found.plan(family), family.x)}
        for spends in self.found.splitter.each(purses, room):
            yield tuple(sorted((replace(s, part=places[s.part]) for s in spends), key=in_order))

    def _points(self, part: AssetRule) -> Callable[[Candidate], int]:
        """Return what a source gives towards a part, replacements that always apply included."""

        def points(candidate: Candidate) -> int:
            gain = dict(self.f.chains(candidate)[0].gain)
            return sum(gain.get(asset, 0) for asset in part.accepts)

        return points

    def _use(self, candidate: Candidate, part: str) -> Use:
        replaced = tuple(r.thing for r in self.f.chains(candidate)[0].replaced)
        return Use(candidate.thing.id, part, candidate.source, replaced)

    def _choices(self, family: Family, order: tuple[int, ...]) -> tuple[Choice, ...]:
        return tuple(Choice(i, family.picks[i]) for i in order)

    def _sequences(self, family: Family, members: tuple[tuple[int, ...], ...]) -> Iterator[Line]:
        settled = self.found.settled(family)
        parts = self._in_parts(members)
        for uses in self._in_every_order(parts, settled.short, 0):
            for order in sorted(self.orders[family]):
                choices, options = self._choices(family, order), self.found.plan(family).options
                for spends in self._spends(family, parts):
                    payment = Payment(uses, choices, family.x, options, spends)
                    yield way_key(self.f.question, payment, "sequences", settled.outcome), payment, settled.outcome, 1

    def _in_every_order(
        self, parts: list[list[Candidate]], short: tuple[int, ...], k: int
    ) -> Iterator[tuple[Use, ...]]:
        if k == len(parts):
            yield ()
            return
        part = self.f.parts[k]
        if k == self.f.joint:
            for rest in self._in_every_order(parts, short, k + 1):
                yield (*(self._use(c, "") for c in parts[k]), *rest)
            return
        for ordered in _orders(parts[k], self._points(part), short[k], part.generate):
            here = tuple(self._use(c, part.id) for c in ordered)
            for rest in self._in_every_order(parts, short, k + 1):
                yield here + rest


def _orders(
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
        for others in _orders(rest, points, short - points(first), generate):
            yield (first, *others)
