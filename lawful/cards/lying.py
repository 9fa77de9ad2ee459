"""How an object lies as its ability is used, where its text says so: "only while this is face-down"."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

ASKS = ("type", "name", "words", "namesake", "has", "where", "any", "none")


def as_it_lies(only: Any) -> dict[str, Any]:
    """Return what a condition of use says of how and where the object lies, in the notation of an ability.

    Examples
    --------
    >>> as_it_lies({"count": {"is": "$self", "face": "down", "zone": "arsenal"}, "ge": "1"})
    {'face': 'down', 'zone': ['arsenal']}
    """
    of = only.get("count") if isinstance(only, dict) else None
    if not isinstance(of, dict) or of.get("is") != "$self" or of.get("face") != "down":
        return {}
    zones = of.get("zone", [])
    there = zones if isinstance(zones, list) else [zones]
    return {"face": "down", **({"zone": there} if there else {})}


def shown(cost: Any, turning: Container[str]) -> dict[str, Any]:
    """Return how the object lies whose ability costs to turn it face up: what is face up already cannot be turned so.

    Parameters
    ----------
    cost : data
        In the notation of cards.
    turning : collection of str
        The verbs that turn an object face up.

    Examples
    --------
    >>> shown(["1r", {"turn_up": "$self"}], {"turn_up"})
    {'face': 'down'}
    """
    parts = cost if isinstance(cost, list) else [cost]
    acts = [act for part in parts if isinstance(part, dict) for act in part.items()]
    return {"face": "down"} if any(verb in turning and of == "$self" for verb, of in acts) else {}


def looked_at(data: Any, turning: Container[str]) -> Any:
    """Return a text in which who turns up what is theirs knows what it is: turning it shows that to all.

    Parameters
    ----------
    data : data
        In the notation of cards.
    turning : collection of str
        The verbs that turn an object face up.

    Examples
    --------
    >>> looked_at({"cost": [{"turn_up": {"face": "down", "type": ["Arrow"], "owner": "$controller"}}]}, {"turn_up"})
    {'cost': [{'turn_up': {'face': 'down', 'type': ['Arrow'], 'owner': '$controller', 'known': 'true'}}]}
    """
    if isinstance(data, list):
        return [looked_at(part, turning) for part in data]
    if not isinstance(data, dict):
        return data
    return {
        key: {**item, "known": "true"} if key in turning and _own(item) else looked_at(item, turning)
        for key, item in data.items()
    }


def _own(what: Any) -> bool:
    """Tell whether a selector looks for what is of some kind and lies face down, and is one's own."""
    if not isinstance(what, dict) or what.get("face") != "down":
        return False
    return "$controller" in (what.get("owner"), what.get("controller")) and any(key in what for key in ASKS)
