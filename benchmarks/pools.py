"""Sweeps published pools and prints the tables of docs/stress.md.

    python benchmarks/pools.py fab=card.csv mc=pack --folder sweeps [--executor processes:2] [--groups 3]
    python benchmarks/pools.py fab=card.csv mc=pack --folder sweeps --tables

The first sweeps, and says every 20 s how far it is; it goes on with what is in the folder's stores, where it was
stopped. The second only prints again. Time, processor and memory are those of all runs together.
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from threading import Thread
from typing import Any

Row = dict[str, Any]
NAMES = {"fab": "Flesh and Blood", "mc": "Marvel Champions", "bh": "Berserk Heroes"}


def sweep(game: str, cards: str, folder: Path, executor: str, groups: str) -> None:
    """Sweep one pool in a process of its own; write what it found, and what it cost.

    What is in its store already is not done again; its cost is that of all runs that were not killed with this process.
    """
    start = time.perf_counter()
    command = [
        sys.executable, "-m", "lawful.cli", "stress", cards, "--game", game, "--groups", groups, "--executor", executor,
        "--store", str(folder / f"{game}.db"), "--report", str(folder / f"{game}.html"), "--jsonl",
        "--cases", str(folder / f"{game}.cases"),
    ]  # fmt: skip
    ours, theirs = pty.openpty()  # it says how far it is where somebody looks at it
    with (folder / f"{game}.jsonl").open("w", encoding="utf8") as out:
        process = subprocess.Popen(command, stdout=out, stderr=theirs, env={**os.environ, "TERM": "xterm"})
    os.close(theirs)
    telling = Thread(target=tell, args=(ours, game))
    telling.start()
    try:
        _, status, used = os.wait4(process.pid, 0)  # with that of its own processes
    except KeyboardInterrupt:
        _, status, used = os.wait4(process.pid, 0)  # it was interrupted, too
    telling.join()
    seconds, cpu = time.perf_counter() - start, used.ru_utime + used.ru_stime
    before = cost_of(folder, game)
    cost = {
        "exit": os.waitstatus_to_exitcode(status), "runs": before.get("runs", 0) + 1,
        "wall": round(seconds) + before.get("wall", 0), "cpu": round(cpu) + before.get("cpu", 0),
        "mb": max(round(used.ru_maxrss / 1024), before.get("mb", 0)),
        "load": [round(n, 1) for n in os.getloadavg()], "executor": executor,
    }  # fmt: skip
    (folder / f"{game}.cost.json").write_text(json.dumps(cost), encoding="utf8")
    print(f"{game}: ended with exit code {cost['exit']} after {seconds / 60:.1f} min", file=sys.stderr)
    if cost["exit"] not in (0, 1, 3, 4):  # rows that cannot be read, and checks that could not be done, are told
        sys.exit(f"{game}: stopped; the same command goes on with it")


def tell(terminal: int, game: str, every: float = 20.0) -> None:
    """Print what a sweep says; how far it is only now and then."""
    heard, last = "", 0.0
    while True:
        try:
            got = os.read(terminal, 65_536)
        except OSError:  # so Linux says that the other end is closed
            got = b""
        heard += got.decode("utf8", "replace") if got else "\n"
        *said, heard = re.split(r"[\r\n]+", heard.replace("\033[K", ""))
        for line in filter(None, said):
            how_far = " checks, " in line
            if not how_far or time.monotonic() - last > every:
                print(f"{game}: {line}", file=sys.stderr, flush=True)
                last = time.monotonic() if how_far else last
        if not got:
            os.close(terminal)
            return


def cost_of(folder: Path, game: str) -> Row:
    """Return what the runs of a sweep cost so far."""
    path = folder / f"{game}.cost.json"
    known: Row = json.loads(path.read_text(encoding="utf8")) if path.exists() else {}
    return known


def lines(folder: Path, game: str) -> tuple[list[Row], Row, Row]:
    """Return the results of a sweep, its summary, and what it cost."""
    found = [json.loads(line) for line in (folder / f"{game}.jsonl").read_text(encoding="utf8").splitlines()]
    return found[:-1], found[-1]["summary"], cost_of(folder, game)


def asked(rows: list[Row]) -> list[Row]:
    return [row for row in rows if not row.get("why", "").startswith("its text was not read")]


def figures(folder: Path, games: list[str]) -> None:
    heads = ("cards", "kinds", "single checks", "of pairs", "of triples", "asked of the solver", "pairs")
    costs = ("time", "processor", "memory of the largest process", "pairs a second")
    print(f"| | {' | '.join((*heads, *costs))} |\n|---|{'--:|' * 11}")
    for game in games:
        rows, summary, cost = lines(folder, game)
        n = {size: len({(r["check"], *r["cards"]) for r in rows if len(r["cards"]) == size}) for size in (1, 2, 3)}
        done = {(r["check"], *r["cards"]) for r in asked(rows)}
        pairs = len({one[1:] for one in done if len(one) == 3})
        print(
            f"| {NAMES[game]} | {summary['cards']:,} | {summary['kinds']:,} | {n[1]:,} | {n[2]:,} | {n[3]:,} "
            f"| {len(done):,} | {pairs:,} | {cost['wall'] / 60:.1f} min | {cost['cpu']} s | {cost['mb']} MB "
            f"| {pairs / max(cost['wall'], 1):.1f} |"
        )


def by_check(folder: Path, games: list[str]) -> None:
    heads = " | ".join(f"{NAMES[game]}: findings | clean | not checked | nothing to look at" for game in games)
    print(f"\n| check | {heads} |\n|---|{'--:|' * (4 * len(games))}")
    found = {game: lines(folder, game)[1]["checks"] for game in games}
    for check in dict.fromkeys(name for counts in found.values() for name in counts):
        cells = [
            f"{found[game].get(check, {}).get(key, 0):,}"
            for game in games
            for key in ("finding", "clean", "not checked", "nothing")
        ]
        print(f"| {check} | {' | '.join(cells)} |")


def bounds(folder: Path, games: list[str]) -> None:
    print("\nSaturated, of what is clean or found:")
    for game in games:
        rows = [row for row in lines(folder, game)[0] if row["verdict"] != "not checked"]
        open_ = Counter(row["bound"]["says"] for row in rows if not row["saturated"])
        print(f"- {NAMES[game]}: {sum(row['saturated'] for row in rows):,} of {len(rows):,}; the others: "
              + "; ".join(f"{n:,} {why}" for why, n in open_.most_common()))  # fmt: skip


def unchecked(folder: Path, games: list[str], pools: dict[str, str]) -> None:
    print("\nNot checked, though the text was read:")
    for game in games:
        rows = [row for row in asked(lines(folder, game)[0]) if row["verdict"] == "not checked"]
        why = Counter((row["check"], _kind(row["why"])) for row in rows)
        print(f"- {NAMES[game]}: " + "; ".join(f"{check}: {n} {text}" for (check, text), n in why.most_common()))
    print("\nClauses that were not read, by kind, and cards that have one:")
    for game in games:
        print(f"- {NAMES[game]}: {_unread(game, pools[game], folder)}")


def _kind(why: str) -> str:
    return re.sub(r"\(.*\)", "", why.partition(":")[0] + why.partition(":")[2][:60]).strip()


def _unread(game: str, path: str, folder: Path) -> str:
    from lawful.model.rulesets import load_ruleset
    from lawful.stressing.pool import load_pool
    from lawful.stressing.store import Store

    with Store(folder / f"{game}.db") as store:
        pool = load_pool([path], load_ruleset(game), store)
    kinds = Counter(u.kind for entry in pool.entries.values() for u in entry.unread)
    some = sum(bool(entry.unread) for entry in pool.entries.values())
    paying = sum(any(u.paying for u in entry.unread) for entry in pool.entries.values())
    said = ", ".join(f"{kind} {n:,}" for kind, n in kinds.most_common())
    return f"{some:,} of {len(pool.entries):,} cards, {paying:,} in what bears on payments; {said}"


def told(folder: Path, games: list[str]) -> None:
    print("\nFindings:")
    for game in games:
        for row in lines(folder, game)[0]:
            if row["verdict"] == "finding":
                sure = "" if row["confirmed_by_referee"] else " (not confirmed)"
                like = f" (and {row['groups'] - 1} that say the same)" if row["groups"] > 1 else ""
                print(f"- {row['check']}: {', '.join(row['cards'])}: {row['says']}{like}{sure}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("pools", nargs="+", metavar="GAME=CARDS")
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--executor", default="processes:2")
    parser.add_argument("--groups", default="3")
    parser.add_argument("--tables", action="store_true", help="only print what is there already")
    given = parser.parse_args()
    pools = dict(one.split("=", 1) for one in given.pools)
    given.folder.mkdir(parents=True, exist_ok=True)
    for game, cards in pools.items() if not given.tables else ():
        sweep(game, cards, given.folder, given.executor, given.groups)
    games = [game for game in pools if (given.folder / f"{game}.cost.json").exists()]
    figures(given.folder, games)
    by_check(given.folder, games)
    bounds(given.folder, games)
    unchecked(given.folder, games, pools)
    told(given.folder, games)


if __name__ == "__main__":
    main()
