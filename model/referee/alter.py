"""What changes an event before it happens: replacements, preventions, and abilities that come before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from lawful.model.act import Act
from lawful.model.effect import Prevention, Replacement, Trigger
from lawful.model.errors import LimitReached
from lawful.model.frozen import FrozenMap, replace
from lawful.model.policy import EffectRules
from lawful.model.position import Thing
from lawful.model.referee.barring import There, in_force, stands
from lawful.model.referee.evaluate import Scope, holds, number
from lawful.model.referee.event import Beside, Event, can_be, hurts, speaks_of
from lawful.model.referee.moment import Moment
from lawful.model.referee.scope import Bound
from lawful.model.referee.shields import Batch, Shield, shields, use
from lawful.model.referee.statics import of_rules, own, working
from lawful.model.referee.turns import earliest, first_player, round_from
from lawful.model.ruleset import Ruleset

DoAll = Callable[[tuple[Act, ...], Moment], Iterator[Moment]]
Mark = tuple[str, str, str]
STEPS = 5_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that can be applied now to an event of the batch."""

    key: str
    thing: Thing
    ability: Replacement | Prevention | Trigger
    rank: int
    event: int
    shield: Shield | None = None
    whole: bool = False

    def mark(self, batch: Batch) -> Mark:
        """Return what is noted when it was applied or declined: which, on which event."""
        event = batch[self.event]
        return (self.key, "" if self.whole else event.subject, event.name)


@dataclass(frozen=True, slots=True)
class State:
    """Where the changes of a batch have come to."""

    batch: Batch
    moment: Moment
    done: frozenset[Mark] = frozenset()
    start: str | None = None


def altered(batch: Batch, moment: Moment, do: DoAll) -> Iterator[tuple[Batch, Moment]]:
    """Yield the ways in which the events of a batch are changed: what is left of it, and the moment by then.

    Parameters
    ----------
    batch : tuple of Event
        What would happen.
    moment : Moment
        Just before.
    do : callable
        Does the acts that happen instead; they are done before what is left of the batch.

    Yields
    ------
    tuple
        One for every order that the ruleset allows, and for each that may be declined; ways that end equal are one. A
        shield is used as far as it goes. What falls to 0, and what cannot be, does not happen.

    Raises
    ------
    LimitReached
        If there are too many ways.

    References
    ----------
    CR 6.4.3 (must exist already), 6.4.5 (once for one original event), 6.5 (their order); 516.2, 516.3.
    """
    first = moment.ruleset.ordering.bans == "first"
    begun = allowed(batch, moment) if first else batch
    barred = _hurting(batch, moment) > _hurting(begun, moment)
    open_ = [State(begun, moment)]
    seen: set[object] = set()
    ends: set[object] = set()
    while open_:
        now = open_.pop(0)
        key = (now.batch, now.moment.position, now.done, now.start)
        known = len(seen)
        seen.add(key)  # one look: what is hashed is large
        if len(seen) == known:
            continue
        if len(seen) > STEPS:
            raise LimitReached("steps", STEPS, "there are too many ways to replace and prevent")
        found = _next(now)
        if not found:
            left = tuple(e for e in now.batch if e.amount > 0 and can_be(e, now.moment.position, moment.ruleset))
            left = left if first else allowed(left, now.moment)
            # What was replaced is not among the batch any more; what was prevented is, with nothing left of it.
            there = tuple(e for e in now.batch if can_be(e, now.moment.position, moment.ruleset))
            zeroed = barred or _hurting(there, moment) > _hurting(left, moment)
            known = len(ends)
            ends.add((left, now.moment.position, zeroed))
            if len(ends) > known:
                yield left, replace(now.moment, zeroed=zeroed)
        for state, candidate in found:
            open_ += _applied(candidate, state, do)


def _hurting(batch: Batch, moment: Moment) -> int:
    return sum(hurts(event, moment.ruleset) for event in batch)


def allowed(batch: Batch, moment: Moment) -> Batch:
    """Return what of a batch can happen: without what a norm forbids, and no more than one allows.

    References
    ----------
    514.2, 515.1; CR 1.0.2.
    """
    return tuple(left for event in batch if (left := _limited(event, moment)).amount > 0)


def _limited(event: Event, moment: Moment) -> Event:
    """Return an event with as much of it as norms leave."""
    here = [t for t in in_force(moment.position, moment.ruleset, event.by) if _bears(t, event)]
    for t in here:
        norm = t.norm
        if norm.name and norm.name in event.act.ignores:
            continue
        if norm.modality == "cannot" and norm.fewer_than is None and stands(t, here, moment.ruleset):
            most = 0 if norm.more_than is None else number(norm.more_than, t.scope.bind(subject=event.subject)) or 0
            event = replace(event, amount=min(event.amount, most))
    return event


def _bears(there: There, event: Event) -> bool:
    """Tell whether a norm speaks of an event; of what takes counters away also by the verb and their kind."""
    action, verb = there.norm.action, event.act.verb
    if there.norm.name and there.norm.name in event.act.ignores:
        return False
    rule = next((known for known in there.scope.ruleset.verbs if known.name == verb), None)
    if rule is not None and action.event in rule.events(event.act.what):
        action = replace(action, event=verb)
    return speaks_of(action, event, there.scope)


def _next(state: State) -> list[tuple[State, Candidate]]:
    """Return what may be applied next, each with the state by then: whoever begins may have been chosen for it."""
    found = [c for c in _candidates(state) if c.mark(state.batch) not in state.done]
    if not found:
        return []
    rank = min(c.rank for c in found)
    found = [c for c in found if c.rank == rank]
    events = [c.event for c in found if c.shield is None]
    if events:
        found = [c for c in found if c.event == min(events) or (c.shield and min(events) in c.shield.members)]
    else:
        found = _sole(found)
    return _ordered(found, state)


def _sole(found: list[Candidate]) -> list[Candidate]:
    """Return one shield to use first where its order with the others cannot matter, else all of them."""
    for c in found:
        assert c.shield is not None
        alone = sum(d.shield is not None and d.shield.event == c.shield.event for d in found) == 1
        if c.shield.ability.per == "event" and alone:
            return [c]
    return found


def _ordered(found: list[Candidate], state: State) -> list[tuple[State, Candidate]]:
    rules, position = state.moment.ruleset.ordering, state.moment.position
    shielding = all(c.shield is not None for c in found)
    policy = rules.preventions if shielding else rules.replacements
    turn = position.turn
    if policy == "blocks":
        return _in_blocks(found, state)
    if policy == "inactive":
        order = round_from(turn, position)
        found = earliest(found, _whose, (*order[1:], turn))
    elif rules.tiers and not rules.classes and _each_their_own(found[0].rank, rules):
        found = earliest(found, _whose, round_from(first_player(position), position))
    return [(state, c) for c in found]


def _each_their_own(tier: int, rules: EffectRules) -> bool:
    """Tell whether in a tier each player orders their own; what has no tier comes before all of them."""
    return 0 <= tier < len(rules.tiers) and rules.tiers[tier].order == "turn"


def _in_blocks(found: list[Candidate], state: State) -> list[tuple[State, Candidate]]:
    """Apply all of one player before those of the next, clockwise from the player picked for this event.

    References
    ----------
    CR 6.5.2b (picked once).
    """
    position = state.moment.position
    owners = {c.thing.controller for c in found}
    if len(owners) == 1:
        return [(state, c) for c in found]
    starts = [p.name for p in position.players] if state.start is None else [state.start]
    return [
        (replace(state, start=start), c)
        for start in starts
        for c in earliest(found, _whose, round_from(start, position))
    ]


def _whose(candidate: Candidate) -> str:
    return candidate.thing.controller


def _candidates(state: State) -> Iterator[Candidate]:
    batch, moment = state.batch, state.moment
    for e, event in enumerate(batch):
        for thing, i, ability in _abilities(event, moment):
            key = f"{thing.id}/{i}"
            # What has become nothing is no event any more (CR 1.9.1b).
            there = event.amount > 0 and can_be(event, moment.position, moment.ruleset) and key not in moment.used
            if there and _applies(ability, thing, event, moment):
                yield Candidate(key, thing, ability, rank(ability, moment.ruleset), e)
    for shield in shields(batch, moment):
        level = rank(shield.ability, moment.ruleset)
        whole = moment.ruleset.at_once == "whole"
        yield Candidate(shield.key, shield.thing, shield.ability, level, shield.members[0], shield, whole)


def _abilities(event: Event, moment: Moment) -> Iterator[tuple[Thing, int, Replacement | Trigger]]:
    """Yield those in play, and of what arrives what says how it does."""
    position = moment.position
    for thing, i, ability in (*working(position, moment.ruleset), *of_rules(position, moment.ruleset)):
        if isinstance(ability, Replacement) or (isinstance(ability, Trigger) and before(ability, moment.ruleset)):
            yield thing, i, ability
    play = {zone.name for zone in moment.ruleset.zones if zone.play}
    arriving = next((t for t in position.things if t.id == event.subject and t.zone not in play), None)
    if arriving is not None and event.to in play:
        for i, ability in enumerate(position.card(arriving).abilities):
            if isinstance(ability, Replacement) and ability.kind == "enters":
                yield arriving, i, ability


def before(ability: Trigger, ruleset: Ruleset) -> bool:
    """Tell whether an ability comes before the event that it hears."""
    return any(tier.name == ability.tier and tier.when == "before" for tier in ruleset.ordering.tiers)


def rank(ability: Replacement | Prevention | Trigger, ruleset: Ruleset) -> int:
    """Return its place among what changes an event: by class, by tier, or replacements before preventions."""
    rules = ruleset.ordering
    if rules.classes:
        kind = getattr(ability, "kind", "prevention")
        places = [i for i, words in enumerate(rules.classes) if kind in words.split("+")]
        return places[0] if places else len(rules.classes)
    if rules.tiers:
        return next((i for i, tier in enumerate(rules.tiers) if tier.name == ability.tier), -1)
    return int(isinstance(ability, Prevention))


def _applies(ability: Replacement | Trigger, thing: Thing, event: Event, moment: Moment) -> bool:
    scope = Scope(moment.position, moment.ruleset, _bound(thing, event))
    if isinstance(ability, Trigger) and ability.limit is not None and left(ability, thing, moment) <= 0:
        return False
    return speaks_of(ability.on, event, scope) and (ability.when is None or holds(ability.when, scope))


def _limit(thing: Thing, ability: Trigger, moment: Moment) -> str:
    return f"{thing.id}/{moment.position.card(thing).abilities.index(ability)}"


def _bound(thing: Thing, event: Event) -> FrozenMap[str, Bound]:
    return FrozenMap({**own(thing), "subject": event.subject, "event": event.amount, "source": event.source})


def _applied(c: Candidate, state: State, do: DoAll) -> list[State]:
    """Return the states after applying one, and after declining it where it may be."""
    marked = replace(state, done=state.done | {c.mark(state.batch)})
    after = list(_used(c, marked) if c.shield is not None else _instead(c, marked, do))
    declinable = c.shield is not None and state.moment.ruleset.ordering.declining == "any"
    if c.ability.optional or declinable:
        after.append(replace(marked, moment=marked.moment.says("effect.declined", source=(c.thing.id,))))
    return after


def _used(c: Candidate, state: State) -> Iterator[State]:
    assert c.shield is not None
    for batch, moment in use(c.shield, state.batch, state.moment):
        yield replace(state, batch=batch, moment=moment)


def _instead(c: Candidate, state: State, do: DoAll) -> Iterator[State]:
    event, moment = state.batch[c.event], state.moment
    bindings = _bound(c.thing, event)
    if isinstance(c.ability, Trigger):
        told = spent(c.ability, c.thing, moment).says("effect.resolves", source=c.thing.id)
        for after in _done(c, c.ability.do, bindings, replace(told, cause=None), moment, do):
            yield replace(state, moment=after)
        return
    assert isinstance(c.ability, Replacement)
    told = moment.says("effect.replaced", source=c.thing.id, event=event.name, subject=event.subject)
    if c.ability.kind in ("enters", "outcome"):
        beside = (*event.beside, Beside(c.key, c.ability.instead, bindings))
        changed = replace(event, beside=beside, idle=event.idle or c.ability.kind == "outcome")
        yield replace(state, batch=_with(state.batch, c.event, changed), moment=told)
        return
    part = None if c.ability.n is None else number(c.ability.n, Scope(moment.position, moment.ruleset, bindings)) or 0
    rest = None if part is None or part >= event.amount else replace(event, amount=event.amount - part, partly=True)
    taken = event.amount if rest is None else part
    bindings = FrozenMap({**bindings, "event": taken or 0})
    for after in _done(c, c.ability.instead, bindings, told, moment, do):
        yield replace(state, batch=_with(state.batch, c.event, rest), moment=after)


def _with(batch: Sequence[Event], at: int, event: Event | None) -> Batch:
    return (*batch[:at], *(() if event is None else (event,)), *batch[at + 1 :])


def _done(
    c: Candidate, acts: tuple[Act, ...], bindings: FrozenMap[str, Bound], told: Moment, moment: Moment, do: DoAll
) -> Iterator[Moment]:
    for after in do(acts, replace(told, used=told.used | {c.key}).text(bindings)):
        yield replace(after.text(moment.scope.bindings, moment), used=moment.used, cause=moment.cause)


def left(ability: Trigger, thing: Thing, moment: Moment) -> int:
    """Return how often an ability with a limit can still trigger."""
    return moment.position.remaining.get(_limit(thing, ability, moment), ability.limit or 0)


def spent(ability: Trigger, thing: Thing, moment: Moment) -> Moment:
    """Return the moment with one use less of an ability that has a limit."""
    if ability.limit is None:
        return moment
    key, n = _limit(thing, ability, moment), left(ability, thing, moment) - 1
    return moment.at(replace(moment.position, remaining=moment.position.remaining.put(key, n)))
