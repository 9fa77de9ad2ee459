"""Literals that a constraint fails: the model's opposite, one constraint at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any, TypeAlias

from ortools.sat.python import cp_model

from lawful.solver.dd.reading import Unsupported

FAR = 1 << 62
Opposite: TypeAlias = Callable[[cp_model.CpModel, Any, Sequence[cp_model.IntVar]], list[Any]]


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
    found = linear(constraint)
    if found is not None:
        (factors, constant), intervals = found
        whole = cp_model.LinearExpr.weighted_sum([variables[v] for v in factors], list(factors.values())) + constant
        return _together(model, constraint, variables, [whole], [complement(intervals)])
    for kind, opposite in OPPOSITES.items():
        if getattr(constraint, f"has_{kind}")():
            return opposite(model, constraint, variables)
    raise Unsupported("a constraint whose opposite is not known")


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


def linear(constraint: Any) -> tuple[tuple[dict[int, int], int], list[tuple[int, int]]] | None:
    """Return what a constraint says if it is one sum in some intervals: factors, constant, intervals; else None."""
    if constraint.has_linear():
        factors: dict[int, int] = {}
        for v, factor in zip(list(constraint.linear.vars), list(constraint.linear.coeffs), strict=True):
            factors[v] = factors.get(v, 0) + factor
        flat = list(constraint.linear.domain)
        return (factors, 0), list(zip(flat[::2], flat[1::2], strict=True))
    for name, intervals in (("bool_or", [(1, FAR)]), ("at_most_one", [(-FAR, 1)]), ("exactly_one", [(1, 1)])):
        if getattr(constraint, f"has_{name}")():
            return _count(list(getattr(constraint, name).literals)), intervals
    if constraint.has_bool_xor():
        literals = list(constraint.bool_xor.literals)
        return _count(literals), [(n, n) for n in range(1, len(literals) + 1, 2)]
    return None


def _count(literals: Sequence[int]) -> tuple[dict[int, int], int]:
    factors: dict[int, int] = {}
    for literal in literals:
        v, sign = (literal, 1) if literal >= 0 else (-literal - 1, -1)
        factors[v] = factors.get(v, 0) + sign
    return factors, sum(literal < 0 for literal in literals)


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
    columns = [_affine(variables, e) for e in table.exprs] or [variables[v] for v in table.vars]
    values, width = list(table.values), len(columns)
    rows = [tuple(values[i : i + width]) for i in range(0, len(values), width)] if width else []
    broken = model.new_bool_var("fails")
    for e in constraint.enforcement_literal:
        model.add_implication(broken, _literal(variables, e))
    add = model.add_allowed_assignments if table.negated else model.add_forbidden_assignments
    add(columns, rows).only_enforce_if(broken)
    return [broken]


def _not_equal(
    model: cp_model.CpModel, constraint: Any, variables: Sequence[cp_model.IntVar], target: Any, value: Any
) -> list[Any]:
    return _together(model, constraint, variables, [target - value], [((-FAR, -1), (1, FAR))])


def _not_product(model: cp_model.CpModel, constraint: Any, variables: Sequence[cp_model.IntVar]) -> list[Any]:
    """The product has a value, and the target has another."""
    value: Any = 1
    low = high = 1
    for e in constraint.int_prod.exprs:
        least, most = ends_of(model.proto, e)
        corners = [a * b for a in (low, high) for b in (least, most)]
        low, high = min(corners), max(corners)
        factor = _affine(variables, e)
        if isinstance(value, int):
            value = value * factor
            continue
        product = model.new_int_var(low, high, "product")
        model.add_multiplication_equality(product, [value, factor])
        value = product
    return _not_equal(model, constraint, variables, _affine(variables, constraint.int_prod.target), value)


def _not_quotient(model: cp_model.CpModel, constraint: Any, variables: Sequence[cp_model.IntVar]) -> list[Any]:
    over, under = constraint.int_div.exprs
    most = max(map(abs, ends_of(model.proto, over)))
    value = model.new_int_var(-most, most, "quotient")
    model.add_division_equality(value, _affine(variables, over), _affine(variables, under))
    return _not_equal(model, constraint, variables, _affine(variables, constraint.int_div.target), value)


def _not_remainder(model: cp_model.CpModel, constraint: Any, variables: Sequence[cp_model.IntVar]) -> list[Any]:
    over, under = constraint.int_mod.exprs
    most = max(map(abs, ends_of(model.proto, over)))
    value = model.new_int_var(-most, most, "remainder")
    model.add_modulo_equality(value, _affine(variables, over), _affine(variables, under))
    return _not_equal(model, constraint, variables, _affine(variables, constraint.int_mod.target), value)


def _not_element(model: cp_model.CpModel, constraint: Any, variables: Sequence[cp_model.IntVar]) -> list[Any]:
    """The index is none, or the target is not the element there."""
    element = constraint.element
    if not element.exprs:
        raise Unsupported("an element in its old form")
    index, target = _affine(variables, element.linear_index), _affine(variables, element.linear_target)
    none = ((-FAR, -1), (len(element.exprs), FAR))
    found = _together(model, constraint, variables, [index], [none])
    for i, e in enumerate(element.exprs):
        pair = [index, target - _affine(variables, e)]
        found += _together(model, constraint, variables, pair, [((i, i),), ((-FAR, -1), (1, FAR))])
    return found


def _not_different(model: cp_model.CpModel, constraint: Any, variables: Sequence[cp_model.IntVar]) -> list[Any]:
    """Two of them are equal."""
    parts = [_affine(variables, e) for e in constraint.all_diff.exprs]
    found = []
    for one, other in combinations(parts, 2):
        found += _together(model, constraint, variables, [one - other], [((0, 0),)])
    return found


def ends_of(proto: Any, e: Any) -> tuple[int, int]:
    """Return the least and the greatest value that an expression can have."""
    low = high = e.offset
    for v, factor in zip(list(e.vars), list(e.coeffs), strict=True):
        domain = list(proto.variables[v].domain)
        ends = sorted((factor * domain[0], factor * domain[-1]))
        low, high = low + ends[0], high + ends[1]
    return low, high


OPPOSITES: dict[str, Opposite] = {
    "lin_max": _not_largest,
    "table": _not_in_table,
    "int_prod": _not_product,
    "int_div": _not_quotient,
    "int_mod": _not_remainder,
    "element": _not_element,
    "all_diff": _not_different,
}
