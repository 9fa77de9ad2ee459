"""``lawful check``: is this declaration legal, and if not, why not."""

from __future__ import annotations

from typing import Any

import click

from lawful.cli.kinds import SECONDS
from lawful.cli.speaking import lang_option
from lawful.model.limits import Limits

DEFAULT = Limits()
HELP = """Is this declaration legal? If not: every minimal reason, and the nearest legal change.

FILE is a case file, or - for standard input; without one the question is asked with options. What is not said is
open: it is legal if it can be completed.

\b
  lawful check my.case.yaml
  lawful check my.case.yaml --why-not Guardian
  lawful check --game fab --cards my.cards.yaml --play Bolt --in-play "Wolf, Bear" --target Wolf --hand blue
  lawful check --game fab --cards card.csv --play "Some Name (red)" --zone "arsenal: Some Name (red)" --hand blue
"""


@click.command("check", help=HELP)
@click.argument("file", required=False)
@click.option("--game", metavar="NAME", help="Ruleset: its name, or the path of its file.")
@click.option("--rules", metavar="VERSION", help="Version of the rules that is cited.")
@click.option("--cost", metavar="COST", help="What is due: 3c1r, {c}{r}, X.")
@click.option("--hand", metavar="NAMES", help="Cards in hand, by commas; a name with a comma in quotes.")
@click.option("--float", "float_", metavar="POOL", help="What floats already: 1c2r.")
@click.option("--in-play", "--board", metavar="NAMES", help="Objects that the player has in play, by commas.")
@click.option("--opposing", metavar="NAMES", help="Objects that the opponent has in play, by commas.")
@click.option(
    "--zone", "zones", metavar="ZONE:NAMES", multiple=True, help="What lies elsewhere: 'graveyard: A, B', 'deck: A x3'."
)
@click.option("--fact", "facts", metavar="NAME=VALUE", multiple=True, help="What holds of the player: 'form=hero'.")
@click.option("--play", metavar="NAME", help="Play this card.")
@click.option("--activate", metavar="NAME", help="Use an ability of this object.")
@click.option("--ability", metavar="NAME", help="Which ability, where there are several.")
@click.option("--cards", metavar="PATH", multiple=True, help="A card file: *.cards.yaml, or a published one.")
@click.option("--columns", metavar="MAP", help="What the columns of the first --cards are: 'name=Titel, types=Art'.")
@click.option("--target", "targets", metavar="NAME", multiple=True, help="Chosen for a slot: 'Wolf', 'target #2=Bear'.")
@click.option("--mode", "modes", metavar="NAME", multiple=True, help="A mode that is chosen.")
@click.option(
    "--option", "options", metavar="NAME", multiple=True, help="An optional or alternative cost that is used."
)
@click.option("--x", type=click.IntRange(min=0), metavar="N", help="The value of X; else it is open.")
@click.option("--free", is_flag=True, help="An effect lets the card be played without paying its cost.")
@click.option("--with", "with_", metavar="STEPS", help="The payment, in this order: 'Inner Chi > blue'.")
@click.option("--why-not", metavar="OBJECT", help="Show why this one object cannot be chosen.")
@click.option("--ignore-unread", is_flag=True, help="Assume that text of cards that was not read does not matter.")
@click.option("--seconds", type=SECONDS, metavar="S", help="Time for one answer.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@lang_option
def command(
    file: str | None, why_not: str | None, ignore_unread: bool, seconds: float | None, as_json: bool, **inline: Any
) -> int:
    """Ask, answer, show; return the exit code."""
    given = {name: value for name, value in inline.items() if value is not None and value is not False and value != ()}
    if file is None and not given.keys() & {"cost", "play", "activate"}:
        raise click.UsageError("what is declared? Give --play, --activate or --cost, or a case file")
    if file is not None and given:
        names = ", ".join("--" + name.rstrip("_").replace("_", "-") for name in given)
        raise click.UsageError(f"{names}: a case file says that itself")

    from lawful.cli.answering import check_all
    from lawful.cli.asking import from_file, inline_question

    limits = Limits(seconds=DEFAULT.seconds if seconds is None else seconds)
    if file is not None:
        askings = from_file(file, choices=True, ignore_unread=ignore_unread)
    else:
        askings = [inline_question({**given, "ignore_unread": ignore_unread})]
    return check_all(askings, limits, why_not, as_json)
