"""What a file of ways says: its columns, and the payments that its rows stand for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lawful.model.errors import BadInput, Fault
from lawful.model.payment import Choice, Payment, Spend, Use

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MEANING = "meaning"  # where a file holds what its columns mean, as JSON


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a file of ways.

    Parameters
    ----------
    name : str
        Its title, which no other column has.
    what : {"declared", "uses", "picks", "given", "replaced"}
        What it tells: options and X; for which parts, or how often, a source is used; which effect-costs pick an
        object; what is given for a part that is paid at once; whose replacements applied.
    texts : tuple of str
        Its values, as people read them; no two are equal.
    values : tuple
        The same, as data: ``{"options", "x", "effects"}``; ``[[part, uses], ...]``, or the number of uses where parts
        are not told; numbers of effect-costs; ``[[as, points], ...]``; ids of objects.
    thing, source : str
        Whose column it is.
    part : int
        The number of the part, of ``given``; -1 is left over.
    replaced : tuple of str
        Ids of the objects whose replacements apply whenever this source is used.
    """

    name: str
    what: str
    texts: tuple[str, ...]
    values: tuple[Any, ...]
    thing: str = ""
    source: str = ""
    part: int = 0
    replaced: tuple[str, ...] = ()

    def meaning(self) -> dict[str, Any]:
        """Return what the column means, as data."""
        return {
            "name": self.name,
            "what": self.what,
            "values": list(self.values),
            "thing": self.thing,
            "source": self.source,
            "part": self.part,
            "replaced": list(self.replaced),
        }


def unlike(names: Sequence[str]) -> list[str]:
    """Return names of which no two are equal: what is said before gets a number.

    Examples
    --------
    >>> unlike(["discard", "reveal", "discard"])
    ['discard', 'reveal', 'discard (2)']
    """
    taken: set[str] = set(names)
    seen: set[str] = set()
    found = []
    for name in names:
        unique, n = name, 1
        while unique in seen or (n > 1 and unique in taken):
            n += 1
            unique = f"{name} ({n})"
        seen.add(unique)
        found.append(unique)
    return found


def payments(path: str) -> Iterator[Payment]:
    """Read a file of ways back.

    Parameters
    ----------
    path : str
        What `lawful.export.export` wrote.

    Yields
    ------
    Payment
        One for each row, as far as its level tells: sources are in the order of the columns.

    Raises
    ------
    BadInput
        If the file cannot be read, or was not written by `export`.
    """
    try:
        meaning, rows = _numpy(path) if Path(path).suffix == ".npz" else _arrow(path)
    except OSError as error:
        raise BadInput([Fault(f"{path}: {error.strerror or error}")]) from None
    except (KeyError, ValueError) as error:
        raise BadInput([Fault(f"{path}: no file of ways ({error})")]) from None
    columns = json.loads(meaning)
    for block in rows:
        for row in block:
            yield _payment([(column, column["values"][n]) for column, n in zip(columns, row.tolist(), strict=True)])


def _payment(cells: Sequence[tuple[dict[str, Any], Any]]) -> Payment:
    uses: list[Use] = []
    picks: dict[int, list[str]] = {}
    spends: list[Spend] = []
    replaced: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    x, effects = None, []
    for column, value in cells:
        if column["what"] == "declared":
            options, x, effects = tuple(value["options"]), value["x"], value["effects"]
        elif column["what"] == "uses":
            told: list[tuple[str, int]] = [("", value)] if isinstance(value, int) else value
            for part, n in told:
                uses += [Use(column["thing"], part, column["source"], tuple(column["replaced"]))] * n
        elif column["what"] == "picks":
            for term in value:
                picks.setdefault(term, []).append(column["thing"])
        elif column["what"] == "given":
            spends += [Spend(column["part"], as_, n) for as_, n in value]
        else:
            replaced = tuple(value)
    if replaced and uses:
        uses[0] = Use(uses[0].thing, uses[0].part, uses[0].source, replaced)
    choices = tuple(Choice(i, tuple(sorted(picks.get(term, ())))) for i, term in enumerate(effects))
    return Payment(tuple(uses), choices, x, options, tuple(spends))


def _numpy(path: str) -> tuple[str, Iterator[NDArray[np.int64]]]:
    import numpy as np

    with np.load(path) as file:
        keys, meaning = file["keys"], str(file[MEANING])
        where = list(zip(file["word"].tolist(), file["shift"].tolist(), file["bits"].tolist(), strict=True))

    def rows() -> Iterator[NDArray[np.int64]]:
        for start in range(0, len(keys), 1 << 14):
            some = keys[start : start + (1 << 14)]
            at = [(some[:, w] >> np.uint64(s)) & np.uint64((1 << b) - 1) if b else some[:, w] * 0 for w, s, b in where]
            yield np.stack(at, axis=1).astype(np.int64)

    return meaning, rows()


def _arrow(path: str) -> tuple[str, Iterator[NDArray[np.int64]]]:
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    parquet = Path(path).suffix == ".parquet"
    table = pq.read_table(path) if parquet else pa.ipc.open_file(path).read_all()
    meaning = table.schema.metadata[MEANING.encode()].decode()
    texts = json.loads(table.schema.metadata[b"texts"])
    places = [{text: n for n, text in enumerate(column)} for column in texts]

    def rows() -> Iterator[NDArray[np.int64]]:
        for batch in table.to_batches(1 << 14):
            at = []
            for column, place in zip(batch.columns, places, strict=True):
                told = [place[text] for text in column.dictionary.to_pylist()]
                at.append(np.array(told, dtype=np.int64)[column.indices.to_numpy()])
            yield np.stack(at, axis=1)

    return meaning, rows()
