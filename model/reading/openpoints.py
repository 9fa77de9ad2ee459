"""What a ruleset leaves open: one of its readings is chosen, and the parameters that it names are changed."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from lawful.model.errors import UnknownName
from lawful.model.frozen import FrozenMap
from lawful.model.reading.desk import NUMBER, TRUE
from lawful.model.ruleset import Ruleset


def parameter(value: Any, path: str) -> tuple[Any, Any]:
    """Return the value at a path such as ``assets.h.keep``, and its type.

    Raises
    ------
    UnknownName
        If there is nothing at the path.
    """
    hint: Any = type(value)
    for step in path.split("."):
        if isinstance(value, tuple):
            named = {str(getattr(item, "id", getattr(item, "name", ""))): item for item in value}
            if step not in named:
                raise UnknownName("parameter", step, list(named))
            value, hint = named[step], type(named[step])
            continue
        names = {field.name.rstrip("_"): field.name for field in fields(value)} if is_dataclass(value) else {}
        if step not in names:
            raise UnknownName("parameter", step, list(names))
        hint = get_type_hints(type(value))[names[step]]
        value = getattr(value, names[step])
    return value, hint


def spell(value: Any) -> str:
    """Spell a parameter's value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return ", ".join(value) if isinstance(value, tuple) else "none" if value is None else str(value)


def read(text: str, hint: Any) -> Any:
    """Read a parameter's value from its spelling.

    Raises
    ------
    ValueError
        If it is not of the parameter's type.
    """
    if get_origin(hint) in (Union, types.UnionType):
        if text == "none":
            return None
        hint = next(arg for arg in get_args(hint) if arg is not type(None))
    if hint is int and NUMBER.fullmatch(text) and len(text) < 12:
        return int(text)
    if hint is bool and text in ("true", "false"):
        return text in TRUE
    if hint is str or (get_origin(hint) is Literal and text in get_args(hint)):
        return text
    if hint == tuple[str, ...]:
        return tuple(word.strip() for word in text.split(",") if word.strip())
    raise ValueError(f"{text!r} is not a value for it")


def _changed(value: Any, path: list[str], new: Any) -> Any:
    if not path:
        return new
    if isinstance(value, tuple):
        name = path[0]
        return tuple(
            _changed(item, path[1:], new) if getattr(item, "id", getattr(item, "name", "")) == name else item
            for item in value
        )
    field = next(f.name for f in fields(value) if f.name.rstrip("_") == path[0])
    return replace(value, **{field: _changed(getattr(value, field), path[1:], new)})


def under(ruleset: Ruleset, point: str, reading: str) -> Ruleset:
    """Return the ruleset under one reading of an open point: what `lawful.model.rulesets.under` promises."""
    points = {p.id: p for p in ruleset.open_points}
    if point not in points:
        raise UnknownName("open point", point, list(points))
    readings = {r.name: r for r in points[point].readings}
    if reading not in readings:
        raise UnknownName("reading", reading, list(readings))
    return replace(changed(ruleset, readings[reading].changes), readings=ruleset.readings.put(point, reading))


def changed(ruleset: Ruleset, changes: Mapping[str, str]) -> Ruleset:
    """Return the ruleset with parameters changed: paths such as ``assets.h.keep``, and values as they are spelled."""
    for path, text in changes.items():
        _, hint = parameter(ruleset, path)
        ruleset = _changed(ruleset, path.split("."), read(text, hint))
    return ruleset


def completed(ruleset: Ruleset) -> Ruleset:
    """Let every reading say all that any reading of its point changes, so that one can be put for another.

    Raises
    ------
    UnknownName
        If a path leads to no parameter.
    """
    points = []
    for point in ruleset.open_points:
        paths = dict.fromkeys(path for reading in point.readings for path in reading.changes)
        usual = {path: spell(parameter(ruleset, path)[0]) for path in paths}
        readings = tuple(replace(r, changes=FrozenMap({**usual, **r.changes})) for r in point.readings)
        points.append(replace(point, readings=readings))
    return replace(ruleset, open_points=tuple(points))
