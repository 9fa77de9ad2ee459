"""What an event changes, verb by verb; and which event doing a verb would be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lawful.model.act import Act
from lawful.model.effect import Activated, Grant, Modifier, Norm
from lawful.model.errors import LimitReached, UnknownName
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap, replace
from lawful.model.position import Lasting, Position, Thing
from lawful.model.ruleset import Ruleset, Verb
from lawful.model.selector import Selector
from lawful.solver.order.board import Boards
from lawful.solver.order.happens import Happens
from lawful.solver.order.view import CALLED, Key, View

COUNTED = ("wound", "add", "remove", "heal")
OF_PLAYERS = ("gain", "lose", "end", "pay")
QUIET = ("declare", "look", "search", "shuffle")
BUILT_IN = (*COUNTED, *OF_PLAYERS, *QUIET, "set", "put", "move", "play", "draw", "lay", "renew")


def operand(act: Act) -> Ref | Selector:
    """Return whom an act is done to."""
    if act.verb in OF_PLAYERS:
        return act.of or Ref("controller")
    if act.verb in ("look", "search", "shuffle") and act.what is None:
        return act.of or Ref("controller")
    if isinstance(act.what, Ref | Selector):
        return act.what
    return act.of or Ref("self")


def planned(act: Act, subjects: Iterable[str], view: View, cause: str | None) -> tuple[Happens, ...]:
    """Return the events of one batch that doing an act would be; what can do nothing is none."""
    data = any(verb.name == act.verb for verb in view.rules.verbs)
    if not data and act.verb not in BUILT_IN:
        raise UnknownName("verb", act.verb, [verb.name for verb in view.rules.verbs])
    subjects = tuple(subjects)
    # An object that leaves or comes forgets all that was done to it, so whatever is done to it hangs on where it is.
    view.reads.update((subject, "zone") for subject in subjects)
    found = [_data(act, s, view) if data else _built_in(act, s, view) for s in subjects]
    return tuple(replace(e, cause=cause or e.cause, crosses=_crosses(e, view)) for e in found if e is not None)


def _crosses(event: Happens, view: View) -> str:
    """Return what going into play, or out of it, is called by the zone of play; nothing where it does neither."""
    at = None if event.place is None else event.place[0]
    there = [zone for zone in view.rules.zones if zone.name in (at, event.to)]
    if at == event.to or len(there) != 2 or there[0].play == there[1].play:
        return ""
    within = next(zone for zone in there if zone.play)
    return (within.entering if within.name == event.to else within.leaving) or ""


def _event(act: Act, subject: str, view: View, **more: object) -> Happens:
    by = view.ref(Ref("controller"))
    who = by if isinstance(by, str) else view.position.turn
    thing = view.thing(subject)
    place = None if thing is None else (thing.zone, thing.timestamp)
    source = str(view.bound.get("self", ""))
    base = Happens(CALLED.get(act.verb, act.verb), act.verb, subject, who, source, detail=act, place=place)
    return replace(base, **more)  # type: ignore[arg-type]


def _built_in(act: Act, subject: str, view: View) -> Happens | None:
    verb, thing = act.verb, view.thing(subject)
    if verb in ("gain", "lose"):
        return _assets(act, subject, view)
    if verb in COUNTED:
        return _counted(act, subject, view)
    if verb == "set":
        return _set(act, subject, view)
    if verb == "put":
        other = view.ref(act.of) if isinstance(act.of, Ref) else None
        if thing is None or not isinstance(other, str) or not isinstance(act.to, str):
            return None
        view.reads.update({(subject, "controller"), (subject, "relations"), (subject, "zone"), (other, "zone")})
        onto = view.thing(other)
        if onto is not None and onto.zone not in view.boards.play:
            return None
        return _event(act, subject, view, name=act.to, to=other, by=thing.controller)
    if verb in ("move", "play"):
        view.reads.add((subject, "zone"))
        here = thing is None or thing.zone == act.to
        return _event(act, subject, view, to=act.to) if isinstance(act.to, str) and not here else None
    if verb == "draw":
        return _event(act, subject, view, to=view.rules.hand) if thing is not None else None
    if verb == "lay":
        bound = FrozenMap({**view.bound, "on": subject})
        return (
            _event(act, subject, view, detail=(act, bound)) if isinstance(act.what, Modifier | Grant | Norm) else None
        )
    if verb == "end":
        view.reads.add(("lasting",))
        return _event(act, subject, view, to=act.what) if isinstance(act.what, str) else None
    if verb == "renew":
        view.reads.update(("remaining", key) for key, _ in _limits(view.position, subject, act.to))
        more = (1 if act.n is None else view.number(act.n)) or 0
        able = more > 0 and any(True for _ in _limits(view.position, subject, act.to))
        return _event(act, subject, view, amount=more) if able else None
    if verb == "shuffle":
        view.reads.add(("facts", subject))
    return _event(act, subject, view)


def _limits(position: Position, id: str, label: object) -> list[tuple[str, int]]:
    """Return the limited abilities of an object, of one type where that is said: where their limit is kept, and it."""
    thing = next((t for t in position.things if t.id == id), None)
    abilities = () if thing is None else position.card(thing).abilities
    return [
        (f"{id}/{number}", ability.limit)
        for number, ability in enumerate(abilities)
        if isinstance(ability, Activated) and ability.limit is not None
        if not isinstance(label, str) or label in ability.types
    ]


def _assets(act: Act, player: str, view: View) -> Happens | None:
    amounts: Mapping[str, int] = {}
    if isinstance(act.what, FrozenMap):
        amounts = {asset: view.number(n) or 0 for asset, n in act.what.items()}
    elif isinstance(act.what, Ref) and act.what.path == ("yields",) and act.verb == "gain":
        thing = view.thing(str(view.ref(Ref(act.what.name))))
        up = thing is not None and thing.face == "up"
        amounts = (view.position.cards[thing.card].yields or {}) if up and thing is not None else {}
    else:
        return None
    if act.verb == "lose":
        who = [p for p in view.position.players if p.name == player]
        view.reads.update(("pool", player, asset) for asset in amounts)
        amounts = {a: min(n, who[0].pool.get(a, 0)) for a, n in amounts.items()} if who else {}
    assets = FrozenMap({a: n for a, n in amounts.items() if n > 0})
    more: dict[str, object] = {"by": player} if act.verb == "gain" else {}
    return _event(act, player, view, assets=assets, cause=act.verb, **more) if assets else None


def _counted(act: Act, subject: str, view: View) -> Happens | None:
    n = (1 if act.n is None else view.number(act.n)) or 0
    thing = view.thing(subject)
    if act.verb == "wound" and thing is not None and thing.zone not in view.boards.play:
        return None
    if thing is None or (act.verb in ("add", "remove") and not isinstance(act.what, str)):
        return None
    if act.verb in ("remove", "heal"):
        kind = "wounds" if act.verb == "heal" else str(act.what)
        view.reads.add((subject, "counters", kind))
        n = min(n, thing.counters.get(kind, 0))
    return _event(act, subject, view, amount=n, cause="wound" if act.verb == "wound" else None) if n > 0 else None


def _set(act: Act, subject: str, view: View) -> Happens | None:
    if not isinstance(act.what, str) or act.to is None:
        return None
    # What is set is noted as read: setting it to what it is changes nothing, and yet its order decides.
    kind, _, name = act.what.rpartition(".")
    if view.thing(subject) is None:
        view.reads.add(("facts", subject))
    else:
        view.reads.add((subject, "counters", name) if kind == "counters" else (subject, "base"))
    if view.thing(subject) is None:
        return _event(act, subject, view, to=act.to) if isinstance(act.to, str) else None
    new = None if isinstance(act.to, str) else view.number(act.to)
    return None if new is None else _event(act, subject, view, to=new)


def _of_player(verb: Verb, act: Act, name: str, view: View) -> Happens | None:
    """Return what sets a fact of a player, who does it; nothing where it is that already."""
    view.reads.add(("facts", name))
    for player in view.position.players:
        now = player.facts.get(verb.fact or "")
        if player.name == name and (to := verb.turned(now, act.to)) != now:
            return _event(act, name, view, by=name, to=to)
    return None


def _data(act: Act, subject: str, view: View) -> Happens | None:
    verb, thing = view.rules.verb(act.verb), view.thing(subject)
    if verb.fact is not None:
        return _of_player(verb, act, subject if thing is None else thing.controller, view)
    if thing is None:
        return None
    view.reads.update({(subject, "zone"), (subject, "status"), (subject, "face")})
    if verb.from_ and thing.zone not in verb.from_:
        return None
    if verb.adds in thing.status or thing.face == verb.face:
        return None
    if verb.removes is not None and verb.removes not in thing.status:
        return None
    n = (1 if act.n is None else view.number(act.n)) or 0
    if verb.places is not None:
        name = verb.event or verb.name
        return _event(act, subject, view, name=name, amount=n, cause=act.verb) if n > 0 else None
    if verb.joins is not None:
        other = view.ref(act.of) if isinstance(act.of, Ref) else None
        onto = view.thing(other) if isinstance(other, str) else None
        view.reads.add((str(other), "zone"))
        there = onto is not None and onto.zone in view.boards.play
        return _event(act, subject, view, to=other) if there else None
    if not (verb.counters or verb.puts):
        return _event(act, subject, view, to=verb.to)
    if not isinstance(act.what, str):
        return None
    if not verb.puts:  # putting more there asks for nothing that is there
        view.reads.add((subject, "counters", act.what))
        n = min(n, thing.counters.get(act.what, 0))
    takes = act.what if verb.counters else ""
    return _event(act, subject, view, amount=n, takes=takes) if n > 0 else None


def committed(batch: Iterable[Happens], position: Position, rules: Ruleset, boards: Boards) -> Position:
    """Return the position after a batch of events."""
    for event in batch:
        if not event.idle:
            data = any(verb.name == event.verb for verb in rules.verbs)
            position = _of_data(event, position, rules) if data else _commit(event, position, rules, boards)
    return position


def _commit(event: Happens, position: Position, rules: Ruleset, boards: Boards) -> Position:
    verb, id, act = event.verb, event.subject, event.act
    if verb in ("gain", "lose"):
        sign = 1 if verb == "gain" else -1
        who = position.player(id)
        pool = {**who.pool, **{a: who.pool.get(a, 0) + sign * n for a, n in (event.assets or {}).items()}}
        return position.with_player(replace(who, pool=FrozenMap(pool)))
    if verb in COUNTED:
        kind = "wounds" if verb in ("wound", "heal") else str(act.what)
        return counters(position, id, kind, event.amount if verb in ("wound", "add") else -event.amount)
    if verb == "set":
        return _commit_set(event, act, position)
    if verb == "put":
        other = next((t for t in position.things if t.id == event.to), None)
        if other is not None and other.zone not in boards.play:
            return position
        if other is not None and position.thing(id).zone != other.zone:
            position = move(position, id, other.zone, rules)
        thing = position.thing(id)
        return position.with_thing(replace(thing, relations=thing.relations.put(event.name, str(event.to))))
    if verb in ("move", "play", "draw"):
        return move(position, id, str(event.to), rules)
    if verb == "lay":
        return _commit_lay(event, position, rules, boards)
    if verb == "end":
        return replace(position, lasting=tuple(e for e in position.lasting if e.until != event.to))
    if verb == "renew":
        now = {key: position.remaining.get(key, limit) + event.amount for key, limit in _limits(position, id, act.to)}
        return replace(position, remaining=FrozenMap({**position.remaining, **now}))
    known = [p for p in position.players if p.name == id]
    if verb == "shuffle" and known:
        return position.with_player(replace(known[0], facts=known[0].facts.put("deck", "shuffled")))
    return position


def _commit_set(event: Happens, act: Act, position: Position) -> Position:
    kind, _, name = str(act.what).rpartition(".")
    if isinstance(event.to, str):
        player = position.player(event.subject)
        return position.with_player(replace(player, facts=player.facts.put(name, event.to)))
    thing, new = position.thing(event.subject), int(event.to or 0)
    if kind == "counters":
        return counters(position, thing.id, name, new - thing.counters.get(name, 0))
    return position.with_thing(replace(thing, base=thing.base.put(name, new)))


def _commit_lay(event: Happens, position: Position, rules: Ruleset, boards: Boards) -> Position:
    assert isinstance(event.detail, tuple)
    act, bound = event.detail
    what = act.what
    if isinstance(what, Modifier):
        what = replace(what, of=Ref("on")) if what.of is None else what
        if rules.ordering.lasting == "fixed":
            what = replace(what, amount=View(position, rules, bound, boards).number(what.amount) or 0)
    name = f"{event.source or event.by} effect {position.clock}"
    uses = None if act.n is None else View(position, rules, bound, boards).number(act.n)
    laid = Lasting(name, event.by, what, position.clock, bound, act.until, uses)
    return replace(position, lasting=(*position.lasting, laid), clock=position.clock + 1)


def _of_data(event: Happens, position: Position, rules: Ruleset) -> Position:
    verb, id = rules.verb(event.verb), event.subject
    act = event.detail
    if verb.fact is not None:
        player = position.player(id)
        return position.with_player(replace(player, facts=player.facts.put(verb.fact, str(event.to))))
    if verb.cancels:
        position = _silenced(event, position, rules)
    if (verb.counters or verb.puts) and isinstance(act, Act):
        position = counters(position, id, str(act.what), event.amount if verb.puts else -event.amount)
    if verb.places is not None:
        position = counters(position, id, verb.places, event.amount)
    thing = position.thing(id)
    status = thing.status.union({verb.adds} if verb.adds else ()).difference({verb.removes} if verb.removes else ())
    if status != thing.status or verb.face:
        position = position.with_thing(replace(thing, status=status, face=verb.face or thing.face))
    position = move(position, id, verb.to, rules) if verb.to else position
    if verb.joins is not None:
        thing = position.thing(id)
        position = position.with_thing(replace(thing, relations=thing.relations.put(verb.joins, str(event.to))))
    if verb.relates is None:
        return position
    thing = position.thing(id)
    return position.with_thing(replace(thing, relations=thing.relations.put(verb.relates, event.by)))


def _silenced(event: Happens, position: Position, rules: Ruleset) -> Position:
    """Return the position in which nothing waits of an object, nor will: it has lost its abilities."""
    id, clock = event.subject, position.clock
    lost = Grant(rules.stages[0].name if rules.stages else "", no_abilities=True, of=Ref("on"))
    laid = Lasting(f"{id} cancelled {clock}", event.by, lost, clock, FrozenMap({"on": id}))
    queue = tuple(ability for ability in position.queue if ability.source != id)
    return replace(position, queue=queue, lasting=(*position.lasting, laid), clock=clock + 1)


def counters(position: Position, id: str, kind: str, by: int) -> Position:
    """Return the position with counters added to an object or taken away."""
    thing = position.thing(id)
    n = max(0, thing.counters.get(kind, 0) + by)
    return position.with_thing(
        replace(thing, counters=thing.counters.put(kind, n) if n else thing.counters.without(kind))
    )


def move(position: Position, id: str, zone: str, rules: Ruleset) -> Position:
    """Return the position with an object in another zone; there it is a new one, and nothing knows it."""
    play = {z.name for z in rules.zones if z.play}
    thing = position.thing(id)
    if thing.zone in play and zone in play:
        return position.with_thing(replace(thing, zone=zone))
    if thing.zone not in play and thing.zone == zone:
        return position
    if not (thing.zone == rules.announced and zone in play):
        things = tuple(
            t if id not in t.relations.values()
            else replace(t, relations=FrozenMap((k, to) for k, to in t.relations.items() if to != id))
            for t in position.things
        )  # fmt: skip
        position = replace(
            position,
            things=things,
            remaining=FrozenMap((k, n) for k, n in position.remaining.items() if k.rpartition("/")[0] != id),
            lasting=tuple(e for e in position.lasting if e.bindings.get("on") != id),
            laid=FrozenMap((k, n) for k, n in position.laid.items() if id not in _parties(k)),
        )
        thing = Thing(id, thing.card, thing.owner, thing.owner, thing.zone)
    if zone not in play:
        return position.with_thing(replace(thing, zone=zone, face="up", timestamp=0))
    arrived = replace(thing, zone=zone, face="up", timestamp=position.clock)
    return replace(position.with_thing(arrived), clock=position.clock + 1)


def _parties(key: str) -> tuple[str, str]:
    effect, _, on = key.partition(" on ")
    return effect.rpartition("/")[0], on


def changed(before: Position, after: Position) -> set[Key]:
    """Return the facts in which two positions differ."""
    found: set[Key] = set()
    for old, new in zip(before.things, after.things, strict=True):
        if old is new or old == new:
            continue
        for part in ("zone", "controller", "face", "status", "base", "relations", "timestamp"):
            if getattr(old, part) != getattr(new, part):
                found.add((new.id, part))
        if old.counters != new.counters:
            kinds = {*old.counters, *new.counters}
            found |= {(new.id, "counters", k) for k in kinds if old.counters.get(k, 0) != new.counters.get(k, 0)}
    for was, now in zip(before.players, after.players, strict=True):
        found |= {("pool", now.name, a) for a in {*was.pool, *now.pool} if was.pool.get(a) != now.pool.get(a)}
        if was.facts != now.facts:
            found.add(("facts", now.name))
    for part in ("lasting", "clock", "laid"):
        if getattr(before, part) != getattr(after, part):
            found.add((part,))
    if before.remaining != after.remaining:
        keys = {*before.remaining, *after.remaining}
        found |= {("remaining", k) for k in keys if before.remaining.get(k) != after.remaining.get(k)}
    return found


def check_bound(count: int, most: int) -> None:
    """Refuse a choice with too many answers."""
    if count > most:
        raise LimitReached("ways", most, "a choice of fewer objects can be played")
