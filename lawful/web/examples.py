"""The cases that come with the package, each by itself, as something to start from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from lawful.model.casefile import read_cases
from lawful.model.errors import BadInput
from lawful.web.state import State


@dataclass(frozen=True, slots=True)
class Example:
    """One case.

    Parameters
    ----------
    file : str
        Where it stands.
    group : str
        What it is about.
    name : str
        Its name.
    ask : str
        What it asks.
    game : str
        The game's name.
    link : str
        The page that shows it.
    """

    file: str
    group: str
    name: str
    ask: str
    game: str
    link: str


@cache
def examples() -> tuple[Example, ...]:
    """Return the cases that need no other file, in the order of their files."""
    found: list[Example] = []
    for folder in ("games", "conformance"):
        home = files("lawful.cases") / folder
        for file in sorted(home.iterdir(), key=lambda one: one.name):
            if file.name.endswith(".case.yaml"):
                found += _of(file, folder)
    return tuple(found)


def _of(file: Traversable, folder: str) -> list[Example]:
    name = f"{folder}/{file.name}"
    found = []
    for text in split(file.read_text(encoding="utf8")):
        try:
            (case,) = read_cases(text, file=name, sealed={})
        except BadInput:
            continue  # it uses another file
        state = State(ask=case.ask, case=text)
        group = f"{case.question.ruleset.name}: {file.name.removesuffix('.case.yaml')} ({folder})"
        found.append(Example(name, group, case.name, case.ask, case.question.ruleset.name, state.link()))
    return found


def split(text: str) -> list[str]:
    r"""Return the documents of a file, each with the comments that stand before it.

    Examples
    --------
    >>> split("# a\n---\ncase: b\n---\ncase: c\n")
    ['case: b\n', 'case: c\n']
    """
    found, now = [], list[str]()
    for line in [*text.splitlines(), "---"]:
        if line.rstrip() != "---":
            now.append(line)
            continue
        whole = "\n".join(one for one in now if not one.startswith("# yaml-language-server")).strip()
        if any(one.startswith("case:") for one in whole.splitlines()):
            found.append(whole + "\n")
        now = []
    return found
