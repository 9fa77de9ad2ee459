"""Which cards can meet at all: what each reads and writes, which say the same, and who is connected with whom.

What every payment touches, such as the hand and the pool, is no key: else everything would be connected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.effect import Activated, Additional, Grant, Modifier, Prevention, Replacement, Static
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Pattern, Selector
from lawful.model.slots import PICKED
from lawful.solver.order.facts import named
from lawful.solver.order.graph import events_of
from lawful.solver.stress.happening import hearers
from lawful.solver.stress.terms import acts, costs, every, modifiers, norms

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


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a text is about: the card itself, or what has these types; `types` None is anything."""

    itself: bool
    types: frozenset[str] = frozenset()


Key: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Touches:
    """What a card reads and writes.

    Parameters
    ----------
    name : str
        Which card.
    types : frozenset of str
        Its types, in small letters.
    writes, reads : mapping of pairs of kind and name to the subjects concerned
        ``("stat", "power")``, ``("event", "close")``, ``("cost", "r")``, ``("norm", "target")``.
    """

    name: str
    types: frozenset[str]
    writes: FrozenMap[Key, tuple[Subject, ...]]
    reads: FrozenMap[Key, tuple[Subject, ...]]


def touches(card: Card, rules: Ruleset) -> Touches:
    """Return what a card reads and writes."""
    reader = _Reader(card, rules)
    reader.read()
    own = frozenset(word.casefold() for word in card.types)
    return Touches(card.name, own, _frozen(reader.writes), _frozen(reader.reads))


def _frozen(found: dict[Key, list[Subject]]) -> FrozenMap[Key, tuple[Subject, ...]]:
    return FrozenMap({key: tuple(dict.fromkeys(subjects)) for key, subjects in found.items()})


class _Reader:
    def __init__(self, card: Card, rules: Ruleset) -> None:
        self.card, self.rules = card, rules
        self.own = Subject(True, frozenset(word.casefold() for word in card.types))
        self.writes: dict[Key, list[Subject]] = {}
        self.reads: dict[Key, list[Subject]] = {}

    def read(self) -> None:
        self._cost()
        for modifier in modifiers(self.card):
            kind, _, name = modifier.modify.partition(".")
            if kind == "cost":
                self._write(("cost", name), self._about(modifier.of))
            else:
                self._write(("stat", modifier.modify.removeprefix("base.")), self._about(modifier.of))
        for norm in norms(self.card):
            kind = "must" if norm.modality == "must" else "norm"
            self._write((kind, norm.action.event), self._about(norm.action.subject))
        for ability in self.card.abilities:
            if isinstance(ability, Static):
                self._static(ability)
            if isinstance(ability, Additional) and ability.to is not None:
                self._write(("cost", "more"), self._about(ability.to))
        for hears in hearers(self.card):
            self._read(("event", hears.on.event), self._about(hears.on.subject))
            if isinstance(hears, Replacement | Prevention):
                self._write(("alters", hears.on.event), self._about(hears.on.subject))
        for act in acts(self.card):
            self._act(act)

    def _cost(self) -> None:
        if costs(self.card):
            for name in (*(asset.id for asset in self.rules.assets), "more"):
                self._read(("cost", name), self.own)
        if self.card.cost is not None:
            self._read(("norm", "play"), self.own)
        if any(isinstance(a, Activated) for a in self.card.abilities):
            self._read(("norm", "activate"), self.own)

    def _static(self, ability: Static) -> None:
        effect = ability.effect
        if isinstance(effect, Grant):
            about = self.own if effect.of is None else self._about(effect.of)
            for word in (*effect.gain_types, *effect.lose_types, *(effect.set_types or ())):
                self._write(("types", word.casefold()), about)
            if effect.no_abilities:
                self._write(("abilities", ""), about)
        if isinstance(effect, Modifier | Grant) and effect.while_ is not None:
            for fact in named(effect.while_):
                kind, _, name = fact.partition(" ")
                if kind == "stat":
                    self._read((kind, name.removeprefix("base.")), Subject(False))
            for selector in every(effect.while_, Selector):
                for word in selector.type:
                    self._read(("types", word.casefold()), Subject(False))
            self._read(("abilities", ""), self.own)
        if isinstance(effect, Modifier):
            for fact in named(effect.amount):
                if fact.startswith("stat "):
                    self._read(("stat", fact.removeprefix("stat ").removeprefix("base.")), Subject(False))

    def _act(self, act: Act) -> None:
        who = act.what if isinstance(act.what, Ref | Selector) else act.of
        about = self._about(who)
        for event in events_of(act):
            self._write(("event", event), about)
        self._read(("norm", act.verb), about)
        for selector in (act.what, act.of):
            if isinstance(selector, Selector) and (selector.how in PICKED or act.verb == "choose"):
                how = "target" if selector.how == "target" else "choose"
                for kind in ("norm", "must"):
                    self._read((kind, how), self._about(selector))
        verb = next((v for v in self.rules.verbs if v.name == act.verb), None)
        if verb is not None and verb.adds:
            self._read(("status", verb.adds), about)
        if verb is not None and verb.removes:
            self._write(("status", verb.removes), about)
        if verb is not None and verb.to is not None:
            self._write(("zone", verb.to), about)
        if act.verb == "set" and isinstance(act.what, str):
            self._write(("stat", act.what.removeprefix("base.")), about)

    def _about(self, who: object) -> Subject:
        if isinstance(who, Pattern):
            return self._about(who.subject) if who.subject is not None else Subject(False)
        if isinstance(who, Ref):
            return self.own if who.name == "self" and not who.path else Subject(False)
        if isinstance(who, Selector):
            return Subject(False, frozenset(word.casefold() for word in who.type))
        return Subject(False)

    def _write(self, key: Key, subject: Subject) -> None:
        self.writes.setdefault(key, []).append(subject)

    def _read(self, key: Key, subject: Subject) -> None:
        self.reads.setdefault(key, []).append(subject)


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
        return bool(alters or shared) or self.leads(one, two, ("stat", "status")) or self.leads(two, one, ("stat",))

    def triples(self, tested: Iterable[str]) -> Iterator[tuple[str, str, str, Link]]:
        """Yield triples along connected pairs: three cards of which each reads what the one before it writes."""
        for kinds, link in ((("event",), "loop"), (("stat", "types", "abilities"), "circle"), (("status",), "engine")):
            seen: set[frozenset[str]] = set()
            for one in tested:
                if one not in self.of:
                    continue
                for two in self.successors(one, kinds):
                    for three in self.successors(two, kinds):
                        group = frozenset((one, two, three))
                        if len(group) == 3 and group not in seen and self.leads(three, one, kinds):
                            seen.add(group)
                            yield one, two, three, link  # type: ignore[misc]
