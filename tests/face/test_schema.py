"""``lawful schema`` prints what is in the docs, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawful.cli import main
from lawful.cli.schema import KINDS
from lawful.model.reading.schema_spelled import SCHEMAS

DOCS = Path(__file__).parents[2] / "docs" / "schema"


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_the_file_in_the_docs(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", kind]) == 0
    assert capsys.readouterr().out == (DOCS / f"{kind}.schema.json").read_text("utf8")


def test_every_kind_can_be_asked_for() -> None:
    assert set(KINDS) == set(SCHEMAS)


def test_another_kind_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "deck"]) == 2
    assert "'case', 'card', 'ruleset'" in capsys.readouterr().err
