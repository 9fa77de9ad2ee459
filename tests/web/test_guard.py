"""Who may ask: the server's own page and programs, under its own name; and how long a body may take."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from lawful.web.api import Lines
from lawful.web.guard import Guard, is_ours
from lawful.web.settings import Settings

ASKED = {"game": "fab", "cost": "1r", "hand": "blue"}


def pay(client: TestClient, **headers: str) -> int:
    return client.post(
        "/api/v1/pay", json=ASKED, headers={n.replace("_", "-"): v for n, v in headers.items()}
    ).status_code


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:9", "192.168.1.7", "my.localhost"])
def test_names_that_can_only_be_this_server(client: TestClient, host: str) -> None:
    assert pay(client, host=host) == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example"]
)
def test_a_name_that_somebody_else_made_point_here(client: TestClient, host: str) -> None:
    assert pay(client, host=host) == 403
    page = client.get("/?game=fab&cost=1r&hand=blue", headers={"host": host})
    assert page.status_code == 403
    assert "blue" not in page.text
    assert "this server is not called" in page.text
    assert 'id="desk"' in page.text


@pytest.mark.parametrize("host", ["[::1", "", "a b", "\x7f", "[v1.x]"])
def test_what_is_no_name(host: str) -> None:
    assert not is_ours(host)


def test_names_that_it_was_given() -> None:
    assert is_ours("desk.example:443", ("Desk.example",))


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:9999", "https://evil.example:80"])
def test_what_a_page_of_another_place_sends(client: TestClient, origin: str) -> None:
    assert pay(client, origin=origin, host="localhost") == 403
    sent = client.post("/open", data={"text": "case: a"}, headers={"origin": origin}, follow_redirects=False)
    assert sent.status_code == 403


def test_its_own_page_and_programs(client: TestClient) -> None:
    assert pay(client) == 200
    assert pay(client, origin="http://localhost", sec_fetch_site="same-origin", sec_fetch_mode="cors") == 200


def test_what_a_page_of_another_place_embeds_is_refused_and_its_link_is_followed(client: TestClient) -> None:
    link = "/?game=fab&cost=1r&hand=blue"
    for site in ("cross-site", "same-site"):
        image = {"sec-fetch-site": site, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}
        frame = {"sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"}
        followed = {"sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
        assert [client.get(link, headers=one).status_code for one in (image, frame, followed)] == [403, 403, 200]


def test_a_browser_says_where_a_form_was_sent_from(client: TestClient) -> None:
    # With no-referrer it would say null, and the page's own form would be refused.
    assert client.get("/").headers["referrer-policy"] == "same-origin"


def test_a_body_that_comes_too_slowly_is_refused() -> None:
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()

    async def never() -> Any:
        await asyncio.Event().wait()

    async def keep(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "headers": [(b"host", b"localhost")], "path": "/api/v1/pay"}
    asyncio.run(Guard(app, Settings(body_seconds=0.01))(scope, never, keep))
    assert sent[0]["status"] == 408
    assert "body_seconds" in json.loads(sent[1]["body"])["error"]["message"]


def test_a_reader_that_takes_nothing_is_given_up_and_frees_its_worker() -> None:
    closed: list[bool] = []

    async def lines() -> Any:
        try:
            while True:
                yield "{}\n"
        finally:
            closed.append(True)

    async def stuck(message: Any) -> None:
        if message["type"] == "http.response.body":
            await asyncio.Event().wait()

    asyncio.run(Lines(lines(), 0.01).stream_response(stuck))
    assert closed == [True]
