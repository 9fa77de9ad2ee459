"""What can be asked: put together from a few words, or read from a case file or a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lawful.model.declaration import Question

if TYPE_CHECKING:
    from pathlib import Path

    from lawful.model.casefile import Case


def question(game: str, **given: Any) -> Question:
    """Put a question together from a few words, as the command line does.

    Parameters
    ----------
    game : str
        A ruleset's id, short name or path.
    **given
        Any of `cost`, `hand`, `float_`, `in_play`, `stock`, `play`, `cards`, `x`, `options`, `free`, `instant`,
        `players`, `rules`; see
        `lawful.model.casefile.build_question`.

    Returns
    -------
    Question
        To be asked with `pay` or `judge`.

    Raises
    ------
    BadInput, UnknownName
        If something cannot be read.

    Examples
    --------
    >>> question("fab", cost="3c1r", hand="blue").declaration.kind
    'cost'
    """
    from lawful.model.casefile import build_question
    from lawful.model.rulesets import load_ruleset

    return build_question(load_ruleset(game), **given)


def load(path: str | Path) -> tuple[Case, ...]:
    """Read the cases of a case file.

    Parameters
    ----------
    path : str or Path
        Its path.

    Returns
    -------
    tuple of Case
        In the order written.

    Raises
    ------
    BadInput
        With every fault and its place.
    """
    from pathlib import Path

    from lawful.cards import open_library
    from lawful.model.casefile import read_cases

    return read_cases(Path(path), file=str(path), open_library=open_library)


def read(text: str) -> tuple[Case, ...]:
    """Read the cases of a text, written as in a case file.

    Parameters
    ----------
    text : str
        One case, or several with ``---`` between them. Files that it names are looked for in the working directory.

    Returns
    -------
    tuple of Case
        In the order written.

    Raises
    ------
    BadInput
        With every fault and its place.

    Examples
    --------
    >>> (case,) = read('''
    ... case: a blue card
    ... ruleset: flesh-and-blood
    ... given: {players: {Tyler: {hand: [blue]}}, turn: Tyler}
    ... when: {player: Tyler, cost: 1r}
    ... ''')
    >>> import lawful
    >>> lawful.pay(case).count
    1
    """
    from lawful.cards import open_library
    from lawful.model.casefile import read_cases

    return read_cases(text, file="text", open_library=open_library)
