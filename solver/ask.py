"""The one place that sets solver parameters and reads a status.

Three settings of CP-SAT lose solutions while reporting OPTIMAL: several workers, a presolve that need not keep all
feasible solutions, and the additional-solutions pool. None of them can be reached from here, and only OPTIMAL or
INFEASIBLE counts as complete.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from ortools.sat.python import cp_model

from lawful.model.errors import LawfulError, LimitReached
from lawful.model.limits import until

Found = Literal["feasible", "infeasible"]
MANY_VARIABLES = 100


class ModelInvalid(LawfulError):
    """CP-SAT refused a model: a bug of ours, never an answer."""


@dataclass(frozen=True, slots=True)
class Enumeration:
    """How an enumeration ended.

    Parameters
    ----------
    complete : bool
        Whether CP-SAT showed that there are no further solutions.
    found : int
        Solutions handed over.
    limit : str or None
        The limit that stopped it: ``seconds`` or ``ways``.
    """

    complete: bool
    found: int
    limit: str | None


def parameters(
    solver: cp_model.CpSolver, seconds: float, *, enumerate_all: bool, size: int = 0, relax: bool = True
) -> None:  # fmt: skip
    """Set every parameter that is ever set.

    Parameters
    ----------
    solver : CpSolver
        A new solver.
    seconds : float
        Wall time allowed.
    enumerate_all : bool
        Whether all solutions are wanted.
    size : int
        Variables of the model.
    relax : bool
        Whether a relaxation may help: where there is a solution it only takes time.

    Raises
    ------
    LimitReached
        If what this is asked for has to be over already; see `lawful.model.limits.within`.
    """
    left = until(seconds) - time.monotonic()
    if left <= 0 < seconds:
        raise LimitReached("seconds", seconds, "give more time")
    p = solver.parameters
    p.num_workers = 1  # more workers lose solutions and still report OPTIMAL
    p.cp_model_presolve = False  # presolve may drop solutions, and puts foreign literals into cores
    p.keep_all_feasible_solutions_in_presolve = True
    p.fill_additional_solutions_in_response = False  # a pool that is full drops solutions and still reports OPTIMAL
    p.interleave_search = False
    # Counts that clash by their sums alone (more wanted than there are) are shown to clash by a relaxation at once;
    # without it, by trying. Enumerating and small models have no use for it.
    p.linearization_level = 0 if enumerate_all or size < MANY_VARIABLES or not relax else 2
    p.symmetry_level = 0  # symmetry is the caller's: equal cards are told apart
    p.cp_model_probing_level = 0
    p.enumerate_all_solutions = enumerate_all
    p.max_time_in_seconds = max(left, 0.001)
    p.catch_sigint_signal = False  # Ctrl-C belongs to Python


class _Collector(cp_model.CpSolverSolutionCallback):
    def __init__(
        self, keys: Sequence[cp_model.IntVar], most: int, take: Callable[[tuple[int, ...]], None], deadline: float
    ) -> None:
        super().__init__()
        self._keys, self._most, self._take, self._deadline = list(keys), most, take, deadline
        self.found = 0
        self.limit: str | None = None
        self.error: BaseException | None = None

    def on_solution_callback(self) -> None:
        """Hand one solution over."""
        if self.found >= self._most:
            self.limit = "ways"
            self.stop_search()
            return
        try:
            self.found += 1
            self._take(tuple(self.value(key) for key in self._keys))
            if time.monotonic() > self._deadline:
                self.limit = "seconds"
                self.stop_search()
        except BaseException as error:  # KeyboardInterrupt, too, must get past the C++ frames
            self.error = error
            self.stop_search()


def each_solution(
    model: cp_model.CpModel,
    keys: Sequence[cp_model.IntVar],
    take: Callable[[tuple[int, ...]], None],
    *,
    seconds: float,
    most: int,
) -> Enumeration:
    """Hand every solution of a model to `take`, as the values of `keys`.

    Parameters
    ----------
    model : CpModel
        Without an objective. Every variable that is not a key must be a function of the keys, or the same values are
        handed over several times.
    keys : sequence of IntVar
        What is read of a solution.
    take : callable
        Called with the values of the keys, in their order.
    seconds : float
        Wall time allowed.
    most : int
        Solutions handed over before it stops.

    Returns
    -------
    Enumeration
        `complete` only if CP-SAT ended with OPTIMAL or INFEASIBLE.

    Raises
    ------
    ModelInvalid
        If CP-SAT refuses the model.
    """
    if model.has_objective():
        raise ModelInvalid("a model with an objective cannot be enumerated")
    solver = cp_model.CpSolver()
    parameters(solver, seconds, enumerate_all=True)
    collector = _Collector(keys, most, take, time.monotonic() + seconds)
    status = solver.solve(model, collector)
    if collector.error is not None:
        raise collector.error
    if status == cp_model.MODEL_INVALID:
        raise ModelInvalid(model.validate())
    complete = status in (cp_model.OPTIMAL, cp_model.INFEASIBLE) and collector.limit is None
    return Enumeration(complete, collector.found, None if complete else collector.limit or "seconds")


def feasible(model: cp_model.CpModel, *, seconds: float) -> Found:
    """Say whether a model has a solution, under the assumptions that it carries.

    Parameters
    ----------
    model : CpModel
        Without an objective.
    seconds : float
        Wall time allowed.

    Returns
    -------
    {"feasible", "infeasible"}
        Proved.

    Raises
    ------
    LimitReached
        If there was no answer in time: that is neither.
    ModelInvalid
        If CP-SAT refuses the model.
    """
    return _solve(model, seconds)[0]


def conflict(
    model: cp_model.CpModel, assumptions: Sequence[cp_model.IntVar], *, seconds: float, relax: bool = True
) -> tuple[int, ...] | None:
    """Return indexes of assumptions that cannot all hold, or None if all can.

    The set is sufficient for infeasibility and need not be minimal.

    Parameters
    ----------
    model : CpModel
        The model; its assumptions are set here.
    assumptions : sequence of BoolVar
        What is assumed true.
    seconds : float
        Wall time allowed.
    relax : bool
        Whether a relaxation may help; it does not where a solution is expected.

    Returns
    -------
    tuple of int or None
        Indexes into `assumptions`, in their order.

    Raises
    ------
    LimitReached, ModelInvalid
        As in `feasible`.
    """
    model.clear_assumptions()
    model.add_assumptions(list(assumptions))
    found, solver = _solve(model, seconds, relax=relax)
    if found == "feasible":
        return None
    at = {literal.index: i for i, literal in enumerate(assumptions)}
    core = [at[i] for i in solver.sufficient_assumptions_for_infeasibility() if i in at]
    # An empty core of an infeasible model would read as "nothing forbids it": fall back to all of them.
    return tuple(sorted(core)) or tuple(range(len(assumptions)))


def least(
    model: cp_model.CpModel, amount: cp_model.LinearExpr | int, keys: Sequence[cp_model.IntVar], *, seconds: float
) -> tuple[int, tuple[int, ...]] | None:
    """Return the least value of an amount, proved, and the values of some variables then; None without a solution.

    Parameters
    ----------
    model : CpModel
        Without an objective; it has none afterwards.
    amount : LinearExpr or int
        What is to be small.
    keys : sequence of IntVar
        What is read of the solution.
    seconds : float
        Wall time allowed.

    Raises
    ------
    LimitReached
        If it was not proved in time.
    ModelInvalid
        If CP-SAT refuses the model.
    """
    if seconds <= 0:
        raise LimitReached("seconds", seconds)
    model.clear_assumptions()
    model.minimize(amount)
    solver = cp_model.CpSolver()
    parameters(solver, seconds, enumerate_all=False, size=len(model.proto.variables))
    status = solver.solve(model)
    model.clear_objective()  # type: ignore[no-untyped-call]
    if status == cp_model.MODEL_INVALID:
        raise ModelInvalid(model.validate())
    if status == cp_model.INFEASIBLE:
        return None
    if status != cp_model.OPTIMAL:
        raise LimitReached("seconds", seconds, "give more time")
    return round(solver.objective_value), tuple(solver.value(key) for key in keys)


def distinct(
    model: cp_model.CpModel, keys: Sequence[cp_model.IntVar], *, seconds: float, most: int
) -> tuple[list[tuple[int, ...]], bool]:
    """Return the values that some variables can have, each once, one solve for each; and whether these are all.

    The model is bound to have no more of them: use it for nothing else afterwards.

    Parameters
    ----------
    model : CpModel
        Without an objective.
    keys : sequence of IntVar
        What is read of a solution; other variables may differ as they like.
    seconds : float
        Wall time allowed, for all.
    most : int
        How many are looked for.

    Raises
    ------
    LimitReached, ModelInvalid
        As in `feasible`.
    """
    found: list[tuple[int, ...]] = []
    end = until(seconds)
    model.clear_assumptions()
    while True:
        status, solver = _solve(model, end - time.monotonic(), relax=False)
        if status == "infeasible":
            return found, True
        if len(found) == most:
            return found, False
        values = tuple(solver.value(key) for key in keys)
        found.append(values)
        if not keys:
            return found, True
        model.add_forbidden_assignments(keys, [values])


def _solve(model: cp_model.CpModel, seconds: float, *, relax: bool = True) -> tuple[Found, cp_model.CpSolver]:
    if seconds <= 0:
        raise LimitReached("seconds", seconds)
    solver = cp_model.CpSolver()
    parameters(solver, seconds, enumerate_all=False, size=len(model.proto.variables), relax=relax)
    status = solver.solve(model)
    if status == cp_model.MODEL_INVALID:
        raise ModelInvalid(model.validate())
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return "feasible", solver
    if status == cp_model.INFEASIBLE:
        return "infeasible", solver
    raise LimitReached("seconds", seconds, "give more time")
