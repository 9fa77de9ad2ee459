"""Norms: which are in force, which choices each is about, and which of two goes before the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from lawful.model.effect import Norm, Static
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Position, Thing
from lawful.model.procedure import Norming
from lawful.model.referee.asked import Asked
from lawful.model.referee.evaluate import Bound, Scope, follow, holds, matches
from lawful.model.referee.statics import working
from lawful.model.selector import Selector

RULES = -1


@dataclass(frozen=True, slots=True)
class Held:
    """A norm in force.

    Parameters
    ----------
    norm : Norm
        What it says.
    key : str
        Tells it from all others: its holder and its number there.
    holder : str
        Id of the object or lasting effect that it comes from; the norm's name if it is the ruleset's.
    scope : Scope
        Where its text is read.
    timestamp : int
        Since when; the ruleset's own are older than everything.
    """

    norm: Norm
    key: str
    holder: str
    scope: Scope
    timestamp: int

    @property
    def role(self) -> str:
        """The role of the rule that is cited: ``cannot.guard``."""
        return f"{self.norm.modality}.{self.norm.name}" if self.norm.name else self.norm.modality


@dataclass(frozen=True, slots=True)
class Spot:
    """Where an object may be chosen, as far as norms ask.

    Parameters
    ----------
    slot : str
        The slot's name.
    events : frozenset of str
        What norms call being chosen here.
    chooser : str
        Who chooses.
    on : str, optional
        Id of the object that the slot is for.
    joins : str, optional
        What norms call putting what is declared into a relation to the object chosen.
    """

    slot: str
    events: frozenset[str]
    chooser: str
    on: str | None = None
    joins: str | None = None


def in_force(asked: Asked) -> tuple[Held, ...]:
    """Return the norms in force as something is declared, in the order of the position."""
    return tuple(held for held in _all(asked) if _holds(held))


def _all(asked: Asked) -> Iterator[Held]:
    position, declarer = asked.opening, asked.payer
    yield from _working(asked, position)
    play = {zone.name for zone in asked.ruleset.zones if zone.play}
    for thing in position.things:
        if thing.zone not in play and thing.face == "up":
            for number, ability in enumerate(position.card(thing).abilities):
                if isinstance(ability, Static) and isinstance(ability.effect, Norm) and _of_itself(ability.effect):
                    scope = asked.of_thing(position, thing).bind(declarer=declarer)
                    yield Held(ability.effect, f"{thing.id}/{number}", thing.id, scope, thing.timestamp)
    yield from _laid(asked, position)


def there(asked: Asked, position: Position) -> Iterator[Held]:
    """Yield the norms of abilities that work, of lasting effects and of the rules, in force or not."""
    yield from _working(asked, position)
    yield from _laid(asked, position)


def _working(asked: Asked, position: Position) -> Iterator[Held]:
    for thing, number, ability in working(position, asked.ruleset):
        if isinstance(ability, Static) and isinstance(ability.effect, Norm):
            scope = asked.of_thing(position, thing).bind(declarer=asked.payer)
            yield Held(ability.effect, f"{thing.id}/{number}", thing.id, scope, thing.timestamp)


def _laid(asked: Asked, position: Position) -> Iterator[Held]:
    declarer = asked.payer
    for effect in position.lasting:
        if isinstance(effect.modifier, Norm):
            own: dict[str, Bound] = {**effect.bindings, "controller": effect.controller, "declarer": declarer}
            bound = {**asked.bindings(), **own}
            scope = Scope(position, asked.ruleset, FrozenMap(bound))
            yield Held(effect.modifier, f"{effect.id}/0", effect.id, scope, effect.timestamp)
    for number, norm in enumerate(asked.ruleset.norms):
        own = {**asked.bindings(), "controller": declarer, "declarer": declarer}
        yield Held(norm, f"/{number}", norm.name, Scope(position, asked.ruleset, FrozenMap(own)), RULES)


def _of_itself(norm: Norm) -> bool:
    """Tell whether a text says of its own object what cannot be done with it: that holds wherever it is.

    Of being played see `forbidden`: the card has left its zone by then.
    """
    return norm.modality == "cannot" and norm.action.subject == Ref("self") and norm.action.event != "play"


def _holds(held: Held) -> bool:
    norm = held.norm
    return (norm.while_ is None or holds(norm.while_, held.scope)) and (
        norm.unless is None or not holds(norm.unless, held.scope)
    )


def about(held: Held, spot: Spot, thing: Thing, asked: Asked) -> bool:
    """Tell whether a norm is about choosing an object at a spot."""
    action = held.norm.action
    if action.event == spot.joins:  # what is declared is what it happens to, beside the object chosen
        return (
            (action.by is None or follow(action.by, held.scope) == spot.chooser)
            and (action.subject is None or asked.suits(action.subject, held.scope))
            and (action.on is None or matches(action.on, thing, held.scope))
            and (action.source is None or asked.suits(action.source, held.scope))
        )
    return (
        action.event in spot.events
        and (action.by is None or follow(action.by, held.scope) == spot.chooser)
        and (action.subject is None or matches(action.subject, thing, held.scope))
        and (action.on is None or _is_on(action.on, spot.on, held))
        and (action.source is None or asked.suits(action.source, held.scope))
    )


def _is_on(wanted: Ref | Selector, on: str | None, held: Held) -> bool:
    return on is not None and matches(wanted, held.scope.position.thing(on), held.scope)


def bars(norm: Norm) -> bool:
    """Tell whether a norm forbids choosing an object, and does not speak of a number of them."""
    return norm.modality == "cannot" and norm.more_than is None and norm.fewer_than is None


class Timed(Protocol):
    """A norm, and since when it is in force."""

    @property
    def norm(self) -> Norm:
        """What it says."""

    @property
    def timestamp(self) -> int:
        """Since when."""


def sets_aside(other: Timed, ban: Timed, norming: Norming) -> bool:
    """Tell whether a norm about the same choice goes before a restriction.

    References
    ----------
    CR 1.0.2; in other games a later effect may go before an earlier one, which the ruleset says.
    """
    if other.norm.modality == "cannot":
        return False
    if ban.norm.name and ban.norm.name in other.norm.ignores:
        return True
    above = norming.rank.index(other.norm.modality) < norming.rank.index("cannot")
    if norming.conflict == "rank":
        return above
    return other.timestamp > ban.timestamp or (other.timestamp == ban.timestamp and above)
