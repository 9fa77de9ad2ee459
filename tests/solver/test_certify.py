"""CP-SAT proves right diagrams, and refutes every diagram with one edge too few or too many."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from random_models import world

import lawful
from lawful.solver.certify import certify
from lawful.solver.chart import Chart
from lawful.solver.dd.building import Row
from lawful.solver.diagram import Diagram, compile_model
from lawful.solver.encode.allocation import Alike, Allocation
from lawful.solver.encode.frame import frame


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


HANDS = [
    (["red"] * 2 + ["yellow"] * 3 + ["blue"] * 3 + ["Inner Chi"] * 2, "3c6r"),
    (["red"] * 5 + ["yellow"] * 3 + ["blue"] * 4 + ["Inner Chi"] * 2, "3c9r"),
    (["red", "blue"], "3c1r"),
    (["red", "blue", "yellow"], "X"),
]


@pytest.mark.parametrize("alike", ["gain", "looks", "none"])
@pytest.mark.parametrize(("hand", "cost"), HANDS)
def test_questions_are_proved_up_to_fourteen_cards(hand: list[str], cost: str, alike: Alike) -> None:
    model = Allocation(frame(lawful.question("fab", cost=cost, hand=", ".join(hand))), alike)
    chart = Chart(model, nodes=200_000, seconds=60)
    assert chart.prove(60).proved
    if chart.full.alive:
        rng = random.Random(1)
        wrong = without_an_edge(chart.full, rng)
        assert not certify(chart.f.cp.proto, chart.decisions, wrong, seconds=60).complete
