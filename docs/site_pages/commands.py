"""The commands, as they print their own help."""

from __future__ import annotations

import click

from lawful.cli.group import lawful


def made(argument: str) -> str:
    """Return the help of all commands."""
    context = click.Context(lawful, info_name="lawful", terminal_width=100)
    parts = []
    for name in lawful.list_commands(context):
        command = lawful.get_command(context, name)
        assert command is not None
        inner = click.Context(command, info_name=name, parent=context, terminal_width=100)
        parts.append(f"## lawful {name}\n\n```text\n{command.get_help(inner)}\n```\n")
    return "\n".join(parts)
