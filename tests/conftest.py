"""Random tests draw the same examples every time, so that the gate is the same for the same tree.

``LAWFUL_HUNT=1 pytest tests/...`` draws new ones; ``LAWFUL_HUNT=50`` draws fifty times as many as the test says.
"""

from __future__ import annotations

import os

from hypothesis import settings

HUNT = int(os.environ.get("LAWFUL_HUNT", "0"))

settings.register_profile("gate", derandomize=True, deadline=None)
settings.register_profile("hunt", deadline=None, print_blob=True)
settings.load_profile("hunt" if HUNT else "gate")


def pytest_collection_modifyitems(items: list[object]) -> None:
    """Draw as many times more as asked for."""
    for item in items:
        test = getattr(item, "obj", None)
        own = getattr(test, "_hypothesis_internal_use_settings", None)
        if HUNT > 1 and isinstance(own, settings):
            test._hypothesis_internal_use_settings = settings(own, max_examples=own.max_examples * HUNT)
