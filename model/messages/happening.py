"""The steps of what happens, which the solver names in English: ``wound Bear``, ``Shield prevents 2 (Bear)``."""

from __future__ import annotations

import re
import string
from functools import cache

from lawful.model.frozen import FrozenMap
from lawful.model.messages import sentences, text, word
from lawful.model.verdict import Message

FORMS = ("check", "decline", "prevents", "replaces", "before", "first", "pays.not", "pays", "act")
"""Those that say more come first: what a player declines may be called as a step is."""


def step(said: str) -> str:
    """Say a step in the language that is spoken; one that is only a name stays.

    Parameters
    ----------
    said : str
        The step, as an answer names it.

    Returns
    -------
    str
        What happens in it.

    Examples
    --------
    >>> from lawful.model.messages import speaking
    >>> with speaking("es"):
    ...     step("heal Bear, Wolf"), step("Shield prevents 2 (Bear)"), step("Bear")
    ('curar: Bear, Wolf', 'Shield evita 2 (Bear)', 'Bear')
    """
    for id, pattern in _patterns():
        found = pattern.fullmatch(said)
        if found is None:
            continue
        verb = found.groupdict().get("verb")
        if verb is None or word("verb", verb) != verb:  # else a name whose first word is no verb
            return text(Message(id, FrozenMap(found.groupdict())))
    return said


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    found = []
    for id in (f"happens.{form}" for form in FORMS):
        parts = string.Formatter().parse(sentences()[id].other)
        # A verb or an event is one word; the rest are names, of which there may be none.
        pattern = "".join(
            re.escape(said) + (f"(?P<{name}>{'[a-z_]+' if kind == 'verb' else '.*'})" if name else "")
            for said, name, kind, _ in parts
        )
        found.append((id, re.compile(pattern)))
    return tuple(found)
