"""What a page shows, as a link that brings it back: every field of the form, or a whole case file, packed."""

from __future__ import annotations

import base64
import binascii
import csv
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from lawful.model.messages import languages

MOST_TEXT = 500_000
ASKS = ("pay", "check", "order")
LEVELS = ("outcomes", "sources", "allocations", "sequences")


class BadLink(ValueError):
    """A link whose packed case cannot be unpacked."""


@dataclass(frozen=True, slots=True)
class State:
    """What is asked, and how the answer is looked at. Empty text is what was not said.

    Parameters
    ----------
    ask : {"pay", "check", "order"}
        The question.
    case : str
        A case file; empty where the form asks.
    name : str
        Which of its cases; empty is the first.
    lang : str
        The language that was chosen; empty is the browser's.
    """

    ask: str = "pay"
    case: str = ""
    name: str = ""
    game: str = ""
    cost: str = ""
    hand: str = ""
    float: str = ""
    in_play: str = ""
    opposing: str = ""
    play: str = ""
    activate: str = ""
    ability: str = ""
    x: str = ""
    coins: str = ""
    players: str = ""
    free: str = ""
    cards: str = ""
    target: str = ""
    mode: str = ""
    steps: str = ""
    player: str = ""
    level: str = ""
    view: str = ""
    by_name: str = ""
    explain: str = ""
    prove: str = ""
    ignore: str = ""
    start: str = ""
    limit: str = ""
    sample: str = ""
    seed: str = ""
    best: str = ""
    why_not: str = ""
    find: str = ""
    lang: str = ""

    def link(self, **changes: str) -> str:
        """Return the link of this state, with changes."""
        now = replace(self, **changes)
        said = {f.name: getattr(now, f.name) for f in fields(State)}
        if now.case:
            said["case"] = pack(now.case)
        if said["ask"] == "pay":
            del said["ask"]
        query = urlencode({key: value for key, value in said.items() if value})
        return f"/?{query}" if query else "/"

    def fresh(self, **changes: str) -> str:
        """Return the link of this state with changes, from the first way on."""
        return self.link(**{"start": "", "sample": "", **changes})

    @property
    def asked(self) -> bool:
        """Whether there is anything to answer."""
        return bool(self.case or self.cost or self.play or self.activate)

    @property
    def wishes(self) -> list[str]:
        """The preferences, the first before the second."""
        return listed(self.best)


def read_state(query: Iterable[tuple[str, str]]) -> State:
    """Read a state from what a link, or a form, says; what is not known is passed over.

    Parameters
    ----------
    query : iterable of pairs
        Names and values.

    Returns
    -------
    State
        What was said.

    Raises
    ------
    BadLink
        If a packed case cannot be unpacked.
    """
    known = {f.name for f in fields(State)}
    said: dict[str, str] = {}
    for name, value in query:
        if name in known and value.strip():
            said[name] = value if name in ("case", "cards") else value.strip()
        elif name == "text" and value.strip():
            said["case"] = value.replace("\r\n", "\n")
    if said.get("case", "").startswith(PREFIX):
        said["case"] = unpack(said["case"])
    if said.get("ask", "pay") not in ASKS:
        said["ask"] = "pay"
    if said.get("lang") not in languages():
        said.pop("lang", None)
    return State(**said)


PREFIX = "~"


@lru_cache(maxsize=256)  # a page has many links with the same case
def pack(text: str) -> str:
    """Return a text as a few safe letters.

    Examples
    --------
    >>> unpack(pack("case: a")) == "case: a"
    True
    """
    return PREFIX + base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def unpack(packed: str) -> str:
    """Return the text of `pack`.

    Raises
    ------
    BadLink
        If it is not what `pack` gives, or too long.
    """
    letters = packed.removeprefix(PREFIX)
    try:
        raw = base64.b64decode(letters + "=" * (-len(letters) % 4), b"-_", validate=True)
        opened = zlib.decompressobj()
        text = opened.decompress(raw, MOST_TEXT).decode()
    except (binascii.Error, zlib.error, UnicodeDecodeError, ValueError) as error:
        raise BadLink("the link is damaged: its case cannot be read") from error
    if opened.unconsumed_tail:
        raise BadLink(f"the case of the link is longer than {MOST_TEXT} letters")
    if not opened.eof:
        raise BadLink("the link is damaged: its case is cut off")
    return text


def request_of(state: State) -> dict[str, Any]:
    """Return what the state asks, with the names of the HTTP API; numbers that are none stay text, and are refused.

    Parameters
    ----------
    state : State
        The page's state.

    Returns
    -------
    dict
        A request.
    """
    how: dict[str, Any] = {}
    if state.ask == "pay":
        how = {
            "level": state.level or None, "by_name": bool(state.by_name), 
            "minimal": state.view == "minimal" and state.level != "outcomes",
            "explain": bool(state.explain), "prove": bool(state.prove), "limit": _number(state.limit) or 25,
            "from": _number(state.start) or 0, "best": state.best or None,
        }  # fmt: skip
        if state.sample:
            how |= {"sample": _number(state.sample), "seed": _number(state.seed) or 0, "from": 0, "best": None}
            how |= {"by_name": False, "limit": how["sample"]}
        if state.steps and not state.case:  # one payment is judged: there is nothing to list
            how = {}
    if state.ignore:
        how["ignore_unread"] = True
    if state.case:
        return {"case": state.case, **({"name": state.name} if state.name else {}), **how}
    said: dict[str, Any] = {"game": state.game or None, "hand": state.hand, "in_play": state.in_play}
    said |= {"opposing": state.opposing, "cards": state.cards, "free": bool(state.free)}
    for name in ("cost", "play", "activate", "ability", "player"):
        said[name] = getattr(state, name) or None
    said |= {"float": state.float or None, "with": state.steps or None}
    for name in ("x", "coins", "players"):
        said[name] = _number(getattr(state, name)) if getattr(state, name) else None
    if state.ask == "check":
        said["targets"] = listed(state.target)
        said["modes"] = listed(state.mode) if state.mode else None
        said["why_not"] = state.why_not or None
    return {key: value for key, value in {**said, **how}.items() if value is not None}


def _number(text: str) -> Any:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 40 else (text or None)


def listed(text: str) -> list[str]:
    """Return names that stand with commas between them; one with a comma in it stands in quotes.

    Examples
    --------
    >>> listed('Wolf, "Tyler, the Second"')
    ['Wolf', 'Tyler, the Second']
    """
    rows = csv.reader([" ".join(text.split())], skipinitialspace=True)
    return [name.strip() for row in rows for name in row if name.strip()]


def named(names: Iterable[str]) -> str:
    """Return names as `listed` reads them.

    Examples
    --------
    >>> named(["Wolf", "Tyler, the Second"])
    'Wolf, "Tyler, the Second"'
    """
    return ", ".join('"' + name.replace('"', '""') + '"' if set(name) & set(',"') else name for name in names)
