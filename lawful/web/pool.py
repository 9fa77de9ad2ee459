"""Workers, and who gets one. A job that runs away, or whose client has gone, costs its worker and nothing else."""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
from collections.abc import AsyncGenerator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from lawful.web.settings import Settings
from lawful.web.worker import PRELOAD, WARM, work


class Busy(Exception):
    """More questions wait than the server lets wait."""


class Stopped(Exception):
    """A worker was stopped, or ended by itself, before there was an answer.

    Parameters
    ----------
    limit : str
        Which limit was reached: ``seconds``, ``memory``.
    """

    def __init__(self, limit: str) -> None:
        self.limit = limit
        super().__init__(limit)


@dataclass(eq=False)
class _Worker:
    process: BaseProcess
    pipe: Connection
    thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "lawful-worker"))

    def stop(self) -> None:
        self.process.kill()  # what reads its pipe gets to the end then
        self.thread.shutdown(wait=False)

    async def send(self, job: Mapping[str, Any]) -> None:
        await asyncio.get_running_loop().run_in_executor(self.thread, self.pipe.send, dict(job))

    async def receive(self) -> tuple[int, str] | None:
        got: tuple[int, str] | None = await asyncio.get_running_loop().run_in_executor(self.thread, self.pipe.recv)
        return got


class Pool:
    """So many workers, each in a process of its own.

    Parameters
    ----------
    settings : Settings
        How many, and what each may cost.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._context: Any = multiprocessing.get_context("spawn" if sys.platform == "win32" else "forkserver")
        if sys.platform != "win32":
            self._context.set_forkserver_preload([*PRELOAD, *((WARM,) if settings.cards else ())])
        self._idle: list[_Worker] = []
        self._slots = asyncio.Semaphore(settings.workers)
        self._streams = asyncio.Semaphore(settings.workers)  # nobody waits until somebody else has read to the end
        self.waiting = 0
        self.stopped = 0

    async def run(self, job: Mapping[str, Any]) -> AsyncGenerator[tuple[int, str], None]:
        """Yield the pieces of an answer, as they come.

        Parameters
        ----------
        job : mapping
            See `lawful.web.answering.answer`.

        Yields
        ------
        tuple of int and str
            Status and text.

        Raises
        ------
        Busy
            If too many wait already.
        Stopped
            If it took longer than its time and the grace, or the worker died.
        """
        slots = self._streams if job.get("stream") else self._slots
        if slots.locked() and self.waiting >= self.settings.waiting:
            raise Busy
        self.waiting += 1
        try:
            await slots.acquire()
        finally:
            self.waiting -= 1
        try:
            async with aclosing(self._on_one(job)) as pieces:
                async for piece in pieces:
                    yield piece
        finally:
            slots.release()

    async def _on_one(self, job: Mapping[str, Any]) -> AsyncGenerator[tuple[int, str], None]:
        worker = self._idle.pop() if self._idle else await self._new()
        whole = False
        try:
            patience, now = float(job["seconds"]) + self.settings.grace, asyncio.get_running_loop().time
            end = now() + (self.settings.stream_seconds if job.get("stream") else patience)
            await worker.send(job)
            while True:
                async with asyncio.timeout_at(min(now() + patience, end)):
                    piece = await worker.receive()
                if piece is None:
                    break
                yield piece
            whole = True
        except TimeoutError:
            raise Stopped("seconds") from None
        except (EOFError, OSError):
            raise Stopped("memory") from None
        finally:
            if whole:
                self._idle.append(worker)
            else:
                self.stopped += 1
                worker.stop()

    async def _new(self) -> _Worker:
        def start() -> _Worker:
            ours, theirs = self._context.Pipe()
            settings = self.settings
            wanted = (theirs, settings.cards, settings.rulesets, settings.memory)
            process = self._context.Process(target=work, args=wanted, daemon=True)
            process.start()
            theirs.close()
            return _Worker(process, ours)

        return await asyncio.get_running_loop().run_in_executor(None, start)

    async def warm(self) -> None:
        """Start all workers, so that the first question does not wait for that."""
        self._idle += await asyncio.gather(*(self._new() for _ in range(self.settings.workers)))

    def close(self) -> None:
        """Stop all workers."""
        for worker in self._idle:
            with suppress(OSError):
                worker.stop()
        self._idle.clear()
