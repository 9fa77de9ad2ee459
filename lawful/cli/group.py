"""The group of commands: a table of names, so that help needs no command's module."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

from lawful.cli.guard import ReaderGone

COMMANDS = {
    "pay": ("lawful.cli.pay", "Every legal way to pay a cost, or why there is none."),
    "check": ("lawful.cli.check", "Is this declaration legal, and if not, why not."),
    "order": ("lawful.cli.order", "In which order effects apply, and everything that can come out."),
    "stress": ("lawful.cli.stress", "What breaks when cards meet others, with the smallest position that shows it."),
    "cards": ("lawful.cli.cards", "Read card files; say how much of their text was understood."),
    "new": ("lawful.cli.new", "Start a folder for cards of your own."),
    "test": ("lawful.cli.test", "Run case files and check what they expect."),
    "serve": ("lawful.cli.serve", "The page and the HTTP API, on this machine."),
    "schema": ("lawful.cli.schema", "The JSON Schema of case files, card files and ruleset files."),
    "doctor": ("lawful.cli.doctor", "Is everything here that answers need, and does it count right?"),
}


HELP = """Exact answers, with reasons, about card-game positions.

\b
  lawful pay --game fab --cost 3c1r --hand "Inner Chi, blue"
  lawful pay --game fab --cost 4r --hand "red, red, yellow, blue" --by-name
  lawful pay my.case.yaml --json
  lawful order my.case.yaml --graph out.svg
  lawful test cases/
"""


class LazyGroup(click.Group):
    """Imports a command's module when the command is used, never for the list of commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command, or return None where there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(COMMANDS[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the arguments; the page of help may be printed here."""
        try:
            return super().make_context(*args, **kwargs)
        except BrokenPipeError:
            raise ReaderGone from None

    def invoke(self, ctx: click.Context) -> object:
        """Run the command."""
        try:
            code = super().invoke(ctx)
            sys.stdout.flush()
            return code
        except BrokenPipeError:
            raise ReaderGone from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; name the closest where there is none."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            closest = get_close_matches(args[0], COMMANDS, n=1)
            hint = f"Did you mean {closest[0]!r}?" if closest else f"There are: {', '.join(COMMANDS)}."
            ctx.fail(f"No such command {args[0]!r}. {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
    help=HELP,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 legal; 1 illegal, an expectation failed, or findings; 2 wrong usage; 3 unreadable input; "
    "4 undetermined, or a limit was reached first; 69 a library is missing; 70 a bug of ours; "
    "74 the answer could not be written; 130 interrupted.",
)
@click.version_option(package_name="lawful", message="%(prog)s %(version)s")
def lawful() -> None:
    """Exact answers, with reasons, about card-game positions."""
