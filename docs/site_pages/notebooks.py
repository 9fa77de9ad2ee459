"""The list of notebooks."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parents[1] / "notebooks"


def made(argument: str) -> str:
    """Return the contents: every notebook, by its file name."""
    names = sorted(path.stem for path in HERE.glob("*.ipynb"))
    if not names:
        return "There are none in this copy.\n"
    return "\n".join(["```{toctree}", ":maxdepth: 1", "", *(f"notebooks/{name}" for name in names), "```", ""])
