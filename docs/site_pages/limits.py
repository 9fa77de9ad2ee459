"""All limits: those that can be set, and every other one, found where the code stops."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from lawful.model.limits import Limits
from lawful.model.reading.schema import documented
from lawful.web.settings import Settings
from site_pages.text import code, plain, table

TOP = Path(__file__).parents[2]
FOLDERS = {"model": "lawful.model", "solver": "lawful.solver", "lawful": "lawful"}


def made(which: str) -> str:
    """Return one of the tables: ``answers``, ``server``, ``stops``."""
    return {"answers": lambda: _settings(Limits), "server": lambda: _settings(Settings), "stops": _stops}[which]()


def _settings(cls: Any) -> str:
    told, rows = documented(cls), []
    for field in fields(cls):
        value = field.default if field.default is not MISSING else "as many as the machine has cores"
        if isinstance(value, (str, int, float)):
            rows.append(
                (code(field.name), f"{value:,}" if isinstance(value, int) else str(value), plain(told[field.name]))
            )
    return table(("limit", "default", "of what"), rows)


def stops() -> Iterator[tuple[str, str, str]]:
    """Yield every limit at which the code gives no answer: its name, its value, what to do about it."""
    for folder, package in FOLDERS.items():
        for path in sorted((TOP / folder).rglob("*.py")):
            tree = ast.parse(path.read_text("utf8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "LimitReached":
                    yield from _one(node, package, path.relative_to(TOP / folder))


def _one(node: ast.Call, package: str, path: Path) -> Iterator[tuple[str, str, str]]:
    said = [*node.args, *(keyword.value for keyword in node.keywords)]
    module = ".".join([package, *path.with_suffix("").parts]).removesuffix(".__init__")
    name = _value(said[0], module)
    if not isinstance(name, str):
        return  # it passes on a limit that stands elsewhere
    value = _value(said[1], module) if len(said) > 1 else None
    advice = _words(said[2]) if len(said) > 2 else ""
    yield name, f"{value:,}" if isinstance(value, int) and value else "", advice


def _value(node: ast.expr, module: str) -> object:
    """Return a constant, written here or named in the module; None for what is known only as it runs."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return getattr(importlib.import_module(module), node.id, None)
    if isinstance(node, ast.Attribute) and node.attr in {field.name for field in fields(Limits)}:
        found: object = getattr(Limits(), node.attr)
        return found
    return None


def _words(node: ast.expr) -> str:
    """Return a sentence, with dots for what is filled in."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "..." for part in node.values)
    return ""


def _stops() -> str:
    merged: dict[str, dict[str, None]] = {}
    values: dict[str, dict[str, None]] = {}
    for name, value, advice in stops():
        merged.setdefault(name, {}).update({advice: None} if advice else {})
        values.setdefault(name, {}).update({value: None} if value else {})
    rows = [
        (code(name), ", ".join(values[name]) or "none may be there" * (name not in {f.name for f in fields(Limits)}),
         "; ".join(plain(text) for text in merged[name]))
        for name in sorted(merged)
    ]  # fmt: skip
    return table(("limit", "value", "what is said"), rows)
