"""From a row to a card, without its text: costs, what it gives, types, numbers."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from lawful.cards.records import Record, shortened
from lawful.model.card import Card
from lawful.model.cost import AssetTerm, Cost, CostAll
from lawful.model.errors import BadInput
from lawful.model.expression import PerPlayer
from lawful.model.frozen import FrozenMap
from lawful.model.notation import parse_cost
from lawful.model.ruleset import CardFile

COST = re.compile(r"(?=.)X{0,9}\d{0,9}", re.ASCII)
WORDS = re.compile(r"[^\W\dX_]|^[-\u2010-\u2015\u2212]\s*\d|\d[.,]\d|\d{10}|(?![0-9])\d", re.IGNORECASE)
BARE = re.compile(r"\(\s*\)|\[\s*\]")


def title_of(record: Record, layout: CardFile) -> str:
    """Return how a row is named."""
    named = {column: value.strip() for column, value in record.fields.items()}
    try:
        title = layout.title.format_map(named)
    except (KeyError, IndexError, ValueError):
        title = record.get(layout.name)
    return " ".join(BARE.sub("", title).split())


def types_of(record: Record, layout: CardFile) -> tuple[str, ...]:
    """Return the types of a row: its types, and all else that a selector may ask for."""
    found = [word.strip() for word in record.get(layout.types).split(",")]
    for column, separator in layout.also_types.items():
        for word in record.get(column).split(separator):
            plain = re.sub(layout.without, "", word.strip()) if layout.without else word
            found.append(plain.strip().strip("."))
    for said, meant in layout.flags.items():
        column, _, value = said.partition("=")
        if record.get(column) == (value or "true"):
            found += meant.split(", ")
    if layout.text_types:
        found += re.findall(layout.text_types, record.get(layout.text))
    return tuple(dict.fromkeys(word for word in found if word))


def card_of(record: Record, layout: CardFile, assets: tuple[str, ...]) -> Card:
    """Return the card of a row; its text is read elsewhere.

    Raises
    ------
    BadInput
        If a field cannot be read; all of them at once, with their places.
    """
    builder = _Builder(record, layout, assets)
    card = builder.card()
    if builder.faults:
        raise BadInput(builder.faults)
    return card


def needing(cost: Cost | None, needs: tuple[str, ...]) -> Cost | None:
    """Return a cost that is paid only with these assets among what is spent for it: those that its text requires."""
    if not needs or not isinstance(cost, CostAll):
        return cost
    first = next((term for term in cost.terms if isinstance(term, AssetTerm)), None)
    if first is None:
        return cost
    return replace(cost, terms=tuple(replace(t, needs=needs) if t is first else t for t in cost.terms))


class _Builder:
    def __init__(self, record: Record, layout: CardFile, assets: tuple[str, ...]) -> None:
        self.record, self.layout, self.assets = record, layout, assets
        self.title = title_of(record, layout)
        self.faults: list = []  # type: ignore[type-arg]

    def card(self) -> Card:
        layout, record = self.layout, self.record
        types = types_of(record, layout)
        return Card(
            name=self.title,
            types=types,
            cost=self.cost(),
            yields=self.yields(types),
            stats=self.stats(),
            props=FrozenMap(
                {prop: record.get(column).casefold() for column, prop in layout.props.items() if record.get(column)}
            ),
        )

    def cost(self) -> Cost | None:
        """Read ``3``, ``X``, ``XX``, ``X3``; an empty field is no cost, which is not a cost of 0."""
        layout, written = self.layout, self.record.get(self.layout.cost)
        if not written:
            return None
        text = "X" if written == layout.cost_x else written
        if not COST.fullmatch(text):
            try:
                return parse_cost(text, self.assets, layout.cost_asset, self.record.file, self.record.line)
            except BadInput:
                self.refuse(layout.cost, "a number, or X, XX, X3")
                return None
        cost = _plain_cost(text, layout.cost_asset)
        if layout.cost_each and self.record.get(layout.cost_each) == "true":
            assert isinstance(cost, CostAll)
            each = [AssetTerm(t.asset, PerPlayer(t.amount)) for t in cost.terms if isinstance(t, AssetTerm)]
            return CostAll(tuple(each))
        return cost

    def yields(self, types: tuple[str, ...]) -> FrozenMap[str, int] | None:
        """Read what the card gives; an empty field is no such property, a 0 is one of value 0."""
        layout = self.layout
        found = {asset: int(n) for column, asset in layout.yields_by.items() if digits(n := self.record.get(column))}
        for column in layout.yields_by if layout.format == "table" else ():
            if (n := self.record.get(column)) and not digits(n):
                self.refuse(column, "a whole number")
        if found or not layout.yields:
            return FrozenMap(found) if found else None
        written = self.record.get(layout.yields)
        if not written:
            return None
        if not digits(written):
            self.refuse(layout.yields, "a whole number")
            return None
        asset = next((a for kind, a in layout.asset_by_type.items() if kind in types), layout.asset)
        return FrozenMap({asset: int(written)})

    def stats(self) -> FrozenMap[str, int]:
        # What is a sign ("*", "X", -1 in packs) is worked out by the card's text: no stat then.
        for column in self.layout.stats:
            if WORDS.search(self.record.get(column)) and self.layout.format == "table":
                self.refuse(column, "a whole number, or a sign such as * or X")
        written = {stat: self.record.get(column) for column, stat in self.layout.stats.items()}
        return FrozenMap({stat: int(value) for stat, value in written.items() if digits(value)})

    def refuse(self, column: str, wanted: str) -> None:
        said = shortened(self.record.get(column))
        fault = f"{shortened(self.title)}: {column} is {said!r}, expected {wanted}"
        self.faults.append(self.record.fault(fault, column))


@lru_cache(1024)
def _plain_cost(text: str, asset: str) -> Cost:
    """Return a cost of numbers and X alone: thousands of cards have the same few."""
    return parse_cost(text, [asset], asset)


def digits(written: str) -> bool:
    """Tell whether a text is a number, and one of a size that makes sense."""
    return written.isascii() and written.isdigit() and len(written) < 10
