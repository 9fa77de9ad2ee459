"""``lawful order``: what is printed, the JSON document, the graph in every form, exit codes, wrong input."""

# ruff: noqa: E501 - a card is one line
from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import networkx as nx
import pytest
from order_worlds import ask

from lawful import order
from lawful.cli import main
from lawful.expectations import run
from lawful.graphtext import to_dot, to_lines, to_mermaid
from lawful.model.casefile import read_cases, write_order
from lawful.model.errors import LimitReached
from lawful.model.frozen import FrozenMap
from lawful.model.ordered import Graph, GraphEdge, GraphNode
from lawful.model.referee.resolution import outcomes
from lawful.model.rulesets import load_ruleset
from lawful.model.verdict import Message
from lawful.orderdoc import at_path
from lawful.picture import layers_of, to_svg

CASE = """
case: a bell and two that hear it
ruleset: {game}
cards:
  Bell: {{types: [bell]}}
  Setter: {{types: [place], abilities: [{{trigger: {{on: {{wounds: {{name: Bell}}}}, when: {{value: $self.counters.on, ge: 0}}, do: [{{set: counters.mark, of: {{name: Bell}}, to: 5}}]}}}}]}}
  Adder: {{types: [place], abilities: [{{trigger: {{on: {{wounds: {{name: Bell}}}}, limit: 1, do: [{{add: mark, of: {{name: Bell}}}}]}}}}]}}
  Lamp: {{types: [place], light: 1, abilities: [{{static: {{modify: light, stage: set, set: 3, of: {{has: light}}}}}}]}}
  Glass: {{types: [place], light: 1, abilities: [{{static: {{modify: light, stage: set, add: 1, of: {{has: light}}, while: {{value: $self.light, ge: 3}}}}}}]}}
given: {{players: {{Ann: {{arena: [Bell, Setter, Lamp]}}, Bob: {{arena: [Adder, Glass]}}}}, turn: Ann}}
when: {{source: Bell, do: [{{as: rung, wound: $self}}, {{shuffle: $controller, given: rung}}]}}
"""
KEYS = {
    "case", "schema_version", "ruleset", "rules_version", "verdict", "complete", "confluent", "count", "outcomes",
    "applied", "loops", "paradoxes", "ambiguities", "settled", "unsolved", "silences", "terminates", "certificate", "graph",
    "states", "orders", "confirmed", "limit", "assumed", "readings", "elapsed_ms",
}  # fmt: skip


@pytest.fixture
def case(tmp_path: Path) -> Path:
    path = tmp_path / "bell.case.yaml"
    path.write_text(CASE.format(game="flesh-and-blood"), encoding="utf8")
    return path


class Run:
    """Runs ``lawful order`` in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *arguments: object) -> tuple[int, str, str]:
        code = main(["order", *map(str, arguments)])
        out, err = self.capsys.readouterr()
        assert "Traceback" not in err
        return code, out, err


@pytest.fixture
def lawful(capsys: pytest.CaptureFixture[str]) -> Run:
    return Run(capsys)


def test_outcomes_are_shown_with_who_chooses(lawful: Run, case: Path) -> None:
    code, out, _ = lawful(case)
    assert code == 0
    assert out.splitlines()[0] == "2 outcomes"
    assert "chosen by Ann" in out
    assert "the referee, trying everything, found the same" in out


def test_where_nobody_is_said_to_choose_it_is_undetermined(lawful: Run, tmp_path: Path) -> None:
    path = tmp_path / "silent.case.yaml"
    path.write_text(CASE.format(game="berserk-heroes"), encoding="utf8")
    code, out, _ = lawful(path)
    assert code == 4
    assert "undetermined: what comes out depends on what no rule says" in out
    assert "nobody is said to order Setter, Adder" in out


def test_the_document(lawful: Run, case: Path) -> None:
    code, out, _ = lawful(case, "--json")
    document: dict[str, Any] = json.loads(out)
    assert code == 0
    assert set(document) == KEYS
    assert (document["verdict"], document["confluent"], document["count"]) == ("legal", False, 2)
    assert {o["state"]["Bell.counters.mark"] for o in document["outcomes"]} == {5, 6}
    assert {o["chosen_by"] for o in document["outcomes"]} == {"Ann"}
    assert {tuple(sorted(e)) for e in document["graph"]["edges"]} == {("from", "kind", "rule", "sign", "to", "why")}
    edges = {(edge["from"], edge["to"], edge["kind"]) for edge in document["graph"]["edges"]}
    assert {("step 1", "step 2", "needs"), ("step 1", "Setter/0", "matches")} <= edges


def test_a_paradox_is_a_finding(lawful: Run, tmp_path: Path) -> None:
    path = tmp_path / "liar.case.yaml"
    path.write_text(
        "case: liar\nruleset: flesh-and-blood\ncards:\n  Liar: {types: [x], power: 2, abilities: [{static: {modify: power, "
        "stage: increase, add: 1, of: $self, while: {value: $self.power, le: 2}}}]}\n"
        "given: {players: {Ann: {arena: [Liar]}}}\nwhen: {do: []}\n",
        encoding="utf8",
    )
    code, out, _ = lawful(path)
    assert code == 1
    assert "paradox: Liar/0 can neither be in force nor not" in out


def test_the_graph_in_every_form(lawful: Run, case: Path, tmp_path: Path) -> None:
    for ending in ("svg", "dot", "mmd", "txt", "json"):
        code, out, _ = lawful(case, "--graph", tmp_path / f"out.{ending}")
        assert code == 0
        assert f"out.{ending}" in out
        assert "Setter/0" in (tmp_path / f"out.{ending}").read_text(encoding="utf8")


def test_an_unknown_picture_is_refused_before_anything(lawful: Run, case: Path) -> None:
    code, _, err = lawful(case, "--graph", "out.png")
    assert code == 2
    assert ".svg, .dot, .mmd, .txt, .json" in err


def test_a_picture_that_cannot_be_written(lawful: Run, case: Path, tmp_path: Path) -> None:
    code, _, err = lawful(case, "--graph", tmp_path / "nowhere" / "out.svg")
    assert code == 3
    assert "cannot write" in err


def test_a_case_about_a_payment_is_refused(lawful: Run, tmp_path: Path) -> None:
    path = tmp_path / "pay.case.yaml"
    path.write_text("case: pay\nruleset: flesh-and-blood\nwhen: {cost: 1r}\n", encoding="utf8")
    code, _, err = lawful(path)
    assert code == 3
    assert "no case there says what happens" in err
    assert main(["pay", str(path)]) in (0, 1)


def test_pay_refuses_what_happens(capsys: pytest.CaptureFixture[str], case: Path) -> None:
    assert main(["pay", str(case)]) == 3
    assert "lawful order" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("source: Bell", "source: Bel", "unknown object 'Bel'"),
        ("wound: $self", "wond: $self", "unknown verb 'wond'"),
        ("batch", "batch", ""),
        ("limit: 1", "limit: 1, batch: alon", "unknown batch 'alon'"),
        ("limit: 1", "limit: 1, tier: late", "unknown tier 'late'"),
        ("stage: set, set: 3", "stage: st, set: 3", "unknown stage 'st'"),
        ("when: {source: Bell, ", "when: {cost: 1r, source: Bell, ", "'cost' stands beside 'do'"),
    ],
)
def test_slips_of_the_pen_are_named_with_their_place(lawful: Run, case: Path, old: str, new: str, says: str) -> None:
    case.write_text(case.read_text(encoding="utf8").replace(old, new), encoding="utf8")
    code, _, err = lawful(case)
    assert code == (3 if says else 0)
    assert says in err
    assert not says or re.search(r"bell\.case\.yaml:\d+:\d+: ", err)


def test_what_happens_is_written_and_read_again() -> None:
    question = ask(CASE.format(game="flesh-and-blood"))
    again = ask(write_order(question, "again"))
    assert again.events == question.events
    assert {t.id: t for t in again.position.things} == {t.id: t for t in question.position.things}
    assert again.position.cards == question.position.cards
    assert len(order(again).outcomes) == len(order(question).outcomes) == 2


# Pictures


def _graph() -> Graph:
    return order(ask(CASE.format(game="flesh-and-blood"))).graph


def test_the_picture_is_the_same_bytes_and_well_formed() -> None:
    question = ask(CASE.format(game="flesh-and-blood"))
    first, second = to_svg(_graph(), question.ruleset), to_svg(_graph(), question.ruleset)
    assert first == second
    root = ElementTree.fromstring(first)
    kinds = [g.get("class") for g in root.iter("{http://www.w3.org/2000/svg}g")]
    assert kinds.count("edge") == len(_graph().edges)
    assert kinds.count("trigger") == 2


def test_every_edge_goes_down_unless_in_a_circle() -> None:
    graph = _graph()
    rows = {id: n for n, row in enumerate(layers_of(graph)) for id in row}
    ring = {id for cycle in graph.cycles for id in cycle}
    assert all(rows[e.from_] < rows[e.to] for e in graph.edges if e.binds and not {e.from_, e.to} <= ring)


def test_circles_are_boxed_everywhere() -> None:
    question = ask(
        "case: ring\nruleset: flesh-and-blood\ncards:\n"
        "  A: {types: [x], abilities: [{trigger: {on: {add: $self}, limit: 1, do: [{remove: y, of: {name: B}}]}}]}\n"
        "  B: {types: [x], abilities: [{trigger: {on: {remove: $self}, limit: 1, do: [{add: y, of: {name: A}}]}}]}\n"
        "given: {players: {Ann: {arena: [A, B]}}}\nwhen: {source: A, do: [{add: y, of: $self}]}\n"
    )
    graph = order(question).graph
    assert graph.cycles == (("A/0", "B/0"),)
    assert 'class="ring"' in to_svg(graph, question.ruleset)
    assert "subgraph cluster_1" in to_dot(graph, question.ruleset)
    assert 'subgraph c1["circle 1"]' in to_mermaid(graph, question.ruleset)
    assert any("(circle 1)" in line for line in to_lines(graph, question.ruleset))


def test_every_edge_carries_its_reason() -> None:
    question, graph = ask(CASE.format(game="flesh-and-blood")), _graph()
    dot, mermaid = to_dot(graph, question.ruleset), to_mermaid(graph, question.ruleset)
    assert len(re.findall(r'-> .*\[label="[^"]+"', dot)) == len(graph.edges)
    assert len(re.findall(r'>\|"[^"]+"\|', mermaid)) == len(graph.edges)
    assert "CR 7.0.5a" in dot


def test_names_that_would_end_a_label_are_escaped() -> None:
    question = ask(
        "case: odd\nruleset: flesh-and-blood\ncards:\n  'A \"<b>&': {types: [x], power: 1, abilities: [{static: {modify: power, stage: set, set: 1, of: $self}}]}\n"
        "given: {players: {Ann: {arena: ['A \"<b>&']}}}\nwhen: {do: []}\n"
    )
    graph = order(question).graph
    ElementTree.fromstring(to_svg(graph, question.ruleset))
    assert '"A \\"<b>&/0"' in to_dot(graph, question.ruleset)
    assert "#quot;#lt;b#gt;#amp;" in to_mermaid(graph, question.ruleset)


SVG = "{http://www.w3.org/2000/svg}"


def _many(n: int, seed: int) -> tuple[Graph, Any]:
    """Return a graph of as many nodes, with circles and long names, and the rules."""
    dice = random.Random(seed)
    boxes = [
        GraphNode(f"{dice.choice(('Bear', 'Степной волколак', 'An Astonishingly Long Name'))} {i}/0", "static", Message("order.grant", FrozenMap({"words": ("x",)})))
        for i in range(n)
    ]  # fmt: skip
    whole: nx.DiGraph[str] = nx.DiGraph()
    edges = []
    for _ in range(n * 2):
        a, b = dice.choice(boxes).id, dice.choice(boxes).id
        kind: Any = dice.choice(("changes", "reads", "newer", "then"))
        edges.append(GraphEdge(a, b, kind, Message("order.newer", FrozenMap()), dice.choice(("+", "-", "?"))))
        if edges[-1].binds:
            whole.add_edge(a, b)
    place = {box.id: i for i, box in enumerate(boxes)}
    rings = [
        tuple(sorted(part, key=place.__getitem__)) for part in nx.strongly_connected_components(whole) if len(part) > 1
    ]
    return Graph(tuple(boxes), tuple(edges), tuple(rings)), load_ruleset("berserk-heroes")


def _frame(rect: Any) -> tuple[int, int, int, int]:
    x, y, w, h = (int(rect.get(key)) for key in ("x", "y", "width", "height"))
    return x, y, x + w, y + h


def _apart(a: tuple[int, int, int, int], b: tuple[int, int, int, int]) -> bool:
    return a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


@pytest.mark.parametrize(("n", "seed"), [(3, 0), (5, 1), (6, 2), (7, 3), (20, 4), (60, 5), (0, 6), (1, 7)])
def test_nothing_in_the_picture_lies_on_anything_else(n: int, seed: int) -> None:
    """Boxes, boxes of circles and what is no part of them, reasons that are written out."""
    graph, rules = _many(n, seed)
    root = ElementTree.fromstring(to_svg(graph, rules))
    frames = [_frame(rect) for rect in root.iter(f"{SVG}rect") if rect.get("class") == "box" and rect.get("y") != "-10"]
    assert len(frames) == n
    assert all(_apart(a, b) for i, a in enumerate(frames) for b in frames[:i])
    rings = [_frame(rect) for rect in root.iter(f"{SVG}rect") if rect.get("class") == "ring"]
    inside = [sum(not _apart(ring, frame) for frame in frames) for ring in rings]
    assert inside == [len(cycle) for cycle in graph.cycles]
    edges = [g for g in root.iter(f"{SVG}g") if g.get("class") == "edge"]
    assert len(edges) == len(graph.edges)
    reasons = [text for g in edges for text in g.iter(f"{SVG}text")]
    if len(graph.edges) <= 14:
        spots = {(int(t.get("x") or 0), int(t.get("y") or 0)) for t in reasons}
        assert len(spots) == len(graph.edges)
        rows = [y for _, y in spots]
        assert all(frame[3] <= y - 8 or y + 3 <= frame[1] for y in rows for frame in frames)
    high, left = int(root.get("height") or 0), int((root.get("viewBox") or "0").split()[0])
    assert all(x >= left and y >= 0 and low <= high for x, y, _, low in frames)


def test_a_large_picture_has_its_reasons_below_and_a_dark_one_its_own_colors() -> None:
    graph, rules = _many(20, 4)
    drawn = to_svg(graph, rules)
    assert drawn == to_svg(graph, rules)
    assert "prefers-color-scheme:dark" in drawn
    words = [t.text or "" for t in ElementTree.fromstring(drawn).iter(f"{SVG}text") if t.get("class") == "legend"]
    assert any(re.match(r"1  ", word) for word in words)
    assert {"static effect", "only breaks ties"} <= set(words)


# Expectations


@pytest.mark.parametrize(
    ("then", "holds"),
    [
        ("{outcomes: [{Bell.counters.mark: 5}, {Bell.counters.mark: 6}]}", True),
        ("{outcomes: [{Bell.counters.mark: 5}]}", False),
        ("{outcomes: [{Bell.counters.mark: 5}, {Bell.counters.mark: 5}]}", False),
        ("{ever: [{Bell.counters.mark: 6}]}", True),
        ("{ever: [{Bell.counters.mark: 7}]}", False),
        ("{never: [{Bell.counters.mark: 7}]}", True),
        ("{never: [{Bell.counters.mark: 6}]}", False),
        ("{always: {Bell.counters.wounds: 1}}", True),
        ("{always: {Bell.counters.mark: 5}}", False),
        ("{confluent: false, count: 2, loops: 0, paradoxes: 0, ambiguities: 0, silences: []}", True),
        ("{confluent: true}", False),
        ("{loops: 1}", False),
        ("{silences: [ties]}", False),
        ("{ever: [{state: {Bell.counters.mark: 6}, by: Ann}]}", True),
        ("{ever: [{state: {Bell.counters.mark: 6}, by: Bob}]}", False),
        ("{edges: [{from: step 1, to: step 2, kind: needs}], no_edges: [{from: step 2, to: step 1}]}", True),
        ("{edges: [{from: step 2, to: step 1}]}", False),
        ("{no_edges: [{from: step 1, to: step 2}]}", False),
        ("{applied: [Lamp/0, Glass/0]}", True),
        ("{applied: [Glass/0, Lamp/0]}", False),
    ],
)
def test_expectations_hold_and_fail(then: str, holds: bool) -> None:
    (case,) = read_cases(CASE.format(game="flesh-and-blood") + f"then: {then}\n")
    assert all(check.holds for check in run(case)) is holds


def test_what_is_not_there_reads_as_nothing() -> None:
    question = ask(CASE.format(game="flesh-and-blood"))
    said = {
        path: at_path(question, question.position, path)
        for path in (
            "Bell.counters.x",
            "Bell.status.x",
            "Bell.types.x",
            "Bell.types.bell",
            "Bell.nothing",
            "Ann.pool.r",
        )
    }
    assert list(said.values()) == ["0", "false", "false", "true", "none", "0"]


def test_a_chosen_player_is_refused_and_not_passed_over(tmp_path: Path) -> None:
    """What would happen to the player is not played, so that there is no answer."""
    path = tmp_path / "players.case.yaml"
    path.write_text(
        "case: a player is chosen\nruleset: flesh-and-blood\ngiven: {players: {Nic: {}, Tyler: {}}, turn: Nic}\n"
        "when: {player: Nic, do: [{as: foe, choose: {player: true, how: target}}, {lose: {h: 2}, of: $foe}]}\n"
        "then: {count: 2}\n"
    )
    (case,) = read_cases(path)
    assert case.order is not None
    with pytest.raises(LimitReached, match="player who is chosen"):
        order(case.order)


@pytest.mark.parametrize(
    ("of", "do"),
    [
        ("trigger: {on: {destroy: {type: Ally}}, ", "{draw: 1, of: {player: true, how: choose}}"),
        ("trigger: {on: {destroy: {type: Ally}}, ", "{as: foe, choose: {player: true}}, {lose: {h: 2}, of: $foe}"),
        ("replace: {on: {destroy: {type: Ally}}, ", "{lose: {h: 2}, of: {player: true, how: choose}}"),
    ],
)
def test_a_player_chosen_by_what_is_set_off_is_refused_too(of: str, do: str) -> None:
    """Neither engine passes over a text that happens because of another: of objects it would find none."""
    said = "instead" if of.startswith("replace") else "do"
    case = (
        "case: a bell asks for a player\nruleset: flesh-and-blood\n"
        f"cards: {{Ally: {{types: [Ally]}}, Bell: {{types: [Item], abilities: [{{{of}{said}: [{do}]}}}}]}}}}\n"
        "given: {players: {Nic: {arena: [Bell, Ally]}, Tyler: {}}, turn: Nic}\n"
        "when: {player: Nic, do: [{destroy: {type: TYPE}}]}\nthen: {count: 1}\n"
    )
    (asked,) = read_cases(case.replace("TYPE", "Ally"))
    assert asked.order is not None
    with pytest.raises(LimitReached, match="player who is chosen"):
        order(asked.order)
    with pytest.raises(LimitReached, match="player who is chosen"):
        outcomes(asked.order, 100)
    (other,) = read_cases(case.replace("TYPE", "Item"))
    assert other.order is not None
    assert order(other.order).status == "legal"
