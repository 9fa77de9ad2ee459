"""A designer's own columns: which of them is what, where their names do not say it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from lawful.cards.records import Rows, shortened
from lawful.model.errors import BadInput, Fault
from lawful.model.ruleset import CardFile, Ruleset

# What a card is made of, and what designers call the column.
OWN = {
    "name": ("name", "card", "title", "card name"),
    "cost": ("cost",),
    "types": ("types", "type"),
    "yields": ("yields", "pitch", "resources", "icons"),
    "text": ("text", "functional text", "rules", "rules text", "ability", "abilities"),
}

UNREAD = "unread"  # text of a card that nobody is to read: it bears on everything


def roles_of(layout: CardFile) -> tuple[str, ...]:
    """Return what a column can be in this game: parts of a card, its color, numbers, properties, assets it gives."""
    more = (*layout.stats.values(), *layout.props.values(), *layout.yields_by.values())
    return tuple(dict.fromkeys((*OWN, "color", *more)))


def parse_columns(text: str, layout: CardFile) -> dict[str, str]:
    """Read a column map: ``name=Titel, types=Art, text=Regeltext``.

    Parameters
    ----------
    text : str
        What is what, separated by commas; a column with a comma in quotes.
    layout : CardFile
        Of the game, for what there is.

    Returns
    -------
    dict of str to str
        What it is -> the column.

    Raises
    ------
    BadInput
        All faults: a part without ``=``, an unknown word, a word or a column that stands twice.

    Examples
    --------
    >>> from lawful.model.rulesets import load_ruleset
    >>> parse_columns('name=Titel, text="Text, neu"', load_ruleset("fab").card_file)
    {'name': 'Titel', 'text': 'Text, neu'}
    >>> parse_columns("name=Titel, types=Art, pitch=Wert", load_ruleset("fab").card_file)
    {'name': 'Titel', 'types': 'Art', 'yields': 'Wert'}
    """
    roles, found, faults = roles_of(layout), dict[str, str](), list[Fault]()

    def fault(message: str, hint: str = "") -> None:
        faults.append(Fault(message, "--columns", 1, 1, hint))

    for part in _parts(text):
        role, is_, column = (side.strip() for side in part.partition("="))
        column = column.strip('"')
        known = next((one for one in roles if one.casefold() == role.casefold()), None)
        if known is None:  # a column of that name would be found by itself
            known = next((one for one, names in OWN.items() if role.casefold() in names), None)
        if not is_ or not column:
            fault(f"{part.strip()!r} is no pair", "write what=column, such as name=Titel")
        elif known is None:
            close = get_close_matches(role, roles, n=1)
            fault(f"a card has no {role!r}", f"did you mean {close[0]!r}?" if close else "one of: " + ", ".join(roles))
        elif known in found:
            fault(f"{known!r} is said twice")
        elif column in found.values():
            fault(f"the column {column!r} is said twice")
        else:
            found[known] = column
    if faults or not found:
        raise BadInput(faults or [Fault("says nothing", "--columns", 1, 1, "write what=column, such as name=Titel")])
    return found


def map_of(text: str, ruleset: Ruleset) -> dict[str, str]:
    """Read a column map for a game; see `parse_columns`."""
    if ruleset.card_file is None:
        raise BadInput([Fault(f"the ruleset {ruleset.id} does not say how its card files are read", "--columns")])
    return parse_columns(text, ruleset.card_file)


def _parts(text: str) -> list[str]:
    """Split at commas outside of quotation marks."""
    parts, quoted = [""], False
    for letter in text:
        quoted ^= letter == '"'
        if letter == "," and not quoted:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part.strip()]


def mapped(columns: Mapping[str, str], header: Sequence[str], file: str) -> dict[str, str]:
    """Return the columns as the header spells them.

    Raises
    ------
    BadInput
        If the file has no such column; all of them, with the closest.
    """
    folded = {name.casefold(): name for name in header}
    faults = []
    for role, column in columns.items():
        if column.casefold() not in folded:
            close = get_close_matches(column, header, n=1)
            hint = f"did you mean {close[0]!r}?" if close else "it has: " + ", ".join(header)
            faults.append(Fault(f"there is no column {column!r} for {role}", file, 1, 1, hint))
    if faults:
        raise BadInput(faults)
    return {role: folded[column.casefold()] for role, column in columns.items()}


def one_each(header: Sequence[str], columns: Mapping[str, str], file: str) -> None:
    """Refuse columns of which two would be the same part of a card: what stands in one of them would be lost.

    Raises
    ------
    BadInput
        All such pairs. What ``--columns`` names is settled. A title beside the name is no second name.
    """
    faults, folded = [], dict[str, str]()
    for name in header:
        if name and folded.setdefault(name.casefold(), name) != name:
            faults.append(Fault(f"two columns are called {name!r}, in capital and small letters", file, 1, 1))
    said = {column.casefold() for column in columns.values()}
    for role, names in OWN.items():
        several = [folded[name] for name in names if name in folded and name not in said]
        if len(several) > 1 and role not in ("name", *columns):
            hint = f"--columns {role}={several[0]} says which"
            faults.append(Fault(f"both {several[0]!r} and {several[1]!r} may be the {role}", file, 1, 1, hint))
    if faults:
        raise BadInput(faults)


def knowing(rows: Rows, layout: CardFile, columns: Mapping[str, str]) -> Rows:
    """Return the cards of YAML of which every field is part of a card, with a fault for every other.

    A table has columns for people, too; a field of YAML is there for one card, and a slip in it would be lost.
    """
    known = _known(layout, columns)
    folded = {field.casefold() for field in known}
    kept = Rows(faults=list(rows.faults))
    for record in rows.records:
        strange = [field for field in record.fields if field.casefold() not in folded]
        for field in strange:
            close = get_close_matches(field.casefold(), sorted(folded), n=1)
            hint = f"did you mean {close[0]!r}?" if close else "what is for people alone stands in a comment"
            kept.note(record.fault(f"a card has no {shortened(field)!r}", hint=hint))
        if not strange:
            kept.records.append(record)
    return kept


def _known(layout: CardFile, columns: Mapping[str, str]) -> set[str]:
    """Return all fields of which something is made."""
    fields = {
        *roles_of(layout),
        *columns.values(),
        *(name for names in OWN.values() for name in names),
        UNREAD,
        "colour",
    }
    fields |= {*layout.stats, *layout.props, *layout.yields_by, *layout.also_types, *layout.lists, layout.number}
    fields |= {*layout.stats.values(), *layout.props.values(), *layout.yields_by.values(), *layout.also_types.values()}
    fields |= {flag.partition("=")[0] for flag in layout.flags}
    if layout.text_rules:
        from lawful.cards.sheet import load_text_rules

        words = load_text_rules(layout.text_rules).sheet.lexicon.values()
        fields |= {field for word in words for field in word.fields if not field.startswith("@")}
    return fields - {""}
