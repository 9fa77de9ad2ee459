"""From a case file or from options to questions."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lawful.model.declaration import Question
from lawful.model.errors import BadInput, Fault
from lawful.model.notation import spell_cost
from lawful.model.payment import Claim
from lawful.text import say


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
    """

    question: Question
    claim: Claim | None = None
    name: str = ""

    @property
    def title(self) -> str:
        """What is paid, as a headline says it: ``3c1r``, ``Some Name (2r)``."""
        declaration, position = self.question.declaration, self.question.position
        thing = position.thing(declaration.thing) if declaration.thing is not None else None
        cost = declaration.cost
        if cost is None and thing is not None and declaration.kind == "play":
            cost = position.card(thing).cost
        spelled = "-" if cost is None else spell_cost(cost)
        if thing is None:
            title = say("face.cost", cost=spelled)
        elif declaration.kind == "play":
            title = say("face.play", card=thing.card, cost=spelled)
        else:
            title = say("face.activate", card=thing.card, cost=spelled)
        return say("face.free", what=title) if declaration.free else title


def from_file(file: str) -> list[Asking]:
    """Read the questions of a case file.

    Parameters
    ----------
    file : str
        Its path, or ``-`` for standard input.

    Returns
    -------
    list of Asking
        One a case, in the order written.

    Raises
    ------
    BadInput, UnknownName
        If it cannot be read.
    """
    from lawful.model.casefile import read_cases

    cases = read_cases(sys.stdin.read(), file="-") if file == "-" else read_cases(Path(file), file=file)
    other = [case for case in cases if case.order is not None]
    if other:
        raise BadInput(
            [Fault("this case says what happens, not what is paid", c.file, c.line, 1, "lawful order") for c in other]
        )
    return [Asking(case.question, case.claim, case.name) for case in cases]


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
    from lawful.cardfile import read_library
    from lawful.model.casefile import build_question, parse_claim
    from lawful.model.rulesets import load_ruleset

    rest = dict(given)
    ruleset = load_ruleset(rest.pop("game", None) or _only_ruleset())
    steps = rest.pop("with_", None)
    if "cards" in rest:
        rest["cards"] = read_library(rest["cards"], ruleset)
        if "play" in rest:
            # A card file has columns, not meanings: a cost that stands in the text is not charged, and that is said.
            print(say("face.unread"), file=sys.stderr)
    question = build_question(ruleset, **rest)
    return Asking(question, parse_claim(steps, question) if steps is not None else None)


def _only_ruleset() -> str:
    """Return the one ruleset that ships; where there are several, which one is meant must be said."""
    import click

    from lawful.model.rulesets import shipped

    names = shipped()
    if len(names) != 1:
        raise click.UsageError(f"which game? Give --game, one of: {', '.join(names)}")
    return names[0]
