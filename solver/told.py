"""Payments told one by one, each with what it leaves: coarser levels are read off the sequences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TypeAlias

from lawful.model.declaration import Question
from lawful.model.payment import LEVELS, Level, Outcome, Payment, project
from lawful.solver.encode.allocation import looks
from lawful.solver.keys import Keys

Numbers: TypeAlias = tuple[tuple[int, int], ...]
Cells: TypeAlias = tuple[tuple[tuple[int, int, int], int], ...]


class Told:
    """Payments of one question, at the level of sequences.

    Parameters
    ----------
    question : Question
        What is asked.
    sources : sequence of (str, str)
        Objects with the names of their sources, in canonical order.
    parts : sequence of str
        Assets of the parts due, in the order of their phases; of parts that are paid at once, one empty name.
    due : callable
        How many parts a payment pays at once, what its sources cost left out, by its options and its X.
    """

    def __init__(
        self,
        question: Question,
        sources: Sequence[tuple[str, str]],
        parts: Sequence[str],
        due: Callable[[tuple[str, ...], int | None], int] = lambda options, x: 0,
    ) -> None:
        self.question, self._parts, self._due = question, tuple(parts), due
        self._assets = [asset.id for asset in question.ruleset.assets]
        self._keys = Keys(question)
        self.found: dict[Payment, Outcome] = {}
        self._of_thing: dict[str, list[str]] = {}
        for thing, source in sources:
            self._of_thing.setdefault(thing, []).append(source)

    def add(self, found: tuple[Payment, Outcome]) -> None:
        """Take one sequence."""
        self.found[found[0]] = found[1]

    def _told(self, payment: Payment, level: Level) -> object:
        return self.found[payment] if level == "outcomes" else project(payment, level)

    def _named(self, payment: Payment, level: Level) -> object:
        """Return what can be told when equal cards are not told apart."""
        if level == "outcomes":
            return self.found[payment]
        whose = {t.id: str(looks(t)) for t in self.question.position.things}
        uses = [(whose[u.thing], u.source, "" if level == "sources" else u.part) for u in payment.uses]
        gone = [tuple(sorted(whose[r] for r in u.replaced)) for u in payment.uses]
        numbers, cells = self._given(payment)
        choices = [(c.term, tuple(sorted(whose[id] for id in c.things))) for c in payment.choices]
        if level == "sequences":
            shares: dict[tuple[str, str], list[tuple[object, ...]]] = {}
            for s in payment.spends:
                shares.setdefault((s.thing, s.source), []).append((s.part, s.as_, s.n, s.asset))
            spends = tuple(sorted(str((whose.get(id, ""), source, of)) for (id, source), of in shares.items()))
            # What is used at once is used in no order.
            at_once = sorted(zip(uses, gone, strict=True)) if spends else zip(uses, gone, strict=True)
            return payment.options, payment.x, tuple(at_once), tuple(choices), spends
        lost = sorted(whose[r] for r in {r for use in payment.uses for r in use.replaced})  # how often is not told
        paid = numbers if level == "sources" else cells
        return payment.options, payment.x, tuple(sorted(uses)), tuple(lost), tuple(sorted(choices)), paid

    def _given(
        self, payment: Payment
    ) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[tuple[int, int, int], int], ...]]:
        """Return how much is given for each part that is due at once, and how much as what for each and left over."""
        numbers: dict[int, int] = {}
        cells: dict[tuple[int, int, int], int] = {}
        due = self._due(payment.options, payment.x)
        for s in payment.spends:
            if 0 <= s.part < due:
                numbers[s.part] = numbers.get(s.part, 0) + s.n
            cell = s.part < 0, s.part, self._assets.index(s.as_)
            cells[cell] = cells.get(cell, 0) + s.n
        return tuple(sorted(numbers.items())), tuple(sorted(cells.items()))

    def counts(self) -> dict[Level, int]:
        """Return the number of ways at every level."""
        return {level: len({self._told(p, level) for p in self.found}) for level in LEVELS}

    def counts_by_name(self, level: Level) -> int:
        """Return the number of ways at a level when equal cards are not told apart."""
        return len({self._named(p, level) for p in self.found})

    @cached_property
    def _sets(self) -> dict[tuple[object, object], set[object]]:
        """Source sets by what is used: several where it can be replaced in several ways."""
        found: dict[tuple[object, object], set[object]] = {}
        for payment in self.found:
            found.setdefault(self._bag(payment), set()).add(project(payment, "sources"))
        return found

    def minimal(self, deadline: float | None = None) -> int:
        """Return how many source sets have no superfluous source: without any one of them it is no way."""
        return sum(len(names) for (bag, rest), names in self._sets.items() if self._needed(bag, rest))

    def _needed(self, bag: object, rest: object) -> bool:
        assert isinstance(bag, tuple)
        return not any((bag[:i] + bag[i + 1 :], rest) in self._sets for i in range(len(bag)))

    def is_minimal(self, payment: Payment) -> bool:
        """Say whether a payment has no superfluous source."""
        return self._needed(*self._bag(payment))

    def _bag(self, payment: Payment) -> tuple[object, object]:
        """Return what is used, as a bag, and everything else that tells source sets apart."""
        bag = tuple(sorted((u.thing, u.source) for u in payment.uses))
        return bag, (payment.options, payment.x, frozenset(payment.choices), self._given(payment)[0])

    def used(self, level: Level, deadline: float | None = None) -> dict[str, int]:
        """Return for every object the number of ways that use it; empty where the level does not tell."""
        found = dict.fromkeys(self._of_thing, 0)
        if level not in ("sources", "allocations"):
            return {}
        for payment in {self._told(p, level): p for p in self.found}.values():
            for thing in {use.thing for use in payment.uses}:
                found[thing] += 1
        return found

    def _rank(self, payment: Payment, level: Level = "sequences") -> tuple[object, ...]:
        place = {t.id: i for i, t in enumerate(self.question.position.things)}
        phase = {part: k for k, part in enumerate(self._parts)}
        uses: dict[tuple[str, str], list[int]] = {}
        for use in payment.uses:
            uses.setdefault((use.thing, use.source), [0] * len(phase))[phase[use.part]] -= 1
        picked = {(c.term, id) for c in payment.choices for id in c.things}
        terms = range(1 + max((c.term for c in payment.choices), default=-1))
        vector: list[tuple[int, ...]] = []
        for thing in self.question.position.things:
            for source in self._of_thing.get(thing.id, ()):
                mine = uses.get((thing.id, source), [0] * len(phase))
                vector.append((sum(mine),) if level == "sources" else tuple(mine))
            vector.append(tuple(-((j, thing.id) in picked) for j in terms))
        gone = tuple(sorted({place[id] for use in payment.uses for id in use.replaced}))
        numbers, cells = self._given(payment)
        given: tuple[object, ...] = tuple((part, -n) for part, n in numbers)
        given = (*given, *((cell, -n) for cell, n in cells)) if level != "sources" else given
        rank = len(payment.options), payment.options, payment.x or 0, tuple(vector), given, gone
        if level in ("sources", "allocations"):
            return rank
        order = tuple(place[use.thing] for use in payment.uses)
        replaced = tuple(tuple(place[id] for id in u.replaced) for u in payment.uses)
        return (*rank, order, replaced, tuple(c.term for c in payment.choices), self._shared(payment, place))

    def _shared(self, payment: Payment, place: dict[str, int]) -> tuple[object, ...]:
        """Return whose points are given for what, source by source, what floated first; more before less."""
        shares: dict[tuple[int, int, int], list[tuple[tuple[int, int, int], int]]] = {}
        for s in payment.spends:
            names = self._of_thing.get(s.thing, [])
            source = names.index(s.source) if s.source in names else -1
            purse = place.get(s.thing, -1), source, self._assets.index(s.asset)
            shares.setdefault(purse, []).append(((s.part < 0, s.part, self._assets.index(s.as_)), -s.n))
        return tuple((purse, tuple(sorted(cells))) for purse, cells in sorted(shares.items()))

    def lines(self, level: Level, by_name: bool) -> Iterator[tuple[str, Payment, Outcome, int]]:
        """Yield the ways at a level, in canonical order."""
        tell = self._named if by_name else self._told
        groups: dict[object, list[Payment]] = {}
        for payment in sorted(self.found, key=self._rank):
            groups.setdefault(tell(payment, level), []).append(payment)
        several = list(groups.values())
        if level == "sources":
            several.sort(key=lambda payments: min(self._rank(p, level) for p in payments))
        for payments in several:
            first = payments[0]
            copies = len({self._told(p, level) for p in payments}) if by_name else 1
            yield self._keys.of(first, level, self.found[first]), first, self.found[first], copies
