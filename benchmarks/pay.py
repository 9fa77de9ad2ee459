"""One run, one table: how fast all ways to pay are found, against other engines on the identical hands.

Run ``python benchmarks/pay.py`` (under four minutes) or ``--quick`` (under half a minute); see README.md.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from cell import ENGINES, HANDS, OWN, SMALL, installed
from targets import judged

HERE = Path(__file__).parent
LISTED = (8, 14, 18, 22)
PROVED = (8, 14, 18, 22, 30)
GROWTH = (4, 8, 14, 18, 22, 30, 44, 60)
SMALL_ENGINES = (*OWN, "CP-SAT tuned", "CP-SAT over classes", "clingo", "depth-first")
BIG = 44

ONE_THREAD = {**os.environ, "OMP_NUM_THREADS": "1"}  # threads that wait for each other burn time on a busy machine

Cells = dict[tuple[str, int], dict[str, Any]]


class Run:
    """Runs cells one after the other, each in a process of its own, within a time for all.

    Parameters
    ----------
    cut : float
        Wall seconds for one cell.
    total : float
        Wall seconds for all of them.
    """

    def __init__(self, cut: float, total: float) -> None:
        self.cut, self.end = cut, time.monotonic() + total

    def cell(self, kind: str, n: int, engine: str = "all") -> dict[str, Any]:
        """Run one cell; say in `note` why it has no figure."""
        if not installed(engine):
            return {"note": "not installed"}
        left = self.end - time.monotonic()
        if left <= 0:
            return {"note": "no time left"}
        command = [sys.executable, str(HERE / "cell.py"), kind, str(n), engine, str(self.cut)]
        try:
            # What a cell takes besides: start, imports, up to a second of repetitions, the comparison.
            most = min(2 * self.cut + 10, left + 10)
            done = subprocess.run(command, capture_output=True, text=True, timeout=most, env=ONE_THREAD)
        except subprocess.TimeoutExpired:
            return {"note": "stopped by the clock"}
        if done.returncode:
            raise SystemExit(f"{engine} on {n} cards:\n{done.stderr}")
        return dict(json.loads(done.stdout.splitlines()[-1]))

    def listing(self, sizes: tuple[int, ...]) -> Cells:
        """List all ways with every engine, hand by hand; an engine that would be cut off is projected instead."""
        cells: Cells = {}
        for n in sizes:
            known: set[tuple[int, str]] = set()
            together = self.cell("list", n) if n <= SMALL else {}  # a process each would take longer than all of them
            for engine in ENGINES:
                cell = together.get(engine) or self._projected(cells, engine, n) or self.cell("list", n, engine)
                cells[engine, n] = cell
                print(f"{n} cards: {engine}: {milliseconds(cell)} ms", file=sys.stderr, flush=True)
                if "hash" in cell:
                    known.add((cell["ways"], cell["hash"]))
            if len(known) > 1:
                raise SystemExit(f"{n} cards: the engines disagree: {known}")
        return cells

    @staticmethod
    def _rate(cell: dict[str, Any]) -> float | None:
        """Return the seconds for each way that a cell tells of."""
        if "projected" in cell:
            return float(cell["rate"])
        seconds = cell.get("seconds", cell.get("cut"))
        return seconds / cell["ways"] if seconds and cell.get("ways") else None

    def _projected(self, cells: Cells, engine: str, n: int) -> dict[str, Any] | None:
        """Return a cell without running it, where the hand before says that it is too slow, or why there is none."""
        sizes = [size for name, size in cells if name == engine and size < n]
        ours = cells.get((ENGINES[0], n), {})
        if not sizes or "ways" not in ours:
            return None
        before = cells[engine, max(sizes)]
        rate = self._rate(before)
        if rate is None:
            return {"note": before.get("note", "not tried")}
        seconds = rate * ours["ways"]
        return {"projected": seconds, "rate": rate} if seconds > 2 * self.cut else None


def milliseconds(cell: dict[str, Any]) -> str:
    """Return a cell's time as it is shown."""
    if "seconds" in cell:
        return f"{cell['seconds'] * 1e3:,.1f}"
    if "cut" in cell:
        return f"> {cell['cut'] * 1e3:,.0f}"
    return f"~ {cell['projected'] * 1e3:,.0f}" if "projected" in cell else cell["note"]


def ratio(cell: dict[str, Any], ours: float) -> str:
    """Return how many times our time it took."""
    for name, sign in (("seconds", ""), ("cut", "> "), ("projected", "~ ")):
        if name in cell:
            times = cell[name] / ours
            return f"{sign}{times:,.0f}x" if times >= 10 else f"{sign}{times:.1f}x"
    return ""


def table(rows: list[list[str]]) -> str:
    """Return rows as a Markdown table; the first is its head."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "|---" + "|--:" * (len(rows[0]) - 1) + "|")
    return "\n".join(lines)


def listing_table(cells: Cells, sizes: tuple[int, ...]) -> str:
    """Show times and ratios to the better of our two engines on each hand."""
    best = {n: min(cells[engine, n]["seconds"] for engine in OWN) for n in sizes}
    head = [f"{n} cards, {cells[ENGINES[0], n]['ways']:,} ways" for n in sizes]
    rows = [["milliseconds; times ours", *head]]
    for engine in ENGINES:
        found = [cells[engine, n] for n in sizes]
        shown = [f"{milliseconds(c)}; {ratio(c, best[n])}".rstrip("; ") for c, n in zip(found, sizes, strict=True)]
        rows.append([f"**{engine}**" if engine in OWN else engine, *shown])
    return table(rows)


def small_table(cells: Cells, whole: dict[str, Any]) -> str:
    """Show the median and the 95th percentile of small hands."""
    rows = [[f"{HANDS} hands of {SMALL} cards", "median ms", "95 % within ms"]]
    for engine in SMALL_ENGINES:
        cell = cells[engine, SMALL]
        most = f"{cell['most'] * 1e3:.1f}" if "most" in cell else ""
        rows.append([f"**{engine}**" if engine in OWN else engine, milliseconds(cell), most])
    most = f"{whole['most'] * 1e3:.1f}" if "most" in whole else ""
    rows.append(["`ways`: four counts, minimal sets, uses, every payment spelled", milliseconds(whole), most])
    return table(rows)


def growth_table(cells: Cells) -> str:
    """Show what counting and compiling take as hands grow."""
    rows = [
        [
            "cards",
            "ways",
            "nodes",
            "states",
            "build ms",
            "compile ms",
            "count ms",
            "MB more",
            "nodes over classes",
            "all over classes, ms",
        ]
    ]
    for (_, n), cell in cells.items():
        if "nodes" not in cell:
            rows.append([str(n), *[milliseconds(cell)] * 9])
            continue
        times = [f"{cell[part] * 1e3:.1f}" for part in ("build", "compile", "count")]
        classes = [f"{cell['classes']['nodes']:,}", f"{cell['classes']['seconds'] * 1e3:.1f}"]
        ways = f"{cell['ways']:,}"
        rows.append(
            [str(n), ways, f"{cell['nodes']:,}", f"{cell['states']:,}", *times, f"{cell['megabytes']:.1f}", *classes]
        )
    return table(rows)


def proof_table(cells: Cells) -> str:
    """Show what CP-SAT takes to prove a diagram, and to refute it with an edge less."""
    kinds = ("nodes", "nothing is missing, ms", "nothing is too much, ms", "an edge less is refuted, ms")
    rows = [["cards", "ways", *(f"{of}: {kind}" for of in ("classes", "single") for kind in kinds)]]
    for (_, n), cell in cells.items():
        if "ways" not in cell:
            rows.append([str(n), milliseconds(cell), *[""] * 8])
            continue
        row = [str(n), f"{cell['ways']:,}"]
        for of in ("classes", "single"):
            mine = cell[of]
            times = [f"{mine[k] * 1e3:,.0f}" if k in mine else mine["note"] for k in ("complete", "sound", "refuted")]
            row += [f"{mine['nodes']:,}", *times]
        rows.append(row)
    return table(rows)


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small hands only, in under half a minute")
    parser.add_argument("--seconds", type=float, default=None, help="cut-off for one cell (20, quick: 4)")
    asked = parser.parse_args()
    start = time.monotonic()
    cut = asked.seconds or (4 if asked.quick else 20)
    run = Run(cut, 20 if asked.quick else max(200, 20 * cut))
    sizes = (8,) if asked.quick else LISTED
    big: Cells = {}
    growth: Cells = {("growth", n): run.cell("count", n) for n in ((8, BIG) if asked.quick else GROWTH)}
    proofs: Cells = {("prove", n): run.cell("prove", n) for n in ((8,) if asked.quick else PROVED)}
    if not asked.quick:
        big["bulk", 22] = run.cell("bulk", 22)
    smalls: Cells = {(e, SMALL): run.cell("small", SMALL, e) for e in (tuple(OWN) if asked.quick else SMALL_ENGINES)}
    whole = {} if asked.quick else run.cell("whole", SMALL)
    listed = run.listing(sizes)
    sizes = tuple(n for n in sizes if all("seconds" in listed[engine, n] for engine in OWN))
    print("Processor time of one process; `>` was cut off, `~` is projected from the hand before.\n")
    print(listing_table(listed, sizes), end="\n\n")
    if not asked.quick:
        print(small_table(smalls, whole), end="\n\n")
        cost = {"ways": 0, "blocks": float("nan"), "array": float("nan"), **big["bulk", 22]}
        print(
            f"One way more, of {cost['ways']:,}:",
            f"{cost['blocks']:.2f} ns in blocks, {cost['array']:.2f} ns as an array.\n",
        )
    print(growth_table(growth), end="\n\n")
    print("Certificates, by the clock, building their models included:\n")
    print(proof_table(proofs), end="\n\n")
    for line in judged(listed, smalls, big, growth):
        print(line)
    print(f"\nThe whole run took {time.monotonic() - start:.0f} s.")


if __name__ == "__main__":
    main()
