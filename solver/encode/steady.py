"""Whether anything that a payment model reads can change while the payment is being made.

The models read the position before paying: norms, conditions and numbers are constants in them, and only the state of
each single object follows what was done to it. That is exact where nothing that is read can be changed by a source's
use, by a replacement or by an effect-cost of the question. This module looks for what might change, and rather says
"it might" once too often: such a question is answered by playing every payment out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

from lawful.model.act import Act
from lawful.model.cost import ActTerm, terms
from lawful.model.declaration import Question
from lawful.model.effect import Grant, Modifier, Norm, Replacement, Source, Static
from lawful.model.errors import LimitReached
from lawful.model.expression import (
    Compare,
    Condition,
    Count,
    Every,
    Expression,
    Fact,
    Holds,
    Not,
    PerPlayer,
    Ref,
    Some,
    Times,
)  # fmt: skip
from lawful.model.frozen import FrozenMap
from lawful.model.position import Thing
from lawful.model.selector import Selector
from lawful.solver.encode.acts import done, target
from lawful.solver.encode.due import Plan, plans
from lawful.solver.encode.effect_terms import HIDDEN
from lawful.solver.encode.look import Look
from lawful.solver.encode.sources import Candidate, candidates, shared, usage
from lawful.solver.encode.stats import bending

MANY_EFFECTS = 4


@dataclass(frozen=True, slots=True)
class Deed:
    """An act that a payment may do, and the objects that it may be done to."""

    act: Act
    things: tuple[Thing, ...]
    when: str  # source, replacement or effect


def unsteady(question: Question) -> str | None:
    """Say what a payment model reads that may change while the payment is made.

    Parameters
    ----------
    question : Question
        What is asked.

    Returns
    -------
    str or None
        What may change, for people; None where the models are exact.

    Raises
    ------
    BadInput
        If the declaration cannot be asked about.
    """
    return next(iter(_Reader(question).changing()), None)


class _Reader:
    def __init__(self, question: Question) -> None:
        self.question, self.look = question, Look(question)
        self.rules, self.things = question.ruleset, self.look.position.things
        self.plans = plans(question)
        self.play = {zone.name for zone in self.rules.zones if zone.play}

    def changing(self) -> Iterator[str]:
        """Yield what may change."""
        if self.rules.effects == "at_once" or any(plan.demands for plan in self.plans):
            return  # all is paid at the same time, and read before it
        if not self.deeds:
            return
        yield from self._kinds()
        yield from self._several()
        yield from self._sources()
        yield from self._replacements()
        if any(plan.effects for plan in self.plans):
            yield from self._effects()
        yield from self._norms()

    def _several(self) -> Iterator[str]:
        """Sources of one object that leave no room for each other in one order, but do in the other."""
        try:
            found = candidates(self.question)
        except LimitReached:  # the models say so themselves
            return
        for id, several in shared(found):
            for _, state in usage(self.question, several, id):
                for one, two in combinations(several, 2):
                    if self._both(id, state, one, two) != self._both(id, state, two, one):
                        yield f"what the sources of {id} leave of it"
                        return

    def _both(self, id: str, state: Thing, first: Candidate, second: Candidate) -> bool:
        now: Thing | None = state
        for touched, act in (*first.acts, *second.acts):
            if now is not None and touched == id:
                now = done(self.question, act, now, self.look, self.question.declaration.player)
        return now is not None

    @cached_property
    def deeds(self) -> tuple[Deed, ...]:
        """All that may be done to objects while paying."""
        return (*self._by_sources(), *self._by_replacements(), *self._by_effects())

    def _by_sources(self) -> Iterator[Deed]:
        for thing, source in self.sources:
            for term in terms(source.cost):
                if isinstance(term, ActTerm):
                    yield Deed(term.act, self._objects(term.act, thing.id, thing.controller), "source")

    @cached_property
    def sources(self) -> tuple[tuple[Thing, Source], ...]:
        """Every source that an object has or might come to have, allowed now or not."""
        found = []
        for thing in self.things:
            for source in self.rules.sources:
                if source.of is not None and self._might(source.of, thing, thing.id):
                    found.append((thing, source))
            if self.rules.source_abilities:
                own = self.look.position.card(thing).abilities
                found += [(thing, a) for a in own if isinstance(a, Source)]
        return tuple(found)

    @cached_property
    def replacers(self) -> tuple[tuple[Thing, Replacement], ...]:
        """Replacements of gains, with their objects, wherever these are."""
        return tuple(
            (thing, ability)
            for thing in self.things
            for ability in self.look.position.card(thing).abilities
            if isinstance(ability, Replacement) and ability.on.event == "gains"
        )

    def _by_replacements(self) -> Iterator[Deed]:
        for thing, ability in self.replacers:
            for act in ability.instead:
                if not isinstance(act.what, FrozenMap):
                    yield Deed(act, self._objects(act, thing.id, thing.controller), "replacement")

    def _by_effects(self) -> Iterator[Deed]:
        declaration = self.question.declaration
        for act in {effect.key: effect.act for plan in self.plans for effect in plan.effects}.values():
            if act.verb != "gain":
                yield Deed(act, self._objects(act, declaration.thing, declaration.player), "effect")

    def _objects(self, act: Act, self_id: str | None, player: str) -> tuple[Thing, ...]:
        who = target(act)
        if isinstance(who, Ref):
            id = self_id if who == Ref("self") else self.look.who(who, player, self_id)
            return tuple(thing for thing in self.things if thing.id == id)
        return () if who is None else tuple(t for t in self.things if self._might(who, t, self_id, player))

    def _might(self, selector: Selector, thing: Thing, self_id: str | None, player: str | None = None) -> bool:
        """Say whether a selector finds an object, or would if numbers, counters, status or face were others."""
        player = player or self.question.declaration.player
        there = Selector(zone=selector.zone, controller=selector.controller, owner=selector.owner, face=thing.face)
        if thing.face == "up":
            there = replace(there, type=selector.type, name=selector.name)
        return self.look.finds(there, thing, player, self_id)

    # What is read of a position: numbers, conditions, selectors.

    def _changes(self, act: Act) -> bool:
        verb = next((v for v in self.rules.verbs if v.name == act.verb), None)
        if verb is None or verb.to is not None or isinstance(act.to, str):
            return True
        return any((verb.adds, verb.removes, verb.face, verb.counters))

    def _goes(self, act: Act) -> str | None:
        """Return the zone that an act takes its object to; "" where it turns it; None where it stays as it is."""
        verb = next((v for v in self.rules.verbs if v.name == act.verb), None)
        if verb is None:
            return ""
        to = act.to if isinstance(act.to, str) else verb.to
        return to if to is not None else "" if verb.face is not None else None

    @cached_property
    def zones(self) -> frozenset[str]:
        """Zones in which anything may change: objects come, go, or are not what they were."""
        found = set()
        for deed in self.deeds:
            if deed.things and self._changes(deed.act):
                found |= {thing.zone for thing in deed.things} | {self._goes(deed.act) or deed.things[0].zone}
        return frozenset(found)

    @cached_property
    def bends(self) -> bool:
        """Whether effects change numbers of objects: what they do may change with the position."""
        return any(isinstance(one, Modifier) for one in bending(self.look.position, self.rules))

    def fixed(self, expression: Expression | str | None) -> bool:
        """Say whether a number is the same during the whole payment."""
        if expression is None or isinstance(expression, int | str):
            return True
        if isinstance(expression, Ref):
            if expression.path[:1] == ("pool",):
                return False
            counted = bool(expression.path) and expression.path[0] == "counters"
            removed = any(v.counters for d in self.deeds for v in self.rules.verbs if v.name == d.act.verb)
            return not (removed if counted else bool(expression.path) and self.bends)
        if isinstance(expression, Count):
            return self._stays(expression.of)
        if isinstance(expression, Times | PerPlayer):
            return self.fixed(expression.of)
        if isinstance(expression, Holds):
            return self.holds_on(expression.condition)
        return all(map(self.fixed, expression.terms))

    def holds_on(self, condition: Condition | None) -> bool:
        """Say whether a condition is as true during the whole payment as before it."""
        if condition is None or isinstance(condition, Fact):
            return True
        if isinstance(condition, Every | Some):
            return all(map(self.holds_on, condition.conditions))
        if isinstance(condition, Not):
            return self.holds_on(condition.condition)
        assert isinstance(condition, Compare)
        return self.fixed(condition.left) and self.fixed(condition.right)

    def sees_the_same(self, selector: Ref | Selector | None) -> bool:
        """Say whether what a selector asks of an object depends on that object's own state only."""
        if selector is None or isinstance(selector, Ref):
            return True
        if self.rules.effects != "at_once" and (selector.total or not all(map(self._stays, self._others(selector)))):
            return False
        tests = all(self.fixed(test.value) for test in selector.where) and not (selector.where and self.bends)
        parts = all(map(self.sees_the_same, (*selector.any_of, *selector.none_of)))
        return tests and parts and self.fixed(selector.n)

    def _others(self, selector: Selector) -> Iterator[Selector]:
        """Yield what finds the objects that a selector compares an object with."""
        yield from (s for s in (selector.shares, selector.namesake) if isinstance(s, Selector))
        yield from (*selector.near.values(), *selector.bears.values())
        if selector.highest or selector.lowest:
            yield Selector(zone=selector.zone)

    def _stays(self, selector: Selector) -> bool:
        """Say whether a selector finds the same objects during the whole payment: none of them can come or go."""
        zones = set(selector.zone)
        return bool(zones) and not zones & self.zones and self.sees_the_same(selector)

    def _works(self, thing: Thing) -> bool:
        return thing.zone in self.play and thing.face == "up"

    def _starts_or_ends(self, thing: Thing, *whens: str) -> bool:
        """Say whether deeds of these kinds may take an object's abilities out of play, or bring them into it."""
        for deed in self.deeds:
            if deed.when in whens and any(t.id == thing.id for t in deed.things):
                to = self._goes(deed.act)
                if to is not None and (self._works(thing) or to == "" or to in self.play):
                    return True
        return False

    # What the models take for constant.

    def _sources(self) -> Iterator[str]:
        came = {self._goes(d.act) for d in self.deeds if d.when != "effect"}
        for thing, source in self.sources:
            if not self.holds_on(source.when):
                yield f"whether {source.name!r} may be used"
            if not self.sees_the_same(source.of) or not self.sees_the_same(source.for_):
                yield f"which objects may be used for {source.name!r}"
            for term in terms(source.cost):
                if isinstance(term, ActTerm) and not self.fixed(term.act.n):
                    yield f"what {source.name!r} costs"
            if self._starts_or_ends(thing, "replacement"):
                yield f"whether {thing.id!r} is there to be used"
        for source in self.rules.sources:
            if source.of is not None and came & set(source.of.zone):
                yield f"which objects may be used for {source.name!r}"

    def _replacements(self) -> Iterator[str]:
        holders: set[str] = set()
        for thing, ability in self.replacers:
            may_work = self._works(thing) or self._starts_or_ends(thing, "source", "replacement")
            if not may_work:
                continue
            if thing.id in holders:
                yield f"which replacement of {thing.id!r} is left"
            holders.add(thing.id)
            other = [a for a in ability.instead if not isinstance(a.what, FrozenMap)]
            if not self._works(thing) or self._starts_or_ends(thing, "source"):
                yield f"whether {thing.id!r} still replaces anything"
            if ability.on.subject is not None or not self.holds_on(ability.when):
                yield f"whether {thing.id!r} replaces a gain"
            if any(target(act) != Ref("self") for act in other):
                yield f"what {thing.id!r} does to other objects"
            if any(self._changes(a) and (self._goes(a) or "") in ("", *self.play) for a in other):
                yield f"whether {thing.id!r} still replaces anything"
            amounts = [n for a in ability.instead if isinstance(a.what, FrozenMap) for n in a.what.values()]
            if not all(map(self.fixed, amounts)):
                yield f"what {thing.id!r} makes of a gain"

    def _norms(self) -> Iterator[str]:
        known = {verb.name: verb for verb in self.rules.verbs}
        acts = [deed.act for deed in self.deeds]
        verbs = {event for a in acts for event in (known[a.verb].events(a.what) if a.verb in known else (a.verb,))}
        for thing in self.things:
            for ability in self.look.position.card(thing).abilities:
                if not isinstance(ability, Static) or not isinstance(ability.effect, Norm):
                    continue
                norm = ability.effect
                if norm.action.event not in verbs:
                    continue
                if self._starts_or_ends(thing, "source", "replacement", "effect"):
                    yield f"whether the restriction of {thing.id!r} is in force"
                if self._works(thing):
                    steady = self.holds_on(norm.while_) and self.holds_on(norm.unless)
                    if not steady or not self.sees_the_same(norm.action.subject):
                        yield f"whether the restriction of {thing.id!r} is in force"

        for effect in (*(laid.modifier for laid in self.look.position.lasting), *self.rules.norms):
            if isinstance(effect, Norm) and effect.action.event in verbs:
                steady = self.holds_on(effect.while_) and self.holds_on(effect.unless)
                if not steady or not self.sees_the_same(effect.action.subject):
                    yield "whether a restriction that was laid is in force"

    def _kinds(self) -> Iterator[str]:
        """Yield where what objects are may change: what grants it comes or goes, or looks at what changes."""
        for thing in self.things:
            for ability in self.look.position.card(thing).abilities:
                if isinstance(ability, Static) and isinstance(ability.effect, Grant):
                    if self._starts_or_ends(thing, "source", "replacement", "effect"):
                        yield f"what {thing.id!r} makes of objects"
                    if self._works(thing):
                        yield from self._granting(ability.effect)
        for laid in self.look.position.lasting:
            if isinstance(laid.modifier, Grant):
                yield from self._granting(laid.modifier)

    def _granting(self, grant: Grant) -> Iterator[str]:
        of = grant.of
        alone = not isinstance(of, Selector) or of == Selector(
            zone=of.zone, type=of.type, name=of.name, controller=of.controller, owner=of.owner, how=of.how
        )
        if not self.holds_on(grant.while_) or not alone or (isinstance(of, Selector) and set(of.zone) & self.zones):
            yield "what objects are"

    def _effects(self) -> Iterator[str]:
        acts = {effect.key: effect.act for plan in self.plans for effect in plan.effects}
        if len(acts) > MANY_EFFECTS:
            yield "the order of so many effect-costs"
        for act in acts.values():
            amounts = act.what.values() if isinstance(act.what, FrozenMap) else ()
            if not self.fixed(act.n) or not all(map(self.fixed, amounts)):
                yield f"what there is to {act.verb}"
            if not self.sees_the_same(target(act)):
                yield f"what there is to {act.verb}"
        for plan in self.plans:
            yield from self._pairs(plan)

    def _pairs(self, plan: Plan) -> Iterator[str]:
        """Yield where an act is about what another one of the same cost did, in ways that no object tells by itself."""
        declaration = self.question.declaration
        acts = [effect.act for effect in plan.effects if effect.act.verb != "gain"]
        touched = [self._objects(act, declaration.thing, declaration.player) for act in acts]
        used = {t.id for d in self.deeds if d.when != "effect" and self._changes(d.act) for t in d.things}
        for i, act in enumerate(acts):
            who = target(act)
            others = [j for j in range(len(acts)) if j != i]
            if isinstance(who, Ref):
                mine = {thing.id for thing in touched[i]}
                taken = {t.id for j in others if self._changes(acts[j]) for t in touched[j]}
                if mine & (taken | used):
                    yield f"whether there is still something to {act.verb}"
            if isinstance(who, Selector) and who.how in HIDDEN and any(self._meet(act, acts[j]) for j in others):
                yield f"what chance leaves to {act.verb}"

    def _meet(self, hidden: Act, other: Act) -> bool:
        """Say whether two acts may be about the same objects, one after the other."""
        mine, its = self._zones_of(hidden), self._zones_of(other)
        if mine is None or its is None:
            return True
        return bool(mine & its) or self._goes(other) in mine or self._goes(hidden) in its

    def _zones_of(self, act: Act) -> set[str] | None:
        """Return the zones in which an act looks for its objects; None for all."""
        who, declaration = target(act), self.question.declaration
        if isinstance(who, Selector):
            return set(who.zone) or None
        return {thing.zone for thing in self._objects(act, declaration.thing, declaration.player)}
