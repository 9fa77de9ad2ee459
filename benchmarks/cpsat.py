"""CP-SAT as the enumerator: tuned as `lawful.solver.ask` does it, by default settings, over classes, hand-written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from instances import FOR_CHI, FOR_RESOURCES, Problem, key
from ortools.sat.python import cp_model
from own import model

from lawful.model.declaration import Question
from lawful.solver.ask import each_solution
from lawful.solver.encode.allocation import Allocation

OPTIONS = {"c": FOR_CHI, "r": FOR_RESOURCES}


class CutOff(Exception):
    """The enumeration did not end in time."""


def _enumerate(cp: cp_model.CpModel, variables: Sequence[cp_model.IntVar], seconds: float) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    if not each_solution(cp, variables, found.append, seconds=seconds, most=10**9).complete:
        raise CutOff(len(found))
    return found


def _places(built: Allocation) -> dict[str, int]:
    """Return where each source stands among the cards."""
    return {c.thing.id: i for i, c in enumerate(built.f.sources)}


def tuned(question: Question, seconds: float) -> Iterator[list[int]]:
    """Enumerate the model by single sources with the tuned parameters."""
    built = model(question, "none")
    where = _places(built)
    variables, keys = [], []
    for (g, k), variable in built.used.items():
        variables.append(variable)
        keys.append(key(where[built.groups[g].members[0].thing.id], OPTIONS[built.f.parts[k].id]))
    found: list[int] = []

    def take(values: tuple[int, ...]) -> None:
        found.append(sum(k for k, value in zip(keys, values, strict=True) if value))

    if not each_solution(built.f.cp, variables, take, seconds=seconds, most=10**9).complete:
        raise CutOff(len(found))
    yield found


def classes(question: Question, seconds: float) -> Iterator[list[int]]:
    """Enumerate the model over classes of equal sources; tell the members apart afterwards."""
    built = model(question, "gain")
    where = _places(built)
    found = _enumerate(built.f.cp, list(built.used.values()), seconds)
    parts = [OPTIONS[part.id] for part in built.f.parts]
    members = [[where[m.thing.id] for m in group.members] for group in built.groups]
    chosen: dict[tuple[int, tuple[int, ...]], list[int]] = {}

    def choices(g: int, uses: tuple[int, ...]) -> list[int]:
        if (g, uses) not in chosen:
            chosen[g, uses] = list(_choose(members[g], list(zip(parts, uses, strict=True))))
        return chosen[g, uses]

    width = len(parts)
    for values in found:
        ways = [0]
        for g in range(len(members)):
            mine = choices(g, values[g * width : (g + 1) * width])
            ways = [way | choice for way in ways for choice in mine]
        yield ways


def _choose(members: list[int], uses: list[tuple[int, int]]) -> Iterator[int]:
    if not uses:
        yield 0
        return
    (option, n), *rest = uses
    for picked in combinations(members, n):
        mine = sum(key(i, option) for i in picked)
        for others in _choose([i for i in members if i not in picked], rest):
            yield mine | others


def _written(problem: Problem) -> tuple[cp_model.CpModel, list[cp_model.IntVar], list[int]]:
    """Write the plain form as a model: one Boolean an option, atoms of true clauses as Booleans, both ways."""
    cp = cp_model.CpModel()
    variables, keys, weights = [], [], []
    for i, options in enumerate(problem.options):
        mine = [cp.new_bool_var(f"{i} for {o}") for o in options]
        if len(mine) > 1:
            cp.add_at_most_one(mine)
        variables += mine
        keys += [key(i, o) for o in options]
        weights += [problem.weights[i][o] for o in options]

    def total(atom: int) -> cp_model.LinearExpr:
        mine = [(v, w[atom]) for v, w in zip(variables, weights, strict=True) if w[atom]]
        return cp_model.LinearExpr.weighted_sum([v for v, _ in mine], [w for _, w in mine])

    literals: dict[int, cp_model.IntVar] = {}
    for clause in problem.clauses:
        if len(clause) == 1:
            cp.add(total(clause[0]) >= problem.least[clause[0]])
            continue
        for atom in clause:
            if atom not in literals:
                literals[atom] = cp.new_bool_var(f"atom {atom}")
                cp.add(total(atom) >= problem.least[atom]).only_enforce_if(literals[atom])
                cp.add(total(atom) <= problem.least[atom] - 1).only_enforce_if(~literals[atom])
        cp.add_bool_or([literals[atom] for atom in clause])
    return cp, variables, keys


def written(problem: Problem, seconds: float) -> Iterator[list[int]]:
    """Enumerate the hand-written model with the tuned parameters."""
    cp, variables, keys = _written(problem)
    found: list[int] = []

    def take(values: tuple[int, ...]) -> None:
        found.append(sum(k for k, value in zip(keys, values, strict=True) if value))

    if not each_solution(cp, variables, take, seconds=seconds, most=10**9).complete:
        raise CutOff(len(found))
    yield found


class _Keys(cp_model.CpSolverSolutionCallback):
    def __init__(self, variables: list[cp_model.IntVar], keys: list[int]) -> None:
        super().__init__()
        self._pairs = list(zip(variables, keys, strict=True))
        self.found: list[int] = []

    def on_solution_callback(self) -> None:
        """Note one solution."""
        value = self.boolean_value
        self.found.append(sum(k for variable, k in self._pairs if value(variable)))


def default(problem: Problem, seconds: float) -> Iterator[list[int]]:
    """Enumerate the hand-written model as one does without knowing better: every parameter at its default.

    Only `enumerate_all_solutions` is set, and one worker, without which CP-SAT loses solutions.
    """
    cp, variables, keys = _written(problem)
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = seconds
    callback = _Keys(variables, keys)
    if solver.solve(cp, callback) not in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
        raise CutOff(len(callback.found))
    yield callback.found


__all__ = ["CutOff", "classes", "default", "tuned", "written"]
