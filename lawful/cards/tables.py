"""Tables with a card a row: published files, and what a spreadsheet exports."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from difflib import get_close_matches
from itertools import islice

from lawful.cards.records import MOST_FAULTS, MOST_LETTERS, Record, Rows, columns_of, content, not_text, spoken
from lawful.model.errors import BadInput, Fault

DELIMITERS = ("\t", ",", ";")


FIRST = re.compile(r'"?sep=(.)"?')  # what spreadsheets put before the header, to say what separates columns


def sniff(path: str) -> tuple[str, list[str]]:
    """Return the delimiter of a table and the names of its columns, without judging them."""
    lines = (line for line in io.StringIO(content(path, True), newline="") if line.strip())
    first = next(lines, "")
    told = FIRST.fullmatch(first.strip())
    if told is not None:
        first = next(lines, "")
    delimiter = max(DELIMITERS, key=first.count) if told is None or told[1] not in DELIMITERS else told[1]
    with contextlib.suppress(csv.Error):
        return delimiter, [name.strip() for name in next(csv.reader([first], delimiter=delimiter), [])]
    return delimiter, []


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
        The good rows, and a fault for every other. After a row that is none, reading goes on in the next line.

    Raises
    ------
    BadInput
        If it is no such table.
    """
    csv.field_size_limit(MOST_LETTERS * 10)
    table, at = _Table(path, delimiter, needed), 0
    lines = list(io.StringIO(content(path, True), newline=""))
    if lines and FIRST.fullmatch(lines[0].strip()):
        at = 1
    while at < len(lines):
        reader, row = csv.reader(islice(lines, at, None), delimiter=delimiter, strict=True), at
        try:
            for values in reader:
                if not table.take(values, row + 1):
                    return table.rows
                row = at + reader.line_num
            break
        except csv.Error as error:
            hint = "is a quotation mark not closed? what follows is read on from the next line"
            table.rows.fault(f"not a row of a table: {error}", path, row + 1, 1, hint)
            if not table.header or len(table.rows.faults) > MOST_FAULTS:
                break
            at = row + 1
    if not table.header:
        raise BadInput(table.rows.faults or [Fault("the file is empty", path, 1, 1)])
    return table.rows


class _Table:
    """The rows of a table, as they are read."""

    def __init__(self, path: str, delimiter: str, needed: Sequence[str]) -> None:
        self.path, self.delimiter, self.needed, self.rows = path, delimiter, needed, Rows()
        self.header: list[str] = []
        self.columns: dict[str, int] = {}
        self.least = 0

    def take(self, values: list[str], line: int) -> bool:
        """Take a row, or the header; say whether there may be more."""
        rows, path, header = self.rows, self.path, self.header
        if not values:
            return True  # an empty line
        if not header:
            self.header = [name.strip().removeprefix("\ufeff") for name in values]
            self.columns = columns_of(self.header)
            _check_header(self.header, self.needed, path, self.delimiter, line)
            self.least = max((self.columns[name] for name in self.needed), default=1)
        elif not any(value.strip() for value in values):
            pass
        elif len(values) < self.least:
            hint = "columns are separated by " + spoken(self.delimiter)
            rows.fault(f"the row has {len(values)} of {len(header)} columns", path, line, 1, hint)
        elif any(value.strip() for value in values[len(header) :]):
            hint = f"a text with {spoken(self.delimiter)} in it stands in quotation marks"
            rows.fault(
                f"the row has {len(values)} columns, the header {len(header)}", path, line, len(header) + 1, hint
            )
        else:
            fields = {name: value for name, value in zip(header, values, strict=False) if name}
            return rows.take(Record(path, line, fields, self.columns))
        return True


def _check_header(header: Sequence[str], needed: Sequence[str], file: str, delimiter: str, line: int) -> None:
    if not_text("".join(header)):
        raise BadInput([Fault("not a text file in UTF-8", file, line, 1, "save it as UTF-8")])
    faults = []
    for column in needed:
        if column not in header:
            close = get_close_matches(column, header, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"columns are separated by {spoken(delimiter)}"
            faults.append(Fault(f"there is no column {column!r}", file, line, 1, hint))
    counted = Counter(header)
    twice = sorted(name for name, n in counted.items() if name and n > 1)
    faults += [Fault(f"two columns are called {name!r}", file, line, 1) for name in twice]
    if faults:
        raise BadInput(faults)
