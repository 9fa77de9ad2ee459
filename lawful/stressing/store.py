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


COLUMNS = {"results": ("key", "row"), "texts": ("key", "cards"), "about": ("name", "value")}


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
            self._db.text_factory = lambda raw: raw.decode("utf8", "replace")
            self._ours()
            self._db.execute("pragma journal_mode=wal")
            self._db.execute("pragma synchronous=normal")
            self._db.executescript(TABLES)
            # A file that can only be read is found out here, and not after an hour of work.
            self._db.execute("insert or replace into about values ('version', ?)", (VERSION,))
        except sqlite3.Error as error:
            raise BadInput([Fault(f"cannot keep results here: {error}", self.path or "--store")]) from None

    def _ours(self) -> None:
        """Refuse a database of something else, or of another version: nothing is written into it."""
        tables = {
            name for (name,) in self._db.execute("select name from sqlite_master where type in ('table', 'view')")
        }
        if not tables:
            return
        file, hint = self.path or "--store", "name a file that is not there yet"
        if not tables <= set(COLUMNS):
            raise BadInput([Fault("cannot keep results here: a database of something else", file, hint=hint)])
        there = {t: tuple(row[1] for row in self._db.execute(f"pragma table_info({t})")) for t in sorted(tables)}
        version: tuple[str, ...] = ()
        if there.get("about") == COLUMNS["about"]:
            version = self._db.execute("select value from about where name = 'version'").fetchone() or (VERSION,)
        if any(columns != COLUMNS[table] for table, columns in there.items()) or version not in ((), (VERSION,)):
            raise BadInput([Fault("cannot keep results here: a store of another version", file, hint=hint)])

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
            read = {key: _row(row) for key, row in rows}
            found |= {key: row for key, row in read.items() if row is not None}
            self._drop([key for key, row in read.items() if row is None])
        return found

    def _drop(self, keys: Sequence[str]) -> None:
        """Drop results that are damaged: they are found once more."""
        try:
            self._db.executemany("delete from results where key = ?", [(key,) for key in keys])
        except sqlite3.Error as error:
            raise CannotKeep(f"cannot write {self.path}: {error}; what was found before is kept") from None

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
        try:
            found = self._db.execute("select cards from texts where key = ?", (key,)).fetchone()
        except sqlite3.Error as error:
            raise CannotKeep(f"cannot read {self.path}: {error}") from None
        return bytes(found[0]) if found is not None and isinstance(found[0], bytes) else None

    def keep_text(self, key: str, cards: bytes) -> None:
        """Keep cards that were read."""
        try:
            self._db.execute("insert or replace into texts values (?, ?)", (key, cards))
        except sqlite3.Error as error:
            raise CannotKeep(f"cannot write {self.path}: {error}; what was found before is kept") from None


def _row(text: object) -> dict[str, Any] | None:
    """Return a row that was kept; None if it is damaged."""
    try:
        row = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) and "check" in row else None
