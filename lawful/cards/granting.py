"""Abilities that a text gives to objects while it holds, said as abilities of the card that gives them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lawful.cards.context import put

NORMS = ("cannot", "must", "may")


class NotSo(Exception):
    """What is given is nothing that the giver could say itself."""


def as_own(granted: Any, of: Any, when: Any) -> Iterator[dict[str, Any]]:
    """Yield what a card says that gives abilities: "~ gets 'when this hits, ...'" is "when ~ hits, ...".

    Parameters
    ----------
    granted : data
        The abilities, in the notation of cards.
    of : data
        Who gets them: the card itself, or a selector.
    when : data, optional
        While what holds.

    Yields
    ------
    meaning
        The same for the card itself under that condition. For others, what they wait for happens to one of them, and
        what they would do to themselves is done to that one.

    Raises
    ------
    NotSo
        If one of them cannot be said so: costs, what speaks of its bearer where nothing happens to it, and what others
        may control: "you" in it would be who controls that, not the giver.

    Examples
    --------
    >>> hits = {"on": {"hits": "$self"}, "do": [{"bottom": "$self"}]}
    >>> list(as_own([hits], {"controller": "$controller"}, None))
    [{'on': {'hits': {'subject': {'controller': '$controller'}}}, 'do': [{'bottom': '$subject'}]}]
    """
    for one in granted if isinstance(granted, list) else [granted]:
        if not isinstance(one, dict):
            raise NotSo
        if of == "$self" and ("on" in one or any(norm in one for norm in NORMS) or "stats" in one):
            yield _while(one, when)
        elif _mine(of) and set(one) <= {"on", "do", "when", "optional"} and _waits_once(one):
            yield _while(_of_others(one, of), when)
        else:
            raise NotSo


def _mine(of: Any) -> bool:
    return isinstance(of, dict) and of.get("controller") == "$controller"


def _waits_once(one: dict[str, Any]) -> bool:
    return isinstance(one.get("on"), dict) and len(one["on"]) == 1


def _while(one: dict[str, Any], when: Any) -> dict[str, Any]:
    if when is None:
        return one
    return {**one, "when": {"every": [when, one["when"]]} if "when" in one else when}


def _of_others(one: dict[str, Any], of: dict[str, Any]) -> dict[str, Any]:
    ((event, about),) = one["on"].items()
    said = about if isinstance(about, dict) and "subject" in about else {"subject": about}
    rest = {key: item for key, item in said.items() if key != "subject"}
    if said["subject"] != "$self" or "$self" in str(rest):
        raise NotSo
    plain = {key: item for key, item in of.items() if key != "how"}
    does = {key: put(item, "$self", "$subject") for key, item in one.items() if key != "on"}
    if "$self" in str(does):
        raise NotSo
    return {"on": {event: {"subject": plain, **rest}}, **does}
