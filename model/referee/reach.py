"""Whose objects a cost may be paid with."""

from __future__ import annotations

from lawful.model.position import Thing
from lawful.model.referee.asked import Asked
from lawful.model.selector import Selector

__all__ = ["out_of_reach"]


def out_of_reach(asked: Asked, named: Selector, thing: Thing) -> str | None:
    """Return the role of the rule that keeps an effect-cost from an object, or None.

    Parameters
    ----------
    asked : Asked
        The question.
    named : Selector
        What the effect-cost asks for.
    thing : Thing
        An object that it finds.

    Returns
    -------
    str, optional
        ``control`` in play, ``friendly`` for one of another side, ``zones`` elsewhere.
    """
    rules = asked.ruleset
    if rules.costs_of == "anybody":
        return None
    before = asked.opening.thing(thing.id)
    if not any(zone.play for zone in rules.zones if zone.name == before.zone):
        reached = before.owner == asked.payer or (named.whose == "chosen" and rules.chosen_zones == "all")
        return None if reached else "zones"
    if before.controller == asked.payer or named.whose == "chosen":
        return None
    if named.whose == "friendly" and rules.friendly:
        sides = [asked.opening.player(name).facts.get(rules.side) for name in (asked.payer, before.controller)]
        return None if sides[0] == sides[1] else "friendly"
    return "control"
