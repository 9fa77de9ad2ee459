"""Pages made from what the program itself reads: a line `<!-- made: NAME ARGUMENT -->` of a page becomes what is made.

They are made as the site is built and stand in no file, so they cannot fall behind.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from site_pages import commands, limits, modules, notation, notebooks, rules, schemas

MAKERS: dict[str, Callable[[str], str]] = {
    "commands": commands.made,
    "limits": limits.made,
    "map": modules.mapped,
    "modules": modules.made,
    "notation": notation.made,
    "notebooks": notebooks.made,
    "points": rules.points,
    "rules": rules.made,
    "schema": schemas.made,
}
PLACE = re.compile(r"^<!-- made: (\w+) ?(.*?) -->$", re.MULTILINE)


def filled(text: str) -> str:
    """Return a page with everything in it that is made.

    Raises
    ------
    KeyError
        If nothing of that name is made.
    """
    return PLACE.sub(lambda found: MAKERS[found[1]](found[2]), text)


def setup(app: Any) -> dict[str, bool]:
    """Make the pages as Sphinx reads them, every time."""

    def read(app: Any, name: str, source: list[str]) -> None:
        source[0] = filled(source[0])

    def outdated(app: Any, env: Any, added: set[str], changed: set[str], removed: set[str]) -> list[str]:
        return [name for name in env.found_docs if PLACE.search(Path(env.doc2path(name)).read_text("utf8"))]

    app.connect("source-read", read)
    app.connect("env-get-outdated", outdated)
    return {"parallel_read_safe": True}
