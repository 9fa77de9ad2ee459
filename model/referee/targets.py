"""Whether an ability finds what it needs a target for: looked at before anything is paid."""

from __future__ import annotations

from lawful.model.act import Act
from lawful.model.expression import Ref
from lawful.model.position import Thing
from lawful.model.referee.asked import Asked
from lawful.model.referee.demanded import forbidder, possible
from lawful.model.referee.evaluate import Scope, follow
from lawful.model.referee.pick import CHOICES, references, there
from lawful.model.selector import Selector

__all__ = ["without_target"]


def without_target(asked: Asked, do: tuple[Act, ...]) -> Act | None:
    """Return the first act that chooses or targets and finds nothing, or None.

    Parameters
    ----------
    asked : Asked
        The question, with the position before paying.
    do : tuple of Act
        What the ability does.

    Returns
    -------
    Act, optional
        What a `cannot` norm keeps the verb from is no target. A choice that depends on what an earlier step yields is
        not judged before.
    """
    scope = asked.scope(asked.opening)
    for act in do:
        for wanted in (act.what, act.of):
            if not isinstance(wanted, Selector) or (act.verb != "choose" and wanted.how not in CHOICES):
                continue
            if not wanted.up_to and not _finds(asked, act, wanted, scope):
                return act
    return None


def _finds(asked: Asked, act: Act, wanted: Selector, scope: Scope) -> bool:
    if any(follow(Ref(ref.name), scope) is None for ref in references(wanted)):
        return True
    found = [asked.opening.thing(id) for id in there(wanted, act, scope)]
    free = [thing for thing in found if forbidder(asked, asked.opening, act.verb, thing) is None]
    return any(_changes(asked, act, thing, scope) for thing in free)


def _changes(asked: Asked, act: Act, thing: Thing, scope: Scope) -> bool:
    """Tell whether the act would change an object, where the rules ask for that."""
    verb = next((verb for verb in asked.ruleset.verbs if verb.name == act.verb), None)
    return not asked.ruleset.targets_change or verb is None or possible(verb, act, thing, scope)
