"""Cards in YAML, a mapping a card: how designers keep them who like no tables."""

from __future__ import annotations

from typing import Any

import yaml

from lawful.cards.records import Record, Rows, content
from lawful.model.errors import BadInput, Fault

DEEPEST = 20


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
    try:
        root = yaml.compose(content(path), Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = 0 if error.problem_mark is None else error.problem_mark.line + 1
        raise BadInput([Fault(f"not YAML: {error.problem}", path, line)]) from None
    except (yaml.YAMLError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error).splitlines()[0]
        raise BadInput([Fault(f"not YAML: {reason}", path)]) from None
    if isinstance(root, yaml.MappingNode):
        inner = next((value for key, value in root.value if key.value == "cards"), root)
        root = inner
    items: list[tuple[str | None, Any]]
    if isinstance(root, yaml.SequenceNode):
        items = [(None, item) for item in root.value]
    elif isinstance(root, yaml.MappingNode):
        items = [(key.value, item) for key, item in root.value]
    else:
        raise BadInput([Fault("cards are a list of mappings", path, 1, 1, "such as: - {name: Bolt, types: Action}")])
    rows, header = Rows(), dict[str, None]()
    for name, item in items:
        line = item.start_mark.line + 1
        fields = _fields(item)
        if fields is None:
            rows.fault("a card is a mapping of fields to texts or lists of texts", path, line, 1)
            continue
        if name is not None:
            fields.setdefault("name", str(name))
        header.update(dict.fromkeys(fields))
        if not rows.take(Record(path, line, fields)):
            break
    return rows, list(header)


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
