"""One place where exceptions become exit codes and lines on standard error. Never a traceback."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from dataclasses import asdict
from io import TextIOWrapper
from typing import Any

import click

from lawful.model.errors import BadInput, Fault, LawfulError, LimitReached, UnknownName

WRONG_USAGE, UNREADABLE, NO_ANSWER, OUR_BUG, INTERRUPTED = 2, 3, 4, 70, 130
READER_GONE = 141  # as a shell reports a process that ended because nobody reads its output


class ReaderGone(Exception):
    """Nobody reads the output any more. Stands for `BrokenPipeError`, which click would answer itself."""


def guarded(run: Callable[[], Any], as_json: bool = False) -> int:
    """Run a command line; return its exit code, and say on standard error what went wrong.

    Parameters
    ----------
    run : callable
        Returns the exit code, or None for 0.
    as_json : bool
        Whether what went wrong is also one JSON document on standard output.

    Returns
    -------
    int
        The exit code.
    """
    try:
        _open_streams()
        code = run()
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except (BrokenPipeError, ReaderGone):
        return _reader_gone()
    except SystemExit as end:  # click's own way to say that nobody reads its output
        if isinstance(end.__context__, BrokenPipeError):
            return _reader_gone()
        raise
    except click.ClickException as wrong:
        wrong.show()
        if as_json:
            _write_faults([{"message": wrong.format_message()}])
        return wrong.exit_code
    except LawfulError as error:
        if as_json:
            found = error.faults if isinstance(error, BadInput) else (Fault(str(error)),)
            _write_faults([{k: v for k, v in asdict(fault).items() if v} for fault in found])
        return _say(str(error), _code(error))
    except OSError as error:
        if _is_output(error):
            return _say(f"the output cannot be written: {error.strerror}", WRONG_USAGE)
        return _unexpected(error)
    except MemoryError:
        return _say("limit reached: memory; ask for less", NO_ANSWER)
    except Exception as error:
        return _unexpected(error)


def _write_faults(faults: list[dict[str, Any]]) -> None:
    """Write the document of a question that could not be answered: the verdict is null, and why."""
    from lawful.cli.jsonout import write_json
    from lawful.document import SCHEMA_VERSION

    write_json({"schema_version": SCHEMA_VERSION, "verdict": None, "complete": False, "faults": faults})


def _open_streams() -> None:
    """Make streams that a shell has closed fit to be used, and write what a terminal's encoding lacks as escapes."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 (it stays open as long as the process does)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _is_output(error: OSError) -> bool:
    """Tell whether standard output could not be written; drop what is left of it."""
    if error.errno not in (errno.ENOSPC, errno.EIO, errno.EBADF, errno.EFBIG, errno.EDQUOT):
        return False
    _reader_gone()
    return True


def _code(error: LawfulError) -> int:
    if isinstance(error, BadInput | UnknownName):
        return UNREADABLE
    if isinstance(error, LimitReached):
        return NO_ANSWER
    return OUR_BUG


def _say(line: str, code: int) -> int:
    print(line, file=sys.stderr)
    return code


def _reader_gone() -> int:
    # The interpreter flushes standard output once more as it ends, which must not complain either.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return READER_GONE


def _unexpected(error: Exception) -> int:
    if os.environ.get("LAWFUL_DEBUG"):
        import traceback

        traceback.print_exception(error)
    cause = " ".join(str(error).split())
    return _say(
        f"lawful: a bug of ours: {type(error).__name__}: {cause[:300]} "
        "(please report it with the command that you typed; LAWFUL_DEBUG=1 shows where it happened)",
        OUR_BUG,
    )
