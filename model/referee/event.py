"""An event: what occurs as an act is done, and whether a pattern speaks of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from lawful.model.act import Act
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Position
from lawful.model.referee.evaluate import Scope, follow, matches
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Pattern, Selector

NAMES = FrozenMap({"wound": "wounds", "gain": "gains", "play": "played", "declare": "declared"})


@dataclass(frozen=True, slots=True)
class Beside:
    """Acts that a replacement does as part of an event, with what their text refers to."""

    key: str
    do: tuple[Act, ...]
    bindings: FrozenMap[str, str | int]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happens to one object or player; what one act does at once are the events of one batch.

    Parameters
    ----------
    name : str
        As patterns name it: `wounds`, `gains`, `defends`, or the verb itself.
    act : Act
        What is done.
    subject : str
        Id of the object, or name of the player, that it happens to.
    by : str
        The player who does it.
    source : str
        Id of the object whose text, or whose being declared, makes it happen; empty where the rules do.
    amount : int
        How many: wounds, counters.
    to : str or int, optional
        The zone, the object or the value that it goes to.
    cause : str, optional
        The verb that caused it.
    assets : mapping of str to int, optional
        What is gained.
    bindings : mapping of str to str or int
        Of ``lay``: what the text that is laid refers to.
    beside : tuple of Beside
        What is done as part of it, when the position has changed and before triggers are looked for.
    idle : bool
        Whether its own change is replaced; it occurs nevertheless.
    partly : bool
        Whether a part of it was replaced.
    chosen : bool
        Whether its subject was chosen by the text that does it.
    place : (str, int), optional
        Where its object was, and since when: what is elsewhere by then is another object, and nothing happens to it.
    batch : int
        Events with the same number occur at the same time.
    """

    name: str
    act: Act
    subject: str
    by: str
    source: str = ""
    amount: int = 1
    to: str | int | None = None
    cause: str | None = None
    assets: FrozenMap[str, int] | None = None
    bindings: FrozenMap[str, str | int] = FrozenMap()
    beside: tuple[Beside, ...] = ()
    idle: bool = False
    partly: bool = False
    chosen: bool = False
    place: tuple[str, int] | None = None
    batch: int = field(default=0, compare=False)


def can_be(event: Event, position: Position, ruleset: Ruleset) -> bool:
    """Tell whether the object that an event is about is still that object: where it was, or elsewhere in play."""
    thing = next((t for t in position.things if t.id == event.subject), None)
    if event.place is None or thing is None:
        return event.place is None
    play = {zone.name for zone in ruleset.zones if zone.play}
    moved = thing.zone != event.place[0] and not {thing.zone, event.place[0]} <= play
    return thing.timestamp == event.place[1] and not moved


def hurts(event: Event, ruleset: Ruleset) -> bool:
    """Tell whether an event is wounds, or what the ruleset calls them: damage that a verb of its own places."""
    verb = next((known for known in ruleset.verbs if known.name == event.act.verb), None)
    return event.act.verb == "wound" if verb is None else verb.places is not None


def names(event: Event, ruleset: Ruleset) -> tuple[str, ...]:
    """Return what texts may call an event: where counters are taken away, the verb with their kind, too."""
    act = event.act
    takes = isinstance(act.what, str) and any(verb.counters for verb in ruleset.verbs if verb.name == act.verb)
    found = (event.name, act.verb, *_crossed(event, ruleset))
    return (*found, f"{act.verb}_{act.what}") if takes else found


def _crossed(event: Event, ruleset: Ruleset) -> tuple[str, ...]:
    """Return what entering or leaving play is called, where an event is that."""
    if event.place is None or not isinstance(event.to, str):
        return ()
    zones = {zone.name: zone for zone in ruleset.zones}
    old, new = zones.get(event.place[0]), zones.get(event.to)
    if old is None or new is None or old.play == new.play:
        return ()
    called = new.entering if new.play else old.leaving
    return () if called is None else (called,)


def speaks_of(pattern: Pattern, event: Event, scope: Scope) -> bool:
    """Tell whether a pattern speaks of an event.

    Parameters
    ----------
    pattern : Pattern
        The pattern, as card data writes it.
    event : Event
        The event.
    scope : Scope
        What the pattern's references stand for, on the position where its subject is looked at.

    Returns
    -------
    bool
        Every part of the pattern that is given must agree.
    """
    return (
        pattern.event in names(event, scope.ruleset)
        and (event.chosen or not pattern.chosen)
        and (pattern.by is None or follow(pattern.by, scope) == event.by)
        and (pattern.cause is None or pattern.cause == event.cause)
        and (pattern.assets is None or pattern.assets == event.assets)
        and (pattern.asset is None or (event.assets is not None and event.assets.get(pattern.asset, 0) > 0))
        and (pattern.on is None or (isinstance(event.to, str) and _is(pattern.on, event.to, scope)))
        and (pattern.source is None or _is(pattern.source, event.source, scope))
        and (pattern.subject is None or _is(pattern.subject, event.subject, scope))
    )


def _is(wanted: Ref | Selector, id: str, scope: Scope) -> bool:
    if isinstance(wanted, Ref):
        return follow(wanted, scope) == id
    thing = next((t for t in scope.position.things if t.id == id), None)
    return thing is not None and matches(wanted, thing, scope)
