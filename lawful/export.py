"""All ways in one file: numpy keys (``.npz``), Arrow (``.arrow``) or Parquet (``.parquet``), block by block.

A column stands for what is declared, for X, for each source (which part it is used for, or how often), for each object
that an effect-cost can pick, and for each part that is paid at once. Values repeat, so columns are dictionaries: a way
costs a few bytes. The file also holds what its columns mean as data; `lawful.exported.payments` reads it back.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lawful.exported import MEANING
from lawful.model.errors import BadInput, Fault, LimitReached
from lawful.model.unplayed import refuse_unplayed

if TYPE_CHECKING:
    from lawful.model.declaration import Question
    from lawful.model.limits import Clock, Limits
    from lawful.model.payment import Level
    from lawful.rows import Charted, Listed
    from lawful.solver.found import Found

KINDS = (".npz", ".arrow", ".parquet")


def export(
    question: Question,
    path: str,
    level: Level | None = None,
    limits: Limits | None = None,
    *,
    timed: bool = True,
) -> int:
    """Write all ways to a file.

    Parameters
    ----------
    question : Question
        What is asked.
    path : str
        Ends in ``.npz``, ``.arrow`` or ``.parquet``; the last two need the extra ``arrow``. Nothing is left of the
        file if writing it fails.
    level : {"sources", "allocations"}, optional
        None is the ruleset's own level.
    limits : Limits, optional
        What it may cost; it may write at most `rows` ways.
    timed : bool
        Whether the time of `limits` is also for writing; else it is for finding the ways alone.

    Returns
    -------
    int
        Ways written.

    Raises
    ------
    BadInput
        If the kind of file or the level cannot be written.
    LimitReached
        If there are too many ways, the time is over, or not all ways could be found.
    """
    from math import inf

    from lawful.model.limits import Clock, Limits
    from lawful.playing import play
    from lawful.solver.ways import counted, find

    limits, level = limits or Limits(), level or question.ruleset.level
    _check(path, level)
    refuse_unplayed(question)
    clock = Clock(limits.seconds)
    found = find(question, limits=limits, play=play, clock=clock)
    if not found.complete:
        cut = found.reached[0]
        raise LimitReached(cut.limit, cut.value, "not all ways were found, and only all are written", cut.where)
    count = counted(found, level, clock)[level]
    if count > limits.rows:
        raise LimitReached("rows", limits.rows, f"there are {count} ways: list or sample some of them")
    rows = _rows(question, found, level, clock if timed else Clock(inf))
    target = Path(path)
    part = target.with_name(target.name + ".part")
    try:
        if target.suffix == ".npz":
            _numpy(rows, part, clock if timed else Clock(inf))
        else:
            _arrow(rows, part, clock if timed else Clock(inf), parquet=target.suffix == ".parquet")
        part.replace(target)
    except OSError as error:
        raise BadInput([Fault(f"{path}: {error.strerror or error}")]) from None
    finally:
        part.unlink(missing_ok=True)
    return count


def _check(path: str, level: str) -> None:
    faults = []
    if Path(path).suffix not in KINDS:
        faults.append(Fault(f"{path}: not a kind of file that is written", hint="end it in " + ", ".join(KINDS)))
    elif Path(path).suffix != ".npz":
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            faults.append(Fault(f"{path}: needs pyarrow", hint="pip install 'lawful[arrow]'"))
    if level not in ("sources", "allocations"):
        faults.append(Fault(f"{level} are not written", hint="ask for --level sources or --level allocations"))
    if faults:
        raise BadInput(faults)


def _rows(question: Question, found: Found, level: Level, clock: Clock) -> Charted | Listed:
    from lawful.rows import Charted, Listed
    from lawful.solver.charted import Charted as Diagrams
    from lawful.solver.diagram import OverBudget

    if isinstance(found, Diagrams):
        try:
            return Charted(found.singly(clock), level)
        except OverBudget as over:
            if over.limit == "seconds":
                raise clock.reached("export") from None
    return Listed(question, found, level, clock)


def _numpy(rows: Charted | Listed, part: Path, clock: Clock) -> None:
    import numpy as np

    from lawful.rows import packed

    places, keys = packed(rows, lambda: clock.check("export"))
    arrays: dict[str, Any] = {
        "keys": keys,
        **{name: np.array(places[name]) for name in ("word", "shift", "bits")},
        "columns": np.array([column.name for column in rows.columns]),
        MEANING: np.array(json.dumps([column.meaning() for column in rows.columns], ensure_ascii=False)),
    }
    arrays |= {f"labels {i}": np.array(column.texts) for i, column in enumerate(rows.columns)}
    with part.open("wb") as file:
        np.savez_compressed(file, **arrays)


def _arrow(rows: Charted | Listed, part: Path, clock: Clock, *, parquet: bool) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    words = [pa.array(column.texts, type=pa.string()) for column in rows.columns]
    kind = pa.dictionary(pa.int32(), pa.string())
    says = {
        MEANING: json.dumps([column.meaning() for column in rows.columns], ensure_ascii=False),
        "texts": json.dumps([column.texts for column in rows.columns], ensure_ascii=False),
    }
    schema = pa.schema([pa.field(column.name, kind) for column in rows.columns], metadata=says)
    with pq.ParquetWriter(part, schema) if parquet else pa.ipc.new_file(part, schema) as writer:
        for at in rows.blocks():
            clock.check("export")
            arrays = [pa.DictionaryArray.from_arrays(pa.array(at[:, i]), words[i]) for i in range(len(words))]
            writer.write_batch(pa.record_batch(arrays, schema=schema))
