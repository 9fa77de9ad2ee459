"""Is this declaration legal: the verdict, who may be chosen, how many choices there are, and why not the others."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property

from lawful.model.declaration import Declaration, Question
from lawful.model.effect import Grant, Static
from lawful.model.errors import LawfulError, LimitReached
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.payment import Payment
from lawful.model.verdict import Reason
from lawful.solver.ask import each_solution, feasible
from lawful.solver.bound import Keys, bind, largest_sets
from lawful.solver.choices import Met, Tally
from lawful.solver.encode.allocation import Allocation
from lawful.solver.encode.declaring import Bound, Joint, joint, largest_x, marks_of, paying
from lawful.solver.encode.scene import Choice, Scene, scenes
from lawful.solver.encode.steady import unsteady
from lawful.solver.families import Families
from lawful.solver.grounds import Grounds
from lawful.solver.lines import Lines
from lawful.solver.orders import Orders, read_sequence
from lawful.solver.purse import Purse


class Uncertified(LawfulError):
    """The fast count and CP-SAT do not agree: a bug of ours, never an answer."""


@dataclass(frozen=True, slots=True)
class Slotted:
    """What may be chosen for one slot, the others as declared.

    Parameters
    ----------
    legal : tuple of str
        Objects with which some complete choice is legal, in the order of the position.
    refused : mapping of str to tuple of Reason
        The others, each with its minimal reasons.
    """

    legal: tuple[str, ...]
    refused: FrozenMap[str, tuple[Reason, ...]]


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found under one reading.

    Parameters
    ----------
    legal : bool
        Whether some complete choice is legal and can be paid for.
    count : int, optional
        Complete choices of modes, X and targets; None where there are too many states to count.
    witness : Declaration, optional
        One complete choice.
    payment : Payment, optional
        A payment of it.
    """

    legal: bool
    count: int | None
    witness: Declaration | None = None
    payment: Payment | None = None


def _exact(question: Question) -> None:
    """Refuse where the models are not exact: they read types and abilities as printed, and all before paying.

    Raises
    ------
    LimitReached
        If effects change what objects are, or a payment may change what is read.
    """
    position = question.position
    play = {zone.name for zone in question.ruleset.zones if zone.play}
    there = [t for t in position.things if t.zone in play and t.face == "up"]
    effects = [a.effect for t in there for a in position.card(t).abilities if isinstance(a, Static)]
    if any(isinstance(effect, Grant) for effect in (*effects, *(laid.modifier for laid in position.lasting))):
        what = "a declaration is not judged while effects change the types or the abilities of objects"
        raise LimitReached("changed objects", 0, what)
    if not question.declaration.resolving and (why := unsteady(paying(question))) is not None:
        raise LimitReached("changes while paying", 0, f"a declaration is not judged where {why}")


@dataclass
class Checker:
    """All that is known of one question under one reading.

    Parameters
    ----------
    question : Question
        What is declared; what is left open is open.
    limits : Limits
        What an answer may cost.
    released : set of str
        Roles of rules that do not bind.
    oblige : frozenset of keys, optional
        Which requirements bind, where the rules leave that open.
    """

    question: Question
    limits: Limits = field(default_factory=Limits)
    released: Set[str] = frozenset()
    oblige: Keys | None = None

    def __post_init__(self) -> None:
        """Lay out scenes, rows and what paying must know."""
        self.deadline = time.monotonic() + self.limits.seconds
        _exact(self.question)
        self.most_x = largest_x(self.question, self.limits)
        self.setting, self.scenes = scenes(self.question, self.most_x)
        self.marks = marks_of(self.question, self.scenes)
        self.purse = Purse(self.question, self.marks, self.released, self.limits)
        self.bounds = tuple(self._bounds())
        self._model: Joint | None = None
        self.solves = 0

    def _bounds(self) -> Iterator[Bound]:
        norming = self.question.ruleset.norming
        for scene in self.scenes:
            if self.oblige is not None:
                readings = largest_sets(scene, scene.rows, self.limits)
                if readings and self.oblige not in readings:
                    continue
            yield bind(
                self.question, scene, norming, released=self.released, limits=self.limits, oblige=self.oblige
            )  # fmt: skip

    @property
    def model(self) -> Joint:
        """The joint model, in which every rule holds."""
        if self._model is None:
            self._model = joint(
                self.question, self.bounds, self.marks, released=self.released, limits=self.limits
            )  # fmt: skip
        return self._model

    # --- the verdict

    def verdict(self) -> Checked:
        """Return the verdict: CP-SAT's, with the count where it can be counted.

        Raises
        ------
        LimitReached
            If there was no answer in time.
        Uncertified
            If count and CP-SAT disagree.
        """
        if not self.bounds:
            return Checked(False, 0)
        try:
            count: int | None = self.count()
        except LimitReached as limit:
            if limit.limit != "states":
                raise
            count = None
        found = self._witness()
        if count is not None and (count > 0) != (found is not None):
            raise Uncertified(f"{count} choices were counted; CP-SAT finds {'one' if found else 'none'}")
        if found is None:
            return Checked(False, count)
        return Checked(True, count, *found)

    def count(self) -> int:
        """Return the number of complete choices that can be paid for."""
        return sum(
            end.count for bound in self.bounds for end in self._tally(bound).ends() if self.affords(end.marks, bound)
        )

    def affords(self, marks: frozenset[object], bound: Bound) -> bool:
        """Say whether a choice with these marks can be paid for."""
        return self.purse.affords(marks, bound.scene.x if self.setting.paid_x else None)

    def _tally(self, bound: Bound) -> Tally:
        met = Met(*bound.met) if bound.met is not None and "must" not in self.released else None
        return Tally(bound.scene, bound.rows, met, self.marks)

    def possible(self, forced: Mapping[Choice, int]) -> bool:
        """Say whether some complete choice with these choices is legal and can be paid for."""
        return any(
            self.affords(end.marks, bound)
            for bound in self.bounds
            if all(choice in self._here(bound.scene) for choice in forced)
            for end in self._tally(bound).ends(forced)
        )

    def _here(self, scene: Scene) -> frozenset[Choice]:
        return frozenset(scene.choices)

    def _witness(self) -> tuple[Declaration, Payment] | None:
        model = self.model
        self.solves += 1
        if feasible(model.cp, seconds=self.limits.seconds) == "infeasible":
            return None
        return self.read(model)

    def read(self, model: Joint) -> tuple[Declaration, Payment] | None:
        """Return a solution of the model as a complete declaration with its payment."""
        chosen = list(model.t.items())
        extra = [variable for _, variable in chosen] + list(model.z)
        taken: list[tuple[int, ...]] = []
        payment: Payment
        if isinstance(model.payment, Allocation):
            families = Families(model.payment)
            keys = [*families.keys, *extra]
            each_solution(model.cp, keys, taken.append, seconds=self.limits.seconds, most=1)
            if not taken:
                return None
            families.take(taken[0][: len(families.keys)])
            _, payment, _, _ = next(Lines(families).lines("sources", False))
        else:
            assert model.payment is not None
            orders = Orders(model.payment)
            keys = [*orders.keys, *extra]
            each_solution(model.cp, keys, taken.append, seconds=self.limits.seconds, most=1)
            if not taken:
                return None
            payment, _ = read_sequence(orders, taken[0][: len(orders.keys)])
        values = taken[0][-len(extra) :]
        made = {choice: n for (choice, _), n in zip(chosen, values, strict=False)}
        scene = model.bounds[values[len(chosen) :].index(1)].scene
        return self.declared(scene, made, payment), payment

    def declared(self, scene: Scene, made: Mapping[Choice, int], payment: Payment | None = None) -> Declaration:
        """Return a complete declaration."""
        targets = {
            seat.name: tuple(id for id in seat.choices if made.get((seat.name, id))) for seat in scene.seats
        }  # fmt: skip
        x = scene.x if payment is None or payment.x is None else payment.x
        return replace(
            self.question.declaration,
            modes=scene.modes,
            x=x,
            targets=FrozenMap(targets),
            options=self.question.declaration.options if payment is None else payment.options,
        )

    # --- slots

    @cached_property
    def grounds(self) -> Grounds:
        """The reasons, those of all choices together first: each of them is one against any single choice too."""
        found = Grounds(self)
        found.family({})
        return found

    def slots(self) -> dict[str, Slotted]:
        """Return for every slot who may be chosen, the other slots as declared, and why the others may not."""
        return {name: self.slot(name) for name in self.slot_names()}

    def slot_names(self) -> tuple[str, ...]:
        """Return the names of the slots, of all scenes."""
        return tuple(dict.fromkeys(seat.name for scene in self.scenes for seat in scene.seats))

    def opened(self, slot: str) -> Checker:
        """Return the same question with one slot left open."""
        declaration = self.question.declaration
        if slot not in declaration.targets:
            return self
        targets = {name: ids for name, ids in declaration.targets.items() if name != slot}
        question = replace(self.question, declaration=replace(declaration, targets=FrozenMap(targets)))
        return Checker(question, self.limits, self.released, self.oblige)

    def slot(self, name: str) -> Slotted:
        """Return who may be chosen for one slot, and why the others may not."""
        checker = self.opened(name)
        grounds = checker.grounds
        legal: list[str] = []
        refused: dict[str, tuple[Reason, ...]] = {}
        alike: dict[object, tuple[bool, tuple[frozenset[int], ...]]] = {}
        for id in checker.setting.sight.things:
            choice = (name, id)
            look = checker.looks(choice)
            if look not in alike:
                fits = checker.possible({choice: 1})
                alike[look] = (fits, () if fits else grounds.against({choice: 1}))
            fits, reasons = alike[look]
            if fits:
                legal.append(id)
            else:
                refused[id] = grounds.said(reasons, choice)
        for id in checker.missing(name):
            refused[id] = grounds.said(grounds.against({(name, id): 1}), (name, id))
        return Slotted(tuple(legal), FrozenMap(refused))

    def missing(self, slot: str) -> Sequence[str]:
        """Return what was declared for a slot and is no longer there."""
        said = self.question.declaration.targets.get(slot, ())
        return [id for id in said if id not in self.setting.sight.things]

    def looks(self, choice: Choice) -> object:
        """Return all that tells a choice from an equal one for the same slot."""
        found: list[object] = [choice[0], self.marks.get(choice)]
        for bound in self.bounds:
            rows = bound.rows
            demands = bound.met[0] if bound.met is not None else ()
            alone = frozenset(row.label for row in rows if row.hi == 0 and choice in row.of)
            shared = frozenset(i for i, row in enumerate(rows) if row.hi != 0 and choice in row.of)
            found.append((alone, shared, frozenset(d.key for d in demands if choice in d.of)))
        return tuple(found)


def readings_of(question: Question, limits: Limits = Limits()) -> tuple[Keys, ...]:
    """Return the readings of a declaration under rules that do not say which requirements bind.

    Parameters
    ----------
    question : Question
        What is declared.
    limits : Limits
        What it may cost.

    Returns
    -------
    tuple of frozenset of keys
        The sets of requirements, each a reading; empty where the rules do say, or there are no requirements.
    """
    if question.ruleset.norming.must != "maximal":
        return ()
    _, found = scenes(question, largest_x(question, limits))
    every = [keys for scene in found if scene.demands for keys in largest_sets(scene, scene.rows, limits)]
    if not every and any(scene.demands for scene in found):
        return (frozenset(),)
    if any(not scene.demands for scene in found) and every:
        every.append(frozenset())
    return tuple(dict.fromkeys(every))
