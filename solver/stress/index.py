"""Which cards can meet at all: what each reads and writes, which say the same, and who is connected with whom.

What every payment touches, such as the hand and the pool, is no key: else everything would be connected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from lawful.model.card import Card
from lawful.model.ruleset import Ruleset
from lawful.solver.stress.touching import Key, Subject, Touches, touches

Link: TypeAlias = Literal["cost", "norm", "must", "loop", "circle", "contest", "engine"]
CHECKS_OF: dict[Link, tuple[str, ...]] = {
    "cost": ("unpayable", "dead", "looks-legal", "dominated", "invariant", "wording"),
    "norm": ("unpayable", "dead", "looks-legal"),
    "must": ("deadlock",),
    "loop": ("endless",),
    "circle": ("circle",),
    "contest": ("unordered", "wording"),
    "engine": ("engine",),
}
"""The checks that a connection calls for."""
RESTRICTS: tuple[Link, ...] = ("norm", "must")
CONDITIONS = ("seen", "stat", "types", "abilities")
"""What a restriction can hang on, and what others change."""


@dataclass
class Index:
    """Cards by what they read and write.

    Parameters
    ----------
    rules : Ruleset
        The rules.
    cards : sequence of Card
        One for each kind that says the same.
    kinds : iterable of frozenset of str
        The sets of types that cards of the pool have, in small letters.
    """

    rules: Ruleset
    cards: Sequence[Card]
    kinds: Iterable[frozenset[str]]
    of: dict[str, Touches] = field(init=False)
    _together: dict[frozenset[str], bool] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Read every card, and keep who reads what."""
        self.of = {card.name: touches(card, self.rules) for card in self.cards}
        self.readers: dict[Key, list[str]] = {}
        self.writers: dict[Key, list[str]] = {}
        for name, touch in self.of.items():
            for key in touch.reads:
                self.readers.setdefault(key, []).append(name)
            for key in touch.writes:
                self.writers.setdefault(key, []).append(name)
        self._types = list(dict.fromkeys(self.kinds))

    def overlap(self, one: Subject, two: Subject) -> bool:
        """Tell whether something can be both: `one` of one card, `two` of another."""
        if one.itself and two.itself:
            return False
        if one.itself:
            return two.types <= one.types
        if two.itself:
            return one.types <= two.types
        wanted = one.types | two.types
        if wanted not in self._together:
            self._together[wanted] = not wanted or any(wanted <= kind for kind in self._types)
        return self._together[wanted]

    def leads(self, writer: str, reader: str, kinds: tuple[str, ...]) -> bool:
        """Tell whether what one card writes is what another reads."""
        writes, reads = self.of[writer].writes, self.of[reader].reads
        return any(
            key in reads and any(self.overlap(w, r) for w in subjects for r in reads[key])
            for key, subjects in writes.items()
            if key[0] in kinds
        )

    def pairs(self, tested: Iterable[str]) -> Iterator[tuple[str, str, Link]]:
        """Yield the pairs in which one of the tested cards takes part, with what connects them.

        The first card of a pair is the one that the check is about. Pairs that say the same come once.
        """
        wanted = set(tested)
        seen: set[tuple[str, str, Link]] = set()
        for found in self._directed(wanted):
            if found[0] == found[1] or found in seen:
                continue
            if found[2] not in ("cost", "norm", "must") and (found[1], found[0], found[2]) in seen:
                continue
            seen.add(found)
            yield found

    def _directed(self, wanted: set[str]) -> Iterator[tuple[str, str, Link]]:
        links: dict[str, Link] = {"cost": "cost", "norm": "norm", "must": "must"}
        for key, writers in self.writers.items():
            link = links.get(key[0])
            if link is not None:
                for writer in writers:
                    for reader in self.readers.get(key, ()):
                        if wanted & {writer, reader} and self._meets(writer, reader, key):
                            yield reader, writer, link
        yield from self._mutual(wanted, ("event",), "loop")
        yield from self._mutual(wanted, ("stat", "types", "abilities"), "circle")
        yield from self._mutual(wanted, ("fuel",), "engine")
        yield from self._contests(wanted)
        for key, writers in self.writers.items():
            if key[0] == "status":
                for writer in writers:
                    for reader in self.readers.get(key, ()):
                        if wanted & {writer, reader} and self._meets(writer, reader, key):
                            yield writer, reader, "engine"

    def _meets(self, writer: str, reader: str, key: Key) -> bool:
        writes, reads = self.of[writer].writes[key], self.of[reader].reads[key]
        return any(self.overlap(w, r) for w in writes for r in reads)

    def successors(self, name: str, kinds: tuple[str, ...]) -> list[str]:
        """Return the cards that read what a card writes."""
        found: dict[str, None] = {}
        for key in self.of[name].writes:
            if key[0] in kinds:
                for reader in self.readers.get(key, ()):
                    if reader not in found and reader != name and self._meets(name, reader, key):
                        found[reader] = None
        return list(found)

    def _mutual(self, wanted: set[str], kinds: tuple[str, ...], link: Link) -> Iterator[tuple[str, str, Link]]:
        for name in sorted(wanted):
            if name not in self.of:
                continue
            for other in self.successors(name, kinds):
                if self.leads(other, name, kinds):
                    yield name, other, link

    def _contests(self, wanted: set[str]) -> Iterator[tuple[str, str, Link]]:
        """Yield pairs that hear one event, where what the one does bears on the other."""
        for key, names in self.readers.items():
            if key[0] != "event":
                continue
            for one in names:
                for two in names:
                    if one < two and wanted & {one, two} and self._both(one, two, key) and self._conflict(one, two):
                        yield one, two, "contest"

    def _both(self, one: str, two: str, key: Key) -> bool:
        return any(self.overlap(a, b) for a in self.of[one].reads[key] for b in self.of[two].reads[key])

    def _conflict(self, one: str, two: str) -> bool:
        mine, other = self.of[one], self.of[two]
        alters = [key for key in mine.writes if key[0] == "alters" and key in other.writes]
        shared = [key for key in mine.writes if key[0] in ("stat", "status", "zone") and key in other.writes]
        kinds = ("stat", "status", "seen")
        return bool(alters or shared) or self.leads(one, two, kinds) or self.leads(two, one, kinds)

    def helpers(self, name: str) -> dict[Key, list[str]]:
        """Return the cards that could make possible what alone is not: by what this one asks for, who changes it.

        What some card gives the type of is of it, too.
        """
        found: dict[Key, list[str]] = {}
        given = {key[1].partition(" ")[2] for key in self.writers if key[0] == "seen" and key[1].startswith("type ")}
        for key, reads in self.of[name].reads.items():
            kind = {"norm": "may", "cost": "less", "seen": "seen"}.get(key[0])
            for other in self.writers.get((kind, key[1]), ()) if kind is not None else ():
                writes = self.of[other].writes[kind, key[1]]  # type: ignore[index]
                if other != name and any(self.overlap(_but(w, given), _but(r, given)) for w in writes for r in reads):
                    found.setdefault(key, []).append(other)
        return found

    def triples(self, tested: Iterable[str]) -> Iterator[tuple[str, str, str, Link]]:
        """Yield triples along connected pairs, in which one of the tested cards takes part.

        Three that go round: each reads what the one before it writes. Two that restrict one, which may leave it nothing
        only together. And one that restricts another while something holds that a third one changes.
        """
        wanted = set(tested)
        yield from self._rounds(wanted)
        yield from self._restricted(wanted)

    def _rounds(self, wanted: set[str]) -> Iterator[tuple[str, str, str, Link]]:
        for kinds, link in (
            (("event",), "loop"), (("stat", "types", "abilities"), "circle"), (("status", "fuel"), "engine"),
        ):  # fmt: skip
            seen: set[frozenset[str]] = set()
            for one in sorted(wanted):
                if one not in self.of:
                    continue
                for two in self.successors(one, kinds):
                    for three in self.successors(two, kinds):
                        group = frozenset((one, two, three))
                        if len(group) == 3 and group not in seen and self.leads(three, one, kinds):
                            seen.add(group)
                            yield one, two, three, link  # type: ignore[misc]

    def _restricted(self, wanted: set[str]) -> Iterator[tuple[str, str, str, Link]]:
        """Yield a card, one that restricts it, and one that does so, too, or that changes when the second one does."""
        by: dict[str, dict[str, Link]] = {}
        for one, two, link in self._directed(set(self.of)):
            if link in RESTRICTS and one != two:
                by.setdefault(one, {})[two] = "must" if "must" in (link, by.get(one, {}).get(two)) else link
        for one, several in by.items():
            seen: set[frozenset[str]] = set()
            for two, link in several.items():
                others = {**dict.fromkeys(self.predecessors(two, CONDITIONS), link), **several}
                for three, other in others.items():
                    rest = frozenset((two, three))
                    if one == three or len(rest) < 2 or rest in seen or not wanted & {one, two, three}:
                        continue
                    seen.add(rest)
                    yield one, two, three, "must" if "must" in (link, other) else "norm"

    def predecessors(self, name: str, kinds: tuple[str, ...]) -> list[str]:
        """Return the cards that write what a card reads."""
        found: dict[str, None] = {}
        for key in self.of[name].reads:
            if key[0] in kinds:
                found |= dict.fromkeys(w for w in self.writers.get(key, ()) if w != name and self._meets(w, name, key))
        return list(found)


def _but(one: Subject, given: set[str]) -> Subject:
    """Return a subject without types that it may be given."""
    return one if one.types.isdisjoint(given) else Subject(one.itself, one.types - given)
