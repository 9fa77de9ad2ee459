"""Reads what somebody would rather pay with: ``keep blue, few cards``."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from difflib import get_close_matches

from lawful.model.declaration import Question
from lawful.model.errors import BadInput, Fault
from lawful.model.page import Wish

FIXED = {
    "few cards": Wish("uses", False),
    "many cards": Wish("uses", True),
    "low x": Wish("x", False),
    "high x": Wish("x", True),
    "little left": Wish("left", False),
    "much left": Wish("left", True),
}
KNOWN = ("keep NAME", "use NAME", *FIXED)


def parse_wishes(text: str, question: Question) -> tuple[Wish, ...]:
    """Read wishes, separated by commas; the first decides, then the second, and so on.

    Parameters
    ----------
    text : str
        ``keep NAME``, ``use NAME`` (a card's name, or one object's id), ``few cards``, ``many cards``, ``low X``,
        ``high X``, ``little left``, ``much left``. A wish that has a comma in it stands in quotes.
    question : Question
        Whose cards and objects the names are.

    Returns
    -------
    tuple of Wish
        In their order.

    Raises
    ------
    BadInput
        With every fault, and the closest name where one is not known.

    Examples
    --------
    >>> import lawful
    >>> parse_wishes("keep blue, few cards", lawful.question("fab", cost="3r", hand="blue, red"))[1]
    Wish(about='uses', more=False, things=None)
    """
    wishes, faults = [], []
    for said in _split(text):
        found = _wish(said, question)
        if isinstance(found, Fault):
            faults.append(found)
        else:
            wishes.append(found)
    if not wishes and not faults:
        faults.append(Fault("no preference is given", hint="write one of: " + ", ".join(KNOWN)))
    if faults:
        raise BadInput(faults)
    return tuple(wishes)


def _split(text: str) -> Iterator[str]:
    for row in csv.reader([" ".join(text.split())], skipinitialspace=True):
        yield from (cell.strip() for cell in row if cell.strip())


def _wish(said: str, question: Question) -> Wish | Fault:
    words = " ".join(said.split())
    if words.casefold() in FIXED:
        return FIXED[words.casefold()]
    verb, _, name = words.partition(" ")
    if verb.casefold() not in ("keep", "use") or not name:
        close = get_close_matches(words.casefold(), FIXED, n=1)
        hint = f"did you mean {close[0]!r}?" if close else "write one of: " + ", ".join(KNOWN)
        return Fault(f"{said!r} is no preference", hint=hint)
    things = question.position.things
    mine = {t.id for t in things if name.casefold() in (t.id.casefold(), t.card.casefold())}
    if not mine:
        names = {n.casefold(): n for t in things for n in (t.card, t.id)}
        close = [names[n] for n in get_close_matches(name.casefold(), names, n=1)]
        return Fault(f"there is no {name!r} here", hint=f"did you mean {close[0]!r}?" if close else "")
    return Wish("uses", verb.casefold() == "use", frozenset(mine))
