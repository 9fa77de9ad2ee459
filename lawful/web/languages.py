"""The language of a page: the one that was chosen, else the browser's, else English."""

from __future__ import annotations

from fastapi import Request

from lawful.model.messages import DEFAULT, languages, spoken
from lawful.text import say
from lawful.web.state import State

NAMES = {"en": "English", "es": "Español", "ru": "Русский"}
WISHES = ("few cards", "many cards", "little left", "much left", "low X", "high X")


def language_of(request: Request, state: State) -> str:
    """Return the language of a page.

    Parameters
    ----------
    request : Request
        Its header ``Accept-Language`` says what the browser's user reads.
    state : State
        Its `lang` is what was chosen on the page.

    Returns
    -------
    str
        One of `lawful.model.messages.languages`.
    """
    return state.lang or preferred(request.headers.get("accept-language", ""))


def preferred(accepted: str) -> str:
    """Return the language that an ``Accept-Language`` header likes best among those there are.

    Examples
    --------
    >>> preferred("fr, ru-RU;q=0.8, es;q=0.9"), preferred("de"), preferred("*"), preferred("es;q=0")
    ('es', 'en', 'en', 'en')
    """
    liked: list[tuple[float, int, str]] = []
    for at, part in enumerate(accepted[:1000].split(",")):
        tag, _, quality = part.strip().partition(";")
        language = tag.strip().lower().partition("-")[0]
        try:
            weight = float(quality.strip().removeprefix("q=")) if quality else 1.0
        except ValueError:
            continue
        if language in languages() and 0 < weight <= 1:
            liked.append((-weight, at, language))
    return min(liked)[2] if liked else DEFAULT


def thousands(n: int) -> str:
    """Group the digits of a number as readers of the language expect: by commas in English, else by narrow spaces."""
    grouped = f"{n:,}"
    return grouped if spoken() == DEFAULT else grouped.replace(",", "\u202f")


def wished(wish: str) -> str:
    """Say a preference, which a link holds in English."""
    kind, _, name = wish.partition(" ")
    if wish in WISHES:
        return say(f"page.wish.{wish.lower().replace(' ', '-')}")
    if kind in ("keep", "use") and name:
        return say(f"page.{kind}.it", name=name)
    return wish
