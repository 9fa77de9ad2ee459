"""``lawful cards``: reads card files and says how much of their text was understood."""

from __future__ import annotations

import click

HELP = """Read a card file; say what was read, and what was not.

FILE is a published card file, a folder of packs, or a table or YAML list of your own, with columns such as name, types,
cost, text. Faulty rows are listed and left out; the others are read.

\b
  lawful cards card.csv --game fab
  lawful cards packs/ --game mc --coverage
  lawful cards mine.csv --with card.csv --show "My Card"
  lawful cards mine.csv --game fab --columns "name=Titel, types=Art, cost=Kosten, text=Regeltext"
"""


@click.command("cards", help=HELP)
@click.argument("file")
@click.option("--game", metavar="NAME", help="Ruleset: its name, or the path of its file.")
@click.option("--with", "others", metavar="PATH", multiple=True, help="Card files whose names the texts may use.")
@click.option("--columns", metavar="MAP", help="What the columns of FILE are: 'name=Titel, types=Art, text=Regeltext'.")
@click.option("--coverage", is_flag=True, help="Count the clauses of every kind: found, read, not read.")
@click.option("--kind", metavar="KIND", help="With --coverage: list what was not read of this kind.")
@click.option("--by-type", is_flag=True, help="With --coverage: a table for every kind of card.")
@click.option("--examples", type=click.IntRange(min=0), default=3, metavar="N", help="Examples of each kind.")
@click.option("--show", "shown", metavar="NAME", multiple=True, help="Show this card as data, with what was not read.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def command(
    file: str,
    game: str | None,
    others: tuple[str, ...],
    columns: str | None,
    coverage: bool,
    kind: str | None,
    by_type: bool,
    examples: int,
    shown: tuple[str, ...],
    as_json: bool,
) -> int:
    """Read, show; return the exit code."""
    if coverage and shown:
        raise click.UsageError("--coverage and --show are two questions: ask one of them")
    if (kind or by_type) and not coverage:
        raise click.UsageError("--kind and --by-type go with --coverage")

    from lawful.cli import carding
    from lawful.cli.asking import ruleset_named

    libraries = carding.open_all([file, *others], ruleset_named(game), columns)
    if coverage:
        return carding.show_coverage(libraries[0], kind, by_type, examples, as_json)
    if shown:
        return carding.show_cards(libraries, shown, as_json)
    return carding.show_summary(libraries[0], as_json)
