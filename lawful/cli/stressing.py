"""Runs a sweep and shows what it found."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from lawful.cli.jsonout import write_json
from lawful.model.errors import BadInput, Fault
from lawful.model.messages import speaking
from lawful.model.stress import CHECKS
from lawful.stressing import Stressed, Told, stress
from lawful.stressing.files import read_baseline, writable, write_baseline, write_whole
from lawful.stressing.lines import document, header, headline, json_lines, table, told
from lawful.stressing.promises import read_promises
from lawful.stressing.store import CannotKeep
from lawful.text import say

FINDINGS, FAULTY, UNDONE, NOT_WRITTEN, BUG = 1, 3, 4, 74, 70
DISAGREE = "referee and solver disagree"


def sweep(
    cards: Sequence[str],
    game: str,
    against: Sequence[str],
    only: Sequence[str],
    checks: Sequence[str],
    groups: int,
    promises: str | None,
    executor: str,
    store: str | None,
    resume: bool,
    random: int,
    seed: int,
    seconds: float | None,
    baseline: str | None,
    update_baseline: bool,
    report: str | None,
    cases: str | None,
    as_json: bool,
    jsonl: bool,
) -> int:
    """Run a sweep.

    Returns
    -------
    int
        0; 1 where there are new findings; 3 where a row of CARDS cannot be read; 4 where checks could not be done; 70
        where referee and solver disagree; 74 where results cannot be kept.
    """
    from lawful.model.rulesets import load_ruleset

    if as_json and jsonl:
        raise click.UsageError("--json is one document, --jsonl are many: give one of them")
    if resume and (store is None or not Path(store).exists()):
        raise click.UsageError("--resume: which store? Give --store FILE, of a sweep that was begun")
    if update_baseline and baseline is None:
        raise click.UsageError("--update-baseline: which file? Give --baseline FILE")
    for file in (report, baseline if update_baseline else None):
        if file is not None:
            writable(file)
    rules = load_ruleset(game)
    kept = read_promises(promises, rules) if promises is not None else ()
    known = read_baseline(baseline) if baseline is not None and not update_baseline else frozenset()
    try:
        found = stress(
            list(cards), list(against) or None, game=rules, only=only, checks=tuple(checks) or CHECKS, promises=kept,
            groups=groups, executor=executor, store=store, random=random, seed=seed, seconds=seconds,
            progress=progress(),
        )  # fmt: skip
    except CannotKeep as error:
        print(error, file=sys.stderr)
        return NOT_WRITTEN
    finally:
        _clear()
    found.baseline = known
    if update_baseline and baseline is not None:
        write_baseline(found, baseline)
        found.baseline = frozenset(one["id"] for one in found.findings)
    if report is not None:
        with speaking(game=found.game):
            _report(found, report)
    if cases is not None:
        _cases(found, cases)
    with speaking(game=found.game):
        _show(found, as_json, jsonl)
        for fault in found.left_out:
            print(say("face.left-out", fault=str(fault)), file=sys.stderr)
    if any(DISAGREE in row["why"] for row in found.rows):
        print("a bug of ours: referee and solver disagree about a finding; please report it", file=sys.stderr)
        return BUG
    lost = [row for row in found.rows if row.get("lost")]
    if lost:
        print(f"{len(lost)} checks could not be done: {lost[0]['why']}", file=sys.stderr)
    late = [row for row in found.rows if row.get("late")]
    if late:
        print(f"{len(late)} checks took too long, and are done again next time: {late[0]['why']}", file=sys.stderr)
    return FINDINGS if found.new else FAULTY if found.faulty else UNDONE if lost else 0


def progress() -> Told | None:
    """Return what shows how far it is and how long it will take, where somebody looks at it."""
    if sys.stderr is None or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return None
    begun: list[tuple[int, float]] = []

    def show(done: int, of: int, findings: int, seconds: float) -> None:
        begun.append((done, seconds))
        first, start = begun[0]
        pace = (done - first) / (seconds - start) if seconds > start and done > first else 0.0
        left = f"{_span((of - done) / pace)} left" if pace else "..."
        line = f"{done} of {of} checks, {pace:.1f} a second, {left}, {findings} findings"
        print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)

    return show


def _span(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _clear() -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def _show(found: Stressed, as_json: bool, jsonl: bool) -> None:
    from lawful.table import draw

    if jsonl:
        for line in json_lines(found):
            print(line)
        return
    if as_json:
        write_json(document(found))
        return
    print(headline(found))
    draw(header(), table(found))
    for line in told(found):
        print(line)


def _report(found: Stressed, path: str) -> None:
    from lawful.stressing.page import page

    write_whole(path, page(found))


def _cases(found: Stressed, folder: str) -> None:
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
        for one in found.findings:
            name = re.sub(r"[^\w]+", "-", f"{one['check']} {' '.join(one['cards'])}").strip("-").lower()[:80]
            (place / f"{name}-{one['id'][:6]}.case.yaml").write_text(one["case"], encoding="utf8")
    except OSError as error:
        raise BadInput([Fault(f"cannot be written: {error.strerror}", folder)]) from None
