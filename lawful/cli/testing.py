"""Runs cases, and shows what came of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lawful.cards import Opened
from lawful.cli.jsonout import write_json
from lawful.document import SCHEMA_VERSION
from lawful.expectations import Check, run
from lawful.inventory import Shown, inventory, strangers
from lawful.leftout import faulty_rows
from lawful.model.casefile import Case, read_cases
from lawful.model.errors import BadInput, Fault
from lawful.model.ruleset import Ruleset
from lawful.table import draw


def read(paths: Sequence[str], text: str) -> tuple[Case, ...]:
    """Read the cases of files and folders.

    Parameters
    ----------
    paths : sequence of str
        Case files; folders stand for all below them; ``-`` is standard input.
    text : str
        Only cases whose file or name has this text; empty for all.

    Returns
    -------
    tuple of Case
        Sorted by file within a folder, then as written.

    Raises
    ------
    BadInput
        If a file cannot be read, or there is no case at all; the faults of all files at once.
    """
    cases: list[Case] = []
    faults: list[Fault] = []
    opened = Opened()
    for file in _files(paths):
        try:
            source = sys.stdin.read() if file == "-" else Path(file)
            cases.extend(read_cases(source, file=file, open_library=opened))
        except BadInput as bad:
            faults.extend(bad.faults)
    for line in dict.fromkeys(faulty_rows(opened.libraries)):
        print(line, file=sys.stderr)
    chosen = tuple(case for case in cases if text.casefold() in f"{case.file}::{case.name}".casefold())
    if not faults and not chosen:
        faults.append(
            Fault(f"no case has {text!r} in its name" if text and cases else "no case there", " ".join(paths))
        )
    if faults:
        raise BadInput(faults)
    return chosen


def _files(paths: Sequence[str]) -> Iterator[str]:
    for path in paths:
        if path != "-" and Path(path).is_dir():
            yield from sorted(str(found) for found in Path(path).rglob("*.case.yaml"))
        else:
            yield path


def show_checks(cases: Sequence[Case], as_json: bool) -> int:
    """Run cases and show every expectation that does not hold.

    Parameters
    ----------
    cases : sequence of Case
        The cases.
    as_json : bool
        As one JSON document.

    Returns
    -------
    int
        0 if every expectation holds, else 1.
    """
    found = [(case, run(case)) for case in cases]
    failed = [case for case, checks in found if not _holds(checks)]
    if as_json:
        documents = [
            {"case": case.name, "file": case.file, "line": case.line, "passed": _holds(checks),
             "checks": [asdict(check) for check in checks]}
            for case, checks in found
        ]  # fmt: skip
        _dump({"passed": len(cases) - len(failed), "failed": len(failed), "cases": documents})
        return 1 if failed else 0
    for case, checks in found:
        if not _holds(checks):
            print(f"FAILED {case.file}:{case.line}: {case.name}")
            print("\n".join(f"  {check}" for check in checks if not check.holds))
    expectations = sum(len(checks) for _, checks in found)
    print(f"{len(cases)} cases, {expectations} expectations: {len(cases) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


def _holds(checks: Sequence[Check]) -> bool:
    return all(check.holds for check in checks)


def show_rows(cases: Sequence[Case], as_json: bool) -> int:
    """Show every statement of the rulesets that cases are about, with its cases and the sides that have none.

    Parameters
    ----------
    cases : sequence of Case
        The cases.
    as_json : bool
        As one JSON document.

    Returns
    -------
    int
        0 if every side that needs a case has one, else 1.
    """
    documents, missing = [], False
    for ruleset in _rulesets(cases):
        own = [case for case in cases if case.question.ruleset.id == ruleset.id]
        shown = inventory(ruleset, [(case.name, case.rows) for case in own])
        unknown = strangers(ruleset, [row for case in own for row in case.rows])
        missing = missing or bool(unknown) or any(one.missing for one in shown)
        documents.append(_rows_document(ruleset, shown, unknown))
        if not as_json:
            _print_rows(ruleset, shown, unknown)
    if as_json:
        _dump({"rulesets": documents})
    return 1 if missing else 0


def _rulesets(cases: Sequence[Case]) -> list[Ruleset]:
    return list({case.question.ruleset.id: case.question.ruleset for case in cases}.values())


def _rows_document(ruleset: Ruleset, shown: Sequence[Shown], unknown: Sequence[str]) -> dict[str, Any]:
    rows = [
        {"row": one.row.id, "says": one.row.says, "+": one.legal, "-": one.illegal, "missing": one.missing}
        for one in shown
    ]
    return {"ruleset": ruleset.id, "rows": rows, "unknown": unknown}


def _print_rows(ruleset: Ruleset, shown: Sequence[Shown], unknown: Sequence[str]) -> None:
    print(ruleset.name)
    rows = [[s.row.id, _side(s, "+"), _side(s, "-"), s.missing or "", s.row.says] for s in shown]
    draw(["row", "+", "-", "missing", "says"], rows)
    lacking = sum(bool(one.missing) for one in shown)
    print(f"{len(shown)} statements, {lacking} with a side that has no case")
    for row in unknown:
        print(f"a case names the row {row}, which the ruleset does not have")


def _side(shown: Shown, side: str) -> str:
    if side not in shown.row.sides:
        return "-"
    return str(len(shown.legal if side == "+" else shown.illegal))


def show_survivors(cases: Sequence[Case], as_json: bool) -> int:
    """Release, for every case on a `-` side, the rules that it is about; show what stays illegal without a reason.

    Parameters
    ----------
    cases : sequence of Case
        The cases.
    as_json : bool
        As one JSON document.

    Returns
    -------
    int
        0 if every release is noticed, or the rule that implies the released one is named; else 1.
    """
    from lawful.solver.mutate import mutate

    documents, lines, survivors = [], [], 0
    # What a release changes says something only of cases whose own expectations hold.
    failed = [case for case in cases if not _holds(run(case))]
    lines += [f"FAILED {case.file}:{case.line}: {case.name}" for case in failed]
    # What happens is played, not constrained: such a case states what must not come out, and nothing can be released.
    for case in (case for case in cases if case.order is None):
        for row in (row[:-1] for row in case.rows if row.endswith("-")):
            found = mutate(case.question, case.claim, row, declared=case.ask == "check")
            survivors += not found.explained
            documents.append({"case": case.name, "file": case.file, **asdict(found), "explained": found.explained})
            if not found.explained:
                rules, still = ", ".join(found.rules) or "no rule", ", ".join(found.still) or "nothing named"
                lines.append(
                    f"SURVIVED {case.file}:{case.line}: {case.name}\n  {row}: released {rules}; still: {still}"
                )
    if as_json:
        names = [case.name for case in failed]
        _dump({"released": len(documents), "survivors": survivors, "failed": names, "mutations": documents})
    else:
        failures = f", {len(failed)} cases failed without any release" if failed else ""
        print("\n".join([*lines, f"{len(documents)} releases, {survivors} unexplained survivors{failures}"]))
    return 1 if survivors or failed else 0


def _dump(content: dict[str, Any]) -> None:
    write_json({"schema_version": SCHEMA_VERSION, **content})
