"""Cards in YAML, a mapping a card: how designers keep them who like no tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

from lawful.cards.columns import OWN
from lawful.cards.records import Record, Rows, content
from lawful.model.errors import BadInput, Fault

YAML = (".yaml", ".yml")


def read_listed(path: str) -> tuple[Rows, list[str]]:
    """Read a list of mappings, or of names to mappings.

    Parameters
    ----------
    path : str
        The file.

    Returns
    -------
    tuple of Rows and list of str
        The good cards and a fault for every other, and all fields that there are.

    Raises
    ------
    BadInput
        If it is no such list.
    """
    rows, header, text = Rows(), dict[str, None](), content(path)
    try:
        _take(_composed(text, path), path, 0, rows, header)
    except BadInput as error:
        pieces = list(_pieces(text))
        if len(pieces) < 2:
            raise
        rows, header = Rows(), {}
        for line, piece in pieces:
            try:
                _take(_composed(piece, path, line), path, line, rows, header)
            except BadInput as faulty:
                for fault in faulty.faults:
                    rows.note(fault)
        if not rows.records:
            raise BadInput(rows.faults or error.faults) from None
    return rows, list(header)


def is_sheet(path: str) -> bool:
    """Tell whether cards in YAML are a sheet, with texts to be read, and not cards with abilities written out.

    A list is a sheet; names to mappings are one where a card has a text. What is no YAML is none.

    Parameters
    ----------
    path : str
        The file.
    """
    if not path.casefold().endswith(YAML):
        return False
    try:
        root = _composed(content(path), path)
    except BadInput:
        return False
    if isinstance(root, yaml.MappingNode):
        root = next((value for key, value in root.value if key.value == "cards"), root)
    if isinstance(root, yaml.SequenceNode):
        return True
    cards = [card for _, card in root.value] if isinstance(root, yaml.MappingNode) else []
    keys = {key.value for card in cards if isinstance(card, yaml.MappingNode) for key, _ in card.value if _plain(key)}
    return bool(keys & {*OWN["text"]} - {"abilities"}) and "abilities" not in keys


def _plain(key: Any) -> bool:
    return isinstance(key, yaml.ScalarNode)


def _composed(text: str, path: str, before: int = 0) -> Any:
    """Return YAML as nodes; `before` lines stand above it in the file."""
    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        # Where it ends too early, what follows is the next card.
        line = before if mark is None else before + min(mark.line, max(0, len(text.splitlines()) - 1)) + 1
        raise BadInput(
            [Fault(f"not YAML: {error.problem}", path, line, 0 if mark is None else mark.column + 1)]
        ) from None
    except (yaml.YAMLError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error).splitlines()[0]
        raise BadInput([Fault(f"not YAML: {reason}", path, before + 1 if before else 0)]) from None


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Yield the cards of a text that is no YAML as a whole, each with the number of lines above it."""
    lines = text.splitlines(keepends=True)
    there = [n for n, line in enumerate(lines) if line.strip() and not line.lstrip().startswith(("#", "---"))]
    if there and lines[there[0]].split("#")[0].strip() == "cards:":
        del there[0]
    if not there:
        return
    depth = len(lines[there[0]]) - len(lines[there[0]].lstrip())
    starts = [n for n in there if len(lines[n]) - len(lines[n].lstrip()) <= depth]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield start, "".join(lines[start:end])


def _take(root: Any, path: str, before: int, rows: Rows, header: dict[str, None]) -> None:
    """Take the cards of a list, or of names to mappings."""
    if isinstance(root, yaml.MappingNode):
        under = [value for key, value in root.value if _plain(key) and key.value == "cards"]
        if under:
            for key, _ in [item for item in root.value if item[1] is not under[0]]:
                rows.fault("only what stands under `cards` is read", path, before + key.start_mark.line + 1, 1)
            root = under[0]
    items: list[tuple[str | None, Any]]
    if isinstance(root, yaml.SequenceNode):
        items = [(None, item) for item in root.value]
    elif isinstance(root, yaml.MappingNode):
        items = []
        for key, item in root.value:
            if _plain(key):
                items.append((key.value, item))
            else:
                rows.fault("a list or mapping cannot be a name", path, before + key.start_mark.line + 1, 1)
    else:
        raise BadInput(
            [Fault("cards are a list of mappings", path, before + 1, 1, "such as: - {name: Bolt, types: Action}")]
        )
    for name, item in items:
        line = before + item.start_mark.line + 1
        twice = _twice(item)
        if twice is not None:
            rows.fault(f"the card has the field {twice.value!r} twice", path, before + twice.start_mark.line + 1, 1)
            continue
        fields = _fields(item)
        if fields is None:
            rows.fault("a card is a mapping of fields to texts or lists of texts", path, line, 1)
            continue
        # Capital and small letters are the same in the name of a field, however the card before wrote it.
        spelled = {field.casefold(): field for field in header}
        fields = {spelled.get(field.casefold(), field): value for field, value in fields.items()}
        if name is not None:
            fields.setdefault("name", str(name))
        header.update(dict.fromkeys(fields))
        if not rows.take(Record(path, line, fields)):
            break


def _twice(node: Any) -> Any:
    """Return the key of a field that a card has twice, or None."""
    seen: set[str] = set()
    for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
        if isinstance(key, yaml.ScalarNode):
            if key.value.casefold() in seen:
                return key
            seen.add(key.value.casefold())
    return None


def _fields(node: Any) -> dict[str, str] | None:
    """Return the fields of a card; a list is its words by commas, nothing is the empty text."""
    if not isinstance(node, yaml.MappingNode):
        return None
    found: dict[str, str] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            return None
        if isinstance(value, yaml.ScalarNode):
            found[str(key.value)] = "" if value.tag.endswith(":null") else str(value.value)
        elif isinstance(value, yaml.SequenceNode) and all(isinstance(v, yaml.ScalarNode) for v in value.value):
            found[str(key.value)] = ", ".join(str(v.value) for v in value.value)
        else:
            return None
    return found
