"""A sign of life on standard error while something takes long: only where somebody looks at it."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

SOON = 1.0  # seconds before anything is shown


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show what is being worked on, and for how long, once it takes longer than a second.

    Parameters
    ----------
    what : str
        What is worked on.
    """
    shown = sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    if not shown:
        yield
        return
    done = threading.Event()
    ticker = threading.Thread(target=_tick, args=(what, done), daemon=True)
    ticker.start()
    try:
        yield
    finally:
        done.set()
        ticker.join()


def _tick(what: str, done: threading.Event) -> None:
    start = time.monotonic()
    ticked = False
    while not done.wait(SOON):
        ticked = True
        print(f"\r{what}: {time.monotonic() - start:.0f} s ", end="", file=sys.stderr, flush=True)
    if ticked:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
