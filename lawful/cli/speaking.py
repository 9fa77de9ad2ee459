"""The language of what a command prints: ``--lang``, else what ``LAWFUL_LANG`` says, else English.

The locale of the machine is not asked: the same command prints the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from lawful.model.messages import languages, speak

Command = TypeVar("Command", bound=Callable[..., Any])


def _speak(ctx: click.Context, param: click.Parameter, language: str | None) -> None:
    if language is not None:
        speak(language)


def lang_option(command: Command) -> Command:
    """Give a command the option ``--lang``; it is read before the others, so that their faults can be in it."""
    option = click.option(
        "--lang",
        type=click.Choice(languages()),
        envvar="LAWFUL_LANG",
        expose_value=False,
        is_eager=True,
        callback=_speak,
        show_envvar=True,
        help="Language of the answer; else English.",
    )
    return option(command)
