"""Where tasks are done: in this process, in others, on a cluster; what dies is done again, apart from the rest."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context
from typing import Any

from lawful.model.errors import BadInput, Fault
from lawful.stressing.tasks import Row, Task, run_batch

ABOUT = 1.0  # seconds that a batch is to take
LARGEST = 200
AHEAD = 2  # batches for each worker that wait with it

Done = Callable[[list[tuple[str, Row]]], None]


class Here(Executor):
    """Does tasks at once, in this process."""

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        """Do it."""
        future: Future[object] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def _nothing() -> None:
    """Leave nothing behind."""


def opened(name: str) -> tuple[Callable[[], Executor], int, Callable[[], None]]:
    """Return what makes the executor that is meant, how many workers it has, and what is to be done at the end.

    Parameters
    ----------
    name : str
        ``processes``, ``processes:4``, ``here``, ``dask://HOST:PORT``.

    Raises
    ------
    BadInput
        If there is no such executor, or the extra ``dask`` is not installed.
    """
    kind, _, rest = name.partition(":")
    if kind == "here":
        return Here, 1, _nothing
    if kind == "processes" and (not rest or (rest.isascii() and rest.isdigit())):
        n = int(rest) if rest else os.cpu_count() or 1
        if n < 1:
            raise BadInput([Fault(f"{name}: at least one process is needed", "--executor")])
        # No fork: the solver has threads of its own.
        return (lambda: ProcessPoolExecutor(n, mp_context=get_context("spawn"))), n, _nothing
    if kind == "dask":
        return _dask(name)
    hint = "one of: processes, processes:N, here, dask://HOST:PORT"
    raise BadInput([Fault(f"no executor {name!r}", "--executor", hint=hint)])


def _dask(name: str) -> tuple[Callable[[], Executor], int, Callable[[], None]]:
    try:
        from distributed import Client
    except ImportError:
        raise BadInput(
            [Fault("a cluster needs the extra dask", "--executor", hint="pip install 'lawful[dask]'")]
        ) from None
    address = "tcp://" + name.removeprefix("dask://")
    try:
        client: Any = Client(address, timeout="10s")  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError) as error:
        raise BadInput([Fault(f"no cluster answers at {address}: {error}", "--executor")]) from None
    workers = sum(client.nthreads().values()) or 1
    return (lambda: client.get_executor(pure=False)), workers, client.close


class Crew:
    """Has tasks done in batches of about a second.

    Parameters
    ----------
    name : str
        The executor; see `opened`.
    packed : bytes
        The setting that all tasks share.
    """

    def __init__(self, name: str, packed: bytes) -> None:
        self.make, self.workers, self.close = opened(name)
        self.packed = packed
        self.pace = 0.2  # seconds a task, as far as is known
        self.deaths = 0

    def run(self, tasks: Iterator[Task] | Sequence[Task], done: Done) -> None:
        """Do all tasks; `done` is called with the rows of each batch as it is finished.

        A worker that dies takes the batches of the others with it: they are done again one by one, so that a task that
        kills its worker is found, told as not checked, and nothing else is lost. A worker that dies with nothing left
        to do takes nothing with it, and may go unnoticed.
        """
        left = deque(tasks)
        executor: Executor | None = None
        try:
            executor = self._run(left, done, self.make())
        finally:
            if executor is not None:
                executor.shutdown()
            self.close()

    def _run(self, left: deque[Task], done: Done, executor: Executor) -> Executor:
        waiting: dict[Future[list[tuple[str, Row]]], list[Task]] = {}
        try:
            while left or waiting:
                while left and len(waiting) < self.workers * AHEAD:
                    batch = self._batch(left)
                    try:
                        future = executor.submit(run_batch, self.packed, batch)
                    except BrokenProcessPool:
                        left.extendleft(reversed(batch))
                        executor = self._again(executor, waiting, done)
                        continue
                    waiting[future] = batch
                finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in finished:
                    if future.exception() is not None:
                        executor = self._again(executor, waiting, done)
                        break
                    waiting.pop(future)
                    rows = future.result()
                    self._learn(rows)
                    done(rows)
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise
        return executor

    def _batch(self, left: deque[Task]) -> list[Task]:
        n = max(1, min(LARGEST, int(ABOUT / self.pace), len(left) // (2 * self.workers) + 1))
        return [left.popleft() for _ in range(min(n, len(left)))]

    def _learn(self, rows: Sequence[tuple[str, Row]]) -> None:
        for _, row in rows:
            self.pace = 0.95 * self.pace + 0.05 * max(float(row["seconds"]), 0.001)

    def _again(
        self, executor: Executor, waiting: dict[Future[list[tuple[str, Row]]], list[Task]], done: Done
    ) -> Executor:
        """Do what was being done once more, one task after the other, each alone with a worker."""
        self.deaths += 1
        tasks = []
        for future, batch in waiting.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                done(future.result())
            else:
                tasks += batch
        waiting.clear()
        with suppress(Exception):
            executor.shutdown(wait=False, cancel_futures=True)
        executor = self.make()
        for task in tasks:
            for attempt in (1, 2):
                try:
                    rows = executor.submit(run_batch, self.packed, [task]).result()
                except Exception as error:
                    self.deaths += 1
                    with suppress(Exception):
                        executor.shutdown(wait=False, cancel_futures=True)
                    executor = self.make()
                    if attempt == 2:
                        done([(task.key, lost(task, error))])
                else:
                    done(rows)
                    break
        return executor


def lost(task: Task, error: Exception) -> Row:
    """Return the row of a task that cannot be done: its worker died twice, or it failed twice."""
    why = f"it could not be done: {type(error).__name__}: {error}"
    return {
        "check": task.check, "cards": [card.name for card in task.cards], "verdict": "not checked", "findings": [],
        "why": why, "bound": {}, "saturated": False, "limits": "", "seconds": 0.0, "lost": True,
    }  # fmt: skip
