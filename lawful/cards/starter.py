"""A designer's starter. What it holds is data of the game: a folder beside the rulesets, copied as it is.

The schemas that its case files name for editors are written beside them.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
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
        if target.is_symlink() and not target.exists():
            raise BadInput([Fault("is a link to what is not there", str(folder))])
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise BadInput([Fault("is not empty", str(folder), hint="name a folder that is not there yet")])
        new = not target.exists()
        home = target.parent if new else target
        home.mkdir(parents=True, exist_ok=True)
        # All of it, or nothing: it is made beside its place, and moved there when it is whole. A folder that is there
        # already stays itself: somebody may stand in it, or have it under another name.
        with tempfile.TemporaryDirectory(dir=home, prefix=".lawful-") as made, as_file(source) as path:
            whole = Path(made) / "new"
            shutil.copytree(path, whole, ignore=shutil.ignore_patterns("__pycache__"))
            for file in list(whole.rglob("dot-*")):
                file.rename(file.with_name("." + file.name.removeprefix("dot-")))
            _write_schemas(whole / "schema")
            if new:
                os.replace(whole, target)
            else:
                _move_into(whole, target)
    except OSError as error:
        raise BadInput([Fault(f"cannot be written: {error.strerror}", str(folder))]) from None
    return sorted(_all(target))


def _move_into(whole: Path, target: Path) -> None:
    """Move what is in one folder into another; where that fails midway, move all of it back."""
    moved: list[tuple[Path, Path]] = []
    try:
        for one in sorted(whole.iterdir()):
            there = target / one.name
            if os.path.lexists(there):  # somebody else wrote it meanwhile
                raise FileExistsError(17, "a file of this name has come there", str(there))
            os.rename(one, there)
            moved.append((one, there))
    except OSError:
        for one, there in moved:
            with suppress(OSError):
                os.replace(there, one)
        raise


def _write_schemas(folder: Path) -> None:
    """Write what editors need to know, as ``lawful schema`` prints it."""
    from lawful.model.reading.schema_spelled import SCHEMAS

    folder.mkdir()
    for kind, schema in SCHEMAS.items():
        text = json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
        (folder / f"{kind}.schema.json").write_text(text, "utf8")


def _all(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())
