"""Rows of card files, with their place; faults are kept beside the good rows."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from lawful.model.errors import BadInput, Fault

MOST_BYTES = 64_000_000
MOST_ROWS = 200_000
MOST_FAULTS = 1_000
MOST_LETTERS = 20_000
MOST_NAMED = 60  # letters of a name or a value in a fault
NO_TEXT = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Record:
    """A row.

    Parameters
    ----------
    file : str
        Where it stands.
    line : int
        On which line it starts.
    fields : mapping of str to str
        What it says.
    columns : mapping of str to int
        The number of each field, for faults.
    number : int
        Which row it is of all that were read.
    """

    file: str
    line: int
    fields: Mapping[str, str]
    columns: Mapping[str, int] = field(default_factory=dict)
    number: int = 0

    @property
    def key(self) -> tuple[str, int]:
        """What tells rows apart."""
        return self.file, self.number

    def get(self, name: str) -> str:
        """Return a field; one that is not there is empty."""
        return self.fields.get(name, "").strip()

    def fault(self, message: str, column: str = "", hint: str = "") -> Fault:
        """Return a fault at this row."""
        return Fault(message, self.file, self.line, self.columns.get(column, 1), hint)


@dataclass(slots=True)
class Rows:
    """What was read from files: the good rows, and the faults of the others."""

    records: list[Record] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def fault(self, message: str, file: str, line: int = 0, column: int = 0, hint: str = "") -> None:
        """Note a fault; so many are enough."""
        self.note(Fault(message, file, line, column, hint))

    def note(self, fault: Fault) -> None:
        """Note a fault; so many are enough."""
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(fault)
        elif len(self.faults) == MOST_FAULTS:
            self.faults.append(Fault(f"more than {MOST_FAULTS} faults; the others are not listed", fault.file))

    def needing(self, fields: Sequence[str]) -> Rows:
        """Return the rows that have these fields, with a fault for every other."""
        kept = Rows(faults=list(self.faults))
        for record in self.records:
            missing = [name for name in fields if not record.get(name)]
            if missing:
                kept.note(record.fault(f"the card has no {' and no '.join(missing)}"))
            else:
                kept.records.append(record)
        return kept

    def take(self, record: Record) -> bool:
        """Take a row, unless it is hostile; say whether there may be more."""
        if len(self.records) >= MOST_ROWS:
            self.fault(f"more than {MOST_ROWS} rows (limit: rows)", record.file, record.line)
            return False
        long = next((name for name, value in record.fields.items() if len(value) > MOST_LETTERS), None)
        if long is not None:
            self.note(record.fault(f"{shortened(long)} is longer than {MOST_LETTERS} letters", long))
        elif (name := next((name for name, value in record.fields.items() if not_text(value)), None)) is not None:
            self.note(record.fault(f"{shortened(name)} has {not_text(record.fields[name])}", name, "save it as UTF-8"))
        else:
            self.records.append(replace(record, number=len(self.records)))
        return True


def not_text(value: str) -> str:
    r"""Return what a field has that no text has, control characters among it; empty where it has nothing such.

    Examples
    --------
    >>> not_text("Bolt"), not_text("Bo\x00lt")
    ('', 'a zero byte')
    """
    found = NO_TEXT.search(value)
    if found is None:
        return ""
    if found[0] == "\x00":
        return "a zero byte"
    if "\udc80" <= found[0] <= "\udcff":
        return "bytes that are no UTF-8"
    return "half of a letter (a lone surrogate)" if found[0] >= "\ud800" else f"a control character ({found[0]!r})"


def content(path: str, by_row: bool = False) -> str:
    """Return the text of a file.

    Parameters
    ----------
    path : str
        The file.
    by_row : bool
        Whether what is no UTF-8 is left in, so that only its row is refused: `not_text` finds it.

    Raises
    ------
    BadInput
        If it cannot be read, is too large, or is no text.
    """
    raw = raw_content(path)
    # Spreadsheets export "Unicode text" with a byte order mark.
    if raw[:4] in (b"PK\x03\x04", b"\xd0\xcf\x11\xe0"):
        raise BadInput([Fault("a spreadsheet, not a text file", path, 1, 1, "export it as CSV in UTF-8")])
    if raw[:2] == b"\x1f\x8b":
        raise BadInput([Fault("compressed, not a text file", path, 1, 1, "unpack it")])
    encoding = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") and len(raw) % 2 == 0 else "utf-8-sig"
    try:
        return raw.decode(encoding, "surrogateescape" if by_row and encoding == "utf-8-sig" else "strict")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        hint = "save it as UTF-8"
        raise BadInput([Fault("not a text file in UTF-8", path, line, 1, hint)]) from None


def raw_content(path: str) -> bytes:
    """Return the bytes of a file.

    Raises
    ------
    BadInput
        If it cannot be read, is too large, or is a pipe or a device.
    """
    try:
        # A pipe or a device may never end, and is not there a second time.
        if not stat.S_ISREG(os.stat(path).st_mode) and not os.path.isdir(path):
            raise BadInput([Fault("not a file", path, hint="write what a pipe or device gives into a file")])
        with open(path, "rb") as stream:
            raw = stream.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        cause = error.strerror if isinstance(error, OSError) else str(error)
        raise BadInput([Fault(f"cannot be read: {cause}", path)]) from None
    if len(raw) > MOST_BYTES:
        raise BadInput([Fault(f"larger than {MOST_BYTES // 1_000_000} MB", path)])
    return raw


def shortened(value: str) -> str:
    """Return a name or a value as a fault shows it: not longer than a line."""
    return value if len(value) <= MOST_NAMED else value[:MOST_NAMED] + "..."


def spoken(delimiter: str) -> str:
    """Return what people call a delimiter."""
    return {"\t": "tabs", ",": "commas", ";": "semicolons"}.get(delimiter, repr(delimiter))


def columns_of(header: Sequence[str]) -> dict[str, int]:
    """Return the number of each column, from 1."""
    return {name: number for number, name in enumerate(header, 1)}
