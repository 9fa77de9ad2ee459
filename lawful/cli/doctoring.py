"""What ``lawful doctor`` looks at. Nothing but the standard library is taken for granted here."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

State = Literal["ok", "failed", "absent"]
MARKS = {"ok": "ok", "failed": "FAILED", "absent": "-"}
SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Parameters
    ----------
    part : str
        Versions, self-test, data.
    name : str
        What was looked at.
    state : {"ok", "failed", "absent"}
        `absent` is something optional that is not there.
    found : str
        What was found.
    fix : str
        What to do; empty if all is well.
    """

    part: str
    name: str
    state: State
    found: str
    fix: str = ""


def look(cards: Sequence[str] = (), game: str | None = None) -> list[Finding]:
    """Look at everything.

    Parameters
    ----------
    cards : sequence of str
        Paths of published card files.
    game : str, optional
        Their game; None tries every game that ships.

    Returns
    -------
    list of Finding
        Versions, self-test, data.
    """
    from lawful.cli.doctor_versions import versions

    return [*versions(), *self_test(), *data(cards, game)]


def self_test() -> Iterator[Finding]:
    """Count the solutions of models whose number is known."""
    try:
        from lawful.cli.doctor_models import counted

        yield from counted()
    except Exception as error:
        yield failure("self-test", "solver", error)


def data(cards: Sequence[str], game: str | None) -> Iterator[Finding]:
    """Read what ships, and the card files that were named."""
    try:
        from lawful.model.rulesets import shipped

        names = shipped()
    except Exception as error:
        yield failure("data", "rulesets", error)
        return
    if not names:
        yield Finding("data", "rulesets", "failed", "none found", "install lawful again")
    yield from (reading(f"ruleset {name}", lambda name=name: _ruleset(name)) for name in names)  # type: ignore[misc]
    yield reading("cases", _cases)
    yield from (reading(f"cards {path}", lambda path=path: _cards(path, game, names)) for path in cards)  # type: ignore[misc]


def reading(name: str, read: Callable[[], str]) -> Finding:
    """Read something; say what came of it."""
    try:
        return Finding("data", name, "ok", read())
    except Exception as error:
        return failure("data", name, error)


def failure(part: str, name: str, error: Exception) -> Finding:
    """Say what went wrong, and what to do about it."""
    if isinstance(error, ImportError):
        library = (error.name or "a library").partition(".")[0]
        return Finding(part, name, "failed", f"needs {library}: {error}", "install what is missing, see above")
    lines = str(error).splitlines() or [""]
    more = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
    known = type(error).__module__.startswith("lawful.")
    found = lines[0] if known else f"{type(error).__name__}: {lines[0]}"
    return Finding(part, name, "failed", found[:300] + more, "put it right" if known else "install lawful again")


def _ruleset(name: str) -> str:
    from lawful.model.rulesets import load_ruleset

    ruleset = load_ruleset(name)
    documents = ", ".join(document.id for document in ruleset.documents)
    return f"{len(ruleset.rules)} rules, {len(ruleset.rows)} statements; documents: {documents}"


def _cases() -> str:
    from importlib.resources import as_file, files
    from pathlib import Path

    from lawful.model.casefile import read_cases
    from lawful.model.errors import BadInput, Fault

    with as_file(files("lawful.cases")) as folder:
        paths = sorted(Path(folder).rglob("*.case.yaml"))
        cases = [case for path in paths for case in read_cases(path)]
    if not cases:
        raise BadInput([Fault("no case file came with the package", "cases")])
    return f"{len(cases)} cases in {len(paths)} files"


def _cards(path: str, game: str | None, names: Sequence[str]) -> str:
    """Read a card file as an inline question would."""
    from pathlib import Path

    from lawful.cli.asking import inline_question
    from lawful.model.errors import BadInput, Fault, LawfulError
    from lawful.model.rulesets import load_ruleset

    try:
        with Path(path).open("rb") as file:
            file.read(1)
    except OSError as error:  # no game makes a difference to that
        raise BadInput([Fault(f"{path}: cannot be read: {error.strerror or error}")]) from None
    faults = []
    # A card file written for `lawful` itself is read by any game, a published one by those that say how.
    able = [game] if game is not None else [name for name in names if load_ruleset(name).card_file is not None]
    for name in able or names:
        try:
            inline_question({"game": name, "cards": [path], "cost": "0"})
            return f"read as {name}"
        except LawfulError as error:
            faults.append(Fault(f"as {name}: {str(error).splitlines()[0]}"))
    raise BadInput(faults)


def show(findings: Sequence[Finding], as_json: bool) -> int:
    """Print what was found.

    Parameters
    ----------
    findings : sequence of Finding
        What was found.
    as_json : bool
        As one JSON document.

    Returns
    -------
    int
        0 if nothing failed, else 1.
    """
    failed = [one for one in findings if one.state == "failed"]
    if as_json:
        import json

        document = {"schema_version": SCHEMA_VERSION, "ok": not failed, "findings": [asdict(one) for one in findings]}
        print(json.dumps(document, ensure_ascii=False))
    else:
        header = ["", "what", "", "found", "what to do"]
        rows, last = [], ""
        for one in findings:
            rows.append([one.part if one.part != last else "", one.name, MARKS[one.state], one.found, one.fix])
            last = one.part
        _draw(header, rows)
        print(f"{len(failed)} of {len(findings)} failed" if failed else "all is well")
    return 1 if failed else 0


def _draw(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from lawful.table import draw, plain

    try:
        draw(header, rows)
    except ImportError:  # the library that draws is what is missing
        print("\n".join(plain(header, rows)))


def without_click(argv: Sequence[str], error: ImportError) -> int:
    """Answer a command line where the library that reads it is missing.

    Parameters
    ----------
    argv : sequence of str
        The arguments.
    error : ImportError
        What is missing.

    Returns
    -------
    int
        1 for ``lawful doctor``, which says more; else 69.
    """
    if list(argv[:1]) == ["doctor"]:
        return show(look(), "--json" in argv)
    library = (error.name or "a library").partition(".")[0]
    print(f"lawful: {library} is missing or too old (`lawful doctor` says what to install)", file=sys.stderr)
    return 69
