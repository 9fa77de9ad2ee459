"""Texts of which one chooses what they do: a sentence that says how many, and the paragraphs that are chosen among."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from lawful.cards.terms import NotPlayed, Terms, laid
from lawful.model.effect import Ability

if TYPE_CHECKING:
    from lawful.cards.clauses import ReadClause
    from lawful.cards.sheet import TextRules


def modes(
    paragraphs: Sequence[Sequence[ReadClause]], rules: TextRules, terms: Terms
) -> tuple[Ability, int, int] | None:
    """Return what a card does as it is played where that is chosen, and from which paragraph to which it says so.

    Parameters
    ----------
    paragraphs : sequence of sequence of ReadClause
        Of a text, without phrases.
    rules : TextRules
        Say which paragraphs are chosen among.
    terms : Terms
        Of the game.

    Returns
    -------
    tuple or None
        None where there is no such choice, where not all of it is played, or where the card does something else, too.
    """
    for at, paragraph in enumerate(paragraphs):
        choice = _choice(paragraph)
        if choice is None:
            continue
        options = list(takewhile(lambda some: rules.is_option(some[0].clause.text), paragraphs[at + 1 :]))
        end = at + 1 + len(options)
        apart = [read for some in (*paragraphs[:at], *paragraphs[end:]) for read in some]
        doing = [_done(option) for option in options]
        if len(options) < 2 or None in doing or any(_does(read) for read in apart):
            return None
        names = [" ".join(read.clause.text for read in option).lstrip("- ").rstrip(".") for option in options]
        many = {key: choice[key] for key in ("n", "up_to") if key in choice}
        if int(many.get("n", "0")) > len(options) or len(set(names)) < len(names):
            return None
        try:
            (made,) = terms.abilities({"resolve": {"modes": {"of": dict(zip(names, doing, strict=True)), **many}}})
        except (NotPlayed, ValueError):
            return None
        return made, at, end
    return None


def _choice(paragraph: Sequence[ReadClause]) -> dict[str, Any] | None:
    """Return how many are chosen, where a paragraph says nothing but that, in a number."""
    if len(paragraph) != 1 or not isinstance(paragraph[0].meaning, dict) or list(paragraph[0].meaning) != ["do"]:
        return None
    (step, *more) = paragraph[0].meaning["do"]
    said = (
        not more and isinstance(step, dict) and step.get("choose") == "modes" and set(step) <= {"choose", "n", "up_to"}
    )
    return step if said and str(step.get("n", "")).isdigit() else None


def _done(option: Sequence[ReadClause]) -> list[Any] | None:
    """Return the steps of one that can be chosen, if all of it is played and nothing bears on it."""
    steps: list[Any] = []
    for read in option:
        meaning = read.meaning
        if not read.played or read.whole is not None or not isinstance(meaning, dict) or list(meaning) != ["do"]:
            return None
        steps += meaning["do"]
    try:
        return list(laid(steps))
    except NotPlayed:
        return None


def _does(read: ReadClause) -> bool:
    """Tell whether a clause is done as the card is played."""
    return isinstance(read.meaning, dict) and "do" in read.meaning and "on" not in read.meaning
