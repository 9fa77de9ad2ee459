"""Which auxiliaries are defined: some constraints give them exactly one value, whatever the other variables are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Any, TypeAlias

from lawful.solver.dd.negation import ends_of

Key: TypeAlias = tuple[tuple[int, int], ...]


def defined(proto: Any, decided: set[int]) -> dict[int, set[int]]:
    """Find the defined auxiliaries.

    Parameters
    ----------
    proto : CpModelProto
        The model.
    decided : set of int
        Its decisions.

    Returns
    -------
    dict of int to set of int
        For each defined auxiliary, the constraints that define it. They never refuse anything, and none depends on
        an auxiliary that is defined by way of it.
    """
    candidates: dict[int, list[tuple[set[int], set[int]]]] = {}
    for v, constraints, needs in chain.from_iterable(kind(proto) for kind in KINDS):
        if v not in decided:
            candidates.setdefault(v, []).append((constraints, needs))
    found: dict[int, set[int]] = {}
    taken: set[int] = set()
    changed = True
    while changed:
        changed = False
        for v, ways in candidates.items():
            for constraints, needs in ways:
                if v not in found and needs <= decided | set(found) and not constraints & taken:
                    found[v] = constraints
                    taken |= constraints
                    changed = True
    return found


def _domain(proto: Any, v: int) -> list[int]:
    return list(proto.variables[v].domain)


def _fixed(proto: Any) -> Iterator[tuple[int, set[int], set[int]]]:
    for v, variable in enumerate(proto.variables):
        domain = list(variable.domain)
        if len(domain) == 2 and domain[0] == domain[1]:
            yield v, set(), set()


def _is_true(proto: Any, literal: int) -> bool:
    domain = _domain(proto, literal if literal >= 0 else -literal - 1)
    return domain == ([1, 1] if literal >= 0 else [0, 0])


def _enforced(proto: Any, constraint: Any) -> list[int]:
    """Return the enforcement literals that are not true anyway."""
    return [e for e in constraint.enforcement_literal if not _is_true(proto, e)]


def _row(linear: Any) -> dict[int, int]:
    row: dict[int, int] = {}
    for v, factor in zip(list(linear.vars), list(linear.coeffs), strict=True):
        row[v] = row.get(v, 0) + factor
    return {v: factor for v, factor in row.items() if factor}


def _range(proto: Any, row: dict[int, int]) -> tuple[int, int]:
    low = high = 0
    for v, factor in row.items():
        domain = _domain(proto, v)
        low += min(factor * domain[0], factor * domain[-1])
        high += max(factor * domain[0], factor * domain[-1])
    return low, high


def _reified(proto: Any) -> Iterator[tuple[int, set[int], set[int]]]:
    """A Boolean that says whether a sum lies in some values: two constraints whose values do not overlap, and cover."""
    half: dict[tuple[int, Key], tuple[int, list[tuple[int, int]], int]] = {}
    for c, constraint in enumerate(proto.constraints):
        if not constraint.has_linear():
            continue
        enforced = _enforced(proto, constraint)
        if len(enforced) != 1:
            continue
        literal = enforced[0]
        v = literal if literal >= 0 else -literal - 1
        row = _row(constraint.linear)
        flat = list(constraint.linear.domain)
        intervals = list(zip(flat[::2], flat[1::2], strict=True))
        key = v, tuple(sorted(row.items()))
        if v in row:
            continue
        other = half.get(key)
        if other is None or (other[0] >= 0) == (literal >= 0):
            half[key] = literal, intervals, c
        elif _partition(sorted([*intervals, *other[1]]), *_range(proto, row)):
            yield v, {c, other[2]}, set(row)


def _partition(intervals: list[tuple[int, int]], low: int, high: int) -> bool:
    """Say whether intervals do not overlap and cover a range."""
    if any(b >= c for (_, b), (c, _) in pairwise(intervals)):
        return False
    reached = low
    for a, b in intervals:
        if a > reached:
            break
        reached = max(reached, b + 1)
    return reached > high


def _equal(proto: Any) -> Iterator[tuple[int, set[int], set[int]]]:
    """A variable that an equation sets equal to a sum that its domain holds."""
    for c, constraint in enumerate(proto.constraints):
        if not constraint.has_linear() or _enforced(proto, constraint):
            continue
        flat = list(constraint.linear.domain)
        if len(flat) != 2 or flat[0] != flat[1]:
            continue
        row = _row(constraint.linear)
        for v, factor in row.items():
            domain = _domain(proto, v)
            if abs(factor) != 1 or len(domain) != 2:
                continue
            rest = {w: -factor * f for w, f in row.items() if w != v}  # v = factor * constant + rest
            low, high = _range(proto, rest)
            start = factor * flat[0]
            if domain[0] <= start + low and start + high <= domain[1]:
                yield v, {c}, set(rest)


def _largest(proto: Any) -> Iterator[tuple[int, set[int], set[int]]]:
    """A variable that is the largest, or the least, of expressions that its domain holds."""
    for c, constraint in enumerate(proto.constraints):
        if not constraint.has_lin_max() or _enforced(proto, constraint):
            continue
        target = constraint.lin_max.target
        if len(target.vars) != 1 or abs(target.coeffs[0]) != 1 or not constraint.lin_max.exprs:
            continue
        v, factor = target.vars[0], target.coeffs[0]
        domain = _domain(proto, v)
        ends, needs = [], set()
        for e in constraint.lin_max.exprs:
            row = _row(e)
            needs |= set(row)
            low, high = _range(proto, row)
            ends.append((low + e.offset - target.offset, high + e.offset - target.offset))
        low, high = max(low for low, _ in ends), max(high for _, high in ends)
        low, high = sorted((factor * low, factor * high))
        if v not in needs and len(domain) == 2 and domain[0] <= low and high <= domain[1]:
            yield v, {c}, needs


def _computed(proto: Any) -> Iterator[tuple[int, set[int], set[int]]]:
    """A variable that is a product, a quotient, a remainder, or an element, all of whose values its domain holds."""
    for c, constraint in enumerate(proto.constraints):
        found = _function(proto, constraint)
        if found is None or _enforced(proto, constraint):
            continue
        target, parts, (low, high) = found
        if len(target.vars) != 1 or abs(target.coeffs[0]) != 1:
            continue
        v, factor = target.vars[0], target.coeffs[0]
        domain, needs = _domain(proto, v), {w for e in parts for w in _row(e)}
        low, high = sorted((factor * (low - target.offset), factor * (high - target.offset)))
        if v not in needs and len(domain) == 2 and domain[0] <= low and high <= domain[1]:
            yield v, {c}, needs


def _function(proto: Any, constraint: Any) -> tuple[Any, list[Any], tuple[int, int]] | None:
    """Return target, arguments and range of a function that has a value whatever its arguments are; else None."""
    if constraint.has_int_prod():
        low = high = 1
        parts = list(constraint.int_prod.exprs)
        for e in parts:
            corners = [a * b for a in (low, high) for b in ends_of(proto, e)]
            low, high = min(corners), max(corners)
        return constraint.int_prod.target, parts, (low, high)
    for name in ("int_div", "int_mod"):
        if getattr(constraint, f"has_{name}")():
            part = getattr(constraint, name)
            over, under = part.exprs
            least, most = ends_of(proto, under)
            if least <= 0 <= most:
                return None
            far = max(map(abs, ends_of(proto, over)))
            sizes = sorted((abs(least), abs(most)))
            far = far // sizes[0] if name == "int_div" else min(far, sizes[1] - 1)
            return part.target, [over, under], (-far, far)
    if constraint.has_element() and constraint.element.exprs:
        index, parts = constraint.element.linear_index, list(constraint.element.exprs)
        least, most = ends_of(proto, index)
        if least < 0 or most >= len(parts):
            return None
        ends = [end for e in parts for end in ends_of(proto, e)]
        return constraint.element.linear_target, [index, *parts], (min(ends), max(ends))
    return None


KINDS = (_fixed, _reified, _equal, _largest, _computed)
