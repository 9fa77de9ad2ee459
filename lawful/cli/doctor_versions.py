"""Which versions are installed, against those that the package says it needs."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires, version

from lawful.cli.doctoring import Finding

PART = "versions"
REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9_.-]+)\s*(?P<bounds>[^;]*?)\s*(;(?P<marker>.*))?")
EXTRA = re.compile(r"""extra\s*==\s*['"]([^'"]+)['"]""")
BOUND = re.compile(r">=\s*([0-9][0-9.]*)")
MODULES = {"pyyaml": "yaml", "python-constraint2": "constraint"}  # where a library is imported under another name
DEVELOPERS = "dev"


def versions() -> Iterator[Finding]:
    """Look at the package, at Python, and at every library that is needed or can be used.

    Yields
    ------
    Finding
        One for each.
    """
    try:
        own, needed = version("lawful"), requires("lawful") or []
    except PackageNotFoundError:
        yield Finding(
            PART, "lawful", "failed", "not installed", "pip install lawful, or pip install -e . in its folder"
        )
        own, needed = "", []
    if own:
        yield Finding(PART, "lawful", "ok", own)
    yield Finding(PART, "Python", "ok", f"{platform.python_version()} ({platform.system()} {platform.machine()})")
    for requirement in needed:
        found = _library(requirement)
        if found is not None:
            yield found


def _library(requirement: str) -> Finding | None:
    """Look at one library."""
    parts = REQUIREMENT.fullmatch(requirement)
    assert parts is not None, requirement
    name, bounds, marker = parts["name"], parts["bounds"].strip(" ()"), parts["marker"] or ""
    extra = EXTRA.search(marker)
    if extra is not None and extra[1] == DEVELOPERS:
        return None
    label = name if extra is None else f"{name} (extra: {extra[1]})"
    fix = f"pip install -U '{name}{bounds}'"
    try:
        found = version(name)
        import_module(MODULES.get(name.casefold(), name.replace("-", "_").casefold()))
    except PackageNotFoundError:
        if extra is not None:
            return Finding(PART, label, "absent", "not installed", f"pip install 'lawful[{extra[1]}]'")
        return Finding(PART, label, "failed", "not installed", fix)
    except Exception as error:  # a library that is there and does not work
        return Finding(PART, label, "failed", f"{found}, which cannot be loaded: {error}", fix)
    least = BOUND.search(bounds)
    if least is not None and numbers(found) < numbers(least[1]):
        return Finding(PART, label, "failed", f"{found}, which is too old", fix)
    return Finding(PART, label, "ok", found)


def numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of a version, without zeros at the end.

    Examples
    --------
    >>> numbers("9.15.6755"), numbers("6.0"), numbers("2.1rc1")
    ((9, 15, 6755), (6,), (2, 1))
    """
    found = []
    for part in text.split("."):
        digits = re.match(r"[0-9]+", part)
        if digits is None:
            break
        found.append(int(digits[0]))
        if digits[0] != part:
            break
    while found and not found[-1]:
        found.pop()
    return tuple(found)
