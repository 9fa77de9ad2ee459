"""The reference of a kind of file, from its JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lawful.model.reading.schema_spelled import SCHEMAS
from site_pages.text import anchor, code, plain, slug, table


def made(kind: str) -> str:
    """Return the reference of case files, card files or ruleset files."""
    schema = SCHEMAS[kind]()
    parts = [f"{plain(schema['description'])}\n", _body(kind, schema)]
    parts += ["## What stands under the keys\n"]
    for name, part in schema["$defs"].items():
        parts += [
            anchor(_place(kind, name)) + f"### {plain(name)}\n",
            f"{plain(part.get('description', ''))}\n",
            _body(kind, part),
        ]
    return "\n".join(parts)


def _place(kind: str, name: str) -> str:
    return f"{kind}-file-{slug(name) if slug(name) != name else name}{'-class' if name[0].isupper() else ''}"


def _body(kind: str, schema: Mapping[str, Any]) -> str:
    needed = set(schema.get("required", ()))
    rows = [
        (code(key) + (" (needed)" if key in needed else ""), _form(kind, part), plain(part.get("description", "")))
        for key, part in schema.get("properties", {}).items()
    ]
    said = table(("key", "what stands there", "meaning"), rows)
    others = schema.get("additionalProperties")
    if isinstance(others, dict):
        said += f"\nAny other key: {_form(kind, others)}.\n"
    if not rows:
        said += f"\nWritten as: {_form(kind, {key: part for key, part in schema.items() if key != 'description'})}.\n"
    return said


def _form(kind: str, part: Any) -> str:
    """Say in words what may stand there."""
    if "$ref" in part:
        name = part["$ref"].removeprefix("#/$defs/")
        return f"[{plain(name)}](#{_place(kind, name)})"
    if "anyOf" in part and "properties" not in part:
        return " or ".join(dict.fromkeys(_form(kind, one) for one in part["anyOf"]))
    if "enum" in part:
        return "one of " + ", ".join(code(_spelled(value)) for value in part["enum"])
    if "const" in part:
        return code(_spelled(part["const"]))
    if part.get("type") == "array":
        return f"a list of {_form(kind, part['items'])}" if part.get("items") else "a list"
    if part.get("type") == "object" or "properties" in part:
        return _mapping(kind, part)
    return _scalar(part)


def _mapping(kind: str, part: Mapping[str, Any]) -> str:
    keys = [f"{code(key)}: {_form(kind, one)}" for key, one in part.get("properties", {}).items()]
    others = part.get("additionalProperties")
    if keys:
        return f"a mapping ({'; '.join(keys)})"
    return f"a mapping of names to: {_form(kind, others)}" if isinstance(others, dict) and others else "a mapping"


def _scalar(part: Mapping[str, Any]) -> str:
    types = part.get("type", [])
    types = [types] if isinstance(types, str) else types
    if "integer" in types:
        least, most = part.get("minimum"), part.get("maximum")
        span = [f"from {least}"] * (least is not None) + [f"to {most}"] * (most is not None)
        return " ".join(["a whole number", *span])
    if types == ["null"]:
        return "nothing"
    if "pattern" in part:
        return f"a text of the form {code(part['pattern'])}"
    return "a text" if types else "anything"


def _spelled(value: object) -> str:
    return {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)
