"""What can go wrong with a question. Errors carry data; the sentence is made from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class LawfulError(Exception):
    """Everything that the package raises on purpose."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of an input: where, what, and the likely fix.

    Parameters
    ----------
    message : str
        What is wrong, in one sentence.
    file : str
        Where it was read from; ``-`` is standard input, ``--cost`` an option.
    line, column : int
        Counted from 1; 0 where there is none.
    hint : str
        The likely fix, or empty.
    """

    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    hint: str = ""

    def __str__(self) -> str:
        """Give the place, the cause and the fix in one line."""
        place = self.file + (f":{self.line}:{self.column}" if self.line else "")
        return f"{place + ': ' if place else ''}{self.message}{' (' + self.hint + ')' if self.hint else ''}"


class BadInput(LawfulError):
    """The input cannot be read. All faults at once.

    Parameters
    ----------
    faults : sequence of Fault
        At least one.
    """

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))


class UnknownName(LawfulError):
    """A name that nothing answers to, with the closest names there are.

    Parameters
    ----------
    kind : str
        What was looked for: `card`, `player`, `ruleset`, ...
    name : str
        The name given.
    known : sequence of str
        The names there are.
    """

    def __init__(self, kind: str, name: str, known: Sequence[str]) -> None:
        from difflib import get_close_matches

        self.kind, self.name, self.known = kind, name, tuple(known)
        folded = {k.casefold(): k for k in known}
        self.closest = tuple(folded[k] for k in get_close_matches(name.casefold(), folded, n=3, cutoff=0.6))
        hint = f"; did you mean {' or '.join(map(repr, self.closest))}?" if self.closest else ""
        super().__init__(f"unknown {kind} {name!r}{hint}")

    def fault(self) -> Fault:
        """Return it as a fault of no place, with the closest names as its likely fix."""
        hint = f"did you mean {' or '.join(map(repr, self.closest))}?" if self.closest else ""
        return Fault(f"unknown {self.kind} {self.name!r}", hint=hint)


class LimitReached(LawfulError):
    """A stated limit was reached before there was an answer. It is neither legal nor illegal.

    Parameters
    ----------
    limit : str
        Which one: `seconds`, `sources`, `ways`, ...
    value : float
        Its value.
    advice : str
        How to raise it, or how to ask for less.
    where : str
        What was being done: ``listing``; empty where the limit itself says it.
    """

    def __init__(self, limit: str, value: float, advice: str = "", where: str = "") -> None:
        self.limit, self.value, self.advice, self.where = limit, value, advice, where
        doing = f" ({where})" if where else ""
        super().__init__(f"limit reached: {limit} = {value:g}{doing}{'; ' + advice if advice else ''}")


class Disagreement(LawfulError):
    """Referee and solver disagree: a bug of ours. The question is kept, to be reported."""

    def __init__(self, what: str, question: object) -> None:
        self.what, self.question = what, question
        super().__init__(f"referee and solver disagree: {what}")
