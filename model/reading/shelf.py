"""Where cards are found by their names: the case's own, files that it uses, the ruleset's, a library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lawful.model.card import Card
from lawful.model.errors import BadInput, UnknownName
from lawful.model.frozen import FrozenMap
from lawful.model.reading.faults import MANY, Faults, Placed, shown


class Written:
    """The cards of one file in which they are written out."""

    def __init__(self, cards: Mapping[str, Card]) -> None:
        self.cards = {name.casefold(): card for name, card in cards.items()}

    def __contains__(self, name: object) -> bool:
        """Tell whether it has the card."""
        return isinstance(name, str) and name.casefold() in self.cards

    def find(self, name: str) -> Card:
        """Return the card of that name.

        Raises
        ------
        UnknownName
            If it has none; with the closest names.
        """
        if name not in self:
            raise UnknownName("card", name, [card.name for card in self.cards.values()])
        return self.cards[name.casefold()]


class Libraries:
    """Several libraries, looked through in their order."""

    def __init__(self, libraries: Sequence[Any]) -> None:
        self.libraries = tuple(libraries)

    def __contains__(self, name: object) -> bool:
        """Tell whether one of them has the card."""
        return any(name in library for library in self.libraries)

    def find(self, name: str) -> Card:
        """Return the card of the first that has it.

        Raises
        ------
        UnknownName
            If none has it; with the closest names of all.
        BadInput
            If the first that has it cannot read it.
        """
        closest: list[str] = []
        for library in self.libraries:
            try:
                found: Card = library.find(name)
                return found
            except UnknownName as error:
                closest += error.known
        raise UnknownName("card", name, closest)


class Shelf:
    """Finds cards.

    Parameters
    ----------
    faults : Faults
        Takes what is not found.
    shelves : sequence of mappings
        Looked through in this order.
    library : object with `find`, optional
        Looked through last.
    spelled : sequence of str
        Assets that spell generic cards: `em` is a card that yields one of each.
    """

    def __init__(
        self,
        faults: Faults,
        shelves: Sequence[Mapping[str, Card]],
        library: Any = None,
        spelled: Sequence[str] = (),
    ) -> None:
        self.faults, self.library, self.spelled = faults, library, spelled
        self.cards: dict[str, Card] = {}
        self.missing: dict[str, UnknownName | BadInput] = {}
        for shelf in reversed(shelves):
            self.cards |= shelf
        self.folded = {name.casefold(): card for name, card in self.cards.items()}

    def has(self, name: str) -> bool:
        """Say whether there is a card of that name."""
        return self.look(name) is not None

    def look(self, name: str) -> Card | None:
        """Return the card of that name, if there is one; case matters only where two differ in it."""
        found = self.cards.get(name) or self.folded.get(name.casefold()) or self._spelled(name)
        if found is None and self.library is not None and name not in self.missing and self._worth_asking(name):
            try:
                found = self.library.find(name)
            except (UnknownName, BadInput) as error:
                self.missing[name] = error
        return found

    def _spelled(self, name: str) -> Card | None:
        """Return the generic card that a name spells out by what it yields."""
        if not self.spelled or not 0 < len(name) <= MANY or set(name) - set(self.spelled):
            return None
        yields = FrozenMap({asset: name.count(asset) for asset in self.spelled if asset in name})
        return Card(name, ("card",), yields=yields)

    def _worth_asking(self, name: str) -> bool:
        """After many faults ask only for what is there: looking for the closest names of a large file takes time."""
        return len(self.missing) < MANY or not hasattr(self.library, "__contains__") or name in self.library

    def find(self, name: str, at: Placed | tuple[int, int]) -> Card | None:
        """Return the card of that name, or note that there is none."""
        found = self.look(name)
        if found is not None:
            return found
        if self.library is None:
            self.faults.unknown("card", name, self.cards, at)
            return None
        error = self.missing.get(name)
        if error is None:
            self.faults.add(f"unknown card {shown(name)}", at)
            return None
        if isinstance(error, UnknownName):
            near = [*error.closest, *UnknownName("card", name, list(self.cards)).closest]
            hint = f"did you mean {' or '.join(map(repr, near[:3]))}?" if near else ""
            self.faults.add(f"unknown card {shown(name)}", at, hint)
        else:
            self.faults.take(error.faults)
        return None
