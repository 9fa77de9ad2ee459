"""CP-SAT proves right diagrams, and refutes every diagram with one edge too few or too many."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from ortools.sat.python import cp_model
from random_models import world

import lawful
from lawful.solver.certify import certify
from lawful.solver.chart import Chart
from lawful.solver.dd.building import Row
from lawful.solver.dd.planning import Layer
from lawful.solver.diagram import Diagram, compile_model
from lawful.solver.encode.allocation import Alike, Allocation
from lawful.solver.encode.frame import frame
from lawful.solver.encode.sequence import free_order
from lawful.solver.ways import sequence_layers


def changed(diagram: Diagram, layer: int, node: int, row: Row) -> Diagram:
    rows = [list(nodes) for nodes in diagram.rows]
    rows[layer][node] = row
    return replace(diagram, rows=rows, _below=[], _sums=[])


def without_an_edge(diagram: Diagram, rng: random.Random) -> Diagram:
    layer = rng.randrange(len(diagram.rows))
    node = rng.randrange(len(diagram.rows[layer]))
    row = list(diagram.rows[layer][node])
    del row[rng.randrange(len(row))]
    return changed(diagram, layer, node, tuple(row))


def with_an_edge(diagram: Diagram, rng: random.Random) -> Diagram | None:
    spots = [
        (i, node, label)
        for i, nodes in enumerate(diagram.rows)
        for node, row in enumerate(nodes)
        for label in range(len(diagram.layers[i].labels))
        if label not in dict(row)
    ]
    if not spots:
        return None
    i, node, label = rng.choice(spots)
    width = len(diagram.rows[i + 1]) if i + 1 < len(diagram.rows) else 1
    return changed(diagram, i, node, tuple(sorted([*diagram.rows[i][node], (label, rng.randrange(width))])))


def test_random_models() -> None:
    proved = fewer = more = 0
    for seed in range(300):
        rng = random.Random(seed)
        w = world(rng)
        diagram = compile_model(w.model.proto, w.layers)
        assert certify(w.model.proto, w.layers, diagram, seconds=20).proved, seed
        proved += 1
        if not diagram.alive:
            continue
        assert not certify(w.model.proto, w.layers, without_an_edge(diagram, rng), seconds=20).complete, seed
        fewer += 1
        wrong = with_an_edge(diagram, rng)
        if wrong is not None:
            assert not certify(w.model.proto, w.layers, wrong, seconds=20).sound, seed
            more += 1
    assert proved == 300
    assert fewer > 80
    assert more > 20


def one_edge_away(diagram: Diagram) -> Iterator[tuple[bool, Diagram]]:
    """Yield every diagram with an edge too few, and every one with an edge too many; the first are marked True."""
    for i, nodes in enumerate(diagram.rows):
        width = len(diagram.rows[i + 1]) if i + 1 < len(diagram.rows) else 1
        for node, row in enumerate(nodes):
            for edge in row:
                yield True, changed(diagram, i, node, tuple(e for e in row if e != edge))
            for label in set(range(len(diagram.layers[i].labels))) - {n for n, _ in row}:
                for child in range(width):
                    yield False, changed(diagram, i, node, tuple(sorted([*row, (label, child)])))


def walked(diagram: Diagram) -> set[tuple[int, ...]]:
    """Return the paths of a diagram that need not be reduced."""
    found: list[tuple[tuple[int, ...], int]] = [((), 0)]
    for rows in diagram.rows:
        found = [((*path, label), child) for path, node in found for label, child in rows[node]]
    return {path for path, _ in found}


def test_auxiliaries_that_functions_define_need_no_layer_and_every_wrong_edge_is_refuted() -> None:
    model = cp_model.CpModel()
    x, y, z = (model.new_int_var(0, 2, name) for name in "xyz")
    product = model.new_int_var(-8, 8, "product")
    model.add_multiplication_equality(product, [x - 2, y + 2])
    element = model.new_int_var(-10, 10, "element")
    model.add_element(z, [3, y, x + 1], element)
    quotient, remainder = model.new_int_var(-9, 9, "quotient"), model.new_int_var(-9, 9, "remainder")
    model.add_division_equality(quotient, product - 1, 2)
    model.add_modulo_equality(remainder, element, 2)
    largest = model.new_int_var(-9, 9, "largest")
    model.add_max_equality(largest, [quotient, remainder])
    model.add(largest + element >= 2)
    model.add_all_different([x, y + 1, z - 1])
    layers = [[(v.index, False)] for v in (x, y, z)]
    diagram = compile_model(model.proto, layers)
    certificate = certify(model.proto, layers, diagram, seconds=20)
    assert certificate.proved
    assert certificate.nodes == diagram.nodes  # none of the auxiliaries became a decision
    refuted = 0
    for too_few, wrong in one_edge_away(diagram):
        found = certify(model.proto, layers, wrong, seconds=20)
        differs = walked(wrong) != set(diagram.paths())
        assert (found.complete, found.sound) == (not (too_few and differs), too_few or not differs)
        refuted += 1
    assert refuted > 20


def test_a_label_that_no_variable_can_have_is_refuted() -> None:
    model = cp_model.CpModel()
    x, y = model.new_bool_var("x"), model.new_bool_var("y")
    model.add_bool_or(x, y)
    layers = [[(x.index, False)], [(y.index, False)]]
    diagram = compile_model(model.proto, layers)
    assert certify(model.proto, layers, diagram, seconds=20).proved
    first = diagram.layers[0]
    beyond = Layer(first.variables, (*first.labels, (2,)))
    row = (*diagram.rows[0][0], (2, 0))
    wrong = replace(changed(diagram, 0, 0, row), layers=[beyond, diagram.layers[1]])
    assert not certify(model.proto, layers, wrong, seconds=20).sound
    assert not certify(model.proto, layers[::-1], diagram, seconds=20).proved


def test_a_diagram_of_sequences_is_proved_and_one_with_an_edge_too_few_is_refuted() -> None:
    f = frame(lawful.question("fab", cost="3c3r", hand="red, yellow, blue, Inner Chi"))
    model = free_order(f)
    layers = sequence_layers(model)
    diagram = compile_model(f.cp.proto, layers)
    assert diagram.count() == 5
    assert certify(f.cp.proto, layers, diagram, seconds=60).proved
    assert not certify(f.cp.proto, layers, without_an_edge(diagram, random.Random(2)), seconds=60).proved


HANDS = [
    (["red"] * 2 + ["yellow"] * 3 + ["blue"] * 3 + ["Inner Chi"] * 2, "3c6r"),
    (["red"] * 5 + ["yellow"] * 3 + ["blue"] * 4 + ["Inner Chi"] * 2, "3c9r"),
    (["red"] * 5 + ["yellow"] * 6 + ["blue"] * 7 + ["Inner Chi"] * 4, "3c17r"),
    (["red", "blue"], "3c1r"),
    (["red", "blue", "yellow"], "X"),
]


@pytest.mark.parametrize("alike", ["gain", "looks", "none"])
@pytest.mark.parametrize(("hand", "cost"), HANDS)
def test_questions_are_proved_up_to_twenty_two_cards(hand: list[str], cost: str, alike: Alike) -> None:
    model = Allocation(frame(lawful.question("fab", cost=cost, hand=", ".join(hand))), alike)
    chart = Chart(model, nodes=200_000, seconds=60)
    assert chart.prove(60).proved
    if chart.full.alive:
        rng = random.Random(1)
        wrong = without_an_edge(chart.full, rng)
        assert not certify(chart.f.cp.proto, chart.decisions, wrong, seconds=60).complete


def mangled(diagram: Diagram, rng: random.Random) -> Iterator[tuple[str, Diagram]]:
    """Yield diagrams that are wrong in other ways than by one edge, with what was done to them."""
    i = rng.randrange(len(diagram.rows))
    node = rng.randrange(len(diagram.rows[i]))
    row = diagram.rows[i][node]
    last = len(diagram.rows) - 1
    yield "an edge twice", changed(diagram, i, node, tuple(sorted([*row, rng.choice(row)])))
    layer = diagram.layers[i]
    told = list(diagram.layers)
    told[i] = Layer(layer.variables, (*layer.labels, layer.labels[row[0][0]]))
    again = changed(diagram, i, node, (*row, (len(layer.labels), row[0][1])))
    yield "a label twice", replace(again, layers=told)
    end = diagram.rows[last][0]
    yield "beyond the end", changed(diagram, last, 0, ((end[0][0], 1), *end[1:]))
    yield "a node is empty", changed(diagram, i, node, ())
    rows = [list(nodes) for nodes in diagram.rows]
    del rows[i][node]
    yield "a node is gone", replace(diagram, rows=rows, _below=[], _sums=[])
    yield "dead", replace(diagram, alive=False, _below=[], _sums=[])
    if len({child for _, child in row}) > 1:
        (one, a), (two, b) = row[0], next(edge for edge in row if edge[1] != row[0][1])
        swapped = {**dict(row), one: b, two: a}
        yield "targets swapped", changed(diagram, i, node, tuple(sorted(swapped.items())))
    if len(diagram.rows[i]) > 1:
        other = (node + 1) % len(diagram.rows[i])
        rows = [list(nodes) for nodes in diagram.rows]
        rows[i][node], rows[i][other] = rows[i][other], rows[i][node]
        yield "nodes swapped", replace(diagram, rows=rows, _below=[], _sums=[])
        if i:
            twice = [(label, (child + 1) % len(diagram.rows[i])) for label, child in diagram.rows[i - 1][0][:1]]
            yield "two ways on", changed(diagram, i - 1, 0, tuple(sorted([*diagram.rows[i - 1][0], *twice])))


def told_paths(diagram: Diagram) -> list[tuple[tuple[int, ...], ...]] | None:
    """Return what all paths say, sorted, one as often as there are paths; None if one leads nowhere."""
    found: list[tuple[tuple[tuple[int, ...], ...], int]] = [((), 0)] if diagram.alive else []
    for layer, rows in zip(diagram.layers, diagram.rows, strict=True):
        if any(node >= len(rows) for _, node in found):
            return None
        found = [((*path, layer.labels[n]), child) for path, node in found for n, child in rows[node]]
    return sorted(path for path, _ in found) if all(node == 0 for _, node in found) else None


def test_diagrams_that_are_wrong_in_any_other_way_are_refuted() -> None:
    refuted: dict[str, int] = {}
    for seed in range(60):
        rng = random.Random(seed)
        w = world(rng)
        diagram = compile_model(w.model.proto, w.layers)
        if not diagram.alive:
            wrong = replace(diagram, alive=True)
            assert not certify(w.model.proto, w.layers, wrong, seconds=20).proved, seed
            continue
        for how, wrong in mangled(diagram, rng):
            if told_paths(wrong) != told_paths(diagram):
                assert not certify(w.model.proto, w.layers, wrong, seconds=20).proved, (seed, how)
                refuted[how] = refuted.get(how, 0) + 1
    assert len(refuted) == 9
    assert min(refuted.values()) >= 2, refuted


@pytest.mark.parametrize("alike", ["gain", "none"])
@pytest.mark.parametrize(
    ("hand", "cost"), [("red, red, blue, blue, Inner Chi", "Xr 1c"), ("red, red, blue", "2r | 3r")]
)
def test_wrong_diagrams_of_questions_are_refuted(hand: str, cost: str, alike: Alike) -> None:
    chart = Chart(Allocation(frame(lawful.question("fab", cost=cost, hand=hand)), alike), nodes=10_000, seconds=60)
    for how, wrong in mangled(chart.full, random.Random(4)):
        if told_paths(wrong) != told_paths(chart.full):
            assert not certify(chart.f.cp.proto, chart.decisions, wrong, seconds=60).proved, how
