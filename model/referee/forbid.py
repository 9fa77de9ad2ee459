"""How the referee says no: the rule that plays a role, and what it says here."""

from __future__ import annotations

from lawful.model.frozen import FrozenMap
from lawful.model.ruleset import Ruleset
from lawful.model.verdict import Because, Message, Value

__all__ = ["because"]


def because(ruleset: Ruleset, role: str, says: str, about: tuple[str, ...] = (), **params: Value) -> Because:
    """Return the rule that forbids a step.

    Parameters
    ----------
    ruleset : Ruleset
        Names the rule of each role.
    role : str
        ``stop.c``, ``useful.r``, ``once``, ...
    says : str
        Id of the message.
    about : tuple of str
        Ids of the objects concerned.
    **params
        Parameters of the message.

    Returns
    -------
    Because
        With the rule's id.
    """
    return Because(role, ruleset.rule(role).id, Message(says, FrozenMap(params)), about)
