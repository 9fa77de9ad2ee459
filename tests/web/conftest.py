"""One server for all tests of a worker: in-process for requests, on a port of its own for a browser."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from fastapi.testclient import TestClient

from lawful.web.app import create_app
from lawful.web.settings import Settings

SMALL = Settings(
    workers=2, seconds=20, body=300_000, listed=500, batch=5, cards=("tests/data/cards.csv", "tests/data/riddle.csv")
)


@pytest.fixture(scope="session")
def client() -> Iterator[TestClient]:
    app = create_app(SMALL)
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as there:
        yield there


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """A server that a browser can reach."""
    free = socket.socket()
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
    config = uvicorn.Config(create_app(SMALL), log_level="error", h11_max_incomplete_event_size=1 << 20)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [free]}, daemon=True)
    thread.start()
    end = time.monotonic() + 60
    while not server.started and time.monotonic() < end:
        thread.join(0.05)
    assert server.started
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(20)
