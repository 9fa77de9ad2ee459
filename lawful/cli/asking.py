"""From a case file or from options to questions."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lawful.model.declaration import Question
from lawful.model.errors import BadInput, Fault
from lawful.model.payment import Claim
from lawful.model.ruleset import Ruleset

if TYPE_CHECKING:
    from lawful.cards.library import CardLibrary


@dataclass(frozen=True, slots=True)
class Asking:
    """A question, with what is said around it.

    Parameters
    ----------
    question : Question
        What is asked.
    claim : Claim, optional
        One given payment that is to be judged; None asks for every way.
    name : str
        The case's name; empty for a question of options.
    left_out : tuple of str
        Rows of card files that could not be read.
    """

    question: Question
    claim: Claim | None = None
    name: str = ""
    left_out: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What is paid, as a headline says it: ``3c1r``, ``Some Name (2r)``."""
        from lawful.titles import title

        return title(self.question)


def from_file(file: str, choices: bool = False, ignore_unread: bool = False) -> list[Asking]:
    """Read the questions of a case file.

    Parameters
    ----------
    file : str
        Its path, or ``-`` for standard input.
    choices : bool
        Whether what may be chosen is asked: then a text that a case would carry out is one whose choices are open.
    ignore_unread : bool
        Whether text of cards that was not read is assumed not to matter; a case may say so itself.

    Returns
    -------
    list of Asking
        One a case, in the order written.

    Raises
    ------
    BadInput, UnknownName
        If it cannot be read.
    """
    from lawful.cards import Opened
    from lawful.checking import of_choices
    from lawful.leftout import faulty_rows
    from lawful.model.casefile import read_cases

    source = sys.stdin.read() if file == "-" else Path(file)
    opened = Opened()
    cases = read_cases(source, file=file, open_library=opened)
    asked = [of_choices(case) if choices else case for case in cases]
    other = [case for case in asked if case.order is not None]
    if other:
        raise BadInput(
            [Fault("this case says what happens, not what is paid", c.file, c.line, 1, "lawful order") for c in other]
        )
    faults = _told(faulty_rows(opened.libraries))
    return [
        Asking(
            replace(q := case.question, ignore_unread=q.ignore_unread or ignore_unread), case.claim, case.name, faults
        )
        for case in asked
    ]


def inline_question(given: Mapping[str, Any]) -> Asking:
    """Put a question together from options.

    Parameters
    ----------
    given : mapping
        The options that were given, by their parameters' names.

    Returns
    -------
    Asking
        The question, with the claim of ``--with``.

    Raises
    ------
    BadInput, UnknownName
        If an option cannot be read.
    UsageError
        If no ruleset is named and several ship.
    """
    from lawful.cards.columns import map_of
    from lawful.cards.library import read_libraries
    from lawful.cards.listed import YAML, is_sheet
    from lawful.leftout import faulty_rows
    from lawful.model.casefile import build_question, choose, parse_claim, read_card_file
    from lawful.model.reading.shelf import Libraries, Written

    rest = dict(given)
    ruleset = ruleset_named(rest.pop("game", None))
    steps = rest.pop("with_", None)
    said, modes = rest.pop("targets", ()), rest.pop("modes", None)
    libraries: list[CardLibrary] = []
    columns = rest.pop("columns", None)
    if "cards" in rest:
        own = [path for path in rest["cards"] if path.casefold().endswith(YAML) and not is_sheet(path)]
        tables = [path for path in rest["cards"] if path not in own]
        libraries = read_libraries(tables, ruleset, map_of(columns, ruleset) if columns is not None else {})
        shelves = [*(Written(read_card_file(path, ruleset)) for path in own), *libraries]
        rest["cards"] = shelves[0] if len(shelves) == 1 else Libraries(shelves)
    question = build_question(ruleset, **rest)
    if said or modes is not None:
        question = choose(question, said, modes)
    claim = parse_claim(steps, question) if steps is not None else None
    return Asking(question, claim, left_out=_told(faulty_rows(libraries)))


def _told(lines: Iterable[str]) -> tuple[str, ...]:
    """Say what could not be read, each sentence once."""
    told = tuple(dict.fromkeys(lines))
    for line in told:
        print(line, file=sys.stderr)
    return told


def ruleset_named(game: str | None) -> Ruleset:
    """Return the ruleset that is named; where none is, the only one that ships."""
    from lawful.model.rulesets import load_ruleset

    return load_ruleset(game or _only_ruleset())


def _only_ruleset() -> str:
    """Return the one ruleset that ships; where there are several, which one is meant must be said."""
    import click

    from lawful.model.rulesets import shipped

    names = shipped()
    if len(names) != 1:
        raise click.UsageError(f"which game? Give --game, one of: {', '.join(names)}")
    return names[0]
