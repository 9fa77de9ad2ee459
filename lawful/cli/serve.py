"""``lawful serve``: the page and the HTTP API, on this machine."""

from __future__ import annotations

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
@click.option("--memory", type=click.IntRange(512, 1 << 20), metavar="MB", help="Address space of one worker.")
def command(
    host: str,
    port: int,
    cards: tuple[str, ...],
    games: tuple[str, ...],
    workers: int | None,
    seconds: float | None,
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
    settings = Settings(cards=cards, rulesets=games)
    if workers is not None:
        settings = replace(settings, workers=workers)
    if seconds is not None:
        settings = replace(settings, seconds=seconds, most_seconds=max(seconds, settings.most_seconds))
    if memory is not None:
        settings = replace(settings, memory=memory << 20)
    catalog = Catalog(cards, games)  # what cannot be read is said now
    catalog.readable()
    longest = 1 << 20  # of a link: a state may hold a case file
    there = app.create_app(settings)
    uvicorn.run(there, host=host, port=port, log_level="warning", h11_max_incomplete_event_size=longest)
    return 0
