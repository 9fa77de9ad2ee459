"""``lawful test``: runs case files and checks what they expect."""

from __future__ import annotations

import click

HELP = """Run case files and check what they expect.

A folder stands for all *.case.yaml below it; - is standard input.

\b
  lawful test cases/
  lawful test my.case.yaml -k tax
  lawful test cases/ --rows
  lawful test cases/ --mutate
"""


@click.command("test", help=HELP)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("-k", "text", metavar="TEXT", default="", help="Only cases whose file or name has this text.")
@click.option("--rows", is_flag=True, help="Show every statement of the rules with its cases, and what is missing.")
@click.option(
    "--mutate", is_flag=True, help="Release one rule after the other; show the releases that no case notices."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def command(paths: tuple[str, ...], text: str, rows: bool, mutate: bool, as_json: bool) -> int:
    """Read the cases, run them, show what came of it; return the exit code."""
    if rows and mutate:
        raise click.UsageError("--rows and --mutate are two questions: ask one of them")

    from lawful.cli import testing

    cases = testing.read(paths, text)
    if rows:
        return testing.show_rows(cases, as_json)
    if mutate:
        return testing.show_survivors(cases, as_json)
    return testing.show_checks(cases, as_json)
