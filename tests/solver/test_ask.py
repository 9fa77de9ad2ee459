"""Settings that lose solutions while reporting OPTIMAL cannot be reached, and a limit never reads as complete."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from ortools.sat.python import cp_model

from lawful.model.errors import LimitReached
from lawful.solver.ask import ModelInvalid, conflict, each_solution, feasible, parameters

POINTS = (3, 5, 2, 7, 1, 4, 6, 2, 3, 5)


def covers() -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    """Return a model of sets with 12 to 24 points, presolve-friendly and symmetric enough to tempt a solver."""
    cp = cp_model.CpModel()
    x = [cp.new_bool_var(f"x{i}") for i in range(len(POINTS))]
    total = sum(p * v for p, v in zip(POINTS, x, strict=True))
    cp.add(total >= 12)
    cp.add(total <= 24)
    cp.add_implication(x[0], x[4])
    return cp, x


def brute() -> set[tuple[int, ...]]:
    found = set()
    for n in range(2 ** len(POINTS)):
        bits = tuple(n >> i & 1 for i in range(len(POINTS)))
        total = sum(p * b for p, b in zip(POINTS, bits, strict=True))
        if 12 <= total <= 24 and bits[0] <= bits[4]:
            found.add(bits)
    return found


def many_workers(p: object) -> None:
    p.num_workers = 8  # type: ignore[attr-defined]


def lossy_presolve(p: object) -> None:
    p.cp_model_presolve = True  # type: ignore[attr-defined]
    p.keep_all_feasible_solutions_in_presolve = False  # type: ignore[attr-defined]


def solution_pool(p: object) -> None:
    p.fill_additional_solutions_in_response = True  # type: ignore[attr-defined]
    p.solution_pool_size = 3  # type: ignore[attr-defined]


def interleaved(p: object) -> None:
    p.interleave_search = True  # type: ignore[attr-defined]
    p.num_workers = 2  # type: ignore[attr-defined]


class Collect(cp_model.CpSolverSolutionCallback):
    def __init__(self, keys: list[cp_model.IntVar]) -> None:
        super().__init__()
        self.keys, self.found = keys, []

    def on_solution_callback(self) -> None:
        self.found.append(tuple(self.value(k) for k in self.keys))


@pytest.mark.parametrize("trap", [many_workers, lossy_presolve, solution_pool, interleaved])
def test_our_parameters_undo_every_setting_that_loses_solutions(trap: Callable[[object], None]) -> None:
    cp, x = covers()
    solver = cp_model.CpSolver()
    trap(solver.parameters)
    parameters(solver, 60, enumerate_all=True)
    collector = Collect(x)
    assert solver.solve(cp, collector) == cp_model.OPTIMAL
    assert len(collector.found) == len(set(collector.found))
    assert set(collector.found) == brute()


def test_every_solution_is_handed_over_once() -> None:
    cp, x = covers()
    found: list[tuple[int, ...]] = []
    ended = each_solution(cp, x, found.append, seconds=60, most=10_000)
    assert ended.complete
    assert ended.limit is None
    assert sorted(found) == sorted(brute())


def test_a_limit_on_ways_is_not_complete() -> None:
    cp, x = covers()
    found: list[tuple[int, ...]] = []
    ended = each_solution(cp, x, found.append, seconds=60, most=5)
    assert (ended.complete, ended.limit, len(found)) == (False, "ways", 5)


def test_exactly_as_many_ways_as_allowed_is_complete() -> None:
    cp, x = covers()
    found: list[tuple[int, ...]] = []
    ended = each_solution(cp, x, found.append, seconds=60, most=len(brute()))
    assert ended.complete


def test_no_time_is_not_complete() -> None:
    cp, x = covers()
    ended = each_solution(cp, x, lambda _: None, seconds=0, most=10_000)
    assert not ended.complete
    assert ended.limit == "seconds"


def test_an_infeasible_model_is_complete_with_nothing() -> None:
    cp, x = covers()
    cp.add(sum(x) == 0)
    ended = each_solution(cp, x, lambda _: None, seconds=60, most=10)
    assert (ended.complete, ended.found) == (True, 0)


def test_an_objective_is_refused() -> None:
    cp, x = covers()
    cp.minimize(sum(x))
    with pytest.raises(ModelInvalid):
        each_solution(cp, x, lambda _: None, seconds=60, most=10)


def test_an_invalid_model_is_no_answer() -> None:
    cp = cp_model.CpModel()
    x = cp.new_int_var(0, 10, "x")
    cp.proto.variables[0].domain[0] = 11
    with pytest.raises(ModelInvalid):
        feasible(cp, seconds=10)
    with pytest.raises(ModelInvalid):
        each_solution(cp, [x], lambda _: None, seconds=10, most=10)


def test_no_time_is_neither_feasible_nor_infeasible() -> None:
    cp, _ = covers()
    with pytest.raises(LimitReached):
        feasible(cp, seconds=0)


def test_an_error_in_the_callback_gets_out() -> None:
    cp, x = covers()

    def interrupt(_: tuple[int, ...]) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        each_solution(cp, x, interrupt, seconds=60, most=10)


def test_a_conflict_is_among_the_assumptions_and_real() -> None:
    cp = cp_model.CpModel()
    a, b, c = (cp.new_bool_var(n) for n in "abc")
    x = cp.new_int_var(0, 9, "x")
    cp.add(x >= 5).only_enforce_if(a)
    cp.add(x <= 4).only_enforce_if(b)
    cp.add(x <= 7).only_enforce_if(c)
    assert conflict(cp, [a, b, c], seconds=10) == (0, 1)
    assert conflict(cp, [a, c], seconds=10) is None


def test_a_model_infeasible_by_itself_blames_every_assumption() -> None:
    cp = cp_model.CpModel()
    a = cp.new_bool_var("a")
    x = cp.new_int_var(0, 1, "x")
    cp.add(x >= 1)
    cp.add(x <= 0)
    assert conflict(cp, [a], seconds=10) == (0,)


@pytest.mark.parametrize("kind", ["min", "max", "table", "or", "sum", "element", "product"])
def test_enforcement_literals_are_obeyed_by_every_kind_of_constraint(kind: str) -> None:
    cp = cp_model.CpModel()
    on = cp.new_bool_var("on")
    x, y, z = (cp.new_int_var(0, 2, n) for n in "xyz")
    made = {
        "min": lambda: cp.add_min_equality(z, [x, y]),
        "max": lambda: cp.add_max_equality(z, [x, y]),
        "table": lambda: cp.add_allowed_assignments([x, y, z], [(0, 1, 2), (2, 1, 0)]),
        "or": lambda: cp.add(x + y + z >= 5),
        "sum": lambda: cp.add(x + y == z),
        "element": lambda: cp.add_element(x, [2, 0, 1], z),
        "product": lambda: cp.add_multiplication_equality(z, [x, y]),
    }[kind]()
    made.only_enforce_if(on)
    holds = {
        "min": lambda a, b, c: c == min(a, b),
        "max": lambda a, b, c: c == max(a, b),
        "table": lambda a, b, c: (a, b, c) in [(0, 1, 2), (2, 1, 0)],
        "or": lambda a, b, c: a + b + c >= 5,
        "sum": lambda a, b, c: a + b == c,
        "element": lambda a, b, c: [2, 0, 1][a] == c,
        "product": lambda a, b, c: a * b == c,
    }[kind]
    want = {
        (n, a, b, c) for n in (0, 1) for a in range(3) for b in range(3) for c in range(3) if not n or holds(a, b, c)
    }
    found: list[tuple[int, ...]] = []
    assert each_solution(cp, [on, x, y, z], found.append, seconds=60, most=1000).complete
    assert sorted(found) == sorted(want)
