"""What a worker does: a few checks of a few groups of cards, one after the other."""

from __future__ import annotations

import pickle
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from lawful.model.card import Card
from lawful.model.errors import Disagreement, LawfulError
from lawful.model.frozen import FrozenMap
from lawful.model.limits import within
from lawful.model.messages import DEFAULT, text
from lawful.model.ruleset import Ruleset
from lawful.model.stress import Finding, Invariant, Looked, Size
from lawful.model.verdict import Message

if TYPE_CHECKING:
    from lawful.solver.stress.helping import Helpers

Row = dict[str, Any]

SECONDS = 300.0
"""Time for one check of one group: far beyond what those of two published pools took; results do not hang on it."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What all tasks of a sweep share.

    Parameters
    ----------
    ruleset : Ruleset
        The rules.
    readings : tuple
        As `lawful.solver.stress.scenery.Meeting` has them.
    sources : tuple of Card
        One card for each yield.
    gained : frozenset of str
        Assets that effects gain.
    promises : tuple of Invariant
        Of the designer.
    random : int
        How many random positions are tried beyond the bounds.
    seed : int
        What they depend on.
    seconds : float
        Time for one check of one group.
    """

    ruleset: Ruleset
    readings: tuple[Any, ...] = ()
    sources: tuple[Card, ...] = ()
    gained: frozenset[str] = frozenset()
    promises: tuple[Invariant, ...] = ()
    random: int = 0
    seed: int = 0
    seconds: float = SECONDS


@dataclass(frozen=True, slots=True)
class Task:
    """One check of one group.

    Parameters
    ----------
    key : str
        Of its content, the rules and the version: what its result is kept by.
    check : str
        Which check.
    cards : tuple of Card
        The group.
    objects : tuple of Card
        What else their texts speak of.
    real : tuple of Card
        Those of them that lie there without what they do, as they are.
    cut : bool
        Whether there are more kinds of objects that their texts tell apart.
    helpers : Helpers, optional
        Cards with which a single one may be able to do what alone it never can; asked for once that was found.
    """

    key: str
    check: str
    cards: tuple[Card, ...]
    objects: tuple[Card, ...] = ()
    real: tuple[Card, ...] = ()
    cut: bool = False
    helpers: Helpers | None = None


@lru_cache(maxsize=4)
def _setting(packed: bytes) -> Setting:
    found = pickle.loads(packed)
    assert isinstance(found, Setting)
    return found


def run_batch(packed: bytes, tasks: Sequence[Task]) -> list[tuple[str, Row]]:
    """Do some tasks.

    Parameters
    ----------
    packed : bytes
        The setting, pickled: the same for all batches of a sweep.
    tasks : sequence of Task
        What is to be done.

    Returns
    -------
    list of pairs of str and Row
        By the task's key what `row` says of it.
    """
    setting = _setting(packed)
    return [(task.key, run_one(setting, task)) for task in tasks]


_met: list[tuple[Setting, tuple[Card, ...], tuple[Card, ...], Any]] = []
"""The cards that met last: their checks follow each other, and share what they have found out."""


def run_one(setting: Setting, task: Task) -> Row:
    """Do one task, have its findings confirmed, and return its row."""
    start = time.perf_counter()
    with within(setting.seconds) as clock:
        found = row(_looked(setting, task), task, time.perf_counter() - start)
    if clock.over:
        _forget()
        found.update(_late(setting.seconds))
    return found


def _looked(setting: Setting, task: Task) -> Looked:
    """Return what was found out, before it is confirmed."""
    from lawful.solver.stress.helping import helped
    from lawful.solver.stress.looking import look
    from lawful.solver.stress.meeting import Meeting

    if not _met or _met[0][0] is not setting or _met[0][1:3] != (task.cards, task.objects):
        found = Meeting(
            setting.ruleset, task.cards, setting.sources, task.objects, setting.readings, setting.gained, task.real,
            task.cut,
        )  # fmt: skip
        _met[:] = [(setting, task.cards, task.objects, found)]
    meeting = _met[0][3]
    looked = look(task.check, meeting, setting.promises)
    if looked.findings and task.helpers is not None:
        looked = helped(looked, meeting, task.helpers)
    if setting.random and looked.outcome == "clean":
        from lawful.stressing.chance import drawn

        looked = drawn(meeting, looked, setting.random, setting.seed)
    return looked


def _forget() -> None:
    """Forget what is kept between checks: some of it may have been given up on the way."""
    from lawful.solver.stress.looking import forget

    _met.clear()
    forget()


def _late(seconds: float) -> Row:
    """Return what is said of a check that took too long: nothing that it found, as it may have missed as much."""
    why = said(Message("stress.not.time", FrozenMap({"seconds": f"{seconds:g}"})))
    return {"verdict": "not checked", "findings": [], "why": why, "saturated": False, "late": True}


def row(looked: Looked, task: Task, seconds: float) -> Row:
    """Return what is kept of a result: plain data. What ended by the clock is late: it is told, not kept."""
    from lawful.solver.stress.looking import NEVER
    from lawful.stressing.confirm import depends

    found, outcome, why = [], looked.outcome, said(looked.why)
    for finding in looked.findings:
        try:
            told = _found(finding)
            if looked.check in NEVER and depends(finding):
                # Under another reading of what the rules leave open it can: that is no "never".
                outcome, why = "not checked", said(Message("stress.not.open"))
                continue
            if not told["confirmed_by_referee"] and looked.check == "looks-legal":
                # That just one rule is in the way is what the referee says, or nobody.
                outcome, why = "not checked", said(Message("stress.not.confirmed"))
                continue
            found.append(told)
        except Disagreement as bug:
            outcome, why = "not checked", f"referee and solver disagree: {bug.what}"
        except LawfulError as error:
            outcome, why = "not checked", f"it was not confirmed: {error}"
    if outcome == "not checked" and found:
        outcome = "finding"
    bound = looked.bound
    return {
        "check": looked.check,
        "cards": [card.name for card in task.cards],
        "verdict": outcome,
        "findings": found,
        "why": why,
        "bound": dict(bound.most),
        "saturated": bound.saturated,
        "limits": said(Message(bound.why)) if bound.most else "",
        "limits_id": bound.why if bound.most else "",
        "seconds": round(seconds, 4),
        **({"late": True} if looked.why is not None and looked.why.params.get("limit") == "seconds" else {}),
    }


def _found(finding: Finding) -> Row:
    from lawful.model.declaration import OrderQuestion
    from lawful.stressing.confirm import case_of, confirmed

    case = case_of(finding)
    agreed = confirmed(finding, case)
    return {
        "item": finding.item,
        "says": text(finding.says, DEFAULT),
        "message": as_data(finding.says),
        "case": case,
        "size": size(finding.size),
        "confirmed_by_referee": agreed,
        "effects": isinstance(finding.witness, OrderQuestion),
    }


def size(found: Size) -> dict[str, int]:
    """Return a size as plain data."""
    return {"cards": found.cards, "objects": found.objects, "assets": found.assets, "x": found.x}


def said(message: Message | None) -> str:
    """Say a message in English, as results are kept, or nothing."""
    return "" if message is None else text(message, DEFAULT)


def as_data(message: Message) -> Row:
    """Return a message as plain data, so that what a sweep kept can be said in any language."""
    params = {name: list(value) if isinstance(value, tuple) else value for name, value in message.params.items()}
    return {"id": message.id, "params": params}


def packed(setting: Setting) -> bytes:
    """Return a setting as bytes, once for all batches."""
    return pickle.dumps(setting)
