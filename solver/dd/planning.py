"""The order of work: decisions layer by layer, and each auxiliary as soon as some constraint says what it is."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import inf

from lawful.model.errors import LimitReached
from lawful.solver.dd.kinds import FAILS, Constraint, Within
from lawful.solver.dd.reading import Model, Unsupported

MANY_VALUES = 5_000


class OverBudget(LimitReached):
    """The diagram has more nodes, or took more time, than allowed; where nothing falls back, a limit like any other."""


@dataclass(frozen=True, slots=True)
class Layer:
    """Decision variables that take their values together.

    Parameters
    ----------
    variables : tuple of int
        Indexes into the proto.
    labels : tuple of tuple of int
        What they may be, in canonical order.
    """

    variables: tuple[int, ...]
    labels: tuple[tuple[int, ...], ...]


@dataclass(slots=True)
class Step:
    """One step: a layer, or one auxiliary (then `layer` is None).

    Parameters
    ----------
    layer : Layer or None
        The layer.
    variables : tuple of int
        What gets a value.
    sums : tuple of int
        Sums that contain one of them.
    judged : tuple of int
        Constraints to look at afterwards.
    affected : tuple of int
        Sums of these.
    gains : tuple of tuple of int
        For each of `sums`, what every label of a layer adds.
    low, high : list of int
        What every sum can still gain after the step.
    """

    layer: Layer | None
    variables: tuple[int, ...]
    sums: tuple[int, ...] = ()
    judged: tuple[int, ...] = ()
    affected: tuple[int, ...] = ()
    gains: tuple[tuple[int, ...], ...] = ()
    low: list[int] = field(default_factory=list)
    high: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Plan:
    """All steps, with what is looked up while they are taken.

    Parameters
    ----------
    model : Model
        The model.
    steps : list of Step
        In order.
    of_sum : list of list of int
        Constraints over each sum.
    under : dict of int to list of int
        Constraints that a variable enforces.
    tracked : tuple of int
        Variables whose value is remembered: auxiliaries, and decisions that enforce something.
    when : dict of int to int
        The step of each variable.
    whole : Step
        What stands before all of them: it has what every sum can gain at all.
    """

    model: Model
    steps: list[Step]
    of_sum: list[list[int]]
    under: dict[int, list[int]]
    tracked: tuple[int, ...]
    when: dict[int, int]
    whole: Step


def plan(model: Model, decisions: Sequence[Sequence[tuple[int, bool]]], deadline: float = inf) -> Plan:
    """Order the work.

    Parameters
    ----------
    model : Model
        The model.
    decisions : sequence of sequence of (int, bool)
        Layers: variables, each with whether its largest value comes first.
    deadline : float
        On the monotonic clock.

    Returns
    -------
    Plan
        Every variable that some constraint mentions has a step.

    Raises
    ------
    OverBudget
        If the time is over.
    """
    of_sum: list[list[int]] = [[] for _ in model.sums]
    under: dict[int, list[int]] = {}
    for c, constraint in enumerate(model.constraints):
        for j in dict.fromkeys(constraint.sums):
            of_sum[j].append(c)
        for variable, _ in dict.fromkeys(constraint.enforced):
            under.setdefault(variable, []).append(c)
    steps = list(_steps(model, decisions, deadline))
    when = {v: i for i, step in enumerate(steps) for v in step.variables}
    decided = {v for layer in decisions for v, _ in layer}
    tracked = tuple(v for v in when if v in under or v not in decided)
    made = Plan(model, steps, of_sum, under, tracked, when, Step(None, ()))
    _look_up(made, deadline)
    return made


def _check(deadline: float) -> None:
    if time.monotonic() > deadline:
        raise OverBudget("seconds", 0)


def _mentions(model: Model, constraint: Constraint) -> set[int]:
    return {v for j in constraint.sums for v in model.sums[j]} | {v for v, _ in constraint.enforced}


def _steps(model: Model, decisions: Sequence[Sequence[tuple[int, bool]]], deadline: float) -> Iterator[Step]:
    mentioned = [_mentions(model, c) for c in model.constraints]
    decided = {v for layer in decisions for v, _ in layer}
    left: list[set[int]] = [set(m) for m in mentioned]
    of_variable: dict[int, list[int]] = {}
    for c, variables in enumerate(mentioned):
        for v in variables:
            of_variable.setdefault(v, []).append(c)
    waiting = sorted(set(of_variable) - decided)

    def take(variables: Sequence[int]) -> list[int]:
        ready = []
        for v in variables:
            for c in of_variable.get(v, ()):
                left[c].discard(v)
                if len(left[c]) == 1:
                    ready.append(c)
        return ready

    def settle(ready: list[int]) -> Iterator[Step]:
        while ready:
            for v in left[ready.pop(0)] - decided:
                waiting.remove(v)
                yield Step(None, (v,))
                ready += take([v])

    yield from settle([c for c, variables in enumerate(left) if len(variables) == 1])
    for layer in decisions:
        near = sorted({c for v, _ in layer for c in of_variable.get(v, ())})
        made = _layer(model, layer, [(model.constraints[c], mentioned[c]) for c in near], deadline)
        yield Step(made, made.variables)
        yield from settle(take(made.variables))
    while waiting:  # nothing determines them: any order does
        v = min(waiting, key=lambda v: (model.range(v)[1] - model.range(v)[0], v))
        waiting.remove(v)
        yield Step(None, (v,))
        yield from settle(take([v]))


def _layer(
    model: Model, layer: Sequence[tuple[int, bool]], near: Sequence[tuple[Constraint, set[int]]], deadline: float
) -> Layer:
    """Return the layer's labels: what the constraints inside it leave, of those that mention a variable of it."""
    variables = tuple(v for v, _ in layer)
    place = {v: i for i, v in enumerate(variables)}
    inside = [_Inside(model, c, place) for c, mentions in near if isinstance(c, Within) and mentions <= place.keys()]
    if not inside and len(variables) == 1:
        values = values_of(model, variables[0])
        return Layer(variables, tuple([(value,) for value in (reversed(values) if layer[0][1] else values)]))
    slots = _slots(model, layer, inside)
    # A constraint is looked at again only when one of its own variables got its value.
    ends = list(accumulate(len(values[0]) for values in slots))
    starts = [0, *ends][: len(ends)]
    looked = [
        [c for c in inside if not c.is_kept(*span) and any(start <= i < end for i in c.mentions)]
        for span in zip(starts, ends, strict=True)
        for start, end in [span]
    ]
    labels: list[tuple[int, ...]] = []
    chosen: list[int] = []
    tried = [iter(slots[0])] if slots else []
    while tried:
        depth = len(tried) - 1
        value = next(tried[-1], None)
        del chosen[starts[depth] :]
        if value is None:
            tried.pop()
            _check(deadline)
            continue
        chosen += value
        if any(c.broken(chosen) for c in looked[depth]):
            continue
        if depth + 1 < len(slots):
            tried.append(iter(slots[depth + 1]))
        elif len(labels) == MANY_VALUES:
            raise Unsupported(f"more than {MANY_VALUES} values in one layer")
        else:
            labels.append(tuple(chosen))
    return Layer(variables, tuple(labels) if slots else ((),))


def _slots(model: Model, layer: Sequence[tuple[int, bool]], inside: Sequence[_Inside]) -> list[list[tuple[int, ...]]]:
    """Return what neighbouring variables may be: "exactly one of these" as one choice, the others one by one."""
    one_of = {c.terms[0][0]: [i for i, _ in c.terms] for c in inside if c.is_one_of}
    slots: list[list[tuple[int, ...]]] = []
    i = 0
    while i < len(layer):
        open_ = one_of.get(i, [i])
        n = open_[-1] - i + 1
        if n > 1 and all(largest for _, largest in layer[i : i + n]):
            rest = {j: values_of(model, layer[j][0])[0] for j in range(i, i + n) if j not in {*open_}}
            slots.append([tuple(rest.get(j, int(j == k)) for j in range(i, i + n)) for k in open_])
        else:
            n, (v, largest_first) = 1, layer[i]
            values: list[tuple[int, ...]] = [(value,) for value in values_of(model, v)]
            slots.append(values[::-1] if largest_first else values)
        i += n
    return slots


class _Inside:
    """A constraint inside one layer, judged while the layer's variables get their values one by one."""

    def __init__(self, model: Model, constraint: Within, place: dict[int, int]) -> None:
        self.constraint = constraint
        self.enforced = [(place[v], wanted) for v, wanted in constraint.enforced]
        self.terms = sorted((place[v], factor) for v, factor in model.sums[constraint.sums[0]].items())
        self.mentions = {i for i, _ in self.enforced} | {i for i, _ in self.terms}
        variables = list(place)
        rest = [(0, 0)]
        for i, factor in reversed(self.terms):
            ends = sorted(factor * n for n in model.range(variables[i]))
            rest.append((rest[-1][0] + ends[0], rest[-1][1] + ends[1]))
        places = [i for i, _ in self.terms]
        self.is_one_of = bool(places) and (
            constraint.intervals == ((1, 1),)
            and not self.enforced
            and all(is_decided(model, variables[i]) for i in {*range(places[0], places[-1])}.difference(places))
            and all(factor == 1 and model.domains[variables[i]] == ((0, 1),) for i, factor in self.terms)
        )
        self.rest = rest[::-1]  # what the terms from each one on can still give

    def is_kept(self, start: int, end: int) -> bool:
        """Say whether a choice of exactly one of some variables keeps it, whichever it is."""
        return self.is_one_of and end - start > 1 and [i for i, _ in self.terms] == list(range(start, end))

    def broken(self, chosen: list[int]) -> bool:
        """Say whether it cannot hold any more."""
        if any(i >= len(chosen) or chosen[i] != wanted for i, wanted in self.enforced):
            return False
        known = total = 0
        for i, factor in self.terms:
            if i >= len(chosen):
                break
            total += factor * chosen[i]
            known += 1
        low, high = self.rest[known]
        return self.constraint.status([(total + low, total + high)]) == FAILS


def is_decided(model: Model, variable: int) -> bool:
    """Say whether a variable has one value only: then sums do not mention it."""
    low, high = model.range(variable)
    return low == high


def values_of(model: Model, variable: int) -> list[int]:
    """Return a variable's values."""
    size = sum(b - a + 1 for a, b in model.domains[variable])
    if size > MANY_VALUES:
        raise Unsupported(f"a variable of {size} values")
    return [n for a, b in model.domains[variable] for n in range(a, b + 1)]


def _look_up(made: Plan, deadline: float) -> None:
    """Work out what each step touches, and what every sum can still gain after it."""
    model = made.model
    of_variable: dict[int, list[int]] = {}
    for j, coefficients in enumerate(model.sums):
        for v in coefficients:
            of_variable.setdefault(v, []).append(j)
    low, high = [0] * len(model.sums), [0] * len(model.sums)
    for step in reversed(made.steps):
        step.low, step.high = list(low), list(high)
        touched = dict.fromkeys(j for v in step.variables for j in of_variable.get(v, ()))
        step.sums = tuple(touched)
        judged = dict.fromkeys(c for j in touched for c in made.of_sum[j])
        judged |= dict.fromkeys(c for v in step.variables for c in made.under.get(v, ()))
        affected = dict.fromkeys(j for c in judged for j in model.constraints[c].sums)
        step.judged, step.affected = tuple(judged), tuple(affected)
        _check(deadline)
        several = [] if step.layer is None or len(step.variables) == 1 else step.layer.labels
        given = [[(i, n) for i, n in enumerate(label) if n] for label in several]
        gains = [_gains(model, step, j, given) for j in touched]
        for j, ends in zip(touched, gains, strict=True):
            low[j] += min(ends, default=0)
            high[j] += max(ends, default=0)
        step.gains = tuple(gains) if step.layer is not None else ()
    made.whole.low, made.whole.high = low, high


def _gains(model: Model, step: Step, j: int, given: Sequence[Sequence[tuple[int, int]]]) -> tuple[int, ...]:
    """Return what a sum gains by every label of a layer, or by the least and the greatest value of an auxiliary.

    `given` says of every label of several variables what is not 0 in it.
    """
    factors = model.sums[j]
    if step.layer is None:
        (v,) = step.variables
        return tuple(factors[v] * n for n in model.range(v))
    mine = [(i, factors[v]) for i, v in enumerate(step.variables) if v in factors]
    if len(mine) == 1:
        ((i, factor),) = mine
        return tuple([factor * label[i] for label in step.layer.labels])
    factor_at = dict(mine)
    return tuple([sum([factor_at.get(i, 0) * n for i, n in label]) for label in given])
