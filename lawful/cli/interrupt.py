"""Ctrl-C ends a command at once, also inside one long call of a solver, which sees no signal before it returns."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Callable

INTERRUPTED = 130
GRACE = 0.3  # seconds in which a command may tidy up
STACK = 64 * 1024 * 1024  # as roomy as a main thread; some systems give other threads next to nothing
SHOW_CURSOR = "\x1b[?25h"


def interruptible(run: Callable[[], int]) -> int:
    """Run a command in a thread of its own, while this one, the main thread, waits for signals.

    On Ctrl-C the command is told, and has a moment to tidy up. If it cannot listen, the process ends here and now:
    there is no other way to leave a solver's call.

    Parameters
    ----------
    run : callable
        The command; returns its exit code.

    Returns
    -------
    int
        Its exit code.
    """
    codes: list[int] = []
    errors: list[BaseException] = []
    done = threading.Event()

    def work() -> None:
        try:
            codes.append(run())
        except BaseException as error:
            errors.append(error)
        finally:
            done.set()

    usual = threading.stack_size(STACK)
    worker = threading.Thread(target=work, name="lawful", daemon=True)
    try:
        worker.start()  # from here on there may be something to tidy up
        threading.stack_size(usual)
        _wait(done)
    except KeyboardInterrupt:
        _stop(worker, done)
    if errors:
        raise errors[0]
    return codes[0] if codes else INTERRUPTED


def _wait(done: threading.Event) -> None:
    while not done.wait(0.1):  # a wait without an end would hide Ctrl-C on Windows
        pass


def _stop(worker: threading.Thread, done: threading.Event) -> None:
    """Tell the command; end the process if it does not hear."""
    try:
        if worker.ident is not None and not _solving(worker.ident):
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(worker.ident), ctypes.py_object(KeyboardInterrupt)
            )
            if done.wait(GRACE):
                return
    except KeyboardInterrupt:  # pressed twice
        pass
    try:
        if sys.stderr.isatty():
            os.write(sys.stderr.fileno(), SHOW_CURSOR.encode())
    finally:
        os._exit(INTERRUPTED)


def _solving(thread: int) -> bool:
    """Say whether a thread is inside a solver's call, where nothing may be raised: its compiled frames would abort."""
    frame = sys._current_frames().get(thread)
    while frame is not None:
        if str(frame.f_globals.get("__name__", "")).partition(".")[0] == "ortools":
            return True
        frame = frame.f_back
    return False
