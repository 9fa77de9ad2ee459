"""Standard input, output and error as they really are: closed, full, or unable to show a character."""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
from typing import Any

from lawful.model.errors import BadInput, Fault

ESCAPES = "lawful.escapes"
NOT_WRITTEN = 74  # EX_IOERR of sysexits.h, as 70 is EX_SOFTWARE


def escapes(error: UnicodeError) -> tuple[str, int]:
    r"""Spell what an encoding cannot say as ``\u00c6``, which readers of text know, and which is valid in JSON.

    Examples
    --------
    >>> "Æther 🂡".encode("ascii", ESCAPES)
    b'\\u00c6ther \\ud83c\\udca1'
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    found = []
    for letter in error.object[error.start : error.end]:
        code = ord(letter)
        units = [code] if code < 0x10000 else [0xD7C0 + (code >> 10), 0xDC00 + (code & 0x3FF)]
        found += [f"\\u{unit:04x}" for unit in units]
    return "".join(found), error.end


codecs.register_error(ESCAPES, escapes)


class _Closed(io.TextIOBase):
    """Stands for standard output where the process was started without one."""

    def write(self, text: str) -> int:
        """Refuse."""
        raise OSError(errno.EBADF, "it is closed")

    def isatty(self) -> bool:
        """Say that nobody looks at it."""
        return False


class _Input(io.TextIOBase):
    """Standard input; what cannot be read is a fault of the input, with the name that users gave it."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def read(self, size: int | None = -1) -> str:
        """Read all of it."""
        if self._stream is None:
            raise BadInput([Fault("cannot be read: standard input is closed", "-")])
        try:
            return str(self._stream.read(-1 if size is None else size))
        except OSError as error:
            raise BadInput([Fault(f"cannot be read: {error.strerror or error}", "-")]) from None

    def isatty(self) -> bool:
        """Say whether somebody types it."""
        return self._stream is not None and bool(self._stream.isatty())


def prepare() -> None:
    """Make the streams of this process fit for use, whatever they were started with.

    Standard input is UTF-8, as files are; bytes that are not become characters that the reader of YAML refuses with
    their place. Output never fails for a character. What is closed says so when it is used.
    """
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
    if not isinstance(sys.stdin, _Input | io.StringIO):
        sys.stdin = _Input(sys.stdin)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (as long as the process)
    if sys.stdout is None:
        sys.stdout = _Closed()
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors=ESCAPES)


def abandon() -> None:
    """Drop what was printed and not written: the interpreter flushes once more as it ends, and must not complain."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
    except (OSError, ValueError, AttributeError):  # no file below it: nothing will be flushed
        pass
