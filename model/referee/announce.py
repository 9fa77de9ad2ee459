"""Announcing a declaration: what is due is locked in, and only then does the event occur that others trigger on."""

from __future__ import annotations

from dataclasses import dataclass

from lawful.model.act import Act
from lawful.model.declaration import Question
from lawful.model.referee.acts import happen
from lawful.model.referee.amounts import Due, reckon, used
from lawful.model.referee.asked import ask
from lawful.model.referee.event import Event
from lawful.model.referee.moment import Moment, start


@dataclass(frozen=True, slots=True)
class Announced:
    """A declaration that was announced.

    Parameters
    ----------
    due : Due
        What is due, as it was when announced. Nothing that happens later changes it.
    moments : tuple of Moment
        Just after the event `declared`, with what it triggered waiting; one for every way it can go. None where the
        declaration is not legal.
    """

    due: Due
    moments: tuple[Moment, ...]


def announce(question: Question, x: int | None = None, options: tuple[str, ...] = ()) -> Announced:
    """Announce a declaration.

    Parameters
    ----------
    question : Question
        What is declared, in which position, by which rules.
    x : int, optional
        The value of X, where the cost has one.
    options : tuple of str
        Names of the costs and choices declared.

    Returns
    -------
    Announced
        The amounts due, and play from there on.

    Raises
    ------
    UnknownName
        If the player, the object or its ability does not exist.

    References
    ----------
    CR 5.1.6 (costs are calculated before they are paid, and before what triggers on it is done).
    """
    asked = ask(question, x, options)
    due = reckon(asked)
    if due.broken is not None:
        return Announced(due, ())
    declaration = question.declaration
    thing = declaration.thing or ""
    event = Event("declared", Act("declare"), thing or asked.payer, asked.payer, source=thing)
    return Announced(due, tuple(happen((event,), start(used(asked), asked.ruleset))))
