"""Gaining assets is an event, and replacement effects change it before it happens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lawful.model.act import Act
from lawful.model.effect import Replacement
from lawful.model.frozen import FrozenMap, replace
from lawful.model.position import Position, Thing
from lawful.model.referee.asked import Asked
from lawful.model.referee.demanded import done, object_of, possible
from lawful.model.referee.evaluate import Scope, holds, matches, resolve, value
from lawful.model.referee.statics import working

__all__ = ["Gain", "applicable", "apply", "endings"]

Key = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Gain:
    """A gain that is about to happen.

    Parameters
    ----------
    asked : Asked
        What is paid for.
    position : Position
        As it is just before the gain.
    thing : str
        Id of the object used.
    verbs : tuple of str
        What causes the gain.
    assets : mapping of str to int
        What would be gained, without assets of 0.
    applied : tuple of pairs of str and int
        Which replacements (object, number of its ability) changed it, in order.
    """

    asked: Asked
    position: Position
    thing: str
    verbs: tuple[str, ...]
    assets: FrozenMap[str, int]
    applied: tuple[Key, ...] = ()

    @property
    def replaced(self) -> tuple[str, ...]:
        """Ids of the objects whose replacements changed it, in order."""
        return tuple(id for id, _ in self.applied)


def applicable(gain: Gain) -> dict[str, tuple[int, Replacement]]:
    """Return the replacements that may change a gain now, by the object that has them.

    Parameters
    ----------
    gain : Gain
        As it stands, changed already or not.

    Returns
    -------
    dict
        Object id to the ability's number and the replacement. Of several on one object, one that must be applied
        goes first, then the order of its text.

    References
    ----------
    CR 6.4.4 (a changed event may be replaced again), 6.4.5 (each at most once for one event).
    """
    found: dict[str, tuple[int, Replacement]] = {}
    for thing, i, ability in working(gain.position, gain.asked.ruleset):
        if not isinstance(ability, Replacement) or (thing.id, i) in gain.applied or not _matches(gain, thing, ability):
            continue
        if thing.id not in found or (found[thing.id][1].optional and not ability.optional):
            found[thing.id] = (i, ability)
    return found


def _scope(gain: Gain, thing: Thing) -> Scope:
    return gain.asked.of_thing(gain.position, thing).bind(subject=gain.thing)


def _matches(gain: Gain, thing: Thing, ability: Replacement) -> bool:
    on, scope = ability.on, _scope(gain, thing)
    return (
        on.event == "gains"
        and (on.by is None or resolve(on.by, scope) == gain.asked.payer)
        and (on.cause is None or on.cause in gain.verbs)
        and (on.assets is None or {a: n for a, n in on.assets.items() if n} == dict(gain.assets))
        and (on.asset is None or gain.assets.get(on.asset, 0) > 0)
        and (on.subject is None or matches(on.subject, gain.position.thing(gain.thing), scope))
        and (ability.when is None or holds(ability.when, scope))
    )


def apply(gain: Gain, id: str, i: int, ability: Replacement) -> Gain:
    """Return a gain after one replacement: its own acts happen, and their gain is what is gained instead."""
    assets: dict[str, int] = {}
    position = gain.position
    scope = _scope(gain, position.thing(id))
    for act in ability.instead:
        if isinstance(act.what, FrozenMap):
            for asset, amount in act.what.items():
                assets[asset] = assets.get(asset, 0) + value(amount, scope)
        else:
            position = _act(gain, act, scope, position)
    kept = FrozenMap({gain.asked.ruleset.asset(asset).id: n for asset, n in assets.items() if n > 0})
    return replace(gain, position=position, assets=kept, applied=(*gain.applied, (id, i)))


def _act(gain: Gain, act: Act, scope: Scope, position: Position) -> Position:
    """Do an act of a replacement to the object that it names; one that cannot be done is not done."""
    for thing in position.things:
        if matches(object_of(act), thing, scope):
            known = [verb for verb in gain.asked.ruleset.verbs if verb.name == act.verb]
            if not known:
                # A ruleset without the verb does not say where the object goes: it is gone.
                return replace(position, things=tuple(t for t in position.things if t.id != thing.id))
            if possible(known[0], act, thing, scope):
                return position.with_thing(done(known[0], act, thing, scope))
    return position


def endings(gain: Gain) -> Iterator[Gain]:
    """Yield every way in which a gain can come out, by the order in which the payer applies what may change it.

    Parameters
    ----------
    gain : Gain
        Before anything is applied.

    Yields
    ------
    Gain
        With nothing left that must be applied.
    """
    found = applicable(gain)
    if all(ability.optional for _, ability in found.values()):
        yield gain
    for id, (i, ability) in found.items():
        yield from endings(apply(gain, id, i, ability))
