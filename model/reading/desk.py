"""The desk where plain data is read: scalars, lists and mappings, each fault noted, unknown words with the closest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lawful.model.limits import Limits
from lawful.model.reading.faults import Faults, shown
from lawful.model.reading.yamltext import Node
from lawful.model.ruleset import Ruleset

# What a text may do in any game, beside the verbs that its ruleset describes.
COMMON_VERBS = (
    "gain", "lose", "pay", "set", "choose", "move", "put", "draw", "shuffle", "search", "look", "create", "deal",
    "take", "wound", "heal", "add", "attach", "prevent", "copy", "destroy", "play", "lay", "end",
)  # fmt: skip
NUMBER = re.compile(r"[+-]?[0-9]+")
TRUE, FALSE = ("true", "yes"), ("false", "no")


@dataclass(frozen=True, slots=True)
class Names:
    """The words that a text may use; None where any word will do.

    Parameters
    ----------
    assets : tuple of str
        Ids of the assets.
    default : str
        The asset that a number alone counts.
    verbs, stages, zones, tiers : tuple of str, optional
        What the ruleset has.
    """

    assets: tuple[str, ...]
    default: str = ""
    verbs: tuple[str, ...] | None = None
    stages: tuple[str, ...] | None = None
    zones: tuple[str, ...] | None = None
    tiers: tuple[str, ...] | None = None

    @staticmethod
    def of(ruleset: Ruleset) -> Names:
        """Return the words of a ruleset."""
        return Names(
            tuple(a.id for a in ruleset.assets),
            default_asset(ruleset),
            tuple(dict.fromkeys([*(v.name for v in ruleset.verbs), *COMMON_VERBS])),
            tuple(s.name for s in ruleset.stages),
            tuple(z.name for z in ruleset.zones),
            tuple(t.name for t in ruleset.ordering.tiers),
        )


def default_asset(ruleset: Ruleset) -> str:
    """Return the asset that a number alone counts: what a card file's costs count, else the first that is generated.

    Where nothing can be generated, it is the first asset.
    """
    known = [asset.id for asset in ruleset.assets]
    if ruleset.card_file is not None and ruleset.card_file.cost_asset in known:
        return ruleset.card_file.cost_asset
    generated = [asset.id for asset in ruleset.assets if asset.generate != "never"]
    return (generated or known)[0]


class Desk:
    """Reads nodes, notes faults. A reader that finds a fault returns something harmless and goes on.

    Parameters
    ----------
    faults : Faults
        Takes what is wrong.
    names : Names
        The words that may be used.
    """

    def __init__(self, faults: Faults, names: Names) -> None:
        self.faults, self.names = faults, names

    def text(self, node: Node, what: str) -> str:
        """Read a text."""
        if isinstance(node.value, str) and node.value:
            return node.value
        self.faults.add(f"{what} must be a text", node)
        return ""

    def word(self, node: Node, what: str, known: Sequence[str] | None) -> str:
        """Read a word out of those known."""
        found = self.text(node, what)
        if found and known is not None and found not in known:
            self.faults.unknown(what, found, known, node)
        return found

    def words(self, node: Node, what: str, known: Sequence[str] | None = None) -> tuple[str, ...]:
        """Read one word or a list of words."""
        if isinstance(node.value, list):
            return tuple(self.word(item, what, known) for item in node.value)
        return (self.word(node, what, known),)

    def number(self, node: Node, what: str, least: int = 0) -> int:
        """Read a whole number within the limit of amounts."""
        most = Limits().amount
        if not isinstance(node.value, str) or not NUMBER.fullmatch(node.value):
            self.faults.add(f"{what} must be a whole number", node)
            return max(least, 0)
        number = int(node.value) if len(node.value) < 12 else (most + 1) * (-1 if node.value[0] == "-" else 1)
        if number < least:
            self.faults.add(f"{what} cannot be {f'less than {least}' if least else 'negative'}", node)
            return least
        if number > most:
            self.faults.add(f"{what} is more than {most} (limit: amount)", node)
            return most
        return number

    def flag(self, node: Node, what: str) -> bool:
        """Read true or false."""
        if node.value in TRUE or node.value in FALSE:
            return node.value in TRUE
        self.faults.add(f"{what} must be true or false", node)
        return False

    def items(self, node: Node, what: str) -> list[Node]:
        """Read a list; one thing alone is a list of it."""
        if isinstance(node.value, list):
            return node.value
        if node.value is None:
            self.faults.add(f"{what} must be a list", node)
            return []
        return [node]

    def mapping(self, node: Node, what: str) -> dict[str, Node]:
        """Read a mapping with any keys."""
        if isinstance(node.value, dict):
            return node.value
        got = "a list" if isinstance(node.value, list) else "nothing" if node.value is None else shown(node.value)
        self.faults.add(f"{what} must be a mapping, not {got}", node)
        return {}

    def fields(self, node: Node, what: str, known: Iterable[str], needed: Iterable[str] = ()) -> dict[str, Node]:
        """Read a mapping with these keys and no others."""
        found, names = self.mapping(node, what), list(known)
        for key in found:
            if key not in names:
                self.faults.unknown("key", key, names, node.key(key))
        if isinstance(node.value, dict):
            for key in needed:
                if key not in found:
                    self.faults.add(f"{what} needs {key!r}", node)
        return {key: item for key, item in found.items() if key in names}

    def amounts(self, node: Node, what: str, known: Sequence[str] | None = None, kind: str = "key") -> dict[str, int]:
        """Read a mapping of words to whole numbers."""
        found = self.mapping(node, what)
        for key in found:
            if known is not None and key not in known:
                self.faults.unknown(kind, key, known, node.key(key))
        return {key: self.number(item, key) for key, item in found.items()}

    def lookup(self, node: Node, what: str) -> dict[str, str]:
        """Read a mapping of words to texts."""
        return {key: self.text(item, key) for key, item in self.mapping(node, what).items()}
