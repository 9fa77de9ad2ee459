"""One cell of a table, in a process of its own: ``python cell.py KIND N ENGINE SECONDS`` prints one JSON object."""

from __future__ import annotations

import importlib.util
import json
import resource
import signal
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import cpsat
import numpy as np
import others
import own
from instances import Hand, fingerprint

from lawful.model.errors import LimitReached
from lawful.model.limits import Limits
from lawful.solver.certify import certify
from lawful.solver.dd.blocks import blocks
from lawful.solver.members import apart
from lawful.solver.ways import ways

SMALL = 8  # cards of a small hand
HANDS = 60
OWN = {"diagram": (own.single, False), "diagram over classes": (own.classes, True)}
ON_QUESTION = {"CP-SAT tuned": cpsat.tuned, "CP-SAT over classes": cpsat.classes}
ON_PROBLEM: dict[str, Callable[..., Iterator[Any]]] = {
    "CP-SAT tuned, written by hand": cpsat.written,
    "CP-SAT default": cpsat.default,
    "clingo": others.clingo,
    "python-constraint2": others.constraint,
    "graphillion": others.graphillion,
    "depth-first": others.depth_first,
    "numpy brute force": others.brute_force,
}
ENGINES = [*OWN, *ON_QUESTION, *ON_PROBLEM]
NEEDS = {"clingo": "clingo", "python-constraint2": "constraint", "graphillion": "graphillion"}


def installed(engine: str) -> bool:
    """Say whether an engine can be run here."""
    return engine not in NEEDS or importlib.util.find_spec(NEEDS[engine]) is not None


def now() -> float:
    """Return the processor time of this process: other work on the machine does not count."""
    return time.process_time()


def runner(engine: str, hand: Hand, seconds: float) -> Callable[[], Any]:
    """Return what is timed: from the hand as an object to all ways as numbers."""
    if engine in OWN:
        question = hand.question()
        return lambda: OWN[engine][0](question)
    if engine in ON_QUESTION:
        question = hand.question()
        return lambda: collected(ON_QUESTION[engine](question, seconds))
    problem = hand.problem()
    return lambda: collected(ON_PROBLEM[engine](problem, seconds))


def collected(found: Iterator[Any]) -> list[Any]:
    """Gather what an engine yields: ways one by one, in lists, or in arrays."""
    ways: list[Any] = []
    try:
        for part in found:
            if isinstance(part, list):
                ways += part
            else:
                ways.append(part)
    except cpsat.CutOff as cut:
        raise cpsat.CutOff(cut.args[0] if cut.args else len(ways)) from None
    return ways


def ring(engine: str, seconds: float) -> None:
    """Cut an engine off after so many seconds, 0 for never; CP-SAT has a limit of its own."""
    if engine in ON_PROBLEM and ON_PROBLEM[engine].__module__ == others.__name__:
        signal.signal(signal.SIGALRM, _cut_off)
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _cut_off(*_: Any) -> None:
    raise cpsat.CutOff()


def ways_of(engine: str, hand: Hand, result: Any) -> np.ndarray:
    """Return the ways in the common form."""
    if engine in OWN:
        return own.common(hand.question(), *result, OWN[engine][1])
    if result and isinstance(result[0], np.ndarray):
        return np.concatenate(result)
    return np.array(result, dtype=np.uint64)


def listing(hand: Hand, engine: str, seconds: float) -> dict[str, Any]:
    """List all ways, up to 25 times within a second, and keep the best: what is above it is other work's doing."""
    runner(engine, Hand(6), seconds)()  # imports, first-use tables
    run, times, result = runner(engine, hand, seconds), [], None
    while len(times) < 25 and sum(times) < 1:
        result = None
        start = now()
        ring(engine, seconds)
        try:
            result = run()
        except cpsat.CutOff as cut:
            return {"cut": now() - start, "ways": cut.args[0]}
        times.append(now() - start)
        ring(engine, 0)
    found = ways_of(engine, hand, result)
    return {"seconds": min(times), "ways": len(found), "hash": fingerprint(found)}


def small(engine: str, seconds: float, hands: int = HANDS) -> dict[str, Any]:
    """List many small hands."""
    runs = [runner(engine, Hand(SMALL, seed), seconds) for seed in range(hands)]
    for run in runs[:3]:
        run()
    times, results = [], []
    for run in runs:
        start = now()
        results.append(run())
        times.append(now() - start)
    hashes = [fingerprint(ways_of(engine, Hand(SMALL, i), result)) for i, result in enumerate(results)]
    times.sort()
    return {"seconds": statistics.median(times), "most": times[len(times) * 95 // 100], "hash": "".join(hashes)}


def whole(hands: int = HANDS) -> dict[str, Any]:
    """Take small hands through `ways`: four counts, source sets that are minimal, uses, every payment spelled."""
    limits = Limits(listed=10**6)
    questions = [Hand(SMALL, seed).question() for seed in range(hands)]
    for question in questions[:3]:
        ways(question, "allocations", limits=limits)
    times = []
    for question in questions:
        start = now()
        found = ways(question, "allocations", limits=limits)
        times.append(now() - start)
        assert len(found.listed) == found.counts["allocations"] == len(own.single(question)[1]), "lists disagree"
    times.sort()
    return {"seconds": statistics.median(times), "most": times[len(times) * 95 // 100]}


def bulk(hand: Hand) -> dict[str, Any]:
    """Time what one way more costs, the diagram being there."""
    diagram = apart(own.chart(hand.question(), "gain"))
    count, best = diagram.count(), {}
    for name, run in (("blocks", lambda: sum(map(len, blocks(diagram)))), ("array", lambda: len(own.keys(diagram)))):
        times = []
        for _ in range(5):
            start = now()
            assert run() == count
            times.append(now() - start)
        best[name] = statistics.median(times) / count * 1e9
    return {"ways": count, **best}


def counting(hand: Hand) -> dict[str, Any]:
    """Count all ways, over classes and by single sources; note what it takes."""
    question = hand.question()
    own.count(Hand(6).question())
    times = [(now(), own.count(question), now()) for _ in range(3)]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = now()
    model = own.model(question, "none")
    built = now()
    chart = own.Chart(model, nodes=own.LIMITS.nodes, seconds=own.LIMITS.seconds)
    compiled = now()
    count = chart.allocations.count()
    counted = now()
    assert {count} == {n for _, n, _ in times}, "classes and single sources disagree"
    classes = own.chart(question, "gain").allocations
    return {
        "ways": count,
        "classes": {"seconds": statistics.median(b - a for a, _, b in times), "nodes": classes.nodes},
        "nodes": chart.allocations.nodes,
        "states": chart.full.states,
        "build": built - start,
        "compile": compiled - built,
        "count": counted - compiled,
        "megabytes": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024,
    }


def proving(hand: Hand, seconds: float) -> dict[str, Any]:
    """Have CP-SAT prove the diagrams over classes and by single sources, and refute them with one edge taken away."""
    question, found = hand.question(), {}
    own.chart(Hand(6).question(), "gain").prove(seconds)
    for name, alike in (("classes", "gain"), ("single", "none")):
        chart = own.chart(question, alike)
        try:
            certificate = chart.prove(seconds)
            assert certificate.proved, "a diagram is refuted"
            start = time.monotonic()
            proto, decisions, fewer = chart.f.cp.proto, chart.decisions, own.with_an_edge_less(chart.full)
            assert not certify(proto, decisions, fewer, seconds=seconds).complete, "a missing edge is not seen"
        except LimitReached:
            found[name] = {"nodes": chart.full.nodes, "note": "no proof in time"}
            continue
        complete, sound = certificate.halves
        refuted = time.monotonic() - start
        found[name] = {"nodes": certificate.nodes, "complete": complete, "sound": sound, "refuted": refuted}
    return {"ways": chart.allocations.count(), **found}


def main(kind: str, n: int, engine: str, seconds: float) -> dict[str, Any]:
    if kind == "list" and engine == "all":
        return {each: listing(Hand(n), each, seconds) for each in ENGINES if installed(each)}
    if kind == "list":
        return listing(Hand(n), engine, seconds)
    if kind == "small":
        return small(engine, seconds)
    if kind == "whole":
        return whole()
    if kind == "prove":
        return proving(Hand(n), seconds)
    return bulk(Hand(n)) if kind == "bulk" else counting(Hand(n))


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], int(sys.argv[2]), sys.argv[3], float(sys.argv[4]))))
