"""The lines of an answer that was enumerated by groups of equal sources: spelled out one member after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import merge

from lawful.model.errors import LimitReached
from lawful.model.payment import Level, Payment
from lawful.solver.encode.allocation import looks
from lawful.solver.families import Families, Family
from lawful.solver.keys import Keys
from lawful.solver.spelling import Line, Members, Speller

MANY_SEQUENCES = 200_000


class Lines:
    """Spells families out.

    Parameters
    ----------
    families : Families
        What was found.
    """

    def __init__(self, families: Families) -> None:
        self.found, self.f, self.model = families, families.f, families.model
        self.orders = families.orders
        self.spell = Speller(families)
        self.keys_of = Keys(self.f.question)
        self._group_of = [
            next(g for g, group in enumerate(self.model.groups) if any(m is c for m in group.members))
            for c in self.f.sources
        ]

    def lines(self, level: Level, by_name: bool) -> Iterator[Line]:
        """Yield the ways at a level, in canonical order."""
        if by_name and level == "sequences":
            yield from self._named_sequences()
        elif level == "outcomes":
            yield from self._merged(level, self.found.outcome)
        elif by_name:
            yield from self._merged(level, lambda family: self.found.name(family, level))
        elif level == "sources":
            yield from self._sets()
        else:
            for family, members in self._expanded(self.orders):
                if level == "sequences":
                    for payment in self.spell.sequences(family, members, self.orders[family]):
                        yield self._line(level, family, payment)
                else:
                    yield self._line(level, family, self.spell.payment(family, members, min(self.orders[family])))

    def _line(self, level: Level, family: Family, payment: Payment, copies: int = 1) -> Line:
        outcome = self.found.outcome(family)
        return self.keys_of.of(payment, level, outcome), payment, outcome, copies

    def _merged(self, level: Level, tell: Callable[[Family], object]) -> Iterator[Line]:
        """Yield one line for all families of which the same is told: the first of their ways."""
        alike: dict[object, list[Family]] = {}
        for family in self.orders:
            alike.setdefault(tell(family), []).append(family)
        firsts = []
        for families in alike.values():
            starts = [(f, next(self._choose(f, f.used))) for f in families]
            parts = level != "sources"
            ranked = (((self.spell.rank(f, m, parts=parts), self.spell.rank(f, m)), f, m) for f, m in starts)
            rank, family, members = min(ranked, key=lambda first: first[0])
            firsts.append((rank, family, members, self._weight(families, level)))
        for _, family, members, copies in sorted(firsts, key=lambda f: f[0]):
            yield self._line(level, family, self.spell.payment(family, members, min(self.orders[family])), copies)

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

    def _expanded(self, families: Iterable[Family]) -> Iterator[tuple[Family, Members]]:
        """Yield every choice of members, in canonical order."""

        def stream(family: Family) -> Iterator[tuple[tuple[object, ...], Family, Members]]:
            for members in self._choose(family, family.used):
                yield self.spell.rank(family, members), family, members

        for _, family, members in merge(*map(stream, families), key=lambda line: line[0]):
            yield family, members

    def _sets(self) -> Iterator[Line]:
        """Yield every source set, with the first of its allocations as a witness."""
        alike: dict[object, list[Family]] = {}
        for family in self.orders:
            alike.setdefault(family.set_key, []).append(family)

        def stream(families: list[Family]) -> Iterator[tuple[tuple[object, ...], list[Family], Members]]:
            for members in self._choose(families[0], tuple((n,) for n in families[0].totals)):
                yield self.spell.rank(families[0], members, parts=False), families, members

        for _, families, chosen in merge(*map(stream, alike.values()), key=lambda line: line[0]):
            found = [(f, self._first(f, chosen)) for f in families]
            family, members = min(found, key=lambda f: self.spell.rank(*f))
            yield self._line("sources", family, self.spell.payment(family, members, min(self.orders[family])))

    def _first(self, family: Family, chosen: Members) -> Members:
        """Return the first allocation of a family that uses just these sources."""
        left = [list(uses) for uses in family.used]
        members = []
        for i, (n,) in enumerate(chosen):
            uses = left[self._group_of[i]]
            mine = [0] * len(uses)
            for k in range(len(uses)):
                mine[k] = min(uses[k], n - sum(mine))
                uses[k] -= mine[k]
            members.append(tuple(mine))
        return tuple(members)

    def _choose(self, family: Family, used: tuple[tuple[int, ...], ...]) -> Iterator[Members]:
        """Yield every way to share out a family's uses among the members of its groups."""
        parts = len(used[0]) if used else 0
        left = [list(uses) for uses in used]
        free = [len(group.members) for group in self.model.groups]
        chosen: list[tuple[int, ...]] = []
        none = (0,) * parts

        def walk(i: int) -> Iterator[Members]:
            if i == len(self.f.sources):
                yield tuple(chosen)
                return
            g = self._group_of[i]
            if self.found.members(self.model.groups[g]) is None:
                chosen.append(tuple(left[g]))
                yield from walk(i + 1)
                chosen.pop()
                return
            free[g] -= 1
            for k in range(parts):
                if left[g][k]:
                    left[g][k] -= 1
                    chosen.append((*none[:k], 1, *none[k + 1 :]))
                    yield from walk(i + 1)
                    chosen.pop()
                    left[g][k] += 1
            if free[g] >= sum(left[g]):
                chosen.append(none)
                yield from walk(i + 1)
                chosen.pop()
            free[g] += 1

        yield from walk(0)
