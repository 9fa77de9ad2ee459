"""What a card reads and writes: numbers, marks, types, events, costs, norms, and of whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import AssetTerm
from lawful.model.effect import Activated, Additional, Grant, Modifier, Prevention, Replacement, Static
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Pattern, Selector
from lawful.model.slots import PICKED
from lawful.model.walking import every
from lawful.solver.order.facts import named
from lawful.solver.order.graph import events_of
from lawful.solver.stress.happening import hearers
from lawful.solver.stress.terms import acts, costs, modifiers, norms


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
                if modifier.operation in ("subtract", "set"):
                    self._write(("less", name), self._about(modifier.of))
            else:
                self._write(("stat", modifier.modify.removeprefix("base.")), self._about(modifier.of))
        for norm in norms(self.card):
            kind = "must" if norm.modality == "must" else "norm"
            self._write((kind, norm.action.event), self._about(norm.action.subject))
            if norm.modality == "may":
                self._write(("may", norm.action.event), self._about(norm.action.subject))
        for ability in self.card.abilities:
            if isinstance(ability, Static):
                self._static(ability)
            if isinstance(ability, Additional) and ability.to is not None:
                self._write(("cost", "more"), self._about(ability.to))
        self._seen()
        self._engines()
        for hears in hearers(self.card):
            self._read(("event", hears.on.event), self._about(hears.on.subject))
            if isinstance(hears, Replacement | Prevention):
                self._write(("alters", hears.on.event), self._about(hears.on.subject))
        for act in acts(self.card):
            self._act(act)

    def _seen(self) -> None:
        """Note what texts that are carried out ask of objects, and what is done to that."""
        for selector in every((self.card.cost, self.card.abilities), Selector):
            about = self._about(selector)
            for test in selector.where:
                self._read(("seen", f"stat {test.stat}"), about)
            for word in (*selector.counters, *selector.status):
                self._read(("seen", f"mark {word}"), about)
            for word in selector.type:
                self._read(("seen", f"type {word.casefold()}"), Subject(False))
        for ref in every(self.card.abilities, Ref):
            for step in ref.path:
                self._read(("seen", f"stat {step}"), Subject(False))
        for modifier in every(self.card.abilities, Modifier):
            self._write(("seen", f"stat {modifier.modify.removeprefix('base.')}"), self._changed(modifier))
        for grant in every(self.card.abilities, Grant):
            for word in (*grant.gain_types, *(grant.set_types or ())):
                self._write(("seen", f"type {word.casefold()}"), Subject(False))
        for act in acts(self.card):
            verb = next((v for v in self.rules.verbs if v.name == act.verb), None)
            about = self._about(act.what if isinstance(act.what, Ref | Selector) else act.of)
            if act.verb == "set" and isinstance(act.what, str):
                self._write(("seen", f"stat {act.what.rpartition('.')[2]}"), about)
            elif isinstance(act.what, str) and act.verb not in ("wound", "heal"):
                self._write(("seen", f"mark {act.what}"), about)
            for changed in (verb.adds, verb.removes) if verb is not None else ():
                if changed:
                    self._write(("seen", f"mark {changed}"), about)

    def _changed(self, modifier: Modifier) -> Subject:
        """Return whose number is changed; of what is picked first, anybody's."""
        return self._about(modifier.of) if isinstance(modifier.of, Selector) else Subject(False)

    def _engines(self) -> None:
        """Note what abilities bring that others pay with: counters, and assets where they give something for it."""
        able = [a for a in self.card.abilities if isinstance(a, Activated)]
        for act in (act for a in able for act in every((a.cost, a.do, a.modes), Act)):
            verb = next((v for v in self.rules.verbs if v.name == act.verb), None)
            about = self._about(act.what if isinstance(act.what, Ref | Selector) else act.of)
            if isinstance(act.what, str) and (act.verb == "add" or (verb is not None and verb.puts)):
                self._write(("fuel", act.what), about)
            if isinstance(act.what, str) and (act.verb == "remove" or (verb is not None and verb.counters)):
                self._read(("fuel", act.what), about)
            if act.verb == "gain" and isinstance(act.what, FrozenMap):
                for asset in act.what:
                    self._write(("fuel", f"pool {asset}"), Subject(False))
        for ability in able:
            if any(act.verb in ("gain", "add", "draw") for act in every((ability.do, ability.modes), Act)):
                for term in every(ability.cost, AssetTerm):
                    self._read(("fuel", f"pool {term.asset}"), Subject(False))

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
        for event in events_of(act, self.rules):
            self._write(("event", event), about)
        verb = next((v for v in self.rules.verbs if v.name == act.verb), None)
        for called in sorted(verb.events(act.what)) if verb is not None else (act.verb,):
            self._read(("norm", called), about)
        for selector in (act.what, act.of):
            if isinstance(selector, Selector) and (selector.how in PICKED or act.verb == "choose"):
                how = "target" if selector.how == "target" else "choose"
                for kind in ("norm", "must"):
                    self._read((kind, how), self._about(selector))
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
