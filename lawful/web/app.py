"""The server: questions as JSON, and the page."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from lawful.model.messages import languages, speaking
from lawful.web.faults import NOWHERE, document, of_validation
from lawful.web.guard import Guard, written
from lawful.web.pool import Pool
from lawful.web.settings import Settings

ABOUT = """Every way to pay a cost, why a declaration is illegal, and what comes out of effects: the documents are
those of the command line. A limit that was reached is an answer (200) whose `verdict` is null and whose `limit` is
named; what cannot be read is refused with every fault and its path (422)."""


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
    app.add_middleware(Guard, settings=allowed)
    app.add_exception_handler(RequestValidationError, _no_request)
    app.add_exception_handler(HTTPException, _no_page)
    app.include_router(api.router)
    app.include_router(pages.router)
    app.mount("/static", StaticFiles(directory=str(files("lawful.web") / "static")), name="static")
    return app


async def _no_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    is_json = any(one["type"] == "json_invalid" for one in error.errors())  # said to be JSON, and is none
    if isinstance(error.body, bytes | str) and error.body and not is_json:
        # What is not said to be JSON is not read as such.
        said = request.headers.get("content-type") or "nothing"
        message = f"the body must be sent as application/json, not as {said[:80]}"
        return written(422, document("input", message, [{**NOWHERE, "message": message}]))
    asked = error.body.get("lang") if isinstance(error.body, dict) else None
    with speaking(asked if asked in languages() else None):
        return written(422, of_validation(error.errors()))


async def _no_page(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if request.url.path.startswith("/api/"):
        unread = error.status_code == 400  # said of a body that is no JSON: not UTF-8, too deep, a number too long
        message = "the body is no JSON that can be read" if unread else str(error.detail)
        return written(error.status_code, document("request", message), error.headers)
    from lawful.web.pages import failed

    return failed(request, error.status_code, str(error.detail))


def openapi() -> str:
    """Return the OpenAPI document as it is checked in: without the version, which is that of the package."""
    described = create_app().openapi()
    return json.dumps({**described, "info": {**described["info"], "version": ""}}, indent=1, sort_keys=True) + "\n"
