"""What objects are now: types, abilities and stats, when every static effect has applied in the ruleset's order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from lawful.model.effect import Grant, Modifier, Norm, Static
from lawful.model.errors import BadInput, Fault
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Position, Thing
from lawful.model.referee.declared import has_x
from lawful.model.referee.evaluate import Scope, base, holds, matches, number
from lawful.model.referee.latest import Latest
from lawful.model.referee.printedcost import points
from lawful.model.referee.raising import barred, bars
from lawful.model.referee.statics import Active, effects, operate, own, printed
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Selector

Doing: TypeAlias = int | Grant
Does: TypeAlias = Mapping[str, Doing]
"""What an effect would do now: by object id, the number it uses or the grant it makes; empty where it does nothing."""


@dataclass(slots=True)
class Layers:
    """What objects are, while it is worked out.

    Parameters
    ----------
    table : dict
        Object id and name to value; the name is a stat's (``life``) or its base's (``base.life``). A stat that an
        object lacks is not in it, and no modifier gives it one.
    types : dict of str to frozenset of str
        Types by object id; a face-down object has none.
    mute : set of str
        Objects that have lost their abilities.
    """

    table: dict[tuple[str, str], int] = field(default_factory=dict)
    types: dict[str, frozenset[str]] = field(default_factory=dict)
    mute: set[str] = field(default_factory=set)

    def copy(self) -> Layers:
        """Return one that can be tried out."""
        return Layers(dict(self.table), dict(self.types), set(self.mute))


_LAYERS: Latest[Layers] = Latest()
_GRANTED: Latest[bool] = Latest()


def granted(position: Position, ruleset: Ruleset) -> bool:
    """Tell whether anything changes what objects are."""
    return _GRANTED.of(position, ruleset, _granted)


def _granted(position: Position, ruleset: Ruleset) -> bool:
    return any(isinstance(e.modifier, Grant) for e in position.lasting) or any(
        isinstance(ability, Static) and isinstance(ability.effect, Grant)
        for _, _, ability in printed(position, ruleset)
    )


def muted(position: Position, ruleset: Ruleset) -> set[str]:
    """Return the objects that have lost their abilities."""
    return layers(position, ruleset).mute if granted(position, ruleset) else set()


def stats(position: Position, ruleset: Ruleset) -> dict[tuple[str, str], int]:
    """Return the current stats of every face-up object: the table of `layers`."""
    return layers(position, ruleset).table


def layers(position: Position, ruleset: Ruleset) -> Layers:
    """Work out what every object is now.

    First what objects are, then base values, then the rest; in each round the stages in the ruleset's order, inside a
    stage by timestamp, but for what `EffectRules.dependency` and `contradiction` say. What an effect reads is what the
    ones before it left, so that no cycle of effects can hang.

    Parameters
    ----------
    position : Position
        What is looked at.
    ruleset : Ruleset
        Says which stages there are, in which order, the floor of each, and the policies.

    Returns
    -------
    Layers
        Types, lost abilities and stats.

    Raises
    ------
    BadInput
        If an effect names a stage that the ruleset does not have.

    References
    ----------
    CR 6.3.2 to 6.3.5; 513.1.
    """
    return _LAYERS.of(position, ruleset, _layers)


def _layers(position: Position, ruleset: Ruleset) -> Layers:
    now = _bases(position, ruleset)
    every = effects(position, ruleset)
    there = [a for a in every if not isinstance(a.modifier, Norm) and not _of_cost(a.modifier)]
    _known(there, ruleset)
    kept = bars(every)
    for round_ in range(3):
        _Round([a for a in there if _round(a) == round_], position, ruleset, kept).run(now)
        if round_ == 1:
            now.table.update(
                {(id, name.removeprefix("base.")): n for (id, name), n in now.table.items() if name.startswith("base.")}
            )
    return now


def _of_cost(effect: Modifier | Grant | Norm) -> bool:
    """Tell whether it modifies what is due; what a card costs is what is printed (2.2.4)."""
    return isinstance(effect, Modifier) and effect.modify.partition(".")[0] == "cost"


def _round(a: Active) -> int:
    if isinstance(a.modifier, Grant):
        return 0
    return 1 if isinstance(a.modifier, Modifier) and a.modifier.modify.startswith("base.") else 2


def _bases(position: Position, ruleset: Ruleset) -> Layers:
    now = Layers()
    for thing in position.things:
        if thing.face == "up":
            card = position.card(thing)
            now.types[thing.id] = frozenset(card.types)
            for name in (*card.stats, *thing.base):
                found = base(thing, name, position)
                if found is not None:
                    now.table[thing.id, name] = now.table[thing.id, f"base.{name}"] = found
    for thing in position.things:
        printed_cost = position.card(thing).cost
        if thing.face == "down" or printed_cost is None or (thing.id, "cost") in now.table:
            continue
        if thing.zone not in ruleset.x.unknown_in or not has_x(printed_cost):
            scope = Scope(position, ruleset, FrozenMap({**own(thing), "x": 0}), dict(now.table), dict(now.types))
            cost = points(thing, scope)
            if cost is not None:
                now.table[thing.id, "cost"] = now.table[thing.id, "base.cost"] = cost
    return now


def _known(there: list[Active], ruleset: Ruleset) -> None:
    names = {stage.name for stage in ruleset.stages}
    faults = [
        Fault(f"{a.source}: the rules {ruleset.id!r} have no stage {_stage(a)!r}", hint=f"one of {sorted(names)}")
        for a in there
        if _stage(a) not in names
    ]
    if faults:
        raise BadInput(faults)


def _stage(a: Active) -> str:
    assert isinstance(a.modifier, Modifier | Grant)
    return a.modifier.stage


class _Round:
    """The effects of one round, applied stage by stage."""

    def __init__(
        self, group: list[Active], position: Position, ruleset: Ruleset, kept: tuple[Active, ...] = ()
    ) -> None:
        self.group, self.position, self.ruleset, self.kept = group, position, ruleset, kept
        self.stages = [stage.name for stage in ruleset.stages]
        self.floors = {stage.name: stage.floor for stage in ruleset.stages}

    def run(self, now: Layers) -> None:
        late: dict[str, list[Active]] = {name: [] for name in self.stages}
        for at, stage in enumerate(self.stages):
            here = [a for a in self.group if _stage(a) == stage]
            if self.ruleset.ordering.dependency == "sort":
                self._sorted(here, stage, now)
                continue
            if self.ruleset.ordering.dependency == "defer":
                moved = {a.key: to for a in here if (to := self._moves(a, at, now)) is not None}
                for a in here:
                    if a.key in moved:
                        late[moved[a.key]].append(a)
                here = [a for a in here if a.key not in moved]
            for a in [*here, *sorted(late[stage], key=lambda a: a.timestamp)]:
                self._apply(a, self.does(a, now), stage, now)

    def _sorted(self, here: list[Active], stage: str, now: Layers) -> None:
        """Apply those that wait for nothing but what waits for them, the oldest first; look again after each."""
        left = list(here)
        while left:
            waits = {a.key: self._depends(a, left, now) for a in left}
            ready = [a for a in left if all(a.key in _reach(k, waits) for k in _reach(a.key, waits))]
            first = ready[0]
            self._apply(first, self.does(first, now), stage, now)
            left.remove(first)

    def _depends(self, a: Active, others: list[Active], now: Layers) -> set[str]:
        """Return the keys of effects that, applied now, would change what this one does."""
        does = self.does(a, now)
        return {b.key for b in others if b is not a and self.does(a, self._after(b, now)) != does}

    def _moves(self, a: Active, at: int, now: Layers) -> str | None:
        """Return the last stage, from its own on, that has another effect which would change what this one does."""
        does, found = self.does(a, now), None
        for stage in self.stages[at:]:
            for b in self.group:
                if b is not a and _stage(b) == stage and self.does(a, self._after(b, now)) != does:
                    found = stage
        return found

    def _after(self, b: Active, now: Layers) -> Layers:
        tried = now.copy()
        self._apply(b, self.does(b, tried), _stage(b), tried)
        return tried

    def does(self, a: Active, now: Layers) -> Does:
        """Return what an effect would do now."""
        if not a.lasting and a.source in now.mute:
            return {}
        scope = Scope(self.position, self.ruleset, a.bindings, now.table, now.types)
        effect = a.modifier
        assert isinstance(effect, Modifier | Grant)
        if effect.while_ is not None and not holds(effect.while_, scope):
            return {}
        found: dict[str, Doing] = {}
        for thing in self.position.things:
            if thing.face != "up" or not self._is_of(a, thing, scope):
                continue
            if isinstance(effect, Grant):
                found[thing.id] = effect
            elif (thing.id, effect.modify) in now.table and not self._beaten(a, thing, now):
                asked = effect.amount
                amount = asked if isinstance(asked, int) else number(asked, scope.bind(subject=thing.id))
                if amount is not None:
                    found[thing.id] = amount
        return found

    def _is_of(self, a: Active, thing: Thing, scope: Scope) -> bool:
        of = a.modifier.of if isinstance(a.modifier, Modifier | Grant) else None
        if of is None and isinstance(a.modifier, Grant):
            of = Ref("on" if a.lasting else "self")
        return isinstance(of, Ref | Selector) and matches(of, thing, scope)

    def _beaten(self, a: Active, thing: Thing, now: Layers) -> bool:
        """Tell whether one laid later on this object sets the same number: 513.1."""
        effect = a.modifier
        assert isinstance(effect, Modifier)
        if self.ruleset.ordering.contradiction != "latest" or effect.operation != "set":
            return False
        return any(
            isinstance(b.modifier, Modifier)
            and (b.modifier.modify, b.modifier.operation) == (effect.modify, "set")
            and since(b, thing, self.position) > since(a, thing, self.position)
            and self._in_force(b, thing, now)
            for b in self.group
            if b is not a
        )

    def _in_force(self, b: Active, thing: Thing, now: Layers) -> bool:
        if not b.lasting and b.source in now.mute:
            return False
        scope = Scope(self.position, self.ruleset, b.bindings, now.table, now.types)
        effect = b.modifier
        assert isinstance(effect, Modifier)
        held = effect.while_ is None or holds(effect.while_, scope)
        return held and self._is_of(b, thing, scope)

    def _apply(self, a: Active, does: Does, stage: str, now: Layers) -> None:
        floor, effect = self.floors[stage], a.modifier
        for id, amount in does.items():
            if isinstance(amount, Grant):
                types = now.types[id] if amount.set_types is None else frozenset(amount.set_types)
                now.types[id] = (types | set(amount.gain_types)) - set(amount.lose_types)
                if amount.no_abilities:
                    now.mute.add(id)
            elif isinstance(effect, Modifier):
                old = now.table[id, effect.modify]
                changed = operate(effect.operation, old, amount)
                changed = changed if floor is None else max(floor, changed)
                if changed <= old or not self._kept_down(a, id, effect.modify, now):
                    now.table[id, effect.modify] = changed

    def _kept_down(self, a: Active, id: str, name: str, now: Layers) -> bool:
        if not self.kept:
            return False
        scope = Scope(self.position, self.ruleset, FrozenMap(), now.table, now.types)
        return barred(self.kept, a, self.position.thing(id), name, scope, now.mute)


def since(a: Active, thing: Thing, position: Position) -> int:
    """Return since when an effect is on an object: as noted, else since both were there."""
    return position.laid.get(f"{a.key} on {thing.id}", max(a.timestamp, thing.timestamp))


def _reach(key: str, waits: Mapping[str, Iterable[str]]) -> set[str]:
    """Return all that one waits for, and what those wait for."""
    found: set[str] = set()
    open_ = list(waits[key])
    while open_:
        at = open_.pop()
        if at not in found:
            found.add(at)
            open_ += waits[at]
    return found


def applied(position: Position, ruleset: Ruleset) -> FrozenMap[str, tuple[str, ...]]:
    """Return on which objects each modifier that sets a number is in force now, by its key."""
    there = [
        a for a in effects(position, ruleset) if isinstance(a.modifier, Modifier) and a.modifier.operation == "set"
    ]
    now = layers(position, ruleset)
    round_ = _Round(there, position, ruleset)
    return FrozenMap(
        {a.key: tuple(thing.id for thing in position.things if round_._in_force(a, thing, now)) for a in there}
    )
