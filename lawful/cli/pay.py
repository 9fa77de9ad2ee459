"""``lawful pay``: every legal way to pay a cost, or why there is none."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

import click

from lawful.model.limits import Limits
from lawful.model.payment import LEVELS

if TYPE_CHECKING:
    from lawful.model.payment import Level

DEFAULT = Limits()
HELP = """Every legal way to pay a cost, or why there is none.

FILE is a case file, or - for standard input; without one the question is asked with options.

\b
  lawful pay --cost 3c1r --hand "Inner Chi, blue"
  lawful pay --cost 1r --float 2c --hand "red, blue" --level sequences --explain
  lawful pay --cost 3c1r --hand "Inner Chi, blue" --with "Inner Chi > blue"
  lawful pay --cards card.csv --play "Some Name (red)" --hand "Other Name (blue), yellow"
  lawful pay my.case.yaml --json
"""


class Seconds(click.FloatRange):
    """A number of seconds: a real one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse what is no finite number."""
        found = super().convert(value, param, ctx)
        if not isfinite(found):
            self.fail(f"{value!r} is no number of seconds", param, ctx)
        return found


@click.command("pay", help=HELP)
@click.argument("file", required=False)
@click.option("--game", metavar="NAME", help="Ruleset: its name, or the path of its file.")
@click.option("--rules", metavar="VERSION", help="Version of the rules that is cited.")
@click.option("--cost", metavar="COST", help="What is due: 3c1r, {c}{r}, X, '1r | 3c'.")
@click.option("--hand", metavar="NAMES", help="Cards in hand, by commas; a name with a comma in quotes.")
@click.option("--float", "float_", metavar="POOL", help="What floats already: 1c2r.")
@click.option("--in-play", metavar="NAMES", help="Objects that the payer has in play, by commas.")
@click.option("--play", metavar="NAME", help="Play this card: its own costs are due.")
@click.option("--cards", metavar="PATH", help="A published card file, for the names of cards.")
@click.option("--x", type=click.IntRange(min=0), metavar="N", help="The value of X; else every value is answered.")
@click.option(
    "--option", "options", metavar="NAME", multiple=True, help="An optional or alternative cost that is used."
)
@click.option("--free", is_flag=True, help="An effect lets the card be played without paying its cost.")
@click.option("--instant", is_flag=True, help="The card is played as an instant.")
@click.option("--with", "with_", metavar="STEPS", help="Judge this payment, in this order: 'Inner Chi > blue'.")
@click.option("--level", type=click.Choice(LEVELS), help="What counts as one way; else the ruleset's own level.")
@click.option("--by-name", is_flag=True, help="Merge ways that differ only in which of equal cards is used.")
@click.option("--explain", is_flag=True, help="Show every step with the number of its rule.")
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="List at most N ways; the count stays whole.")
@click.option("--seconds", type=Seconds(min=0, min_open=True), metavar="S", help="Time for one answer.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def command(
    file: str | None,
    level: Level | None,
    by_name: bool,
    explain: bool,
    limit: int | None,
    seconds: float | None,
    as_json: bool,
    **inline: Any,
) -> int:
    """Ask, answer, show; return the exit code."""
    given = {name: value for name, value in inline.items() if value not in (None, False, ())}
    if file is None and not given.keys() & {"cost", "play"}:
        raise click.UsageError("what is to be paid? Give --cost, or --play, or a case file")
    if file is not None and given:
        names = ", ".join("--" + name.rstrip("_").replace("_", "-") for name in given)
        raise click.UsageError(f"{names}: a case file says that itself")

    from lawful.cli.answering import Manner, answer_all
    from lawful.cli.asking import from_file, inline_question

    limits = Limits(
        seconds=DEFAULT.seconds if seconds is None else seconds,
        listed=DEFAULT.listed if limit is None else limit,
    )
    questions = from_file(file) if file is not None else [inline_question(given)]
    return answer_all(questions, Manner(level, limits, by_name, explain, as_json))
