"""A table for a terminal or for a file: drawn with rich only where somebody looks at it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

MOST_ROWS = 50


def on_terminal() -> bool:
    """Tell whether standard output is a terminal that may be drawn on.

    Returns
    -------
    bool
        False for pipes and files, where ``NO_COLOR`` is set, and on terminals that can only print lines.
    """
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def plain(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    r"""Align a table with spaces.

    Parameters
    ----------
    header : sequence of str
        Titles of the columns.
    rows : sequence of sequences of str
        Their cells.

    Returns
    -------
    list of str
        Its lines; no spaces at their ends.

    Examples
    --------
    >>> print("\n".join(plain(["3c", "1r"], [["Inner Chi", "blue"], ["Chi", "red"]])))
    3c         1r
    Inner Chi  blue
    Chi        red
    """
    widths = [max(map(width, column)) for column in zip(header, *rows, strict=True)]
    return [
        "  ".join(cell + " " * (wide - width(cell)) for cell, wide in zip(row, widths, strict=True)).rstrip()
        for row in (header, *rows)
    ]


def html(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return the table as HTML, its first rows.

    Parameters
    ----------
    header : sequence of str
        Titles of the columns.
    rows : sequence of sequence of str
        Their cells.

    Returns
    -------
    str
        With how many rows are left out.
    """
    from html import escape

    from lawful.model.frozen import FrozenMap
    from lawful.model.messages import text
    from lawful.model.verdict import Message

    head = "".join(f"<th>{escape(title)}</th>" for title in header)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows[:MOST_ROWS])
    left = Message("face.more-rows", FrozenMap({"n": len(rows) - MOST_ROWS}))
    more = f"<p>{escape(text(left))}</p>" if len(rows) > MOST_ROWS else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def width(text: str) -> int:
    """Return how many columns a text takes: a letter of any alphabet one, a mark on one none, an ideograph two.

    Examples
    --------
    >>> width("Чи"), width("e\u0301"), width("龍")
    (2, 1, 2)
    """
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    marks = sum(category(letter) in ("Mn", "Me", "Cf") for letter in text)
    return len(text) - marks + sum(east_asian_width(letter) in "WF" for letter in text)


def draw(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table: framed on a terminal, aligned otherwise.

    Parameters
    ----------
    header : sequence of str
        Titles of the columns.
    rows : sequence of sequences of str
        Their cells.
    """
    if not on_terminal():
        print("\n".join(plain(header, rows)))
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD)
    for title in header:
        table.add_column(title)
    for row in rows:
        table.add_row(*map(Text, row))  # names may hold square brackets
    Console().print(table)
