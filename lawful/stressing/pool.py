"""The cards of a sweep, and what of their text was not read."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from lawful.model.card import Card
from lawful.model.errors import BadInput, Fault
from lawful.model.ruleset import Ruleset
from lawful.stressing.store import Store, digest

SAFE = {("builtins", "frozenset"), ("builtins", "set"), ("copyreg", "_reconstructor")}


@dataclass(frozen=True, slots=True)
class Unread:
    """A clause that was not read.

    Parameters
    ----------
    kind : str
        What kind of clause.
    paying : bool
        Whether it bears on what is paid.
    text : str
        The clause.
    """

    kind: str
    paying: bool
    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A card with what of its text was not read."""

    card: Card
    unread: tuple[Unread, ...] = ()


@dataclass(slots=True)
class Pool:
    """Cards by name.

    Parameters
    ----------
    ruleset : Ruleset
        The rules.
    entries : dict of str to Entry
        In the order of the files.
    faults : list of Fault
        Of rows that cannot be read: those cards are left out.
    """

    ruleset: Ruleset
    entries: dict[str, Entry] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards."""
        return tuple(entry.card for entry in self.entries.values())

    def __or__(self, other: Pool) -> Pool:
        """Return both together; of two cards with one name, the first one."""
        return Pool(self.ruleset, {**other.entries, **self.entries}, [*self.faults, *other.faults])


def load_pool(paths: Sequence[str], ruleset: Ruleset, store: Store | None = None) -> Pool:
    """Read card files: published ones, your own tables, cards in YAML.

    Parameters
    ----------
    paths : sequence of str
        The files.
    ruleset : Ruleset
        The rules.
    store : Store, optional
        Cards that were read before are taken from there.

    Returns
    -------
    Pool
        The cards; rows that cannot be read are left out and listed.

    Raises
    ------
    BadInput
        If a file is no card file.
    """
    from lawful.cards.listed import YAML, is_sheet
    from lawful.model.casefile import read_card_file

    pool = Pool(ruleset)
    tables = [path for path in paths if not path.casefold().endswith(YAML) or is_sheet(path)]
    for path in paths:
        if path not in tables:
            for card in read_card_file(path, ruleset).values():
                _take(pool.entries, entered(card), pool.faults, path)
    if tables:
        key = digest(reader(), repr(ruleset), *(part for path in tables for part in _content(path)))
        kept = store.text(key) if store is not None else None
        there = _unpacked(kept) if kept is not None else None
        entries, faults = _read(tables, ruleset) if there is None else there
        if there is None and store is not None:
            store.keep_text(key, pickle.dumps((entries, faults)))
        pool.faults += faults
        for entry in entries:
            _take(pool.entries, entry, pool.faults, ", ".join(tables))
    return pool


def _read(paths: Sequence[str], ruleset: Ruleset) -> tuple[list[Entry], list[Fault]]:
    from lawful.cards.library import read_libraries

    entries: dict[str, Entry] = {}
    faults: list[Fault] = []
    places: dict[str, str] = {}
    for library in read_libraries(paths, ruleset):
        faults += library.faults
        here: dict[str, Entry] = {}
        lines: dict[str, int] = {}
        for record in library.records:
            try:
                card = library.card(record)
            except BadInput as error:
                faults += error.faults
                continue
            here.setdefault(card.name, entered(card))  # another one is a fault of its row
            lines.setdefault(card.name, record.line)
        for name, entry in here.items():
            _take(entries, entry, faults, library.file, lines[name], places.get(name, ""))
            places.setdefault(name, f"line {lines[name]} of {library.file}")
    return list(entries.values()), faults


def entered(card: Card) -> Entry:
    """Return a card with what of its text was not read, wherever it comes from.

    A sweep leaves out what was not read itself: what it asks is not undetermined for that.
    """
    unread = tuple(Unread(u.kind, "pay" in (*u.own, *u.play, *u.hand), u.text) for u in card.unread)
    return Entry(replace(card, unread=()), unread)


def _take(
    entries: dict[str, Entry], entry: Entry, faults: list[Fault], file: str, line: int = 0, before: str = ""
) -> None:
    """Take a card; of another file a card of the same name that says something else is a fault, and not looked at."""
    if entries.setdefault(entry.card.name, entry) != entry:
        where = before or "a file before"
        fault = f"there is another {entry.card.name!r} in {where}, and they differ"
        faults.append(Fault(fault, file, line, 1 if line else 0, hint="the first one is looked at"))


def _content(path: str) -> Iterator[bytes]:
    """Yield what a card file or folder holds, with the bounds that its reader has: only what it may read."""
    from lawful.cards.records import raw_content

    place = Path(path)
    if not place.is_dir():
        yield raw_content(path)
        return
    for pattern in ("*.json", "*/*.json", "*.csv"):
        for file in sorted(place.glob(pattern)):
            yield str(file.relative_to(place)).encode("utf8", "surrogateescape")
            with suppress(BadInput):  # told when it is read
                yield raw_content(str(file))


class _Careful(pickle.Unpickler):
    """Reads cards, and nothing that could do something."""

    def find_class(self, module: str, name: str) -> Any:
        """Return a class of the vocabulary."""
        if module.startswith("lawful.model.") or module == __name__ or (module, name) in SAFE:
            found = super().find_class(module, name)
            if isinstance(found, type) or (module, name) in SAFE:
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no card")


def _unpacked(kept: bytes) -> tuple[list[Entry], list[Fault]] | None:
    """Return cards that were kept; None where they are damaged, and are to be read once more."""
    try:
        entries, faults = _Careful(io.BytesIO(kept)).load()
    # Damaged bytes can raise whatever the classes raise that they name.
    except Exception:
        return None
    good = all(isinstance(entry, Entry) for entry in entries) and all(isinstance(fault, Fault) for fault in faults)
    return (entries, faults) if good else None


def engine() -> str:
    """Return what tells this version of the package from others: a result of another one is not taken over."""
    return _version("model", "solver", "stressing")


def reader() -> str:
    """Return what tells this version of the reading of texts from others."""
    return _version("model", "cards")


@cache
def _version(*names: str) -> str:
    content = []
    for name in names:
        for folder in import_module(f"lawful.{name}").__path__:
            files = (f for f in sorted(Path(folder).rglob("*")) if f.suffix in (".py", ".yaml", ".lark"))
            content += [file.read_bytes() for file in files]
    return f"{version('lawful')}+{digest(*content)[:12]}"


def not_read(entries: Iterable[Entry], paying: bool) -> tuple[str, ...]:
    """Return the clauses that were not read and bear on a check."""
    return tuple(u.text for entry in entries for u in entry.unread if u.paying or not paying)
