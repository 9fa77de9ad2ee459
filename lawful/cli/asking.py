"""From a case file or from options to questions."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lawful.model.declaration import Question
from lawful.model.errors import BadInput, Fault
from lawful.model.payment import Claim
from lawful.model.ruleset import Ruleset
from lawful.text import say

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
    unread : tuple of str
        Texts of the cards in question that were not read and are not part of the answer.
    """

    question: Question
    claim: Claim | None = None
    name: str = ""
    unread: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What is paid, as a headline says it: ``3c1r``, ``Some Name (2r)``."""
        from lawful.titles import title

        return title(self.question)


def from_file(file: str, choices: bool = False) -> list[Asking]:
    """Read the questions of a case file.

    Parameters
    ----------
    file : str
        Its path, or ``-`` for standard input.
    choices : bool
        Whether what may be chosen is asked: then a text that a case would carry out is one whose choices are open.

    Returns
    -------
    list of Asking
        One a case, in the order written.

    Raises
    ------
    BadInput, UnknownName
        If it cannot be read.
    """
    from lawful.cards import open_library
    from lawful.checking import of_choices
    from lawful.model.casefile import read_cases
    from lawful.unread import Opened, unread

    source = sys.stdin.read() if file == "-" else Path(file)
    opened = Opened(open_library)
    cases = read_cases(source, file=file, open_library=opened)
    asked = [of_choices(case) if choices else case for case in cases]
    other = [case for case in asked if case.order is not None]
    if other:
        raise BadInput(
            [Fault("this case says what happens, not what is paid", c.file, c.line, 1, "lawful order") for c in other]
        )
    left_out = [unread(opened.libraries, case.question, choices) for case in asked]
    _told(line for lines in left_out for line in lines)
    return [Asking(case.question, case.claim, case.name, said) for case, said in zip(asked, left_out, strict=True)]


def inline_question(given: Mapping[str, Any], choosing: bool = False) -> Asking:
    """Put a question together from options.

    Parameters
    ----------
    given : mapping
        The options that were given, by their parameters' names.
    choosing : bool
        Whether what may be chosen is asked: then a text with a target that was not read bears on the answer.

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
    from lawful.model.casefile import build_question, choose, parse_claim, read_card_file
    from lawful.model.reading.shelf import Libraries, Written
    from lawful.unread import unread

    rest = dict(given)
    ruleset = ruleset_named(rest.pop("game", None))
    steps = rest.pop("with_", None)
    said, modes = rest.pop("targets", ()), rest.pop("modes", None)
    libraries: list[CardLibrary] = []
    columns = rest.pop("columns", None)
    if "cards" in rest:
        own = [path for path in rest["cards"] if path.endswith((".yaml", ".yml"))]
        tables = [path for path in rest["cards"] if path not in own]
        libraries = read_libraries(tables, ruleset, map_of(columns, ruleset) if columns is not None else {})
        shelves = [*(Written(read_card_file(path, ruleset)) for path in own), *libraries]
        rest["cards"] = shelves[0] if len(shelves) == 1 else Libraries(shelves)
    question = build_question(ruleset, **rest)
    if said or modes is not None:
        question = choose(question, said, modes)
    claim = parse_claim(steps, question) if steps is not None else None
    left_out = _told([*unread(libraries, question, choosing), *_faults(libraries)])
    return Asking(question, claim, unread=left_out)


def _told(lines: Iterable[str]) -> tuple[str, ...]:
    """Say what is not part of the answer, each sentence once."""
    told = tuple(dict.fromkeys(lines))
    for line in told:
        print(line, file=sys.stderr)
    return told


def _faults(libraries: Sequence[CardLibrary]) -> Iterator[str]:
    for library in libraries:
        for fault in library.faults[:3]:
            yield say("face.left-out", fault=str(fault))
        if len(library.faults) > 3:
            yield say("face.left-out-more", n=len(library.faults) - 3)


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
