"""All ways in one file: numpy keys (``.npz``), Arrow (``.arrow``) or Parquet (``.parquet``), block by block.

A column stands for what is declared, for X, for each source (which part it is used for, or how often) and for each
object that an effect-cost can pick. Values repeat, so columns are dictionaries: a way costs a few bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lawful.model.errors import BadInput, Fault, LimitReached

if TYPE_CHECKING:
    from lawful.model.declaration import Question
    from lawful.model.limits import Limits
    from lawful.model.payment import Level
    from lawful.solver.chart import Chart
    from lawful.solver.diagram import Diagram

KINDS = (".npz", ".arrow", ".parquet")


def export(question: Question, path: str, level: Level | None = None, limits: Limits | None = None) -> int:
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

    Returns
    -------
    int
        Ways written.

    Raises
    ------
    BadInput
        If the kind of file or the level cannot be written.
    LimitReached
        If there are too many ways, or none can be read from a diagram.
    """
    from lawful.model.limits import Limits
    from lawful.playing import play
    from lawful.solver.charted import Charted
    from lawful.solver.ways import find

    limits, level = limits or Limits(), level or question.ruleset.level
    _check(path, level)
    found = find(question, limits=limits, play=play)
    if not isinstance(found, Charted):
        raise LimitReached("diagram", 0, "these ways are enumerated one by one: use --jsonl")
    chart = found.each
    diagram = chart.sources if level == "sources" else chart.allocations
    if diagram.count() > limits.rows:
        raise LimitReached("rows", limits.rows, f"there are {diagram.count()} ways: list or sample some of them")
    target = Path(path)
    part = target.with_name(target.name + ".part")
    try:
        if target.suffix == ".npz":
            _numpy(diagram, _columns(chart, diagram), part)
        else:
            _arrow(diagram, _columns(chart, diagram), part, parquet=target.suffix == ".parquet")
        part.replace(target)
    except OSError as error:
        raise BadInput([Fault(f"{path}: {error.strerror or error}")]) from None
    finally:
        part.unlink(missing_ok=True)
    return diagram.count()


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


def _columns(chart: Chart, diagram: Diagram) -> list[tuple[str, list[str]]]:
    """Return for every layer the name of its column, and what each of its labels says."""
    terms = [term.due.act.verb for term in chart.model.effects.terms]
    found = []
    for kind, layer in zip(chart.kinds, diagram.layers, strict=False):
        if kind.what == "declared":
            said = [chart.declared(n) for n in range(len(layer.labels))]
            found.append(("declared", [" ".join([*o, *([] if x is None else [f"X={x}"])]) for o, x in said]))
        elif kind.what == "uses":
            source = chart.model.groups[kind.group].members[0]
            plain = source.source == chart.f.question.ruleset.sources[0].name
            name = kind.thing if plain else f"{kind.thing}/{source.source}"
            found.append((name, [_used(label, [part.id for part in chart.f.parts]) for label in layer.labels]))
        else:
            picks = [" ".join(verb for verb, n in zip(terms, label, strict=True) if n) for label in layer.labels]
            found.append((f"{kind.thing}:", picks))
    return found


def _used(label: Sequence[int], parts: Sequence[str]) -> str:
    if len(label) == len(parts):
        return " ".join(part for part, n in zip(parts, label, strict=True) for _ in range(n))
    return str(label[0])


def _numpy(diagram: Diagram, columns: list[tuple[str, list[str]]], part: Path) -> None:
    import numpy as np

    from lawful.solver.dd.blocks import keys, packing

    where = packing(diagram)
    arrays: dict[str, Any] = {
        "keys": keys(diagram),
        "word": np.array(where.word),
        "shift": np.array(where.shift),
        "bits": np.array(where.bits),
        "columns": np.array([name for name, _ in columns]),
    }
    arrays |= {f"labels {i}": np.array(says) for i, (_, says) in enumerate(columns)}
    with part.open("wb") as file:
        np.savez_compressed(file, **arrays)


def _arrow(diagram: Diagram, columns: list[tuple[str, list[str]]], part: Path, *, parquet: bool) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from lawful.solver.dd.blocks import blocks, labels

    words = [pa.array(says, type=pa.string()) for _, says in columns]
    kind = pa.dictionary(pa.int32(), pa.string())
    schema = pa.schema([pa.field(name, kind) for name, _ in columns])
    with pq.ParquetWriter(part, schema) if parquet else pa.ipc.new_file(part, schema) as writer:
        for block in blocks(diagram, 1 << 16):
            at = labels(diagram, block)
            arrays = [pa.DictionaryArray.from_arrays(pa.array(at[:, i]), words[i]) for i in range(len(columns))]
            writer.write_batch(pa.record_batch(arrays, schema=schema))
