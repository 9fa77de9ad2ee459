"""Reads a published card file: a table with a card a row. Which column is what, the ruleset says."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from lawful.model.card import Card
from lawful.model.cost import Cost
from lawful.model.errors import BadInput, Fault, UnknownName
from lawful.model.frozen import FrozenMap
from lawful.model.notation import parse_cost
from lawful.model.ruleset import CardFile, Ruleset

MOST_BYTES = 64_000_000
_COST = re.compile(r"(?=.)X{0,9}\d{0,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Row:
    title: str
    line: int
    values: Sequence[str]


class CardLibrary:
    """The cards of a file, by name. A row becomes a card when somebody asks for it.

    Parameters
    ----------
    file : str
        Where it was read from.
    layout : CardFile
        Which column is what.
    header : sequence of str
        Names of the columns.
    rows : iterable of (int, sequence of str)
        Line numbers and fields.
    """

    def __init__(
        self, file: str, layout: CardFile, header: Sequence[str], rows: Sequence[tuple[int, Sequence[str]]]
    ) -> None:
        self._file, self._layout = file, layout
        self._at = {column: at for at, column in enumerate(header)}
        self._by_title: dict[str, list[_Row]] = {}
        self._by_name: dict[str, list[_Row]] = {}
        for line, values in rows:
            row = _Row(self._title(values), line, values)
            self._by_title.setdefault(row.title.casefold(), []).append(row)
            self._by_name.setdefault(values[self._at[layout.name]].strip().casefold(), []).append(row)

    def __len__(self) -> int:
        """Return the number of different titles."""
        return len(self._by_title)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the titles, in the order of the file."""
        return (rows[0].title for rows in self._by_title.values())

    def __contains__(self, name: object) -> bool:
        """Tell whether a title or name is in the file."""
        key = " ".join(str(name).split()).casefold()
        return key in self._by_title or key in self._by_name

    def find(self, name: str) -> Card:
        """Return the card of a title, or of a name that only one row has. Case does not matter.

        Parameters
        ----------
        name : str
            ``Flat Kick (blue)``, or ``Flat Kick`` where it is printed once.

        Returns
        -------
        Card
            Named by its title as the file spells it.

        Raises
        ------
        UnknownName
            If no row has it; with the closest titles.
        BadInput
            If several rows have it, or its row cannot be read; with file and line.
        """
        key = " ".join(name.split()).casefold()
        rows = self._by_title.get(key) or self._by_name.get(key)
        if rows is None:
            raise UnknownName("card", name, self._candidates(key))
        if len(rows) > 1:
            titles = [row.title for row in rows]
            which = ", ".join(titles) if len(set(titles)) == len(titles) else f"rows {[row.line for row in rows]}"
            fault = f"the card {name!r} is ambiguous: there are {which}"
            raise BadInput([Fault(fault, self._file, rows[0].line, 1, f"write {titles[0]!r}, for example")])
        return self._card(rows[0])

    def _candidates(self, key: str) -> list[str]:
        # Similarity over thousands of titles takes seconds; over distinct names without their suffix it does not.
        stem = key.partition(" (")[0]
        close = get_close_matches(stem, self._by_name, n=3, cutoff=0.6)
        return [row.title for name in close for row in self._by_name[name]]

    def _title(self, values: Sequence[str]) -> str:
        named = {column: values[at].strip() for column, at in self._at.items() if at < len(values)}
        try:
            title = self._layout.title.format_map(named)
        except KeyError:
            title = named[self._layout.name]
        return " ".join(re.sub(r"\(\s*\)|\[\s*\]", "", title).split())

    def _card(self, row: _Row) -> Card:
        layout = self._layout
        types = tuple(word.strip() for word in self._field(row, layout.types).split(",") if word.strip())
        return Card(
            name=row.title,
            types=types,
            cost=self._cost(row),
            yields=self._yields(row, types),
            stats=self._stats(row),
            props=FrozenMap(
                {
                    prop: self._field(row, column).casefold()
                    for column, prop in layout.props.items()
                    if self._field(row, column)
                }
            ),
        )

    def _field(self, row: _Row, column: str) -> str:
        at = self._at.get(column)
        return row.values[at].strip() if at is not None and at < len(row.values) else ""

    def _cost(self, row: _Row) -> Cost | None:
        """Read ``3``, ``X``, ``XX``, ``X3``; an empty field is no cost, which is not a cost of 0."""
        written = self._field(row, self._layout.cost)
        if not written:
            return None
        asset = self._layout.cost_asset
        if not _COST.fullmatch(written):
            self._refuse(row, self._layout.cost, "a number, or X, XX, X3")
        return parse_cost(written, [asset], asset, self._file, row.line)

    def _yields(self, row: _Row, types: tuple[str, ...]) -> FrozenMap[str, int] | None:
        """Read what the card gives; an empty field is no such property, a 0 is one of value 0."""
        written = self._field(row, self._layout.yields)
        if not written:
            return None
        if not _digits(written):
            self._refuse(row, self._layout.yields, "a whole number")
        asset = next((a for kind, a in self._layout.asset_by_type.items() if kind in types), self._layout.asset)
        return FrozenMap({asset: int(written)})

    def _stats(self, row: _Row) -> FrozenMap[str, int]:
        # What is not a number ("*", "X") is worked out by the card's text: no stat then.
        written = {stat: self._field(row, column) for column, stat in self._layout.stats.items()}
        return FrozenMap({stat: int(value) for stat, value in written.items() if _digits(value)})

    def _refuse(self, row: _Row, column: str, wanted: str) -> None:
        fault = f"{row.title}: {column} is {self._field(row, column)!r}, expected {wanted}"
        raise BadInput([Fault(fault, self._file, row.line, self._at[column] + 1)])


def _digits(written: str) -> bool:
    return written.isascii() and written.isdigit() and len(written) < 10


def read_library(path: str | Path, ruleset: Ruleset) -> CardLibrary:
    """Read a published card file of a game.

    Parameters
    ----------
    path : str or Path
        The table.
    ruleset : Ruleset
        Its `card_file` says which column is what.

    Returns
    -------
    CardLibrary
        Its cards, by name.

    Raises
    ------
    BadInput
        If the file cannot be read as such a table; all faults with their lines. The column of a fault is the number of
        the field.
    """
    layout, file = ruleset.card_file, str(path)
    if layout is None:
        raise BadInput([Fault(f"the ruleset {ruleset.id} does not say how its card files are read", file)])
    reader = csv.reader(io.StringIO(_content(path), newline=""), delimiter=layout.delimiter, strict=True)
    header: list[str] = []
    rows: list[tuple[int, Sequence[str]]] = []
    faults: list[Fault] = []
    line = 1
    try:
        for values in reader:
            if not values:
                pass  # an empty line
            elif not header:
                header = [name.strip().removeprefix("\ufeff") for name in values]
                _check_header(header, layout, file)
                least = 1 + max(map(header.index, _needed(layout)))
            elif len(values) < least:
                fault = f"the row has {len(values)} of {len(header)} columns"
                faults.append(Fault(fault, file, line, 1, "columns are separated by " + _spoken(layout.delimiter)))
            else:
                rows.append((line, values))
            line = reader.line_num + 1
    except csv.Error as error:
        faults.append(Fault(f"not a table: {error}", file, line, 1, "is a quotation mark not closed?"))
    if not header and not faults:
        faults.append(Fault("the file is empty", file, 1, 1))
    if faults:
        raise BadInput(faults)
    return CardLibrary(file, layout, header, rows)


def _content(path: str | Path) -> str:
    try:
        with open(path, "rb") as stream:
            raw = stream.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        cause = error.strerror if isinstance(error, OSError) else str(error)
        raise BadInput([Fault(f"cannot be read: {cause}", str(path))]) from None
    if len(raw) > MOST_BYTES:
        raise BadInput([Fault(f"larger than {MOST_BYTES // 1_000_000} MB", str(path))])
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise BadInput([Fault("not a text file in UTF-8", str(path), line, 1)]) from None


def _needed(layout: CardFile) -> tuple[str, ...]:
    return layout.name, layout.cost, layout.types, layout.yields


def _check_header(header: Sequence[str], layout: CardFile, file: str) -> None:
    missing = [column for column in _needed(layout) if column not in header]
    faults = []
    for column in missing:
        close = get_close_matches(column, header, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"columns are separated by {_spoken(layout.delimiter)}"
        faults.append(Fault(f"there is no column {column!r}", file, 1, 1, hint))
    if faults:
        raise BadInput(faults)


def _spoken(delimiter: str) -> str:
    return {"\t": "tabs", ",": "commas", ";": "semicolons"}.get(delimiter, repr(delimiter))
