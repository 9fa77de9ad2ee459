"""Changes of a position, without events: an object moves, turns, gets counters; a player gains."""

from __future__ import annotations

from collections.abc import Mapping

from lawful.model.effect import Grant
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap, replace
from lawful.model.position import Lasting, Position, Thing
from lawful.model.ruleset import Ruleset, Verb


def move(position: Position, id: str, zone: str, ruleset: Ruleset) -> Position:
    """Return the position with an object moved to a zone.

    Parameters
    ----------
    position : Position
        Before.
    id : str
        The object's id.
    zone : str
        Where it goes.
    ruleset : Ruleset
        Says which zones are those of play.

    Returns
    -------
    Position
        After. An object that goes to another zone is a new one: no counters, no status, nothing that an effect changed,
        back under its owner, no other object in relation to it, its shields forgotten. One that enters play gets a
        timestamp. Between two zones of play, and from where it was announced into play, it stays what it is.
    """
    play = {z.name for z in ruleset.zones if z.play}
    thing = position.thing(id)
    if thing.zone == zone:
        return position
    if thing.zone in play and zone in play:
        return position.with_thing(replace(thing, zone=zone))
    if not (thing.zone == ruleset.announced and zone in play):
        position, thing = _forget(position, id), _fresh(thing)
    if zone not in play:
        return position.with_thing(replace(thing, zone=zone, face="up", timestamp=0))
    arrived = replace(thing, zone=zone, face="up", timestamp=position.clock)
    return replace(position.with_thing(arrived), clock=position.clock + 1)


def _fresh(thing: Thing) -> Thing:
    return Thing(thing.id, thing.card, thing.owner, thing.owner, thing.zone)


def _forget(position: Position, id: str) -> Position:
    """Drop what referred to an object that leaves play."""
    things = tuple(
        replace(t, relations=FrozenMap((name, to) for name, to in t.relations.items() if to != id))
        for t in position.things
    )
    kept = FrozenMap((key, n) for key, n in position.remaining.items() if key.rpartition("/")[0] != id)
    lasting = tuple(e for e in position.lasting if e.bindings.get("on") != id)
    laid = FrozenMap((key, n) for key, n in position.laid.items() if id not in (key.partition(" on ")[2], _source(key)))
    return replace(position, things=things, remaining=kept, lasting=lasting, laid=laid)


def _source(key: str) -> str:
    return key.partition(" on ")[0].rpartition("/")[0]


def count(position: Position, id: str, kind: str, by: int) -> Position:
    """Return the position with counters put on an object or taken from it; none below 0, and no entry for none."""
    thing = position.thing(id)
    n = max(0, thing.counters.get(kind, 0) + by)
    return position.with_thing(
        replace(thing, counters=thing.counters.put(kind, n) if n else thing.counters.without(kind))
    )


def status(position: Position, id: str, add: str | None, remove: str | None) -> Position:
    """Return the position with a status given to an object or taken from it."""
    thing = position.thing(id)
    now = (thing.status | ({add} if add else set())) - ({remove} if remove else set())
    return position.with_thing(replace(thing, status=frozenset(now)))


def relate(position: Position, id: str, relation: str, other: str) -> Position:
    """Return the position with one object in relation to another."""
    thing = position.thing(id)
    return position.with_thing(replace(thing, relations=thing.relations.put(relation, other)))


def gain(position: Position, player: str, assets: Mapping[str, int]) -> Position:
    """Return the position with assets added to a player's pool."""
    who = position.player(player)
    pool = {**who.pool, **{a: who.pool.get(a, 0) + n for a, n in assets.items()}}
    return position.with_player(replace(who, pool=FrozenMap(pool)))


def keep(position: Position, key: str, n: int) -> Position:
    """Return the position that remembers what is left of a shield or a limit."""
    return replace(position, remaining=position.remaining.put(key, n))


def silence(position: Position, id: str, by: str, ruleset: Ruleset) -> Position:
    """Return the position in which nothing waits of an object, and it has no abilities as long as it is that object."""
    waiting = tuple(ability for ability in position.queue if ability.source != id)
    silent = Grant(ruleset.stages[0].name, no_abilities=True, of=Ref("on"))
    bindings = FrozenMap[str, str | int]({"on": id})
    laid = Lasting(f"{id} cancelled {position.clock}", by, silent, position.clock, bindings)
    return replace(position, queue=waiting, lasting=(*position.lasting, laid), clock=position.clock + 1)


def possible(verb: Verb, thing: Thing) -> bool:
    """Tell whether a verb of the ruleset can be done to an object.

    Parameters
    ----------
    verb : Verb
        What it needs: a zone, not to have the status that it adds, to have the one that it removes, not to be turned
        so already.
    thing : Thing
        The object.

    Returns
    -------
    bool
        Counters are looked at where they are taken.
    """
    return (
        (not verb.from_ or thing.zone in verb.from_)
        and verb.adds not in thing.status
        and (verb.removes is None or verb.removes in thing.status)
        and thing.face != verb.face
    )
