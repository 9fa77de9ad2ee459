"""The server: questions as JSON, and the page."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from lawful.web.faults import document, of_validation
from lawful.web.pool import Pool
from lawful.web.settings import Settings

ABOUT = """Every way to pay a cost, why a declaration is illegal, and what comes out of effects: the documents are
those of the command line. A limit that was reached is an answer (200) whose `verdict` is null and whose `limit` is
named; what cannot be read is refused with every fault and its path (422)."""
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "frame-ancestors 'none'; form-action 'self'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the server.

    Parameters
    ----------
    settings : Settings, optional
        What it allows.

    Returns
    -------
    FastAPI
        Ready to be served; its workers start and stop with it.
    """
    from importlib.resources import files

    from lawful.web import api, pages

    allowed = settings or Settings()

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        app.state.pool = Pool(allowed)
        await app.state.pool.warm()
        yield
        app.state.pool.close()

    app = FastAPI(
        title="lawful", version=version("lawful"), description=ABOUT, lifespan=life, docs_url=None, redoc_url=None,
        openapi_url="/api/v1/openapi.json",
    )  # fmt: skip
    app.state.settings = allowed
    app.add_middleware(_Guard, most=allowed.body)
    app.add_exception_handler(RequestValidationError, _no_request)
    app.add_exception_handler(HTTPException, _no_page)
    app.include_router(api.router)
    app.include_router(pages.router)
    app.mount("/static", StaticFiles(directory=str(files("lawful.web") / "static")), name="static")
    return app


async def _no_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return written(422, of_validation(error.errors()))


async def _no_page(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if request.url.path.startswith("/api/"):
        return written(error.status_code, document("request", str(error.detail)), error.headers)
    from lawful.web.pages import failed

    return failed(request, error.status_code, str(error.detail))


def written(status: int, shown: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Response:
    """Return a document as a response."""
    text = json.dumps(shown, ensure_ascii=False)
    return Response(text, status, dict(headers or {}), "application/json")


Send = Callable[[Any], Awaitable[None]]
Receive = Callable[[], Awaitable[Any]]


class _TooLong(Exception):
    pass


class _Guard:
    """Refuses bodies that are too long before they are read whole, and sets headers that keep the page to itself."""

    def __init__(self, app: Callable[[Any, Receive, Send], Awaitable[None]], most: int) -> None:
        self.app, self.most = app, most

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        read, started, over = 0, False, False

        async def counted() -> Any:
            nonlocal read, over
            message = await receive()
            read += len(message.get("body", b""))
            if read > self.most:
                over = True  # whoever reads the body may take this for something else
                raise _TooLong
            return message

        async def guarded(message: Any) -> None:
            nonlocal started
            if over and not started:
                return
            if message["type"] == "http.response.start":
                started = True
                more = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        said = dict(scope["headers"]).get(b"content-length", b"0")
        try:
            if said.isdigit() and int(said) > self.most:
                raise _TooLong
            await self.app(scope, counted, guarded)
        except _TooLong:
            over = True
        if over and not started:
            over = False
            message = f"limit reached: body = {self.most}; ask for less"
            await written(413, document("limit", message))(scope, receive, guarded)


def openapi() -> str:
    """Return the OpenAPI document as it is checked in: without the version, which is that of the package."""
    described = create_app().openapi()
    return json.dumps({**described, "info": {**described["info"], "version": ""}}, indent=1, sort_keys=True) + "\n"
