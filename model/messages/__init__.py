"""The sentences: message ids and their templates, and the language that is spoken.

``<topic>.en.yaml`` maps ids to English templates in the syntax of `str.format`. A template says what kind of word a
parameter is, where it is one that a language has a word for: ``{verb:verb}``, ``{zone:zone or}``. Where a number
decides the form of the sentence it is a mapping: ``{count: n, one: ..., other: ...}``. Every other language is one
catalogue ``<language>.po``, read by `lawful.model.messages.catalogue`. Code names ids and parameters only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from lawful.model.errors import UnknownName
from lawful.model.frozen import FrozenMap
from lawful.model.verdict import Message, Value

DEFAULT = "en"
JOINS = ("or", "and")


@dataclass(frozen=True, slots=True)
class Sentence:
    """What a message says in English.

    Parameters
    ----------
    other : str
        The template.
    one : str, optional
        The template where the number is one.
    count : str
        The parameter that is the number; empty where the sentence has one form.
    """

    other: str
    one: str | None = None
    count: str = ""

    def of(self, params: Mapping[str, Value]) -> str:
        """Return the template for these parameters."""
        return self.one if self.one is not None and str(params.get(self.count)) == "1" else self.other


@dataclass(frozen=True, slots=True)
class Speech:
    """The language that is spoken, and the game whose words it uses."""

    language: str = DEFAULT
    game: str = ""


_ENGLISH = Speech()
_SPEECH: ContextVar[Speech] = ContextVar("lawful_speech", default=_ENGLISH)


@contextmanager
def speaking(language: str | None = None, game: str | None = None) -> Iterator[None]:
    """Say everything in a language, and with a game's words, while this lasts.

    Parameters
    ----------
    language : str, optional
        One of `languages`; None leaves what is spoken.
    game : str, optional
        Id of a ruleset; None leaves it.

    Raises
    ------
    UnknownName
        If there is no such language.

    Examples
    --------
    >>> from lawful.model.frozen import FrozenMap
    >>> with speaking("es"):
    ...     text(Message("face.unpayable", FrozenMap({"cost": "3c1r"})))
    '3c1r no se puede pagar'
    """
    token = _SPEECH.set(_changed(language, game))
    try:
        yield
    finally:
        _SPEECH.reset(token)


def speak(language: str | None = None, game: str | None = None) -> None:
    """Say everything in a language, and with a game's words, from now on in this context; see `speaking`."""
    _SPEECH.set(_changed(language, game))


def _changed(language: str | None, game: str | None) -> Speech:
    was = _SPEECH.get()
    if language is not None and language not in languages():
        raise UnknownName("language", language, languages())
    return Speech(was.language if language is None else language, was.game if game is None else game)


def spoken() -> str:
    """Return the language that is spoken: English, unless another one was asked for."""
    return _SPEECH.get().language


def text(message: Message, language: str | None = None) -> str:
    """Say a message.

    Parameters
    ----------
    message : Message
        An id and its parameters; a tuple is listed with commas.
    language : str, optional
        The language; None means the one that is spoken.

    Returns
    -------
    str
        The sentence, without a full stop. In English where the language has no sentence for it.

    Raises
    ------
    UnknownName
        If there is no such language.
    LookupError
        If there is no such id, or the message lacks a parameter of the template.

    Examples
    --------
    >>> from lawful.model.frozen import FrozenMap
    >>> text(Message("face.ways", FrozenMap({"n": "7", "cost": "3c1r", "level": "source sets"})))
    '7 ways to pay 3c1r (source sets)'
    """
    if language is not None and language != spoken():
        with speaking(language):
            return text(message)
    found = sentences().get(message.id)
    if found is None:
        raise LookupError(f"no text for the message {message.id!r}")
    template = found.of(message.params)
    if spoken() != DEFAULT:
        from lawful.model.messages.catalogue import translated

        template = translated(spoken(), message.id, found, message.params) or template
    try:
        return template.format_map({name: _Param(value) for name, value in message.params.items()})
    except KeyError as missing:
        raise LookupError(f"the message {message.id!r} lacks the parameter {missing}") from None


class _Param:
    """A parameter as a template asks for it: ``{x}`` as it is, ``{x:zone or}`` as words that are joined."""

    def __init__(self, value: Value) -> None:
        self.value = value

    def __format__(self, kinds: str) -> str:
        many = self.value if isinstance(self.value, tuple) else (self.value,)
        *asked, last = kinds.split() or [""]
        join = last if last in JOINS else ""
        kind = " ".join(asked) if join else last
        said = [word(kind, str(value)) if kind else str(value) for value in many]
        if not join:
            return ", ".join(said)
        if spoken() == DEFAULT:
            return f" {join} ".join(said)
        return f" {word('word', join)} ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)

    def __repr__(self) -> str:
        return repr(self.value)


def word(kind: str, value: str) -> str:
    """Return a word in the language that is spoken; one that it has no word for stays.

    Parameters
    ----------
    kind : str
        ``word`` is one of the package's own (``word.must``); all else is a word of the game: verb, zone, asset, ...,
        or of every game (``verb.gain``). ``points`` is a number with an asset, ``part`` a part of what is paid with
        what pays it, ``step`` a step of what happens, ``use`` what is done with a card: played, or its ability's name.
    value : str
        The word as data has it.

    Returns
    -------
    str
        The word.

    Examples
    --------
    >>> word("word", "counting uses"), word("zone", "graveyard")
    ('counting uses', 'graveyard')
    """
    if spoken() == DEFAULT:
        return value
    if kind == "points":
        n, _, asset = value.partition(" ")
        return text(Message("face.points", FrozenMap({"n": n, "asset": asset})))
    if kind == "step":
        from lawful.model.messages.happening import step

        return step(value)
    if kind == "use":
        return word("verb", value) if value in ("play", "activate") else value
    if kind == "part":
        name, _, rest = value.partition(" ")
        return f"{text(Message('word.cost'))} {rest}" if name == "cost" else value
    if kind != "word":
        from lawful.model.messages.catalogue import of_game

        said = of_game(spoken(), _SPEECH.get().game, kind, value)
        if said is not None:
            return said
    id = f"{kind}.{re.sub('[^a-z0-9]+', '-', value.lower()).strip('-')}"
    return text(Message(id)) if id in sentences() else value


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that answers can be had in.

    Returns
    -------
    tuple of str
        English first, then as they are sorted.

    Examples
    --------
    >>> "en" in languages()
    True
    """
    return (DEFAULT, *sorted(name.removesuffix(".po") for name in _names(".po")))


@cache
def sentences() -> Mapping[str, Sentence]:
    """Return every English sentence by its id."""
    import yaml  # a question that is answered in JSON without reasons needs no text

    found: dict[str, Sentence] = {}
    for name in _names(".en.yaml"):
        content = yaml.safe_load(files(__name__).joinpath(name).read_text(encoding="utf8"))
        for id, said in content.items():
            found[id] = Sentence(**said) if isinstance(said, dict) else Sentence(said)
    return found


def _names(ending: str) -> list[str]:
    return sorted(entry.name for entry in files(__name__).iterdir() if entry.name.endswith(ending))
