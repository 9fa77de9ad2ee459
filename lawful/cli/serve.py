"""``lawful serve``: the page and the HTTP API, on this machine."""

from __future__ import annotations

import os
import socket

import click

from lawful.cli.kinds import SECONDS

HELP = """The page and the HTTP API, on this machine.

\b
  lawful serve
  lawful serve --port 8080 --cards card.csv --cards packs/
"""


@click.command("serve", help=HELP)
@click.option("--host", default="127.0.0.1", metavar="ADDRESS", show_default=True, help="Where to listen.")
@click.option("--port", default=8000, type=click.IntRange(0, 65535), metavar="N", show_default=True, help="0: any.")
@click.option("--cards", metavar="PATH", multiple=True, help="A card file whose cards are known by name.")
@click.option("--game", "games", metavar="PATH", multiple=True, help="The file of a further game.")
@click.option("--workers", type=click.IntRange(1, 256), metavar="N", help="Questions answered at the same time.")
@click.option("--seconds", type=SECONDS, metavar="S", help="Time for one answer, where the request says nothing.")
@click.option("--openapi", is_flag=True, help="Print the API's OpenAPI document instead.")
@click.option("--name", "names", metavar="HOST", multiple=True, help="A name under which browsers reach the server.")
@click.option("--memory", type=click.IntRange(512, 1 << 20), metavar="MB", help="Address space of one worker.")
def command(
    host: str,
    port: int,
    cards: tuple[str, ...],
    games: tuple[str, ...],
    workers: int | None,
    seconds: float | None,
    names: tuple[str, ...],
    memory: int | None,
    openapi: bool,
) -> int:
    """Serve until interrupted; return the exit code."""
    from dataclasses import replace

    import uvicorn

    from lawful.web import app
    from lawful.web.questions import Catalog
    from lawful.web.settings import Settings

    if openapi:
        print(app.openapi(), end="")
        return 0
    # A name that the server listens at is one of its own.
    settings = Settings(cards=cards, rulesets=games, names=(*names, host))
    if workers is not None:
        settings = replace(settings, workers=workers)
    if seconds is not None:
        settings = replace(settings, seconds=seconds, most_seconds=max(seconds, settings.most_seconds))
    if memory is not None:
        settings = replace(settings, memory=memory << 20)
    catalog = Catalog(cards, games)  # what cannot be read is said now
    catalog.readable()
    there = _listen(host, port)
    config = uvicorn.Config(
        app.create_app(settings),
        log_level="warning",
        http="h11",
        h11_max_incomplete_event_size=LONGEST,
        timeout_graceful_shutdown=PATIENCE,
    )
    at, on = there.getsockname()[:2]
    shown = f"[{at}]" if ":" in at else at
    print(f"lawful is at http://{shown}:{on}; Ctrl+C ends it", flush=True)
    uvicorn.Server(config).run(sockets=[there])
    return 0


LONGEST = 1 << 20
"""Of a link: a state may hold a case file."""
PATIENCE = 3
"""How long answers that are under way may still take when the server is ended, in seconds."""


def _listen(host: str, port: int) -> socket.socket:
    """Return the socket that is listened at."""
    try:
        place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        there = socket.socket(*place[:3])
        if os.name != "nt":  # there it would take the place of another server
            there.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        there.bind(place[4])
        there.listen(2048)  # whoever comes before the server is ready waits
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise click.ClickException(f"cannot listen at {host}:{port}: {why}") from None
    return there
