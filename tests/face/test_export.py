"""A file of ways says what the list says: read back, it is the same payments in the same order."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from runs import Run

import lawful
from lawful.export import export
from lawful.exported import payments, unlike
from lawful.model.errors import BadInput, LimitReached
from lawful.model.limits import Limits
from lawful.model.payment import Level, project
from lawful.solver.charted import Charted
from lawful.solver.ways import find

ASKED: list[tuple[str, dict[str, Any]]] = [
    ("fab", {"cost": "2c3r", "hand": "red, blue, Inner Chi, Inner Chi"}),
    ("fab", {"cost": "X", "hand": "red, yellow"}),
    ("fab", {"cost": "1r | 1c", "hand": "red, Inner Chi"}),
    ("fab", {"cost": "9r", "hand": "red"}),
    ("fab", {"cost": "0", "hand": "red"}),
    ("mc", {"cost": "1 & Xe", "hand": "ee, w, m"}),
    ("mc", {"cost": "2", "hand": "e, w"}),
    ("bh", {"cost": "X", "stock": {"coins": 3}}),
    ("bh", {"cost": "2", "stock": {"coins": 3}}),
]


@pytest.mark.parametrize("kind", ["npz", "arrow", "parquet"])
@pytest.mark.parametrize("level", ["sources", "allocations"])
@pytest.mark.parametrize(("game", "asked"), ASKED)
def test_a_file_reads_back_as_the_list(
    game: str, asked: dict[str, Any], level: Level, kind: str, tmp_path: Path
) -> None:
    question = lawful.question(game, **asked)
    path = str(tmp_path / f"ways.{kind}")
    listed = [project(payment, level) for _, payment, _, _ in find(question).lines(level)]
    assert export(question, path, level) == len(listed)
    assert [project(payment, level) for payment in payments(path)] == listed


def test_equal_effect_costs_are_told_apart(tmp_path: Path, two_discards: Callable[[], Any]) -> None:
    question = two_discards()
    found = find(question)
    assert isinstance(found, Charted)
    listed = [project(payment, "allocations") for _, payment, _, _ in found.lines("allocations")]
    assert len(listed) > 2
    for kind in ("npz", "arrow", "parquet"):
        path = str(tmp_path / f"ways.{kind}")
        export(question, path, "allocations")
        assert [project(payment, "allocations") for payment in payments(path)] == listed
    import pyarrow.parquet as pq

    rows = pq.read_table(tmp_path / "ways.parquet").to_pylist()
    assert len({json.dumps(row) for row in rows}) == len(rows)


@pytest.fixture
def two_discards() -> Callable[[], Any]:
    """Return a question whose cost takes two cards of the hand, each by a term of its own."""
    from worlds import cost, question

    from lawful.model.act import Act
    from lawful.model.cost import ActTerm, CostAll
    from lawful.model.selector import Selector

    def ask() -> Any:
        discard = ActTerm(Act("discard", Selector(zone=("hand",), how="choose", n=1)))
        return question(CostAll((*cost(r=1).terms, discard, discard)), ["red", "blue", "blue"])  # type: ignore[union-attr]

    return ask


def test_names_of_columns_are_unlike() -> None:
    assert unlike(["a", "a (2)", "a", "a"]) == ["a", "a (2)", "a (3)", "a (4)"]
    assert unlike(["", ""]) == ["", " (2)"]


def test_what_is_no_file_of_ways_is_refused(tmp_path: Path) -> None:
    (tmp_path / "broken.npz").write_bytes(b"PK")
    (tmp_path / "broken.parquet").write_bytes(b"PK")
    (tmp_path / "broken.arrow").write_bytes(b"PK")
    for name in ("none.npz", "none.arrow", "broken.npz", "broken.parquet", "broken.arrow"):
        with pytest.raises(BadInput, match=name):
            list(payments(str(tmp_path / name)))


def test_time_bounds_a_file(tmp_path: Path) -> None:
    question = lawful.question("fab", cost="12r", hand=", ".join(["red", "yellow", "blue"] * 9))
    with pytest.raises(LimitReached, match="seconds"):
        export(question, str(tmp_path / "ways.arrow"), limits=Limits(seconds=0.2))
    with pytest.raises(LimitReached, match="rows = 10"):
        export(question, str(tmp_path / "ways.arrow"), limits=Limits(rows=10))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "given", [("--game", "mc", "--cost", "2", "--hand", "e, w"), ("--game", "bh", "--cost", "X", "--coins", "3")]
)
def test_every_game_on_the_command_line(pay: Run, tmp_path: Path, given: tuple[str, ...]) -> None:
    document = pay.json(*given, "--limit", "1000")
    path = tmp_path / "ways.npz"
    assert pay(*given, "--export", str(path))[0] == 0
    assert len(list(payments(str(path)))) == document["count"]
    for wish in ("few cards", "much left, low X"):
        best = pay.json(*given, "--best", wish)
        assert sorted(way["key"] for way in best["ways"]) == sorted(way["key"] for way in document["ways"])
