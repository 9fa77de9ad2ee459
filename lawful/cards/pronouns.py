"""What words stand for that name something else: pronouns in a cost, and parts of names."""

from __future__ import annotations

import re
from typing import Any

from lawful.cards.lexing import Lexicon


def that(meaning: Any, last: Any = "$self") -> Any:
    """Return a cost with what ``$that`` stands for: the object that was named before it, or else the card itself."""
    if not isinstance(meaning, dict) or "$that" not in str(meaning):
        return meaning
    cost = []
    for act in meaning.get("cost", ()):
        if isinstance(act, dict):
            act = instead(act, last)
            last = next((item for item in act.values() if isinstance(item, dict) or item == "$self"), last)
        cost.append(act)
    return {**meaning, "cost": cost}


def called(meaning: Any, lexicon: Lexicon) -> Any:
    """Return a meaning with all names that a part of a name stands for: "Kang" is every card "Kang (...)"."""
    if isinstance(meaning, list):
        return [called(item, lexicon) for item in meaning]
    if not isinstance(meaning, dict):
        return meaning
    found = {key: called(item, lexicon) for key, item in meaning.items() if key != "called"}
    if "called" in meaning:
        part = re.compile(rf"{re.escape(meaning['called'])} \([^)]*\)")
        found["any"] = [{"name": name} for name in lexicon.phrases.get("NAME", ()) if part.fullmatch(name)]
    return found


def instead(item: Any, meant: Any) -> Any:
    """Return a meaning with something for ``$that`` wherever it stands."""
    if isinstance(item, dict):
        return {key: instead(part, meant) for key, part in item.items()}
    if isinstance(item, list):
        return [instead(part, meant) for part in item]
    if isinstance(item, str) and item.startswith("$that.") and isinstance(meant, str):
        return meant + item.removeprefix("$that")
    return meant if item == "$that" else item


def own_name(meaning: Any, name: str) -> Any:
    """Return a meaning with the card's own name where it says ``~``."""
    if isinstance(meaning, dict):
        return {key: own_name(item, name) for key, item in meaning.items()}
    if isinstance(meaning, list):
        return [own_name(item, name) for item in meaning]
    if isinstance(meaning, str) and meaning.startswith(("$controller.", "$opponent.")) and "~" in meaning:
        # A fact about the card.
        return meaning.replace("~", name.replace(".", ""))
    return name if meaning == "~" else meaning
