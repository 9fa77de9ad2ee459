"""What could not be answered, as the one document that the command line prints too, and its HTTP status."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from lawful.model.errors import BadInput, Disagreement, Fault, LawfulError, LimitReached, UnknownName
from lawful.saying import fault_of, recognised, said_advice, said_error, said_fault

SCHEMA_VERSION = 1
UNREADABLE, OUR_BUG = 422, 500
MOST_FAULTS = 1_000
NOWHERE = {"path": "/", "file": "", "line": 0, "column": 0, "hint": ""}
RENAMED = {"in-play": "in_play", "zone": "zones", "fact": "facts"}


def refusal(error: Exception) -> tuple[int, dict[str, Any]]:
    """Return the status and the document of an error.

    Parameters
    ----------
    error : Exception
        What was raised.

    Returns
    -------
    tuple of int and dict
        A limit that was reached is an answer (200): the verdict is null, and the limit is named.
    """
    if isinstance(error, LimitReached):
        from lawful.document import unanswered

        return 200, unanswered(error)
    if isinstance(error, MemoryError):
        return 200, stopped("memory")
    if isinstance(error, BadInput):
        return UNREADABLE, document("input", said_error(error), [_placed(said_fault(fault)) for fault in error.faults])
    if isinstance(error, UnknownName):
        return UNREADABLE, document("input", said_error(error), [_placed(fault_of(error))])
    if isinstance(error, Disagreement | LawfulError):
        return OUR_BUG, document("bug", said_error(error))
    cause = " ".join(str(error).split())[:300]
    return OUR_BUG, document("bug", f"{type(error).__name__}: {cause}")


def document(kind: str, message: str, faults: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """Return the document of a question that was not answered."""
    error = {"kind": kind, "message": message, "faults": list(faults)}
    return {"schema_version": SCHEMA_VERSION, "verdict": None, "error": error}


def stopped(limit: str, value: float | None = None) -> dict[str, Any]:
    """Return the document of a question whose worker was stopped."""
    advice = said_advice("ask for less")
    return {
        "schema_version": SCHEMA_VERSION, "verdict": None, "complete": False,
        "limit": limit, "value": value, "advice": advice,
    }  # fmt: skip


def _placed(fault: Fault) -> dict[str, Any]:
    """Return a fault with its path in the request: an option stands for its field, a line for the case."""
    said = asdict(fault)
    if fault.file.startswith("--"):
        name = fault.file[2:]
        return {**said, "path": f"/{RENAMED.get(name, name.replace('-', '_'))}"}
    return {
        **said,
        "path": f"/{fault.file}" if fault.file in ("case", "cards", "best", "with", "game", "name") else "/",
    }


def of_validation(errors: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the document of a body that is no request: every fault with its path, as JSON Pointer.

    Parameters
    ----------
    errors : sequence of mapping
        As pydantic gives them.

    Returns
    -------
    dict
        The document.
    """
    faults: list[dict[str, Any]] = []
    for error in errors[:MOST_FAULTS]:
        path = "/" + "/".join(str(part).replace("~", "~0").replace("/", "~1") for part in _parts(error["loc"]))
        message = str(error["msg"]).removeprefix("Value error, ")
        if error["type"] == "json_invalid":
            path, message = "/", f"the body is no JSON: {error.get('ctx', {}).get('error', message)}"
        faults.append({**NOWHERE, "message": recognised(message), "path": path})
    if len(errors) > MOST_FAULTS:
        faults.append({**NOWHERE, "message": recognised(f"and {len(errors) - MOST_FAULTS} more faults")})
    return document("input", "; ".join(f"{fault['path']}: {fault['message']}" for fault in faults[:20]), faults)


def _parts(where: Sequence[int | str]) -> list[int | str]:
    """Return the steps to a value in the body, without those that are about how it was read."""
    parts = list(where[1:] if where[:1] == ("body",) else where)
    if len(parts) > 2 and parts[0] == "requests":
        del parts[2]  # which kind of question it was taken for
    return parts
