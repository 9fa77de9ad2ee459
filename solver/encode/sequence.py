"""The model of sequences: which source stands at which place of the order, and for which part.

It is needed where order matters (what a source gives may be replaced, and the replacement is used up), where orders
are asked for, and where one given payment is judged in the order given.
"""

from __future__ import annotations

from collections.abc import Sequence as Several
from dataclasses import dataclass

from ortools.sat.python import cp_model

from lawful.model.errors import LimitReached
from lawful.model.position import Thing
from lawful.model.ruleset import AssetRule
from lawful.solver.encode.effects import Effects
from lawful.solver.encode.flow import Flow, active
from lawful.solver.encode.frame import Frame
from lawful.solver.encode.literals import Linear, total
from lawful.solver.encode.replacing import Chain
from lawful.solver.encode.sources import Candidate, shared, usage

MANY_PLACES = 9


@dataclass(frozen=True, slots=True)
class Option:
    """One use of a source, with the replacements that apply to its gain."""

    candidate: Candidate
    chain: Chain

    def points(self, part: AssetRule) -> int:
        """Return what it gives towards a part, before replacements."""
        gain = self.candidate.points
        return sum(gain.get(asset, 0) for asset in part.accepts)


@dataclass(frozen=True, slots=True)
class Slot:
    """What may stand at one place: which options, for which parts (by index), and whether it may stay empty."""

    options: tuple[Option, ...]
    parts: tuple[int, ...]
    empty: bool


class Sequence:
    """The model and its decisions.

    Parameters
    ----------
    f : Frame
        The frame.
    slots : sequence of Slot
        The places, in order; used ones come first.

    Attributes
    ----------
    at : dict of (int, int, int) to BoolVar
        Whether option `o` of slot `t` is used for part `k`.
    """

    def __init__(self, f: Frame, slots: Several[Slot]) -> None:
        self.f = f
        self.slots = tuple(slots)
        self.effects = Effects(f)
        self.at: dict[tuple[int, int, int], cp_model.IntVar] = {
            (t, o, k): f.cp.new_bool_var(f"{t}: {option.candidate.thing.id} for {f.parts[k].id}")
            for t, slot in enumerate(self.slots)
            for o, option in enumerate(slot.options)
            for k in slot.parts
        }
        self._in: dict[tuple[int, int], cp_model.IntVar] = {}
        self.flow = Flow(f, self._gained)
        self._build()

    def _gained(self, asset: str, k: int) -> Linear:
        return self._gained_until(asset, k, len(self.slots))

    def _gained_until(self, asset: str, k: int, end: int) -> Linear:
        """Points of an asset gained for part `k` before place `end`."""
        return total(
            dict(self.slots[t].options[o].chain.gain).get(asset, 0) * variable
            for (t, o, j), variable in self.at.items()
            if j == k and t < end and dict(self.slots[t].options[o].chain.gain).get(asset)
        )

    def uses(self, candidate: Candidate) -> Linear:
        """Return how often a source is used."""
        return total(v for (t, o, _), v in self.at.items() if self.slots[t].options[o].candidate == candidate)

    def _build(self) -> None:
        self._places()
        self._use_each_once()
        self._barred()
        self._replaced()
        self._in_order()
        for k, part in enumerate(self.f.parts):
            self._useful(k, part)
            self._when(k, part)
        self.flow.surplus()
        touched = [c for c in self.f.sources if c.thing.id in self.effects.touched]
        uses: dict[str, list[tuple[Candidate, Linear]]] = {}
        for c in touched:
            uses.setdefault(c.thing.id, []).append((c, self.uses(c)))
        gone: dict[str, tuple[Thing, Linear]] = {}
        for effect in self.f.effects:
            if effect.gone is not None:
                done = total(v for (t, o, _), v in self.at.items() if effect in self.slots[t].options[o].chain.replaced)
                gone[effect.thing] = (effect.gone, done)
        self.effects.build(uses, gone)

    def enough(self) -> None:
        """Every part is paid out of what is held for it."""
        for k in range(len(self.f.parts)):
            self.flow.enough(k)

    def _places(self) -> None:
        """One use at a place; used places come first."""
        cp = self.f.cp
        for t, slot in enumerate(self.slots):
            here = [v for (s, _, _), v in self.at.items() if s == t]
            for k in slot.parts:
                mine = [v for (s, _, j), v in self.at.items() if s == t and j == k]
                self._in[t, k] = cp.new_bool_var(f"place {t} is for {self.f.parts[k].id}")
                cp.add(total(mine) == self._in[t, k])
            if slot.empty:
                cp.add_at_most_one(here)
            else:
                cp.add_exactly_one(here)
            if t and slot.empty:
                before = [v for (s, _, _), v in self.at.items() if s == t - 1]
                cp.add(total(here) <= total(before))

    def inside(self, t: int, k: int) -> cp_model.IntVar | None:
        """Return the literal of "place `t` is used for part `k`", or None where it cannot be."""
        return self._in.get((t, k))

    def _use_each_once(self) -> None:
        """A source is used as often as its own cost can be paid."""
        f, cp = self.f, self.f.cp
        for candidate in f.sources:
            rule = f.literals.rule("once", about=(candidate.thing.id,))
            cp.add(self.uses(candidate) <= candidate.most).only_enforce_if(rule)
        for id, several in shared(f.sources):
            rows = [counts for counts, _ in usage(f.question, several, id)]
            rule = f.literals.rule("once", about=(several[0].thing.id,))
            cp.add_allowed_assignments([self.uses(c) for c in several], rows).only_enforce_if(rule)

    def _barred(self) -> None:
        """A source that a rule bars is not used."""
        for candidate in self.f.sources:
            for role, about in candidate.barred:
                rule = self.f.literals.rule(role, about=about, what=candidate.thing.id)
                self.f.cp.add(self.uses(candidate) == 0).only_enforce_if(rule)

    def _replaced(self) -> None:
        """A replacement that goes away replaces once; one that is still there must apply."""
        f, cp = self.f, self.f.cp
        rule = f.literals.rule("replacement")
        for effect in f.effects:
            with_it = [(t, v) for (t, o, _), v in self.at.items() if effect in self.slots[t].options[o].chain.replaced]
            if effect.goes and with_it:
                cp.add(total(v for _, v in with_it) <= 1).only_enforce_if(rule)
            for (t, o, _), variable in self.at.items():
                if effect in self.slots[t].options[o].chain.absent:
                    gone = total(v for s, v in with_it if s < t)
                    cp.add(gone >= 1).only_enforce_if(rule, variable)

    def _in_order(self) -> None:
        """Parts are paid in the order of their phases, each in full before the next."""
        cp = self.f.cp
        rule = self.f.literals.rule("order")
        for t in range(1, len(self.slots)):
            for k in self.slots[t].parts:
                for j in self.slots[t - 1].parts:
                    if j > k:
                        cp.add_bool_or(self._in[t, k].negated(), self._in[t - 1, j].negated()).only_enforce_if(rule)

    def _useful(self, k: int, part: AssetRule) -> None:
        """Only a source that gives an accepted asset is used for a part."""
        if not part.useful:
            return
        rule = self.f.literals.rule(f"useful.{part.id}", asset=part.id)
        for (t, o, j), variable in self.at.items():
            if j == k and self.slots[t].options[o].points(part) == 0:
                self.f.cp.add(variable == 0).only_enforce_if(rule)

    def _when(self, k: int, part: AssetRule) -> None:
        """When a source may be used for a part."""
        f, cp = self.f, self.f.cp
        places = [(t, self._in[t, k]) for t in range(len(self.slots)) if (t, k) in self._in]
        if part.generate == "never":
            rule = f.literals.rule(f"generate.{part.id}", asset=part.id)
            for _, here in places:
                cp.add(here == 0).only_enforce_if(rule)
            return
        rule = f.literals.rule(f"stop.{part.id}", asset=part.id)
        if part.generate == "freely":
            due = active(f, k)
            for _, here in places:
                cp.add(here == 0).only_enforce_if(rule, due.negated())
            return
        before = self.flow.before(k)
        for t, here in places:
            held = before + total(self._gained_until(asset, k, t) for asset in part.accepts)
            cp.add(held <= self.flow.paid(k) - 1).only_enforce_if(rule, here)


def free_order(f: Frame) -> Sequence:
    """Return the model in which any source may stand at any place.

    Raises
    ------
    LimitReached
        If there are more places than orders can be looked at.
    """
    places = sum(c.most for c in f.sources if not c.barred)
    if places > MANY_PLACES:
        raise LimitReached("sources where their order matters", MANY_PLACES, f"the position has {places}")
    options = tuple(Option(c, chain) for c in f.sources for chain in f.chains(c))
    model = Sequence(f, [Slot(options, tuple(range(len(f.parts))), True)] * places)
    model.enough()
    return model
