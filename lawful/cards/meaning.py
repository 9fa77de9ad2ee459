"""Templates: what the parts of a sentence mean together, written in the notation of cards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

PART = re.compile(r"\$(\d+)(~)?")
LISTS = ("type", "zone", "status", "has", "where", "none")


class Clash(Exception):
    """Two parts say different things of the same matter: no meaning."""


class BadTemplate(Exception):
    """A template speaks of a part that the alternative beside it does not have: a fault of the grammar file."""


class Nothing:
    """What an absent part stands for."""


NOTHING = Nothing()


def fill(template: Any, parts: Sequence[Any]) -> Any:
    """Put the meanings of the parts into a template.

    Parameters
    ----------
    template : data
        ``$1`` is the first part, ``$2~`` one that may be absent, ``$*`` in a list all parts, ``*$*`` the items of all,
        ``!$*`` too, where there has to be one;
        ``{"<<": [...]}`` merges mappings, ``{"??": {...}}`` adds what they do not say; ``{"<-": [event, {...}]}`` adds
        to what an event says; ``{"#": "$*"}`` is the number of parts, ``{"+": "$*"}`` their texts joined,
        ``{"**": ["$1", item]}`` a list of so many. Other texts stand for themselves, with ``$1`` inside replaced.
    parts : sequence of data
        Meanings, by position.

    Returns
    -------
    data
        The meaning of the whole.

    Raises
    ------
    Clash
        If mappings that are merged contradict each other.

    Examples
    --------
    >>> fill({"destroy": {"<<": ["$1", {"n": "2"}]}}, [{"name": "Gold"}])
    {'destroy': {'name': 'Gold', 'n': '2'}}
    """
    if isinstance(template, str):
        return _text(template, parts)
    if isinstance(template, list):
        return _list(template, parts)
    if isinstance(template, dict):
        return _mapping(template, parts)
    return template


def _text(template: str, parts: Sequence[Any]) -> Any:
    whole = PART.fullmatch(template)
    if whole:
        return _part(whole, parts)

    def said(found: re.Match[str]) -> str:
        part = _part(found, parts)
        if not isinstance(part, str):
            raise Clash(f"{part!r} inside of a text")
        return part

    return PART.sub(said, template)


def _part(found: re.Match[str], parts: Sequence[Any]) -> Any:
    """Return a part. One that may be absent is written ``$2~``: a wrong number must never be an absent part."""
    at = int(found[1]) - 1
    if at < len(parts):
        return parts[at]
    if found[2]:
        return NOTHING
    raise BadTemplate(f"there is no part ${found[1]} of {len(parts)}")


def _list(template: list[Any], parts: Sequence[Any]) -> list[Any]:
    found: list[Any] = []
    for item in template:
        if item == "$*":
            found.extend(part for part in parts if part is not NOTHING)
        elif item in ("*$*", "!$*"):
            for part in parts:
                found.extend(part if isinstance(part, list) else [] if part is NOTHING else [part])
            if item == "!$*" and not found:
                raise Clash("none of the parts says anything")
        elif isinstance(item, str) and item.startswith("*$"):
            some = _text(item[1:], parts)
            if isinstance(some, dict) and list(some) == ["do"]:
                some = some["do"]
            found.extend(some if isinstance(some, list) else [] if some is NOTHING else [some])
        else:
            made = fill(item, parts)
            if made is not NOTHING:
                found.append(made)
    return found


def _mapping(template: dict[str, Any], parts: Sequence[Any]) -> Any:
    if list(template) == ["#"]:
        return str(sum(1 for part in parts if part is not NOTHING))
    if list(template) == ["**"]:
        times, item = template["**"]
        return [fill(item, parts) for _ in range(int(_text(times, parts)))]
    if list(template) == ["+"]:
        return "".join(str(part) for part in parts if part is not NOTHING)
    found: dict[str, Any] = {}
    for key, item in template.items():
        made = fill(item, parts)
        if key == "??":  # what holds where nothing else is said
            for name, usual in made.items():
                found.setdefault(name, usual)
            continue
        if key == "<-":
            inside, more = made
            for name, item_ in inside.items():
                whole = dict(item_) if isinstance(item_, dict) else {"subject": item_}
                merge(whole, more)
                found[name] = whole
            continue
        if key == "<<":
            for at, some in enumerate(made):
                if isinstance(some, list):  # several abilities: each gets what the others say
                    rest = {
                        "<<": [*made[:at], "$1", *made[at + 1 :]],
                        **{k: fill(v, parts) for k, v in template.items() if k != "<<"},
                    }
                    return [fill(rest, [one]) for one in some]
                merge(found, some)
        elif made is not NOTHING:
            merge(found, {_text(key, parts) if "$" in key and PART.search(key) else key: made})
    return found


def merge(into: dict[str, Any], more: Any) -> None:
    """Merge a mapping into another: lists of words are joined, of two choices both hold, anything else must agree."""
    if not isinstance(more, dict):
        raise Clash(f"{more!r} is no mapping")
    for key, item in more.items():
        if key not in into:
            into[key] = list(item) if isinstance(item, list) else item
        elif key == "when" and into[key] != item:
            into[key] = {"every": [into[key], item]}
        elif key == "any" and isinstance(into[key], list) and isinstance(item, list):
            into[key] = into[key] if into[key] == item else _both(into[key], item)
        elif key in LISTS:
            old, new = (x if isinstance(x, list) else [x] for x in (into[key], item))
            both = [x for x in old if x in new]
            # "A permanent you control" is in the one zone that both speak of.
            into[key] = both if key == "zone" and both else [*old, *(x for x in new if x not in old)]
        elif isinstance(into[key], dict) and isinstance(item, dict) and key == "counters":
            into[key] = {**into[key], **item}
        elif into[key] != item:
            raise Clash(f"{key} is {into[key]!r} and {item!r}")


def _both(some: list[Any], more: list[Any]) -> list[Any]:
    """Return what is one of some and one of others as well: one of these of each kind."""
    found = []
    for one in some:
        for other in more:
            both = dict(one)
            merge(both, other)
            found.append(both)
    return found
