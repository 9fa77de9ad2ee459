"""Files of a sweep: the baseline, and whatever else is written whole or not at all."""

from __future__ import annotations

import errno
import json
import os
import tempfile
from dataclasses import replace
from pathlib import Path

from lawful.model.errors import BadInput, Fault
from lawful.stressing import Stressed

BASELINE = 1


def read_baseline(path: str) -> frozenset[str]:
    """Return the findings of a baseline file.

    Raises
    ------
    BadInput
        If it is none, or one of another version.
    """
    from lawful.cards.records import content

    try:
        document = json.loads(content(path))
        written = document["schema_version"]
        known = frozenset(str(one["id"]) for one in document["findings"])
    except BadInput as error:
        raise BadInput([replace(fault, hint="--update-baseline writes it") for fault in error.faults]) from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadInput([Fault("this is no baseline file", path, hint="--update-baseline writes one")]) from None
    if written != BASELINE:
        fault = f"a baseline file of version {written!r}, not {BASELINE}"
        raise BadInput([Fault(fault, path, hint="--update-baseline writes it anew")])
    return known


def write_baseline(found: Stressed, path: str) -> None:
    """Write the findings of a sweep as a baseline file."""
    known = [{key: one[key] for key in ("id", "check", "cards", "item", "says")} for one in found.findings]
    known.sort(key=lambda one: (one["check"], one["cards"], one["item"]))
    text = json.dumps({"schema_version": BASELINE, "findings": known}, ensure_ascii=False, indent=1) + "\n"
    write_whole(path, text)


def write_whole(path: str, text: str) -> None:
    """Write a file, or leave what was there before as it is.

    Raises
    ------
    BadInput
        If it cannot be written.
    """
    place = Path(path)
    try:
        if place.exists() and not place.is_file():  # a pipe, a terminal; a folder refuses
            place.write_text(text, encoding="utf8")
            return
        place = place.resolve()
        with tempfile.TemporaryDirectory(dir=place.parent, prefix=".lawful-") as folder:
            made = Path(folder) / "new"
            made.write_text(text, encoding="utf8")
            if place.exists():
                made.chmod(place.stat().st_mode)
            made.replace(place)
    except OSError as error:
        raise BadInput([Fault(f"cannot be written: {error.strerror}", path)]) from None


def writable(path: str) -> None:
    """Refuse a file that cannot be written: better before a sweep than after it.

    Raises
    ------
    BadInput
        If its folder is not there or cannot be written, or it is a folder itself.
    """
    place = Path(path)
    if place.is_dir():
        reason = os.strerror(errno.EISDIR)
    elif not place.parent.is_dir():
        reason = os.strerror(errno.ENOENT)
    elif not os.access(place if place.exists() else place.parent, os.W_OK):
        reason = os.strerror(errno.EACCES)
    else:
        return
    raise BadInput([Fault(f"cannot be written: {reason}", path)])
