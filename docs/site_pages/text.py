"""Small pieces of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def plain(text: str) -> str:
    """Keep a text from being read as markup, but for what stands in backticks: that is code."""
    if "`" in text:
        parts = text.replace("``", "`").split("`")
        return "".join(code(part) if at % 2 else plain(part) for at, part in enumerate(parts))
    for letter in "\\`*_[]<>$|{}":
        text = text.replace(letter, f"\\{letter}")
    return text


def code(text: str) -> str:
    """Show a text as it is written."""
    text = text.replace("|", "\\|")
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table, or nothing where there are no rows."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if not lines:
        return ""
    return "\n".join([f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *lines]) + "\n"


def anchor(name: str) -> str:
    """Return a place that links can name."""
    return f"({name})=\n"


def slug(text: str) -> str:
    """Return a name for a place."""
    return "-".join("".join(letter if letter.isalnum() else " " for letter in text.lower()).split())
