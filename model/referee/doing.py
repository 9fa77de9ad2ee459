"""What doing a verb would be (`plan`) and what it changes (`commit`), one small pair a verb.

The verbs that every game has are here; all others are data of the ruleset (`Verb`). Where nothing would be done there
is no event: nothing triggers on it and nothing replaces it (CR 1.9.1b).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lawful.model.act import Act
from lawful.model.effect import Activated, Grant, Modifier, Norm
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap, replace
from lawful.model.position import Lasting, Position, Thing
from lawful.model.referee import change
from lawful.model.referee.evaluate import follow, number
from lawful.model.referee.event import NAMES, Event
from lawful.model.referee.moment import Moment
from lawful.model.referee.scope import Scope
from lawful.model.ruleset import Ruleset, Verb
from lawful.model.selector import Selector

Plan = Callable[[Act, str, Scope], Event | None]
Commit = Callable[[Event, Position, Ruleset], Position]


@dataclass(frozen=True, slots=True)
class Doing:
    """A verb: the event that doing it to an object or player would be, and the position after that event."""

    plan: Plan
    commit: Commit


def by(scope: Scope) -> str:
    """Return the player who acts: the controller of the text, or whose turn it is where the rules act."""
    found = follow(Ref("controller"), scope)
    return found if isinstance(found, str) else scope.position.turn


def _event(act: Act, subject: str, scope: Scope, **more: object) -> Event:
    source = scope.bindings.get("self", "")
    name = NAMES.get(act.verb, act.verb)
    thing = _thing(subject, scope)
    place = None if thing is None else (thing.zone, thing.timestamp)
    return replace(Event(name, act, subject, by(scope), str(source), place=place), **more)  # type: ignore[arg-type]


def _thing(id: str, scope: Scope) -> Thing | None:
    return next((t for t in scope.position.things if t.id == id), None)


def _in_play(thing: Thing, scope: Scope) -> bool:
    return any(zone.name == thing.zone and zone.play for zone in scope.ruleset.zones)


def _plan_gain(act: Act, player: str, scope: Scope) -> Event | None:
    if isinstance(act.what, FrozenMap):
        amounts = {a: number(n, scope) or 0 for a, n in act.what.items()}
    elif isinstance(act.what, Ref) and act.what.path == ("yields",):
        thing = _thing(str(follow(Ref(act.what.name), scope)), scope)
        card = scope.position.card(thing) if thing is not None and thing.face == "up" else None
        amounts = dict(card.yields or {}) if card is not None else {}
    else:
        return None
    assets = FrozenMap({a: n for a, n in amounts.items() if n > 0})
    return _event(act, player, scope, by=player, assets=assets, cause=act.verb) if assets else None


def _commit_gain(event: Event, position: Position, ruleset: Ruleset) -> Position:
    return change.gain(position, event.subject, event.assets or {})


def _plan_wound(act: Act, subject: str, scope: Scope) -> Event | None:
    """Only what is in play is wounded: what a text knows of it last is no object any more."""
    n, thing = 1 if act.n is None else number(act.n, scope), _thing(subject, scope)
    there = thing is not None and _in_play(thing, scope)
    return _event(act, subject, scope, amount=n, cause=act.verb) if n and n > 0 and there else None


def _commit_wound(event: Event, position: Position, ruleset: Ruleset) -> Position:
    return change.count(position, event.subject, "wounds", event.amount)


def _plan_counters(act: Act, subject: str, scope: Scope) -> Event | None:
    """Add or remove as many as asked; of those to remove, as many as there are."""
    n = (1 if act.n is None else number(act.n, scope)) or 0
    thing = _thing(subject, scope)
    if thing is None or not isinstance(act.what, str):
        return None
    if not _puts(act.verb, scope.ruleset):
        n = min(n, thing.counters.get(act.what, 0))
    return _event(act, subject, scope, amount=n) if n > 0 else None


def _puts(verb: str, ruleset: Ruleset) -> bool:
    """Tell whether a verb puts counters on an object, or takes them away: `add`, and what the ruleset says puts."""
    told = next((known for known in ruleset.verbs if known.name == verb), None)
    return verb == "add" if told is None else told.puts


def _commit_counters(event: Event, position: Position, ruleset: Ruleset) -> Position:
    signed = event.amount if _puts(event.act.verb, ruleset) else -event.amount
    return change.count(position, event.subject, str(event.act.what), signed)


def _plan_set(act: Act, subject: str, scope: Scope) -> Event | None:
    thing = _thing(subject, scope)
    if not isinstance(act.what, str) or act.to is None:
        return None
    if thing is None:
        return _event(act, subject, scope, to=act.to) if isinstance(act.to, str) else None
    new = None if isinstance(act.to, str) else number(act.to, scope)
    return None if new is None else _event(act, subject, scope, to=new)


def _commit_set(event: Event, position: Position, ruleset: Ruleset) -> Position:
    kind, _, name = str(event.act.what).rpartition(".")
    if isinstance(event.to, str):
        player = position.player(event.subject)
        return position.with_player(replace(player, facts=player.facts.put(name, event.to)))
    thing, new = position.thing(event.subject), int(event.to or 0)
    if kind == "counters":
        return change.count(position, thing.id, name, new - thing.counters.get(name, 0))
    return position.with_thing(replace(thing, base=thing.base.put(name, new)))


def _plan_put(act: Act, subject: str, scope: Scope) -> Event | None:
    """Putting an object into a relation (``to: defends``) is an event of that relation's name, by who controls it.

    References
    ----------
    CR 7.0.5a (whoever puts it there, its controller defends with it).
    """
    other, thing = follow(act.of, scope) if isinstance(act.of, Ref) else None, _thing(subject, scope)
    if thing is None or not isinstance(other, str) or not isinstance(act.to, str):
        return None
    onto = _thing(other, scope)
    if onto is not None and not _in_play(onto, scope):
        return None
    return _event(act, subject, scope, name=act.to, to=other, by=thing.controller)


def _commit_put(event: Event, position: Position, ruleset: Ruleset) -> Position:
    """What is put into a relation to another object lies where that one lies."""
    other = next((t for t in position.things if t.id == event.to), None)
    if other is not None and not any(zone.name == other.zone and zone.play for zone in ruleset.zones):
        return position
    if other is not None and position.thing(event.subject).zone != other.zone:
        position = change.move(position, event.subject, other.zone, ruleset)
    return change.relate(position, event.subject, event.name, str(event.to))


def _plan_move(act: Act, subject: str, scope: Scope) -> Event | None:
    thing = _thing(subject, scope)
    here = thing is None or thing.zone == act.to
    return _event(act, subject, scope, to=act.to) if isinstance(act.to, str) and not here else None


def _commit_move(event: Event, position: Position, ruleset: Ruleset) -> Position:
    return change.move(position, event.subject, str(event.to), ruleset)


def _plan_draw(act: Act, subject: str, scope: Scope) -> Event | None:
    return _event(act, subject, scope, to=scope.ruleset.hand) if _thing(subject, scope) else None


def _plan_declare(act: Act, subject: str, scope: Scope) -> Event | None:
    return _event(act, subject, scope)


def _commit_nothing(event: Event, position: Position, ruleset: Ruleset) -> Position:
    return position


def _plan_lose(act: Act, player: str, scope: Scope) -> Event | None:
    """Lose as much as there is, of what is asked."""
    who = next((p for p in scope.position.players if p.name == player), None)
    if who is None or not isinstance(act.what, FrozenMap):
        return None
    asked = {a: number(n, scope) or 0 for a, n in act.what.items()}
    assets = FrozenMap({a: min(n, who.pool.get(a, 0)) for a, n in asked.items() if min(n, who.pool.get(a, 0)) > 0})
    return _event(act, player, scope, assets=assets, cause=act.verb) if assets else None


def _commit_lose(event: Event, position: Position, ruleset: Ruleset) -> Position:
    return change.gain(position, event.subject, {asset: -n for asset, n in (event.assets or {}).items()})


def _plan_heal(act: Act, subject: str, scope: Scope) -> Event | None:
    """Of wounds to take away, as many as there are."""
    n, thing = (1 if act.n is None else number(act.n, scope)) or 0, _thing(subject, scope)
    n = min(n, thing.counters.get("wounds", 0)) if thing is not None else 0
    return _event(act, subject, scope, amount=n) if n > 0 else None


def _commit_heal(event: Event, position: Position, ruleset: Ruleset) -> Position:
    return change.count(position, event.subject, "wounds", -event.amount)


def _plan_lay(act: Act, subject: str, scope: Scope) -> Event | None:
    bindings = scope.bindings.put("on", subject)
    return _event(act, subject, scope, bindings=bindings) if isinstance(act.what, Modifier | Grant | Norm) else None


def _commit_lay(event: Event, position: Position, ruleset: Ruleset) -> Position:
    """Lay an effect on an object; it is there from now on, whatever becomes of its source.

    References
    ----------
    CR 6.2.2b (an effect of a layer fixes its variables and keeps its objects).
    """
    effect = event.act.what
    assert isinstance(effect, Modifier | Grant | Norm)
    if isinstance(effect, Modifier):
        if effect.of is None:
            effect = replace(effect, of=Ref("on"))
        if ruleset.ordering.lasting == "fixed":
            fixed = number(effect.amount, Scope(position, ruleset, event.bindings))
            effect = replace(effect, amount=fixed or 0)
    laid = Lasting(
        f"{event.source or event.by} effect {position.clock}", event.by, effect, position.clock, event.bindings,
        event.act.until, None if event.act.n is None else number(event.act.n, Scope(position, ruleset, event.bindings)),
    )  # fmt: skip
    return replace(position, lasting=(*position.lasting, laid), clock=position.clock + 1)


def _plan_renew(act: Act, subject: str, scope: Scope) -> Event | None:
    thing = _thing(subject, scope)
    limited = thing is not None and any(_limited(scope.position, thing, act.to))
    more = 1 if act.n is None else number(act.n, scope) or 0
    return replace(_event(act, subject, scope, to=act.to), amount=more) if limited and more > 0 else None


def _limited(position: Position, thing: Thing, label: object) -> Iterator[tuple[str, int]]:
    """Yield the limits of an object's abilities of a type, by what is kept of them in the position."""
    for i, ability in enumerate(position.card(thing).abilities):
        if not isinstance(ability, Activated) or ability.limit is None:
            continue
        if not isinstance(label, str) or label in ability.types:
            yield f"{thing.id}/{i}", ability.limit


def _commit_renew(event: Event, position: Position, ruleset: Ruleset) -> Position:
    """What is limited may be done so many times more."""
    thing = position.thing(event.subject)
    left = position.remaining
    for key, limit in _limited(position, thing, event.act.to):
        left = left.put(key, left.get(key, limit) + event.amount)
    return replace(position, remaining=left)


def _plan_end(act: Act, subject: str, scope: Scope) -> Event | None:
    return _event(act, subject, scope, to=act.what) if isinstance(act.what, str) else None


def _commit_end(event: Event, position: Position, ruleset: Ruleset) -> Position:
    """What lasts until then ends."""
    return replace(position, lasting=tuple(e for e in position.lasting if e.until != event.to))


def _commit_shuffle(event: Event, position: Position, ruleset: Ruleset) -> Position:
    """The order of a deck is not known any more: that is a fact of its player."""
    player = next((p for p in position.players if p.name == event.subject), None)
    return (
        position
        if player is None
        else position.with_player(replace(player, facts=player.facts.put("deck", "shuffled")))
    )


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


def _plan_fact(verb: Verb, act: Act, subject: str, scope: Scope) -> Event | None:
    """Set a fact of a player, who does it; what is so already is not done."""
    thing = _thing(subject, scope)
    name = subject if thing is None else thing.controller
    player = next((p for p in scope.position.players if p.name == name), None)
    now = None if player is None else player.facts.get(verb.fact or "")
    to = verb.turned(now, act.to) if player is not None else now
    return _event(act, name, scope, by=name, to=to) if to != now else None


def _plan_data(act: Act, subject: str, scope: Scope) -> Event | None:
    verb, thing = scope.ruleset.verb(act.verb), _thing(subject, scope)
    if verb.fact is not None:
        return _plan_fact(verb, act, subject, scope)
    if thing is None or not possible(verb, thing):
        return None
    if verb.places is not None:
        n = (1 if act.n is None else number(act.n, scope)) or 0
        return _event(act, subject, scope, name=verb.event or verb.name, amount=n, cause=act.verb) if n > 0 else None
    if verb.counters or verb.puts:
        return _plan_counters(act, subject, scope)
    if verb.joins is not None:
        other = follow(act.of, scope) if isinstance(act.of, Ref) else None
        onto = _thing(other, scope) if isinstance(other, str) else None
        return _event(act, subject, scope, to=onto.id) if onto is not None and _in_play(onto, scope) else None
    return _event(act, subject, scope, to=verb.to)


def _cancelled(event: Event, position: Position, ruleset: Ruleset) -> Position:
    """Drop what waits of an object, and take its abilities from it for as long as it is that object."""
    waiting = tuple(ability for ability in position.queue if ability.source != event.subject)
    silent = Grant(ruleset.stages[0].name if ruleset.stages else "", no_abilities=True, of=Ref("on"))
    bindings = FrozenMap[str, str | int]({"on": event.subject})
    laid = Lasting(f"{event.subject} cancelled {position.clock}", event.by, silent, position.clock, bindings)
    return replace(position, queue=waiting, lasting=(*position.lasting, laid), clock=position.clock + 1)


def _commit_data(event: Event, position: Position, ruleset: Ruleset) -> Position:
    verb = ruleset.verb(event.act.verb)
    if verb.fact is not None:
        player = position.player(event.subject)
        return position.with_player(replace(player, facts=player.facts.put(verb.fact, str(event.to))))
    if verb.cancels:
        position = _cancelled(event, position, ruleset)
    if verb.counters or verb.puts:
        position = _commit_counters(event, position, ruleset)
    if verb.places is not None:
        position = change.count(position, event.subject, verb.places, event.amount)
    if verb.adds or verb.removes:
        position = change.status(position, event.subject, verb.adds, verb.removes)
    if verb.face:
        position = position.with_thing(replace(position.thing(event.subject), face=verb.face))
    position = change.move(position, event.subject, verb.to, ruleset) if verb.to else position
    if verb.joins:
        position = change.relate(position, event.subject, verb.joins, str(event.to))
    return change.relate(position, event.subject, verb.relates, event.by) if verb.relates else position


BUILT_IN: dict[str, Doing] = {
    "gain": Doing(_plan_gain, _commit_gain),
    "wound": Doing(_plan_wound, _commit_wound),
    "add": Doing(_plan_counters, _commit_counters),
    "remove": Doing(_plan_counters, _commit_counters),
    "set": Doing(_plan_set, _commit_set),
    "put": Doing(_plan_put, _commit_put),
    "move": Doing(_plan_move, _commit_move),
    "play": Doing(_plan_move, _commit_move),
    "draw": Doing(_plan_draw, _commit_move),
    "declare": Doing(_plan_declare, _commit_nothing),
    "lose": Doing(_plan_lose, _commit_lose),
    "heal": Doing(_plan_heal, _commit_heal),
    "look": Doing(_plan_declare, _commit_nothing),
    "search": Doing(_plan_declare, _commit_nothing),
    "shuffle": Doing(_plan_declare, _commit_shuffle),
    "lay": Doing(_plan_lay, _commit_lay),
    "end": Doing(_plan_end, _commit_end),
    "renew": Doing(_plan_renew, _commit_renew),
}
_DATA = Doing(_plan_data, _commit_data)


def doing(verb: str, ruleset: Ruleset) -> Doing:
    """Return how a verb is done; what the ruleset says of it comes first.

    Raises
    ------
    UnknownName
        If neither every game nor this ruleset has it.
    """
    if verb in BUILT_IN and all(known.name != verb for known in ruleset.verbs):
        return BUILT_IN[verb]
    ruleset.verb(verb)
    return _DATA


def operand(act: Act) -> Ref | Selector:
    """Return whom an act is done to: the object it names, else the one after `of`, else the text's own."""
    if act.verb in ("gain", "lose", "end", "pay"):
        return act.of or Ref("controller")
    if act.verb in ("look", "search", "shuffle") and act.what is None:
        return act.of or Ref("controller")
    if isinstance(act.what, Ref | Selector):
        return act.what
    return act.of or Ref("self")


def drawn(act: Act, moment: Moment) -> tuple[str, ...]:
    """Return the cards that a player draws: the first ones of the deck, as many as there are."""
    player = follow(act.of if isinstance(act.of, Ref) else Ref("controller"), moment.scope)
    n = (1 if act.n is None else number(act.n, moment.scope)) or 0
    deck = [t.id for t in moment.position.things if t.zone == "deck" and t.owner == player]
    return tuple(deck[: max(0, n)])


def plan(act: Act, subjects: tuple[str, ...], moment: Moment) -> Iterator[Event]:
    """Yield the events of one batch that doing an act to these would be."""
    how = doing(act.verb, moment.ruleset)
    for subject in subjects:
        event = how.plan(act, subject, moment.scope)
        if event is not None:
            yield replace(event, batch=moment.position.clock, cause=moment.cause or event.cause)
