"""YAML text to plain data with places. Every scalar is text; what it means is said by whoever reads it.

So ``1.10`` stays ``1.10`` and ``no`` stays ``no``. A limit that is passed is reported by its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import yaml

from lawful.model.reading.faults import Faults, shown
from lawful.model.reading.textfile import MAX_DEPTH, syntax, unreadable

MAX_NODES = 200_000
MAX_DOCUMENTS = 1_000

Data: TypeAlias = "dict[str, Data] | list[Data] | str | None"
Step: TypeAlias = "str | int"

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(slots=True, eq=False)
class Node:
    """A value of a document, with its place.

    Parameters
    ----------
    value : str, None, list of Node or dict of str to Node
        Text, nothing, a list or a mapping.
    line, column : int
        Where its content starts, counted from 1.
    keys : dict of str to (int, int)
        For a mapping, where each key stands.
    size, height : int
        Nodes in it, aliases followed; levels in it.
    """

    value: str | list[Node] | dict[str, Node] | None
    line: int
    column: int
    keys: dict[str, tuple[int, int]] = field(default_factory=dict)
    size: int = 1
    height: int = 1
    flow: bool = False
    open: bool = False

    @property
    def data(self) -> Data:
        """The plain data."""
        if isinstance(self.value, dict):
            return {key: item.data for key, item in self.value.items()}
        if isinstance(self.value, list):
            return [item.data for item in self.value]
        return self.value

    def key(self, name: str) -> tuple[int, int]:
        """Return where a key of this mapping stands."""
        return self.keys.get(name, (self.line, self.column))

    def at(self, path: tuple[Step, ...]) -> tuple[int, int]:
        """Return the place of what stands at a path, or of the nearest thing around it.

        Parameters
        ----------
        path : tuple of str or int
            Keys and indices.

        Returns
        -------
        tuple of int
            Line and column, counted from 1.
        """
        node = self
        for step in path:
            if isinstance(node.value, dict) and step in node.value:
                node = node.value[str(step)]
            elif isinstance(node.value, list) and isinstance(step, int) and step < len(node.value):
                node = node.value[step]
            else:
                return node.key(str(step))
        return node.line, node.column

    def find(self, *path: Step) -> Node | None:
        """Return what stands at a path, or None."""
        node: Node | None = self
        for step in path:
            value = node.value if node is not None else None
            if isinstance(value, dict):
                node = value.get(str(step))
            elif isinstance(value, list) and isinstance(step, int) and step < len(value):
                node = value[step]
            else:
                return None
        return node

    def places(self, path: tuple[Step, ...] = ()) -> Iterator[tuple[tuple[Step, ...], tuple[int, int]]]:
        """Yield every path in it with its line and column."""
        yield path, (self.line, self.column)
        if isinstance(self.value, dict):
            for key, item in self.value.items():
                yield from item.places((*path, key))
        elif isinstance(self.value, list):
            for index, item in enumerate(self.value):
                yield from item.places((*path, index))


class _Refused(Exception):
    """A limit was passed: nothing more is read."""


class _Builder:
    """Builds nodes from parser events; never deeper or larger than the limits, whatever the aliases say."""

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.documents: list[Node] = []
        self.stack: list[tuple[Node, list[tuple[str, tuple[int, int]]]]] = []
        self.anchors: dict[str, Node] = {}
        self.nodes = 0

    def event(self, event: Any) -> None:
        """Take one event."""
        if isinstance(event, yaml.DocumentStartEvent):
            self.anchors = {}
            if len(self.documents) >= MAX_DOCUMENTS:
                self.refuse(f"more than {MAX_DOCUMENTS} documents in one file (limit: documents)", event)
        elif isinstance(event, yaml.AliasEvent):
            self.alias(event)
        elif isinstance(event, yaml.ScalarEvent):
            self.scalar(event)
        elif isinstance(event, yaml.CollectionStartEvent):
            mapping = isinstance(event, yaml.MappingStartEvent)
            node = Node({} if mapping else [], *_place(event), flow=bool(event.flow_style), open=True)
            if len(self.stack) >= MAX_DEPTH:
                self.refuse(f"nested deeper than {MAX_DEPTH} levels (limit: depth)", event)
            self.note(event, node)
            self.stack.append((node, []))
        elif isinstance(event, yaml.CollectionEndEvent):
            node, _ = self.stack.pop()
            node.open = False
            self.unquoted(node)
            self.attach(node)

    def refuse(self, message: str, event: Any) -> None:
        self.faults.add(message, _place(event))
        raise _Refused

    def note(self, event: Any, node: Node) -> None:
        """Count a node, remember its anchor, refuse its tag."""
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self.refuse(f"more than {MAX_NODES} values (limit: nodes)", event)
        if event.tag not in (None, "!"):
            self.faults.add(f"tags such as {shown(event.tag)} are not used here", _place(event), "leave it out")
        if event.anchor:
            self.anchors[event.anchor] = node

    def scalar(self, event: Any) -> None:
        plain = event.style in (None, "")
        line, column = _place(event)
        value = None if plain and event.value == "" else event.value
        node = Node(value, line, column + (0 if plain else 1))
        self.note(event, node)
        self.attach(node, event)

    def alias(self, event: Any) -> None:
        """Refuse an alias before it is followed, if what it stands for would be too much."""
        node = self.anchors.get(event.anchor)
        if node is None:
            self.faults.add(f"alias *{event.anchor} stands for nothing", _place(event))
            node = Node(None, *_place(event))
        elif node.open:
            self.refuse(f"alias *{event.anchor} stands inside what it stands for", event)
        self.nodes += node.size
        if self.nodes > MAX_NODES:
            self.refuse(f"aliases expand to more than {MAX_NODES} values (limit: nodes)", event)
        if len(self.stack) + node.height > MAX_DEPTH + 1:
            self.refuse(f"aliases nest deeper than {MAX_DEPTH} levels (limit: depth)", event)
        self.attach(node, event)

    def attach(self, node: Node, event: Any = None) -> None:
        """Put a finished node where it belongs."""
        if not self.stack:
            self.documents.append(node)
            return
        parent, pending = self.stack[-1]
        parent.size += node.size
        parent.height = max(parent.height, node.height + 1)
        if isinstance(parent.value, list):
            parent.value.append(node)
        elif isinstance(parent.value, dict):
            if not pending:
                pending.append(self.as_key(node, event))
                return
            key, place = pending.pop()
            if key in parent.keys:
                self.faults.add(f"{shown(key)} is said twice", place, f"first in line {parent.keys[key][0]}")
            else:
                parent.keys[key] = place
                parent.value[key] = node

    def as_key(self, node: Node, event: Any) -> tuple[str, tuple[int, int]]:
        place = _place(event) if event is not None else (node.line, node.column)
        if isinstance(node.value, str):
            return node.value, place
        if node.value is None:
            self.faults.add("a key is missing before the colon", place)
        else:
            self.faults.add("a list or mapping cannot be a key", place, "quote what stands in braces or brackets")
        return f"?{len(self.faults.found)}", place

    def unquoted(self, node: Node) -> None:
        """Answer ``cost: {r}``, which is a mapping without a value, with the fix."""
        if not (node.flow and isinstance(node.value, dict) and node.value):
            return
        if all(item.value is None for item in node.value.values()):
            words = list(node.value)
            text = "{" + ", ".join(words) + "}"
            short = len(words) == 1 and len(words[0]) <= 2
            self.faults.add(
                f"{shown(text)} in braces is a mapping without values",
                node,
                f'quote it: "{text}"' + (f" or write 1{words[0]}" if short else ""),
            )
            node.value, node.keys = text, {}


def _place(event: Any) -> tuple[int, int]:
    return event.start_mark.line + 1, event.start_mark.column + 1


def parse_yaml(text: str, faults: Faults) -> list[Node]:
    """Read the documents of a text. Faults are noted, and what could be read is returned.

    Parameters
    ----------
    text : str
        YAML, several documents apart by ``---``.
    faults : Faults
        Takes what is wrong.

    Returns
    -------
    list of Node
        The documents, those that are empty left out.

    Examples
    --------
    >>> parse_yaml("version: 1.10", Faults())[0].data
    {'version': '1.10'}
    """
    text = text.removeprefix("\ufeff")
    builder = _Builder(faults)
    if unreadable(text, faults):
        return []
    try:
        for event in yaml.parse(text, Loader=LOADER):
            builder.event(event)
    except _Refused:
        pass
    except yaml.YAMLError as error:
        syntax(error, text, faults)
    documents = [node for node in builder.documents if node.value is not None]
    if not documents and not faults.found:
        faults.add("the file is empty", (1, 1))
    return documents
