"""What is installed is what is in the folders."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
SETUP = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf8"))["tool"]["setuptools"]
FOLDERS = {"lawful": "lawful", "model": "lawful.model", "solver": "lawful.solver", "cases": "lawful.cases"}


def test_every_folder_with_an_init_is_a_package_and_nothing_else() -> None:
    found = set()
    for folder, package in FOLDERS.items():
        for init in (TOP / folder).rglob("__init__.py"):
            found.add(".".join((package, *init.parent.relative_to(TOP / folder).parts)))
    assert set(SETUP["packages"]) == found


def test_every_package_folder_is_mapped() -> None:
    assert SETUP["package-dir"] == {package: folder for folder, package in FOLDERS.items()}


def test_type_checkers_see_every_module_of_the_face() -> None:
    links = TOP / "tests" / "typepath" / "lawful"
    here = {entry.name for entry in (TOP / "lawful").iterdir() if entry.name != "__pycache__"}
    assert {entry.name for entry in links.iterdir()} == here | {"model", "solver", "cases"}
    for entry in links.iterdir():
        assert entry.exists(), f"{entry} points nowhere"


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_kinds_of_data_files_are_all_taken_along(folder: str) -> None:
    taken = (".py", ".yaml", ".yml", ".lark", ".csv", ".typed", ".html", ".css", ".js", ".svg", ".po")
    left = [
        path
        for path in (TOP / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix not in taken and path.name != "py.typed"
    ]
    assert left == []


def test_every_data_file_is_matched_by_a_pattern() -> None:
    patterns = SETUP["package-data"]["*"]
    for folder in FOLDERS:
        packages = [init.parent for init in (TOP / folder).rglob("__init__.py")]
        taken = {path for package in packages for pattern in patterns for path in package.glob(pattern)}
        kinds = (".yaml", ".yml", ".lark", ".csv", ".typed", ".html", ".css", ".js", ".svg", ".po")
        data = {path for path in (TOP / folder).rglob("*") if path.suffix in kinds}
        assert data <= taken | {path for path in data if path.is_symlink()}


def test_no_file_of_code_is_two_rooms() -> None:
    long = {}
    for folder in FOLDERS:
        for path in (TOP / folder).rglob("*.py"):
            lines = len(path.read_text(encoding="utf8").splitlines())
            if lines > 400:
                long[str(path.relative_to(TOP))] = lines
    assert long == {}, "split it by rule"
