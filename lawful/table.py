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
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
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

    head = "".join(f"<th>{escape(title)}</th>" for title in header)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows[:MOST_ROWS])
    more = f"<p>{len(rows) - MOST_ROWS} more</p>" if len(rows) > MOST_ROWS else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


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
