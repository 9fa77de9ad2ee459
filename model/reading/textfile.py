"""Files as text: what cannot be read at all, and what YAML says of a syntax error, put in words that help."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from lawful.model.reading.faults import Faults

MAX_BYTES = 2 * 1024 * 1024
MAX_DEPTH = 50
BRACES = re.compile(r"(?:^|[:,\[\-?]\s*)((?:\d*\{\w+\})+[^\s,\]}]*)")


def read_text(path: str | Path, faults: Faults) -> str | None:
    """Read a file as text, within the limit of size.

    Parameters
    ----------
    path : str or Path
        The file.
    faults : Faults
        Takes what is wrong.

    Returns
    -------
    str or None
        The text; None if it cannot be read.
    """
    try:
        with Path(path).open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        faults.add(f"cannot be read: {getattr(error, 'strerror', None) or error}")
        return None
    if len(raw) > MAX_BYTES:
        faults.add(f"longer than {MAX_BYTES // 1024 // 1024} MiB (limit: bytes)", (1, 1))
        return None
    if not raw.strip():
        faults.add("the file is empty", (1, 1))
        return None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        at = before.count(b"\n") + 1, error.start - (before.rfind(b"\n") + 1) + 1
        faults.add(f"not UTF-8 text (byte 0x{raw[error.start]:02X})", at, "is this a binary file?")
        return None


def unreadable(text: str, faults: Faults) -> bool:
    """Say whether a text cannot be YAML at all: too long, binary, no proper Unicode."""
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "replace")) > MAX_BYTES:
        faults.add(f"longer than {MAX_BYTES // 1024 // 1024} MiB (limit: bytes)", (1, 1))
        return True
    for index, letter in enumerate(text):
        code = ord(letter)
        if (code < 32 and letter not in "\t\n\r") or (127 <= code < 160 and code != 133) or 0xD800 <= code < 0xE000:
            start = text.rfind("\n", 0, index) + 1
            at = text.count("\n", 0, index) + 1, index - start + 1
            faults.add(f"the character U+{code:04X} is not text", at, "is this a binary file?")
            return True
    return False


def syntax(error: yaml.YAMLError, text: str, faults: Faults) -> None:
    """Note a syntax error, with the fix where a cost in braces caused it."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be read"
    context = getattr(error, "context", None)
    message = f"not YAML: {problem}" + (f" ({context})" if context else "")
    if "nesting depth" in problem:
        message = f"nested deeper than {MAX_DEPTH} levels (limit: depth)"
    if mark is None:
        faults.add(message, (1, 1))
        return
    lines = text.splitlines()
    line = lines[mark.line] if mark.line < len(lines) else ""
    braces = [m for m in BRACES.finditer(line) if m.start(1) <= mark.column]
    hint = ""
    if braces:
        here = mark.line + 1, braces[-1].start(1) + 1  # the same fault, seen before as a mapping without values
        faults.found = [f for f in faults.found if (f.line, f.column) != here]
        text = braces[-1].group(1)
        hint = f'quote it: "{text}"' if len(text) <= 60 else "quote what stands in braces"
    elif "\t" in line[: len(line) - len(line.lstrip())]:
        hint = "indent with spaces, not with tabs"
    elif line.count(": ") > 1 or "{" in line:
        hint = "quote text that has a colon, a brace or a bracket in it"
    faults.add(message, (mark.line + 1, mark.column + 1), hint)
