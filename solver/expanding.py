"""Families of allocations spelled out: which members of groups of equal sources are used, ranked and drawn."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from heapq import merge
from itertools import accumulate
from math import comb, prod

from lawful.model.limits import Clock
from lawful.model.page import Page, Wish, worth
from lawful.model.payment import Level, Payment
from lawful.solver.families import Families, Family
from lawful.solver.keys import Keys
from lawful.solver.meaning import Meaning
from lawful.solver.paging import draw
from lawful.solver.spelling import Line, Members, Speller

Uses = tuple[tuple[int, ...], ...]


class Choosing:
    """The choices of members of groups.

    Parameters
    ----------
    meaning : Meaning
        Of the model whose groups they are.
    """

    def __init__(self, meaning: Meaning) -> None:
        self.groups = meaning.model.groups
        self._several = [meaning.members(group) is not None for group in self.groups]
        self._group_of = [
            next(g for g, group in enumerate(self.groups) if any(m is c for m in group.members))
            for c in meaning.f.sources
        ]

    def count(self, used: Uses) -> int:
        """Return how many choices there are."""
        return prod(self._ways(g, len(group.members), used[g]) for g, group in enumerate(self.groups))

    def _ways(self, g: int, free: int, uses: Sequence[int]) -> int:
        ways = 1
        for n in uses if self._several[g] else ():
            ways *= comb(free, n)
            free -= n
        return ways

    def choose(self, used: Uses, skip: int = 0) -> Iterator[Members]:
        """Yield every way to share out uses among the members of their groups, in canonical order, from a rank on."""
        parts = len(used[0]) if used else 0
        left = [list(uses) for uses in used]
        free = [len(group.members) for group in self.groups]
        chosen: list[tuple[int, ...]] = []
        none = (0,) * parts

        def walk(i: int, skip: int) -> Iterator[Members]:
            if i == len(self._group_of):
                yield tuple(chosen)
                return
            g = self._group_of[i]
            if not self._several[g]:
                chosen.append(tuple(left[g]))
                yield from walk(i + 1, skip)
                chosen.pop()
                return
            free[g] -= 1
            for k in range(parts + 1):
                if k < parts and left[g][k]:
                    left[g][k] -= 1
                    skip = yield from step(i, (*none[:k], 1, *none[k + 1 :]), skip)
                    left[g][k] += 1
                elif k == parts and free[g] >= sum(left[g]):
                    skip = yield from step(i, none, skip)
            free[g] += 1

        def step(i: int, mine: tuple[int, ...], skip: int) -> Generator[Members, None, int]:
            if skip:
                here = self._rest(i + 1, free, left)
                if here <= skip:
                    return skip - here
            chosen.append(mine)
            yield from walk(i + 1, skip)
            chosen.pop()
            return 0

        yield from walk(0, skip)

    def _rest(self, i: int, free: Sequence[int], left: Sequence[Sequence[int]]) -> int:
        """Return how many choices are left for the sources from one on."""
        return prod(self._ways(g, free[g], left[g]) for g in set(self._group_of[i:]))

    def first(self, used: Uses, totals: Members) -> Members:
        """Return the first allocation that has these uses by part and uses just these sources."""
        left = [list(uses) for uses in used]
        members = []
        for i, (n,) in enumerate(totals):
            uses = left[self._group_of[i]]
            mine = [0] * len(uses)
            for k in range(len(uses)):
                mine[k] = min(uses[k], n - sum(mine))
                uses[k] -= mine[k]
            members.append(tuple(mine))
        return tuple(members)


class Expanded:
    """All ways of some families at a level that tells members apart.

    Parameters
    ----------
    families : Families
        What was found.
    level : {"sources", "allocations", "sequences"}
        The level.
    minimal : bool
        Whether ways with a superfluous source are left out.

    Notes
    -----
    Families that are not told apart at the level stand together. In the order of families, a way has a rank of its own,
    which samples are drawn by; the canonical order runs across families, so that a page is reached by walking, over
    whole allocations at the level of sequences.
    """

    def __init__(self, families: Families, level: Level, minimal: bool = False) -> None:
        self.found, self.level = families, level
        self.spell, self.choosing = Speller(families), Choosing(families)
        self.keys_of = Keys(families.f.question)
        alike: dict[object, list[Family]] = {}
        for family in families.orders:
            if not minimal or families.needed(family):
                alike.setdefault(family.set_key if level == "sources" else family, []).append(family)
        self.units = list(alike.values())

    def lines(self) -> Iterator[Line]:
        """Yield all ways in canonical order."""
        for unit, members in self._in_order(self.units):
            yield from self._spelled(unit, members)

    def page(self, page: Page, clock: Clock) -> Iterator[Line]:
        """Yield the ways of a page."""
        if page.sample is not None:
            yield from self._drawn(page.sample, page.seed)
            return
        skip = page.start
        ways = self._best(page.best, clock) if page.best else self._in_order(self.units)
        for n, (unit, members) in enumerate(ways):
            if skip:
                if not n & 255:
                    clock.check("listing")
                here = self._each(unit)
                if here <= skip:
                    skip -= here
                    continue
            yield from self._spelled(unit, members, skip)
            skip = 0

    def _used(self, unit: list[Family]) -> Uses:
        return tuple((n,) for n in unit[0].totals) if self.level == "sources" else unit[0].used

    def _each(self, unit: list[Family]) -> int:
        """Return how many ways there are for one choice of members."""
        family = unit[0]
        if self.level != "sequences":
            return 1
        return self.found.arrangements(family) * len(self.found.orders[family])

    def _in_order(self, units: Iterable[list[Family]]) -> Iterator[tuple[list[Family], Members]]:
        """Yield every choice of members, in canonical order."""
        parts = self.level != "sources"

        def stream(unit: list[Family]) -> Iterator[tuple[tuple[object, ...], list[Family], Members]]:
            for members in self.choosing.choose(self._used(unit)):
                yield self.spell.rank(unit[0], members, parts=parts), unit, members

        for _, unit, members in merge(*map(stream, units), key=lambda line: line[0]):
            yield unit, members

    def _witness(self, unit: list[Family], members: Members) -> tuple[Family, Members]:
        """Return the first allocation of what is told apart."""
        if self.level != "sources":
            return unit[0], members
        found = [(family, self.choosing.first(family.used, members)) for family in unit]
        return min(found, key=lambda one: self.spell.rank(*one))

    def _spelled(self, unit: list[Family], members: Members, skip: int = 0) -> Iterator[Line]:
        """Yield the lines of one choice of members, from a rank on."""
        family, members = self._witness(unit, members)
        orders = self.found.orders[family]
        if self.level == "sequences":
            for payment in self.spell.sequences(family, members, orders, skip):
                yield self._line(family, payment)
        else:
            yield self._line(family, self.spell.payment(family, members, min(orders)))

    def _line(self, family: Family, payment: Payment) -> Line:
        outcome = self.found.outcome(family)
        return self.keys_of.of(payment, self.level, outcome), payment, outcome, 1

    def _drawn(self, number: int, seed: int) -> Iterator[Line]:
        weights = [self.choosing.count(self._used(unit)) * self._each(unit) for unit in self.units]
        before = list(accumulate(weights, initial=0))
        for rank in draw(before[-1], number, seed):
            n = bisect_right(before, rank) - 1
            unit = self.units[n]
            chosen, within = divmod(rank - before[n], self._each(unit))
            members = next(self.choosing.choose(self._used(unit), chosen))
            yield next(self._spelled(unit, members, within))

    def _best(self, wishes: tuple[Wish, ...], clock: Clock) -> Iterator[tuple[list[Family], Members]]:
        """Yield every choice of members, the best first; those that are worth the same in canonical order."""
        worths: dict[tuple[int, ...], list[list[Family]]] = {}
        mixed: set[int] = set()
        for unit in self.units:
            clock.check("listing")
            found = self._worths(unit, wishes)
            if len(found) > 1:
                mixed.add(id(unit))
            for mine in found:
                worths.setdefault(mine, []).append(unit)
        for mine in sorted(worths, reverse=True):
            for unit, members in self._in_order(worths[mine]):
                if id(unit) not in mixed or self._worth(wishes)(unit, members) == mine:
                    yield unit, members

    def _worth(self, wishes: tuple[Wish, ...]) -> Callable[[list[Family], Members], tuple[int, ...]]:
        def amount(unit: list[Family], members: Members) -> tuple[int, ...]:
            _, payment, outcome, _ = next(self._spelled(unit, members))
            return worth(wishes, payment, outcome)

        return amount

    def _worths(self, unit: list[Family], wishes: tuple[Wish, ...]) -> set[tuple[int, ...]]:
        """Return all that the choices of members of a unit are worth."""
        every = self.choosing.choose(self._used(unit))
        one = len({self.found.outcome(family) for family in unit}) == 1
        for group in self.found.model.groups:
            one = one and all(len({w.counts(m.thing.id) for m in group.members}) == 1 for w in wishes)
        amount = self._worth(wishes)
        return {amount(unit, next(every))} if one else {amount(unit, members) for members in every}
