"""One data file a game; the only place that names a game."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from lawful.model.errors import UnknownName
from lawful.model.messages.catalogue import beside
from lawful.model.ruleset import Ruleset


@cache
def shipped() -> tuple[str, ...]:
    """Return the ids of the rulesets that come with the package, which are the names of their files."""
    return tuple(sorted(f.name.removesuffix(".yaml") for f in files(__name__).iterdir() if f.name.endswith(".yaml")))


@cache
def _shipped(id: str) -> Ruleset:
    from lawful.model.reading.rulesetfile import read_ruleset_file

    with as_file(files(__name__).joinpath(f"{id}.yaml")) as path:
        return read_ruleset_file(path)


def load_ruleset(name_or_path: str | Path) -> Ruleset:
    """Return the rules of a game.

    Parameters
    ----------
    name_or_path : str or Path
        The id or a short name of a ruleset that comes with the package, or the path of a ruleset file.

    Returns
    -------
    Ruleset
        The rules, in the version of their first document.

    Raises
    ------
    UnknownName
        If there is none; with the closest names.
    BadInput
        If the file cannot be read; with every fault and its place.
    """
    from lawful.model.reading.rulesetfile import read_ruleset_file

    name = str(name_or_path)
    if name in shipped():
        return _shipped(name)
    if isinstance(name_or_path, Path) or name.endswith((".yaml", ".yml")) or "/" in name or "\\" in name:
        ruleset = read_ruleset_file(name)
        beside(ruleset.id, Path(name))
        return ruleset
    known = {alias: id for id in shipped() for alias in (id, *_shipped(id).aliases)}
    folded = {alias.casefold(): id for alias, id in known.items()}
    if name.casefold() not in folded:
        raise UnknownName("ruleset", name, list(known))
    return _shipped(folded[name.casefold()])


def under(ruleset: Ruleset, point: str, reading: str) -> Ruleset:
    """Return the ruleset under one reading of an open point.

    Parameters
    ----------
    ruleset : Ruleset
        The rules.
    point : str
        Id of an open point.
    reading : str
        Name of one of its readings.

    Returns
    -------
    Ruleset
        With the reading's changes made, and noted in `readings`.

    Raises
    ------
    UnknownName
        If there is no such point, reading or parameter.
    """
    from lawful.model.reading import openpoints

    return openpoints.under(ruleset, point, reading)


def with_version(ruleset: Ruleset, document_id: str) -> Ruleset:
    """Return the ruleset with another of its documents cited.

    Parameters
    ----------
    ruleset : Ruleset
        The rules.
    document_id : str
        Id of one of its documents.

    Returns
    -------
    Ruleset
        With that version, and the parameters in which it differs.

    Raises
    ------
    UnknownName
        If it has no such document.
    """
    from lawful.model.reading import openpoints

    known = [document.id for document in ruleset.documents]
    if document_id not in known:
        raise UnknownName("document", document_id, known)
    changes = ruleset.documents[known.index(document_id)].changes
    return replace(openpoints.changed(ruleset, changes), version=document_id)
