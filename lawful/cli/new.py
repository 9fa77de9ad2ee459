"""``lawful new``: a designer's starter, with a card sheet, three case files and a file for CI."""

from __future__ import annotations

import click

HELP = """Start a folder for cards of your own: cards.csv, three case files, a file for CI.

DIR is new or empty. In a game whose texts are not read, the cards are set.cards.yaml, with their abilities.

`pytest` and `lawful test .` are green in it from the start. The folder schema is for editors: it completes and explains
what is written in case files.

\b
  lawful new my-set --game fab
"""


@click.command("new", help=HELP)
@click.argument("folder", metavar="DIR")
@click.option("--game", metavar="NAME", help="Ruleset: its name, or the path of its file.")
def command(folder: str, game: str | None) -> int:
    """Write the starter; return the exit code."""
    from lawful.cards.starter import write_starter
    from lawful.cli.asking import ruleset_named

    for file in write_starter(folder, ruleset_named(game)):
        print(file)
    print(f"now: cd {folder} && lawful test .")
    return 0
