"""What a sweep has to do: which groups of cards, which checks of each, and what its texts need to lie about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import CostAny
from lawful.model.effect import (
    Activated,
    Additional,
    Alternative,
    Source,
)
from lawful.model.frozen import FrozenMap
from lawful.model.ruleset import Ruleset
from lawful.model.stress import CHECKS, Invariant
from lawful.model.walking import every
from lawful.solver.stress.deadlock import obliging
from lawful.solver.stress.happening import has_effects, hearers
from lawful.solver.stress.helping import Helpers, loosened
from lawful.solver.stress.index import CHECKS_OF, Index
from lawful.solver.stress.looking import PAYING
from lawful.solver.stress.signature import signature, vocabulary
from lawful.solver.stress.terms import costs, largest, modifiers
from lawful.stressing.objects import Objects
from lawful.stressing.pool import Entry, Pool, engine, not_read
from lawful.stressing.store import digest
from lawful.stressing.tasks import SECONDS, Setting, Task


@dataclass(frozen=True, slots=True)
class Job:
    """A check of a group, or that it is not checked.

    Parameters
    ----------
    check : str
        Which.
    names : tuple of str
        Of the group.
    task : Task, optional
        None where text was not read, or where there is nothing that the check could find.
    unread : tuple of str
        What was not read.
    """

    check: str
    names: tuple[str, ...]
    task: Task | None
    unread: tuple[str, ...] = ()


MOST_HELPERS = 8
HELPED = ("unpayable", "dead", "looks-legal")
"""Checks that say never: of a single card, only if no other that could help it does."""


@dataclass
class Plan:
    """All that is to be done.

    Parameters
    ----------
    pool : Pool
        All cards, those tested among them.
    tested : sequence of str
        Names of the cards in question.
    checks : sequence of str
        Which checks.
    promises : sequence of Invariant
        Of the designer.
    groups : int
        1 for single cards, 2 for pairs as well, 3 for triples along connected pairs too.
    random : int
        Random positions beyond the bounds.
    seed : int
        What they depend on.
    seconds : float
        Time for one check of one group.
    """

    pool: Pool
    tested: Sequence[str]
    checks: Sequence[str] = CHECKS
    promises: Sequence[Invariant] = ()
    groups: int = 2
    random: int = 0
    seed: int = 0
    seconds: float = SECONDS
    same: dict[str, list[str]] = field(init=False)
    setting: Setting = field(init=False)

    def __post_init__(self) -> None:
        """Find out who says the same, and what can be paid with."""
        rules, cards = self.pool.ruleset, self.pool.cards
        known = vocabulary(cards, rules)
        self.class_of: dict[str, str] = {}
        self.same = {}
        first: dict[object, str] = {}
        order = dict.fromkeys((*self.tested, *self.pool.entries))
        for name in order:
            entry = self.pool.entries[name]
            say = (signature(entry.card, known), bool(not_read([entry], True)), bool(entry.unread))
            head = first.setdefault(say, name)
            self.class_of[name] = head
            self.same.setdefault(head, []).append(name)
        self.setting = Setting(
            rules, readings(rules), sources(cards, rules), gained(cards), tuple(self.promises), self.random, self.seed,
            self.seconds,
        )  # fmt: skip
        self._base = digest(engine(), repr(rules), repr(self.setting.sources), sorted(self.setting.gained))
        self._there = Objects(self.pool)
        self._said: dict[int, tuple[Card, str]] = {}

    @cached_property
    def index(self) -> Index:
        """Who is connected with whom."""
        return Index(
            self.pool.ruleset,
            [self.pool.entries[name].card for name in self.same],
            (frozenset(w.casefold() for w in card.types) for card in self.pool.cards),
        )

    @property
    def heads(self) -> list[str]:
        """One tested card for each kind that says the same."""
        return list(dict.fromkeys(self.class_of[name] for name in self.tested))

    def jobs(self) -> Iterator[Job]:
        """Yield what is to be done: single cards, then pairs, then triples."""
        for name in self.heads:
            for check in self.checks:
                yield self._job(check, (name,))
        if self.groups < 2:
            return
        index = self.index
        seen: set[tuple[str, tuple[str, ...]]] = set()
        found: Iterable[tuple[tuple[str, ...], str]] = (((a, b), link) for a, b, link in index.pairs(self.heads))
        yield from self._linked(found, seen)
        if self.groups >= 3:
            yield from self._linked((((a, b, c), link) for a, b, c, link in index.triples(self.heads)), seen)

    def _linked(
        self, found: Iterable[tuple[tuple[str, ...], str]], seen: set[tuple[str, tuple[str, ...]]]
    ) -> Iterator[Job]:
        for names, link in found:
            for check in CHECKS_OF[link]:  # type: ignore[index]
                if check in self.checks and (check, names) not in seen:
                    seen.add((check, names))
                    yield self._job(check, names)

    def _job(self, check: str, names: tuple[str, ...]) -> Job:
        entries = [self.pool.entries[name] for name in names]
        cards = tuple(entry.card for entry in entries)
        unread = not_read(entries, check in PAYING and check not in ("dead", "looks-legal"))
        if unread:
            return Job(check, names, None, unread)
        if not applies(check, cards, self.promises):
            return Job(check, names, None)
        objects, real, cut = self._there.of(cards)
        more = (tuple(self.promises),) if check == "invariant" else ()
        says = map(self._says, (*cards, *objects, *real))
        drawn = self.random and (self.random, self.seed)
        key = digest(self._base, check, *says, (len(cards), len(objects), cut), *more, drawn)
        return Job(check, names, Task(key, check, cards, objects, real, cut))

    def _says(self, card: Card) -> str:
        """Return all that a card says, looked up once."""
        if id(card) not in self._said:
            self._said[id(card)] = card, repr(card)
        return self._said[id(card)][1]

    def again(self, task: Task) -> Task | None:
        """Return a task whose card never can, with the cards that may help it; None for others."""
        if task.check not in HELPED or len(task.cards) > 1 or task.helpers is not None:
            return None
        name = task.cards[0].name
        by_key = self.index.helpers(name)
        often = Counter(other for others in by_key.values() for other in others)
        known = [self.pool.entries[other].card for other in sorted(often, key=lambda o: (-often[o], o))]
        if not known:
            return None
        # Those that change more come first: what one of them does, those like it do less of.
        known.sort(key=lambda card: (-often[card.name], -largest([m.amount for m in modifiers(card)]), card.name))
        some = tuple(known[:MOST_HELPERS])
        loose = loosened(task.cards[0], by_key)
        helpers = Helpers(
            some, self._there.of((*task.cards, *some))[0], len(known) - len(some), loose,
            () if loose is None else self._there.of((loose,))[0],
        )  # fmt: skip
        return replace(task, key=digest(task.key, repr(helpers)), helpers=helpers)


def applies(check: str, cards: tuple[Card, ...], promises: Sequence[Invariant]) -> bool:
    """Tell whether there is anything in the cards that a check could find."""
    first = cards[0]
    asks: dict[str, Callable[[], bool]] = {
        "unpayable": lambda: _declared(first),
        "dead": lambda: _declared(first),
        "looks-legal": lambda: _declared(first),
        "dominated": lambda: _declared(first) and _chooses(first),
        "invariant": lambda: bool(promises),
        "wording": lambda: _declared(first) or any(map(has_effects, cards)),
        "deadlock": lambda: any(obliging(card) for card in cards),
        "circle": lambda: any(m.while_ is not None for card in cards for m in modifiers(card)) or _grants(cards),
        "unordered": lambda: any(hearers(card) or has_effects(card) for card in cards),
        "endless": lambda: any(hearers(card) for card in cards),
        "engine": lambda: any(isinstance(a, Activated) for card in cards for a in card.abilities),
    }
    return asks[check]()


def _declared(card: Card) -> bool:
    return card.cost is not None or any(isinstance(a, Activated) for a in card.abilities)


def _chooses(card: Card) -> bool:
    optional = any(isinstance(a, Alternative) or (isinstance(a, Additional) and a.optional) for a in card.abilities)
    return optional or any(True for cost in costs(card) for _ in every(cost, CostAny))


def _grants(cards: tuple[Card, ...]) -> bool:
    return any("Grant(" in repr(card.abilities) for card in cards)


def readings(rules: Ruleset) -> tuple[tuple[str, str, tuple[str, ...], tuple[tuple[str, Ruleset], ...]], ...]:
    """Return the open points that change something, with the ruleset under each other reading."""
    from lawful.model.rulesets import under

    found = []
    for point in rules.left_open:
        paths = tuple(dict.fromkeys(path for reading in point.readings for path in reading.changes))
        assumed = rules.readings.get(point.id, point.default)
        others = tuple((r.name, under(rules, point.id, r.name)) for r in point.readings if r.name != assumed)
        if paths:
            found.append((point.id, assumed, paths, others))
    return tuple(found)


def sources(cards: Sequence[Card], rules: Ruleset) -> tuple[Card, ...]:
    """Return a card for each yield of the pool; of a pool that has none at all, the generic ones of the rules."""
    plain = {_yields(card): card for card in reversed(rules.cards) if card.yields and any(card.yields.values())}
    found: dict[frozenset[tuple[str, int]], Card] = {}
    for card in sorted(cards, key=lambda c: (len(c.abilities), c.name)):
        if card.yields and any(card.yields.values()):
            found.setdefault(_yields(card), plain.get(_yields(card), card))
    chosen = found or plain
    return tuple(chosen[key] for key in sorted(chosen, key=lambda k: (sum(n for _, n in k), sorted(k))))


def _yields(card: Card) -> frozenset[tuple[str, int]]:
    return frozenset((asset, n) for asset, n in (card.yields or {}).items() if n)


def gained(cards: Iterable[Card]) -> frozenset[str]:
    """Return the assets that some effect gains."""
    found: set[str] = set()
    for card in cards:
        for act in every(card.abilities, Act):
            if act.verb == "gain" and isinstance(act.what, FrozenMap):
                found |= set(act.what)
        for source in every(card.abilities, Source):
            found |= set(source.gain) if isinstance(source.gain, FrozenMap) else set()
    return frozenset(found)


__all__ = ["Entry", "Job", "Plan", "applies", "gained", "readings", "sources"]
