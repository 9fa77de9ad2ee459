"""What an act can raise and what it surely lowers, in sums that are never below nothing."""

from __future__ import annotations

from dataclasses import dataclass

from lawful.model.act import Act
from lawful.model.cost import ActTerm, terms
from lawful.model.effect import Source
from lawful.model.position import Position
from lawful.model.ruleset import Ruleset, Verb

FREE = ("choose", "look", "declare", "search")
"""What changes nothing by being done."""


@dataclass(frozen=True, slots=True)
class Tide:
    """What an act does to sums: what it can raise, and what is less by one at least where it has happened."""

    raises: frozenset[str] = frozenset()
    lowers: frozenset[str] = frozenset()


class Tides:
    """What acts do to sums: counters of a kind, points of all pools, objects in play, those there without a status.

    Parameters
    ----------
    rules : Ruleset
        The rules.
    position : Position
        Its cards may be sources that are used to pay.
    """

    def __init__(self, rules: Ruleset, position: Position) -> None:
        self.rules = rules
        self._play = {zone.name for zone in rules.zones if zone.play}
        self._verbs = {verb.name: verb for verb in rules.verbs}
        # What comes into play is without all that it has not yet.
        self._arrives = frozenset({"in play", *(f"not {verb.adds}" for verb in rules.verbs if verb.adds)})
        self._known: dict[Act, Tide] = {}
        printed = [a for card in position.cards.values() for a in card.abilities if isinstance(a, Source)]
        costs = [term.act for s in (*rules.sources, *printed) for term in terms(s.cost) if isinstance(term, ActTerm)]
        # Points that are left over by paying stay in the pool, and what sources cost is done.
        self._pays = frozenset({"pool"}).union(*(self.of(act).raises for act in costs if act.verb != "pay"))

    def of(self, act: Act) -> Tide:
        """Return what an act does."""
        if act not in self._known:
            verb = self._verbs.get(act.verb)
            self._known[act] = self._built_in(act) if verb is None else self._data(act, verb)
        return self._known[act]

    def _built_in(self, act: Act) -> Tide:
        up: frozenset[str] = frozenset()
        down: frozenset[str] = frozenset()
        if act.verb in ("add", "wound"):
            up = frozenset({"counters wounds" if act.verb == "wound" else f"counters {act.what}"})
        elif act.verb in ("remove", "heal"):
            down = frozenset({"counters wounds" if act.verb == "heal" else f"counters {act.what}"})
        elif act.verb == "gain":
            up = frozenset({"pool"})
        elif act.verb == "lose":
            down = frozenset({"pool"})
        elif act.verb == "pay":
            up = self._pays
        elif act.verb == "set" and isinstance(act.what, str) and act.what.startswith("counters."):
            up = frozenset({f"counters {act.what.removeprefix('counters.')}"})
        elif act.verb == "put" or (act.verb in ("move", "play", "draw") and self._goes(act) in self._play):
            up = self._arrives
        return Tide(up, down)

    def _goes(self, act: Act) -> object:
        return self.rules.hand if act.verb == "draw" else act.to

    def _data(self, act: Act, verb: Verb) -> Tide:
        up: set[str] = set()
        down: set[str] = set()
        here = bool(verb.from_) and set(verb.from_) <= self._play
        if verb.puts:
            up.add(f"counters {act.what}")
        elif verb.counters and verb.places is None and verb.joins is None:
            down.add(f"counters {act.what}")  # what places or joins, too, is done where there are none of them
        if verb.places is not None:
            up.add(f"counters {verb.places}")
        if verb.adds and here:
            down.add(f"not {verb.adds}")
        if verb.removes:
            up.add(f"not {verb.removes}")
        if verb.to in self._play:
            up |= self._arrives
        elif verb.to is not None and here:
            down.add("in play")
        return Tide(frozenset(up), frozenset(down - up))
