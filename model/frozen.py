"""A mapping that can be hashed, so that every noun of the vocabulary can be a set member; and copies of the nouns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class FrozenMap(Mapping[K, V]):
    """An immutable, hashable mapping that keeps the order of its items.

    Parameters
    ----------
    items : mapping or iterable of pairs, optional
        The content. Two maps with equal items are equal, whatever the order.

    Examples
    --------
    >>> FrozenMap({"c": 3, "r": 1}) == FrozenMap({"r": 1, "c": 3})
    True
    >>> FrozenMap({"c": 3}).put("r", 1)
    FrozenMap({'c': 3, 'r': 1})
    """

    __slots__ = ("_hash", "_items")

    def __init__(self, items: Mapping[K, V] | Iterable[tuple[K, V]] = ()) -> None:
        self._items: dict[K, V] = dict(items)
        self._hash: int | None = None

    def __getitem__(self, key: K) -> V:
        """Return the value at `key`."""
        return self._items[key]

    def __iter__(self) -> Iterator[K]:
        """Iterate over the keys."""
        return iter(self._items)

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self._items)

    def __contains__(self, key: object) -> bool:
        """Tell whether there is an item of that key."""
        return key in self._items

    if not TYPE_CHECKING:  # what a mapping has by itself is as right, but several times as slow

        def get(self, key, default=None):
            """Return the value at `key`, else the default."""
            return self._items.get(key, default)

        def keys(self):
            """Return a view of the keys."""
            return self._items.keys()

        def values(self):
            """Return a view of the values."""
            return self._items.values()

        def items(self):
            """Return a view of the items."""
            return self._items.items()

    def __eq__(self, other: object) -> bool:
        """Compare by content, whatever the order."""
        if isinstance(other, FrozenMap):
            return self is other or self._items == other._items
        return super().__eq__(other)

    def __hash__(self) -> int:
        """Hash by content, whatever the order."""
        if self._hash is None:
            self._hash = hash(frozenset(self._items.items()))
        return self._hash

    def __repr__(self) -> str:
        """Show the content."""
        return f"FrozenMap({self._items!r})"

    def __reduce__(self) -> tuple[type[FrozenMap[K, V]], tuple[dict[K, V]]]:
        """Pickle by content."""
        return FrozenMap, (self._items,)

    def put(self, key: K, value: V) -> FrozenMap[K, V]:
        """Return a copy with one item set."""
        return FrozenMap({**self._items, key: value})

    def without(self, key: K) -> FrozenMap[K, V]:
        """Return a copy with one item left out."""
        return FrozenMap({k: v for k, v in self._items.items() if k != key})


if TYPE_CHECKING:
    from dataclasses import replace as replace
else:

    def replace(noun: Any, /, **changes: Any) -> Any:
        """Return a copy with some fields changed, as `dataclasses.replace` does; its fields are looked up once.

        Playing on is little else than this. All fields must be of ``__init__``.
        """
        kind = type(noun)
        names, values = _parts(kind)
        return kind(**{**dict(zip(names, values(noun), strict=True)), **changes})


@cache
def _parts(kind: type) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    names = tuple(field.name for field in fields(kind))
    if len(names) == 1:
        return names, lambda noun: (getattr(noun, names[0]),)
    return names, attrgetter(*names)
