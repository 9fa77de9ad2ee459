"""One model over targets, modes, X and payment together; every rule under a literal with its citation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import combinations, combinations_with_replacement

from ortools.sat.python import cp_model

from lawful.model.cost import CostAll
from lawful.model.declaration import Question
from lawful.model.errors import BadInput
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.priced import modes_paid, targets_cost, to_pay, x_in_cost, x_to_pay
from lawful.model.slots import mode_names, picks, plain_text
from lawful.solver.encode.allocation import Allocation
from lawful.solver.encode.announcing import announced
from lawful.solver.encode.by_target import by_target, is_target
from lawful.solver.encode.due import DueKey, Plan, plans
from lawful.solver.encode.frame import Frame, frame, most_x, within
from lawful.solver.encode.literals import Label, Linear, Literals, Mode, total
from lawful.solver.encode.scene import Choice, Demand, Row, Scene, Setting
from lawful.solver.encode.sequence import Sequence as Order
from lawful.solver.encode.sequence import free_order
from lawful.solver.encode.sources import Candidate, candidates

Marks = Mapping[Choice, frozenset[object]]
SPENT = Label("spent")
PAID = (Plan((), {}, (), {}),)
"""What is due of a text that resolves: it was paid for before, with all that others add to its cost."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A scene with all the rows that bind in it, those of requirements included.

    Parameters
    ----------
    met : pair of Demands and int, optional
        So many of these requirements must be met.
    proved : int, optional
        How many of them can be met together, as CP-SAT proved it; where rules ask for as many as can be.
    """

    scene: Scene
    rows: tuple[Row, ...]
    met: tuple[tuple[Demand, ...], int] | None = None
    proved: int | None = None


def paying(question: Question) -> Question:
    """Return the question of how a declaration is paid for; a text that resolves was paid for before."""
    asked = to_pay(question)
    if question.declaration.resolving:
        free = replace(asked.declaration, kind="cost", thing=None, ability=None, cost=CostAll(), options=(), x=None)
        return replace(asked, declaration=free)
    return replace(asked, declaration=replace(asked.declaration, x=x_to_pay(question)))


def largest_x(question: Question, limits: Limits) -> int:
    """Return the largest X that could be paid; 0 where the cost has none."""
    if not x_in_cost(question) or question.declaration.resolving:
        return 0
    asked = paying(question)
    found = [0]
    for key in due_keys(question):
        f = frame(due_by(asked, key), limits=limits)
        found += [most_x(f, plan) for plan in f.plans if plan.has_x and within(f, plan)]
    return max(found)


def due_keys(question: Question) -> Iterator[DueKey | None]:
    """Yield every way in which modes and the number of targets might change the cost."""
    by_modes, by_targets = modes_paid(question), targets_cost(question)
    if not by_modes and not by_targets:
        yield None
        return
    declared, text = question.declaration.modes, plain_text(question)
    names, size = mode_names(text), 1
    if text.modes is not None:
        size = text.modes.n if isinstance(text.modes.n, int) else len(names)
    pick = combinations_with_replacement if text.modes is not None and text.modes.repeat else combinations
    every = [declared] if declared is not None else [m for k in range(size + 1) for m in pick(names, k)]
    slots = sum(pick.how == "target" for pick in picks(text)) or 1
    numbers = range(slots * len(question.position.things) + 1) if by_targets else (None,)
    yield from ((modes if by_modes else None, n) for modes in (every if by_modes else [None]) for n in numbers)


def marks_of(question: Question, scenes: Sequence[Scene]) -> Marks:
    """Return what paying must know of each choice: which modifiers of the cost it turns on, whether it can be spent."""
    position = announced(question)
    modifiers = by_target(question)
    marks: dict[Choice, set[object]] = {}
    barred = question.ruleset.choosing.spent == "barred" and not question.declaration.resolving
    spendable = set(spent_ids(paying(question))) if barred else set()
    seats = {seat.name: seat for scene in scenes for seat in scene.seats}
    for choice in {choice for scene in scenes for choice in scene.choices}:
        slot, id = choice
        for number, (wanted, who, self_id) in enumerate(modifiers):
            if is_target(question, wanted, position, id, who, self_id):
                marks.setdefault(choice, set()).add(number)
        if id in spendable and not seats[slot].selector.spent:
            marks.setdefault(choice, set()).add(id)
    return {choice: frozenset(found) for choice, found in marks.items()}


def spent_ids(question: Question) -> list[str]:
    """Return the objects that can be sources and that being one moves to another zone."""
    moving = moving_verbs(question)
    return [c.thing.id for c in candidates(question) if not c.barred and _spends(c, c.thing.id, moving)]


def moving_verbs(question: Question) -> frozenset[str]:
    """Return the verbs that move an object to another zone."""
    return frozenset(verb.name for verb in question.ruleset.verbs if verb.to is not None)


def plans_of(question: Question, marks: Marks, setting: Setting, scenes: Sequence[Scene]) -> tuple[Plan, ...] | None:
    """Return the plans of a declaration for every way in which modes and targets can change the cost.

    Returns
    -------
    tuple of Plan or None
        None where they cannot change it.
    """
    if question.declaration.resolving:
        return PAID
    asked = paying(question)
    keys = dict.fromkeys(setting.due(scene) for scene in scenes)
    if set(keys) <= {None}:
        return plans_by_target(asked, marks)
    found: list[Plan] = []
    for key in keys:
        assert key is not None
        mine = due_by(asked, key)
        by_marks = plans_by_target(mine, marks)
        found += [replace(plan, of=key) for plan in (plans(mine) if by_marks is None else by_marks)]
    return tuple(found)


def due_by(asked: Question, key: DueKey | None) -> Question:
    """Return the question of how it is paid for with some modes and some number of targets."""
    if key is None:
        return asked
    modes, n = key
    declared = asked.declaration
    return replace(
        asked,
        declaration=replace(
            declared,
            modes=declared.modes if modes is None else modes,
            chosen=declared.chosen if n is None else n,
        ),
    )


def plans_by_target(asked: Question, marks: Marks) -> tuple[Plan, ...] | None:
    """Return the plans of a payment for every way in which its targets can change the cost; None where none can."""
    patterns: set[frozenset[int]] = {frozenset(m for m in found if isinstance(m, int)) for found in marks.values()} | {
        frozenset()
    }
    if len(patterns) == 1 and not by_target(asked):
        return None
    unions = {frozenset[int]()}
    for pattern in patterns:
        unions |= {union | pattern for union in unions}
    found: list[Plan] = []
    for union in sorted(unions, key=sorted):
        like = tuple(id for (_, id), m in marks.items() if {n for n in m if isinstance(n, int)} <= union)
        declared = replace(asked.declaration, targets=FrozenMap({"": like}))
        found += [replace(plan, marks=frozenset(union)) for plan in plans(replace(asked, declaration=declared))]
    return tuple(found)


@dataclass(slots=True)
class Joint:
    """The model and its decisions.

    Parameters
    ----------
    f : Frame
        The payment's part.
    t : dict of Choice to IntVar
        What is chosen.
    z : list of IntVar
        Which scene it is.
    payment : Allocation or Order
        The uses of sources.
    """

    f: Frame
    bounds: tuple[Bound, ...]
    marks: Marks
    payment: Allocation | Order | None
    t: dict[Choice, cp_model.IntVar] = field(default_factory=dict)
    z: list[cp_model.IntVar] = field(default_factory=list)

    @property
    def cp(self) -> cp_model.CpModel:
        """The CP-SAT model."""
        return self.f.cp

    @property
    def literals(self) -> Literals:
        """Its rules."""
        return self.f.literals

    def uses(self, id: str) -> Linear:
        """Return how often an object is used as a source that moves it."""
        moving = moving_verbs(self.f.question)
        if isinstance(self.payment, Allocation):
            groups = self.payment.groups
            return total(v for (g, _), v in self.payment.used.items() if _spends(groups[g].members[0], id, moving))
        if self.payment is None:
            return 0
        options = self.payment.slots
        return total(
            v for (t, o, _), v in self.payment.at.items() if _spends(options[t].options[o].candidate, id, moving)
        )


def _spends(candidate: Candidate, id: str, moving: Set[str]) -> bool:
    """Say whether a source is this object and being used moves it to another zone."""
    return candidate.thing.id == id and any(of == id and act.verb in moving for of, act in candidate.acts)


def joint(
    question: Question,
    bounds: Sequence[Bound],
    marks: Marks,
    *,
    mode: Mode = "hold",
    released: Set[str] = frozenset(),
    limits: Limits = Limits(),
    setting: Setting | None = None,
    scenes: Sequence[Scene] | None = None,
) -> Joint:
    """Build the model.

    Parameters
    ----------
    question : Question
        What is declared.
    bounds : sequence of Bound
        The choices of modes and X, each with its rows.
    marks : mapping
        As `marks_of` gives them.
    mode : {"hold", "rules", "assume"}
        Whether rules and facts simply hold, or may be dropped.
    released : set of str
        Roles of rules that do not bind.
    limits : Limits
        What it may cost.
    setting : Setting, optional
        Says on what the cost depends; None where it depends on nothing, or nothing is paid.
    scenes : sequence of Scene, optional
        All scenes that are paid for; None takes those of `bounds`.

    Returns
    -------
    Joint
        The model.
    """
    of = [bound.scene for bound in bounds] if scenes is None else scenes
    due: tuple[Plan, ...] | None
    if question.declaration.resolving:
        due = PAID
    else:
        due = plans_by_target(paying(question), marks) if setting is None else plans_of(question, marks, setting, of)
    f = frame(paying(question), mode=mode, released=released, limits=limits, due=due)
    ids = frozenset(m for found in marks.values() for m in found if isinstance(m, str))
    payment: Allocation | Order
    payment = free_order(f) if f.in_order else Allocation(f, alone=ids)
    model = Joint(f, tuple(bounds), marks, payment)
    if bounds:
        _choose(model)
        _rows(model)
        _link(model, question)
        if setting is not None and not question.declaration.resolving:
            _due(model, setting)
    return model


def _due(model: Joint, setting: Setting) -> None:
    """Only what is due with the modes and the number of targets of a scene is paid for it."""
    for z, bound in zip(model.z, model.bounds, strict=True):
        key = setting.due(bound.scene)
        for plan, chosen in zip(model.f.plans, model.f.plan, strict=True):
            if plan.of != key:
                model.cp.add(chosen == 0).only_enforce_if(z)


def _choose(model: Joint) -> None:
    """Exactly one scene; an object is chosen for a slot of that scene, or not."""
    cp = model.cp
    model.z = [cp.new_bool_var(f"scene {number}") for number in range(len(model.bounds))]
    cp.add_exactly_one(model.z)
    scenes = [bound.scene for bound in model.bounds]
    for scene in scenes:
        for choice in (*scene.choices, *(c for c in scene.fixed if c[1].endswith("'"))):
            if choice not in model.t:
                fixed = scene.fixed.get(choice)
                top = 1 if fixed is None else fixed
                model.t[choice] = cp.new_int_var(0, max(top, 1), f"{choice[1]} for {choice[0]}")
    for z, scene in zip(model.z, scenes, strict=True):
        here = set(scene.choices)
        for choice, variable in model.t.items():
            if choice in scene.fixed:
                cp.add(variable == scene.fixed[choice]).only_enforce_if(z)
            elif choice not in here:
                cp.add(variable == 0).only_enforce_if(z)


def _rows(model: Joint) -> None:
    """Every row under its label; what is the same in every scene once."""
    cp, many = model.cp, len(model.bounds)
    same: Counter[tuple[object, ...]] = Counter()
    for bound in model.bounds:
        same.update({row.key for row in bound.rows})
    done: set[tuple[object, ...]] = set()
    for z, bound in zip(model.z, model.bounds, strict=True):
        for row in bound.rows:
            key = row.key
            if key in done:
                continue
            under = [] if row.defines else [model.literals.of(row.label)]
            if same[key] == many:
                done.add(key)
            else:
                under.append(z)
            _row(model, row, under)
        if bound.met is not None:
            demands, n = bound.met
            cp.add(total(kept(model, demands)) >= n).only_enforce_if(model.literals.of(Label("must")), z)


def kept(model: Joint, demands: Sequence[Demand]) -> list[cp_model.IntVar]:
    """Return a literal for each requirement; where it is true the requirement is met."""
    found = []
    for demand in demands:
        sat = model.cp.new_bool_var(f"met {demand.key}")
        model.cp.add(total(model.t[c] for c in demand.of) >= demand.n).only_enforce_if(sat)
        found.append(sat)
    return found


def _row(model: Joint, row: Row, under: list[cp_model.IntVar]) -> None:
    cp, made = model.cp, total(row.weight(c) * model.t[c] for c in sorted(row.of))
    if not row.of:
        if row.lo > 0 and not row.or_none:
            cp.add_bool_or([literal.negated() for literal in under])
        return
    if row.hi is not None:
        cp.add(made <= row.hi).only_enforce_if(under)
    if row.lo > 0:
        if row.or_none:
            some = cp.new_bool_var("some")
            cp.add(made == 0).only_enforce_if(some.negated(), *under)
            cp.add(made >= row.lo).only_enforce_if(some, *under)
        else:
            cp.add(made >= row.lo).only_enforce_if(under)


def _link(model: Joint, question: Question) -> None:
    """What is chosen decides what is due; X is one; a card that is spent is not chosen."""
    cp, f = model.cp, model.f
    for plan, chosen in zip(f.plans, f.plan, strict=True):
        if plan.marks is not None:
            numbers = {m for found in model.marks.values() for m in found if isinstance(m, int)} | set(plan.marks)
            for number in sorted(n for n in numbers if isinstance(n, int)):
                made = total(model.t[c] for c, found in sorted(model.marks.items()) if number in found)
                if number in plan.marks:
                    cp.add(made >= 1).only_enforce_if(chosen)
                else:
                    cp.add(made == 0).only_enforce_if(chosen)
    if x_in_cost(question) and not question.declaration.resolving:
        for z, bound in zip(model.z, model.bounds, strict=True):
            if bound.scene.x is not None:
                for plan, chosen, x in zip(f.plans, f.plan, f.x, strict=True):
                    if plan.has_x:
                        cp.add(x == bound.scene.x).only_enforce_if(z, chosen)
    spent = model.literals.of(SPENT)
    for choice, found in sorted(model.marks.items()):
        for id in found:
            if isinstance(id, str):
                is_source = cp.new_bool_var(f"{id} is spent")
                cp.add(model.uses(id) >= 1).only_enforce_if(is_source)
                cp.add(model.uses(id) == 0).only_enforce_if(is_source.negated())
                cp.add(model.t[choice] == 0).only_enforce_if(is_source, spent)


__all__ = ["BadInput", "Bound", "Joint", "joint", "kept", "largest_x", "marks_of", "paying", "plans_by_target"]
