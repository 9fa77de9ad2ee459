"""Questions over HTTP: one document each, the same as on the command line, or lines as ways are found."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from lawful.model.messages import speaking
from lawful.saying import recognised
from lawful.web.faults import document, stopped
from lawful.web.pool import Busy, Pool, Stopped
from lawful.web.requests import BatchRequest, CheckRequest, OrderRequest, PayRequest
from lawful.web.settings import Settings

router = APIRouter(prefix="/api/v1")
NDJSON = "application/x-ndjson"
CLOSED = 499  # the client has gone; nobody reads this
DOCUMENT = {"content": {"application/json": {"schema": {"type": "object"}}}}
ERROR = {
    "type": "object", "required": ["schema_version", "verdict", "error"],
    "properties": {
        "schema_version": {"type": "integer"}, "verdict": {"type": "null"},
        "error": {"type": "object", "required": ["kind", "message", "faults"]},
    },
}  # fmt: skip
REFUSED = {"content": {"application/json": {"schema": ERROR}}}
RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"description": "The answer; or verdict null, and the limit that was reached", **DOCUMENT},
    400: {"description": "The body is no JSON", **REFUSED},
    403: {"description": "Asked under a name that is not the server's, or by a page of another place", **REFUSED},
    408: {"description": "The body came too slowly", **REFUSED},
    413: {"description": "The body is too long", **REFUSED},
    422: {"description": "It cannot be read: every fault with its path", **REFUSED},
    500: {"description": "A bug of ours, to be reported", **REFUSED},
    503: {"description": "Too many questions wait; try again", **REFUSED},
}
LINES = {
    "content": {**DOCUMENT["content"], NDJSON: {"schema": {"type": "string"}}},
    "description": "The answer; with `Accept: application/x-ndjson`, a line for each way as it is found",
}


@router.post("/pay", responses={**RESPONSES, 200: LINES}, response_class=Response)
async def pay(body: PayRequest, request: Request) -> Response:
    """List the ways in which a cost can be paid; or judge one payment (`with`)."""
    if NDJSON in request.headers.get("accept", ""):
        return await _lines(request, job_of("pay", body, request.app.state.settings, stream=True))
    return await _one(request, job_of("pay", body, request.app.state.settings))


@router.post("/check", responses=RESPONSES, response_class=Response)
async def check(body: CheckRequest, request: Request) -> Response:
    """Say whether a declaration is legal, and if not, why not, and what would be."""
    return await _one(request, job_of("check", body, request.app.state.settings))


@router.post("/order", responses=RESPONSES, response_class=Response)
async def order(body: OrderRequest, request: Request) -> Response:
    """Say in which order effects apply, and what can come out."""
    return await _one(request, job_of("order", body, request.app.state.settings))


@router.post("/batch", responses={**RESPONSES, 200: LINES}, response_class=Response)
async def batch(body: BatchRequest, request: Request) -> Response:
    """Answer several questions; `answers` are in their order, each with its `status`.

    With `Accept: application/x-ndjson` a line for each, as it is answered, with its `index`.
    """
    settings: Settings = request.app.state.settings
    if len(body.requests) > settings.batch:
        message = f"limit reached: batch = {settings.batch}; ask for fewer at once"
        fault = {"message": message, "path": "/requests", "file": "", "line": 0, "column": 0, "hint": ""}
        return _sent(422, json.dumps(document("limit", message, [fault])))
    jobs = [job_of(item.ask, item, settings) for item in body.requests]
    if NDJSON in request.headers.get("accept", ""):
        return Lines(_as_answered(request, jobs), settings.stalled)
    gathered = asyncio.gather(*(answered(request.app.state.pool, job) for job in jobs))
    found = await while_there(request, gathered)
    if found is None:
        return Response(status_code=CLOSED)
    answers = [f'{{"status": {status}, "answer": {text}}}' for status, text in found]
    return _sent(200, f'{{"schema_version": 1, "answers": [{", ".join(answers)}]}}')


@router.get("/health", responses={200: {"description": "It is there", **DOCUMENT}}, response_class=Response)
async def health(request: Request) -> Response:
    """Say that the server is there, and how many questions wait."""
    pool: Pool = request.app.state.pool
    return _sent(200, json.dumps({"status": "ok", "waiting": pool.waiting, "stopped": pool.stopped}))


def job_of(ask: str, body: BaseModel, settings: Settings, *, stream: bool = False) -> dict[str, Any]:
    """Return the job of a request: what it says, within what the server allows."""
    said = body.model_dump()
    seconds = said.pop("seconds", None)
    said.pop("ask", None)
    lang = said.pop("lang", None)
    return {
        "ask": ask,
        "request": said,
        "seconds": min(settings.seconds if seconds is None else seconds, settings.most_seconds),
        "listed": settings.listed,
        "stream": stream,
        "lang": lang or "en",
    }


async def answered(pool: Pool, job: dict[str, Any]) -> tuple[int, str]:
    """Return status and document of one job, whatever happens."""
    try:
        async with aclosing(pool.run(job)) as pieces:
            async for piece in pieces:
                return await _rest(pieces, piece)
    except Busy:
        return 503, _busy(job)
    except Stopped as error:
        return 200, _stopped(job, error)
    with speaking(job.get("lang")):
        return 500, json.dumps(document("bug", recognised("a worker said nothing")))


def _busy(job: dict[str, Any]) -> str:
    with speaking(job.get("lang")):
        return json.dumps(document("busy", recognised("too many questions wait; try again")), ensure_ascii=False)


def _stopped(job: dict[str, Any], error: Stopped) -> str:
    with speaking(job.get("lang")):
        shown = stopped(error.limit, job["seconds"] if error.limit == "seconds" else None)
        return json.dumps(shown, ensure_ascii=False)


async def _rest(pieces: AsyncIterator[tuple[int, str]], first: tuple[int, str]) -> tuple[int, str]:
    """Read to the end, so that the worker is free for the next question."""
    return first[0], first[1] + "".join([text async for _, text in pieces])


async def _one(request: Request, job: dict[str, Any]) -> Response:
    found = await while_there(request, asyncio.ensure_future(answered(request.app.state.pool, job)))
    return Response(status_code=CLOSED) if found is None else _sent(*found)


async def while_there(request: Request, answer: asyncio.Future[Any]) -> Any:
    """Wait for an answer, and stop asking when the client goes."""
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait([answer, gone], return_when=asyncio.FIRST_COMPLETED)
        return answer.result() if answer.done() else None
    finally:
        for task in (answer, gone):
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _lines(request: Request, job: dict[str, Any]) -> Response:
    """Answer with lines; what goes wrong before the first one is a document."""
    pieces = request.app.state.pool.run(job)

    async def begin() -> tuple[int, str]:
        return await anext(pieces)

    try:
        first = await while_there(request, asyncio.ensure_future(begin()))
    except Busy:
        return _sent(503, _busy(job))
    except Stopped as error:
        return _sent(200, _stopped(job, error))
    if first is None:
        return Response(status_code=CLOSED)
    status, text = first
    if status != 200 or not text.endswith("\n"):
        async for _ in pieces:
            pass
        return _sent(status, text)
    return Lines(_after(text, pieces), request.app.state.settings.stalled)


class Lines(StreamingResponse):
    """Lines as they come. A reader that takes none any more is given up, so that it holds no worker.

    Parameters
    ----------
    lines : async generator of str
        One or more lines each.
    stalled : float
        How long the reader may take for each, in seconds.
    """

    def __init__(self, lines: AsyncGenerator[str, None], stalled: float) -> None:
        super().__init__(lines, media_type=NDJSON)
        self.lines, self.stalled = lines, stalled

    async def stream_response(self, send: Any) -> None:
        """Send one after the other."""

        async def soon(message: Any) -> None:
            async with asyncio.timeout(self.stalled):
                await send(message)

        with suppress(TimeoutError):
            async with aclosing(self.lines):
                await super().stream_response(soon)


async def _after(first: str, pieces: AsyncGenerator[tuple[int, str], None]) -> AsyncGenerator[str, None]:
    try:
        yield first
        async for _, text in pieces:
            yield text if text.endswith("\n") else text + "\n"
    except Stopped as error:
        yield json.dumps({"type": "end", "complete": False, "limit": error.limit}) + "\n"
    finally:
        await pieces.aclose()


async def _as_answered(request: Request, jobs: list[dict[str, Any]]) -> AsyncGenerator[str, None]:
    async def one(index: int, job: dict[str, Any]) -> str:
        status, text = await answered(request.app.state.pool, job)
        return f'{{"index": {index}, "status": {status}, "answer": {text}}}\n'

    tasks = [asyncio.ensure_future(one(index, job)) for index, job in enumerate(jobs)]
    try:
        for task in asyncio.as_completed(tasks):
            yield await task
    finally:
        for left in tasks:
            left.cancel()


def _sent(status: int, text: str) -> Response:
    headers = {"Retry-After": "1"} if status == 503 else {}
    return Response(text, status, headers, "application/json")
