"""What stands before the server: who may ask, how long a body may be and take, and headers for the page's sake.

A server on this machine can be reached by every page that the browser has open: by its address, and, where the page's
own name is made to point here, under that name. So names that nobody gave the server are refused, and so is what a
page of another place sends or embeds; following a link to here is not.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from fastapi import Request, Response

from lawful.web.faults import document
from lawful.web.settings import Settings

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "frame-ancestors 'none'; form-action 'self'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    # Not no-referrer: with that, a browser does not say of its own form where it was sent from.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
READS = (b"GET", b"HEAD", b"OPTIONS")
Send = Callable[[Any], Awaitable[None]]
Receive = Callable[[], Awaitable[Any]]


def written(status: int, shown: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Response:
    """Return a document as a response."""
    text = json.dumps(shown, ensure_ascii=False)
    return Response(text, status, dict(headers or {}), "application/json")


class _Refused(Exception):
    def __init__(self, status: int, kind: str, message: str) -> None:
        self.status, self.kind, self.message = status, kind, message


class Guard:
    """Refuses what the server does not answer at all, before it is read whole.

    Parameters
    ----------
    app : callable
        The ASGI application behind.
    settings : Settings
        What is allowed.
    """

    def __init__(self, app: Callable[[Any, Receive, Send], Awaitable[None]], settings: Settings) -> None:
        self.app, self.settings = app, settings

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        most, patience = self.settings.body, self.settings.body_seconds
        read, whole, started = 0, False, False
        refused: _Refused | None = None
        end = asyncio.get_running_loop().time() + patience

        async def counted() -> Any:
            nonlocal read, whole, refused
            if whole:
                return await receive()  # only that the client goes is still to come
            try:
                async with asyncio.timeout_at(end):  # not wait_for: in 3.11 it can lose that it was cancelled
                    message = await receive()
            except TimeoutError:
                # Whoever reads the body may take this for something else: it is remembered.
                refused = _Refused(408, "limit", f"limit reached: body_seconds = {patience:g}; send it faster")
                raise refused from None
            read += len(message.get("body", b""))
            whole = not message.get("more_body", False)
            if read > most:
                refused = _too_long(most)
                raise refused
            return message

        async def guarded(message: Any) -> None:
            nonlocal started
            if refused is not None and not started:
                return
            if message["type"] == "http.response.start":
                started = True
                more = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        try:
            _refuse_strangers(scope["headers"], scope["method"].encode(), self.settings.names)
            said = dict(scope["headers"]).get(b"content-length", b"0")
            if said.isdigit() and int(said) > most:
                raise _too_long(most)
            await self.app(scope, counted, guarded)
        except _Refused as stranger:
            refused = stranger
        if refused is not None and not started:
            found, refused = refused, None
            response = _said(scope, found)
            if not whole:
                response.headers["Connection"] = "close"  # the rest of the body is not read
            await response(scope, receive, guarded)


def _said(scope: Any, refused: _Refused) -> Response:
    """Return what was refused: a document of the API, or a page."""
    if scope["path"].startswith("/api/"):
        return written(refused.status, document(refused.kind, refused.message))
    from lawful.web.pages import failed

    return failed(Request(scope), refused.status, refused.message)


def _too_long(most: int) -> _Refused:
    return _Refused(413, "limit", f"limit reached: body = {most}; ask for less")


def _refuse_strangers(headers: list[tuple[bytes, bytes]], method: bytes, names: tuple[str, ...]) -> None:
    """Refuse what was asked under a name that is not the server's, or was sent by a page that is not."""
    said: dict[bytes, bytes] = {}
    for name, value in headers:
        if name == b"host" and not is_ours(value.decode("latin-1"), names):
            called = value.decode("latin-1")[:80]
            raise _Refused(403, "request", f"this server is not called {called!r}; lawful serve --name says what it is")
        said[name] = value
    host, origin = said.get(b"host", b"").decode("latin-1"), said.get(b"origin")
    if method not in READS:
        if origin is not None and urlsplit(origin.decode("latin-1")).netloc != host:
            raise _Refused(403, "request", "a page of another place sent this; this server answers its own page only")
        return
    embeds = said.get(b"sec-fetch-mode", b"navigate") != b"navigate" or said.get(b"sec-fetch-dest") == b"iframe"
    if said.get(b"sec-fetch-site") in (b"cross-site", b"same-site") and embeds:
        raise _Refused(403, "request", "a page of another place asked this; this server answers its own page only")


def is_ours(host: str, names: tuple[str, ...] = ()) -> bool:
    """Return whether a host's name can be this server's: a number, this machine, or a name that it was given.

    Parameters
    ----------
    host : str
        As the header says it, with the port or without.
    names : tuple of str
        Names that were given.

    Returns
    -------
    bool
        Numbers are always right: nobody else can make a number point here.

    Examples
    --------
    >>> [is_ours(name) for name in ("127.0.0.1:8000", "[::1]:8000", "localhost", "evil.example:8000")]
    [True, True, True, False]
    >>> is_ours("Desk.example", ("desk.example",))
    True
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name == "localhost" or name.endswith(".localhost") or name in {one.casefold() for one in names}:
        return True
    try:
        ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return True
