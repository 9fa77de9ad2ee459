"""JSON Schema of what the readers read, made from the readers and the vocabulary, so that they cannot part ways.

Which keys a mapping may have, and which it needs, is asked of its reader; what stands under a key follows from the type
of the field that it becomes; what it means is the field's own documentation. Only spellings that are no mapping of
fields (numbers, costs, acts, patterns) are written out, in `schema_spelled`.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import is_dataclass
from inspect import getdoc
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import Cost
from lawful.model.effect import Norm, Source
from lawful.model.expression import Condition, Expression, Ref
from lawful.model.frozen import FrozenMap
from lawful.model.modes import Modes
from lawful.model.reading.desk import Desk, Names
from lawful.model.reading.faults import Faults
from lawful.model.reading.schema_texts import TEXTS
from lawful.model.reading.structure import structure
from lawful.model.reading.yamltext import Node
from lawful.model.selector import Pattern, Selector

Schema: TypeAlias = dict[str, Any]
DIALECT = "https://json-schema.org/draft/2020-12/schema"
PROBE = "?"  # a key that no mapping has
NEEDS = re.compile(r"needs '([^']+)'")

TEXT: Schema = {"type": ["string", "number", "boolean"]}  # every scalar is read as text, whatever YAML takes it for
NAMED: dict[Any, str] = {
    Modes: "modes", Norm: "norm",
    Ref: "reference", Selector: "selector", Pattern: "pattern", Act: "act", Card: "card", Source: "source",
    frozenset(get_args(Cost)): "cost", frozenset(get_args(Expression)): "number",
    frozenset(get_args(Condition)): "condition", frozenset({Ref, Selector}): "object",
    frozenset({Ref, Selector, Pattern}): "whose",
}  # fmt: skip


def ref(name: str) -> Schema:
    """Refer to a definition."""
    return {"$ref": f"#/$defs/{name}"}


def any_of(*kinds: Schema) -> Schema:
    """Allow several kinds."""
    return {"anyOf": list(kinds)}


def many(kind: Schema) -> Schema:
    """Allow a list, or one alone for a list of it."""
    return any_of(kind, {"type": "array", "items": kind})


def mapping(kind: Schema) -> Schema:
    """Allow a mapping of any words to a kind."""
    return {"type": "object", "additionalProperties": kind}


def documented(cls: type[Any]) -> dict[str, str]:
    """Return what the documentation of a class says of its parameters.

    Examples
    --------
    >>> from lawful.model.ruleset import XRule
    >>> documented(XRule)["least"]
    'The least X of a cost that is paid.'
    """
    found: dict[str, str] = {}
    names: list[str] = []
    section = _plain(getdoc(cls) or "").partition("Parameters\n----------\n")[2]
    for line in section.splitlines():
        if set(line) == {"-"}:
            break
        head = re.fullmatch(r"([\w, ]+?)( : .*)?", line)
        if head and not line.startswith(" "):
            names = [name.strip() for name in head[1].split(",")]
        elif line.startswith(" "):
            found |= {name: f"{found.get(name, '')} {line.strip()}".strip() for name in names}
    return found


def summary(cls: type[Any]) -> str:
    """Return the first sentence of a class's documentation."""
    return " ".join(_plain(getdoc(cls) or "").partition("\n\n")[0].split())


def _plain(text: str) -> str:
    """Spell code as editors show it: they read Markdown."""
    return text.replace("``", "`")


def of_hint(hint: Any, defs: dict[str, Schema]) -> Schema:
    """Return the schema of a field's type; structures that it names are added to the definitions."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return of_hint(args[0], defs)
    if origin in (Union, types.UnionType):
        return _union(frozenset(args) - {type(None)}, hint, defs)
    if origin is Literal:
        return {"enum": list(args)}
    if origin in (tuple, list):
        item = of_hint(args[0], defs)
        return many(item) if item in (ref("text"), ref("act")) else {"type": "array", "items": item}
    if origin in (FrozenMap, dict):
        return mapping(of_hint(args[1], defs))
    if hint in NAMED:
        return ref(NAMED[hint])
    if hint in (str, int, bool):
        return ref({str: "text", int: "whole", bool: "flag"}[hint])
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return of_model(hint, defs)
    return of_structure(hint, defs) if is_dataclass(hint) else {}


def _union(kinds: frozenset[Any], hint: Any, defs: dict[str, Schema]) -> Schema:
    if kinds in NAMED:
        return ref(NAMED[kinds])
    found = [of_hint(kind, defs) for kind in get_args(hint) if kind is not type(None)]
    empty = [{"type": "null"}] if type(None) in get_args(hint) and get_origin(kinds) is dict else []
    return found[0] if len(found) == 1 and not empty else any_of(*found, *empty)


def say(schema: Schema, *names: str, told: Mapping[str, str]) -> Schema:
    """Add what is known about a key: of its own text, else of its field's documentation."""
    keys = [name.partition(".")[2] for name in names]
    texts = [*(TEXTS.get(name) for name in names), *(told.get(key) for key in keys), *(TEXTS.get(key) for key in keys)]
    text = next(filter(None, texts), "")
    return {**schema, "description": text} if text else schema


def of_structure(cls: Any, defs: dict[str, Schema], but: tuple[tuple[str, str], ...] = ()) -> Schema:
    """Return the schema of a dataclass that is spelled as a mapping of its fields."""
    name = cls.__name__
    if name not in defs:
        defs[name] = {}  # it may name itself
        hints, model, keys = get_type_hints(cls), structure(cls, but), dict(but)
        back = {key: field for field, key in keys.items() if key}
        told = documented(cls)
        properties, needed = {}, []
        for field in model.model_fields.values():
            key = str(field.alias)
            own = back.get(key, key if key in hints else f"{key}_")
            properties[key] = say(of_hint(hints[own], defs), f"{name}.{key}", f"{name}.{own}", told=told)
            needed += [key] if field.is_required() else []
        defs[name] = closed(properties, needed, summary(cls))
    return ref(name)


def of_model(cls: type[BaseModel], defs: dict[str, Schema], free: Mapping[str, Schema] = {}) -> Schema:
    """Return the schema of a pydantic model; `free` says what stands under keys that are free in form."""
    name = cls.__name__
    if name not in defs:
        defs[name] = {}
        properties, needed = {}, []
        free = free or FREE
        for field_name, field in cls.model_fields.items():
            key = field.alias or field_name
            kind = free.get(key, {}) if field.annotation is Any else of_hint(field.annotation, defs)
            kind = free.get(f"{name}.{key}", kind)
            properties[key] = say(kind, f"{name}.{key}", told={})
            needed += [key] if field.is_required() else []
        defs[name] = closed(properties, needed, summary(cls))
    return ref(name)


FREE: dict[str, Schema] = {}  # filled by `schema_spelled`


def closed(properties: Schema, needed: Iterable[str], about: str = "") -> Schema:
    """Allow these keys and no others."""
    found: Schema = {"type": "object", "description": about} if about else {"type": "object"}
    return {**found, "properties": properties, "required": sorted(needed), "additionalProperties": False}


def asked(reader: Callable[[Desk, Node], Any], seed: Iterable[str] = ()) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Ask a reader for its keys: give it one that no mapping has, and listen to what it says.

    Parameters
    ----------
    reader : callable
        Reads a mapping.
    seed : iterable of str
        Keys that must be there for the reader to read this kind of mapping.

    Returns
    -------
    tuple of (tuple of str, tuple of str)
        The keys that it knows, and those that it needs.
    """
    known: dict[str, None] = dict.fromkeys(seed)

    class Listening(Faults):
        def unknown(self, kind: str, name: str, others: Iterable[str], at: Any) -> None:
            if name == PROBE:
                known.update(dict.fromkeys(others))

    faults = Listening()
    node = Node({key: Node("", 1, 1) for key in (*seed, PROBE)}, 1, 1, {})
    reader(Desk(faults, Names(())), node)
    needed = (found[1] for fault in faults.found if (found := NEEDS.search(fault.message)))
    return tuple(known), tuple(dict.fromkeys([*seed, *needed]))


def record(
    reader: Callable[[Desk, Node], Any],
    cls: type[Any],
    defs: dict[str, Schema],
    special: Mapping[str, Schema] = {},
    seed: Iterable[str] = (),
) -> Schema:
    """Return the schema of a mapping that a reader turns into a value of the vocabulary."""
    known, needed = asked(reader, seed)
    hints, told, properties = get_type_hints(cls), documented(cls), {}
    for key in known:
        field = key if key in hints else f"{key}_"
        kind = special[key] if key in special else of_hint(hints[field], defs) if field in hints else {}
        name = cls.__name__
        properties[key] = say(kind, f"{name}.{key}", f"{name}.{field}", told=told)
    return closed(properties, needed, summary(cls))
