"""Is this declaration legal: the verdict, who may be chosen, how many choices there are, and why not the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property

from lawful.model.declaration import Declaration, Question
from lawful.model.errors import BadInput, Fault, LimitReached
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Clock, Limits
from lawful.model.payment import Payment
from lawful.model.priced import x_in_cost, x_to_pay
from lawful.model.slots import plain_text, refers
from lawful.model.verdict import Reason
from lawful.solver.ask import each_solution, feasible
from lawful.solver.bound import Keys, Uncertified, bind, largest_sets
from lawful.solver.checks import Checked, Slotted
from lawful.solver.choices import End, Met, Tally
from lawful.solver.encode.allocation import Allocation
from lawful.solver.encode.declaring import Bound, Joint, due_by, due_keys, joint, largest_x, marks_of, paying
from lawful.solver.encode.literals import Mode, total
from lawful.solver.encode.scene import Choice, Scene, scenes
from lawful.solver.encode.steady import unsteady
from lawful.solver.families import Families
from lawful.solver.grounds import Grounds
from lawful.solver.lines import Lines
from lawful.solver.orders import Orders, read_sequence
from lawful.solver.playing import Player
from lawful.solver.purse import Played, Purse
from lawful.solver.ways import OF_MODELS

MANY_CLASHES = 30


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
    player : Player, optional
        Plays payments out where the models are not exact.
    prove : bool
        Whether CP-SAT proves how many requirements can be obeyed together.
    """

    question: Question
    limits: Limits = field(default_factory=Limits)
    released: Set[str] = frozenset()
    oblige: Keys | None = None

    player: Player | None = None
    prove: bool = True

    def __post_init__(self) -> None:
        """Lay out scenes, rows and what paying must know.

        Raises
        ------
        LimitReached
            If payments would have to be played out, and there is nobody to do it.
        """
        self.clock = Clock(self.limits.seconds)
        self._model: Joint | None = None
        self.solves = 0
        why = self._changing()
        if why is None:
            try:
                self._lay(largest_x(self.question, self.limits))
                self.purse = Purse(
                    self.question, self.marks, self.released, self.limits, self.setting, self.scenes, self.clock
                )
                if not self.purse.free:
                    self.purse.model  # noqa: B018  # it says whether there is one
                return
            except LimitReached as limit:
                if limit.limit not in OF_MODELS:
                    raise
                why = str(limit)
        if self.player is None:
            raise LimitReached("changes while paying", 0, f"a declaration is not judged where {why}")
        paid_x = x_in_cost(self.question) and self.question.declaration.x is None
        self._lay(max(self.player.xs(paying(self.question)), default=0) if paid_x else 0)
        self.purse = Played(
            self.question, self.marks, self.released, self.limits, self.setting, self.scenes, self.clock, self.player
        )  # fmt: skip

    def _meant(self) -> None:
        """Refuse what nobody can read: "the opponent" where there are several.

        Raises
        ------
        BadInput
            If a text or a norm says so.
        """
        position, rules = self.question.position, self.question.ruleset
        texts = [position.card(thing).abilities for thing in position.things]
        laid = [effect.modifier for effect in position.lasting]
        if len(position.players) != 2 and "opponent" in refers(
            (plain_text(self.question), *texts, *laid, *rules.norms)
        ):
            hint = "name the players whom the text means"
            raise BadInput([Fault("$opponent stands for nobody here: there is not one other player", hint=hint)])

    def _changing(self) -> str | None:
        """Say what paying may change of what is read, with any modes; None where nothing."""
        if self.question.declaration.resolving:
            return None
        asked = paying(self.question)
        by_modes = {None if key is None else key[0]: key for key in reversed(list(due_keys(self.question)))}
        return next((why for key in by_modes.values() if (why := unsteady(due_by(asked, key))) is not None), None)

    def _lay(self, most_x: int) -> None:
        self._meant()
        self.most_x = most_x
        self.setting, self.scenes = scenes(self.question, self.most_x, self.released)
        self.marks = marks_of(self.question, self.scenes)
        self.bounds = tuple(self._bounds())

    @property
    def left(self) -> Limits:
        """The limits, with the time that is left of the answer."""
        return self.clock.limits(self.limits)

    @property
    def played(self) -> bool:
        """Whether payments are played out: the models then are of what is chosen alone."""
        return isinstance(self.purse, Played)

    def _bounds(self) -> Iterator[Bound]:
        norming = self.question.ruleset.norming
        for scene in self.scenes:
            oblige = self.oblige
            if oblige is not None:
                readings = largest_sets(scene, scene.rows, self.limits)
                if len(readings) == 1:  # here the rules leave nothing open
                    oblige = readings[0]
                elif readings and oblige not in readings:
                    continue
            yield bind(
                self.question, scene, norming, released=self.released, limits=self.limits, oblige=oblige,
                prove=self.prove,
            )  # fmt: skip

    @property
    def model(self) -> Joint:
        """The joint model, in which every rule holds."""
        if self._model is None:
            self._model = self.joint("hold")
        return self._model

    def joint(self, mode: Mode, bounds: Sequence[Bound] | None = None) -> Joint:
        """Return a joint model; of what is chosen alone, where payments are played out."""
        bounds = self.bounds if bounds is None else bounds
        asked, marks = self.question, self.marks
        if self.played:
            asked, marks = replace(asked, declaration=replace(asked.declaration, resolving=True)), {}
        setting = None if self.played else self.setting
        return joint(asked, bounds, marks, mode=mode, released=self.released, limits=self.limits, setting=setting)

    def ending(self, bound: Bound, marks: frozenset[object]) -> Joint:
        """Return the model of the choices of one scene that end with these marks and no others."""
        model = self.joint("hold", [bound])
        for mark in {m for found in self.marks.values() for m in found}:
            made = total(model.t[c] for c, found in sorted(self.marks.items()) if mark in found and c in model.t)
            model.cp.add(made >= 1 if mark in marks else made == 0)
        return model

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
            if limit.limit != "states" or self.played:
                raise
            count = None
        found = self._witness_played() if self.played else self._witness()
        if count is not None and (count > 0) != (found is not None):
            raise Uncertified(f"{count} choices were counted; CP-SAT finds {'one' if found else 'none'}")
        if found is None:
            return Checked(False, count)
        return Checked(True, count, *found)

    def ends(self) -> Iterator[tuple[Bound, End]]:
        """Yield what the choices that can be paid for end with, scene by scene."""
        for bound in self.bounds:
            for end in self.tally(bound).ends():
                if self.affords(end.marks, bound):
                    yield bound, end

    def _witness_played(self) -> tuple[Declaration, Payment] | None:
        """Return a complete choice by CP-SAT, with a payment that was played."""
        assert isinstance(self.purse, Played)
        for bound, end in self.ends():
            model = self.ending(bound, end.marks)
            chosen = list(model.t.items())
            taken: list[tuple[int, ...]] = []
            self.solves += 1
            each_solution(model.cp, [v for _, v in chosen], taken.append, seconds=self.clock.left, most=1)
            if not taken:
                raise Uncertified("choices were counted; CP-SAT finds none")
            made = {choice: n for (choice, _), n in zip(chosen, taken[0], strict=True)}
            payment = self.purse.payment(end.marks, self.paid_x(bound), self.setting.due(bound.scene))
            assert payment is not None
            return self.declared(bound.scene, made, payment)
        return None

    def count(self) -> int:
        """Return the number of complete choices that can be paid for."""
        return sum(end.count for _, end in self.ends())

    def affords(self, marks: frozenset[object], bound: Bound) -> bool:
        """Say whether a choice with these marks can be paid for."""
        self.clock.check("whether choices can be paid for")
        return self.purse.affords(marks, self.paid_x(bound), self.setting.due(bound.scene))

    def paid_x(self, bound: Bound) -> int | None:
        """Return the X that a scene is paid for with; None where it is open or no cost has it."""
        return bound.scene.x if self.setting.paid_x else None

    def tally(self, bound: Bound) -> Tally:
        """Return what counts the choices of a scene."""
        met = Met(*bound.met) if bound.met is not None and "must" not in self.released else None
        return Tally(bound.scene, bound.rows, met, self.marks)

    def possible(self, forced: Mapping[Choice, int]) -> bool:
        """Say whether some complete choice with these choices is legal and can be paid for."""
        return any(
            self.affords(end.marks, bound)
            for bound in self.bounds
            if all(choice in self._here(bound.scene) for choice in forced)
            for end in self.tally(bound).ends(forced)
        )

    def _here(self, scene: Scene) -> frozenset[Choice]:
        return frozenset(scene.choices)

    def _witness(self) -> tuple[Declaration, Payment] | None:
        model = self.model
        self.solves += 1
        if feasible(model.cp, seconds=self.clock.left) == "infeasible":
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
            each_solution(model.cp, keys, taken.append, seconds=self.clock.left, most=1)
            if not taken:
                return None
            families.take(taken[0][: len(families.keys)])
            _, payment, _, _ = next(Lines(families).lines("sources", False))
        else:
            assert model.payment is not None
            orders = Orders(model.payment)
            keys = [*orders.keys, *extra]
            each_solution(model.cp, keys, taken.append, seconds=self.clock.left, most=1)
            if not taken:
                return None
            payment, _ = read_sequence(orders, taken[0][: len(orders.keys)])
        values = taken[0][-len(extra) :]
        made = {choice: n for (choice, _), n in zip(chosen, values, strict=False)}
        scene = model.bounds[values[len(chosen) :].index(1)].scene
        return self.declared(scene, made, payment)

    def declared(self, scene: Scene, made: Mapping[Choice, int], payment: Payment) -> tuple[Declaration, Payment]:
        """Return a complete declaration with its payment; an X that only the text has is the scene's, paid alike."""
        targets = {seat.name: tuple(id for id in seat.choices if made.get((seat.name, id))) for seat in scene.seats}
        paid = payment.x if self.setting.paid_x else None
        complete = replace(
            self.question.declaration, modes=scene.modes, x=scene.x if paid is None else paid,
            targets=FrozenMap(targets), options=payment.options,
        )  # fmt: skip
        if payment.x is None or self.setting.paid_x:
            return complete, payment
        return complete, replace(payment, x=x_to_pay(replace(self.question, declaration=complete)))

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
        # Requirements can be met whatever is declared, so their number is the one that is proved already.
        return Checker(question, self.limits, self.released, self.oblige, self.player, prove=False)

    def slot(self, name: str) -> Slotted:
        """Return who may be chosen for one slot, and why the others may not."""
        checker = self.opened(name)
        grounds = self.grounds if checker is self else Grounds(checker)
        grounds.family({}, MANY_CLASHES)  # what forbids all choices forbids each
        legal: list[str] = []
        refused: dict[str, tuple[Reason, ...]] = {}
        alike: dict[object, tuple[bool, tuple[frozenset[int], ...]]] = {}
        for id in checker.setting.candidates:
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
        return [id for id in said if id not in self.setting.candidates]

    def looks(self, choice: Choice) -> object:
        """Return all that tells a choice from an equal one for the same slot."""
        found: list[object] = [choice[0], self.marks.get(choice)]
        for bound in self.bounds:
            rows = bound.rows
            demands = bound.met[0] if bound.met is not None else ()
            alone = frozenset(row.label for row in rows if row.hi == 0 and choice in row.of)
            shared = frozenset((i, r.weight(choice)) for i, r in enumerate(rows) if r.hi != 0 and choice in r.of)
            found.append((alone, shared, frozenset(d.key for d in demands if choice in d.of)))
        return tuple(found)


def readings_of(question: Question, limits: Limits = Limits(), player: Player | None = None) -> tuple[Keys, ...]:
    """Return the readings of a declaration under rules that do not say which requirements bind.

    Parameters
    ----------
    question : Question
        What is declared.
    limits : Limits
        What it may cost.
    player : Player, optional
        Plays payments out where the models are not exact.

    Returns
    -------
    tuple of frozenset of keys
        The sets of requirements, each a reading; empty where the rules do say, or there are no requirements.
    """
    if question.ruleset.norming.must != "maximal":
        return ()
    found = Checker(question, limits, player=player).scenes
    if not any(scene.demands for scene in found):
        return ()
    sets = [largest_sets(scene, scene.rows, limits) for scene in found if scene.demands]
    # Modes and X with which nothing is left open are the same in every reading.
    every = dict.fromkeys(keys for some in sets if len(some) > 1 for keys in some)
    return tuple(every) or next((some for some in sets if some), (frozenset(),))
