"""Tables with a card a row: published files, and what a spreadsheet exports."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from difflib import get_close_matches

from lawful.cards.records import MOST_LETTERS, Record, Rows, columns_of, content, spoken
from lawful.model.errors import BadInput, Fault

DELIMITERS = ("\t", ",", ";")


def sniff(path: str) -> tuple[str, list[str]]:
    """Return the delimiter of a table and the names of its columns, without judging them."""
    first = next((line for line in content(path).splitlines() if line.strip()), "")
    delimiter = max(DELIMITERS, key=first.count)
    names = next(csv.reader([first], delimiter=delimiter), [])
    return delimiter, [name.strip() for name in names]


def read_table(path: str, delimiter: str, needed: Sequence[str]) -> Rows:
    """Read a table.

    Parameters
    ----------
    path : str
        The file.
    delimiter : str
        What stands between columns.
    needed : sequence of str
        Columns without which it is no such table.

    Returns
    -------
    Rows
        The good rows, and a fault for every other.

    Raises
    ------
    BadInput
        If it is no such table.
    """
    rows = Rows()
    csv.field_size_limit(MOST_LETTERS * 100)
    reader = csv.reader(io.StringIO(content(path), newline=""), delimiter=delimiter, strict=True)
    header: list[str] = []
    columns: dict[str, int] = {}
    line, least = 1, 0
    try:
        for values in reader:
            if not values:
                pass  # an empty line
            elif not header:
                header = [name.strip().removeprefix("\ufeff") for name in values]
                columns = columns_of(header)
                _check_header(header, needed, path, delimiter)
                least = max((columns[name] for name in needed), default=1)
            elif len(values) < least:
                hint = "columns are separated by " + spoken(delimiter)
                rows.fault(f"the row has {len(values)} of {len(header)} columns", path, line, 1, hint)
            elif any(value.strip() for value in values):
                fields = {name: value for name, value in zip(header, values, strict=False) if name}
                if not rows.take(Record(path, line, fields, columns)):
                    break
            line = reader.line_num + 1
    except csv.Error as error:
        rows.fault(f"not a table from here: {error}", path, line, 1, "is a quotation mark not closed?")
    if not header:
        raise BadInput(rows.faults or [Fault("the file is empty", path, 1, 1)])
    return rows


def _check_header(header: Sequence[str], needed: Sequence[str], file: str, delimiter: str) -> None:
    faults = []
    for column in needed:
        if column not in header:
            close = get_close_matches(column, header, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"columns are separated by {spoken(delimiter)}"
            faults.append(Fault(f"there is no column {column!r}", file, 1, 1, hint))
    twice = sorted({name for name in header if name and header.count(name) > 1})
    faults += [Fault(f"two columns are called {name!r}", file, 1, 1) for name in twice]
    if faults:
        raise BadInput(faults)
