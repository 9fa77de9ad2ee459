"""Whether anything that is done is what a norm speaks of: one on what nobody does would bind nobody."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any

from lawful.model.effect import Additional, Norm
from lawful.model.referee.doing import BUILT_IN
from lawful.model.referee.event import NAMES
from lawful.model.ruleset import Ruleset
from lawful.model.walking import walk

DECLARED = ("play", "activate", "target", "choose")
HAPPENS = ("prevented",)
ANNOUNCED = ("declare", "declared")
"""What follows on a declaration; who may declare it is not asked then."""
RAISED = "raise."
NORMS = ("cannot", "must", "may")


def acts_of(ruleset: Ruleset) -> frozenset[str]:
    """Return what norms may call all that is done under a ruleset, but for labels of what is declared.

    Parameters
    ----------
    ruleset : Ruleset
        Its verbs, declarations, relations and zones of play; what every game does is there, too.

    Returns
    -------
    frozenset of str
        Without what takes away counters of a kind (``remove_threat``) and what raises a number (``raise.power``).
    """
    found = {*DECLARED, *HAPPENS, *BUILT_IN, *NAMES.values(), *ruleset.relations}
    for verb in ruleset.verbs:
        found |= verb.events()
    for procedure in ruleset.procedures:
        found |= {procedure.name, *(slot.event for slot in procedure.slots if slot.event)}
    for zone in ruleset.zones:
        found |= {name for name in (zone.entering, zone.leaving) if name}
    for name, parts in ruleset.labels.items():
        found |= {name, *parts}
    return frozenset(found.difference(ANNOUNCED))


class Bound:
    """What norms can bind under a ruleset.

    Parameters
    ----------
    ruleset : Ruleset
        Says what is done.
    labels : container of str
        What cards and abilities may be called by: their types, in small letters.
    """

    def __init__(self, ruleset: Ruleset, labels: Container[str]) -> None:
        self.acts, self.labels = acts_of(ruleset), labels
        self._facts = {verb.name for verb in ruleset.verbs if verb.fact is not None}
        self._taking = tuple(f"{verb.name}_" for verb in ruleset.verbs if verb.counters)

    def binds(self, event: str) -> bool:
        """Tell whether a norm on an event of this name is about anything that can be done."""
        return event in self.acts or event.casefold() in self.labels or event.startswith((*self._taking, RAISED))

    def idle(self, term: object) -> Iterator[str]:
        """Yield what the norms, and the costs added to what is done, of a term speak of that nobody does."""
        for part in walk(term):
            named: tuple[str, ...]
            if isinstance(part, Norm) and part.action.event in self._facts and part.action.subject is not None:
                named = (f"{part.action.event} of what is no player",)
            elif isinstance(part, Norm):
                named = (part.action.event, *((part.action.cause,) if part.action.cause else ()))
            else:
                named = part.types if isinstance(part, Additional) and part.to is not None else ()
            yield from (event for event in named if not self.binds(event))


def told(data: Any, facts: Mapping[str, str]) -> Any:
    """Return a text in which acts that set a fact of a player say what it is set to, and not which fact that is.

    Who cannot do such an act is the player: of an object, its controller.

    Parameters
    ----------
    data : data
        In the notation of cards.
    facts : mapping of str to str
        Verbs that set a fact, and which.

    Examples
    --------
    >>> told([{"change_form": "$controller", "to": {"form": "hero"}}], {"change_form": "form"})
    [{'change_form': '$controller', 'to': 'hero'}]
    """
    if isinstance(data, list):
        return [told(part, facts) for part in data]
    if not isinstance(data, dict):
        return data
    said = {key: _whose(told(item, facts), facts) if key in NORMS else told(item, facts) for key, item in data.items()}
    to = said.get("to")
    fact = next((facts[key] for key in said if key in facts), None)
    return {**said, "to": to[fact]} if isinstance(to, dict) and list(to) == [fact] else said


def _whose(action: Any, facts: Mapping[str, str]) -> Any:
    """Return what a norm speaks of; of a fact's act that is done to an object, by whoever controls that."""
    if not isinstance(action, dict):
        return action
    found = {}
    for event, said in action.items():
        subject = said.get("subject") if isinstance(said, dict) else said
        whole = not isinstance(said, dict) or list(said) == ["subject"]
        known = event in facts and whole and isinstance(subject, str) and subject.startswith("$")
        found[event] = {"by": f"{subject}.controller"} if known else said
    return found
