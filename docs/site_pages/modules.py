"""The modules of a package: each with what its docstrings say, or a map of them, a line each."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module

from site_pages.text import code, plain, table


def made(argument: str) -> str:
    """Return the modules directly in a package in full, or named ones: ``PACKAGE``, ``PACKAGE NAME...``."""
    package, *names = argument.split()
    chosen = [f"{package}.{name}" for name in names] or [name for name, folder in _inside(package) if not folder]
    return "\n".join(_module(name) for name in chosen)


def mapped(package: str) -> str:
    """Return a table of all modules of a package and of those inside it, with the first line of each."""
    return table(("module", "what it is"), _lines(package))


def _lines(package: str) -> Iterator[tuple[str, str]]:
    for name, folder in _inside(package):
        about = (import_module(name).__doc__ or "").strip().splitlines()
        yield code(name), plain(about[0]) if about else ""
        if folder:
            yield from _lines(name)


def _inside(package: str) -> list[tuple[str, bool]]:
    found = sorted(pkgutil.iter_modules(import_module(package).__path__), key=lambda info: info.name)
    return [(f"{package}.{info.name}", info.ispkg) for info in found if not info.name.startswith("_")]


def _module(name: str) -> str:
    # What a module passes on from another is documented there.
    return f"## {name}\n\n```{{eval-rst}}\n.. automodule:: {name}\n   :members:\n   :ignore-module-all:\n```\n"
