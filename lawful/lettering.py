"""How wide words are in a picture, and where they are broken: a little on the safe side, as viewers' fonts differ."""

from __future__ import annotations

NARROW, WIDE = frozenset("iljt.,:;'|!()[]{}Iіїј "), frozenset("mwMWЖШЩЮжшщюыфмм@%…")


def width(words: str, size: float, bold: bool = False) -> float:
    """Return about how wide words are in a sans-serif font.

    Examples
    --------
    >>> width("mm", 10) > width("ii", 10)
    True
    """
    ems = sum(_ems(sign) for sign in words)
    return ems * size * (1.1 if bold else 1.0)


def _ems(sign: str) -> float:
    if sign in NARROW:
        return 0.38
    if sign in WIDE:
        return 0.95
    if ord(sign) >= 0x2E80:
        return 1.05
    return 0.74 if sign.isupper() else 0.64


def wrapped(words: str, room: float, size: float, most: int, bold: bool = False) -> list[str]:
    """Break words into lines that fit; what does not fit into so many ends with an ellipsis.

    Examples
    --------
    >>> wrapped("one two three", 60, 10, 2)
    ['one two', 'three']
    >>> wrapped("abcdefghij", 30, 10, 1)
    ['abc…']
    """
    lines: list[str] = []
    line = ""
    for word in words.split():
        tried = f"{line} {word}".strip()
        if width(tried, size, bold) <= room:
            line = tried
            continue
        if line:
            lines.append(line)
        while width(word, size, bold) > room:
            n = max(1, next((n for n in range(len(word), 0, -1) if width(word[:n], size, bold) <= room), 1))
            lines.append(word[:n])
            word = word[n:]
        line = word
    lines.append(line)
    if len(lines) <= most:
        return lines
    last = lines[most - 1]
    while last and width(last + "…", size, bold) > room:
        last = last[:-1]
    return [*lines[: most - 1], last + "…"]
