"""Engines that are no part of the project, each in its fastest form: fed from the plain form of a hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from instances import Problem, key


def clingo(problem: Problem, seconds: float) -> Iterator[int]:
    """Answer set programming: choices, sums as rules, projection to what is shown."""
    import clingo as asp

    lines = []
    for i, options in enumerate(problem.options):
        lines.append("{%s}1." % ";".join(f"u({i},{o})" for o in options))  # noqa: UP031
    for atom, least in enumerate(problem.least):
        terms = ";".join(
            f"{weights[o][atom]},{i},{o}:u({i},{o})"
            for i, weights in enumerate(problem.weights)
            for o in problem.options[i]
            if weights[o][atom]
        )
        lines.append(f"a({atom}) :- #sum{{{terms}}} >= {least}.")
    lines += [":- " + ",".join(f"not a({atom})" for atom in clause) + "." for clause in problem.clauses]
    lines.append("#show u/2. #project u/2.")
    control = asp.Control(["0", "--project", "--warn=none"])
    control.add("base", [], "\n".join(lines))
    control.ground([("base", [])])
    literals = []
    for i, options in enumerate(problem.options):
        for o in options:
            symbol = control.symbolic_atoms[asp.Function("u", [asp.Number(i), asp.Number(o)])]
            if symbol is not None:
                literals.append((symbol.literal, key(i, o)))
    with control.solve(yield_=True) as handle:
        for found in handle:
            true = found.is_true
            yield sum(k for literal, k in literals if true(literal))


def constraint(problem: Problem, seconds: float) -> Iterator[int]:
    """python-constraint2: its own sum constraints where weights have one sign, else a function over tables."""
    import constraint as csp

    found = csp.Problem()
    for i in problem.order:
        found.addVariable(i, [0, *problem.options[i]])
    for clause in problem.clauses:
        used = [i for i in problem.order if any(w[a] for w in problem.weights[i].values() for a in clause)]
        if len(clause) == 1 and all(len(problem.options[i]) == 1 for i in used):
            _sum(csp, found, problem, clause[0], used)
            continue
        tables = [[{o: w[a] for o, w in problem.weights[i].items()} for i in used] for a in clause]
        least = [problem.least[a] for a in clause]

        def holds(*values: int, tables: Any = tables, least: Any = least) -> bool:
            return any(
                sum(table[v] for table, v in zip(rows, values, strict=True)) >= bound
                for rows, bound in zip(tables, least, strict=True)
            )

        found.addConstraint(csp.FunctionConstraint(holds), used)
    for solution in found.getSolutionIter():
        yield sum(key(i, o) for i, o in solution.items() if o)


def _sum(csp: Any, found: Any, problem: Problem, atom: int, used: list[int]) -> None:
    """Add one sum over sources of one option; the values stand for options, so weights are divided by them."""
    factors = [problem.weights[i][problem.options[i][0]][atom] / problem.options[i][0] for i in used]
    if all(f >= 0 for f in factors):
        found.addConstraint(csp.MinSumConstraint(problem.least[atom], factors), used)
    else:
        found.addConstraint(csp.MaxSumConstraint(-problem.least[atom], [-f for f in factors]), used)


def graphillion(problem: Problem, seconds: float) -> Iterator[int]:
    """Zero-suppressed decision diagrams in C++: an edge of a graph for each option, linear constraints, set algebra."""
    from graphillion import GraphSet

    edges, keys = {}, {}
    for i in problem.order:
        for o in problem.options[i]:
            edge = (f"a{i} {o}", f"b{i} {o}")
            edges[edge] = (i, o)
            keys[edge] = keys[edge[::-1]] = key(i, o)
    GraphSet.set_universe(list(edges), traversal="as-is")

    def row(atom: int) -> tuple[list[tuple[str, str, int]], tuple[int, int]]:
        weighted = ((edge, problem.weights[i][o][atom]) for edge, (i, o) in edges.items())
        return [(*edge, weight) for edge, weight in weighted if weight], (problem.least[atom], 10**6)

    rows = [row(clause[0]) for clause in problem.clauses if len(clause) == 1]
    for i, options in enumerate(problem.options):
        if len(options) > 1:
            rows.append(([(*edge, 1) for edge, (j, _) in edges.items() if j == i], (0, 1)))
    family = GraphSet.graphs(linear_constraints=rows)
    for clause in problem.clauses:
        if len(clause) > 1:
            either = GraphSet()
            for atom in clause:
                either |= GraphSet.graphs(linear_constraints=[row(atom)])
            family &= either
    for graph in family:
        yield sum(keys[edge] for edge in graph)


def depth_first(problem: Problem, seconds: float) -> Iterator[list[int]]:
    """Search source by source, back where even the best rest is not enough."""
    need, clauses, depth = problem.gaps(), problem.clauses, len(problem.order)
    moves = [[(key(i, o), w) for o, w in problem.weights[i].items()] for i in problem.order]
    found: list[int] = []

    def search(at: int, sums: list[int], way: int) -> None:
        gap = need[at]
        for clause in clauses:
            for atom in clause:
                if sums[atom] >= gap[atom]:
                    break
            else:
                return
        if at == depth:
            found.append(way)
            return
        for bit, weights in moves[at]:
            search(at + 1, [a + b for a, b in zip(sums, weights, strict=True)] if bit else sums, way | bit)

    search(0, [0] * len(problem.least), 0)
    yield found


def brute_force(problem: Problem, seconds: float) -> Iterator[Any]:
    """Every choice of one half of the sources against all choices of the other half at once, in numpy."""
    import numpy as np

    half = len(problem.order) // 2

    def table(sources: tuple[int, ...]) -> tuple[Any, Any]:
        keys = np.zeros(1, np.uint64)
        sums = np.zeros((1, len(problem.least)), np.int16)
        for i in sources:
            options = problem.weights[i].items()
            keys = np.concatenate([keys | np.uint64(key(i, o)) for o, _ in options])
            sums = np.concatenate([sums + np.array(w, np.int16) for _, w in options])
        return keys, sums

    left, left_sums = table(problem.order[:half])
    right, right_sums = table(problem.order[half:])
    columns = np.ascontiguousarray(right_sums.T)
    for way, sums in zip(left, left_sums, strict=True):
        holds = np.ones(len(right), bool)
        for clause in problem.clauses:
            some = np.zeros(len(right), bool)
            for atom in clause:
                some |= columns[atom] >= problem.least[atom] - int(sums[atom])
            holds &= some
        found = right[holds]
        if len(found):
            yield found | way
