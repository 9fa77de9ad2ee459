"""Pages, samples, wishes, streams and proofs, as options of `lawful pay`."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from runs import Run

import lawful
from lawful.model.errors import BadInput
from lawful.model.page import Page, worth
from lawful.solver.ways import ways
from lawful.wishes import parse_wishes

HAND = ("--cost", "6r", "--hand", "red, red, yellow, blue, blue")
QUESTION = {"cost": "6r", "hand": "red, red, yellow, blue, blue"}


def keys(document: dict[str, object]) -> list[str]:
    listed = document["ways"]
    assert isinstance(listed, list)
    return [way["key"] for way in listed]


def test_pages_make_up_the_whole(pay: Run) -> None:
    whole = keys(pay.json(*HAND))
    assert len(whole) == 11
    paged = [key for start in range(0, 12, 4) for key in keys(pay.json(*HAND, "--from", str(start), "--limit", "4"))]
    assert paged == whole
    assert keys(pay.json(*HAND, "--from", "11")) == []


@pytest.mark.parametrize("level", ["sources", "allocations", "sequences", "outcomes"])
def test_a_sample_is_of_different_ways_and_depends_on_the_seed(pay: Run, level: str) -> None:
    whole = keys(pay.json(*HAND, "--level", level))
    drawn = {seed: keys(pay.json(*HAND, "--level", level, "--sample", "3", "--seed", str(seed))) for seed in range(4)}
    assert all(len(set(d)) == 3 and set(d) <= set(whole) for d in drawn.values())
    assert len({tuple(d) for d in drawn.values()}) > 1
    assert drawn[1] == keys(pay.json(*HAND, "--level", level, "--sample", "3", "--seed", "1"))
    assert sorted(keys(pay.json(*HAND, "--level", level, "--sample", "500"))) == sorted(whole)


@pytest.mark.parametrize("engine", ["diagram", "enumeration"])
@pytest.mark.parametrize(
    "wish", ["keep blue, few cards", "use blue, many cards", "little left", "much left, keep yellow"]
)
def test_the_best_come_first(engine: str, wish: str) -> None:
    asked = lawful.question("fab", **QUESTION)
    wishes = parse_wishes(wish, asked)
    listed = ways(asked, "sources", page=Page(best=wishes), engine=engine).listed
    worths = [worth(wishes, line.payment, line.outcome) for line in listed]
    assert len(worths) == 11
    assert all(a >= b for a, b in pairwise(worths))


def test_wishes_about_x() -> None:
    asked = lawful.question("fab", cost="X", hand="red, yellow")
    for wish, first in (("low X", 0), ("high x", 3)):
        listed = ways(asked, "sources", page=Page(best=parse_wishes(wish, asked))).listed
        assert listed[0].payment.x == first


def test_minimal_ways_only(pay: Run) -> None:
    document = pay.json(*HAND, "--minimal")
    assert document["count"] == 11
    assert document["listed"] == document["minimal"] == 5
    by_enumeration = ways(lawful.question("fab", **QUESTION), "sources", page=Page(minimal=True), engine="enumeration")
    assert [line.key for line in by_enumeration.listed] == keys(document)


def test_unknown_wishes_are_all_named_with_the_closest() -> None:
    with pytest.raises(BadInput) as caught:
        parse_wishes("keep bleu, foo", lawful.question("fab", **QUESTION))
    assert "did you mean 'blue'?" in str(caught.value)
    assert "'foo' is no preference" in str(caught.value)
    with pytest.raises(BadInput):
        parse_wishes(" ", lawful.question("fab", **QUESTION))


def test_a_stream_says_what_the_document_says(pay: Run) -> None:
    document = pay.json(*HAND)
    head, *lines, end = (json.loads(line) for line in pay(*HAND, "--jsonl")[1].splitlines())
    assert (head["type"], end["type"]) == ("answer", "end")
    assert head["counts"] == document["counts"]
    assert end == {"type": "end", "listed": 11, "complete": True, "reasons": [], "nearest": [], "reached": []}
    shown = document["ways"]
    assert isinstance(shown, list)
    for line, way in zip(lines, shown, strict=True):
        assert {key: line[key] for key in ("sources", "steps", "x", "copies", "key")} == {
            key: way[key] for key in ("sources", "steps", "x", "copies", "key")
        }
        assert way["pool"].items() <= line["pool"].items()


def test_an_unpayable_cost_streams_its_verdict(pay: Run) -> None:
    code, out, _ = pay("--cost", "3c", "--hand", "red", "--jsonl")
    head, end = (json.loads(line) for line in out.splitlines())
    assert code == 1
    assert head["verdict"] == "illegal"
    assert end["listed"] == 0


def test_a_proof_is_said(pay: Run) -> None:
    assert pay.json(*HAND, "--prove")["proved"] is True
    assert pay.json(*HAND)["proved"] is False
    assert "proved by CP-SAT" in pay(*HAND, "--prove")[1]


@pytest.mark.parametrize(
    "options",
    [
        ("--sample", "2", "--from", "1"),
        ("--sample", "2", "--by-name"),
        ("--json", "--jsonl"),
        ("--jsonl", "--prove"),
        ("--with", "red", "--sample", "1"),
    ],
)
def test_options_that_contradict_each_other_are_refused(pay: Run, options: tuple[str, ...]) -> None:
    assert pay(*HAND, *options)[0] == 2


def test_sources_used_in_every_way_and_in_none() -> None:
    answer = lawful.pay(lawful.question("fab", cost="3c1r", hand="Inner Chi, blue, red"))
    assert answer.used["Inner Chi"] == answer.count == 2
    assert (answer.used["blue"], answer.used["red"]) == (1, 1)


@pytest.mark.parametrize("kind", ["npz", "arrow", "parquet"])
@pytest.mark.parametrize("level", ["sources", "allocations"])
def test_all_ways_in_a_file(pay: Run, tmp_path: Path, kind: str, level: str) -> None:
    asked = ("--cost", "2c3r", "--hand", "red, blue, Inner Chi, Inner Chi", "--level", level)
    document = pay.json(*asked)
    path = tmp_path / f"ways.{kind}"
    code, out, _ = pay(*asked, "--export", str(path))
    assert (code, list(tmp_path.iterdir())) == (0, [path])
    assert out.startswith(f"{document['count']} ways")
    rows = read_rows(path)
    assert len(rows) == document["count"]
    sources = ["red", "blue", "Inner Chi", "Inner Chi #2"]
    used = [sorted(name for name in sources if row[name] not in ("", "0")) for row in rows]
    shown = document["ways"]
    assert isinstance(shown, list)
    assert used == [sorted(way["sources"]) for way in shown]
    if level == "allocations":
        for row, way in zip(rows, shown, strict=True):
            parts = {name: step["pay"][-1] for step in way["steps"] for name in step["with"]}
            assert {name: row[name] for name in sources if row[name]} == parts


def read_rows(path: Path) -> list[dict[str, str]]:
    if path.suffix == ".npz":
        file = np.load(path)
        columns = [str(name) for name in file["columns"]]
        rows = []
        for key in file["keys"]:
            at = [
                int(key[w]) >> int(s) & ((1 << int(b)) - 1)
                for w, s, b in zip(file["word"], file["shift"], file["bits"], strict=True)
            ]
            rows.append({name: str(file[f"labels {i}"][at[i]]) for i, name in enumerate(columns)})
        return rows
    table = pq.read_table(path) if path.suffix == ".parquet" else pa.ipc.open_file(path).read_all()
    found: list[dict[str, str]] = table.to_pylist()
    return found


def test_what_cannot_be_written_is_said(pay: Run, tmp_path: Path) -> None:
    for file, more in (("ways.csv", ()), ("ways.npz", ("--level", "sequences")), ("no/such/dir.npz", ())):
        code, _, err = pay(*HAND, *more, "--export", str(tmp_path / file))
        assert (code, bool(err)) == (3, True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "options",
    [
        ("--export", "x.npz", "--minimal"),
        ("--export", "x.npz", "--limit", "0"),
        ("--export", "x.npz", "--from", "0"),
        ("--minimal", "--level", "outcomes"),
        ("--jsonl", "--by-source"),
        ("--sample", "99999999999"),
    ],
)
def test_options_that_would_be_ignored_are_refused(pay: Run, options: tuple[str, ...]) -> None:
    assert pay(*HAND, *options)[0] == 2


def test_minimal_ways_merged_by_name(pay: Run) -> None:
    document = pay.json(*HAND, "--minimal", "--by-name")
    assert [way["sources"] for way in document["ways"]] == [["red", "yellow", "blue"], ["blue", "blue"]]


def test_huge_ranks_and_limits_are_no_fault_of_ours(pay: Run) -> None:
    huge = "99999999999999999999"
    assert keys(pay.json(*HAND, "--from", huge, "--best", "few cards")) == []
    assert len(keys(pay.json(*HAND, "--limit", huge))) == 11
    assert pay(*HAND, "--best", "few cards\rlow X")[0] == 3


def test_a_stream_is_undetermined_where_the_readings_differ(pay: Run) -> None:
    asked = ("--game", "mc", "--cost", "Xr", "--hand", "")
    code, out, _ = pay(*asked, "--jsonl")
    assert (code, json.loads(out.splitlines()[0])["verdict"]) == (4, "undetermined")
