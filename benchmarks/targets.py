"""What is to be reached, and whether a run did."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cell import NEEDS, OWN, SMALL

Cells = dict[tuple[str, int], dict[str, Any]]


def judged(listed: Cells, small: Cells, bulk: Cells, growth: Cells) -> Iterator[str]:
    """Yield one line for each target that the run says something about."""
    for rival, least in (("CP-SAT tuned", 200), ("CP-SAT tuned, written by hand", 200), ("clingo", 120)):
        theirs, ours = listed.get((rival, 18)), _best(listed, 18)
        if theirs and ours and (taken := _taken(theirs)):
            sure = "seconds" in theirs or taken / ours >= least
            yield _line(
                taken / ours >= least, sure, f"18 cards: {taken / ours:,.0f} times as fast as {rival}", f"{least}"
            )
        elif rival in NEEDS and theirs:
            yield f"not tested: {rival}: {theirs.get('note')}"
    for (_, n), cell in bulk.items():
        if "blocks" in cell:
            yield _line(cell["blocks"] <= 2, True, f"{n} cards: {cell['blocks']:.2f} ns a way in bulk", "at most 2")
    for (_, n), cell in growth.items():
        if n == 44 and "classes" in cell:
            spent = cell["classes"]["seconds"] * 1e3
            yield _line(spent < 150, True, f"44 cards: {cell['ways']:,} ways counted in {spent:.1f} ms", "under 150")
    for engine in OWN:
        cell = small.get((engine, SMALL), {})
        if "seconds" in cell:
            spent = cell["seconds"] * 1e3
            yield _line(spent <= 5, True, f"hands of {SMALL} listed in {spent:.1f} ms ({engine}, median)", "at most 5")
    for n in sorted({n for _, n in listed}):
        theirs, ours = listed.get(("CP-SAT over classes", n)), _best(listed, n)
        if theirs and ours and (taken := _taken(theirs)):
            yield _line(
                ours / taken <= 1.5, True, f"{n} cards: {ours / taken:.2f} times CP-SAT over classes", "at most 1.5"
            )


def _best(listed: Cells, n: int) -> float | None:
    times = [cell["seconds"] for engine in OWN if "seconds" in (cell := listed.get((engine, n), {}))]
    return min(times, default=None)


def _taken(cell: dict[str, Any]) -> float | None:
    return cell.get("seconds", cell.get("cut", cell.get("projected")))


def _line(reached: bool, sure: bool, what: str, target: str) -> str:
    verdict = "reached" if reached else "MISSED" if sure else "open (cut off)"
    return f"- {verdict}: {what} (target: {target})"
