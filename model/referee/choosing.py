"""Who may be chosen for a slot, each object by itself; and what must be."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from functools import cached_property

from lawful.model.act import Act
from lawful.model.declaration import Question
from lawful.model.expression import Compare, Count
from lawful.model.frozen import FrozenMap
from lawful.model.position import Thing
from lawful.model.referee.asked import Asked, ask
from lawful.model.referee.demanded import possible
from lawful.model.referee.evaluate import number, select
from lawful.model.referee.forbid import because
from lawful.model.referee.norms import Held, Spot, about, bars, in_force, sets_aside
from lawful.model.referee.places import Chosen, Place, chosen_modes, done_to, kind_refused, most, places
from lawful.model.referee.targets import changing, tried, waiting
from lawful.model.ruleset import Verb, general
from lawful.model.slots import Text, acts, chooses_players, picks, refers, text_of
from lawful.model.verdict import Because, Value


@dataclass(frozen=True)
class Requirement:
    """Something that must be chosen.

    Parameters
    ----------
    held : Held
        The norm.
    thing : str, optional
        Who; None where it is any of several.
    n : int
        How many.
    where : frozenset of (str, str)
        Slots and objects that meet it.
    """

    held: Held
    thing: str | None
    n: int
    where: frozenset[tuple[str, str]]

    @property
    def key(self) -> tuple[str, str]:
        """What tells it from others."""
        return self.held.key, self.thing or ""

    def met(self, chosen: Chosen) -> bool:
        """Tell whether a choice meets it."""
        return sum(1 for slot, thing in self.where if thing in chosen.get(slot, ())) >= self.n


class Choosing:
    """What the rules say of every object, for one choice of modes and X.

    Parameters
    ----------
    question : Question
        What is declared, modes and X with it.
    dropped : set of str
        Roles of rules that are not asked: what would there be without them? ``zone`` stands for every ``zone.<name>``.
    """

    def __init__(self, question: Question, dropped: Set[str] = frozenset()) -> None:
        self.question, declaration = question, question.declaration
        self.dropped = dropped
        self.asked: Asked = ask(question, declaration.x, declaration.options or ())
        self.text: Text = text_of(question)
        self.held = in_force(self.asked)
        self.places = places(self.asked, self.text)
        self.rules = question.ruleset
        # Players stand beside the objects where the text may choose them.
        seats = self.asked.opening.seats() if chooses_players(self.text) else ()
        self.things: tuple[Thing, ...] = (*self.asked.opening.things, *seats)
        self._refused: dict[object, list[Because]] = {}

    def _no(self, role: str, says: str, about: tuple[str, ...] = (), **params: Value) -> Because:
        return because(self.rules, role, says, about, **params)

    def kept(self, found: Iterable[Because]) -> list[Because]:
        """Return the rules of these that are asked."""
        return [one for one in found if self.dropped.isdisjoint(general(one.role))]

    def place(self, name: str) -> Place | None:
        """Return a slot by its name."""
        return next((place for place in self.places if place.name == name), None)

    def bans(self, place: Place, thing: Thing) -> list[Held]:
        """Return the restrictions on choosing an object that nothing sets aside."""
        return self._bans(place.spot, thing)

    def _bans(self, spot: Spot, thing: Thing) -> list[Held]:
        here = [h for h in self.held if about(h, spot, thing, self.asked)]
        return [ban for ban in here if bars(ban.norm) and not any(sets_aside(h, ban, self.rules.norming) for h in here)]

    def allowed(self, place: Place, thing: Thing) -> bool:
        """Tell whether a `may` norm lets an object be chosen in a procedure against what its selector says."""
        return bool(place.procedure) and any(
            h.norm.modality == "may" and about(h, place.spot, thing, self.asked) for h in self.held
        )

    def of_kind(self, place: Place, thing: Thing, chosen: Chosen = FrozenMap()) -> tuple[Because, ...]:
        """Return the rules by which an object is not what a slot asks for."""
        found = kind_refused(place, thing, self.asked, chosen)
        elsewhere = any(f.role == "fits.zone" or f.role.startswith("zone.") for f in found)
        if place.target and thing.zone in self.rules.choosing.hidden and not elsewhere:  # CR 1.8.5a
            found += (self._no("blank.private", "check.private", (thing.id,), slot=place.name, object=thing.id),)
        if self.allowed(place, thing):
            return tuple(f for f in found if f.role == "face")
        return found

    def unaffected(self, place: Place, thing: Thing) -> tuple[Because, ...]:
        """Return why nothing that the text does to an object can affect it; nothing where something can."""
        if self.rules.choosing.affected == "ignored":
            return ()
        done = done_to(self.asked, self.text, place)
        barring = [self.keeping(act, thing) for act in done]
        idle = [self._idle(act, thing, place) for act in done]
        if not done or not all(ban or still for ban, still in zip(barring, idle, strict=True)):
            return ()
        if len(done) > 1 or not barring[0]:
            says = "check.affected" if any(barring) else "check.affected.idle"
            return (self._no("affected", says, (thing.id,), slot=place.name, object=thing.id),)
        return tuple(self._ban(ban, place, thing) for ban in barring[0])

    def _idle(self, act: Act, thing: Thing, place: Place) -> bool:
        """Tell whether an act would not change an object, where the rules ask for that."""
        verb = self.verb(act.verb)
        return self.rules.targets_change and verb is not None and not possible(verb, changing(act), thing, place.scope)

    def keeping(self, act: Act, thing: Thing) -> list[Held]:
        """Return the restrictions that keep an act from happening to an object; not those that it ignores."""
        known = self.verb(act.verb)
        events = frozenset({act.verb}) if known is None else known.events(act.what)
        bans = self._bans(Spot("", events, self.asked.payer), thing)
        return [ban for ban in bans if not (ban.norm.name and ban.norm.name in act.ignores)]

    def verb(self, name: str) -> Verb | None:
        """Return what the rules say of a verb."""
        return next((verb for verb in self.rules.verbs if verb.name == name), None)

    def _ban(self, ban: Held, place: Place, thing: Thing) -> Because:
        more: dict[str, Value] = {"slot": place.name, "norm": ban.key, "holder": ban.holder, "object": thing.id}
        # A norm of the rules holds because of objects that are there: a minion with guard, a crisis icon.
        counted = ban.norm.while_.left if isinstance(ban.norm.while_, Compare) else None
        if ban.key.startswith("/") and isinstance(counted, Count):
            by = tuple(found.id for found in select(counted.of, ban.scope))
            return self._no(ban.role, "check.cannot.by", (thing.id, *by), **more, by=by)
        return self._no(ban.role, "check.cannot", (thing.id,), **more)

    def refusals(self, place: Place, thing: Thing, chosen: Chosen = FrozenMap()) -> list[Because]:
        """Return every rule by which an object cannot be chosen for a slot, whatever else is chosen."""
        slot = place.name
        found = list(self.of_kind(place, thing, chosen))
        found += [self._ban(ban, place, thing) for ban in self.bans(place, thing)]
        found += self.unaffected(place, thing)
        obliging = tuple(dict.fromkeys(str(r.thing) for r in self.exclusive(place)))
        if obliging and thing.id not in obliging:
            found.append(self._no("must.others", "check.must.others", obliging, slot=slot, object=obliging))
        return self.kept(found)

    def refused(self, place: Place, thing: Thing, chosen: Chosen) -> list[Because]:
        """Return the same, looked at once; only what is chosen for slots that this one speaks of matters."""
        spoken = refers(place.selector)
        key = (place.name, thing.id, tuple(sorted((name, ids) for name, ids in chosen.items() if name in spoken)))
        if key not in self._refused:
            self._refused[key] = self.refusals(place, thing, chosen)
        return self._refused[key]

    @cached_property
    def requirements(self) -> tuple[Requirement, ...]:
        """What must be chosen, as far as it can be."""
        found = []
        for held in self.held:
            if held.norm.modality != "must":
                continue
            blocks = self.rules.norming.barred == "blocks" and held.norm.action.event in ("target", "choose")
            where = [
                (place.name, thing.id)
                for place in self.places
                for thing in self.things
                if about(held, place.spot, thing, self.asked)
                and not self.of_kind(place, thing)
                and (blocks or not (self.bans(place, thing) or self.unaffected(place, thing)))
            ]
            if held.norm.at_least is not None:
                n = number(held.norm.at_least, held.scope) or 0
                if where and n > 0:
                    found.append(Requirement(held, None, n, frozenset(where)))
                continue
            for id in dict.fromkeys(thing for _, thing in where):
                found.append(Requirement(held, id, 1, frozenset(w for w in where if w[1] == id)))
        return tuple(found)

    def exclusive(self, place: Place) -> list[Requirement]:
        """Return the requirements that keep others from being chosen for a slot."""
        norming = self.rules.norming
        if norming.must != "hard" or norming.others != "exclusive":
            return []
        return [
            r
            for r in self.requirements
            if r.thing is not None
            and r.held.norm.action.event in ("target", "choose")
            and (place.name, r.thing) in r.where
        ]

    def least(self, place: Place) -> int:
        """Return how many must be chosen at least."""
        top = most(place)
        if top is None or self.attempted or self._waits(place):
            return 0
        if place.selector.up_to:
            return min(top, self.rules.choosing.least)
        if (place.target and self.rules.choosing.targets == "exact") or place.procedure:
            return top
        return min(top, len(self.choosable(place)))

    def _waits(self, place: Place) -> bool:
        """Tell whether a slot is of a part that waits for what is not so, where the rules look at that."""
        return bool(self.unmet) and any(p.act in self.unmet for p in picks(self.text) if p.name == place.name)

    @cached_property
    def unmet(self) -> list[Act]:
        """The acts with these modes that wait for what is not so."""
        modes = chosen_modes(self.asked, self.text)
        return waiting(self.asked, [act for act, mode in acts(self.text) if mode is None or mode in modes])

    @cached_property
    def attempted(self) -> bool:
        """Tell whether it may be declared though nothing is chosen."""
        return tried(self.asked, (*self.text.types, *self.question.declaration.types))

    def choosable(self, place: Place) -> tuple[str, ...]:
        """Return the objects that may be chosen for a slot, each by itself."""
        return tuple(thing.id for thing in self.things if not self.refusals(place, thing))
