"""Is a complete declaration legal: every rule that it breaks, each looked at by itself. No solver, no search but plain trying."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product

from lawful.model.act import Act
from lawful.model.cost import ActTerm, terms
from lawful.model.declaration import Question
from lawful.model.effect import Source
from lawful.model.errors import LimitReached
from lawful.model.frozen import FrozenMap
from lawful.model.payment import Payment
from lawful.model.position import Thing
from lawful.model.referee.asked import Asked, ask
from lawful.model.referee.evaluate import holds, number, select
from lawful.model.referee.forbid import because
from lawful.model.referee.listing import payments
from lawful.model.referee.norms import Held, Spot, about, bars, in_force, sets_aside
from lawful.model.referee.places import Chosen, Place, done_to, kind_refused, most, places, wrong_modes
from lawful.model.selector import Selector
from lawful.model.slots import Text, acts, declares, parts, refers, text_of, to_pay, x_in_cost, x_to_pay
from lawful.model.verdict import Because, Value

MANY = 200_000


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


class Table:
    """What the rules say of every choice, for one choice of modes and X."""

    def __init__(self, question: Question) -> None:
        self.question, declaration = question, question.declaration
        self.asked: Asked = ask(question, declaration.x, declaration.options or ())
        self.text: Text = text_of(question)
        self.held = in_force(self.asked)
        self.places = places(self.asked, self.text)
        self.rules = question.ruleset

    def _no(self, role: str, says: str, about: tuple[str, ...] = (), **params: Value) -> Because:
        return because(self.rules, role, says, about, **params)

    def place(self, name: str) -> Place | None:
        """Return a slot by its name."""
        return next((place for place in self.places if place.name == name), None)

    # --- one object for one slot

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
        if self.allowed(place, thing):
            return tuple(f for f in found if f.role == "face")
        return found

    def unaffected(self, place: Place, thing: Thing) -> tuple[Because, ...]:
        """Return why nothing that the text does to an object can affect it; nothing where something can."""
        if self.rules.choosing.affected == "ignored":
            return ()
        verbs = done_to(self.asked, self.text, place)
        barring = [self.keeping(verb, thing) for verb in verbs]
        if not verbs or not all(barring):
            return ()
        if len(verbs) > 1:
            return (self._no("affected", "check.affected", (thing.id,), slot=place.name, object=thing.id),)
        return tuple(self._ban(ban, place, thing) for ban in barring[0])

    def keeping(self, verb: str, thing: Thing) -> list[Held]:
        """Return the restrictions that keep a verb from happening to an object."""
        return self._bans(Spot("", frozenset({verb}), self.asked.payer), thing)

    def _ban(self, ban: Held, place: Place, thing: Thing) -> Because:
        more = {"slot": place.name, "norm": ban.key, "holder": ban.holder, "object": thing.id}
        return self._no(ban.role, "check.cannot", (thing.id,), **more)

    def refusals(self, place: Place, thing: Thing, chosen: Chosen = FrozenMap()) -> list[Because]:
        """Return every rule by which an object cannot be chosen for a slot, whatever else is chosen."""
        slot = place.name
        found = list(self.of_kind(place, thing, chosen))
        found += [self._ban(ban, place, thing) for ban in self.bans(place, thing)]
        found += self.unaffected(place, thing)
        obliging = self.exclusive(place)
        for must in obliging:
            if thing.id not in {m.thing for m in obliging}:
                found.append(
                    self._no("must.others", "check.must.others", (str(must.thing),), slot=slot, norm=must.held.key, object=str(must.thing))
                )  # fmt: skip
        return found

    # --- requirements

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
                for thing in self.asked.opening.things
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

    # --- a whole choice

    def breaks(self, chosen: Chosen, oblige: frozenset[tuple[str, str]] | None = None) -> tuple[Because, ...]:
        """Return every rule that a complete choice breaks, requirements included.

        Parameters
        ----------
        chosen : mapping of str to tuple of str
            Ids by slot.
        oblige : frozenset of keys, optional
            Where the rules leave open which requirements bind: those of the reading looked at.
        """
        return (*self.restricted(chosen), *self.required(chosen, oblige))

    def restricted(self, chosen: Chosen) -> tuple[Because, ...]:
        """Return every rule but those of requirements that a complete choice breaks."""
        found = list(self._declared())
        known = {place.name for place in self.places}
        for name in chosen:
            if name not in known and chosen[name]:
                found.append(self._no("slot", "check.slot", slot=name))
        things = {thing.id: thing for thing in self.asked.opening.things}
        single = {n: ids for n, ids in chosen.items() if (p := self.place(n)) is not None and most(p) == 1}
        for place in self.places:
            mine = chosen.get(place.name, ())
            found += self._number(place, mine)
            for id in dict.fromkeys(mine):
                if mine.count(id) > 1:
                    found.append(self._no("distinct", "check.distinct", (id,), slot=place.name, object=id))
                if id not in things:
                    found.append(self._no("gone", "check.gone", (id,), slot=place.name, object=id))
                else:
                    found += self.refusals(place, things[id], FrozenMap(single))
        found += self._once(chosen)
        found += self._sets(chosen)
        found += self._gate(chosen)
        return tuple(dict.fromkeys(found))

    def _declared(self) -> Iterator[Because]:
        declaration, asked = self.question.declaration, self.asked
        modes = wrong_modes(asked, self.text)
        if modes is not None:
            yield modes
        if declaration.resolving:
            return
        if not x_in_cost(self.question) and "x" in refers((self.text.do, self.text.modes)):
            least = max(0, self.rules.x.least)
            if declaration.x is None or declaration.x < least:
                role = "x.least.ability" if declaration.kind == "activate" else "x.least"
                yield self._no(role, "check.x.least", least=least)
        if self.text.when is not None and not holds(
            self.text.when, asked.scope(asked.opening).bind(declarer=asked.payer)
        ):
            yield self._no("when", "check.when")
        yield from self._from()
        yield from self._forbidden()

    def _from(self) -> Iterator[Because]:
        declaration = self.question.declaration
        if declaration.thing is None or declaration.kind not in ("play", "activate"):
            return
        thing = self.question.position.thing(declaration.thing)
        if declaration.kind == "play":
            usual = thing.zone == self.rules.hand and thing.owner == declaration.player
        else:
            usual = thing.controller == declaration.player and thing.face == "up"
        spot = Spot("", frozenset({declaration.kind}), declaration.player)
        let = any(h.norm.modality == "may" and about(h, spot, thing, self.asked) for h in self.held)
        if not usual and not let:
            yield self._no("from", "check.from", (thing.id,), object=thing.id, by=declaration.player)

    def _forbidden(self) -> Iterator[Because]:
        """Norms on declaring it at all."""
        declaration = self.question.declaration
        spot = Spot("", frozenset({declares(declaration), *declaration.types}), declaration.player)
        thing = None if declaration.thing is None else self.asked.opening.thing(declaration.thing)

        def concerns(held: Held) -> bool:
            if thing is not None:
                return about(held, spot, thing, self.asked)
            action = held.norm.action
            if action.subject is not None or action.on is not None or declaration.kind != "declare":
                return False
            return about(held, spot, Thing("", "", "", "", ""), self.asked)

        for ban in self.held:
            kept = bars(ban.norm) and concerns(ban)
            if kept and not any(concerns(h) and sets_aside(h, ban, self.rules.norming) for h in self.held):
                yield self._no(ban.role, "check.cannot.declare", (), norm=ban.key, holder=ban.holder)

    def _number(self, place: Place, mine: tuple[str, ...]) -> Iterator[Because]:
        least, top = self.least(place), most(place)
        if len(mine) < least:
            yield self._no("few", "check.few", slot=place.name, least=least)
        if top is not None and len(mine) > top:
            yield self._no("many", "check.many", slot=place.name, most=top)

    def least(self, place: Place) -> int:
        """Return how many must be chosen at least."""
        top = most(place)
        if top is None:
            return 0
        if place.selector.up_to:
            return min(top, self.rules.choosing.least)
        if place.target or place.procedure:
            return top
        return min(top, len(self.choosable(place)))

    def choosable(self, place: Place) -> tuple[str, ...]:
        """Return the objects that may be chosen for a slot, each by itself."""
        return tuple(thing.id for thing in self.asked.opening.things if not self.refusals(place, thing))

    def _once(self, chosen: Chosen) -> Iterator[Because]:
        if self.text.procedure is None or not self.text.procedure.once:
            return
        all_ = [id for place in self.places for id in dict.fromkeys(chosen.get(place.name, ()))]
        for id in dict.fromkeys(all_):
            if all_.count(id) > 1:
                yield self._no("once", "check.once", (id,), object=id)

    def _sets(self, chosen: Chosen) -> Iterator[Because]:
        """Restrictions on the set chosen."""
        things = {thing.id: thing for thing in self.asked.opening.things}
        for held in self.held:
            norm = held.norm
            if norm.modality != "cannot" or bars(norm):
                continue
            if any(held.norm.name and held.norm.name in h.norm.ignores for h in self.held):
                continue
            n = sum(
                1
                for place in self.places
                for id in dict.fromkeys(chosen.get(place.name, ()))
                if id in things and about(held, place.spot, things[id], self.asked)
            )
            if norm.more_than is not None:
                k = number(norm.more_than, held.scope) or 0
                if n > k:
                    yield self._no(held.role, "check.cannot.more", norm=held.key, slot="more", holder=held.holder, n=k)
            if norm.fewer_than is not None:
                k = number(norm.fewer_than, held.scope) or 0
                if 0 < n < k:
                    yield self._no(
                        held.role, "check.cannot.fewer", norm=held.key, slot="fewer", holder=held.holder, n=k
                    )

    def _gate(self, chosen: Chosen) -> Iterator[Because]:
        """Something that the text does must have something to happen to."""
        gate = self.rules.choosing.gate
        if gate == "none" or self.text.procedure is not None:
            return
        modes = self.question.declaration.modes or ()
        if gate == "any" and any(not _selects(act) for act, mode in acts(self.text) if mode is None or mode in modes):
            return
        done: list[tuple[Act, bool]] = []
        for act, mode, part, pick in parts(self.text):
            if mode is not None and mode not in modes:
                continue
            if pick is None or self.place(pick.name) is None:
                done.append((act, bool(self._found(act, part))))
            else:
                optional = gate == "every" and part.up_to
                done.append((act, optional or bool(chosen.get(pick.name))))
        if gate == "any" and done and not any(there for _, there in done):
            yield self._no("gate", "check.gate")
        if gate == "every":
            for act, there in done:
                if not there:
                    yield self._no("gate", "check.gate.every", norm=act.verb, verb=act.verb)

    def _found(self, act: Act, wanted: Selector) -> list[Thing]:
        scope = self.asked.scope(self.asked.opening).bind(declarer=self.asked.payer)
        taken = next((v.from_ for v in self.rules.verbs if v.name == act.verb), ())
        play = tuple(zone.name for zone in self.rules.zones if zone.play)
        zones = wanted.zone or taken or self.rules.choosing.zones or play
        return [thing for thing in select(wanted, scope) if thing.zone in zones and not self.keeping(act.verb, thing)]

    def required(self, chosen: Chosen, oblige: frozenset[tuple[str, str]] | None = None) -> Iterator[Because]:
        """Yield the requirements that a complete choice does not meet, though it would have to."""
        needed, must = self.requirements, self.rules.norming.must
        if not needed:
            return
        if must == "hard" or oblige is not None:
            for r in needed:
                if (oblige is None or r.key in oblige) and not r.met(chosen):
                    yield self._must(r)
            return
        met = frozenset(r.key for r in needed if r.met(chosen))
        holders = tuple(dict.fromkeys(r.held.holder for r in needed))
        if must == "any" and not met and any(self.meetable):
            yield self._no("must", "check.must.any", holders=holders)
        if must == "most":
            n = max((len(keys) for keys in self.meetable), default=0)
            if len(met) < n:
                yield self._no("must", "check.must.most", n=n, holders=holders)
        if must == "maximal" and any(met < keys for keys in self.meetable):
            yield self._no("must", "check.must.most", n=max(map(len, self.meetable)), holders=holders)

    def _must(self, r: Requirement) -> Because:
        if r.thing is None:
            return self._no(r.held.role, "check.must.least", norm=r.held.key, holder=r.held.holder, n=r.n)
        return self._no(r.held.role, "check.must", (r.thing,), norm=r.held.key, holder=r.held.holder, object=r.thing)

    @cached_property
    def meetable(self) -> tuple[frozenset[tuple[str, str]], ...]:
        """The sets of requirements that some choice meets, restrictions kept; found by trying every choice."""
        return tuple(
            dict.fromkeys(frozenset(r.key for r in self.requirements if r.met(chosen)) for chosen in self.choices())
        )

    def choices(self) -> Iterator[FrozenMap[str, tuple[str, ...]]]:
        """Yield every complete choice that breaks no restriction.

        Raises
        ------
        LimitReached
            If there are too many to try.
        """
        if any(True for _ in self._declared()):
            return
        options: list[Sequence[tuple[str, ...]]] = []
        tried = 1
        for place in self.places:
            there, top = self.choosable(place), most(place)
            sizes = range(self.least(place), min(len(there), len(there) if top is None else top) + 1)
            sets = [tuple(c) for size in sizes for c in combinations(there, size)] if len(there) <= 20 else None
            tried *= MANY + 1 if sets is None else len(sets)
            if tried > MANY:
                raise LimitReached("choices", MANY, "the referee tries them one by one")
            options.append(sets or ())
        for one in product(*options):
            chosen = FrozenMap({p.name: ids for p, ids in zip(self.places, one, strict=True)})
            if not self.restricted(chosen):
                yield chosen


def _selects(act: Act) -> bool:
    return any(isinstance(part, Selector) for part in (act.what, act.of))


def spent(question: Question, payment: Payment) -> frozenset[str]:
    """Return the objects that a payment spends as sources: those that it moves to another zone."""
    rules = question.ruleset
    own = {source.name: source for source in rules.sources}
    found = set()
    for use in payment.uses:
        card = question.position.card(question.position.thing(use.thing))
        source = own.get(use.source) or next(
            (a for a in card.abilities if isinstance(a, Source) and a.name == use.source), None
        )
        for term in terms(source.cost) if source is not None else ():
            if isinstance(term, ActTerm) and any(v.name == term.act.verb and v.to is not None for v in rules.verbs):
                found.add(use.thing)
    return frozenset(found)


def misspent(question: Question, payment: Payment) -> tuple[Because, ...]:
    """Return the targets that a payment spends though it must not."""
    if question.ruleset.choosing.spent == "allowed" or question.declaration.resolving:
        return ()
    table, gone = Table(question), spent(question, payment)
    return tuple(
        because(question.ruleset, "spent", "check.spent", (id,), object=id)
        for place in table.places
        if not place.selector.spent
        for id in question.declaration.targets.get(place.name, ())
        if id in gone
    )


def affordable(question: Question) -> Payment | None:
    """Return a payment of a complete declaration that spends none of its targets; None where there is none."""
    asked = to_pay(question)
    asked = replace(asked, declaration=replace(asked.declaration, x=x_to_pay(question)))
    for payment, _ in payments(asked):
        if not misspent(question, payment):
            return payment
    return None


def legal(question: Question) -> bool:
    """Tell whether a complete declaration is legal: nothing forbids it, and it can be paid."""
    if breaks(question):
        return False
    return question.declaration.resolving or affordable(question) is not None


def breaks(question: Question, oblige: frozenset[tuple[str, str]] | None = None) -> tuple[Because, ...]:
    """Return every rule that a complete declaration breaks, payment aside.

    Parameters
    ----------
    question : Question
        Its declaration names modes, X and the objects of every slot; a slot that is not named has none.
    oblige : frozenset of keys, optional
        Which requirements bind, where the rules leave that open.

    Returns
    -------
    tuple of Because
        Each rule at each instance, once. Empty: nothing forbids it.
    """
    table = Table(question)
    return table.breaks(question.declaration.targets, oblige)


def complete(question: Question, modes: tuple[str, ...], x: int | None, chosen: Chosen) -> Question:
    """Return a question with everything settled."""
    declaration = replace(question.declaration, modes=modes, x=x, targets=FrozenMap(chosen))
    return replace(question, declaration=declaration)
