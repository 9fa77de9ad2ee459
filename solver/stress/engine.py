"""Engines: abilities that together bring more than they cost, and leave everything as it was.

Each use of an ability changes places by fixed numbers: what floats, counters, objects that are ready. Whole numbers of
uses that lower no place and raise one are a T-semiflow; the fewest uses are asked of CP-SAT, and then put into an order
in which each can be done, on the position itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import product
from typing import Literal, TypeAlias

from ortools.sat.python import cp_model

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import ActTerm, AssetTerm, terms
from lawful.model.declaration import Declaration, Happening, OrderQuestion, Question
from lawful.model.effect import Activated
from lawful.model.errors import LawfulError, LimitReached
from lawful.model.frozen import FrozenMap
from lawful.model.position import Position, Thing
from lawful.model.ruleset import Verb
from lawful.model.stress import Bound, Finding, Said
from lawful.model.verdict import Message
from lawful.solver.ask import least
from lawful.solver.encode.literals import total
from lawful.solver.order.answer import ordered
from lawful.solver.stress.asking import Using, can_declare, home
from lawful.solver.stress.happening import LIMITS, STATES, has_effects, hearers
from lawful.solver.stress.meeting import YOU, Meeting
from lawful.solver.stress.scenery import Builder
from lawful.solver.stress.smallest import size_of
from lawful.solver.stress.terms import acts
from lawful.solver.stress.uses import Use, fixed, modes_of, uses_of

MOST_USES = 12
MOST_FLOWS = 8
PLENTY = 3
Face: TypeAlias = Literal["up", "down"]


def bound(whole: bool) -> Bound:
    """Return how far was looked."""
    why = "stress.bound.engine" if whole else "stress.bound.open"
    return Bound(FrozenMap({"uses": MOST_USES, "copies": 1}), whole, why)


def engines(meeting: Meeting) -> tuple[list[Finding], Bound]:
    """Return sets of uses that bring more than they cost."""
    if not any(_brings(act, meeting) for card in meeting.cards for act in acts(card)):
        return [], bound(True)
    failed: list[LawfulError] = []
    known = list(uses_of(meeting))
    numbered = {(use.card, use.ability.name) for use in known}
    # What has no fixed numbers, and what triggers make more of, is played.
    found = list(dict.fromkeys((*known, *played(meeting, numbered, failed))))
    able = {(card.name, a.name) for card in meeting.cards for a in card.abilities if isinstance(a, Activated)}
    unknown = able - {(use.card, use.ability.name) for use in found}
    if any(_gainful(use, meeting) for use in found):
        for flow in _semiflows(found, meeting):
            idle = [card for card in meeting.cards if card.name not in {use.card for use, n in flow}]
            if not all(map(has_effects, idle)):
                return [], bound(False)  # fewer cards are enough: told of those
            witness = _realised(flow, meeting, failed)
            if witness is not None:
                return [_finding(flow, witness, meeting)], bound(False)
    if failed:
        raise failed[0]
    if unknown:
        card, ability = min(unknown)
        raise LimitReached("fixed numbers", 0, f"what {card}: {ability} takes or brings is none")
    alone = not any(map(has_effects, meeting.cards))
    return [], bound(alone and not any(_gainful(use, meeting) for use in found))


def _finding(flow: list[tuple[Use, int]], witness: OrderQuestion, meeting: Meeting) -> Finding:
    gains = Counter[str]()
    for use, n in flow:
        gains.update({place: d * n for place, d in use.change.items()})
    said = tuple(sorted(f"{place} +{n}" for place, n in gains.items() if n > 0 and not place.startswith("ready")))
    steps = tuple(f"{n} x {use.card}: {use.name}" for use, n in flow)
    says = Message("stress.engine", Said({"steps": steps, "gains": said}))
    then = Said({"verdict": "legal"})
    size = size_of(witness, len(meeting.cards))
    return Finding("engine", meeting.names, "engine", says, witness, then, size)


def _brings(act: Act, meeting: Meeting) -> bool:
    """Tell whether an act can bring what counts as a gain: points, cards, counters."""
    verb = next((v for v in meeting.ruleset.verbs if v.name == act.verb), None)
    return act.verb in ("gain", "draw", "add") or (verb is not None and verb.puts)


def _gainful(use: Use, meeting: Meeting) -> bool:
    return any(n > 0 and _counts(place, meeting) for place, n in use.change.items())


def _counts(place: str, meeting: Meeting) -> bool:
    """Tell whether more of a place is a gain: what floats, cards drawn, counters."""
    kind, _, name = place.partition(" ")
    if kind == "pool":
        return meeting.ruleset.asset(name).surplus == "floats"
    return kind in ("drawn", "counters")


def _semiflows(found: list[Use], meeting: Meeting) -> Iterator[list[tuple[Use, int]]]:
    """Yield uses that lower no place and raise one that counts, the fewest first.

    Raises
    ------
    LimitReached
        If there are more than are looked at, and none of these can be played.
    """
    cp = cp_model.CpModel()
    n = [cp.new_int_var(0, MOST_USES, f"uses {i}") for i in range(len(found))]
    places = sorted({place for use in found for place in use.change})
    gains = []
    for place in places:
        change = total(use.change.get(place, 0) * n[i] for i, use in enumerate(found) if use.change.get(place))
        cp.add(change >= 0)
        if _counts(place, meeting):
            gains.append(change)
    cp.add(total(gains) >= 1)
    for _ in range(MOST_FLOWS):
        best = least(cp, total(n), n, seconds=LIMITS.seconds)
        if best is None:
            return
        yield [(use, times) for use, times in zip(found, best[1], strict=True) if times]
        # One of these abilities is to be used less often, or another one, too: more of the same is played no better.
        other = []
        for variable, times in zip(n, best[1], strict=True):
            differs = cp.new_bool_var("differs")
            cp.add(variable <= times - 1 if times else variable >= 1).only_enforce_if(differs)
            other.append(differs)
        cp.add_bool_or(other)
    raise LimitReached("engines", MOST_FLOWS, "none of those that were looked at can be played")


def _homes(card: Card, abilities: Sequence[Activated], meeting: Meeting) -> tuple[tuple[str, Face], ...]:
    """Return where, and how, a card lies as its abilities are used: in play, face up, where none of them says so."""
    used = [ability for ability in card.abilities if isinstance(ability, Activated) and ability in abilities]
    there = [(home(Using(card, ability), meeting), ability.face) for ability in used]
    return tuple(dict.fromkeys(there)) or ((meeting.play, "up"),)


def _realised(flow: list[tuple[Use, int]], meeting: Meeting, failed: list[LawfulError]) -> OrderQuestion | None:
    """Return an order of the uses in which each can be done, by bounded search; None where there is none."""
    mine = [_homes(card, [use.ability for use, _ in flow if use.card == card.name], meeting) for card in meeting.cards]
    found = (_realised_at(flow, homes, meeting, failed) for homes in product(*mine))
    return next((asked for asked in found if asked is not None), None)


def _realised_at(
    flow: list[tuple[Use, int]], homes: Sequence[tuple[str, Face]], meeting: Meeting, failed: list[LawfulError]
) -> OrderQuestion | None:
    builder = Builder(meeting)
    start = Counter[str]()
    for use, n in flow:
        for place, d in use.change.items():
            if place.startswith("counters ") and d < 0:
                start[place] -= d * n
    for card, (zone, face) in zip(meeting.cards, homes, strict=True):
        counters = {
            place.split(" ")[1]: n for place, n in start.items() if place.endswith(f" on {card.name}") and n > 0
        }  # fmt: skip
        builder.add(card, zone, counters=FrozenMap(counters), face=face)
    most = sum(-d * n for use, n in flow for place, d in use.change.items() if place.startswith("pool ") and d < 0)
    for floating in range(most + 1):
        position = _floating(builder.position(), flow, floating)
        for once in (position, *_tired(position, flow, meeting)):
            events = _ordered(once, dict(flow), meeting, (), failed)
            if events is not None:
                return OrderQuestion(meeting.ruleset, once, events)
    return None


def _floating(position: Position, flow: list[tuple[Use, int]], n: int) -> Position:
    assets = {
        place.partition(" ")[2] for use, _ in flow for place, d in use.change.items()
        if place.startswith("pool ") and d < 0
    }  # fmt: skip
    player = position.player(YOU)
    pool = player.pool
    for asset in assets:
        pool = pool.put(asset, max(pool.get(asset, 0), n))
    return position.with_player(replace(player, pool=pool))


def _tired(position: Position, flow: list[tuple[Use, int]], meeting: Meeting) -> Iterator[Position]:
    """Yield the position with objects whose status one of the uses takes away."""
    adds = {verb.removes for verb in meeting.ruleset.verbs if verb.removes}
    for thing in position.things:
        for word in sorted(adds):
            if any(f"ready {word} {thing.card}" in use.change for use, _ in flow):
                yield position.with_thing(replace(thing, status=frozenset({word})))


def _ordered(
    position: Position,
    left: Mapping[Use, int],
    meeting: Meeting,
    done: tuple[Happening, ...],
    failed: list[LawfulError],
) -> tuple[Happening, ...] | None:
    if not any(left.values()):
        return done
    for use, n in left.items():
        if n <= 0:
            continue
        after = use_once(position, use, meeting, failed)
        if after is None:
            continue
        event, there = after
        found = _ordered(there, {**left, use: n - 1}, meeting, (*done, event), failed)
        if found is not None:
            return found
    return None


def use_once(
    position: Position, use: Use, meeting: Meeting, failed: list[LawfulError]
) -> tuple[Happening, Position] | None:
    """Use an ability, paying from what floats; return what happened and the position after it, None if it cannot be."""
    wanted = _after(position, use)
    return next(((event, after) for event, after in used(position, use, meeting, failed) if _fits(after, wanted)), None)


def used(
    position: Position, use: Use, meeting: Meeting, failed: list[LawfulError]
) -> Iterator[tuple[Happening, Position]]:
    """Yield what comes out of using an ability; nothing where it cannot be used, or does not end.

    Where that was not answered, why is added to what failed.
    """
    mine = next((thing for thing in position.things if thing.card == use.card), None)
    if mine is None:
        return
    asked = Question(meeting.ruleset, position, _declared(use, mine))
    try:
        if not can_declare(asked):
            return
        event = happening(use, mine)
        answer = ordered(OrderQuestion(meeting.ruleset, position, (event,)), LIMITS, STATES)
    except LawfulError as error:
        failed.append(error)
        return
    if not answer.complete:
        failed.append(LimitReached("states", STATES, "what happens is too much to look at all of it"))
    elif not answer.loops:
        for outcome in answer.outcomes:
            yield event, outcome.position


def happening(use: Use, mine: Thing) -> Happening:
    """Return the use as acts: what it costs is given up, then what it does is done."""
    amounts: dict[str, int] = {}
    acts: list[Act] = []
    for term in terms(use.ability.cost):
        if isinstance(term, AssetTerm):
            assert isinstance(term.amount, int)
            amounts[term.asset] = amounts.get(term.asset, 0) + term.amount
        elif isinstance(term, ActTerm):
            acts.append(term.act)
    if amounts:
        acts.insert(0, Act("lose", FrozenMap(amounts)))
    return Happening((*acts, *use.do), YOU, mine.id)


def _declared(use: Use, mine: Thing) -> Declaration:
    modes = None if use.mode is None else (use.mode,)
    return Declaration(YOU, "activate", mine.id, use.ability.name, modes=modes)


def played(meeting: Meeting, numbered: Set[tuple[str, str]], failed: list[LawfulError]) -> Iterator[Use]:
    """Yield uses with all that the group's own triggers and replacements make of them: what they change is played.

    Without any, those of abilities that are not numbered.

    Each ability is used once where every object is ready and where it is not, with enough floating and enough counters.
    """
    hear = any(map(hearers, meeting.cards))
    some = [
        (card, ability) for card in meeting.cards for ability in card.abilities
        if isinstance(ability, Activated) and fixed(ability) and (hear or (card.name, ability.name) not in numbered)
    ]  # fmt: skip
    for start in _starts(meeting) if some else ():
        for card, ability in some:
            position = _at_home(start, card, ability, meeting)
            for mode in modes_of(ability):
                use = Use(card.name, ability, FrozenMap(), mode=mode)
                for _, after in used(position, use, meeting, failed):
                    change = _difference(position, after)
                    if ability.limit is not None:
                        change[f"limit {card.name}/{ability.name}"] = -1
                    yield replace(use, change=FrozenMap({place: n for place, n in change.items() if n}))


def _at_home(position: Position, card: Card, ability: Activated, meeting: Meeting) -> Position:
    """Return the position with a card where, and as, one of its abilities is used."""
    ((zone, face),) = _homes(card, (ability,), meeting)
    mine = next(thing for thing in position.things if thing.card == card.name)
    return position.with_thing(replace(mine, zone=zone, face=face))


def _starts(meeting: Meeting) -> Iterator[Position]:
    """Yield positions in which abilities are used to see what they change."""
    builder = Builder(meeting)
    kinds = {act.what for card in meeting.cards for act in acts(card) if isinstance(act.what, str)}
    for card in meeting.cards:
        builder.add(card, meeting.play, counters=FrozenMap(dict.fromkeys(sorted(kinds), PLENTY)))
    for asset in meeting.ruleset.assets:
        if asset.surplus == "floats":
            builder.pool[asset.id] = max(asset.start, meeting.due + PLENTY)
    position = builder.position()
    words = sorted({verb.removes for verb in meeting.ruleset.verbs if verb.removes})
    told = [word for word in words if any(word in (verb.adds, verb.removes) for verb in _verbs(meeting))]
    for tired in product(((), *((word,) for word in told)), repeat=len(position.things)):
        things = tuple(
            replace(thing, status=frozenset(status)) for thing, status in zip(position.things, tired, strict=True)
        )
        yield replace(position, things=things)


def _verbs(meeting: Meeting) -> list[Verb]:
    said = {act.verb for card in meeting.cards for act in acts(card)}
    return [verb for verb in meeting.ruleset.verbs if verb.name in said]


def _difference(before: Position, after: Position) -> dict[str, int]:
    """Return by how much each place is more or less."""
    found: dict[str, int] = {}
    pools = [position.player(YOU).pool for position in (before, after)]
    for asset in {*pools[0], *pools[1]}:
        found[f"pool {asset}"] = pools[1].get(asset, 0) - pools[0].get(asset, 0)
    for key, n in after.remaining.items():
        if n < before.remaining.get(key, n + 1):
            found[f"limit {key}"] = -1
    for old in before.things:
        new = next((thing for thing in after.things if thing.id == old.id), None)
        if new is None or new.zone != old.zone:
            found[f"here {old.card}"] = -1
            continue
        if new.face != old.face:
            found[f"down {old.card}"] = 1 if new.face == "down" else -1
        for kind in {*old.counters, *new.counters}:
            found[f"counters {kind} on {old.card}"] = new.counters.get(kind, 0) - old.counters.get(kind, 0)
        for word in old.status ^ new.status:
            found[f"ready {word} {old.card}"] = 1 if word in old.status else -1
    return found


def _after(position: Position, use: Use) -> dict[str, int]:
    """Return what the pool and the counters should be after a use."""
    found: dict[str, int] = {}
    pool = position.player(YOU).pool
    for place, d in use.change.items():
        kind, _, name = place.partition(" ")
        if kind == "pool":
            found[place] = pool.get(name, 0) + d
        elif kind == "counters":
            word, _, on = name.partition(" on ")
            thing = next(thing for thing in position.things if thing.card == on)
            found[place] = thing.counters.get(word, 0) + d
    return found


def _fits(position: Position, wanted: Mapping[str, int]) -> bool:
    pool = position.player(YOU).pool
    for place, n in wanted.items():
        kind, _, name = place.partition(" ")
        if kind == "pool" and pool.get(name, 0) != n:
            return False
        if kind == "counters":
            word, _, on = name.partition(" on ")
            thing = next((thing for thing in position.things if thing.card == on), None)
            if thing is None or thing.counters.get(word, 0) != n:
                return False
    return True
