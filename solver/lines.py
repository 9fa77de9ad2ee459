"""The lines of an answer that was enumerated by groups of equal sources."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lawful.model.errors import LimitReached
from lawful.model.limits import Clock
from lawful.model.page import Page
from lawful.model.payment import Level, Payment
from lawful.solver.classes import Classes
from lawful.solver.encode.allocation import looks
from lawful.solver.expanding import Choosing, Expanded
from lawful.solver.families import Families, Family
from lawful.solver.keys import Keys
from lawful.solver.paging import arranged, in_time
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
        self.members = Choosing(families)
        self._classes = Classes(self.f)

    def page(self, level: Level, by_name: bool, page: Page, clock: Clock) -> Iterator[Line]:
        """Yield the ways of a page; of these, only where one is is held."""
        if by_name or level == "outcomes":
            found = self.lines(level, by_name)
            if page.minimal:
                found = (line for line in found if self.found.is_minimal(line[1]))
            yield from arranged(in_time(found, clock), page)
            return
        yield from Expanded(self.found, level, page.minimal).page(page, clock)

    def lines(self, level: Level, by_name: bool) -> Iterator[Line]:
        """Yield the ways at a level, in canonical order."""
        if by_name and level == "sequences":
            yield from self._named_sequences()
        elif level == "outcomes":
            yield from self._merged(level, self.found.outcome, lambda first: self.spell.rank(*first))
        elif by_name:
            parts = level != "sources"
            yield from self._merged(
                level,
                lambda family: self.found.name(family, level),
                lambda first: self._classes.rank(self.found, first[0], parts),
            )
        else:
            yield from Expanded(self.found, level).lines()

    def _line(self, level: Level, family: Family, payment: Payment, copies: int = 1) -> Line:
        outcome = self.found.outcome(family)
        return self.keys_of.of(payment, level, outcome), payment, outcome, copies

    def _merged(
        self,
        level: Level,
        tell: Callable[[Family], object],
        place: Callable[[tuple[Family, Members]], tuple[object, ...]],
    ) -> Iterator[Line]:
        """Yield one line for all families of which the same is told: the first of their ways."""
        alike: dict[object, list[Family]] = {}
        for family in self.orders:
            alike.setdefault(tell(family), []).append(family)
        firsts, rank = [], self.spell.rank
        parts = level != "sources"
        for families in alike.values():
            starts = [(f, next(self.members.choose(f.used))) for f in families]
            ranked = [((rank(*one, parts=parts), self._parts(one[0]), rank(*one)), one) for one in starts]
            first = min(ranked, key=lambda one: one[0])[1]
            firsts.append((place(first), first, families))
        for _, (family, members), families in sorted(firsts, key=lambda f: f[0]):
            payment = self.spell.payment(family, members, min(self.orders[family]))
            yield self._line(level, family, payment, self._weight(families, level))

    def _parts(self, family: Family) -> tuple[tuple[int, ...], ...]:
        """Return what the allocations of one source set are sorted by: which name is used for which parts."""
        used = [
            (tuple(-n for n in uses), g.members[0].thing.id)
            for uses, g in zip(family.used, self.model.groups, strict=True)
        ]
        return tuple(uses for uses, id in sorted(used, key=lambda one: self._classes.of[one[1]]))

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
