"""How a sweep is cut into batches, how far it says that it is, and triples of cards along connected pairs."""

from __future__ import annotations

import io
import sys
from collections import deque
from pathlib import Path
from typing import Any

import pytest
from faults import written

from lawful.cli.stressing import progress
from lawful.model.rulesets import load_ruleset
from lawful.stressing import Row, stress
from lawful.stressing.executors import ABOUT, LARGEST, Crew
from lawful.stressing.pool import Entry, Pool
from lawful.stressing.tasks import Task


@pytest.mark.parametrize(("seconds", "size"), [(0.1, 10), (0.5, 2), (3.0, 1), (0.0001, LARGEST)])
def test_a_batch_takes_about_a_second(seconds: float, size: int) -> None:
    """However long tasks take: after some of them, as many are sent together as take a second."""
    crew = Crew("here", b"")
    rows: list[tuple[str, Row]] = [(str(n), {"seconds": seconds}) for n in range(400)]
    crew._learn(rows)
    batch = crew._batch(deque([Task(str(n), "dead", ()) for n in range(2000)]))
    assert abs(len(batch) - size) <= 1
    assert len(batch) * seconds <= max(ABOUT, seconds)


def test_at_the_end_of_a_sweep_the_batches_are_small_so_that_no_worker_waits_for_another() -> None:
    crew = Crew("processes:2", b"")
    crew.pace = 0.001
    left = deque([Task(str(n), "dead", ()) for n in range(40)])
    sizes = []
    while left:
        sizes.append(len(crew._batch(left)))
    assert sizes == sorted(sizes, reverse=True)
    assert (sizes[0], sizes[-1], sum(sizes)) == (11, 1, 40)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_says_how_many_are_done_and_how_long_the_rest_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setenv("TERM", "xterm")
    tell = progress()
    assert tell is not None
    tell(100, 1000, 0, 10.0)  # what was in the store counts for no pace
    tell(200, 1000, 3, 20.0)
    assert "200 of 1000 checks, 10.0 a second, 80 s left, 3 findings" in shown.getvalue()
    tell(400, 10_000, 3, 40.0)
    assert "16 min left" in shown.getvalue().rpartition("\r")[2]
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert progress() is None  # nobody looks at it


def hears(event: str, do: dict[str, Any]) -> dict[str, Any]:
    trigger = {"on": {event: {"type": "Ally"}}, "do": [do]}
    return {"types": ["Aura"], "abilities": [{"trigger": trigger}]}


@pytest.mark.parametrize(("last", "found"), [("tap", True), ("turn_down", False)])
def test_three_cards_that_go_round_are_found_together_and_no_two_of_them(
    last: str, found: bool, tmp_path: Path
) -> None:
    """Tapping places a counter, that untaps, untapping taps; with another last step it ends."""
    cards = {
        "A": hears("tap", {"place_counter": "charge", "of": "$subject", "n": 1}),
        "B": hears("place_counter", {"untap": "$subject"}),
        "C": hears("untap", {last: "$subject"}),
    }
    read = written({**cards, "Wolf": {"types": ["Ally"]}}, "fab", tmp_path)
    pool = Pool(load_ruleset("fab"), {name: Entry(card) for name, card in read.items()})
    groups = {
        n: {tuple(sorted(one["cards"])) for one in stress(pool, game="fab", groups=n, checks=("endless",)).findings}
        for n in (1, 2, 3)
    }
    assert groups == {1: set(), 2: set(), 3: {("A", "B", "C")} if found else set()}
