"""From a case file or from options to questions."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lawful.model.declaration import Declaration, Question
from lawful.model.effect import Activated
from lawful.model.errors import BadInput, Fault
from lawful.model.notation import spell_cost
from lawful.model.payment import Claim
from lawful.text import say

if TYPE_CHECKING:
    from lawful.model.casefile import Case


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
        if cost is None and thing is not None and declaration.kind == "activate":
            able = [a for a in position.card(thing).abilities if isinstance(a, Activated)]
            cost = next((a.cost for a in able if declaration.ability in (None, a.name)), None)
        spelled = "-" if cost is None else spell_cost(cost)
        if declaration.kind == "declare":
            title = say("face.declare", what=declaration.ability or "")
        elif thing is None and cost is None:
            title = say("face.text")
        elif thing is None:
            title = say("face.cost", cost=spelled)
        elif declaration.kind == "play":
            title = say("face.play", card=thing.card, cost=spelled)
        else:
            title = say("face.activate", card=thing.card, cost=spelled)
        return say("face.free", what=title) if declaration.free else title


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
    from lawful.model.casefile import read_cases

    cases = read_cases(sys.stdin.read(), file="-") if file == "-" else read_cases(Path(file), file=file)
    asked = [_of_choices(case) if choices else case for case in cases]
    other = [case for case in asked if case.order is not None]
    if other:
        raise BadInput(
            [Fault("this case says what happens, not what is paid", c.file, c.line, 1, "lawful order") for c in other]
        )
    return [Asking(case.question, case.claim, case.name) for case in asked]


def _of_choices(case: Case) -> Case:
    """Return the case as one about the choices of its one text, where it is a text that nothing else is said of."""
    events = case.order.events if case.order is not None else ()
    if len(events) != 1 or events[0].source is not None or events[0].bindings:
        return case
    declaration = Declaration(events[0].by, do=events[0].do)
    return replace(case, question=replace(case.question, declaration=declaration), order=None, ask="check")


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
    from lawful.model.casefile import build_question, choose, parse_claim
    from lawful.model.rulesets import load_ruleset

    rest = dict(given)
    ruleset = load_ruleset(rest.pop("game", None) or _only_ruleset())
    steps = rest.pop("with_", None)
    said, modes = rest.pop("targets", ()), rest.pop("modes", None)
    if str(rest.get("cards", "")).endswith((".yaml", ".yml")):
        from lawful.model.casefile import read_card_file

        rest["cards"] = read_card_file(rest["cards"], ruleset)
    elif "cards" in rest:
        rest["cards"] = read_library(rest["cards"], ruleset)
        if "play" in rest:
            # A card file has columns, not meanings: a cost that stands in the text is not charged, and that is said.
            print(say("face.unread"), file=sys.stderr)
    question = build_question(ruleset, **rest)
    if said or modes is not None:
        question = choose(question, said, modes)
    return Asking(question, parse_claim(steps, question) if steps is not None else None)


def _only_ruleset() -> str:
    """Return the one ruleset that ships; where there are several, which one is meant must be said."""
    import click

    from lawful.model.rulesets import shipped

    names = shipped()
    if len(names) != 1:
        raise click.UsageError(f"which game? Give --game, one of: {', '.join(names)}")
    return names[0]
