"""Collects ``*.case.yaml``: every case is a test, with the expectations that do not hold as its failure.

Loaded by pytest through its entry point, so it imports nothing heavy before there is a case file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from lawful.expectations import Check
    from lawful.model.casefile import Case


def pytest_collect_file(parent: pytest.Collector, file_path: Path) -> pytest.Collector | None:
    """Collect a case file."""
    if file_path.name.endswith(".case.yaml"):
        return CaseFile.from_parent(parent, path=file_path)
    return None


class CaseFile(pytest.File):
    """A file of cases."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield one test a case; two of one name are told apart by their lines."""
        from lawful.cards import open_library
        from lawful.model.casefile import read_cases
        from lawful.model.errors import LawfulError

        try:
            cases = read_cases(self.path, file=str(self.path), open_library=open_library)
        except LawfulError as error:
            raise self.CollectError(str(error)) from None
        names = [case.name for case in cases]
        for case in cases:
            name = case.name if names.count(case.name) == 1 else f"{case.name} (line {case.line})"
            yield CaseItem.from_parent(self, name=name, case=case)


class Failed(Exception):
    """Expectations that do not hold."""

    def __init__(self, checks: list[Check]) -> None:
        self.checks = checks
        super().__init__("; ".join(map(str, checks)))


class CaseItem(pytest.Item):
    """One case."""

    def __init__(self, *, case: Case, **given: Any) -> None:
        super().__init__(**given)
        self.case = case

    def runtest(self) -> None:
        """Answer the question and check what is expected."""
        from lawful.expectations import run

        failed = [check for check in run(self.case) if not check.holds]
        if failed:
            raise Failed(failed)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str | Any:
        """Say which expectations do not hold; a traceback only where it is our code that fails."""
        from lawful.model.errors import LawfulError

        if isinstance(excinfo.value, Failed):
            lines = [f"{self.path}:{self.case.line}: {self.case.name}"]
            for check in excinfo.value.checks:
                lines += [f"  {check.what}", f"    expected  {check.expected}", f"    got       {check.got}"]
            return "\n".join(lines)
        if isinstance(excinfo.value, LawfulError):
            return f"{self.path}:{self.case.line}: {self.case.name}\n  {excinfo.value}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Say where the case stands."""
        return self.path, max(0, self.case.line - 1), self.name
