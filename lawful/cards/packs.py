"""JSON packs: lists of cards, one file or a folder of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lawful.cards.records import Record, Rows, content
from lawful.model.errors import BadInput, Fault
from lawful.model.frozen import FrozenMap

BLANK = re.compile(r"[\s,]*")
NEXT = re.compile(r"\n\s*(?=\{)")  # where reading goes on after a card that is no JSON


def read_packs(
    path: str, needed: Sequence[str], skip: str = "", number: str = "", lists: Mapping[str, str] = FrozenMap()
) -> Rows:
    """Read a pack or a folder of packs.

    Parameters
    ----------
    path : str
        A file, or a folder with ``*.json`` files, also one level below.
    needed : sequence of str
        Fields that every card has.
    skip : str
        A card that has this field is another printing, and has none of the others.
    number : str
        The field with a code that only one card has.
    lists : mapping of str to str
        Fields that lists beside the packs add: a field -> the file, the field with a code that the list names, and
        what stands behind the name. Without the list there is no such field.

    Returns
    -------
    Rows
        The good cards, and a fault for every other.

    Raises
    ------
    BadInput
        If there is no pack.
    """
    rows = Rows()
    place = Path(path)
    packs = [place]
    if place.is_dir():
        packs = sorted(place.glob("*.json")) or sorted(place.glob("*/*.json"))
        # Lists of sets and types lie beside the packs.
        inner = sorted((place / "pack").glob("*.json"))
        packs = inner or packs
    if not packs:
        raise BadInput([Fault("there is no JSON file in this folder", path)])
    codes: dict[str, str] = {}
    more = {field: _list(place, wanted) for field, wanted in lists.items()}
    for pack in packs:
        try:
            text = content(str(pack), True)
        except BadInput as error:
            rows.faults.extend(error.faults)
            continue
        if not _read(_Pack(text, str(pack), rows), needed, skip, number, codes, more):
            break
    if not rows.records and rows.faults:
        raise BadInput(rows.faults)
    return rows


def _list(place: Path, wanted: str) -> tuple[str, dict[str, str]]:
    """Return the field with the code, and the names of a list by their codes; none where it is missing or no list."""
    file, field, behind = [*wanted.split(" ", 2), ""][:3]
    folder = place if place.is_dir() else place.parent
    there = next((f for f in (folder / file, folder.parent / file) if f.is_file()), None)
    if there is None:
        return field, {}
    try:
        items = json.loads(content(str(there)))
    except (BadInput, ValueError, RecursionError):
        return field, {}
    rows = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    named = {_text(item.get("code")): _text(item.get("name")).strip() for item in rows}
    return field, {code: " ".join((name, behind)).strip() for code, name in named.items() if code and name}


def _read(
    pack: _Pack,
    needed: Sequence[str],
    skip: str,
    number: str,
    codes: dict[str, str],
    more: Mapping[str, tuple[str, dict[str, str]]],
) -> bool:
    """Take the good cards of a pack; say whether there may be more."""
    rows, file = pack.rows, pack.file
    for line, item in pack.items():
        if not isinstance(item, _Card):
            rows.fault("a card is a mapping of fields", file, line, 1)
            continue
        if skip and item.get(skip):
            continue
        missing = [name for name in needed if not _text(item.get(name)).strip()]
        nested = [name for name in needed if isinstance(item.get(name), dict | list)]
        code = _text(item.get(number)).casefold()
        if item.twice:
            rows.fault(f"the card has the field {item.twice!r} twice", file, line, 1)
        elif missing:
            rows.fault(f"the card has no {' and no '.join(missing)}", file, line, 1)
        elif nested:
            rows.fault(f"{nested[0]} is no text", file, line, 1, f"got {_text(item[nested[0]])[:40]}")
        elif code and code in codes:
            rows.fault(f"the card has the {number} {_text(item[number])!r}, as {codes[code]}", file, line, 1)
        else:
            if code:
                codes[code] = f"{_text(item.get(needed[0]))!r} in line {line} of {file}"
            fields = {str(k): _text(v) for k, v in item.items()}
            for name, (coded, names) in more.items():
                if named := names.get(fields.get(coded, "")):
                    fields.setdefault(name, named)
            if not rows.take(Record(file, line, fields)):
                return False
    return True


class _Card(dict[str, Any]):
    """The fields of a card, and one that stands there twice."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        seen: set[str] = set()
        self.twice = next((key for key, _ in pairs if key in seen or seen.add(key)), "")  # type: ignore[func-returns-value]


@dataclass(frozen=True, slots=True)
class _Pack:
    """The text of a pack, and where its rows and faults go."""

    text: str
    file: str
    rows: Rows

    def items(self) -> Iterator[tuple[int, Any]]:
        """Yield the items of the list one by one, so that those before and after a fault are kept."""
        # Numbers stay as they are written: a field is a text, and a number of any length is no reason to stop.
        decoder = json.JSONDecoder(object_pairs_hook=_Card, parse_int=str, parse_float=str, parse_constant=str)
        at = len(self.text) - len(self.text.lstrip())
        if self.text[at : at + 1] != "[":
            self.rows.fault("a pack is a list of cards", self.file, 1, 1, "it starts with [")
            return
        at += 1
        lines, counted = 1, 0
        while True:
            at = BLANK.match(self.text, at).end()  # type: ignore[union-attr]
            lines, counted = lines + self.text.count("\n", counted, at), at
            if self.text[at : at + 1] == "]":
                self._ended(at + 1)
                return
            if at >= len(self.text):
                self.rows.fault("the file ends in the middle of the list", self.file, lines, 1, "is it truncated?")
                return
            try:
                item, at = decoder.raw_decode(self.text, at)
            except (json.JSONDecodeError, RecursionError) as error:
                where = getattr(error, "pos", at)
                message = getattr(error, "msg", "nested too deeply")
                line = lines + self.text.count("\n", at, where)
                following = NEXT.search(self.text, max(at, where))
                hint = "what follows is read on from the next line that begins a card" if following else ""
                self.rows.fault(f"not JSON from here: {message}", self.file, line, 1, hint)
                if following is None:
                    return
                at = following.end()
                continue
            yield lines, item

    def _ended(self, at: int) -> None:
        """Note what stands behind the list: nobody reads it."""
        behind = self.text[at:].lstrip()
        if behind:
            line = self.text.count("\n", 0, len(self.text) - len(behind)) + 1
            hint = "is it two packs in one file, or a ] too many?"
            self.rows.fault("what stands behind the list of cards is not read", self.file, line, 1, hint)


def _text(value: Any) -> str:
    if value is None or value is False:
        return ""
    if value is True:
        return "true"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
