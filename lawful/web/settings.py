"""What a server allows, in one place."""

from __future__ import annotations

import os
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Settings:
    """What a server allows. Whatever is reached is reported by its name.

    Parameters
    ----------
    workers : int
        Questions that are answered at the same time, each in a process of its own; and as many streams of lines,
        which can last, beside them.
    waiting : int
        Questions that may wait for one; more are turned away (503).
    seconds : float
        Time for one answer where the request says nothing.
    most_seconds : float
        The most that a request may ask for.
    grace : float
        How long a worker may go on beyond its time before it is stopped, in seconds.
    stream_seconds : float
        How long a stream of lines may last.
    memory : int
        Address space of one worker, in bytes.
    body : int
        The longest body, in bytes.
    body_seconds : float
        How long a body may take to come.
    stalled : float
        How long a reader of lines may take for some before it is given up.
    listed : int
        The most ways of one document; a stream has no such limit.
    batch : int
        The most requests of one batch.
    cards : tuple of str
        Card files whose cards can be asked about by name.
    rulesets : tuple of str
        Files of further games.
    names : tuple of str
        Names under which the server is reached, beside numbers and this machine's own.
    """

    workers: int = field(default_factory=lambda: max(1, os.cpu_count() or 1))
    waiting: int = 512
    seconds: float = 10.0
    most_seconds: float = 60.0
    grace: float = 2.0
    stream_seconds: float = 600.0
    memory: int = 4 << 30
    body: int = 1 << 20
    body_seconds: float = 30.0
    stalled: float = 15.0
    listed: int = 10_000
    batch: int = 100
    cards: tuple[str, ...] = ()
    rulesets: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
