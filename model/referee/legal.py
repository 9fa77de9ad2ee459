"""Is a complete declaration legal: every rule that it breaks, each looked at by itself, with no search but trying."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property
from itertools import combinations, product
from typing import TypeGuard

from lawful.model.act import Act
from lawful.model.cost import ActTerm, terms
from lawful.model.declaration import Question
from lawful.model.effect import Norm, Static
from lawful.model.errors import LimitReached
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Thing
from lawful.model.priced import x_in_cost
from lawful.model.referee.choosing import Choosing, Requirement
from lawful.model.referee.declared import in_use
from lawful.model.referee.evaluate import compare, holds, number, select, stat
from lawful.model.referee.layers import muted
from lawful.model.referee.norms import Held, Spot, about, bars, sets_aside
from lawful.model.referee.places import Chosen, Place, done_to, most, wrong_modes
from lawful.model.selector import Selector
from lawful.model.slots import acts, called, declares, numbered, parts, picks, refers
from lawful.model.verdict import Because

MANY = 200_000


class Table(Choosing):
    """What the rules say of every complete choice, for one choice of modes and X."""

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
        found = list(self.whole)
        known = {place.name for place in self.places}
        for name in chosen:
            if name not in known and chosen[name]:
                found.append(self._no("slot", "check.slot", slot=name))
        things = {thing.id: thing for thing in self.things}
        single = {n: ids for n, ids in chosen.items() if (p := self.place(n)) is not None and most(p) == 1}
        for place in self.places:
            mine = chosen.get(place.name, ())
            found += self._number(place, mine)
            found += self._together(place, mine, things)
            for id in dict.fromkeys(mine):
                if mine.count(id) > 1:
                    found.append(self._no("distinct", "check.distinct", (id,), slot=place.name, object=id))
                if id not in things:
                    found.append(self._no("gone", "check.gone", (id,), slot=place.name, object=id))
                else:
                    found += self.refused(place, things[id], FrozenMap(single))
        found += self._once(chosen)
        found += self._sets(chosen)
        found += self._gate(chosen)
        return tuple(dict.fromkeys(self.kept(found)))

    @cached_property
    def whole(self) -> tuple[Because, ...]:
        """The rules by which it cannot be declared at all, whatever is chosen."""
        return tuple(self.kept(self._declared()))

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
            able = in_use(self.asked)
            lies = thing.face == (able[0].face if able else "up")
            usual = thing.controller == declaration.player and lies and self._works(thing)
        spot = Spot("", frozenset({declaration.kind}), declaration.player)
        let = any(h.norm.modality == "may" and about(h, spot, thing, self.asked) for h in self.held)
        if not usual and not let and not self._lets_itself(thing):
            role = "from" if declaration.kind == "play" else "from.ability"
            yield self._no(role, "check.from", (thing.id,), object=thing.id, by=declaration.player)
        if declaration.kind == "activate" and thing.id in muted(self.asked.opening, self.rules):
            yield self._no("from.lost", "check.lost", (thing.id,), object=thing.id)

    def _works(self, thing: Thing) -> bool:
        """Tell whether abilities work where an object is: in play, or where alone the cost can be paid with it."""
        play = {zone.name for zone in self.rules.zones if zone.play}
        told = [zone for ability in in_use(self.asked) for zone in ability.zone]
        if told or thing.zone in play:
            return not told or thing.zone in told
        if self.rules.choosing.outside == "never":
            return False
        due = [term.act for ability in in_use(self.asked) for term in terms(ability.cost) if isinstance(term, ActTerm)]
        needs = [self.rules.verb(act.verb).from_ for act in due if Ref("self") in (act.what, act.of)]
        needs += [part.zone for act in due for part in (act.what, act.of) if _itself(part)]
        return any(thing.zone in zones and play.isdisjoint(zones) for zones in needs)

    def _lets_itself(self, thing: Thing) -> bool:
        """Tell whether a card's own text lets it be played from where it is: it says so in no zone of play."""
        scope = self.asked.of_thing(self.asked.opening, self.asked.opening.thing(thing.id))
        for ability in self.asked.opening.card(thing).abilities if self.question.declaration.kind == "play" else ():
            norm = ability.effect if isinstance(ability, Static) else None
            if not isinstance(norm, Norm) or norm.modality != "may" or norm.action.event != "play":
                continue
            barred = norm.unless is not None and holds(norm.unless, scope)
            mine = norm.action.subject == Ref("self") and thing.owner == self.question.declaration.player
            if mine and not barred and (norm.while_ is None or holds(norm.while_, scope)):
                return True
        return False

    def _forbidden(self) -> Iterator[Because]:
        """Norms on declaring it at all."""
        declaration = self.question.declaration
        named = {declares(declaration), *declaration.types, *self.asked.labels, *self.text.types}
        spot = Spot("", called(named, self.rules.labels), declaration.player)
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

    def _together(self, place: Place, mine: tuple[str, ...], things: Mapping[str, Thing]) -> Iterator[Because]:
        """What is chosen has together as much of a property as the text says; what lacks it adds nothing."""
        there = [things[id] for id in dict.fromkeys(mine) if id in things]
        for test in place.selector.total:
            wanted = number(test.value, place.scope)
            n = sum(stat(thing, test.stat, place.scope) or 0 for thing in there if not thing.seat)
            # Where nothing need be chosen, nothing is enough.
            enough = self.attempted and wanted is not None and n < wanted and test.op in ("ge", "gt", "eq")
            enough = enough or (self.attempted and test.op == "gt" and n == wanted)
            if not enough and not compare(n, test.op, wanted):
                role = f"{place.procedure or 'fits'}.total"
                yield self._no(role, "check.fits.total", slot=place.name, wanted=(test.stat,))

    def _once(self, chosen: Chosen) -> Iterator[Because]:
        if self.text.procedure is None or not self.text.procedure.once:
            return
        all_ = [id for place in self.places for id in dict.fromkeys(chosen.get(place.name, ()))]
        for id in dict.fromkeys(all_):
            if all_.count(id) > 1:
                yield self._no("once", "check.once", (id,), object=id)

    def _sets(self, chosen: Chosen) -> Iterator[Because]:
        """Restrictions on the set chosen."""
        things = {thing.id: thing for thing in self.things}
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
        choosing = self.rules.choosing
        if choosing.gate == "none" or self.text.procedure is not None or self.attempted:
            return
        modes = numbered(self.question.declaration.modes or ())
        here = [(act, mode) for act, mode in acts(self.text) if mode is None or mode in modes]
        if choosing.gate == "every":
            for act, part, pick in self._asking(here):
                if pick is not None and self.place(pick) is not None:
                    there = part.up_to or bool(chosen.get(pick))
                else:
                    there = bool(self._found(act, part))
                if not there:
                    yield self._no("gate", "check.gate.every", norm=act.verb, verb=act.verb)
            return
        if not self._lives(here, [act for act, _ in here], chosen):
            yield self._no("gate", "check.gate")
        for mode in modes if choosing.options == "each" else ():
            if not self._lives(here, [act for act, of in here if of == mode], chosen):
                yield self._no("gate", "check.gate.mode", norm=mode, mode=mode)

    def _asking(self, here: list[tuple[Act, str | None]]) -> Iterator[tuple[Act, Selector, str | None]]:
        """Yield what acts pick or find, each with the slot that it is, if it is one; what is not met asks nothing."""
        for act, mode, part, pick in parts(self.text):
            if (act, mode) in here and act not in self.unmet:
                yield act, part, None if pick is None else pick.name

    def _lives(self, here: list[tuple[Act, str | None]], part: list[Act], chosen: Chosen) -> bool:
        """Tell whether one of some acts can happen; where they pick and find nothing, all are taken to."""
        unmet = self.unmet
        if _goes_without([act for act, _ in here], part, unmet, {pick.name for pick in picks(self.text)}):
            return True
        asking = [(act, selector, pick) for act, selector, pick in self._asking(here) if act in part]
        for act, selector, pick in asking:
            place = None if pick is None else self.place(pick)
            if place is None and self._found(act, selector):
                return True
            if place is not None and chosen.get(place.name):
                done = done_to(self.asked, self.text, place)
                if not done or not all(act in unmet for act in done):
                    return True
        # What picks, finds and waits for nothing, or waits for what is not so where the rules let it, stops nobody.
        return not asking and not (part and self.rules.choosing.unmet == "bars" and all(act in unmet for act in part))

    def _found(self, act: Act, wanted: Selector) -> list[Thing]:
        scope = self.asked.scope(self.asked.opening).bind(declarer=self.asked.payer)
        taken = next((v.from_ for v in self.rules.verbs if v.name == act.verb), ())
        play = tuple(zone.name for zone in self.rules.zones if zone.play)
        zones = wanted.zone or taken or self.rules.choosing.zones or play
        labels = called({*self.text.types, *self.question.declaration.types}, self.rules.labels)
        spot = Spot("", labels, self.asked.payer)
        return [
            thing
            for thing in select(wanted, scope)
            if thing.zone in zones and not self.keeping(act, thing) and not self._bans(spot, thing)
        ]

    def required(self, chosen: Chosen, oblige: frozenset[tuple[str, str]] | None = None) -> Iterator[Because]:
        """Yield the requirements that a complete choice does not meet, though it would have to."""
        needed, must = self.requirements, self.rules.norming.must
        if not needed or "must" in self.dropped:
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
        if self.whole:
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


def _itself(part: object) -> TypeGuard[Selector]:
    """Tell whether a text names its own card by a selector: "this card from your hand"."""
    return isinstance(part, Selector) and part.is_ == Ref("self")


def _goes_without(done: Sequence[Act], part: Sequence[Act], unmet: Sequence[Act], named: set[str]) -> bool:
    """Tell whether an act of a part needs no object: none that it looks for, that was chosen, or that a step yields."""
    needing = set(named)
    for act in done:
        asks = act.given in needing or bool(refers(act.when) & needing)
        if act not in unmet and not asks and not _selects(act, needing):
            if act in part:
                return True
            continue
        needing |= set() if act.as_ is None else {act.as_}
    return False


def _selects(act: Act, named: set[str]) -> bool:
    """Tell whether an act looks for an object, or is done to what one of these steps yields."""
    parts_ = (act.what, act.of)
    return any(isinstance(p, Selector) or (isinstance(p, Ref) and p.name in named) for p in parts_)


def breaks(
    question: Question, oblige: frozenset[tuple[str, str]] | None = None, dropped: Set[str] = frozenset()
) -> tuple[Because, ...]:
    """Return every rule that a complete declaration breaks, payment aside.

    Parameters
    ----------
    question : Question
        Its declaration names modes, X and the objects of every slot; a slot that is not named has none.
    oblige : frozenset of keys, optional
        Which requirements bind, where the rules leave that open.
    dropped : set of str
        Roles of rules that are not asked.

    Returns
    -------
    tuple of Because
        Each rule at each instance, once. Empty: nothing forbids it.
    """
    table = Table(question, dropped)
    return table.breaks(question.declaration.targets, oblige)


def complete(question: Question, modes: tuple[str, ...], x: int | None, chosen: Chosen) -> Question:
    """Return a question with everything settled."""
    declaration = replace(question.declaration, modes=modes, x=x, targets=FrozenMap(chosen))
    return replace(question, declaration=declaration)
