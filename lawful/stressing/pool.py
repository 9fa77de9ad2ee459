"""The cards of a sweep, and what of their text was not read."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterable, Iterator, Sequence
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
    from lawful.model.casefile import read_card_file

    pool = Pool(ruleset)
    tables = [path for path in paths if not path.endswith((".yaml", ".yml"))]
    for path in paths:
        if path not in tables:
            for card in read_card_file(path, ruleset).values():
                pool.entries.setdefault(card.name, entered(card))
    if tables:
        key = digest(reader(), repr(ruleset), *(part for path in tables for part in _content(path)))
        kept = store.text(key) if store is not None else None
        entries, faults = _unpacked(kept) if kept is not None else _read(tables, ruleset)
        if kept is None and store is not None:
            store.keep_text(key, pickle.dumps((entries, faults)))
        for entry in entries:
            pool.entries.setdefault(entry.card.name, entry)
        pool.faults += faults
    return pool


def _read(paths: Sequence[str], ruleset: Ruleset) -> tuple[list[Entry], list[Fault]]:
    from lawful.cards.library import read_libraries

    entries: dict[str, Entry] = {}
    faults: list[Fault] = []
    for library in read_libraries(paths, ruleset):
        faults += library.faults
        for record in library.records:
            try:
                card = library.card(record)
            except BadInput as error:
                faults += error.faults
                continue
            entries.setdefault(card.name, entered(card))
    return list(entries.values()), faults


def entered(card: Card) -> Entry:
    """Return a card with what of its text was not read, wherever it comes from.

    A sweep leaves out what was not read itself: what it asks is not undetermined for that.
    """
    unread = tuple(Unread(u.kind, "pay" in (*u.own, *u.play, *u.hand), u.text) for u in card.unread)
    return Entry(replace(card, unread=()), unread)


def _content(path: str) -> Iterator[bytes]:
    place = Path(path)
    try:
        if place.is_dir():
            for file in sorted(place.rglob("*")):
                if file.is_file():
                    yield file.read_bytes()
        else:
            yield place.read_bytes()
    except OSError as error:
        raise BadInput([Fault(f"cannot be read: {error.strerror}", path)]) from None


class _Careful(pickle.Unpickler):
    """Reads cards, and nothing that could do something."""

    def find_class(self, module: str, name: str) -> Any:
        """Return a class of the vocabulary."""
        if module.startswith("lawful.model.") or module == __name__ or (module, name) in SAFE:
            found = super().find_class(module, name)
            if isinstance(found, type) or (module, name) in SAFE:
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no card")


def _unpacked(kept: bytes) -> tuple[list[Entry], list[Fault]]:
    entries, faults = _Careful(io.BytesIO(kept)).load()
    return entries, faults


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
