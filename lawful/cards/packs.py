"""JSON packs: lists of cards, one file or a folder of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lawful.cards.records import Record, Rows, content
from lawful.model.errors import BadInput, Fault

BLANK = re.compile(r"[\s,]*")
DEEPEST = 50


def read_packs(path: str, needed: Sequence[str], skip: str = "") -> Rows:
    """Read a pack or a folder of packs.

    Parameters
    ----------
    path : str
        A file, or a folder with ``*.json`` files, also one level below.
    needed : sequence of str
        Fields that every card has.
    skip : str
        A card that has this field is another printing, and has none of the others.

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
    for pack in packs:
        try:
            text = content(str(pack))
        except BadInput as error:
            rows.faults.extend(error.faults)
            continue
        if not _read(text, str(pack), needed, skip, rows):
            break
    if not rows.records and rows.faults:
        raise BadInput(rows.faults)
    return rows


def _read(text: str, file: str, needed: Sequence[str], skip: str, rows: Rows) -> bool:
    for line, item in _items(text, file, rows):
        if not isinstance(item, dict):
            rows.fault("a card is a mapping of fields", file, line, 1)
            continue
        if skip and item.get(skip):
            continue
        missing = [name for name in needed if not _text(item.get(name)).strip()]
        if missing:
            rows.fault(f"the card has no {' and no '.join(missing)}", file, line, 1)
            continue
        if not rows.take(Record(file, line, {str(k): _text(v) for k, v in item.items()})):
            return False
    return True


def _items(text: str, file: str, rows: Rows) -> Iterator[tuple[int, Any]]:
    """Yield the items of a list one by one, so that those before a fault are kept."""
    decoder = json.JSONDecoder()
    at = len(text) - len(text.lstrip())
    if text[at : at + 1] != "[":
        rows.fault("a pack is a list of cards", file, 1, 1, "it starts with [")
        return
    at += 1
    while True:
        at = BLANK.match(text, at).end()  # type: ignore[union-attr]
        line = text.count("\n", 0, at) + 1
        if text[at : at + 1] == "]":
            return
        if at >= len(text):
            rows.fault("the file ends in the middle of the list", file, line, 1, "is it truncated?")
            return
        try:
            item, at = decoder.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError) as error:
            where = getattr(error, "pos", at)
            message = getattr(error, "msg", "nested too deeply")
            rows.fault(f"not JSON from here: {message}", file, text.count("\n", 0, where) + 1, 1)
            return
        yield line, item


def _text(value: Any) -> str:
    if value is None or value is False:
        return ""
    if value is True:
        return "true"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
