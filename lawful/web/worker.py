"""One worker: a process of its own, with its own memory, that answers one job after the other."""

from __future__ import annotations

import contextlib
from multiprocessing.connection import Connection
from typing import Any

PRELOAD = (
    "lawful.web.worker", "lawful.web.answering", "lawful.web.views", "lawful.api", "lawful.checking", "lawful.document",
    "lawful.playing", "lawful.solver.ways", "lawful.solver.check", "lawful.solver.order.answer",
    "lawful.solver.certify",
    "lawful.model.reading.casereader", "lawful.model.referee", "lawful.text", "networkx", "ortools.sat.python.cp_model",
)  # fmt: skip
"""Imported once, before workers are forked: a worker that was stopped is replaced in milliseconds."""

WARM = "lawful.web.warm"
"""Imported, too, where card files are served."""


def work(pipe: Connection, cards: tuple[str, ...], rulesets: tuple[str, ...], memory: int) -> None:
    """Answer jobs until the other end is closed.

    Parameters
    ----------
    pipe : Connection
        Jobs come in; ``(status, text)`` goes out for every piece, then None.
    cards, rulesets : tuple of str
        Paths of card files and of further games.
    memory : int
        Address space in bytes.
    """
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server says when to stop
    _limit(memory)
    from lawful.web.answering import answer
    from lawful.web.questions import Catalog

    catalog = Catalog(cards, rulesets)
    while True:
        try:
            job: dict[str, Any] | None = pipe.recv()
        except (EOFError, OSError):
            return
        if job is None:
            return
        with contextlib.suppress(BrokenPipeError, ConnectionError):
            for piece in answer(job, catalog):
                pipe.send(piece)
            pipe.send(None)


def _limit(memory: int) -> None:
    """Limit the address space, where the system can."""
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
