"""``lawful doctor``: is everything here that answers need, and does it count right."""

from __future__ import annotations

import click

HELP = """Is everything here that answers need, and does it count right?

Looks at the libraries and their versions; counts the solutions of small models whose number is known, by enumeration,
by decision diagram and with a proof; reads the rulesets and cases that come with the package. Exit code 0 if all is
well, else 1.

\b
  lawful doctor
  lawful doctor --cards card.csv
  lawful doctor --json
"""


@click.command("doctor", help=HELP)
@click.option("--cards", metavar="PATH", multiple=True, help="A published card file that must be readable too.")
@click.option("--game", metavar="NAME", help="The game of that card file; else any that can read it.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def command(cards: tuple[str, ...], game: str | None, as_json: bool) -> int:
    """Look, show, return the exit code."""
    from lawful.cli import doctoring

    return doctoring.show(doctoring.look(cards, game), as_json)
