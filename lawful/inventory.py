"""The inventory: which statements of the rules have a case on each side, and which are missing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lawful.model.ruleset import Row, Ruleset


@dataclass(frozen=True, slots=True)
class Shown:
    """A statement with the cases that show it.

    Parameters
    ----------
    row : Row
        The statement.
    legal, illegal : tuple of str
        Names of the cases on its `+` and on its `-` side.
    """

    row: Row
    legal: tuple[str, ...]
    illegal: tuple[str, ...]

    @property
    def missing(self) -> str:
        """The sides that need a case and have none: ``""``, ``"+"``, ``"-"`` or ``"+-"``."""
        have = {"+": self.legal, "-": self.illegal}
        return "".join(side for side in self.row.sides if not have[side])


def inventory(ruleset: Ruleset, cases: Iterable[tuple[str, Iterable[str]]]) -> tuple[Shown, ...]:
    """Return every statement of a ruleset with the cases that show it.

    Parameters
    ----------
    ruleset : Ruleset
        Its rows.
    cases : iterable of (str, iterable of str)
        Name of each case and the rows that it names: ``FAB-07`` and ``FAB-07+`` mean the `+` side, ``FAB-07-`` the
        other.

    Returns
    -------
    tuple of Shown
        In the order of the ruleset.

    Examples
    --------
    >>> rules = Ruleset("g", "A game", (), "v", (), rows=(Row("G-1", "one pays in full", "P"),))
    >>> [shown.missing for shown in inventory(rules, [("a case", ["G-1"])])]
    ['-']
    """
    sides: dict[tuple[str, str], list[str]] = {}
    for name, rows in cases:
        for row in rows:
            id, side = (row[:-1], row[-1]) if row.endswith(("+", "-")) else (row, "+")
            sides.setdefault((id, side), []).append(name)
    return tuple(
        Shown(row, tuple(sides.get((row.id, "+"), ())), tuple(sides.get((row.id, "-"), ()))) for row in ruleset.rows
    )


def strangers(ruleset: Ruleset, rows: Iterable[str]) -> tuple[str, ...]:
    """Return the rows named by cases that the ruleset does not have.

    Parameters
    ----------
    ruleset : Ruleset
        Its rows.
    rows : iterable of str
        As cases name them.

    Returns
    -------
    tuple of str
        Sorted, without their sides.
    """
    known = {row.id for row in ruleset.rows}
    return tuple(sorted({row.rstrip("+-") for row in rows} - known))
