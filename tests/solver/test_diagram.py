"""A diagram holds exactly the solutions of its model, whatever the model; and everything read from it is right."""

from __future__ import annotations

import os
import random
from collections import Counter
from itertools import islice

import numpy as np
import pytest
from ortools.sat.python import cp_model
from random_models import world

import lawful
from lawful.model.errors import LimitReached
from lawful.model.limits import Clock
from lawful.model.payment import LEVELS
from lawful.solver.ask import each_solution
from lawful.solver.dd import planning
from lawful.solver.dd.best import best
from lawful.solver.dd.blocks import blocks, keys, labels, values
from lawful.solver.dd.operators import minimal, project, restrict, without_last
from lawful.solver.diagram import Diagram, OverBudget, Unsupported, compile_model
from lawful.solver.found import Enumerated
from lawful.solver.paging import draw
from lawful.solver.ways import find

# These are the ones of every day; `LAWFUL_HUNT=300` takes 300 times as many.
SEEDS = range(1_500 * max(1, int(os.environ.get("LAWFUL_HUNT", "0"))))


def told(diagram: Diagram, decisions: list[int]) -> list[tuple[int, ...]]:
    return [tuple(diagram.values(path)[v] for v in decisions) for path in diagram.paths()]


def test_random_models_against_brute_force() -> None:
    dead = 0
    for seed in SEEDS:
        w = world(random.Random(seed))
        wanted = w.solutions()
        diagram = compile_model(w.model.proto, w.layers)
        found = told(diagram, w.decisions)
        assert len(found) == len(set(found)) == diagram.count(), seed
        assert set(found) == wanted, seed
        dead += not wanted
    assert 0.2 < dead / len(SEEDS) < 0.8  # both kinds are there


def test_enumeration_agrees_where_everything_is_a_decision() -> None:
    compared = 0
    for seed in range(400):
        w = world(random.Random(seed))
        if len(w.decisions) != len(w.variables):
            continue
        found: set[tuple[int, ...]] = set()
        ended = each_solution(w.model, [w.variables[v] for v in w.decisions], found.add, seconds=20, most=10_000)
        assert ended.complete
        assert found == set(told(compile_model(w.model.proto, w.layers), w.decisions)), seed
        compared += 1
    assert compared > 100


@pytest.fixture(scope="module")
def diagrams() -> list[Diagram]:
    found = []
    for seed in range(3_000, 3_200):
        w = world(random.Random(seed))
        diagram = compile_model(w.model.proto, w.layers)
        if diagram.alive:
            found.append(diagram)
    return found


def test_rank_unrank_and_pages(diagrams: list[Diagram]) -> None:
    for diagram in diagrams:
        paths = list(diagram.paths())
        assert paths == sorted(paths)  # canonical order is the order of labels
        for rank, path in enumerate(paths):
            assert diagram.unrank(rank) == path
            assert diagram.rank(path) == rank
            assert path in diagram
        middle = len(paths) // 2
        assert list(diagram.paths(middle)) == paths[middle:]
        assert list(diagram.paths(len(paths))) == []
        with pytest.raises(IndexError):
            diagram.unrank(len(paths))
        with pytest.raises(KeyError):
            diagram.rank(tuple(-1 for _ in paths[0]))


def test_keys_are_the_paths(diagrams: list[Diagram]) -> None:
    for diagram in diagrams:
        paths = list(diagram.paths())
        for size in (1, 4, 1 << 13):
            found = np.concatenate([block.copy() for block in blocks(diagram, size)])
            assert [tuple(row) for row in labels(diagram, found).tolist()] == paths
        order = [v for layer in diagram.layers for v in layer.variables]
        rows = values(diagram, keys(diagram)).tolist()
        assert rows == [[diagram.values(path)[v] for v in order] for path in paths]


def test_keys_of_several_words() -> None:
    model = cp_model.CpModel()
    x = [model.new_int_var(0, 6, f"x{i}") for i in range(30)]  # 90 bits
    model.add(sum(x) <= 2)
    diagram = compile_model(model.proto, [[(v.index, True)] for v in x])
    found = keys(diagram)
    assert found.shape == (1 + 30 + 30 * 31 // 2, 2)
    assert [tuple(row) for row in labels(diagram, found).tolist()] == list(diagram.paths())


@pytest.mark.parametrize("held", [None, 20])
@pytest.mark.parametrize("most", [0, 1, 2])
def test_blocks_of_any_size_are_the_keys(most: int, held: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if held is not None:
        monkeypatch.setattr("lawful.solver.dd.blocks.HELD", held)  # smaller blocks, so that less is held
    model = cp_model.CpModel()
    x = [model.new_int_var(0, 6 if i % 7 else 0, f"x{i}") for i in range(50)]  # 126 bits, and places without any
    model.add(sum(x) <= most)
    diagram = compile_model(model.proto, [[(v.index, True)] for v in x])
    paths = list(diagram.paths())
    assert [tuple(row) for row in labels(diagram, keys(diagram)).tolist()] == paths
    for size in (1, 2, 30, 700, 5000):
        found = np.concatenate([block.copy() for block in blocks(diagram, size)])
        assert np.array_equal(found, keys(diagram))
        assert max(map(len, blocks(diagram, size))) <= size


def test_marginals_sum_to_the_count(diagrams: list[Diagram]) -> None:
    for diagram in diagrams:
        paths = list(diagram.paths())
        for i, counts in enumerate(diagram.marginals()):
            assert counts == [sum(path[i] == n for path in paths) for n in range(len(counts))]
            assert sum(counts) == len(paths)


def test_best_first(diagrams: list[Diagram]) -> None:
    for n, diagram in enumerate(diagrams):
        rng = random.Random(n)
        table = [[(rng.randint(-2, 2), rng.randint(-1, 1)) for _ in layer.labels] for layer in diagram.layers]

        def total(path: tuple[int, ...], table: list[list[tuple[int, int]]] = table) -> tuple[int, int]:
            return tuple(sum(table[i][x][k] for i, x in enumerate(path)) for k in (0, 1))  # type: ignore[return-value]

        found = list(best(diagram, lambda i, x, table=table: table[i][x], 2))
        assert [path for _, path in found] == sorted(diagram.paths(), key=lambda p: ([-v for v in total(p)], p))
        assert all(worth == total(path) for worth, path in found)


def test_projection_restriction_and_last_layer(diagrams: list[Diagram]) -> None:
    for diagram in diagrams:
        paths = list(diagram.paths())

        def halve(label: tuple[int, ...]) -> tuple[int, ...]:
            return (sum(label) // 2,)

        coarse = project(diagram, [halve] * len(diagram.layers))

        def narrow(path: tuple[int, ...], diagram: Diagram = diagram) -> tuple[tuple[int, ...], ...]:
            return tuple(halve(layer.labels[n]) for layer, n in zip(diagram.layers, path, strict=True))

        projected = [
            tuple(layer.labels[n] for layer, n in zip(coarse.layers, path, strict=True)) for path in coarse.paths()
        ]
        assert len(projected) == len(set(projected))
        assert set(projected) == {narrow(path) for path in paths}
        some = Diagram(coarse.layers, coarse.rows, True)
        same = restrict(diagram, some, [halve] * len(diagram.layers))
        assert list(same.paths()) == paths
        if len(diagram.layers) > 1:
            assert list(without_last(diagram).paths()) == sorted({path[:-1] for path in paths})


@pytest.mark.parametrize("any_number", [False, True])
def test_minimal_ways(any_number: bool) -> None:
    rng = random.Random(5)
    for _ in range(150):
        n = rng.randint(1, 6)
        model = cp_model.CpModel()
        x = [model.new_int_var(0, rng.choice([1, 1, 2]), f"x{i}") for i in range(n)]
        weights = [rng.randint(0, 3) for _ in x]
        total = sum(w * v for w, v in zip(weights, x, strict=True))
        low = rng.randint(0, 6)
        model.add_linear_expression_in_domain(total, cp_model.Domain.from_intervals([[low, low + 1], [low + 3, 99]]))
        diagram = compile_model(model.proto, [[(v.index, True)] for v in x])
        ways = {tuple(diagram.values(p)[v.index] for v in x) for p in diagram.paths()}
        found = minimal(diagram, [lambda label: (max(label[0] - 1, 0),)] * n, any_number=any_number)

        def smaller(way: tuple[int, ...], ways: set[tuple[int, ...]] = ways) -> bool:
            others = (o for o in ways if o != way and all(a <= b for a, b in zip(o, way, strict=True)))
            return any(any_number or sum(way) - sum(o) == 1 for o in others)

        got = {tuple(diagram.values(p)[v.index] for v in x) for p in found.paths()}
        assert got == {way for way in ways if not smaller(way)}


def test_the_sampler_is_uniform() -> None:
    model = cp_model.CpModel()
    x = [model.new_bool_var(f"x{i}") for i in range(6)]
    model.add(sum(x) >= 3)
    diagram = compile_model(model.proto, [[(v.index, True)] for v in x])
    count = diagram.count()
    assert count == 42
    draws = Counter(diagram.unrank(next(draw(count, 1, seed))) for seed in range(8_400))
    chi = sum((draws[path] - 200) ** 2 / 200 for path in diagram.paths())
    assert chi < 74.7  # 41 degrees of freedom: 0.1 % of fair samplers are above; the seeds are fixed
    assert len(set(draw(count, 42, 7))) == 42
    assert list(draw(count, 5, 7)) == list(draw(count, 5, 7)) != list(draw(count, 5, 8))


def test_ten_to_the_twelve_are_counted_paged_and_sampled() -> None:
    model = cp_model.CpModel()
    x = [model.new_bool_var(f"x{i}") for i in range(60)]
    model.add(sum((1 + i % 3) * v for i, v in enumerate(x)) == 40)
    diagram = compile_model(model.proto, [[(v.index, True)] for v in x])
    assert diagram.count() > 10**12
    start = diagram.count() - 3
    assert len(list(diagram.paths(start))) == 3
    assert [diagram.rank(p) for p in islice(diagram.paths(10**12), 2)] == [10**12, 10**12 + 1]


def test_limits_and_unknown_kinds_are_said() -> None:
    model = cp_model.CpModel()
    x = [model.new_bool_var(f"x{i}") for i in range(20)]
    model.add(sum((1 << i) * v for i, v in enumerate(x)) != 12_345)
    with pytest.raises(OverBudget):
        compile_model(model.proto, [[(v.index, False)] for v in x], nodes=50)
    model.add_circuit([(0, 1, x[0]), (1, 0, x[1])])
    with pytest.raises(Unsupported, match="circuit"):
        compile_model(model.proto, [[(v.index, False)] for v in x])
    model = cp_model.CpModel()
    model.maximize(model.new_bool_var("x"))
    with pytest.raises(Unsupported, match="objective"):
        compile_model(model.proto, [[(0, False)]])
    model = cp_model.CpModel()
    model.new_int_var(0, 10**6, "x")
    with pytest.raises(Unsupported, match="values"):
        compile_model(model.proto, [[(0, False)]])


def test_what_cannot_be_counted_in_time_is_left_out() -> None:
    question = lawful.question("fab", cost="3c4r", hand="red, blue, blue, yellow, Inner Chi")
    found = find(question, engine="enumeration")
    assert isinstance(found, Enumerated)
    assert set(found.counts()) == set(LEVELS)
    assert found.reached == []
    found.clock = Clock(-1.0)  # it was over a second ago
    assert found.counts() == {}
    assert {(reached.limit, reached.where) for reached in found.reached} == {
        ("seconds", f"counting {level}") for level in LEVELS
    }


def test_planning_keeps_to_the_time_too() -> None:
    model = cp_model.CpModel()
    x = [model.new_bool_var(f"x{i}") for i in range(12)]
    model.add(sum(x) >= 1)
    with pytest.raises(OverBudget) as caught:
        compile_model(model.proto, [[(v.index, False) for v in x]], seconds=0)
    assert caught.value.limit == "seconds"


def test_a_diagram_that_is_too_large_is_a_limit_where_nothing_falls_back() -> None:
    """Whoever forgets to fall back reports a limit by its name, and no bug."""
    over = OverBudget("nodes", 3)
    assert isinstance(over, LimitReached)
    assert (over.limit, over.value) == ("nodes", 3)


@pytest.mark.parametrize("fixed", [{}, {1: 0}, {0: 0, 5: 0}, {3: 1}, {2: 1, 4: 1}])
def test_one_of_many_is_one_choice_even_where_some_are_decided(
    fixed: dict[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not as many as there are beginnings of the row: of hundreds of plans that took seconds."""
    model, n, looked = cp_model.CpModel(), 60, 0
    bits = [model.new_int_var(fixed.get(k, 0), fixed.get(k, 1), f"bit {k}") for k in range(n)]
    model.add_exactly_one(bits)
    broken = planning._Inside.broken

    def counting(inside: planning._Inside, chosen: list[int]) -> bool:
        nonlocal looked
        looked += 1
        return broken(inside, chosen)

    monkeypatch.setattr(planning._Inside, "broken", counting)
    found = compile_model(model.proto, [[(bit.index, True) for bit in bits]], nodes=1_000, seconds=20)
    sure = [k for k, bit in fixed.items() if bit]
    wanted = [k for k in range(n) if k not in fixed or fixed[k]] if not sure else sure if len(sure) == 1 else []
    labels = [found.layers[0].labels[path[0]] for path in found.paths()]
    assert labels == [tuple(int(j == k) for j in range(n)) for k in wanted]
    assert looked <= 2 * n
