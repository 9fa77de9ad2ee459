"""Every example in a docstring, under the module's real name."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import lawful


def names() -> list[str]:
    return sorted(
        found.name for found in pkgutil.walk_packages(lawful.__path__, "lawful.") if not found.name.endswith("__main__")
    )


@pytest.mark.parametrize("name", names())
def test_examples(name: str) -> None:
    module = importlib.import_module(name)
    failed, _ = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert failed == 0


def test_the_walk_sees_the_rooms() -> None:
    assert {"lawful.cli.pay", "lawful.model.cost", "lawful.solver.ask"} <= set(names())
    assert sum(len(doctest.DocTestFinder().find(importlib.import_module(name))) for name in names()) > 50
