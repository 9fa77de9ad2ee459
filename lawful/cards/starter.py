"""A designer's starter. What it holds is data of the game: a folder beside the rulesets, copied as it is.

The schemas that its case files name for editors are written beside them.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path

from lawful.model.errors import BadInput, Fault
from lawful.model.ruleset import Ruleset


def write_starter(folder: str | Path, ruleset: Ruleset) -> list[Path]:
    """Write a starter into a folder that is new or empty.

    Parameters
    ----------
    folder : str or Path
        Where.
    ruleset : Ruleset
        The game.

    Returns
    -------
    list of Path
        The files written.

    Raises
    ------
    BadInput
        If the folder holds something, cannot be written, or the game has no starter. Then nothing is written.
    """
    target = Path(folder)
    source = files("lawful.model.rulesets").joinpath("starters", ruleset.id)
    if not source.is_dir():
        raise BadInput([Fault(f"there is no starter for {ruleset.name}", "--game")])
    try:
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise BadInput([Fault("is not empty", str(folder), hint="name a folder that is not there yet")])
        target.parent.mkdir(parents=True, exist_ok=True)
        # All of it, or nothing: the folder is made beside its place and moved there when it is whole.
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".lawful-") as made, as_file(source) as path:
            whole = Path(made) / "new"
            shutil.copytree(path, whole, ignore=shutil.ignore_patterns("__pycache__"))
            for file in list(whole.rglob("dot-*")):
                file.rename(file.with_name("." + file.name.removeprefix("dot-")))
            _write_schemas(whole / "schema")
            if target.exists():
                target.rmdir()
            os.replace(whole, target)
    except OSError as error:
        raise BadInput([Fault(f"cannot be written: {error.strerror}", str(folder))]) from None
    return sorted(_all(target))


def _write_schemas(folder: Path) -> None:
    """Write what editors need to know, as ``lawful schema`` prints it."""
    from lawful.model.reading.schema_spelled import SCHEMAS

    folder.mkdir()
    for kind, schema in SCHEMAS.items():
        text = json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
        (folder / f"{kind}.schema.json").write_text(text, "utf8")


def _all(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())
