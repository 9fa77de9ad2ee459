"""Every payment, by playing every legal move in every state. It is slow on purpose: nothing is left out by thought."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from lawful.model.declaration import Question
from lawful.model.effect import Alternative
from lawful.model.errors import LimitReached
from lawful.model.payment import Outcome, Payment
from lawful.model.position import Position
from lawful.model.referee.amounts import reckon
from lawful.model.referee.asked import ask
from lawful.model.referee.bounds import largest_x
from lawful.model.referee.declared import Undecided, abilities, additional, has_x, itemize
from lawful.model.referee.effects_cost import open_terms
from lawful.model.referee.effort import Effort
from lawful.model.referee.paying import closing, lay, moves, settle
from lawful.model.referee.table import Table
from lawful.model.verdict import Because

__all__ = ["paid_positions", "payments", "values_of_x"]


def payments(
    question: Question, most: int | None = None, effort: Effort | None = None
) -> Iterator[tuple[Payment, Outcome]]:
    """Yield every payment, at the level of sequences, with its outcome.

    Parameters
    ----------
    question : Question
        What is asked. Where X or the options are open, all of them are played.
    most : int, optional
        How many are yielded at most.
    effort : Effort, optional
        What it may cost; it also keeps the partial payments that went furthest.

    Yields
    ------
    pair of Payment and Outcome
        Each payment once; options with the fewest names first, X from low to high.

    Raises
    ------
    LimitReached
        If there are more than `most`, or without end, or the effort is spent.
    UnknownName
        If the question names what does not exist.
    """
    found, effort = 0, effort or Effort()
    for options in _options(question):
        for x in _values(question, options):
            for way in _played(question, x, options, effort):
                if most is not None and found >= most:
                    raise LimitReached("ways", most, "there are more payments")
                found += 1
                yield way


def paid_positions(question: Question) -> list[Position]:
    """Return every position that paying can leave, each once.

    Raises
    ------
    LimitReached
        If there are too many ways to look at.
    """
    found: dict[Position, None] = {}
    effort = Effort()
    for options in _options(question):
        for x in _values(question, options):
            for table, _ in _ends(question, x, options, effort):
                found.setdefault(table.position)
    return list(found)


def _options(question: Question) -> Iterator[tuple[str, ...]]:
    """Yield the sets of options that may be declared."""
    said = question.declaration.options
    if said is not None:
        yield tuple(sorted(set(said)))
        return
    abilities_ = abilities(ask(question, None, ()))
    extras = sorted({a.name for a in additional(ask(question, None, ())) if a.optional})
    others = sorted({a.name for a in abilities_ if isinstance(a, Alternative)} - set(extras))
    open_ = (*extras, *others)
    every = {
        options
        for n in range(len(open_) + 1)
        for names in combinations(open_, n)
        for options in _decided(question, names)
    }
    yield from sorted(every, key=lambda options: (len(options), options))


def _decided(question: Question, names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Decide every either-or that is due, in every way."""
    bill = itemize(ask(question, None, names))
    if isinstance(bill, Undecided):
        for name in bill.names:
            yield from _decided(question, (*names, name))
    elif not isinstance(bill, Because):
        yield tuple(sorted(names))


def _values(question: Question, options: tuple[str, ...]) -> Iterator[int | None]:
    """Yield the values of X that might be paid, or None where the cost has none."""
    bill = itemize(ask(question, None, options))
    if isinstance(bill, Because | Undecided):
        return
    if question.declaration.x is not None:
        yield question.declaration.x
    elif bill.text_x or any(has_x(term) for term in (*bill.printed, *bill.added)):
        yield from range(largest_x(question, options) + 1)
    else:
        yield None


def values_of_x(question: Question) -> tuple[int, ...]:
    """Return the values of X that might be paid, from low to high; none where no cost has X."""
    found = {x for options in _options(question) for x in _values(question, options) if x is not None}
    return tuple(sorted(found))


def _played(
    question: Question, x: int | None, options: tuple[str, ...], effort: Effort
) -> Iterator[tuple[Payment, Outcome]]:
    for table, outcome in _ends(question, x, options, effort):
        asked = table.asked
        yield Payment(table.uses, table.choices, asked.x, asked.options, table.split or ()), outcome


def _ends(
    question: Question, x: int | None, options: tuple[str, ...], effort: Effort
) -> Iterator[tuple[Table, Outcome]]:
    """Play every move from every state, depth first."""
    asked = ask(question, x, options)
    due = reckon(asked)
    if due.broken is not None:
        effort.refuse(due.broken)
        return
    stack = [iter((lay(asked, due),))]
    while stack:
        table = next(stack[-1], None)
        if table is None:
            stack.pop()
            continue
        table = settle(table)
        if not effort.meet(table):
            continue
        if table.parts_paid and not open_terms(table):
            end = closing(table)
            if isinstance(end, Because):
                effort.refuse(end)
            else:
                yield end
        else:
            stack.append(moves(table))
