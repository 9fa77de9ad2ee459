"""``lawful pay``: every legal way to pay a cost, or why there is none."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from lawful.cli.kinds import SECONDS
from lawful.cli.ordering import Order
from lawful.cli.speaking import lang_option
from lawful.model.limits import Limits
from lawful.model.page import SAMPLE_MOST
from lawful.model.payment import LEVELS

if TYPE_CHECKING:
    from lawful.cli.asking import Asking
    from lawful.model.payment import Level

DEFAULT = Limits()
UNDETERMINED = 4
SAMPLE = click.IntRange(min=1, max=SAMPLE_MOST)
HELP = """Every legal way to pay a cost, or why there is none.

FILE is a case file, or - for standard input; without one the question is asked with options.

\b
  lawful pay --game fab --cost 3c1r --hand "Inner Chi, blue"
  lawful pay --game mc --cost "1 & Xe" --hand "ee, w" --all
  lawful pay --game bh --cost X --coins 3
  lawful pay --game fab --cost 1r --float 2c --hand "red, blue" --level sequences --explain
  lawful pay --game fab --cost 3c1r --hand "Inner Chi, blue" --with "Inner Chi > blue"
  lawful pay --game fab --cards card.csv --play "Some Name (red)" --hand "Other Name (blue)" --board "Third Name"
  lawful pay --game fab --cost 6r --hand "red, red, yellow, blue, blue" --best "keep blue, few cards" --limit 3
  lawful pay my.case.yaml --json
"""


@click.command("pay", help=HELP)
@click.argument("file", required=False)
@click.option("--game", metavar="NAME", help="Ruleset: its name, or the path of its file.")
@click.option("--rules", metavar="VERSION", help="Version of the rules that is cited.")
@click.option("--cost", metavar="COST", help="What is due: 3c1r, {c}{r}, X, '1r | 3c'.")
@click.option("--hand", metavar="NAMES", help="Cards in hand, by commas; a name with a comma in quotes.")
@click.option("--float", "float_", metavar="POOL", help="What floats already: 1c2r.")
@click.option("--in-play", "--board", metavar="NAMES", help="Objects that the payer has in play, by commas.")
@click.option("--opposing", metavar="NAMES", help="Objects that the opponent has in play, by commas.")
@click.option(
    "--zone", "zones", metavar="ZONE:NAMES", multiple=True, help="What lies elsewhere: 'graveyard: A, B', 'deck: A x3'."
)
@click.option("--fact", "facts", metavar="NAME=VALUE", multiple=True, help="What holds of the payer: 'form=hero'.")
@click.option("--coins", type=click.IntRange(min=0), metavar="N", help="Open coins, in a game that has them.")
@click.option("--players", type=click.IntRange(min=1), metavar="N", help="How many players there were at the start.")
@click.option("--play", metavar="NAME", help="Play this card: its own costs are due.")
@click.option("--activate", metavar="NAME", help="Use an ability of this object: its costs are due.")
@click.option("--ability", metavar="NAME", help="Which ability, where the object has several.")
@click.option(
    "--cards", metavar="PATH", multiple=True, help="A card file, for the names of cards: published, or your own."
)
@click.option("--columns", metavar="MAP", help="What the columns of the first --cards are: 'name=Titel, types=Art'.")
@click.option("--x", type=click.IntRange(min=0), metavar="N", help="The value of X; else every value is answered.")
@click.option(
    "--option", "options", metavar="NAME", multiple=True, help="An optional or alternative cost that is used."
)
@click.option("--free", is_flag=True, help="An effect lets the card be played without paying its cost.")
@click.option("--instant", is_flag=True, help="The card is played as an instant.")
@click.option("--with", "with_", metavar="STEPS", help="Judge this payment, in this order: 'Inner Chi > blue'.")
@click.option("--level", type=click.Choice(LEVELS), help="What counts as one way; else the ruleset's own level.")
@click.option("--by-name", is_flag=True, help="Merge ways that differ only in which of equal cards is used.")
@click.option("--by-source", is_flag=True, help="Tell apart whose points paid for what.")
@click.option("--minimal/--all", default=None, help="List only ways without a superfluous source, or every way.")
@click.option("--explain", is_flag=True, help="Show every step with the number of its rule.")
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="List at most N ways; the count stays whole.")
@click.option("--from", "start", type=click.IntRange(min=0), metavar="RANK", help="List from this rank on; 0 is first.")
@click.option("--sample", type=SAMPLE, metavar="N", help="List N different ways, drawn at random.")
@click.option("--seed", type=int, default=0, metavar="S", help="What the draw depends on; else 0.")
@click.option("--best", metavar="WISHES", help="List the best first: 'keep blue', 'use red', 'few cards', 'low X', ...")
@click.option("--prove", is_flag=True, help="Let CP-SAT prove that these are all ways, and nothing but ways.")
@click.option("--export", metavar="FILE", help="Write all ways to FILE: .npz, .arrow or .parquet.")
@click.option("--ignore-unread", is_flag=True, help="Assume that text of cards that was not read does not matter.")
@click.option("--seconds", type=SECONDS, metavar="S", help="Time for one answer.")
@click.option("--progress/--no-progress", default=None, help="Show progress on long work; else only on a terminal.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.option("--jsonl", is_flag=True, help="JSON lines, one a way, as they are found; --limit only if given.")
@lang_option
def command(
    file: str | None,
    level: Level | None,
    by_name: bool,
    by_source: bool,
    minimal: bool | None,
    explain: bool,
    coins: int | None,
    limit: int | None,
    seconds: float | None,
    start: int | None,
    sample: int | None,
    seed: int,
    best: str | None,
    prove: bool,
    export: str | None,
    progress: bool | None,
    as_json: bool,
    jsonl: bool,
    ignore_unread: bool,
    **inline: Any,
) -> int:
    """Ask, answer, show; return the exit code."""
    # By identity: X = 0 is said, and equals False.
    given = {n: value for n, value in inline.items() if value is not None and value is not False and value != ()}
    if coins is not None:
        given["stock"] = {"coins": coins}
    if file is None and not given.keys() & {"cost", "play", "activate"}:
        raise click.UsageError("what is to be paid? Give --cost, --play, --activate, or a case file")
    if file is not None and given:
        said = ["coins" if name == "stock" else name for name in given]
        names = ", ".join("--" + name.rstrip("_").replace("_", "-") for name in said)
        raise click.UsageError(f"{names}: a case file says that itself")

    _fits(start, sample, best, by_name, jsonl, as_json, explain or prove, bool(given.get("with_")))

    from lawful.cli.answering import Manner, answer_all
    from lawful.cli.asking import from_file, inline_question

    limits = Limits(
        seconds=DEFAULT.seconds if seconds is None else seconds,
        listed=DEFAULT.listed if limit is None else limit,
    )
    if file is not None:
        questions = from_file(file, ignore_unread=ignore_unread)
    else:
        questions = [inline_question({**given, "ignore_unread": ignore_unread})]
    others = (minimal, jsonl, as_json, by_name, by_source, explain, prove, limit, best, sample, start)
    if export is not None and any(option is not None and option is not False for option in others):
        raise click.UsageError("--export writes all ways: it goes with --level only")
    if minimal and level == "outcomes":
        raise click.UsageError("--minimal speaks of sources: it goes without --level outcomes")
    if jsonl and by_source:
        raise click.UsageError("--jsonl goes without --by-source: ask for --level sequences")
    if export is not None:
        return _export(questions, level, limits, export, seconds is not None, progress)
    order = Order(start or 0, sample, seed, best, bool(minimal))
    manner = Manner(level, limits, by_name, explain, as_json, order, prove, jsonl, limit, minimal, by_source)
    manner = replace(manner, timed=seconds is not None, progress=progress)
    return answer_all(questions, manner)


def _export(
    questions: list[Asking], level: Level | None, limits: Limits, path: str, timed: bool, progress: bool | None
) -> int:
    from lawful.cli.progress import working
    from lawful.export import export
    from lawful.leftout import say_left_out
    from lawful.text import say
    from lawful.unread import unread

    if len(questions) > 1:
        raise click.UsageError("--export writes one answer: the file holds several cases")
    if questions[0].claim is not None:
        raise click.UsageError("--export writes all ways: the case judges one payment")
    with working(questions[0].title, progress):
        written = export(questions[0].question, path, level, limits, timed=timed)
    print(say("face.exported", n=written, file=path))
    left = unread(questions[0].question, "pay")
    known = not left or questions[0].question.ignore_unread
    for line in say_left_out(left, None if known else "legal" if written else "illegal"):
        print(line, file=sys.stderr)
    return 0 if known else UNDETERMINED


def _fits(
    start: int | None,
    sample: int | None,
    best: str | None,
    by_name: bool,
    jsonl: bool,
    as_json: bool,
    replayed: bool,
    claimed: bool,
) -> None:
    """Refuse options that contradict each other."""
    if sample is not None and (start is not None or best is not None or by_name):
        raise click.UsageError("--sample draws from all ways: it goes without --from, --best and --by-name")
    if jsonl and as_json:
        raise click.UsageError("--json is one document, --jsonl are many: give one of them")
    if jsonl and replayed:
        raise click.UsageError("--jsonl streams ways as they are found: it goes without --explain and --prove")
    if claimed and (jsonl or sample is not None or start is not None or best is not None):
        raise click.UsageError("--with judges one payment: there is nothing to list")
