"""A check has its time: what takes longer is not checked, is not kept, and leaves nothing half done behind."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path
from typing import Any

import pytest
from faults import FAULTS, written

from lawful.model.errors import LimitReached
from lawful.model.limits import Clock, within
from lawful.model.rulesets import load_ruleset
from lawful.model.stress import CHECKS
from lawful.solver.stress.looking import NEVER, forget
from lawful.stressing import Stressed, stress
from lawful.stressing.pool import Entry, Pool
from lawful.stressing.store import Store

LONG = bool(os.environ.get("LAWFUL_LONG"))
CUTS = 12 if LONG else 1


@pytest.fixture
def ticking(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A clock that goes on by a millisecond whenever somebody looks at it: where a check is cut off is no chance."""
    looked = [0]

    def monotonic() -> float:
        looked[0] += 1
        return looked[0] / 1000

    monkeypatch.setattr(time, "monotonic", monotonic)
    return looked


def swept(check: str, seed: int, folder: Path, **more: Any) -> Stressed:
    seeded = FAULTS[check](random.Random(seed))
    rules = load_ruleset(seeded.game)
    pool = Pool(rules, {name: Entry(card) for name, card in written(seeded.cards, seeded.game, folder).items()})
    # What can never be is asked with it: these checks share what they have found out.
    checks = CHECKS if LONG else (*NEVER, *{check}.difference(NEVER))
    return stress(
        pool, game=rules, only=seeded.group, checks=checks, promises=seeded.promises, groups=len(seeded.group), **more
    )


def said(found: Stressed) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key != "seconds"} for row in found.rows]


@pytest.mark.parametrize(
    "check", CHECKS if LONG else [check for check in CHECKS if check != "wording"]
)  # it takes long
def test_what_is_cut_off_leaves_nothing_half_done(check: str, tmp_path: Path, ticking: list[int]) -> None:
    """Wherever it is: what was in time says what it says without a limit, and so does all that is asked afterwards."""
    forget()
    before = ticking[0]
    whole = said(swept(check, 0, tmp_path, seconds=1e6))
    looks = ticking[0] - before
    assert not any(row.get("late") for row in whole)
    cut = 0
    rng = random.Random(check)
    # Most checks are short; of the long ones all parts count.
    for at in (1, *(int(looks ** rng.random()) for _ in range(CUTS))):
        forget()
        hurried = said(swept(check, 0, tmp_path, seconds=at / 1000))
        differ = [(row, full) for row, full in zip(hurried, whole, strict=True) if not row.get("late") and row != full]
        assert differ == [], differ[0][0]["why"]
        late = [row for row in hurried if row.get("late")]
        assert {(row["verdict"], len(row["findings"]), row["saturated"]) for row in late} <= {("not checked", 0, False)}
        cut += len(late)
        assert said(swept(check, 0, tmp_path, seconds=1e6)) == whole
    assert cut


def test_what_took_too_long_is_not_kept(tmp_path: Path) -> None:
    store = Store(tmp_path / "store.db")
    late = swept("dead", 0, tmp_path, seconds=0, store=store)
    assert all(row["late"] for row in late.rows)
    assert not late.findings
    assert {row["why"] for row in late.rows} == {"it took more than 0 s"}
    again = swept("dead", 0, tmp_path, store=store)
    assert again.taken == 0
    assert again.findings
    assert said(again) == said(swept("dead", 0, tmp_path))
    assert swept("dead", 0, tmp_path, store=store, seconds=0).taken == len(again.rows)
    store.close()


def test_time_inside_of_time_is_the_shorter(ticking: list[int]) -> None:
    with within(5) as outer:
        with within(100) as inner, within(1) as short:
            assert outer.until <= inner.until
            assert short.until < inner.until
        assert Clock(100).until == outer.until
        with pytest.raises(LimitReached), within(0) as none:
            none.check("nothing")
    assert Clock(100).until > outer.until
