"""Hands and pools as variables: the smallest states in which a cost can be paid, all of them.

More cards in hand and more points floating never make a payable cost unpayable, as long as no surplus is forbidden and
nothing counts what lies there. So the payable states are those above one of the smallest, and a question about all
states is one about a few.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ortools.sat.python import cp_model

from lawful.model.declaration import Question
from lawful.model.errors import LimitReached
from lawful.model.expression import Count
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.solver.ask import least
from lawful.solver.encode.allocation import Allocation
from lawful.solver.encode.declaring import paying
from lawful.solver.encode.frame import frame
from lawful.solver.encode.literals import Linear, total
from lawful.solver.encode.steady import unsteady
from lawful.solver.stress.terms import said

MOST_STATES = 60


@dataclass(frozen=True, slots=True)
class State:
    """A hand and a pool.

    Parameters
    ----------
    used : mapping of str to int
        By the name of a card, how many copies.
    floating : mapping of str to int
        Points of each asset.
    """

    used: FrozenMap[str, int]
    floating: FrozenMap[str, int]

    @property
    def total(self) -> int:
        """Cards and points."""
        return sum(self.used.values()) + sum(self.floating.values())

    def covers(self, other: State) -> bool:
        """Tell whether nothing of the other is more."""
        return all(self.used.get(k, 0) >= n for k, n in other.used.items()) and all(
            self.floating.get(k, 0) >= n for k, n in other.floating.items()
        )


def smallest(
    asked: Question, floats: Sequence[str], limits: Limits, most: Mapping[str, int] = FrozenMap(), bounds: int = 99
) -> tuple[tuple[State, ...], bool]:
    """Return the smallest states in which a cost can be paid, and whether these are all.

    Parameters
    ----------
    asked : Question
        With an ample hand. What it says to float is the least that does.
    floats : sequence of str
        Assets whose floating points are a variable.
    limits : Limits
        What each solve may cost.
    most : mapping of str to int
        The most points of an asset that float.
    bounds : int
        The most points of the others.

    Raises
    ------
    LimitReached
        If the order of sources matters, or something that is read may change while paying.
    """
    model = _modelled(asked, limits)
    f = model.f
    cp = f.cp
    free = {f"floating.{asset}" for asset in floats}
    for label, literal in f.literals.assumed.items():
        if not (label.fact and label.role in free):
            cp.add(literal == 1)
    keys: list[cp_model.IntVar] = []
    names: list[tuple[str, str]] = []
    for card, amount in _spent(asked, model).items():
        variable = cp.new_int_var(0, len(asked.position.things), f"copies of {card}")
        cp.add(variable == amount)
        keys.append(variable)
        names.append(("card", card))
    for asset in floats:
        start = f.start.get(asset, 0)
        if isinstance(start, int):
            continue
        variable = cp.new_int_var(0, min(most.get(asset, bounds), 10_000), f"floating {asset}")
        cp.add(variable == start)
        keys.append(variable)
        names.append(("float", asset))
    found: list[State] = []
    if not keys:
        keys = [cp.new_int_var(0, 0, "nothing")]
        names = [("card", "")]
    while len(found) < MOST_STATES:
        best = least(cp, total(keys), keys, seconds=limits.seconds)
        if best is None:
            return tuple(found), True
        values = dict(zip(names, best[1], strict=True))
        found.append(
            State(
                FrozenMap({name: n for (kind, name), n in values.items() if kind == "card" and n}),
                FrozenMap({name: n for (kind, name), n in values.items() if kind == "float" and n}),
            )
        )
        below = []
        for key, n in zip(keys, best[1], strict=True):
            if n > 0:
                less = cp.new_bool_var("less")
                cp.add(key <= n - 1).only_enforce_if(less)
                below.append(less)
        if not below:
            return tuple(found), True
        cp.add_bool_or(below)
    return tuple(found), False


def _modelled(asked: Question, limits: Limits) -> Allocation:
    why = unsteady(paying(asked))
    if why is not None:
        raise LimitReached("changes while paying", 0, why)
    f = frame(paying(asked), mode="assume", limits=limits)
    if f.in_order:
        raise LimitReached("replacements", 0, "the order of sources matters")
    model = Allocation(f)
    if model.effects.hides:
        raise LimitReached("chance", 0, "chance picks what is spent")
    return model


def same_model(one: Question, two: Question, limits: Limits) -> bool:
    """Tell whether two questions are the very same model: then they are paid in the same states, however many."""
    mine, other = (_modelled(asked, limits) for asked in (one, two))
    if tuple(mine.f.literals.assumed) != tuple(other.f.literals.assumed):
        return False
    return str(mine.f.cp.proto) == str(other.f.cp.proto)


def _spent(asked: Question, model: Allocation) -> dict[str, Linear]:
    """Return by card how many copies in hand are used as sources, or picked by effect-costs."""
    zones = supply_zones(asked)
    there = {thing.id: thing.card for thing in asked.position.things if thing.zone in zones}
    there.pop(asked.declaration.thing or "", None)
    found: dict[str, Linear] = {}
    for g, group in enumerate(model.groups):
        thing = group.members[0].thing
        if thing.id in there:
            uses = total(model.used[g, k] for k in range(len(model.f.parts)))
            found[thing.card] = found.get(thing.card, 0) + uses
    for (_, id), picked in model.effects.picked.items():
        if id in there:
            found[there[id]] = found.get(there[id], 0) + picked
    return {card: amount for card, amount in found.items() if not isinstance(amount, int)}


def supply_zones(asked: Question) -> frozenset[str]:
    """Return the zones whose objects a state counts: the hand, and where a player's stock lies."""
    return frozenset({asked.ruleset.hand, *(stock.zone for stock in asked.ruleset.stock)})


def at(asked: Question, state: State) -> Question:
    """Return the question in just that state: so many copies of each source, so many points."""
    position = asked.position
    left = dict(state.used)
    kept = []
    player = position.player(asked.declaration.player)
    zones = supply_zones(asked)
    for thing in position.things:
        if thing.id == asked.declaration.thing or thing.zone not in zones:
            kept.append(thing)
        elif left.get(thing.card, 0) > 0:
            left[thing.card] -= 1
            kept.append(thing)
    pool = player.pool
    for asset in asked.ruleset.assets:
        pool = pool.put(asset.id, state.floating.get(asset.id, pool.get(asset.id, 0)))
    after = replace(position, things=tuple(kept)).with_player(replace(player, pool=pool))
    return replace(asked, position=after)


def monotone(asked: Question) -> bool:
    """Tell whether more cards and points never hurt: no surplus may be forbidden where a source gives two."""
    rules = asked.ruleset
    cards = asked.position.cards.values()
    if any(rules.hand in count.of.zone for card in cards for count in said(card, Count)):
        return False  # a text counts what is in hand
    large = any(card.yields and max(card.yields.values()) > 1 for card in cards)
    return not large or all(asset.surplus != "forbidden" for asset in rules.assets)
