"""Several costs at once, at the level of source sets: all of them and the minimal ones, diagram against CP-SAT.

Run ``python benchmarks/multi_cost.py``: one run gives both times and their ratio, so that machines do not matter.
"""

from __future__ import annotations

import gc
import random
import sys
import time
from statistics import median

from lawful.model.casefile import build_question
from lawful.model.declaration import Question
from lawful.model.limits import Limits
from lawful.model.rulesets import load_ruleset
from lawful.solver.ask import each_solution
from lawful.solver.encode.allocation import Allocation
from lawful.solver.encode.frame import frame
from lawful.solver.source_sets import source_sets

COSTS = ("3", "2 & 1e", "2 & 1e & 1m", "2 & 1e & 1m & 1p")
KINDS = ("e", "m", "p", "w", "ee", "em", "mp", "ew", "mm", "pp")


def question(cost: str, sources: int, seed: int = 1) -> Question:
    """Return a question about a hand drawn at random."""
    rng = random.Random(seed)
    return build_question(load_ruleset("mc"), cost=cost, hand=[rng.choice(KINDS) for _ in range(sources)])


def by_cp_sat(asked: Question) -> tuple[int, int]:
    """Count all source sets and the minimal ones by enumeration: one solution for each, then a look at what is less."""
    f = frame(asked)
    model = Allocation(f, "none", told="sets")
    keys = list(model.used.values())
    found: set[tuple[int, ...]] = set()
    ended = each_solution(f.cp, keys, found.add, seconds=600, most=10_000_000)
    assert ended.complete
    ways = set(found)
    minimal = sum(not any(n and (*way[:i], n - 1, *way[i + 1 :]) in ways for i, n in enumerate(way)) for way in ways)
    return len(ways), minimal


def main(sources: int = 16) -> None:
    """Print one line for every number of costs."""
    print(f"{sources} sources\ncosts            sets  minimal  diagram s  CP-SAT s  ratio")
    for cost in COSTS:
        asked = question(cost, sources)
        source_sets(asked)  # imports are not what is measured
        gc.collect()
        gc.freeze()  # nor is the collector's walk over what they made, in either
        times = []
        for _ in range(7):  # milliseconds: the median says more than one run
            start = time.perf_counter()
            counted = source_sets(asked, limits=Limits())
            times.append(time.perf_counter() - start)
        diagram = median(times)
        start = time.perf_counter()
        enumerated = by_cp_sat(asked)
        solver = time.perf_counter() - start
        assert (counted.count, counted.minimal) == enumerated, (counted, enumerated)
        print(f"{cost:16} {counted.count:5} {counted.minimal:8} {diagram:10.3f} {solver:9.3f} {solver / diagram:6.0f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
