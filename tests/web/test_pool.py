"""A question that runs away, or eats memory, or whose client has gone, costs its worker and nothing else."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from starlette.datastructures import QueryParams

from lawful.web.api import CLOSED, _lines, answered
from lawful.web.pages import case_file, desk
from lawful.web.pool import Busy, Pool, Stopped
from lawful.web.settings import Settings

EASY = {"ask": "pay", "request": {"game": "fab", "cost": "1r", "hand": "blue"}, "seconds": 20, "listed": 10}
HARD = {"ask": "pay", "request": {"game": "mc", "cost": "3 & 4 & 5", "hand": "emw x4, ep x4, m x6, w x6"}, "listed": 10}
STREAM = {
    "ask": "pay", "request": {"game": "fab", "cost": "20r", "hand": "red x10, yellow x10, blue x10"}, "seconds": 20,
    "listed": 10, "stream": True,
}  # fmt: skip


def in_pool(run: Callable[[Pool], Awaitable[Any]], **allowed: Any) -> Any:
    async def whole() -> Any:
        pool = Pool(Settings(**{"workers": 1, **allowed}))
        try:
            return await run(pool)
        finally:
            pool.close()

    return asyncio.run(whole())


def easy(said: tuple[int, str]) -> bool:
    return said[0] == 200 and json.loads(said[1])["count"] == 1


def test_workers_are_used_again() -> None:
    async def run(pool: Pool) -> list[tuple[int, str]]:
        return [await answered(pool, EASY) for _ in range(3)]

    assert all(map(easy, in_pool(run)))


def test_one_that_runs_away_is_stopped_and_the_next_is_answered() -> None:
    async def run(pool: Pool) -> Any:
        return await answered(pool, {**HARD, "seconds": 0.01}), await answered(pool, EASY), pool.stopped

    hard, after, stopped = in_pool(run, grace=0.05)
    assert hard[0] == 200
    said = json.loads(hard[1])
    assert said["verdict"] is None
    assert said["limit"] == "seconds"
    assert easy(after)
    assert stopped == 1


HUNGRY = """
from lawful.web.faults import refusal
import json
from lawful.web.worker import _limit
_limit(1 << 30)
try:
    print(len(bytearray(2 << 30)))
except MemoryError as error:
    print(json.dumps(refusal(error)))
"""


def test_one_that_eats_memory_gets_an_answer_that_says_so() -> None:
    done = subprocess.run([sys.executable, "-c", HUNGRY], capture_output=True, text=True, check=True, timeout=60)
    status, said = json.loads(done.stdout)
    assert status == 200
    assert said["limit"] == "memory"
    assert said["verdict"] is None


def test_a_client_that_goes_frees_its_worker() -> None:
    async def run(pool: Pool) -> Any:
        lines = pool.run(STREAM)
        status, first = await anext(lines)
        await lines.aclose()
        return status, first, await answered(pool, EASY), pool.stopped

    status, first, after, stopped = in_pool(run)
    assert status == 200
    assert json.loads(first)["type"] == "answer"
    assert easy(after)
    assert stopped == 1


def test_a_job_that_is_cancelled_frees_its_worker() -> None:
    async def run(pool: Pool) -> Any:
        task = asyncio.ensure_future(answered(pool, {**HARD, "seconds": 30}))
        await asyncio.wait([task], timeout=1.0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await answered(pool, EASY)

    assert easy(in_pool(run))


def test_those_who_come_too_late_are_turned_away_and_nobody_else() -> None:
    async def run(pool: Pool) -> Any:
        return await asyncio.gather(*(answered(pool, EASY) for _ in range(10)))

    found = in_pool(run, waiting=3)
    assert sorted(status for status, _ in found) == [200] * 4 + [503] * 6
    assert all(easy(one) for one in found if one[0] == 200)


def test_a_worker_that_dies_is_replaced() -> None:
    async def run(pool: Pool) -> Any:
        await pool.warm()
        pool._idle[0].process.kill()
        pool._idle[0].process.join()
        return await answered(pool, EASY), await answered(pool, EASY)

    first, second = in_pool(run)
    assert json.loads(first[1])["limit"] == "memory"
    assert easy(second)


def test_streams_do_not_take_the_places_of_answers() -> None:
    async def run(pool: Pool) -> Any:
        lines = pool.run(STREAM)
        await anext(lines)
        try:
            return await asyncio.wait_for(answered(pool, EASY), 60)
        finally:
            await lines.aclose()

    assert easy(in_pool(run))


class _Leaving:
    """A request whose client goes at once."""

    def __init__(self, pool: Pool) -> None:
        self.app, self.query_params, self.headers = self, QueryParams({"cost": "1r", "game": "fab"}), {}
        self.state, self.pool, self.settings = self, pool, pool.settings

    async def receive(self) -> Any:
        return {"type": "http.disconnect"}


@pytest.mark.parametrize("ask", [desk, case_file, lambda request: _lines(request, {**STREAM, "seconds": 60})])
def test_nobody_is_answered_who_has_gone(ask: Any) -> None:
    async def run(pool: Pool) -> Any:
        gone = await ask(_Leaving(pool))
        return gone.status_code, await answered(pool, EASY), pool.waiting

    status, after, waiting = in_pool(run)
    assert status == CLOSED
    assert easy(after)
    assert waiting == 0


def test_the_errors_say_what_they_are() -> None:
    assert str(Stopped("seconds")) == "seconds"
    assert isinstance(Busy(), Exception)
