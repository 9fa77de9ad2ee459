"""The model of allocations: how many of each group of equal sources are used for each part.

Sets suffice because order only matters through the stop rule, and that has an exact form without order: a set of
sources can be used one by one, each while still short, iff together they are enough and without the largest they are
not. (Use the largest last: what comes before it is a subset of the rest. Conversely, what was there before the last
one is the total less that one, which is at least the total less the largest.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ortools.sat.python import cp_model

from lawful.model.cost import AssetTerm
from lawful.model.frozen import FrozenMap
from lawful.model.position import Thing
from lawful.model.ruleset import AssetRule
from lawful.solver.encode.acts import done
from lawful.solver.encode.effects import Effects
from lawful.solver.encode.flow import Flow, active
from lawful.solver.encode.frame import Frame
from lawful.solver.encode.joint import Joint
from lawful.solver.encode.literals import Linear, total
from lawful.solver.encode.points import Ask, Kind, Told, kind_of, orders
from lawful.solver.encode.reach import has_changed
from lawful.solver.encode.sources import Candidate, shared, usage

Alike: TypeAlias = Literal["looks", "gain", "none"]


@dataclass(frozen=True, slots=True)
class Group:
    """Equal sources.

    Parameters
    ----------
    members : tuple of Candidate
        In the order of the position. One object that can be used several times is a group of one.
    gain : dict of str to int
        What each gives.
    """

    members: tuple[Candidate, ...]
    gain: dict[str, int]

    @property
    def size(self) -> int:
        """How many uses there are in all."""
        return sum(member.most for member in self.members)

    def points(self, part: AssetRule) -> int:
        """Return what one use gives towards a part."""
        return sum(self.gain.get(asset, 0) for asset in part.accepts)


def looks(thing: Thing) -> tuple[object, ...]:
    """Return all that tells a thing from another copy of the same card, other than which one it is."""
    return (
        thing.card,
        thing.owner,
        thing.controller,
        thing.zone,
        thing.face,
        thing.status,
        thing.counters,
        thing.base,
        thing.relations,
    )


def groups(f: Frame, alone: frozenset[str], alike: Alike = "looks") -> tuple[Group, ...]:
    """Group equal sources; objects that effect-costs may pick stay alone, and so do those used more than once."""
    found: dict[tuple[object, ...], list[Candidate]] = {}
    rivals = {c.thing.id for _, several in shared(f.sources) for c in several}
    for c in f.sources:
        single = alike == "none" or c.most != 1 or c.thing.id in alone or c.thing.id in rivals
        roles = tuple(role for role, _ in c.barred)
        single = single or len(c.touches) > 1 or bool(c.hindered) or bool(c.asks)
        told = (looks(c.thing) if alike == "looks" else (), c.printed, c.into)
        key = (told, c.source, c.gain, f.chains(c), roles, c.thing.id if single else "", c.source if single else "")
        found.setdefault(key, []).append(c)
    return tuple(Group(tuple(m), dict(f.chains(m[0])[0].gain)) for m in found.values())


def _useless(group: Group, part: AssetRule) -> bool:
    """Say whether a rule keeps a group from being used for a part, as it gives nothing towards it.

    What counts is what it would give before any replacement.
    """
    points = group.members[0].points
    return part.useful and sum(points.get(asset, 0) for asset in part.accepts) == 0


class Allocation:
    """The model and its decisions.

    Parameters
    ----------
    f : Frame
        Where the order of sources does not matter.
    alone : frozenset of str
        Ids of objects that are not to be merged with equal ones.
    alike : {"looks", "gain", "none"}
        Which sources make one group: copies of one card in one state, or all that give the same, or none.
    claimed : mapping of str to int
        How often somebody says that an object is used, whatever the rules say.
    required : bool
        Whether parts that are paid at once have to be paid.
    told : {"cells", "numbers", "sets", "shares"}
        What is told apart of parts that are paid at once.

    Attributes
    ----------
    used : dict of (int, int) to IntVar
        Uses of a group (by its index) for a part (by its index).
    """

    def __init__(
        self,
        f: Frame,
        alike: Alike = "looks",
        claimed: Mapping[str, int] = FrozenMap(),
        required: bool = True,
        alone: frozenset[str] = frozenset(),
        told: Told = "cells",
    ) -> None:
        self.f, self.claimed, self.required = f, claimed, required
        self.effects = Effects(f)
        self.groups = groups(f, self.effects.touched | frozenset(claimed) | alone, alike)
        self.used: dict[tuple[int, int], cp_model.IntVar] = {
            (g, k): f.cp.new_int_var(0, self._most_for(group, part), f"{group.members[0].thing.id} for {part.id}")
            for g, group in enumerate(self.groups)
            for k, part in enumerate(f.parts)
        }
        self.joint = None
        if f.joint is not None:
            self.joint = Joint(f, required, self._asks(), told, orders(self._asking(), f.question.ruleset))
        self.flow = Flow(f, self._gained, self.joint)
        if self.joint is not None and told == "shares":
            self.joint.share(self._purses(self.joint))
        self._build()

    def _most(self, group: Group) -> int:
        """Return how often a group could be used, or is said to be."""
        return max(group.size, *(self.claimed.get(member.thing.id, 0) for member in group.members))

    def _most_for(self, group: Group, part: AssetRule) -> int:
        """Return how often it could be used for a part: not at all where a rule that cannot be dropped says so."""
        return 0 if self._idle(group, part) else self._most(group)

    def _idle(self, group: Group, part: AssetRule) -> bool:
        return _useless(group, part) and self.f.literals.holds(f"useful.{part.id}".rstrip("."))

    def _gained(self, asset: str, k: int) -> Linear:
        return total(
            group.gain[asset] * self.used[g, k] for g, group in enumerate(self.groups) if group.gain.get(asset)
        )

    def _build(self) -> None:
        self._use_each_once()
        self._barred()
        for k, part in enumerate(self.f.parts):
            self._useful(k, part)
            self._when(k, part)
            if k != self.f.joint:
                self.flow.enough(k)
        if self.joint is not None:
            self.joint.build(self._supply(self.joint), tuple(c.thing.id for c in self.f.sources if not c.barred))
        self.flow.surplus()
        self.effects.build(self._uses(), changed=self.changes)

    def _asking(self) -> list[Candidate]:
        """Return the sources that cost assets."""
        return [group.members[0] for group in self.groups if group.members[0].asks]

    def _asks(self) -> tuple[Ask, ...]:
        """Return what sources cost in assets; it is paid at the same time, by points of others."""
        return tuple(
            Ask(c.use, AssetTerm(asset, n), n * self._times(g), n * self._most(self.groups[g]), self.f.sources.index(c))
            for g, c in ((self._group_of(c), c) for c in self._asking())
            for asset, n in c.asks
        )

    def _supply(self, joint: Joint) -> dict[Kind, Linear]:
        """Return the points at hand for parts that are paid at once, by kind."""
        k = self.f.joint
        assert k is not None
        supply: dict[Kind, Linear] = {Kind(asset): self.flow.pool(asset, k) for asset in joint.common}
        tells = any(demand.term.printed for demand in self.f.demands)
        for g, group in enumerate(self.groups):
            one = group.members[0]
            for asset, n in group.gain.items():
                if asset in joint.common:
                    kind = kind_of(one, asset, tells)
                    supply[kind] = supply.get(kind, 0) + n * self.used[g, k]
        return {kind: n for kind, n in supply.items() if not _is_none(n)}

    def _purses(self, joint: Joint) -> dict[tuple[int, str], tuple[Kind, Linear, int]]:
        """Return the points of every group for parts that are paid at once; group -1 is what floated."""
        k = self.f.joint
        assert k is not None
        floating = {asset: self.flow.pool(asset, k) for asset in joint.common}
        found = {(-1, a): (Kind(a), n, self.f.supply[a]) for a, n in floating.items() if not _is_none(n)}
        tells = any(demand.term.printed for demand in self.f.demands)
        for g, group in enumerate(self.groups):
            for asset, n in group.gain.items():
                if asset in joint.common and n:
                    kind = kind_of(group.members[0], asset, tells)
                    found[g, asset] = (kind, n * self.used[g, k], n * self._most(group))
        return found

    def _uses(self) -> dict[str, list[tuple[Candidate, Linear]]]:
        """Uses of every object that effect-costs touch, one entry for each of its sources."""
        uses: dict[str, list[tuple[Candidate, Linear]]] = {}
        for g, group in enumerate(self.groups):
            member = group.members[0]
            for id in member.touches:
                if id in self.effects.touched:
                    uses.setdefault(id, []).append((member, self._times(g)))
        return uses

    def _times(self, g: int) -> Linear:
        """Return how often a group is used, for whichever parts."""
        return total(self.used[g, k] for k in range(len(self.f.parts)))

    def _use_each_once(self) -> None:
        """A source is used as often as there are objects, for whichever parts."""
        for g, group in enumerate(self.groups):
            enough = self.f.cp.add(self._times(g) <= group.size)
            if self._most(group) > group.size:
                enough.only_enforce_if(self.f.literals.rule("once", about=(group.members[0].thing.id,)))
        for id, rivals in shared(self.f.sources):
            uses = [self._times(self._group_of(c)) for c in rivals]
            rows = [counts for counts, _ in usage(self.f.question, rivals, id)]
            together = self.f.cp.add_allowed_assignments(uses, rows)
            if self.f.literals.mode != "hold" or self.f.literals.releases("once"):
                together.only_enforce_if(self.f.literals.rule("once", about=tuple(c.thing.id for c in rivals)))
        for g, group in enumerate(self.groups):
            self._in_full(g, group.members[0])

    def _in_full(self, g: int, candidate: Candidate) -> None:
        """What has to be done in full is done only if what would prevent it changes in this payment."""
        for _, holders in candidate.hindered:
            for id in holders:
                some = self.f.cp.new_bool_var(f"{candidate.thing.id} is used in full")
                self.f.cp.add(self._times(g) >= 1).only_enforce_if(some)
                self.f.cp.add(self._times(g) <= 0).only_enforce_if(some.negated())
                rule = self.f.literals.rule("full", about=(candidate.thing.id, id), what=candidate.thing.id)
                self.f.cp.add(self.changes(id) >= 1).only_enforce_if(some, rule)

    def changes(self, id: str) -> Linear:
        """Return how often something is done in this payment that makes an object leave, turn or be exhausted."""
        before = self.effects.look.position.thing(id)
        found: Linear = self.effects.changes(id)
        for g, group in enumerate(self.groups):
            one = group.members[0]
            for touched, act in one.acts:
                after = done(self.f.question, act, before, self.effects.look, one.user)
                if touched == id and after is not None and has_changed(before, after):
                    found = found + self._times(g)
        return found

    def _group_of(self, candidate: Candidate) -> int:
        return next(g for g, group in enumerate(self.groups) if candidate in group.members)

    def _barred(self) -> None:
        """A source that a rule bars is not used."""
        for g, group in enumerate(self.groups):
            for role, _ in group.members[0].barred:
                about = tuple(sorted({id for m in group.members for r, ids in m.barred if r == role for id in ids}))
                rule = self.f.literals.rule(role, about=about, what=group.members[0].thing.id)
                for k in range(len(self.f.parts)):
                    self.f.cp.add(self.used[g, k] == 0).only_enforce_if(rule)

    def _useful(self, k: int, part: AssetRule) -> None:
        """Only a source that gives an accepted asset is used for a part."""
        if not part.useful:
            return
        rule = self.f.literals.rule(f"useful.{part.id}".rstrip("."), asset=self._named(k))
        for g, group in enumerate(self.groups):
            if _useless(group, part) and not self._idle(group, part):
                self.f.cp.add(self.used[g, k] == 0).only_enforce_if(rule)

    def _named(self, k: int) -> str:
        """Return the asset that a message about a part names: of parts that are paid at once the first."""
        return self.f.demands[0].term.asset if k == self.f.joint else self.f.parts[k].id

    def _when(self, k: int, part: AssetRule) -> None:
        """When a source may be used for a part."""
        cp, literals = self.f.cp, self.f.literals
        due = None
        if self.joint is not None and k == self.f.joint:
            due = self.joint.due
        if part.generate == "never":
            rule = literals.rule(f"generate.{part.id}".rstrip("."), asset=self._named(k))
            for g in range(len(self.groups)):
                cp.add(self.used[g, k] == 0).only_enforce_if(rule)
        elif part.generate == "freely":
            due = active(self.f, k) if due is None else due
            rule = literals.rule(f"stop.{part.id}".rstrip("."), asset=self._named(k))
            for g in range(len(self.groups)):
                cp.add(self.used[g, k] == 0).only_enforce_if(rule, due.negated())
        else:
            self._stop(k, part)

    def _stop(self, k: int, part: AssetRule) -> None:
        """While short: the total without the largest source used is less than the amount due."""
        f, cp = self.f, self.f.cp
        by_points: dict[int, list[cp_model.IntVar]] = {}
        for g, group in enumerate(self.groups):
            if not self._idle(group, part):
                by_points.setdefault(group.points(part), []).append(self.used[g, k])
        held = self.flow.before(k) + total(
            points * total(variables) for points, variables in by_points.items() if points
        )
        rule = f.literals.rule(f"stop.{part.id}", asset=part.id)
        larger: cp_model.IntVar | None = None
        for points in sorted(by_points, reverse=True):
            some = self._some(by_points[points], larger, f"{part.id} uses {points} or more")
            short = cp.add(held - points <= self.flow.paid(k) - 1)
            # If nothing larger is used, the largest gives `points` or less.
            short.only_enforce_if(rule, some, *([] if larger is None else [larger.negated()]))
            larger = some

    def _some(self, variables: Sequence[cp_model.IntVar], larger: cp_model.IntVar | None, name: str) -> cp_model.IntVar:
        """Return the literal of "one of these is used, or a larger one"."""
        cp = self.f.cp
        some = cp.new_bool_var(name)
        uses = total(variables) + (0 if larger is None else larger)
        cp.add(uses >= 1).only_enforce_if(some)
        cp.add(uses <= 0).only_enforce_if(some.negated())
        return some


def _is_none(n: Linear) -> bool:
    return isinstance(n, int) and n == 0
