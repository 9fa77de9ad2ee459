"""What went wrong, in the language that is spoken; in English as the errors themselves say it."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cache
from typing import Any

from lawful.model.errors import BadInput, Fault, LawfulError, LimitReached, UnknownName
from lawful.model.frozen import FrozenMap
from lawful.model.messages import DEFAULT, sentences, speaking, spoken, text, word
from lawful.model.verdict import Message, Value

LONGEST = 400


def said_error(error: LawfulError) -> str:
    """Say what went wrong.

    Parameters
    ----------
    error : LawfulError
        What was raised.

    Returns
    -------
    str
        One line; of an input that cannot be read, one for each fault.

    Examples
    --------
    >>> said_error(LimitReached("seconds", 2, "give more time"))
    'limit reached: seconds = 2; give more time'
    >>> from lawful.model.messages import speaking
    >>> with speaking("es"):
    ...     said_error(UnknownName("card", "Chii", ["Chi"]))
    "no existe este nombre (carta): 'Chii'; ¿quiso decir 'Chi'?"
    """
    if spoken() == DEFAULT:
        return str(error)
    if isinstance(error, LimitReached):
        return _limit(error)
    if isinstance(error, UnknownName):
        hint = f"; {_meant(error)}" if error.closest else ""
        return f"{_unknown(error)}{hint}"
    if isinstance(error, BadInput):
        return "\n".join(str(said_fault(fault)) for fault in error.faults)
    return recognised(str(error))


def fault_of(error: UnknownName) -> Fault:
    """Return an unknown name as a fault, in the language that is spoken."""
    if spoken() == DEFAULT:
        return error.fault()
    return Fault(_unknown(error), hint=_meant(error) if error.closest else "")


def said_fault(fault: Fault) -> Fault:
    """Return a fault in the language that is spoken; a sentence that the catalogue does not have stays in English.

    Examples
    --------
    >>> with speaking("ru"):
    ...     print(said_fault(Fault("unknown card 'blu'", "--hand", 1, 1, "did you mean 'blue'?")))
    --hand:1:1: неизвестная карта: 'blu' (возможно, имелось в виду 'blue'?)
    """
    if spoken() == DEFAULT:
        return fault
    return replace(fault, message=recognised(fault.message), hint=recognised(fault.hint))


def recognised(sentence: str) -> str:
    """Say an English sentence in the language that is spoken, where it is one of the ``fault.*`` templates."""
    if len(sentence) <= LONGEST:
        for pattern, id in _patterns():
            if found := pattern.fullmatch(sentence):
                between = f"' {word('word', 'or')} '"
                params = {name: value.replace("' or '", between) for name, value in found.groupdict().items()}
                return text(Message(id, FrozenMap(params)))
    return sentence


def said_advice(advice: str) -> str:
    """Say what to do about a limit in the language that is spoken.

    Examples
    --------
    >>> with speaking("es"):
    ...     said_advice("give more time"), said_advice("the position has 41"), said_advice("think")
    ('dé más tiempo', 'la posición tiene 41', 'think')
    """
    said = word("word", advice)
    return recognised(advice) if said == advice else said


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return what recognises each template, those that say most first."""
    found = []
    for id, sentence in sentences().items():
        if id.startswith("fault."):
            parts = list(string.Formatter().parse(sentence.other))
            pattern = "".join(re.escape(said) + (f"(?P<{name}>.+?)" if name else "") for said, name, _, _ in parts)
            found.append((-sum(len(said) for said, *_ in parts), re.compile(pattern, re.DOTALL), id))
    return tuple((pattern, id) for _, pattern, id in sorted(found, key=lambda one: (one[0], one[2])))


def _limit(error: LimitReached) -> str:
    value = f"{error.value:g}"
    if error.where:
        said = _say("face.limit.where", limit=error.limit, value=value, where=error.where)
    else:
        said = _say("face.limit", limit=error.limit, value=value)
    return f"{said}; {said_advice(error.advice)}" if error.advice else said


def _unknown(error: UnknownName) -> str:
    return _say("face.unknown", kind=error.kind, name=error.name)


def _meant(error: UnknownName) -> str:
    return _say("face.did-you-mean", names=tuple(map(repr, error.closest)))


def _say(id: str, **params: Value) -> str:
    return text(Message(id, FrozenMap(params)))


class Said:
    """An answer that says itself, in any language, as the command line does."""

    question: Any

    def _told(self) -> Iterable[str]:
        raise NotImplementedError

    def _game(self) -> str:
        """Return whose words are spoken."""
        assert self.question is not None
        return str(self.question.ruleset.id)

    def _speaking(self, lang: str | None = None) -> AbstractContextManager[None]:
        """Speak a language, or go on in that which is spoken, with the words of the game."""
        return speaking(lang, self._game())

    def said(self, lang: str | None = None) -> str:
        """Say it as the command line does.

        Parameters
        ----------
        lang : str, optional
            One of `lawful.languages`; None means the language that is spoken, which is English at first.

        Returns
        -------
        str
            Several lines.

        Examples
        --------
        >>> import lawful
        >>> answer = lawful.pay(lawful.question("fab", cost="3c1r", hand="blue"))
        >>> print(answer.said("ru").splitlines()[0])
        3c1r оплатить нельзя
        """
        with self._speaking(lang):
            return "\n".join(self._told())

    def __str__(self) -> str:
        """Say it as the command line does."""
        return self.said()

    def __repr__(self) -> str:
        """Say it in one line: the fields are many, and hold the whole question."""
        return f"<{type(self).__name__}: {next(iter(self.said('en').splitlines()), '')}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))
