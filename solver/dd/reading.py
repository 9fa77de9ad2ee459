"""Reads a CP-SAT model's proto into sums and constraints, constants folded.

Two constraints over the same linear expression share one sum: what is tracked while a diagram is built is sums.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from lawful.solver.dd.kinds import FAILS, HOLDS, Computed, Constraint, Intervals, Largest, Literal, Rows, Within

FAR = 1 << 62


class Unsupported(Exception):
    """A model that no diagram is built from: a kind of constraint, or a size."""


@dataclass(slots=True)
class Model:
    """A model, read.

    Parameters
    ----------
    domains : list of intervals
        Of every variable of the proto.
    sums : list of dict of int to int
        Coefficients of every sum; no variable in it is fixed.
    constraints : list of Constraint
        Those that are not settled by the domains.
    infeasible : bool
        Whether the domains alone show that there is no solution.
    forces : bool
        Whether the domains alone show that some constraint fails where it binds.
    """

    domains: list[Intervals]
    sums: list[dict[int, int]] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    infeasible: bool = False
    forces: bool = False

    def fixed(self, variable: int) -> int | None:
        """Return a variable's only value, or None."""
        domain = self.domains[variable]
        return domain[0][0] if len(domain) == 1 and domain[0][0] == domain[0][1] else None

    def range(self, variable: int) -> tuple[int, int]:
        """Return a variable's least and greatest value."""
        domain = self.domains[variable]
        return domain[0][0], domain[-1][1]


@dataclass(slots=True)
class _Raw:
    """A constraint before sums are shared: expressions with their coefficients and constants."""

    kind: type[Constraint]
    expressions: list[tuple[dict[int, int], int]]
    enforced: list[Literal]
    extra: tuple[Any, ...] = ()


def read(proto: Any) -> Model:
    """Read a proto.

    Parameters
    ----------
    proto : CpModelProto
        Without an objective.

    Returns
    -------
    Model
        With equal solutions.

    Raises
    ------
    Unsupported
        If it has a kind of constraint that is not known here.
    """
    if proto.has_objective() or proto.has_floating_point_objective():
        raise Unsupported("an objective")
    model = Model([_intervals(_plain(v.domain)) for v in _plain(proto.variables)])
    if any(not domain for domain in model.domains):
        model.infeasible = True
        return model
    raws = [raw for c in _plain(proto.constraints) for raw in _raws(c)]
    raws += [_clause([_literal(a)], []) for a in _plain(proto.assumptions)]
    raws = _fold(model, raws)
    if not model.infeasible:
        _share(model, raws)
    return model


def _plain(repeated: Any) -> list[Any]:
    """Return a repeated field as a list: by index, as its iterator ends with an exception, which is slow."""
    n = len(repeated)
    return [repeated[i] for i in range(n)] if n else []


def _intervals(flat: list[int]) -> Intervals:
    return tuple(zip(flat[::2], flat[1::2], strict=True))


def _literal(index: int) -> Literal:
    return (index, 1) if index >= 0 else (-index - 1, 0)


def _clause(literals: Iterable[Literal], enforced: list[Literal]) -> _Raw:
    return _count(literals, enforced, 1, FAR)


def _count(literals: Iterable[Literal], enforced: list[Literal], least: int, most: int) -> _Raw:
    """So many of these literals are true; a literal that stands twice counts twice."""
    coefficients, constant = _sum_of(literals)
    return _Raw(Within, [(coefficients, constant)], enforced, (((least, most),),))


def _sum_of(literals: Iterable[Literal]) -> tuple[dict[int, int], int]:
    coefficients: dict[int, int] = {}
    constant = 0
    for variable, wanted in literals:
        coefficients[variable] = coefficients.get(variable, 0) + (1 if wanted else -1)
        constant += 0 if wanted else 1
    return coefficients, constant


def _row(e: Any) -> dict[int, int]:
    variables, factors = _plain(e.vars), _plain(e.coeffs)
    coefficients = dict(zip(variables, factors, strict=True))
    if len(coefficients) < len(variables):  # one stands twice
        coefficients = dict.fromkeys(coefficients, 0)
        for variable, factor in zip(variables, factors, strict=True):
            coefficients[variable] += factor
    return coefficients


def _expression(e: Any) -> tuple[dict[int, int], int]:
    return _row(e), e.offset


def _raws(c: Any) -> Iterable[_Raw]:
    enforced = [(e, 1) if e >= 0 else (-e - 1, 0) for e in _plain(c.enforcement_literal)]
    if c.has_linear():
        row = c.linear
        yield _Raw(Within, [(_row(row), 0)], enforced, (_intervals(_plain(row.domain)),))
    elif c.has_bool_or():
        yield _clause(map(_literal, _plain(c.bool_or.literals)), enforced)
    elif c.has_bool_and():
        for literal in _plain(c.bool_and.literals):
            yield _clause([_literal(literal)], enforced)
    elif c.has_at_most_one():
        yield _count(map(_literal, _plain(c.at_most_one.literals)), enforced, -FAR, 1)
    elif c.has_exactly_one():
        yield _count(map(_literal, _plain(c.exactly_one.literals)), enforced, 1, 1)
    elif c.has_bool_xor():
        literals = [_literal(a) for a in _plain(c.bool_xor.literals)]
        coefficients, constant = _sum_of(literals)
        odd = tuple((n, n) for n in range(1, len(literals) + 1, 2))
        yield _Raw(Within, [(coefficients, constant)], enforced, (odd,))
    elif c.has_lin_max():
        yield _Raw(Largest, [_expression(c.lin_max.target), *map(_expression, c.lin_max.exprs)], enforced)
    elif c.has_table():
        yield _table(c.table, enforced)
    else:
        yield _computed(c, enforced)


def _table(table: Any, enforced: list[Literal]) -> _Raw:
    columns = [_expression(e) for e in _plain(table.exprs)] or [({v: 1}, 0) for v in _plain(table.vars)]
    values, width = _plain(table.values), len(columns)
    rows = tuple(tuple(values[i : i + width]) for i in range(0, len(values), width)) if width else ()
    return _Raw(Rows, columns, enforced, (rows, table.negated))


def _computed(c: Any, enforced: list[Literal]) -> _Raw:
    if c.has_element() and c.element.exprs:
        parts = [c.element.linear_target, c.element.linear_index, *c.element.exprs]
        return _Raw(Computed, [_expression(e) for e in parts], enforced, ("element",))
    for name, how in (("int_prod", "product"), ("int_div", "quotient"), ("int_mod", "remainder")):
        if getattr(c, f"has_{name}")():
            part = getattr(c, name)
            return _Raw(Computed, [_expression(part.target), *map(_expression, part.exprs)], enforced, (how,))
    if c.has_all_diff():
        return _Raw(Computed, [_expression(e) for e in c.all_diff.exprs], enforced, ("different",))
    kind = next((k[4:] for k in dir(c) if k.startswith("has_") and getattr(c, k)()), "unknown")
    raise Unsupported(f"a constraint of kind {kind}")


def _fold(model: Model, raws: list[_Raw]) -> list[_Raw]:
    """Put fixed variables in as constants, until nothing more is fixed."""
    fresh = {v: value for v in range(len(model.domains)) if (value := model.fixed(v)) is not None}
    first = True
    while (fresh or first) and not model.infeasible:
        found: dict[int, int] = {}
        kept = []
        for raw in raws:
            if first or _mentions(raw, fresh):
                if not _put_in(raw, fresh):
                    continue
                if raw.kind is Within and len(raw.expressions[0][0]) > 1:
                    kept.append(raw)
                    continue
                fixed = _fix(model, raw)
                if fixed is not None and (value := model.fixed(fixed)) is not None:
                    found[fixed] = value
                if model.infeasible:
                    return []
                if raw.kind is Within and not raw.expressions[0][0] and not raw.enforced:
                    continue
            kept.append(raw)
        raws, fresh, first = kept, found, False
    return raws


def _mentions(raw: _Raw, fresh: dict[int, int]) -> bool:
    if any(variable in fresh for variable, _ in raw.enforced):
        return True
    return any(not fresh.keys().isdisjoint(coefficients) for coefficients, _ in raw.expressions)


def _put_in(raw: _Raw, fresh: dict[int, int]) -> bool:
    """Replace variables that became fixed by their values; return whether the constraint can still say anything."""
    if raw.enforced:
        enforced = []
        for variable, wanted in raw.enforced:
            value = fresh.get(variable)
            if value is None:
                enforced.append((variable, wanted))
            elif value != wanted:
                return False
        raw.enforced = enforced
    for i, (coefficients, constant) in enumerate(raw.expressions):
        if 0 in coefficients.values() or not fresh.keys().isdisjoint(coefficients):
            constant += sum([c * fresh[v] for v, c in coefficients.items() if v in fresh])
            coefficients = {v: c for v, c in coefficients.items() if v not in fresh and c}
            raw.expressions[i] = coefficients, constant
    return True


def _fix(model: Model, raw: _Raw) -> int | None:
    """Use a constraint of one variable, or of none, on the domains; return the variable that it narrows."""
    if raw.kind is not Within:
        return None
    (coefficients, constant), (intervals,) = raw.expressions[0], raw.extra
    if len(coefficients) == 1 and not raw.enforced:
        ((variable, factor),) = coefficients.items()
        raw.expressions[0] = {}, intervals[0][0] if intervals else 0  # it is in the domain from here on
        return _restrict(model, variable, _divided(intervals, constant, factor))
    if coefficients:
        return None
    if any(least <= constant <= most for least, most in intervals):
        raw.enforced = []
        return None
    if not raw.enforced:
        model.infeasible = True
        return None
    if len(raw.enforced) == 1:
        ((variable, wanted),) = raw.enforced
        raw.enforced, raw.expressions, raw.extra = [], [({}, 0)], (((0, 0),),)
        return _restrict(model, variable, ((1 - wanted, 1 - wanted),))
    return None


def _divided(intervals: Intervals, constant: int, factor: int) -> Intervals:
    """Return where a variable may lie so that `factor * variable + constant` lies in the intervals."""
    found = []
    for least, most in intervals:
        low, high = least - constant, most - constant
        if factor < 0:
            low, high = -high, -low
        size = abs(factor)
        low, high = -(-low // size), high // size
        if low <= high:
            found.append((low, high))
    return tuple(sorted(found))


def _restrict(model: Model, variable: int, intervals: Intervals) -> int | None:
    left = tuple(
        (max(a, c), min(b, d)) for a, b in model.domains[variable] for c, d in intervals if max(a, c) <= min(b, d)
    )
    if not left:
        model.infeasible = True
    if not left or left == model.domains[variable]:
        return None
    model.domains[variable] = left
    return variable


def _share(model: Model, raws: list[_Raw]) -> None:
    """Give every distinct expression one sum; drop constraints that the domains settle."""
    numbers: dict[tuple[tuple[int, int], ...], int] = {}
    ends = [model.range(v) for v in range(len(model.domains))]
    for raw in raws:
        expressions, extra = raw.expressions, raw.extra
        ranges = []
        if raw.kind is Within:  # the constant goes into the bounds
            (coefficients, constant), (intervals,) = expressions[0], extra
            if constant:
                intervals = tuple([(a - constant, b - constant) for a, b in intervals])
                expressions, extra = [(coefficients, 0)], (intervals,)
        for coefficients, constant in expressions:
            low = high = constant
            for variable, factor in coefficients.items():
                least, most = ends[variable]
                low += factor * (least if factor > 0 else most)
                high += factor * (most if factor > 0 else least)
            ranges.append((low, high))
        offsets = tuple([constant for _, constant in expressions])
        made = raw.kind((), offsets, tuple(dict.fromkeys(raw.enforced)), *extra)
        status = made.status(ranges)
        if status == HOLDS:
            continue
        if status == FAILS:
            model.forces = True
            model.infeasible = model.infeasible or not made.enforced
        indexes = []
        for coefficients, _ in expressions:
            key = tuple(sorted(coefficients.items()))
            number = numbers.setdefault(key, len(model.sums))
            if number == len(model.sums):
                model.sums.append(coefficients)
            indexes.append(number)
        made.sums = tuple(indexes)
        model.constraints.append(made)
