"""Published card files, and a designer's own, read into the vocabulary; and how much of their text was understood."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lawful.cards.library import CardLibrary
    from lawful.model.ruleset import Ruleset

__all__ = ["Opened", "open_library"]


def open_library(path: str | Path, ruleset: Ruleset) -> CardLibrary:
    """Open a card file of a game; nothing heavy is imported before.

    Parameters
    ----------
    path : str or Path
        A table, a pack, a folder of packs.
    ruleset : Ruleset
        The game.

    Returns
    -------
    CardLibrary
        Its cards, by name.

    Raises
    ------
    BadInput
        If it is no card file.
    """
    from lawful.cards.library import read_library

    return read_library(path, ruleset)


class Opened:
    """Opens card files, and remembers which: what is wrong with their rows is to be told."""

    def __init__(self) -> None:
        self.libraries: list[CardLibrary] = []

    def __call__(self, path: str | Path, ruleset: Ruleset) -> CardLibrary:
        """Open a card file."""
        self.libraries.append(open_library(path, ruleset))
        return self.libraries[-1]
