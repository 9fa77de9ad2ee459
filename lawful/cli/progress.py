"""A sign of life on standard error while something takes long: only where somebody looks at it, or asks for it."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

SOON = 1.0  # seconds before anything is shown, and between signs


@dataclass(slots=True)
class Progress:
    """How far something is.

    Parameters
    ----------
    what : str
        What is worked on.
    done : int
        Lines written so far.
    """

    what: str
    done: int = 0

    def __str__(self) -> str:
        """Say it."""
        if not self.done:
            return self.what
        from lawful.text import say

        return say("face.working", what=self.what, n=self.done)


@contextmanager
def working(what: str, asked: bool | None = None) -> Iterator[Progress]:
    """Show what is being worked on, and for how long, once it takes longer than a second.

    Parameters
    ----------
    what : str
        What is worked on.
    asked : bool, optional
        Whether to show it; None shows it on a terminal only.

    Yields
    ------
    Progress
        To be kept up to date.
    """
    progress = Progress(what)
    terminal = sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    if sys.stderr is None or not (terminal if asked is None else asked):
        yield progress
        return
    done = threading.Event()
    ticker = threading.Thread(target=_tick, args=(progress, done, terminal), daemon=True)
    ticker.start()
    try:
        yield progress
    finally:
        done.set()
        ticker.join()


def _tick(progress: Progress, done: threading.Event, terminal: bool) -> None:
    """Show it every second: on a terminal always in the same line, which is cleared in the end."""
    start = time.monotonic()
    ticked = False
    before, after = ("\r", " ") if terminal else ("", "\n")
    while not done.wait(SOON):
        ticked = True
        print(f"{before}{progress}: {time.monotonic() - start:.0f} s{after}", end="", file=sys.stderr, flush=True)
    if ticked and terminal:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
