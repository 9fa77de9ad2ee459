"""Literals that a constraint fails: the model's opposite, one constraint at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ortools.sat.python import cp_model

from lawful.solver.dd.reading import Unsupported

FAR = 1 << 62


def fails(model: cp_model.CpModel, constraint: Any, variables: Sequence[cp_model.IntVar]) -> list[cp_model.IntVar]:
    """Return literals, each of which implies that a constraint binds and does not hold; one can be true if it fails.

    Parameters
    ----------
    model : CpModel
        Where the literals are made.
    constraint : ConstraintProto
        The constraint.
    variables : sequence of IntVar
        The model's variables, by index.

    Returns
    -------
    list of BoolVar
        Empty for a constraint that cannot fail.

    Raises
    ------
    Unsupported
        For a kind of constraint that is not known here.
    """
    if constraint.has_bool_and():
        return [
            literal
            for one in constraint.bool_and.literals
            for literal in _together(model, constraint, variables, [_sum(variables, [one])], [((-FAR, 0),)])
        ]
    if constraint.has_lin_max():
        return _not_largest(model, constraint, variables)
    if constraint.has_table():
        return _not_in_table(model, constraint, variables)
    expression, intervals = _linear(constraint, variables)
    return _together(model, constraint, variables, [expression], [complement(intervals)])


def complement(intervals: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return the integers outside sorted intervals."""
    found, start = [], -FAR
    for a, b in intervals:
        if start <= a - 1:
            found.append((start, a - 1))
        start = max(start, b + 1)
    if start <= FAR:
        found.append((start, FAR))
    return tuple((a, b) for a, b in found if b > -FAR and a < FAR)


def _literal(variables: Sequence[cp_model.IntVar], index: int) -> Any:
    return variables[index] if index >= 0 else variables[-index - 1].negated()


def _sum(variables: Sequence[cp_model.IntVar], literals: Sequence[int]) -> Any:
    return cp_model.LinearExpr.sum([_literal(variables, a) for a in literals])


def _affine(variables: Sequence[cp_model.IntVar], e: Any) -> Any:
    return cp_model.LinearExpr.weighted_sum([variables[v] for v in e.vars], list(e.coeffs)) + e.offset


def _linear(constraint: Any, variables: Sequence[cp_model.IntVar]) -> tuple[Any, Sequence[tuple[int, int]]]:
    if constraint.has_linear():
        row = constraint.linear
        flat = list(row.domain)
        expression = cp_model.LinearExpr.weighted_sum([variables[v] for v in row.vars], list(row.coeffs))
        return expression, list(zip(flat[::2], flat[1::2], strict=True))
    for name, intervals in (("bool_or", [(1, FAR)]), ("at_most_one", [(-FAR, 1)]), ("exactly_one", [(1, 1)])):
        if getattr(constraint, f"has_{name}")():
            return _sum(variables, list(getattr(constraint, name).literals)), intervals
    if constraint.has_bool_xor():
        literals = list(constraint.bool_xor.literals)
        return _sum(variables, literals), [(n, n) for n in range(1, len(literals) + 1, 2)]
    raise Unsupported("a constraint whose opposite is not known")


def _together(
    model: cp_model.CpModel,
    constraint: Any,
    variables: Sequence[cp_model.IntVar],
    expressions: Sequence[Any],
    outside: Sequence[Sequence[tuple[int, int]]],
) -> list[cp_model.IntVar]:
    """Return a literal that implies: the constraint binds, and every expression lies in its intervals."""
    broken = model.new_bool_var("fails")
    for e in constraint.enforcement_literal:
        model.add_implication(broken, _literal(variables, e))
    for expression, intervals in zip(expressions, outside, strict=True):
        domain = cp_model.Domain.from_intervals([list(interval) for interval in intervals])
        if isinstance(expression, int):
            if not any(a <= expression <= b for a, b in intervals):
                return []
        else:
            model.add_linear_expression_in_domain(expression, domain).only_enforce_if(broken)
    return [broken]


def _not_largest(model: cp_model.CpModel, constraint: Any, variables: Sequence[cp_model.IntVar]) -> list[Any]:
    """The target is below one of the expressions, or above all of them."""
    target = _affine(variables, constraint.lin_max.target)
    parts = [_affine(variables, e) for e in constraint.lin_max.exprs]
    found = []
    for part in parts:
        found += _together(model, constraint, variables, [part - target], [((1, FAR),)])
    return found + _together(
        model, constraint, variables, [target - part for part in parts], [((1, FAR),)] * len(parts)
    )


def _not_in_table(model: cp_model.CpModel, constraint: Any, variables: Sequence[cp_model.IntVar]) -> list[Any]:
    table = constraint.table
    columns = [_affine(variables, e) for e in table.exprs]
    values, width = list(table.values), len(columns)
    rows = [tuple(values[i : i + width]) for i in range(0, len(values), width)] if width else []
    broken = model.new_bool_var("fails")
    for e in constraint.enforcement_literal:
        model.add_implication(broken, _literal(variables, e))
    add = model.add_allowed_assignments if table.negated else model.add_forbidden_assignments
    add(columns, rows).only_enforce_if(broken)
    return [broken]
