"""``lawful stress``: what breaks when cards meet others, each with the smallest position that shows it."""

from __future__ import annotations

import click

from lawful.cli.kinds import SECONDS
from lawful.cli.speaking import lang_option
from lawful.model.stress import CHECKS

HELP = """What breaks when cards meet others, each with the smallest position that shows it.

CARDS are card files: cards in YAML, your own table, a published file.

\b
  lawful stress mine.cards.yaml --game fab
  lawful stress mine.csv --against card.csv --game fab --store sweep.db --report sweep.html
  lawful stress card.csv --against card.csv --game fab --store sweep.db --executor processes:2
  lawful stress mine.cards.yaml --game fab --promises promises.yaml --check invariant
  lawful stress mine.cards.yaml --game bh --cases found/ --baseline known.json
"""


@click.command("stress", help=HELP)
@click.argument("cards", nargs=-1, required=True)
@click.option("--game", metavar="NAME", required=True, help="Ruleset: its name, or the path of its file.")
@click.option("--against", metavar="PATH", multiple=True, help="Card files that the cards meet; else the same cards.")
@click.option("--card", "only", metavar="NAME", multiple=True, help="Only this card of CARDS is in question.")
@click.option("--check", "checks", type=click.Choice(CHECKS), multiple=True, help="Only this check.")
@click.option("--groups", type=click.IntRange(1, 3), default=2, show_default=True, help="Single cards, pairs, triples.")
@click.option("--promises", metavar="FILE", help="Promises that every card is to keep, for the check invariant.")
@click.option(
    "--executor", default="processes", show_default=True, metavar="E", help="here, processes:N, dask://HOST:PORT."
)
@click.option("--store", metavar="FILE", help="Keep results here; what is in it is not done again.")
@click.option("--resume", is_flag=True, help="The store has to be there already.")
@click.option(
    "--random", type=click.IntRange(min=0), default=0, metavar="N", help="Random positions beyond the bounds."
)
@click.option("--seed", type=int, default=0, metavar="S", help="What they depend on; else 0.")
@click.option("--seconds", type=SECONDS, metavar="N", help="Time for one check of a group; else 300.")
@click.option("--baseline", metavar="FILE", help="Known findings: only others make the exit code 1.")
@click.option("--update-baseline", is_flag=True, help="Write the findings to the baseline file.")
@click.option("--report", metavar="FILE.html", help="Write one page with everything.")
@click.option("--cases", metavar="FOLDER", help="Write each finding as a case file into this folder.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document: the summary and the findings.")
@click.option("--jsonl", is_flag=True, help="JSON lines, one a result.")
@lang_option
def command(**given: object) -> int:
    """Sweep, show; return the exit code."""
    from lawful.cli.stressing import sweep

    return sweep(**given)  # type: ignore[arg-type]
