"""Answers as Python has them: iterable, sized, picklable, and drawn in a notebook. They hold the question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from html import escape
from typing import Any, TypeVar

from lawful import api, checking
from lawful.api import Judgement
from lawful.checking import Verdict
from lawful.model.casefile import Case
from lawful.model.declaration import OrderQuestion, Question
from lawful.model.errors import BadInput, Fault
from lawful.model.limits import Limits
from lawful.model.ordered import ComesOut, Ordered
from lawful.model.page import Page
from lawful.model.payment import Claim, Level
from lawful.model.verdict import Answer
from lawful.saying import Said
from lawful.titles import title
from lawful.ways import Line, lines

T = TypeVar("T")


@dataclass(frozen=True, repr=False)
class Payments(Said, Answer):
    """Every way to pay, or why there is none.

    Parameters
    ----------
    question : Question
        What was asked.
    by_name : bool
        Whether equal cards are merged in the list.

    Examples
    --------
    >>> import lawful
    >>> answer = lawful.pay(lawful.question("fab", cost="3c1r", hand="Inner Chi, blue, red"))
    >>> len(answer), [line.sources for line in answer]
    (2, [('Inner Chi', 'blue'), ('Inner Chi', 'red')])
    >>> print(answer)
    2 ways to pay 3c1r (source sets), complete
    ...
    """

    question: Question | None = None
    by_name: bool = False

    @property
    def lines(self) -> tuple[Line, ...]:
        """The ways listed, as they are shown."""
        return lines(_held(self.question), self, self.by_name)

    def __len__(self) -> int:
        """Return how many ways are listed; `count` is of all."""
        return len(self.ways)

    def __iter__(self) -> Iterator[Line]:
        """Iterate over the ways listed, as they are shown."""
        return iter(self.lines)

    def __getitem__(self, at: int) -> Line:
        """Return one of the ways listed."""
        return self.lines[at]

    def to_dict(self, lang: str | None = None) -> dict[str, Any]:
        """Return the document that ``lawful pay --json`` prints; its texts in a language, else that which is spoken."""
        from lawful.document import answered

        with self._speaking(lang):
            return answered(_held(self.question), self, by_name=self.by_name)

    def _told(self) -> Iterator[str]:
        from lawful.table import plain

        for block in self._blocks():
            yield from [block] if isinstance(block, str) else plain(*block)

    def _blocks(self) -> Iterator[str | tuple[list[str], list[list[str]]]]:
        from lawful.text import answer_blocks

        return answer_blocks(_held(self.question), self, title(_held(self.question)), by_name=self.by_name)

    def picture(self, at: int = 0) -> str:
        """Draw one of the ways listed: what is used for which part of the cost, what is kept, left and lost.

        Parameters
        ----------
        at : int
            Which one.

        Returns
        -------
        str
            SVG.
        """
        from lawful.flow import to_picture

        with self._speaking():
            return to_picture(_held(self.question), self.lines[at], self.by_name)

    def _repr_html_(self) -> str:
        from lawful.table import html

        with self._speaking():
            return "".join(f"<p>{escape(b)}</p>" if isinstance(b, str) else html(*b) for b in self._blocks() if b)


@dataclass(frozen=True, repr=False)
class Checked(Said, Verdict):
    """Whether a declaration is legal, and if not, why not.

    Parameters
    ----------
    question : Question
        What was asked.
    """

    question: Question | None = None

    def __len__(self) -> int:
        """Return the number of reasons."""
        return len(self.reasons)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the reasons, each in one sentence with its rules."""
        from lawful.checktext import spoken

        with self._speaking():
            return iter([spoken(_held(self.question), reason) for reason in self.reasons])

    def to_dict(self, lang: str | None = None) -> dict[str, Any]:
        """Return the document that ``lawful check --json`` prints; its texts in a language."""
        from lawful.checked import checked

        with self._speaking(lang):
            return checked(_held(self.question), self)

    def _told(self) -> Iterator[str]:
        from lawful.checktext import verdict_lines

        return verdict_lines(_held(self.question), self, title(_held(self.question)))

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


@dataclass(frozen=True, repr=False)
class Judged(Said, Judgement):
    """Whether one given payment is legal, step by step.

    Parameters
    ----------
    question : Question
        What was asked.

    Examples
    --------
    >>> import lawful
    >>> print(judge(lawful.question("fab", cost="3c1r", hand="Inner Chi, blue"), "blue > Inner Chi"))
    illegal
      1. due: 3c, 1r [CR 5.1.6a]
      x  blue gives nothing that the chi part accepts (chi) [CR 1.14.3b]
    ...
    """

    question: Question | None = None

    def __len__(self) -> int:
        """Return the number of steps that were taken."""
        return len(self.replay.steps)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the steps that were taken, each in one sentence with its rule."""
        from lawful.text import trace

        with self._speaking():
            return iter(trace(_held(self.question), self.replay.steps))

    def __bool__(self) -> bool:
        """Refuse: what is undetermined is neither."""
        raise TypeError("a Judgement has no truth value; ask for .status")

    def to_dict(self, lang: str | None = None) -> dict[str, Any]:
        """Return the document of ``lawful pay --with ... --json``; its texts in a language."""
        from lawful.document import judged

        with self._speaking(lang):
            return judged(_held(self.question), self)

    def _told(self) -> Iterator[str]:
        from lawful.text import judgement_lines

        return judgement_lines(_held(self.question), self, title(_held(self.question)))

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


@dataclass(frozen=True, repr=False)
class Outcomes(Said, Ordered):
    """Everything that can come out.

    Parameters
    ----------
    question : OrderQuestion
        What was asked.
    """

    question: OrderQuestion | None = None

    def __len__(self) -> int:
        """Return the number of outcomes."""
        return len(self.outcomes)

    def __iter__(self) -> Iterator[ComesOut]:
        """Iterate over the outcomes."""
        return iter(self.outcomes)

    def __getitem__(self, at: int) -> ComesOut:
        """Return one outcome."""
        return self.outcomes[at]

    def to_dict(self, lang: str | None = None) -> dict[str, Any]:
        """Return the document that ``lawful order --json`` prints."""
        from lawful.orderdoc import order_document

        with self._speaking(lang):
            return order_document(_held(self.question), self)

    @property
    def svg(self) -> str:
        """The graph of effects, as a picture."""
        from lawful.picture import to_svg

        with self._speaking():
            return to_svg(self.graph, _held(self.question).ruleset)

    def _told(self) -> Iterator[str]:
        from lawful.ordertext import order_lines

        return order_lines(_held(self.question), self)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>{self.svg if self.graph.nodes else ''}"

    def _repr_svg_(self) -> str:
        return self.svg


def pay(
    question: Question | Case,
    level: Level | None = None,
    limits: Limits = Limits(),
    by_name: bool = False,
    page: Page = Page(),
    prove: bool = False,
    best: str = "",
    ignore_unread: bool = False,
) -> Payments:
    """Find every way to pay, or say why there is none; see `lawful.api.pay`.

    Parameters
    ----------
    question : Question or Case
        What is asked.
    level, limits, by_name, page, prove
        As there.
    best : str
        Which ways are listed first, in the words of ``--best``: ``keep blue, few cards``.
    ignore_unread : bool
        Whether text of cards that was not read is assumed not to matter; else an answer on which it bears is
        undetermined.

    Returns
    -------
    Payments
        An `Answer` that holds its question.
    """
    asked = _declared(question, ignore_unread)
    if best:
        from lawful.wishes import parse_wishes

        page = replace(page, best=parse_wishes(best, asked))
    answer = api.pay(asked, level, limits, by_name, page, prove)
    return Payments(**_fields(answer), question=asked, by_name=by_name)


def check(
    question: Question | Case, claim: Claim | None = None, limits: Limits = Limits(), ignore_unread: bool = False
) -> Checked:
    """Say whether a declaration is legal, and if not, why not; see `lawful.checking.check`.

    Parameters
    ----------
    question : Question or Case
        What is declared.
    claim, limits, ignore_unread
        As there and in `pay`; of a case, its own claim is judged.

    Returns
    -------
    Checked
        A `Verdict` that holds its question.
    """
    if isinstance(question, Case):
        question = checking.of_choices(question)
        claim = claim or question.claim
    asked = _declared(question, ignore_unread)
    return Checked(**_fields(checking.check(asked, claim, limits)), question=asked)


def judge(
    question: Question | Case, claim: Claim | str | None = None, limits: Limits = Limits(), ignore_unread: bool = False
) -> Judged:
    """Judge one given payment, in the order given; see `lawful.api.judge`.

    Parameters
    ----------
    question : Question or Case
        What is paid.
    claim : Claim or str, optional
        The payment; of a case, its own if there is none.
    limits, ignore_unread
        As in `pay`.

    Returns
    -------
    Judged
        A `Judgement` that holds its question.

    Raises
    ------
    BadInput
        If no payment is given.
    """
    asked = _declared(question, ignore_unread)
    if claim is None and isinstance(question, Case):
        claim = question.claim
    if claim is None:
        raise BadInput([Fault("no payment is given that could be judged", hint="lawful.pay finds all of them")])
    return Judged(**_fields(api.judge(asked, claim, limits)), question=asked)


def order(question: OrderQuestion | Case, limits: Limits = Limits(), ignore_unread: bool = False) -> Outcomes:
    """Find everything that can come out of what happens; see `lawful.api.order`.

    Parameters
    ----------
    question : OrderQuestion or Case
        What happens.
    limits, ignore_unread
        As in `pay`.

    Returns
    -------
    Outcomes
        An `Ordered` that holds its question.

    Raises
    ------
    BadInput
        If the case does not say what happens.
    """
    asked = question.order if isinstance(question, Case) else question
    if asked is None and isinstance(question, Case):
        raise BadInput([Fault("this case says what is paid, not what happens", question.file, question.line, 1)])
    if not isinstance(asked, OrderQuestion):
        raise TypeError(f"what happens is an OrderQuestion, or a Case that says so, not {type(asked).__name__}")
    asked = replace(asked, ignore_unread=asked.ignore_unread or ignore_unread)
    return Outcomes(**_fields(api.order(asked, limits)), question=asked)


def _declared(asked: Question | Case, ignore_unread: bool) -> Question:
    """Return what a case declares; one that says what happens declares nothing, and is no payment of nothing."""
    if isinstance(asked, Question):
        return replace(asked, ignore_unread=asked.ignore_unread or ignore_unread)
    if not isinstance(asked, Case):
        what = f"a question is a Question or a Case (lawful.question, lawful.load), not {type(asked).__name__}"
        raise TypeError(what)
    if asked.order is not None:
        what = "this case says what happens, not what is paid"
        raise BadInput([Fault(what, asked.file, asked.line, 1, "lawful.order(case)")])
    return replace(asked.question, ignore_unread=asked.question.ignore_unread or ignore_unread)


def _fields(answer: Answer | Verdict | Ordered | Judgement) -> dict[str, Any]:
    return {field.name: getattr(answer, field.name) for field in fields(answer)}


def _held(question: T | None) -> T:
    assert question is not None
    return question
