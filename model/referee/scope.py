"""Where a text is read, and what its references stand for.

A property that an object lacks is not 0: it is absent, which fails every test.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from lawful.model.errors import LawfulError
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Position, Thing
from lawful.model.ruleset import Ruleset

Bound: TypeAlias = str | int


class Absent(LawfulError):
    """A reference to something that is not there: a property that the object lacks, or a name that nothing yielded."""

    def __init__(self, ref: Ref) -> None:
        self.ref = ref
        super().__init__(f"{ref} stands for nothing here")


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a text is read: the position, the rules, and what its references stand for.

    Parameters
    ----------
    position : Position
        What is looked at.
    ruleset : Ruleset
        The rules it is looked at by.
    bindings : mapping of str to str or int
        ``self``, ``controller``, ``owner``, ``chooser``, ``opponent`` (the only other player), ``subject``, ``event``,
        ``paid``, ``declared``, ``x`` and the
        names that earlier steps gave (`as`), each an object's id, a player's name or a number. ``controller`` and
        ``owner`` are those of ``self``, and ``chooser`` is the controller, where not bound.
    stats : mapping, optional
        Current stats by object id and name, while they are being computed; None has them computed when asked for.
    types : mapping, optional
        Current types by object id, likewise.
    """

    position: Position
    ruleset: Ruleset
    bindings: FrozenMap[str, Bound] = FrozenMap()
    stats: Mapping[tuple[str, str], int] | None = None
    types: Mapping[str, frozenset[str]] | None = None

    def bind(self, /, **more: Bound) -> Scope:
        """Return the scope with more references bound."""
        bindings = FrozenMap({**self.bindings, **more})
        return Scope(self.position, self.ruleset, bindings, self.stats, self.types)

    def at(self, position: Position) -> Scope:
        """Return the same text read on another position."""
        return Scope(position, self.ruleset, self.bindings)


def resolve(ref: Ref, scope: Scope) -> Bound:
    """Return what a reference stands for, its path followed.

    Parameters
    ----------
    ref : Ref
        ``$self``, ``$pick.life``, ``$subject.controller``, ``$self.counters.charge``, ``$self.base.life``,
        ``$self.defends.power`` (of what it defends), ``$controller.pool.r``,
        ``$controller.boosted`` (a fact of the player; one that is a number counts as that number).
    scope : Scope
        Where it is read.

    Returns
    -------
    str or int
        An object's id, a player's name, a printed word, or a number. A stat is the current one: the base value
        (changed for good, or printed), then the modifiers in force.

    Raises
    ------
    Absent
        If the object has no such property, or nothing is bound to the name.
    UnknownName
        If an object or player of that name does not exist.
    """
    found = follow(ref, scope)
    if found is None:
        raise Absent(ref)
    return found


def follow(ref: Ref, scope: Scope) -> Bound | None:
    """Return what a reference stands for, or None where it stands for nothing; see `resolve`."""
    start = _bound(ref.name, scope)
    if start is None or not ref.path:
        return start
    if isinstance(start, int):
        return None
    return _walk(start, ref.path, scope)


def _bound(name: str, scope: Scope) -> Bound | None:
    if name in scope.bindings:
        return scope.bindings[name]
    if name == "chooser":
        return _bound("controller", scope)
    if name == "opponent":
        mine = _bound("controller", scope)
        others = [player.name for player in scope.position.players if player.name != mine]
        return others[0] if len(others) == 1 else None
    if name in ("controller", "owner") and "self" in scope.bindings:
        own = scope.position.thing(str(scope.bindings["self"]))
        return own.controller if name == "controller" else own.owner
    # An X that nobody declared is 0, not undefined.
    return 0 if name == "x" else None


def _walk(start: str, path: tuple[str, ...], scope: Scope) -> Bound | None:
    """Follow a path from an object or a player; the first step that is not there ends it."""
    thing = next((t for t in scope.position.things if t.id == start), None)
    if thing is None:
        return _of_player(start, path, scope)
    step, rest = path[0], path[1:]
    if step in ("controller", "owner"):
        player = thing.controller if step == "controller" else thing.owner
        return _walk(player, rest, scope) if rest else player
    if step == "zone" and not rest:
        return thing.zone
    if step == "counters" and len(rest) == 1:
        return thing.counters.get(rest[0], 0)
    if step in thing.relations:
        other = thing.relations[step]
        return _walk(other, rest, scope) if rest else other
    return _printed(thing, step, rest, scope)


def _printed(thing: Thing, step: str, rest: tuple[str, ...], scope: Scope) -> Bound | None:
    """Read a property that a face-down object, being blank, does not have."""
    if thing.face == "down":
        return None
    card = scope.position.card(thing)
    if step == "base" and len(rest) == 1:
        return stat(thing, f"base.{rest[0]}", scope)
    if step == "yields" and len(rest) == 1:
        return None if card.yields is None else card.yields.get(rest[0], 0)
    if rest:
        return None
    if step == "name":
        return card.printed_name
    return card.props[step] if step in card.props else stat(thing, step, scope)


def _of_player(name: str, path: tuple[str, ...], scope: Scope) -> Bound | None:
    player = scope.position.player(name)
    if path[0] == "pool" and len(path) == 2:
        return player.pool.get(path[1], 0)
    fact = player.facts.get(path[0]) if len(path) == 1 else None
    return int(fact) if fact is not None and fact.isascii() and fact.isdigit() else fact


def base(thing: Thing, name: str, position: Position) -> int | None:
    """Return a base value: as an effect changed it for good, else as printed; None where it has none."""
    return thing.base.get(name, position.card(thing).stats.get(name))


def stat(thing: Thing, name: str, scope: Scope) -> int | None:
    """Return the current value of a stat or a base value (``base.life``), modifiers applied.

    None where the object lacks it; a face-down object is blank and lacks all.
    """
    if thing.face == "down":
        return None
    from lawful.model.referee.printedcost import declared_cost  # it reads this module's results, and this one its

    if name == "cost" and (cost := declared_cost(thing, scope)) is not None:
        return cost
    if scope.stats is not None:
        return scope.stats.get((thing.id, name))
    from lawful.model.referee.layers import stats  # modifiers are read by this module, and it reads their results

    return stats(scope.position, scope.ruleset).get((thing.id, name))


def types_of(thing: Thing, scope: Scope) -> frozenset[str]:
    """Return the types that an object has now: as printed, then what grants make of them."""
    if scope.types is not None:
        return scope.types.get(thing.id, frozenset())
    from lawful.model.referee.layers import granted, layers

    if not granted(scope.position, scope.ruleset):
        return frozenset(scope.position.card(thing).types)
    return layers(scope.position, scope.ruleset).types.get(thing.id, frozenset())
