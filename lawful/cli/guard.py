"""One place where exceptions become exit codes and lines on standard error. Never a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

from lawful.cli.streams import NOT_WRITTEN, abandon
from lawful.model.errors import BadInput, Fault, LawfulError, LimitReached, UnknownName

WRONG_USAGE, UNREADABLE, NO_ANSWER, NOT_INSTALLED, OUR_BUG, INTERRUPTED = 2, 3, 4, 69, 70, 130
READER_GONE = 141  # as a shell reports a process that ended because nobody reads its output
SCHEMA_VERSION = 1  # that of `lawful.document`, which is not loaded for a mistyped option


class ReaderGone(Exception):
    """Nobody reads the output any more. Stands for `BrokenPipeError`, which click would answer itself."""


def guarded(run: Callable[[], Any], argv: Sequence[str] = ()) -> int:
    """Run a command line; return its exit code, and say on standard error what went wrong.

    Parameters
    ----------
    run : callable
        Returns the exit code, or None for 0.
    argv : sequence of str
        The arguments. Where JSON is asked for, what went wrong is one JSON document on standard output as well.

    Returns
    -------
    int
        The exit code.
    """
    try:
        return _guarded(run, "--json" in argv)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        abandon()
        return READER_GONE
    except OSError as error:
        return _not_written(error)


def _guarded(run: Callable[[], Any], as_json: bool) -> int:
    try:
        code = run()
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except ReaderGone:
        raise BrokenPipeError from None
    except OSError:
        raise
    except click.ClickException as wrong:
        wrong.show()
        return _document(as_json, "usage", wrong.format_message(), wrong.exit_code)
    except LawfulError as error:
        return _refused(error, as_json)
    except MemoryError:
        line = _spoken("limit reached: memory; ask for less")
        return _document(as_json, "limit", line, _say(line, NO_ANSWER))
    except ImportError as error:
        line = _spoken(_missing(error))
        return _document(as_json, "installation", line, _say(f"lawful: {line}", NOT_INSTALLED))
    except Exception as error:
        line = _spoken(_unexpected(error))
        return _document(as_json, "bug", line, _say(f"lawful: {line}", OUR_BUG))


def _refused(error: LawfulError, as_json: bool) -> int:
    from lawful.saying import fault_of, said_error, said_fault

    line = said_error(error)
    if isinstance(error, BadInput):
        return _document(as_json, "input", line, _say(line, UNREADABLE), [said_fault(one) for one in error.faults])
    if isinstance(error, UnknownName):
        return _document(as_json, "input", line, _say(line, UNREADABLE), [fault_of(error)])
    if isinstance(error, LimitReached):
        return _document(as_json, "limit", line, _say(line, NO_ANSWER))
    return _document(as_json, "bug", line, _say(line, OUR_BUG))


def _spoken(line: str) -> str:
    """Say a line in the language that is spoken; as it is where that cannot be looked up either."""
    try:
        from lawful.saying import recognised

        return recognised(line)
    except (ImportError, MemoryError):
        return line


def _say(line: str, code: int) -> int:
    print(line, file=sys.stderr)
    return code


def _document(as_json: bool, kind: str, message: str, code: int, faults: Sequence[Fault] = ()) -> int:
    """Print the document of a question that was not answered, where JSON is asked for."""
    if as_json:
        import json
        from dataclasses import asdict

        error = {"kind": kind, "exit": code, "message": message, "faults": [asdict(fault) for fault in faults]}
        document = {"schema_version": SCHEMA_VERSION, "verdict": None, "error": error}
        print(json.dumps(document, ensure_ascii=False), flush=True)
    return code


def _not_written(error: OSError) -> int:
    """Say that something could not be written; standard output is meant where no file is named."""
    what = error.filename if error.filename is not None else "standard output"
    print(f"lawful: {what}: {error.strerror or error}", file=sys.stderr)
    abandon()
    return NOT_WRITTEN


def _missing(error: ImportError) -> str:
    library = (error.name or "").partition(".")[0]
    about = f"the library {library!r} is missing or too old" if library else f"a library does not work: {error}"
    return f"{about} (`lawful doctor` says what to install)"


def _unexpected(error: Exception) -> str:
    if os.environ.get("LAWFUL_DEBUG"):
        import traceback

        traceback.print_exception(error)
    cause = " ".join(str(error).split())
    return (
        f"a bug of ours: {type(error).__name__}: {cause[:300]} "
        "(please report it with the command that you typed; LAWFUL_DEBUG=1 shows where it happened)"
    )
