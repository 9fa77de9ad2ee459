"""One place where exceptions become exit codes and lines on standard error. Never a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import click

from lawful.model.errors import BadInput, LawfulError, LimitReached, UnknownName

WRONG_USAGE, UNREADABLE, NO_ANSWER, OUR_BUG, INTERRUPTED = 2, 3, 4, 70, 130
READER_GONE = 141  # as a shell reports a process that ended because nobody reads its output


class ReaderGone(Exception):
    """Nobody reads the output any more. Stands for `BrokenPipeError`, which click would answer itself."""


def guarded(run: Callable[[], Any]) -> int:
    """Run a command line; return its exit code, and say on standard error what went wrong.

    Parameters
    ----------
    run : callable
        Returns the exit code, or None for 0.

    Returns
    -------
    int
        The exit code.
    """
    try:
        code = run()
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except (BrokenPipeError, ReaderGone):
        return _reader_gone()
    except click.ClickException as wrong:
        wrong.show()
        return wrong.exit_code
    except LawfulError as error:
        return _say(str(error), _code(error))
    except MemoryError:
        return _say("limit reached: memory; ask for less", NO_ANSWER)
    except Exception as error:
        return _unexpected(error)


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
