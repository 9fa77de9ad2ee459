"""Modes of a text: what is chosen as it is declared."""

from __future__ import annotations

from dataclasses import dataclass

from lawful.model.act import Act
from lawful.model.cost import Cost
from lawful.model.expression import Expression


@dataclass(frozen=True, slots=True)
class Mode:
    """One of the things that a text lets its player choose to do.

    Parameters
    ----------
    name, do
        What it is called, and does.
    cost : Cost, optional
        What is due besides, each time that it is chosen; without an either-or.
    """

    name: str
    do: tuple[Act, ...] = ()
    cost: Cost | None = None


@dataclass(frozen=True, slots=True)
class Modes:
    """A choice of modes: exactly `n` of them, or 1 to `n`; different ones, or with `repeat` one of them again.

    References: CR 1.7.5, 5.1.4a.
    """

    of: tuple[Mode, ...]
    n: Expression = 1
    up_to: bool = False
    repeat: bool = False
