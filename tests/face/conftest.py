"""Fixtures of the tests of the front door."""

from __future__ import annotations

import pytest
from runs import Run


@pytest.fixture
def pay(capsys: pytest.CaptureFixture[str]) -> Run:
    """``lawful pay``."""
    return Run(capsys)
