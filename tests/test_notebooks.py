"""Every notebook runs from top to bottom, says what is stored in it, and is made as a notebook here should be."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import nbformat
import pytest

HERE = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(HERE.glob("*.ipynb"))


def executed(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location("notebooks_execute", HERE / "execute.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.executed(path)


def said(notebook: Any) -> list[str]:
    """Return what a notebook prints and shows, cell by cell, but for charts: their bytes belong to their library."""
    found = []
    for cell in notebook.cells:
        words = []
        for out in cell.get("outputs", ()):
            words.append(out.get("text", ""))
            data = out.get("data", {})
            words += [data.get("text/plain", ""), data.get("text/html", "")]
            drawn = data.get("image/svg+xml", "")
            words.append(drawn if "matplotlib" not in drawn else "a chart")
        found.append("".join(words))
    return found


def test_there_are_six() -> None:
    assert [path.name[:2] for path in NOTEBOOKS] == ["01", "02", "03", "04", "05", "06"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_says_what_is_stored_in_it(path: Path) -> None:
    stored = nbformat.read(path, as_version=4)
    nbformat.validate(stored)
    assert said(executed(path)) == said(stored), "run `python notebooks/execute.py`"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_begins_with_a_question_has_a_picture_and_ends_with_something_to_change(path: Path) -> None:
    cells = nbformat.read(path, as_version=4).cells
    first, last = cells[0], cells[-1]
    assert first.cell_type == "markdown"
    assert '\n> *"' in first.source
    assert "?" in first.source
    assert [cell.execution_count for cell in cells if cell.cell_type == "code"] == list(
        range(1, sum(cell.cell_type == "code" for cell in cells) + 1)
    ), "stored as it was run, from top to bottom"
    assert any("image/svg+xml" in out.get("data", {}) for cell in cells for out in cell.get("outputs", ()))
    assert last.cell_type == "code"
    assert "## Now you" in cells[-2].source
    assert not any(out.output_type == "error" for cell in cells for out in cell.get("outputs", ()))
