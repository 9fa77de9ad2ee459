"""Every example in a docstring, under the module's real name."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest


def names() -> list[str]:
    """Walk room by room: an editable install finds them, but not from the face package's own folder."""
    found = {"lawful"}
    for room in ("lawful", "lawful.model", "lawful.solver", "lawful.cases"):
        path = importlib.import_module(room).__path__
        found |= {room} | {module.name for module in pkgutil.walk_packages(path, room + ".")}
    return sorted(name for name in found if not name.endswith("__main__"))


@pytest.mark.parametrize("name", names())
def test_examples(name: str) -> None:
    module = importlib.import_module(name)
    failed, _ = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert failed == 0


def test_the_walk_sees_the_rooms() -> None:
    assert {"lawful.cli.pay", "lawful.model.cost", "lawful.solver.ask"} <= set(names())
    assert sum(len(doctest.DocTestFinder().find(importlib.import_module(name))) for name in names()) > 50


def test_the_face_is_the_real_one() -> None:
    """A folder of tests called like the package would be imported in its place."""
    import lawful

    assert lawful.__file__ is not None
    assert (Path(lawful.__file__).parent / "api.py").exists()
