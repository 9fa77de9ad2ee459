"""Faults are collected while reading, each with its place, so that one never hides another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Protocol

from lawful.model.errors import BadInput, Fault

MANY, MOST = 50, 1_000


class Placed(Protocol):
    """Anything that knows where it stands."""

    @property
    def line(self) -> int:
        """The line, counted from 1."""

    @property
    def column(self) -> int:
        """The column, counted from 1."""


def closest(name: str, known: Iterable[str]) -> str:
    """Return a hint that names the closest known words, or the empty string.

    Examples
    --------
    >>> closest("resurce", ["resource"])
    "did you mean 'resource'?"
    """
    folded = {k.casefold(): k for k in known}
    near = [folded[k] for k in get_close_matches(name.casefold(), folded, n=3, cutoff=0.6)]
    return f"did you mean {' or '.join(map(repr, near))}?" if near else ""


def shown(text: str, most: int = 40) -> str:
    """Quote a text for a message, shortened."""
    return repr(text if len(text) <= most else text[: most - 1] + "…")


class Faults:
    """The faults found in one input so far.

    Parameters
    ----------
    file : str
        The name of the input.
    """

    def __init__(self, file: str = "") -> None:
        self.file = file
        self.found: list[Fault] = []
        self._seen: set[Fault] = set()

    def add(self, message: str, at: Placed | tuple[int, int] = (0, 0), hint: str = "") -> None:
        """Note a fault."""
        line, column = at if isinstance(at, tuple) else (at.line, at.column)
        fault = Fault(message, self.file, line, column, hint)
        self.take([fault])

    def take(self, faults: Sequence[Fault]) -> None:
        """Note faults that another reader found."""
        for fault in faults:
            if fault not in self._seen:
                self._seen.add(fault)
                self.found.append(fault)

    def near(self, name: str, known: Iterable[str]) -> str:
        """Return a hint that names the closest known words; none after many faults, as looking for them takes time."""
        return closest(name, known) if len(self.found) < MANY else ""

    def unknown(self, kind: str, name: str, known: Iterable[str], at: Placed | tuple[int, int]) -> None:
        """Note a name that nothing answers to, with the closest ones."""
        names = list(known)
        hint = self.near(name, names)
        if not hint and 0 < len(names) <= 12:
            hint = "known: " + ", ".join(names)
        self.add(f"unknown {kind} {shown(name)}", at, hint)

    def stop(self) -> None:
        """Raise all faults, in the order of their places, if there is one.

        Raises
        ------
        BadInput
            With every fault.
        """
        if self.found:
            found = sorted(self.found, key=lambda f: (f.file, f.line, f.column))
            more = [Fault(f"{len(found) - MOST} more faults", self.file)] if len(found) > MOST else []
            raise BadInput([*found[:MOST], *more])
