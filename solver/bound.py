"""Which requirements bind: all of them, one, as many as can be; or, where the rules do not say, in which readings."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from ortools.sat.python import cp_model

from lawful.model.declaration import Question
from lawful.model.errors import LawfulError, LimitReached
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.procedure import Norming
from lawful.model.ruleset import general
from lawful.model.verdict import Value
from lawful.solver.ask import least
from lawful.solver.choices import Met, Tally, most_met
from lawful.solver.encode.declaring import Bound, joint
from lawful.solver.encode.declaring import kept as kept_literals
from lawful.solver.encode.scene import Demand, Row, Scene, label
from lawful.solver.marco import marco

Keys = frozenset[tuple[str, str]]


class Uncertified(LawfulError):
    """What was counted and CP-SAT do not agree: a bug of ours, never an answer."""


def kept(rows: Sequence[Row], released: Set[str]) -> tuple[Row, ...]:
    """Return the rows whose rules are not released."""
    return tuple(r for r in rows if r.defines or not any(form in released for form in general(r.label.role)))


def must_row(demand: Demand) -> Row:
    """Return the row of a requirement that binds."""
    key, thing = demand.key
    params: dict[str, Value] = {"norm": key, "holder": demand.holder, "object": thing, "n": demand.n}
    says = "must" if thing else "must.least"
    return Row(
        label(demand.role, (thing,) if thing else (), norm=key),
        demand.of,
        demand.n,
        params=FrozenMap(params),
        says=says,
    )


def bind(
    question: Question,
    scene: Scene,
    norming: Norming,
    *,
    released: Set[str],
    limits: Limits,
    oblige: Keys | None = None,
    prove: bool = True,
) -> Bound:
    """Return a scene with all the rows that bind in it.

    Parameters
    ----------
    question : Question
        What is declared.
    scene : Scene
        One choice of modes and X.
    norming : Norming
        What requirements do.
    released : set of str
        Roles of rules that do not bind.
    limits : Limits
        What it may cost.
    oblige : frozenset of keys, optional
        The requirements that bind in the reading looked at.
    prove : bool
        Whether CP-SAT proves how many requirements can be met together; else it is counted, where it can be.
    """
    rows = kept(scene.rows, released)
    if not scene.demands or "must" in released:
        return Bound(scene, rows)
    if norming.must == "hard" or oblige is not None:
        binding = [d for d in scene.demands if oblige is None or d.key in oblige]
        return Bound(scene, (*rows, *map(must_row, binding)))
    if norming.must == "maximal":
        return Bound(scene, rows)
    open_ = Scene(scene.modes, scene.x, scene.seats, scene.rows, scene.demands, {})
    free = free_rows(rows)
    n = most_obeyed(question, open_, free, limits, prove=prove)
    asked = min(n, 1) if norming.must == "any" else n
    return Bound(scene, rows, (tuple(scene.demands), asked) if asked else None, n)


def free_rows(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return the rows that speak of what could be chosen, not of what was."""
    return tuple(row for row in rows if not row.defines and row.label.role not in ("slot", "distinct", "gone"))


def most_obeyed(
    question: Question, scene: Scene, rows: Sequence[Row], limits: Limits, *, prove: bool = True
) -> int:  # fmt: skip
    """Return how many requirements of a scene can be met together, payment aside: counted, and proved by CP-SAT.

    This is the first of two stages; the second asks for so many. To find the number is as hard as to prove that a
    larger one cannot be, which no short argument does: it is proved, or there is no answer.

    Raises
    ------
    LimitReached
        If it was not proved in time.
    Uncertified
        If counting and CP-SAT disagree.
    """
    try:
        counted = most_met(scene, rows)
    except LimitReached:
        return _proved(question, scene, rows, limits)
    if not prove:
        return counted
    proved = _proved(question, scene, rows, limits)
    if counted != proved:
        raise Uncertified(f"{counted} requirements can be met as counted; {proved} as CP-SAT proves")
    return proved


def _proved(question: Question, scene: Scene, rows: Sequence[Row], limits: Limits) -> int:
    """Let CP-SAT prove how many requirements can be met together."""
    asked = replace(question, declaration=replace(question.declaration, resolving=True, targets=FrozenMap()))
    model = joint(asked, [Bound(scene, tuple(rows))], {}, limits=limits)
    met = kept_literals(model, scene.demands)
    try:
        found = least(model.cp, cp_model.LinearExpr.sum([-sat for sat in met]), (), seconds=limits.seconds)
    except LimitReached as limit:
        what = f"how many of {len(met)} requirements can be obeyed together is not proved; give more time"
        raise LimitReached(limit.limit, limit.value, what) from None
    return 0 if found is None else -found[0]


def largest_sets(scene: Scene, rows: Sequence[Row], limits: Limits) -> tuple[Keys, ...]:
    """Return the sets of requirements that can be met together and that no larger one contains.

    Where nothing can be chosen at all, none.
    """
    demands = scene.demands
    rows = free_rows(rows)
    open_ = Scene(scene.modes, scene.x, scene.seats, scene.rows, demands, {})

    def possible(chosen: frozenset[int]) -> bool:
        binding = tuple(demands[i] for i in chosen)
        return Tally(open_, rows, Met(binding, len(binding))).possible()

    if not possible(frozenset()):
        return ()
    family = marco(len(demands), possible, seconds=limits.seconds)
    if not family.reasons:
        return (frozenset(d.key for d in demands),)
    everything = frozenset(range(len(demands)))
    return tuple(frozenset(demands[i].key for i in everything - lost) for lost in family.corrections)
