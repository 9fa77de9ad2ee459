"""Random small CP-SAT models of mixed constraint kinds, each with a literal reading of what it means."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

from ortools.sat.python import cp_model

Values = tuple[int, ...]


@dataclass
class World:
    """A model, its variables, their values, and what each constraint means."""

    model: cp_model.CpModel
    variables: list[cp_model.IntVar]
    domains: list[list[int]]
    meanings: list[Callable[[Values], bool]]
    layers: list[list[tuple[int, bool]]]

    @property
    def decisions(self) -> list[int]:
        """Variables that are decisions, in the order of the layers."""
        return [v for layer in self.layers for v, _ in layer]

    def solutions(self) -> set[Values]:
        """Return the projections to the decisions, by brute force."""
        found = set()
        for values in product(*self.domains):
            if all(meaning(values) for meaning in self.meanings):
                found.add(tuple(values[v] for v in self.decisions))
        return found


def world(rng: random.Random) -> World:
    """Return a random world: up to six variables, up to six constraints, some of them contradictory or trivial."""
    model = cp_model.CpModel()
    variables, domains = [], []
    for i in range(rng.randint(1, 6)):
        kind = rng.random()
        if kind < 0.55:
            values = [0, 1]
        elif kind < 0.65:
            values = [rng.randint(-2, 2)]
        elif kind < 0.8:
            values = sorted(rng.sample(range(-3, 5), rng.randint(2, 3)))  # with holes
        else:
            low = rng.randint(-2, 1)
            values = list(range(low, low + rng.randint(2, 4)))
        domains.append(values)
        variables.append(model.new_int_var_from_domain(cp_model.Domain.from_values(values), f"v{i}"))
    booleans = [i for i, d in enumerate(domains) if set(d) <= {0, 1}]
    meanings: list[Callable[[Values], bool]] = []
    for _ in range(rng.randint(0, 6)):
        maker = rng.choice(MAKERS)
        made = maker(rng, model, variables, booleans)
        if made is not None:
            meanings.append(_enforced(rng, variables, booleans, *made))
    order = list(range(len(variables)))
    rng.shuffle(order)
    order = order[: rng.randint(1, len(order))] if rng.random() < 0.6 else order
    layers: list[list[tuple[int, bool]]] = []
    for v in order:
        if layers and rng.random() < 0.3:
            layers[-1].append((v, rng.random() < 0.5))
        else:
            layers.append([(v, rng.random() < 0.5)])
    return World(model, variables, domains, meanings, layers)


Made = tuple[cp_model.Constraint, Callable[[Values], bool]]


def _enforced(
    rng: random.Random,
    variables: list[cp_model.IntVar],
    booleans: list[int],
    constraint: cp_model.Constraint,
    meaning: Callable[[Values], bool],
) -> Callable[[Values], bool]:
    if not booleans or rng.random() < 0.5:
        return meaning
    chosen = [(rng.choice(booleans), rng.random() < 0.5) for _ in range(rng.randint(1, 2))]
    constraint.only_enforce_if([_literal(variables, c) for c in chosen])
    return lambda values: not all(bool(values[v]) == wanted for v, wanted in chosen) or meaning(values)


def _literal(variables: list[cp_model.IntVar], literal: tuple[int, bool]) -> object:
    v, wanted = literal
    return variables[v] if wanted else variables[v].negated()


def _terms(rng: random.Random, n: int, most: int = 4) -> tuple[list[tuple[int, int]], int]:
    terms = [(rng.randrange(n), rng.choice([-3, -2, -1, 1, 1, 1, 2, 3])) for _ in range(rng.randint(0, most))]
    return terms, rng.randint(-2, 2)


def _expression(variables: list[cp_model.IntVar], terms: list[tuple[int, int]], constant: int) -> cp_model.LinearExpr:
    return cp_model.LinearExpr.weighted_sum([variables[v] for v, _ in terms], [c for _, c in terms]) + constant


def _value(values: Values, terms: list[tuple[int, int]], constant: int) -> int:
    return sum(values[v] * c for v, c in terms) + constant


def _linear(rng: random.Random, model: cp_model.CpModel, variables: list[cp_model.IntVar], booleans: list[int]) -> Made:
    terms, constant = _terms(rng, len(variables), 6)
    pieces = [sorted((rng.randint(-5, 6), rng.randint(-5, 6))) for _ in range(rng.choice([1, 1, 1, 2]))]
    if rng.random() < 0.3:
        pieces = [[pieces[0][0], pieces[0][0]]]
    domain = cp_model.Domain.from_intervals(pieces)
    constraint = model.add_linear_expression_in_domain(_expression(variables, terms, constant), domain)
    return constraint, lambda values: any(a <= _value(values, terms, constant) <= b for a, b in pieces)


def _bools(
    rng: random.Random, model: cp_model.CpModel, variables: list[cp_model.IntVar], booleans: list[int]
) -> Made | None:
    if not booleans:
        return None
    chosen = [(rng.choice(booleans), rng.random() < 0.5) for _ in range(rng.randint(1, 4))]
    literals = [_literal(variables, c) for c in chosen]
    add, means = rng.choice(
        [
            (model.add_bool_or, lambda n: n >= 1),
            (model.add_bool_and, lambda n: n == len(chosen)),
            (model.add_bool_xor, lambda n: n % 2 == 1),
            (model.add_at_most_one, lambda n: n <= 1),
            (model.add_exactly_one, lambda n: n == 1),
        ]
    )
    return add(literals), lambda values: means(sum(bool(values[v]) == wanted for v, wanted in chosen))


def _extreme(
    rng: random.Random, model: cp_model.CpModel, variables: list[cp_model.IntVar], booleans: list[int]
) -> Made:
    target = rng.randrange(len(variables))
    parts = [_terms(rng, len(variables), 2) for _ in range(rng.randint(1, 3))]
    expressions = [_expression(variables, *part) for part in parts]
    least = rng.random() < 0.5
    add, pick = (model.add_min_equality, min) if least else (model.add_max_equality, max)
    constraint = add(variables[target], expressions)
    return constraint, lambda values: values[target] == pick(_value(values, *part) for part in parts)


def _table(rng: random.Random, model: cp_model.CpModel, variables: list[cp_model.IntVar], booleans: list[int]) -> Made:
    columns = [
        (rng.randrange(len(variables)), rng.choice([1, 1, 1, -1, 2]), rng.choice([0, 0, 1]))
        for _ in range(rng.randint(1, 3))
    ]
    rows = [tuple(rng.randint(-2, 3) for _ in columns) for _ in range(rng.randint(1, 8))]
    expressions = [variables[v] * c + o for v, c, o in columns]
    forbidden = rng.random() < 0.4
    add = model.add_forbidden_assignments if forbidden else model.add_allowed_assignments
    constraint = add(expressions, rows)
    found = set(rows)
    return constraint, lambda values: (tuple(values[v] * c + o for v, c, o in columns) in found) != forbidden


def _computed(
    rng: random.Random, model: cp_model.CpModel, variables: list[cp_model.IntVar], booleans: list[int]
) -> Made:
    n = len(variables)
    target, one, two = (rng.randrange(n) for _ in range(3))
    how = rng.choice(["product", "element", "quotient", "remainder", "different"])
    if how == "product":
        constraint = model.add_multiplication_equality(variables[target], [variables[one], variables[two]])
        return constraint, lambda values: values[target] == values[one] * values[two]
    if how == "different":
        some = [rng.randrange(n) for _ in range(rng.randint(2, 3))]
        signs = [1, -1, 1][: len(some)]
        constraint = model.add_all_different([variables[v] * s + v for v, s in zip(some, signs, strict=True)])
        parts = list(zip(some, signs, strict=True))
        return constraint, lambda values: len({values[v] * s + v for v, s in parts}) == len(parts)
    if how in ("quotient", "remainder"):
        by = rng.choice([1, 2, 3])
        add = model.add_division_equality if how == "quotient" else model.add_modulo_equality
        constraint = add(variables[target], variables[one] - 1, by)

        def right(values: Values) -> bool:
            over = values[one] - 1
            quotient = abs(over) // by * (-1 if over < 0 else 1)  # towards 0
            return values[target] == (quotient if how == "quotient" else over - quotient * by)

        return constraint, right
    constants = [rng.randint(-2, 3) for _ in range(rng.randint(1, 3))]
    mixed = [*constants, variables[two]]
    constraint = model.add_element(variables[one], mixed, variables[target])

    def holds(values: Values) -> bool:
        elements = [*constants, values[two]]
        return 0 <= values[one] < len(elements) and elements[values[one]] == values[target]

    return constraint, holds


MAKERS = [_linear, _linear, _linear, _bools, _bools, _extreme, _table, _computed, _computed]
