"""The cards of a file, by name. A row becomes a card when somebody asks for it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from lawful.cards.bearing import unread
from lawful.cards.building import card_of, needing, title_of
from lawful.cards.clauses import ReadClause, TextReading
from lawful.cards.lexing import Lexicon
from lawful.cards.phrases import Phrases, joined
from lawful.cards.reading import TextReader
from lawful.cards.records import Record
from lawful.cards.sheet import load_text_rules
from lawful.cards.terms import Terms
from lawful.model.card import Card, Unread
from lawful.model.errors import BadInput, Fault, UnknownName
from lawful.model.frozen import FrozenMap
from lawful.model.ruleset import CardFile, Ruleset


class CardLibrary:
    """Cards by name.

    Parameters
    ----------
    file : str
        Where they were read from.
    layout : CardFile
        Which field is what.
    ruleset : Ruleset
        The game.
    records : sequence of Record
        The rows.
    faults : sequence of Fault
        Of rows that could not be read.
    known : mapping of str to phrases
        Names, types and keywords of other files that texts may speak of.
    """

    def __init__(
        self,
        file: str,
        layout: CardFile,
        ruleset: Ruleset,
        records: Sequence[Record],
        faults: Sequence[Fault] = (),
        known: Mapping[str, Phrases] = FrozenMap(),
    ) -> None:
        self.file, self.layout, self.ruleset = file, layout, ruleset
        self.faults = tuple(faults)
        self.records = tuple(record for record in records if not layout.skip or not record.get(layout.skip))
        self._rows, self.known = tuple(records), known
        self._by_title: dict[str, list[Record]] = {}
        self._by_name: dict[str, list[Record]] = {}
        self._titles = self._unique_titles()
        for record in self.records:
            self._by_title.setdefault(self.title(record).casefold(), []).append(record)
            self._by_name.setdefault(record.get(layout.name).casefold(), []).append(record)
            if layout.number and record.get(layout.number):
                self._by_name.setdefault(record.get(layout.number).casefold(), []).append(record)
        self._cards: dict[tuple[str, int], Card] = {}
        self.faults = (*self.faults, *self._twice())

    def _unique_titles(self) -> dict[tuple[str, int], str]:
        """Name rows of one title that say different things by their numbers, where rows have numbers."""
        groups: dict[str, list[Record]] = {}
        for record in self.records:
            groups.setdefault(title_of(record, self.layout).casefold(), []).append(record)
        titles: dict[tuple[str, int], str] = {}
        for rows in groups.values():
            several = self.layout.number and len(rows) > 1 and len(set(map(self._says, rows))) > 1
            for record in rows:
                title = title_of(record, self.layout)
                titles[record.key] = f"{title} [{record.get(self.layout.number)}]" if several else title
        return titles

    def _twice(self) -> Iterator[Fault]:
        """Yield a fault for each row that has the title of another one and says something else."""
        for rows in self._by_title.values():
            for record in rows[1:]:
                if self._says(record) != self._says(rows[0]):
                    fault = f"there is another {self.title(record)!r} in line {rows[0].line}, and they differ"
                    yield record.fault(fault, self.layout.name, "neither is found by its name")

    def title(self, record: Record) -> str:
        """Return how a row is named: by its name, and by its number where others of that name say something else."""
        return self._titles[record.key]

    def __len__(self) -> int:
        """Return the number of different titles."""
        return len(self._by_title)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the titles, in the order of the file."""
        return (self.title(rows[0]) for rows in self._by_title.values())

    def __contains__(self, name: object) -> bool:
        """Tell whether a title or name is in the file."""
        key = " ".join(str(name).split()).casefold()
        return key in self._by_title or key in self._by_name

    def record(self, name: str) -> Record:
        """Return the row of a title, or of a name that only one row has. Case does not matter.

        Raises
        ------
        UnknownName
            If no row has it; with the closest titles.
        BadInput
            If several rows have it; with file and line.
        """
        key = " ".join(name.split()).casefold()
        rows = self._by_title.get(key) or self._by_name.get(key)
        if rows is None:
            raise UnknownName("card", name, self._candidates(key))
        if len(rows) > 1 and len(set(map(self._says, rows))) > 1:
            titles = [self.title(row) for row in rows]
            which = ", ".join(titles) if len(set(titles)) == len(titles) else f"rows {[row.line for row in rows]}"
            fault = f"the card {name!r} is ambiguous: there are {which}"
            raise BadInput([Fault(fault, rows[0].file, rows[0].line, 1, f"write {titles[0]!r}, for example")])
        return rows[0]

    def _says(self, record: Record) -> tuple[str, ...]:
        """Return all of a row that a card is made of: reprints say the same, in whichever set they are."""
        layout = self.layout
        fields = (layout.name, layout.cost, layout.types, layout.yields, layout.text)
        more = (*layout.yields_by, *layout.also_types, *layout.flags, *layout.stats, *layout.props)
        apart = (*layout.props, *layout.lists)
        return tuple(record.get(field) for field in (*fields, *more) if field not in apart)

    def find(self, name: str) -> Card:
        """Return the card of a title, or of a name that only one row has, with the abilities that were read.

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
        record = self.record(name)
        if record.key not in self._cards:
            self._cards[record.key] = self.card(record)
        return self._cards[record.key]

    def card(self, record: Record) -> Card:
        """Return the card of a row."""
        card = card_of(record, self.layout, tuple(a.id for a in self.ruleset.assets))
        name, called = self.title(record), record.get(self.layout.name)
        read = self.reading(record)
        cost = needing(card.cost, read.needs)
        called, unread = "" if called == name else called, tuple(self._unread(record, read, card.types))
        return replace(card, name=name, called=called, abilities=read.abilities, cost=cost, unread=unread)

    def _unread(self, record: Record, read: TextReading, types: Sequence[str]) -> Iterator[Unread]:
        """Yield what a row's text says beside the abilities; all of it where the game has no rules for texts."""
        place, text = f"{Path(record.file).name}:{record.line}", record.get(self.layout.text)
        if self.reader is not None:
            yield from unread(read.clauses, self.reader.rules, types, place)
        elif text:
            yield Unread(text, "", place)

    def reading(self, record: Record) -> TextReading:
        """Return what the text of a row was understood as; nothing where the game has no text rules."""
        if self.reader is None:
            return TextReading()
        text = record.get(self.layout.text)
        return self.reader.read(text, record.get(self.layout.name)) if text else TextReading()

    def clauses(
        self, record: Record, kinds: Container[str] | None = None
    ) -> tuple[tuple[ReadClause, ...], tuple[str, ...]]:
        """Return the clauses of a row's text, those of these kinds read, and what was put right in it."""
        if self.reader is None or not record.get(self.layout.text):
            return (), ()
        return self.reader.clauses(record.get(self.layout.text), record.get(self.layout.name), kinds)

    @cached_property
    def reader(self) -> TextReader | None:
        """The reader of texts, with the words that these cards use."""
        if not self.layout.text_rules:
            return None
        rules = load_text_rules(self.layout.text_rules)
        lexicon = Lexicon(joined(self.phrases(), self.known))
        return TextReader(rules, Terms(self.ruleset, rules.sheet.resolving, rules.labels(lexicon)), lexicon)

    def phrases(self) -> Mapping[str, Phrases]:
        """Return the names, types and keywords of these cards, by terminal of the grammar."""
        if not self.layout.text_rules:
            return {}
        roles = {"@name": self.layout.name, "@types": self.layout.types}
        rows = [lambda field, row=row: row.get(roles.get(field, field)) for row in self._rows]
        return load_text_rules(self.layout.text_rules).phrases(rows)

    def _candidates(self, key: str) -> list[str]:
        # Similarity over thousands of titles takes seconds; over distinct names without their suffix it does not.
        stem = key.partition(" (")[0]
        close = get_close_matches(stem, self._by_name, n=3, cutoff=0.6)
        return [self.title(row) for name in close for row in self._by_name[name]]


def read_libraries(
    paths: Sequence[str | Path], ruleset: Ruleset, columns: Mapping[str, str] = FrozenMap()
) -> list[CardLibrary]:
    """Read several card files; the texts of each may speak of the cards of all.

    Parameters
    ----------
    paths : sequence of str or Path
        The files, the one that is asked first at the front.
    ruleset : Ruleset
        The game.
    columns : mapping of str to str
        Of a table of one's own, the first of the files: what a part of a card is -> its column.

    Returns
    -------
    list of CardLibrary
        In the same order.

    Raises
    ------
    BadInput
        If one is no card file.
    """
    libraries = [read_library(path, ruleset, FrozenMap() if n else columns) for n, path in enumerate(paths)]
    if len(libraries) > 1:
        for library in libraries:
            others: Mapping[str, Phrases] = {}
            for other in libraries:
                others = joined(others, other.phrases()) if other is not library else others
            library.known = others
    return libraries


def read_library(path: str | Path, ruleset: Ruleset, columns: Mapping[str, str] = FrozenMap()) -> CardLibrary:
    """Read a card file of a game: a published one, or a designer's own table.

    Parameters
    ----------
    path : str or Path
        A table, a JSON pack, a folder of packs, or cards in YAML.
    ruleset : Ruleset
        Its `card_file` says which field is what.
    columns : mapping of str to str
        Of a table of one's own: what a part of a card is -> its column, where its name does not say so.

    Returns
    -------
    CardLibrary
        Its cards, by name. Rows that cannot be read are left out; `faults` lists each of them.

    Raises
    ------
    BadInput
        If it is no card file at all; all faults with their lines. The column of a fault is the number of the field.
    """
    layout, file = ruleset.card_file, str(path)
    if layout is None:
        raise BadInput([Fault(f"the ruleset {ruleset.id} does not say how its card files are read", file)])
    from lawful.cards.opening import open_cards

    rows, layout = open_cards(file, layout, columns)
    return CardLibrary(file, layout, ruleset, rows.records, rows.faults)
