"""What was tried on a board is known until something changes that it looked at."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeAlias

Cell: TypeAlias = tuple[str, ...]


class Trials:
    """Results, and by which cells of the board they hang.

    Notes
    -----
    A result is found by looking at cells one after the other, so it stays the same while none of them changes: which
    others would have been looked at was decided by those.
    """

    __slots__ = ("_at", "_found")

    def __init__(self) -> None:
        self._found: dict[Hashable, object] = {}
        self._at: dict[Cell, set[Hashable]] = {}

    def get(self, key: Hashable) -> object | None:
        """Return a result that still holds, else None."""
        return self._found.get(key)

    def put(self, key: Hashable, result: object, cells: Iterable[Cell]) -> None:
        """Note a result and the cells that it was found from."""
        self._found[key] = result
        for cell in cells:
            self._at.setdefault(cell, set()).add(key)

    def touch(self, cell: Cell) -> None:
        """Forget what hangs by a cell, as it changes."""
        for key in self._at.pop(cell, ()):
            self._found.pop(key, None)

    def clear(self) -> None:
        """Forget everything."""
        self._found.clear()
        self._at.clear()
