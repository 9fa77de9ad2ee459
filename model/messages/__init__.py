"""The sentences: message ids and their templates, one set of files a language.

A file ``<topic>.<language>.yaml`` maps ids to templates in the syntax of `str.format`. Code names ids and parameters
only, so that a translation is one more file.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from lawful.model.errors import UnknownName
from lawful.model.verdict import Message, Value


def text(message: Message, language: str = "en") -> str:
    """Say a message.

    Parameters
    ----------
    message : Message
        An id and its parameters; a tuple is listed with commas.
    language : str
        Language of the templates.

    Returns
    -------
    str
        The sentence, without a full stop.

    Raises
    ------
    UnknownName
        If there is no such language.
    LookupError
        If the language lacks the id, or the message lacks a parameter of the template.

    Examples
    --------
    >>> from lawful.model.frozen import FrozenMap
    >>> text(Message("face.ways", FrozenMap({"n": "7", "cost": "3c1r", "level": "source sets"})))
    '7 ways to pay 3c1r (source sets)'
    """
    known = templates(language)
    if message.id not in known:
        raise LookupError(f"no text for the message {message.id!r} in {language!r}")
    try:
        return known[message.id].format_map({name: _said(value) for name, value in message.params.items()})
    except KeyError as missing:
        raise LookupError(f"the message {message.id!r} lacks the parameter {missing}") from None


def _said(value: Value) -> int | str:
    return ", ".join(value) if isinstance(value, tuple) else value


def languages() -> tuple[str, ...]:
    """Return the languages that there are message files for.

    Returns
    -------
    tuple of str
        Sorted.

    Examples
    --------
    >>> "en" in languages()
    True
    """
    return tuple(sorted({name.split(".")[-2] for name in _names()}))


@cache
def templates(language: str) -> Mapping[str, str]:
    """Return every template of a language by its id.

    Parameters
    ----------
    language : str
        The language.

    Returns
    -------
    mapping of str to str
        Of all files of that language.

    Raises
    ------
    UnknownName
        If there is no such language.
    """
    import yaml  # a question that is answered in JSON without reasons needs no text

    names = [name for name in _names() if name.split(".")[-2] == language]
    if not names:
        raise UnknownName("language", language, languages())
    found: dict[str, str] = {}
    for name in names:
        found.update(yaml.safe_load(files(__name__).joinpath(name).read_text(encoding="utf8")))
    return found


def _names() -> list[str]:
    return sorted(entry.name for entry in files(__name__).iterdir() if entry.name.endswith(".yaml"))
