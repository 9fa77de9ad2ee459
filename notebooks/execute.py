"""Run the notebooks and store their output: ``python notebooks/execute.py [NAME ...]``.

What is stored is free of times and paths, so that a run that finds the same changes nothing.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).parent


def executed(path: Path) -> nbformat.NotebookNode:
    """Return a notebook as it is after a run from top to bottom."""
    os.environ["SOURCE_DATE_EPOCH"] = "0"  # pictures hold a date
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(HERE)}}).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = joined(cell.outputs)
    notebook.metadata.language_info = {"name": "python"}
    return notebook


def joined(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Join what is printed in pieces: where it is cut depends on the clock."""
    found: list[nbformat.NotebookNode] = []
    for out in outputs:
        if found and out.output_type == found[-1].output_type == "stream" and out.name == found[-1].name:
            found[-1].text += out.text
        else:
            found.append(out)
    return found


def main() -> None:
    """Run those named, else all."""
    for path in [HERE / name for name in sys.argv[1:]] or sorted(HERE.glob("*.ipynb")):
        nbformat.write(executed(path), path)
        print(path.name)


if __name__ == "__main__":
    main()
