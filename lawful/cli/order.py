"""``lawful order``: in which order effects apply, and everything that can come out."""

from __future__ import annotations

import click

from lawful.cli.kinds import SECONDS
from lawful.cli.speaking import lang_option

HELP = """In which order effects apply, what can come out, and who chooses it.

FILE is a case file whose cases say what happens (`when: {do: [...]}`), or - for standard input.

\b
  lawful order my.case.yaml
  lawful order my.case.yaml --graph out.svg
  lawful order my.case.yaml --graph out.dot
  lawful order my.case.yaml --explain
  lawful order my.case.yaml --json
"""


@click.command("order", help=HELP)
@click.argument("file")
@click.option("-k", "only", metavar="TEXT", default="", help="Only cases whose name has this text.")
@click.option("--graph", metavar="FILE", help="Write the graph: .svg, .dot, .mmd (Mermaid), .txt or .json.")
@click.option("--explain", is_flag=True, help="Show the graph, each edge with its reason.")
@click.option("--ignore-unread", is_flag=True, help="Assume that text of cards that was not read does not matter.")
@click.option("--seconds", type=SECONDS, metavar="S", help="Time for one answer.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@lang_option
def command(
    file: str,
    only: str,
    graph: str | None,
    explain: bool,
    ignore_unread: bool,
    seconds: float | None,
    as_json: bool,
) -> int:
    """Ask, answer, show; return the exit code."""
    from lawful.cli.outcomes import answer_orders

    return answer_orders(file, only, graph, explain, seconds, as_json, ignore_unread)
