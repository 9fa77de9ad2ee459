"""The keys of one ability, read one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lawful.model.reading.desk import Desk
from lawful.model.reading.yamltext import Node


class Parts:
    """The keys of one ability, read one by one; `get` holds the fields read so far."""

    def __init__(self, desk: Desk, node: Node, what: str, keys: tuple[str, ...], needed: tuple[str, ...]) -> None:
        self.desk, self.what = desk, what
        self.found = desk.fields(node, what, keys, needed)
        self.get: dict[str, Any] = {}

    def read(self, key: str, reader: Callable[[Desk, Node], Any], field: str | None = None) -> None:
        """Read a key with a reader, where it is there."""
        if key in self.found:
            self.get[field or key] = reader(self.desk, self.found[key])

    def text(self, key: str) -> None:
        """Read a text."""
        self.read(key, lambda desk, node: desk.text(node, key))

    def flag(self, key: str) -> None:
        """Read true or false."""
        self.read(key, lambda desk, node: desk.flag(node, key))

    def words(self, key: str) -> None:
        """Read one word or a list of words."""
        self.read(key, lambda desk, node: desk.words(node, key))
