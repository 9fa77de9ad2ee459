"""Which kind of card file this is, and how it is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from lawful.cards.columns import OWN, knowing, mapped, one_each
from lawful.cards.listed import YAML
from lawful.cards.packs import read_packs
from lawful.cards.records import Rows, not_text, spoken
from lawful.cards.tables import read_table, sniff
from lawful.model.errors import BadInput, Fault
from lawful.model.frozen import FrozenMap
from lawful.model.ruleset import CardFile


def open_cards(path: str, layout: CardFile, columns: Mapping[str, str] = FrozenMap()) -> tuple[Rows, CardFile]:
    """Read the rows of a card file.

    Parameters
    ----------
    path : str
        The file or folder.
    layout : CardFile
        How the published file of the game is laid out.
    columns : mapping of str to str
        Of a table of one's own: what a part of a card is -> its column, where its name does not say so.

    Returns
    -------
    tuple of Rows and CardFile
        The rows, and the layout that they have: a designer's own table has its own columns.

    Raises
    ------
    BadInput
        If it is no card file.
    """
    place = Path(path)
    if place.suffix.casefold() in YAML:
        from lawful.cards.listed import read_listed

        rows, header = read_listed(path)
        one_each(header, columns, path)
        own = own_layout(layout, header, ",", mapped(columns, header, path))
        if own is None:
            raise BadInput(
                [Fault("the cards have no name or no types", path, 1, 1, "write `name` and `types`, or --columns")]
            )
        return knowing(rows, own, columns).needing((own.name, own.types)), own
    if layout.format != "json" and place.suffix.casefold() == ".json":
        raise BadInput([_no_json(path, layout)])
    if layout.format == "json" and (place.is_dir() or place.suffix.casefold() == ".json"):
        return read_packs(path, [layout.name, layout.types], layout.skip, layout.number, layout.lists), layout
    if place.is_dir():
        inside = [f for f in sorted(place.glob("*.csv")) if _is_published(str(f), layout)]
        path = str(inside[0]) if inside else str(place / "cards.csv")
    needed = [column for column in (layout.name, layout.cost, layout.types, layout.yields) if column]
    if not columns and layout.format != "json" and _has_shape(path, layout):
        needed += [layout.text] if layout.text_rules else []
        return read_table(path, layout.delimiter, needed).needing((layout.name,)), layout
    if layout.format == "json" or columns or not _is_published(path, layout):
        delimiter, header = sniff(path)
        own = own_layout(layout, header, delimiter, mapped(columns, header, path))
        if own is not None:
            one_each(header, columns, path)
            return read_table(path, delimiter, [own.name, own.types]).needing((own.name, own.types)), own
        if layout.format == "json" or not set(needed) & set(header):
            raise BadInput(_lacking(path, delimiter, header))
    return read_table(path, layout.delimiter, needed).needing((layout.name,)), layout


def _no_json(path: str, layout: CardFile) -> Fault:
    """Return the fault of JSON where the game's published cards are a table."""
    needed = [column for column in (layout.name, layout.cost, layout.types, layout.text) if column]
    table = f"a table with {spoken(layout.delimiter)} between its columns {', '.join(map(repr, needed))}"
    hint = f"give {table}, as the cards of this game are published; or a table, or cards in YAML, of your own"
    return Fault("cards of this game are not read from JSON", path, 1, 1, hint)


def _lacking(path: str, delimiter: str, header: list[str]) -> list[Fault]:
    """Return the faults of a table without a name or types."""
    if not header:
        return [Fault("the file is empty", path, 1, 1)]
    if not_text("".join(header)):
        return [Fault("not a text file in UTF-8", path, 1, 1, "save it as UTF-8")]
    folded = {name.casefold() for name in header}
    hint = f"its columns, by {spoken(delimiter)}: {', '.join(header)[:200]}; --columns says which is what"
    return [
        Fault(f"there is no column {role!r}", path, 1, 1, hint)
        for role in ("name", "types")
        if not folded & {*OWN[role]}
    ]


def _is_published(path: str, layout: CardFile) -> bool:
    try:
        delimiter, header = sniff(path)
    except BadInput:
        return False
    return {layout.name, layout.cost, layout.types} <= set(header) and delimiter == layout.delimiter


def _has_shape(path: str, layout: CardFile) -> bool:
    """Tell whether a table is a published one, even if a column is missing: nobody else has such columns of types."""
    try:
        delimiter, header = sniff(path)
    except BadInput:
        return False
    apart = set(layout.also_types) - set(layout.props)
    return delimiter == layout.delimiter and {layout.name, layout.types} <= set(header) and bool(apart & set(header))


def own_layout(
    layout: CardFile, header: list[str], delimiter: str, columns: Mapping[str, str] = FrozenMap()
) -> CardFile | None:
    """Return the layout of a designer's own table, by the names of its columns; None where it has no name or types.

    Parameters
    ----------
    layout : CardFile
        Of the game's published file.
    header : list of str
        The columns.
    delimiter : str
        What stands between them.
    columns : mapping of str to str
        What is what, where somebody says so.

    Returns
    -------
    CardFile or None
        Columns of a game's own stats and properties are found by their names; any other column is a property.
    """
    folded = {name.casefold(): name for name in header if name not in columns.values()}
    folded |= {role.casefold(): column for role, column in columns.items()}
    found = {role: next((folded[n] for n in names if n in folded), "") for role, names in OWN.items()}
    if not found["name"] or not found["types"]:
        return None
    stats = {folded[s.casefold()]: s for s in layout.stats.values() if s.casefold() in folded}
    stats |= {folded[c.casefold()]: s for c, s in layout.stats.items() if c.casefold() in folded}
    props = {folded[c.casefold()]: p for c, p in layout.props.items() if c.casefold() in folded}
    also = {folded[c.casefold()]: s for c, s in layout.also_types.items() if c.casefold() in folded}
    by = {folded[a.casefold()]: a for a in layout.yields_by.values() if a.casefold() in folded}
    by |= {folded[c.casefold()]: a for c, a in layout.yields_by.items() if c.casefold() in folded}
    title = "{" + found["name"] + "}"
    color = next((folded[c] for c in ("color", "colour") if c in folded), "")
    return replace(
        layout, format="table", delimiter=delimiter, name=found["name"], cost=found["cost"] or "\x00",
        types=found["types"], yields=found["yields"], yields_by=FrozenMap(by), stats=FrozenMap(stats),
        props=FrozenMap(props), text=found["text"], also_types=FrozenMap(also), skip="", cost_each="",
        title=title + (" ({" + color + "})" if color else ""),
    )  # fmt: skip
