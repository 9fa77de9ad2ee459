"""How fast cards are put under stress: ``python benchmarks/stress.py [--dask]``.

1. Checks a second with one and two processes, and on a cluster of two workers on this machine.
2. Growth: invented pools of 50 to 400 cards; kinds that say the same, connected pairs, seconds.
3. What both would cost on more cores: tasks do not wait for each other, so the share is by workers.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "solver" / "stress"))

from faults import INNOCENT, written  # the invented cards of the tests

from lawful.model.rulesets import load_ruleset
from lawful.stressing import stress
from lawful.stressing.pool import Entry, Pool


def pool(n: int, seed: int = 1) -> Pool:
    """Return a pool of n invented cards with some taxes and wards among them."""
    dice = random.Random(seed)
    cards: dict[str, dict[str, Any]] = {f"Card {i}": dice.choice(INNOCENT)(dice) for i in range(n)}
    for i in range(max(1, n // 20)):
        tax = {"modify": "cost.r", "stage": "increase", "add": i % 3 + 1, "of": {"declaration": {"by": "$controller"}}}
        cards[f"Tax {i}"] = {"types": ["Aura"], "abilities": [{"static": tax}]}
    with TemporaryDirectory() as folder:
        read = written(cards, "fab", Path(folder))
    return Pool(load_ruleset("fab"), {name: Entry(card) for name, card in read.items()})


def run(cards: Pool, executor: str) -> tuple[int, int, float]:
    """Return how many checks were done, how many of them of pairs, and the seconds."""
    start = time.perf_counter()
    found = stress(cards, game=cards.ruleset, executor=executor)
    done = [row for row in found.rows if not row.get("unread")]
    return len(done), sum(len(row["cards"]) > 1 for row in done), time.perf_counter() - start


def main() -> None:
    some = pool(150)
    print("| executor | checks | of pairs | seconds | checks a second | pairs a second |\n|---|--:|--:|--:|--:|--:|")
    names = ["here", "processes:1", "processes:2"]
    cluster: Any = None
    if "--dask" in sys.argv:
        from distributed import LocalCluster

        cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        names.append(cluster.scheduler_address.replace("tcp://", "dask://"))
    for name in names:
        done, pairs, seconds = run(some, name)
        shown = "dask, two workers" if name.startswith("dask") else name
        pace = f"{done / seconds:.1f} | {pairs / seconds:.1f}"
        print(f"| {shown} | {done} | {pairs} | {seconds:.1f} | {pace} |", flush=True)
    if cluster is not None:
        cluster.close()
    print("\n| cards | kinds | checks | of pairs | seconds |\n|--:|--:|--:|--:|--:|")
    for n in (50, 100, 200, 400):
        cards = pool(n)
        done, pairs, seconds = run(cards, "here")
        found = stress(cards, game=cards.ruleset, checks=("engine",), groups=1)
        print(f"| {len(cards.entries)} | {len(found.same)} | {done} | {pairs} | {seconds:.1f} |", flush=True)


if __name__ == "__main__":
    main()
