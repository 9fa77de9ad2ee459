"""Which sources there are, whether each may be used now, and what using it does before anything replaces the gain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lawful.model.act import Act
from lawful.model.cost import ActTerm, CostAny, terms
from lawful.model.effect import Source
from lawful.model.errors import BadInput, Fault, LimitReached
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.position import Position, Thing
from lawful.model.referee.asked import Asked
from lawful.model.referee.demanded import counters_of, done, forbidder, object_of, possible
from lawful.model.referee.evaluate import Scope, follow, holds, matches, value
from lawful.model.referee.table import Table

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
    """

    thing: str
    source: str
    gain: FrozenMap[str, int]
    verbs: tuple[str, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a source may not be used: the role of the rule, and the objects concerned."""

    role: str
    about: tuple[str, ...]


# A refusal that comes earlier is more to the point where several rules forbid the same use.
_ORDER = ("announced", "source", "once", "restriction")


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
    scope = asked.of_thing(table.position, thing, asked.payer)
    if not _has(asked, thing, source, own, scope):
        return again
    if source.limit is not None and used >= source.limit:
        return Refusal("once", (thing.id,))
    acts, now = _acts(source), thing
    for act in acts:
        by = forbidder(asked, table.position, act.verb, thing)
        if by is not None:
            return Refusal("restriction", (thing.id, by))
        verb = asked.ruleset.verb(act.verb)
        if not matches(_ref(act), thing, scope) or not possible(verb, act, now, scope):
            return again
        now = done(verb, act, now, scope)
    position = table.position if now is thing else table.position.with_thing(now)
    return Offer(thing.id, source.name, gain_of(asked, thing, source), tuple(act.verb for act in acts), position)


def _has(asked: Asked, thing: Thing, source: Source, own: bool, scope: Scope) -> bool:
    """Tell whether an object has a source now, and the source is meant for what is paid for."""
    if own:
        play = any(zone.play for zone in asked.ruleset.zones if zone.name == thing.zone)
        if not play or thing.face == "down" or thing.controller != asked.payer:
            return False
    if source.of is not None and not matches(source.of, thing, scope):
        return False
    if source.when is not None and not holds(source.when, scope):
        return False
    return source.for_ is None or asked.suits(source.for_, scope)


def _acts(source: Source) -> tuple[Act, ...]:
    """Return the acts of a source's cost.

    Raises
    ------
    BadInput
        If it asks for anything but acts.
    """
    found = tuple(terms(source.cost))
    if isinstance(source.cost, CostAny) or not all(isinstance(term, ActTerm) for term in found):
        raise BadInput([Fault(f"the cost of the source {source.name!r} has to consist of acts")])
    return tuple(term.act for term in found if isinstance(term, ActTerm))


def _ref(act: Act) -> Ref:
    """Return the object of an act in a source's cost, which is done to one object.

    Raises
    ------
    BadInput
        If it asks for a choice of objects.
    """
    named = object_of(act)
    if isinstance(named, Ref):
        return named
    raise BadInput([Fault(f"{act.verb!r} in the cost of a source is done to $self only")])


def gain_of(asked: Asked, thing: Thing, source: Source) -> FrozenMap[str, int]:
    """Return what a source gives, read on the position before paying, without assets of 0.

    References
    ----------
    CR 1.14.3a (a card without the property gives nothing).
    """
    scope = asked.of_thing(asked.opening, thing, asked.payer)
    if isinstance(source.gain, Ref):
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
    ends = [] if source.limit is None else [source.limit]
    scope = asked.of_thing(asked.opening, thing, asked.payer)
    for act in _acts(source):
        verb = asked.ruleset.verb(act.verb)
        if verb.counters:
            kind, n = counters_of(act, scope)
            ends += [thing.counters.get(kind, 0) // n] if n > 0 else []
        elif verb.to is not None or isinstance(act.to, str) or verb.adds or verb.removes or verb.face:
            ends.append(1)
    if not ends:
        raise LimitReached("sources", Limits().sources, f"{source.name!r} can be used without end")
    return min(ends)
