"""Results in a file, kept by content: a sweep that was stopped goes on where it was, a changed card redoes its own."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from lawful.model.errors import BadInput, Fault, LawfulError

VERSION = "1"
BUSY = 60.0
SOME = 500
TABLES = """
create table if not exists results (key text primary key, row text not null) without rowid;
create table if not exists texts (key text primary key, cards blob not null) without rowid;
create table if not exists about (name text primary key, value text not null) without rowid;
"""


class CannotKeep(LawfulError):
    """A result cannot be written: the disk is full, or the folder cannot be written."""


def digest(*parts: object) -> str:
    """Return a short name for content."""
    found = hashlib.sha256()
    for part in parts:
        found.update(part if isinstance(part, bytes) else repr(part).encode())
        found.update(b"\x00")
    return found.hexdigest()[:40]


class Store:
    """A file of results.

    Parameters
    ----------
    path : str or Path, optional
        The file; it is made where there is none. None keeps results in memory.

    Raises
    ------
    BadInput
        If it is no such file, or cannot be written.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = None if path is None else str(path)
        try:
            self._db = sqlite3.connect(self.path or ":memory:", timeout=BUSY, isolation_level=None)
            self._db.execute("pragma journal_mode=wal")
            self._db.execute("pragma synchronous=normal")
            self._db.executescript(TABLES)
            # A file that can only be read is found out here, and not after an hour of work.
            self._db.execute("insert or replace into about values ('version', ?)", (VERSION,))
        except sqlite3.Error as error:
            raise BadInput([Fault(f"cannot keep results here: {error}", self.path or "--store")]) from None

    def __enter__(self) -> Store:
        """Use it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def known(self, keys: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return the rows of those keys that are there."""
        found: dict[str, dict[str, Any]] = {}
        for at in range(0, len(keys), SOME):
            some = keys[at : at + SOME]
            marks = ",".join("?" * len(some))
            try:
                rows = self._db.execute(f"select key, row from results where key in ({marks})", some).fetchall()
            except sqlite3.Error as error:
                raise CannotKeep(f"cannot read {self.path}: {error}") from None
            found |= {key: json.loads(row) for key, row in rows}
        return found

    def keep(self, rows: Iterable[tuple[str, dict[str, Any]]]) -> None:
        """Keep rows, all of them or none; what another sweep has kept already stays.

        Raises
        ------
        CannotKeep
            If they cannot be written. What was kept before is still there.
        """
        try:
            self._db.execute("begin immediate")
            self._db.executemany(
                "insert or ignore into results values (?, ?)",
                [(key, json.dumps(row, ensure_ascii=False)) for key, row in rows],
            )
            self._db.execute("commit")
        except sqlite3.Error as error:
            if self._db.in_transaction:
                self._db.execute("rollback")
            raise CannotKeep(f"cannot write {self.path}: {error}; what was found before is kept") from None

    def rows(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield all rows, by key."""
        for key, row in self._db.execute("select key, row from results order by key"):
            yield key, json.loads(row)

    def __len__(self) -> int:
        """Return the number of rows."""
        return int(self._db.execute("select count(*) from results").fetchone()[0])

    def text(self, key: str) -> bytes | None:
        """Return cards that were read before."""
        found = self._db.execute("select cards from texts where key = ?", (key,)).fetchone()
        return None if found is None else bytes(found[0])

    def keep_text(self, key: str, cards: bytes) -> None:
        """Keep cards that were read."""
        try:
            self._db.execute("insert or ignore into texts values (?, ?)", (key, cards))
        except sqlite3.Error as error:
            raise CannotKeep(f"cannot write {self.path}: {error}; what was found before is kept") from None
