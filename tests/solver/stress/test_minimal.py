"""Every smaller position of what was found is tried, for each check: none shows the same."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from faults import FAULTS, written

from lawful.model.declaration import OrderQuestion, Question
from lawful.model.position import Position
from lawful.model.rulesets import load_ruleset
from lawful.model.stress import CHECKS, Finding
from lawful.solver.stress import effects, engine
from lawful.solver.stress.asking import can_declare, can_pay, pays
from lawful.solver.stress.looking import look
from lawful.solver.stress.meeting import Meeting
from lawful.solver.stress.promising import _tells
from lawful.solver.stress.smallest import kept_ids, size_of
from lawful.solver.stress.unpayable import _roles
from lawful.solver.stress.uses import uses_of
from lawful.stressing.plan import Plan
from lawful.stressing.pool import Entry, Pool

Any = Question | OrderQuestion
SEEDS = range(20 if os.environ.get("LAWFUL_LONG") else 3)


def found(check: str, seed: int, folder: Path) -> tuple[Meeting, Finding]:
    """Return the finding of a seeded fault, as the solver tells it."""
    seeded = FAULTS[check](random.Random(seed))
    cards = written(seeded.cards, seeded.game, folder)
    pool = Pool(load_ruleset(seeded.game), {name: Entry(card) for name, card in cards.items()})
    plan = Plan(pool, seeded.group, (check,), seeded.promises, len(seeded.group))
    for job in plan.jobs():
        if job.task is not None and set(job.names) == set(seeded.group):
            setting = plan.setting
            meeting = Meeting(
                pool.ruleset, job.task.cards, setting.sources, job.task.objects, setting.readings, setting.gained
            )  # fmt: skip
            looked = look(check, meeting, seeded.promises)
            if looked.findings:
                return meeting, looked.findings[0]
    raise AssertionError("nothing was found")


def smaller(asked: Any) -> Iterator[Any]:
    """Yield every position with fewer objects, counters, points, facts or events."""
    position = asked.position
    keep = kept_ids(asked)
    start = {asset.id: asset.start for asset in asked.ruleset.assets}
    pools = [
        [dict(zip(p.pool, values, strict=True)) for values in product(
            *(range(min(start.get(a, 0), n), n + 1) for a, n in p.pool.items()))]
        for p in position.players
    ]  # fmt: skip
    events: list[object] = [None]
    if isinstance(asked, OrderQuestion):
        events = [tuple(e for e, on in zip(asked.events, some, strict=True) if on)
                  for some in product((True, False), repeat=len(asked.events))]  # fmt: skip
    for there in product((True, False), repeat=len(position.things)):
        things = tuple(t for t, stays in zip(position.things, there, strict=True) if stays)
        if not keep <= {t.id for t in things}:
            continue
        for counted in product(*(range(sum(t.counters.values()) + 1) for t in things)):
            fewer = tuple(map(_with, things, counted))
            for amounts in product(*pools):
                players = tuple(
                    replace(p, pool=type(p.pool)(amount)) for p, amount in zip(position.players, amounts, strict=True)
                )
                less = replace(position, things=fewer, players=players)
                for some in events:
                    small = replace(asked, position=less) if some is None else replace(
                        asked, position=less, events=some)  # fmt: skip
                    if _weight(small) < _weight(asked):
                        yield small


def _with(thing, n):  # type: ignore[no-untyped-def]
    """Return an object with so many counters in all: of one kind, as those of the invented cards have."""
    kinds = list(thing.counters)
    return thing if not kinds else replace(thing, counters=type(thing.counters)({kinds[0]: n} if n else {}))


def _weight(asked: Any) -> tuple[int, int, int]:
    position: Position = asked.position
    points = sum(n for p in position.players for n in p.pool.values())
    counters = sum(n for t in position.things for n in t.counters.values())
    steps = len(asked.events) if isinstance(asked, OrderQuestion) else 0
    return len(position.things), points + counters, steps


def shows(meeting: Meeting, finding: Finding) -> Callable[[Any], bool]:
    """Return what tells whether a position shows what was found."""
    check, witness, says = finding.check, finding.witness, finding.says.params
    if isinstance(witness, OrderQuestion):
        if check == "circle":
            return lambda q: any(knot.kind == finding.item for knot in effects.bad_knots(q))
        if check == "wording":
            rules = finding.beside[0][0].ruleset
            return lambda q: effects._differs(q, effects.answered(q), replace(q, ruleset=rules))
        if check == "invariant":
            return lambda q: not q.position.things
        return lambda q: effects.shows(check, q)
    beside = finding.beside[0][0] if finding.beside else witness
    assert isinstance(beside, Question)
    if check == "unpayable":
        reason = _roles(witness)
        return lambda q: not can_pay(q) and _roles(q) == reason
    if check == "dead":
        return lambda q: can_pay(q) and not can_declare(q)
    if check in ("looks-legal", "deadlock"):
        role = frozenset({str(says.get("role", "must"))})
        return lambda q: not can_declare(q) and can_declare(q, role)
    if check == "dominated":
        other = beside.declaration.options
        return lambda q: pays(q) and pays(replace(q, declaration=replace(q.declaration, options=other)))
    if check == "wording":
        rules = finding.beside[1][0].ruleset
        return lambda q: pays(q) != pays(replace(q, ruleset=rules))
    if finding.beside:
        return lambda q: any(_tells(a, b, q) for a, b in (("c", "r"), ("r", "c")))
    return pays


@pytest.mark.parametrize("check", [check for check in CHECKS if check != "engine"])
def test_no_smaller_position_shows_it(check: str, tmp_path: Path) -> None:
    tried = 0
    for seed in SEEDS:
        meeting, finding = found(check, seed, tmp_path)
        holds = shows(meeting, finding)
        names = set(finding.cards)
        assert finding.item.startswith("slot") or "number" in finding.says.id or holds(finding.witness), finding
        assert size_of(finding.witness, len(names)) == finding.size
        for less in smaller(finding.witness):
            if names <= {thing.card for thing in less.position.things}:
                tried += 1
                assert not holds(less), (seed, finding.item, less)
    assert tried or check in ("dead", "circle", "unpayable", "invariant", "wording")


@pytest.mark.parametrize("seed", SEEDS)
def test_no_smaller_number_of_uses_is_an_engine(seed: int, tmp_path: Path) -> None:
    """An engine is the fewest uses that bring something and take nothing; every smaller number of them was tried."""
    meeting, finding = found("engine", seed, tmp_path)
    uses = list(uses_of(meeting))
    steps = finding.says.params["steps"]
    assert isinstance(steps, tuple)
    fewest = sum(int(step.split(" ")[0]) for step in steps)
    for counts in product(range(fewest), repeat=len(uses)):
        if 0 < sum(counts) < fewest:
            change: Counter[str] = Counter()
            for use, n in zip(uses, counts, strict=True):
                change.update({place: d * n for place, d in use.change.items()})
            gains = any(n > 0 and engine._counts(place, meeting) for place, n in change.items())
            assert not (gains and all(n >= 0 for n in change.values()))
