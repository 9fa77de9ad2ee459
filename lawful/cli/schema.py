"""``lawful schema``: the JSON Schema of a kind of file, for editors and for programs that write such files."""

from __future__ import annotations

import click

KINDS = ("case", "card", "ruleset")
HELP = """Print the JSON Schema (draft 2020-12) of case files, card files or ruleset files.

It is made from what the readers read. Each document of a file with several is one of what it describes. What only the
rules of a game can say (which zones, assets, verbs there are) is checked when the file is read.

\b
  lawful schema case > case.schema.json
"""


@click.command("schema", help=HELP)
@click.argument("kind", type=click.Choice(KINDS), metavar="|".join(KINDS))
def command(kind: str) -> int:
    """Print it."""
    import json

    from lawful.model.reading.schema_spelled import SCHEMAS

    print(json.dumps(SCHEMAS[kind](), indent=2, ensure_ascii=False))
    return 0
