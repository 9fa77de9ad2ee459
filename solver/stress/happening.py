"""Things that may happen where cards meet: the positions and the acts that are tried, the smallest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Literal

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.declaration import Happening, OrderQuestion
from lawful.model.effect import Activated, Prevention, Replacement, Resolution, Source, Static, Trigger
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.ordered import Ordered
from lawful.model.position import Position
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Pattern, Selector
from lawful.model.walking import every
from lawful.solver.order.answer import ordered
from lawful.solver.stress.asking import Using, home
from lawful.solver.stress.meeting import OTHER, YOU, Meeting
from lawful.solver.stress.needs import Mark, lies, lying, marked
from lawful.solver.stress.scene import Scene, staged
from lawful.solver.stress.scenery import Builder
from lawful.solver.stress.scenes import scenes

LIMITS = Limits(seconds=5.0)  # states are what ends a trial: time would make results hang on how busy a machine is
STATES = 300
MOST_TRIALS = 40
MOST_FEW = 4
ACTS = {"wounds": "wound", "gains": "gain", "played": "play", "declared": "declare"}
Hears = Trigger | Replacement | Prevention


@lru_cache(maxsize=512)
def answered(question: OrderQuestion) -> Ordered:
    """Answer what can come out, within the limits of a trial."""
    return ordered(question, LIMITS, STATES)


def hearers(card: Card) -> tuple[Hears, ...]:
    """Return the abilities of a card that hear events."""
    return tuple(a for a in card.abilities if isinstance(a, Hears))


def has_effects(card: Card) -> bool:
    """Tell whether a card can do anything by itself once it is there."""
    return any(isinstance(a, Static | Trigger | Replacement | Prevention) for a in card.abilities)


def trials(meeting: Meeting) -> Iterator[OrderQuestion]:
    """Yield what may happen: in each position nothing, then each act that the cards do or hear.

    Every card is in play once; of a single card there are two as well, under one player and under two. Where the cards
    take something from each other that they have not of themselves, they then lie there with it, too.
    """
    seen: set[OrderQuestion] = set()
    for more, layout in product(marked(meeting)[:2], tuple(_layouts(meeting))):
        for scene in _few(meeting, layout, more):
            builder = Builder(meeting)
            mine = _group(builder, layout, more)
            staged(builder, scene, mine[0][1])
            for tried in dict.fromkeys((Tried(), *_events(meeting, builder, mine))):
                asked = OrderQuestion(meeting.ruleset, _ready(builder.position(), tried, meeting), tried.events)
                if asked not in seen:
                    seen.add(asked)
                    yield asked
                    if len(seen) >= MOST_TRIALS:
                        return


@dataclass(frozen=True, slots=True)
class Tried:
    """What happens in a trial.

    Parameters
    ----------
    events : tuple of Happening
        Nothing, or one thing.
    zone : str, optional
        Where the object lies whose text it is; None is where it is laid.
    face : {"up", "down"}
        How it lies.
    """

    events: tuple[Happening, ...] = ()
    zone: str | None = None
    face: Literal["up", "down"] = "up"


def _ready(position: Position, tried: Tried, meeting: Meeting) -> Position:
    """Return the position in which what happens can happen: its objects lie where, and as, text and verb need them."""
    for event in tried.events:
        if tried.zone is not None and event.source is not None:
            lies_so = replace(position.thing(event.source), zone=tried.zone, face=tried.face)
            position = position.with_thing(lies_so)
        if "that" not in event.bindings:
            continue
        thing, act = position.thing(str(event.bindings["that"])), event.do[0]
        verb = next((v for v in meeting.ruleset.verbs if v.name == act.verb), None)
        if verb is None:
            if act.verb == "play":
                thing = replace(thing, zone=meeting.ruleset.hand)
        else:
            status = thing.status | ({verb.removes} if verb.removes else set())
            zone = thing.zone if not verb.from_ or thing.zone in verb.from_ else verb.from_[0]
            counters = thing.counters
            if verb.counters and isinstance(act.what, str):
                counters = counters.put(act.what, max(1, counters.get(act.what, 0)))
            thing = replace(thing, status=frozenset(status - {verb.adds or ""}), zone=zone, counters=counters)
            if verb.face is not None:  # what lies so already cannot be turned so
                thing = replace(thing, face="down" if verb.face == "up" else "up")
        position = position.with_thing(thing)
    return position


def _group(
    builder: Builder, layout: Sequence[tuple[Card, str]], more: frozenset[Mark] = frozenset()
) -> list[tuple[Card, str]]:
    """Lay the cards of the group, with some of what they take from each other; return each with its id."""
    return [(card, builder.lay(card, lying(builder.meeting, card, more), whose)) for card, whose in layout]


def grouped(meeting: Meeting) -> Iterator[tuple[Position, str]]:
    """Yield the positions with the cards of the group alone, and the first of their objects."""
    for layout in _layouts(meeting):
        builder = Builder(meeting)
        mine = _group(builder, layout)
        yield builder.position(), mine[0][1]


def _few(meeting: Meeting, layout: Sequence[tuple[Card, str]], more: frozenset[Mark]) -> tuple[Scene, ...]:
    """Return a few scenes: that with the least, the fullest, and those with little more than the least."""
    builder = Builder(meeting)
    mine = _group(builder, layout, more)
    found = scenes(meeting, builder.position(), mine[0][1]).all
    least = sorted(found, key=lambda scene: scene.size)
    return tuple(dict.fromkeys((*least[:1], *found[:1], *least)))[:MOST_FEW]


def _layouts(meeting: Meeting) -> Iterator[tuple[tuple[Card, str], ...]]:
    """Yield who has what in play."""
    cards = [card for card in meeting.cards if has_effects(card) or any(True for _ in _texts(card, meeting))]
    if not cards:
        return
    yield tuple((card, YOU) for card in cards)
    if len(cards) == 1:
        yield (cards[0], YOU), (cards[0], YOU)
        yield (cards[0], YOU), (cards[0], OTHER)
    else:
        yield ((cards[0], YOU), *((card, OTHER) for card in cards[1:]))


def _texts(card: Card, meeting: Meeting) -> Iterator[tuple[tuple[Act, ...], str | None, Literal["up", "down"]]]:
    """Yield the texts of a card that are carried out, each with where and how the card then lies."""
    for ability in card.abilities:
        if isinstance(ability, Activated | Resolution):
            modes = ability.modes.of if ability.modes is not None else ()
            zone = home(Using(card, ability), meeting) if isinstance(ability, Activated) else None
            face = ability.face if isinstance(ability, Activated) else "up"
            for do in [(*ability.do, *mode.do) for mode in modes] or [ability.do]:
                if do:
                    yield do, zone, face


def _events(meeting: Meeting, builder: Builder, mine: Sequence[tuple[Card, str]]) -> Iterator[Tried]:
    """Yield single things that may happen: the texts of the cards, and what their abilities wait for."""
    for card, id in mine:
        for do, zone, face in _texts(card, meeting):
            yield Tried((Happening(do, YOU, id),), zone, face)
    for card, id in mine:
        for ability in hearers(card):
            for event in _started(ability.on, id, meeting, builder):
                yield Tried((event,))


def _started(on: Pattern, self_id: str, meeting: Meeting, builder: Builder) -> Iterator[Happening]:
    """Yield acts that are the event that a pattern waits for."""
    rules = meeting.ruleset
    by = OTHER if on.by is not None and on.by.name == "opponent" else YOU
    self_of = next(thing for thing in builder.things if thing.id == self_id)
    if on.by == Ref("controller"):
        by = self_of.controller
    if on.event in ("gains", "gain"):
        asset, n = next(iter((on.assets or {}).items()), (on.asset or rules.assets[0].id, 1))
        yield Happening((Act("gain", FrozenMap({asset: n})),), by)
        return
    for subject in _subjects(on, self_id, meeting, builder):
        act = starter(on.event, rules, meeting.play, self_id)
        if act is not None:
            yield Happening((act,), by, None, FrozenMap({"that": subject, **_other(act, self_id, builder)}))


def _other(act: Act, self_id: str, builder: Builder) -> dict[str, str]:
    if act.verb != "put":
        return {}
    rest = [thing.id for thing in builder.things if thing.id != self_id]
    return {"there": rest[0] if rest else self_id}


def starter(event: str, rules: Ruleset, play: str, self_id: str) -> Act | None:
    """Return an act that is an event of that name, done to ``$that``; None where none is known."""
    that = Ref("that")
    verb = next((v for v in rules.verbs if event in (v.name, v.event)), None)
    if verb is not None:
        n = 1 if verb.counters or verb.puts or verb.places else None
        what: str | Ref = that
        if verb.places:
            return Act(verb.name, verb.places, of=that, n=1)
        if verb.counters or verb.puts:
            return Act(verb.name, "charge", of=that, n=n)
        return Act(verb.name, what)
    if event in ("wounds", "wound"):
        return Act("wound", that, n=1)
    if event in ("played", "play"):
        return Act("play", that, to=play)
    if event in ("declared", "declare"):
        return Act("declare", that)
    if event in ("draw", "heal", "move", "set", "look", "search", "shuffle"):
        return Act(event, that, n=1) if event in ("draw", "heal") else None
    return Act("put", that, of=Ref("there"), to=event) if event.isidentifier() else None


def _subjects(on: Pattern, self_id: str, meeting: Meeting, builder: Builder) -> Iterator[str]:
    """Yield objects to which the event may happen: one of the cards, or two, and one of the pool that does nothing."""
    if on.subject == Ref("self"):
        yield self_id
        return
    wanted = on.subject if isinstance(on.subject, Selector) else Selector()
    there = [thing.id for thing in builder.things if lies(wanted, builder.cards[thing.card])]
    there.sort(key=lambda id: id == self_id)
    yield from there[:2]
    found = next((card for card in meeting.objects if lies(wanted, card) and card not in meeting.cards), None)
    if found is not None:
        whose = OTHER if wanted.controller is not None and wanted.controller.name == "opponent" else YOU
        yield builder.add(found, (wanted.zone or (meeting.play,))[0], whose)


def gives(card: Card) -> bool:
    """Tell whether a card can give points or cards: by a source, or by what it does."""
    sources = any(isinstance(a, Source) for a in card.abilities)
    return sources or any(act.verb in ("gain", "draw") for act in every(card.abilities, Act))
