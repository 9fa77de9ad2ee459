"""Which sources there are, whether each may be used now, and what using it does before anything replaces the gain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lawful.model.act import Act, Success
from lawful.model.cost import ActTerm, AssetTerm, CostAny, terms
from lawful.model.effect import Source
from lawful.model.errors import BadInput, Fault, LimitReached
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.position import Position, Thing
from lawful.model.referee.asked import Asked
from lawful.model.referee.demanded import barred, counters_of, done, object_of, placed, possible
from lawful.model.referee.evaluate import Scope, follow, holds, matches, select, stat, value
from lawful.model.referee.hinder import RULES, hinderers, wanted
from lawful.model.referee.layers import muted
from lawful.model.referee.table import Table
from lawful.model.selector import Selector

__all__ = ["Offer", "Refusal", "gain_of", "names", "offer", "uses_at_most"]


@dataclass(frozen=True, slots=True)
class Offer:
    """A source that may be used now.

    Parameters
    ----------
    thing : str
        Id of the object.
    source : str
        The source's name.
    gain : mapping of str to int
        What it gives before anything replaces it, without assets of 0.
    verbs : tuple of str
        Verbs of its cost, which cause the gain.
    position : Position
        After its cost is paid.
    printed : bool
        Whether what it gives counts as printed.
    into : tuple of str
        Names of the costs that it may pay.
    hindered : tuple of pairs of str and tuple of str
        Acts of its cost that have to be done in full, and what would prevent them, were it there at the end.
    asks : tuple of pairs of AssetTerm and int
        What it costs in assets.
    """

    thing: str
    source: str
    gain: FrozenMap[str, int]
    verbs: tuple[str, ...]
    position: Position
    printed: bool = False
    into: tuple[str, ...] = ()
    hindered: tuple[tuple[str, tuple[str, ...]], ...] = ()
    asks: tuple[tuple[AssetTerm, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a source may not be used: the role of the rule, and the objects concerned."""

    role: str
    about: tuple[str, ...]


# A refusal that comes earlier is more to the point where several rules forbid the same use.
_ORDER = ("announced", "source", "once", "restriction", "full")


def names(asked: Asked, thing: Thing) -> tuple[str, ...]:
    """Return the names of the sources that an object might be used as, each once, the ruleset's own first."""
    return tuple(dict.fromkeys(source.name for source, _ in _sources(asked, thing)))


def _sources(asked: Asked, thing: Thing) -> Iterator[tuple[Source, bool]]:
    """Yield the sources of an object, and whether the object's own text gives it."""
    for source in asked.ruleset.sources:
        if source.of is not None:
            yield source, False
    if asked.ruleset.source_abilities and thing.face == "up":
        for ability in asked.opening.card(thing).abilities:
            if isinstance(ability, Source):
                yield ability, True


def offer(table: Table, thing: Thing, name: str) -> Offer | Refusal:
    """Look at one source of one object.

    Parameters
    ----------
    table : Table
        The state of the payment.
    thing : Thing
        The object as it is now.
    name : str
        Which source. Where the object has several of that name, the first that may be used.

    Returns
    -------
    Offer or Refusal
        What using it gives, or which rule forbids it. Whether the open part of the cost allows it is not asked here.
    """
    refusals = [Refusal("source", (thing.id,))]
    if thing.id == table.asked.announced:
        return Refusal("announced", (thing.id,))
    for source, own in _sources(table.asked, thing):
        if source.name == name:
            found = _look(table, thing, source, own)
            if isinstance(found, Offer):
                return found
            refusals.append(found)
    return max(refusals, key=lambda refusal: _ORDER.index(refusal.role))


def _look(table: Table, thing: Thing, source: Source, own: bool) -> Offer | Refusal:
    asked = table.asked
    used = sum(use.thing == thing.id and use.source == source.name for use in table.uses)
    touched = any(use.thing == thing.id or thing.id in use.replaced for use in table.uses)
    again = Refusal("once" if touched else "source", (thing.id,))
    # What happens at the same time is looked at before all of it.
    seen = asked.opening if asked.ruleset.effects == "at_once" else table.position
    user = _user(asked, seen, thing, source, own)
    if user is None:
        return again
    limit = _limit(asked, thing, source)
    if limit == 0:
        return Refusal("source", (thing.id,))
    if limit is not None and used >= limit:
        return Refusal("once", (thing.id,))
    scope = asked.of_thing(seen, thing, user)
    found = _pay_own_cost(table, source, thing, scope, user)
    if isinstance(found, Refusal):
        return again if found.role == "source" else found
    position, hindered = found
    acts = tuple(term.act.verb for term in _terms(source))
    gain = gain_of(asked, asked.opening.thing(thing.id), source, user)
    return Offer(
        thing.id, source.name, gain, acts, position, source.printed, source.into, hindered, _asks(source, scope)
    )


def _limit(asked: Asked, thing: Thing, source: Source) -> int | None:
    """Return how often a source may still be used: what is left of a limit over more than this payment is said."""
    if source.limit is None or source.per is None:
        return source.limit
    abilities = asked.opening.card(thing).abilities
    number = next((i for i, ability in enumerate(abilities) if ability is source), -1)
    return max(0, asked.opening.remaining.get(f"{thing.id}/{number}", source.limit))


def _pay_own_cost(
    table: Table, source: Source, thing: Thing, scope: Scope, user: str
) -> tuple[Position, tuple[tuple[str, tuple[str, ...]], ...]] | Refusal:
    """Do the acts of a source's own cost, each to its object."""
    asked, position, hindered = table.asked, table.position, []
    for term in _terms(source):
        act, verb = term.act, asked.ruleset.verb(term.act.verb)
        id = _object(act, thing, scope, user, asked)
        if id is None or id == asked.announced:
            return Refusal("source", (thing.id,))
        now = position.thing(id)
        by = barred(asked, table.position, verb, act, now, user)
        if by is not None:
            return Refusal("restriction", (thing.id, by))
        if not possible(verb, act, now, scope):
            return Refusal("source", (thing.id,))
        if wanted(verb, term.success) is Success.FULL:
            found = hinderers(asked, verb, act, now)
            if found and (asked.ruleset.leaving_prevents or RULES in found):
                return Refusal("full", (thing.id, *(by for by in found if by != RULES)))
            hindered.append((id, found))
        position = position.with_thing(done(verb, act, now, scope))
    return position, tuple(pair for pair in hindered if pair[1])


def _user(asked: Asked, seen: Position, thing: Thing, source: Source, own: bool) -> str | None:
    """Return who uses a source of an object now: the payer, or another player who may help; None where nobody can."""
    rules = asked.ruleset
    helps = source.shared or (rules.helped is not None and asked.suits(rules.helped, asked.scope(asked.opening)))
    users: tuple[str, ...] = (asked.payer, *((thing.owner, thing.controller) if helps else ()))
    for user in dict.fromkeys(users):
        now = seen.thing(thing.id)
        scope = asked.of_thing(seen, now, user)
        if _has(asked, now, source, own, scope, user):
            return user
    return None


def _has(asked: Asked, thing: Thing, source: Source, own: bool, scope: Scope, user: str) -> bool:
    """Tell whether an object has a source now, and the source is meant for what is paid for."""
    if own:
        play = any(zone.play for zone in asked.ruleset.zones if zone.name == thing.zone)
        whose = thing.controller if play else thing.owner
        if (not play and source.of is None) or thing.face == "down" or whose != user:
            return False
        if thing.id in muted(scope.position, asked.ruleset):
            return False
    if source.of is not None and not matches(source.of, thing, scope):
        return False
    if source.when is not None and not holds(source.when, scope):
        return False
    if source.ability is not None and (asked.question.declaration.kind == "play" or source.ability not in asked.labels):
        return False
    return source.for_ is None or asked.suits(source.for_, scope)


def _asks(source: Source, scope: Scope) -> tuple[tuple[AssetTerm, int], ...]:
    """Return what a source costs in assets."""
    asked = ((term, value(term.amount, scope)) for term in terms(source.cost) if isinstance(term, AssetTerm))
    return tuple((term, n) for term, n in asked if n > 0)


def _terms(source: Source) -> tuple[ActTerm, ...]:
    """Return the acts of a source's cost.

    Raises
    ------
    BadInput
        If it asks for anything but acts.
    """
    found = tuple(terms(source.cost))
    if isinstance(source.cost, CostAny) or not all(isinstance(t, ActTerm) or t.plain for t in found):
        raise BadInput([Fault(f"the cost of the source {source.name!r} has to consist of acts and plain amounts")])
    return tuple(term for term in found if isinstance(term, ActTerm))


def _object(act: Act, thing: Thing, scope: Scope, user: str, asked: Asked) -> str | None:
    """Return the object of an act in a source's cost: the one named, or the only one of the user's that is found.

    Raises
    ------
    BadInput
        If there is more than one: nothing is chosen in the cost of a source.
    """
    named = object_of(act)
    if isinstance(named, Ref):
        meant = follow(named, scope)
        if isinstance(meant, str) and any(t.id == meant for t in scope.position.things):
            return meant
        return None
    objects = [t.id for t in select(named, scope) if asked.ruleset.costs_of == "anybody" or t.controller == user]
    if len(objects) > 1:
        names = ", ".join(objects)
        raise BadInput([Fault(f"{act.verb!r} in the cost of a source of {thing.id!r} is about one object: {names}")])
    return objects[0] if objects else None


def gain_of(asked: Asked, thing: Thing, source: Source, user: str | None = None) -> FrozenMap[str, int]:
    """Return what a source gives, read on the position before paying, without assets of 0.

    References
    ----------
    CR 1.14.3a (a card without the property gives nothing).
    """
    scope = asked.of_thing(asked.opening, thing, user or asked.payer)
    if isinstance(source.gain, Selector):
        givers = select(source.gain, scope)
        found = dict(asked.opening.card(givers[0]).yields or {}) if givers else {}
    elif isinstance(source.gain, Ref):
        giver = follow(Ref(source.gain.name), scope)
        yields = asked.opening.card(asked.opening.thing(str(giver))).yields
        found = dict(yields or {}) if source.gain.path == ("yields",) and thing.face == "up" else {}
    else:
        found = {asset: value(amount, scope) for asset, amount in source.gain.items()}
    return FrozenMap({asked.ruleset.asset(asset).id: n for asset, n in found.items() if n > 0})


def uses_at_most(asked: Asked, thing: Thing, source: Source) -> int:
    """Return how often a source of an object can be used at most, by its limit and by what its cost takes away.

    Raises
    ------
    LimitReached
        If nothing ends it.
    """
    limit = _limit(asked, thing, source)
    ends = [] if limit is None else [limit]
    scope = asked.of_thing(asked.opening, thing, asked.payer)
    for act in (term.act for term in _terms(source)):
        verb = asked.ruleset.verb(act.verb)
        if object_of(act) != Ref("self"):
            if verb.to is not None or verb.adds or verb.removes or verb.face:
                ends.append(1)
        elif verb.counters:
            kind, n = counters_of(act, scope)
            ends += [thing.counters.get(kind, 0) // n] if n > 0 else []
        elif verb.places is not None and verb.room is not None:
            room = (stat(thing, verb.room, scope) or 0) - thing.counters.get(verb.places, 0)
            ends += [max(0, room) // placed(act, scope)] if placed(act, scope) else []
        elif verb.to is not None or isinstance(act.to, str) or verb.adds or verb.removes or verb.face:
            ends.append(1)
    if not ends:
        raise LimitReached("sources", Limits().sources, f"{source.name!r} can be used without end")
    return min(ends)
