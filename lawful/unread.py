"""What the texts of cards say that was not read: where it bears on a question, the answer is undetermined."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from lawful.model.act import Act
from lawful.model.declaration import OrderQuestion, Question
from lawful.model.effect import Activated, Resolution, Trigger
from lawful.model.expression import Ref
from lawful.model.selector import Selector, Test
from lawful.model.verdict import LeftOut
from lawful.model.walking import every, walk

if TYPE_CHECKING:
    from lawful.model.card import Unread
    from lawful.model.position import Thing
    from lawful.model.verdict import Reason

Asked = Literal["pay", "check", "order"]
A = TypeVar("A", bound=Any)


def unread(
    question: Question | OrderQuestion, ask: Asked, ends: Iterable[Thing] = (), reasons: Sequence[Reason] = ()
) -> tuple[LeftOut, ...]:
    """Return the clauses that were not read and bear on a question; see ``docs/cards.md``.

    Parameters
    ----------
    question : Question or OrderQuestion
        What is asked.
    ask : {"pay", "check", "order"}
        Whether it is about paying, about what may be declared, or about what comes out.
    ends : iterable of Thing
        Objects as they lie in what comes out and on the way there, by what was read: text bears there, too.
    reasons : sequence of Reason
        Why it cannot be done, by what was read; each is enough. Where one is not about whom the text chooses, what
        else the text makes one choose does not bear on it.

    Returns
    -------
    tuple of LeftOut
        Each clause of a card once, with the objects that bear it; empty where everything that bears was read.
    """
    found: dict[tuple[str, Unread], list[str]] = {}
    things, zones = {thing.id: thing for thing in question.position.things}, dict[str, set[str]]()
    for thing in ends:
        things.setdefault(thing.id, thing)
        zones.setdefault(thing.id, set()).add(thing.zone)
    decided = any(all(one.role.partition(".")[0] in APART for one in reason) for reason in reasons)
    numbers = frozenset(_numbers(question)) if any(one.stats for one in _clauses(question)) else frozenset[str]()
    for thing in things.values():
        card = question.position.card(thing)
        for clause in card.unread:
            lies = {thing.zone} | zones.get(thing.id, set())
            asked = set(_bears(clause, thing, lies, question, numbers))
            if ask != "order" and "pay" not in asked and "check" in asked and _chooses(clause, thing, question):
                # Whom it makes one choose does not matter where it cannot be used, or not be paid for, in any case.
                first = question.ruleset.targets_first and _uses(thing, question)
                asked = set() if decided else {"check", *(("pay",) if first else ())}
            if ask in asked:
                found.setdefault((card.name, clause), []).append(thing.id)
    return tuple(
        LeftOut(name, clause.text, clause.kind, clause.place, tuple(things)) for (name, clause), things in found.items()
    )


def _bears(
    clause: Unread, thing: Thing, lies: Set[str], question: Question | OrderQuestion, numbers: Set[str]
) -> Iterator[str]:
    """Yield the questions on which a clause bears in the zones where its card lies, as what it is asked about."""
    if _about(clause, thing, question):
        yield from clause.own
    # Text works in play; elsewhere where it says so itself.
    if any((zone.play or _names(clause.text, zone.name)) for zone in question.ruleset.zones if zone.name in lies):
        yield from clause.play
        if clause.stats and not isinstance(question, OrderQuestion) and not numbers.isdisjoint(clause.stats):
            yield from ("pay", "check")
    declaration = getattr(question, "declaration", None)
    if declaration is not None and thing.zone == question.ruleset.hand and thing.controller == declaration.player:
        yield from clause.hand


def _clauses(question: Question | OrderQuestion) -> Iterator[Unread]:
    for card in question.position.cards.values():
        yield from card.unread


APART = ("when", "restriction", "limit", "from", "part", "hand", "floating", "announced", "needs")
"""Roles that are about when something is used, and about what is spent for it: not about whom it makes one choose."""

WAITING = (Trigger, Activated, Resolution)


def _numbers(question: Question | OrderQuestion) -> Iterator[str]:
    """Yield the numbers of objects that decide what may be declared or paid: those that a text tests or counts with.

    What waits for something, and what others may use or play, is not asked about now.
    """
    position, rules, declaration = question.position, question.ruleset, getattr(question, "declaration", None)
    if declaration is None:
        return
    mine = () if declaration.thing is None else position.card(position.thing(declaration.thing)).abilities
    cards = [position.card(thing).abilities for thing in position.things]
    theirs = [one for abilities in cards for one in abilities if not isinstance(one, WAITING)]
    procedures = tuple(one for one in rules.procedures if declaration.kind == "declare")
    terms = (declaration, mine, tuple(theirs), position.lasting, rules.norms, rules.charges, procedures)
    done = {act.verb for act in every(terms, Act)}
    yield from (verb.room for verb in rules.verbs if verb.room is not None and verb.name in done)
    for term in walk(terms):
        if isinstance(term, Test):
            yield term.stat
        elif isinstance(term, Selector):
            yield from (stat for stat in (term.highest, term.lowest) if stat is not None)
        elif isinstance(term, Ref):
            yield from term.path[-1:]


def _chooses(clause: Unread, thing: Thing, question: Question | OrderQuestion) -> bool:
    """Tell whether a clause says no more of what is declared than whom its text makes one choose.

    A restriction says what is done to them.
    """
    declaration = getattr(question, "declaration", None)
    if declaration is None or declaration.thing != thing.id or clause.kind == "restriction":
        return False
    return _about(clause, thing, question)


def _names(text: str, zone: str) -> bool:
    """Tell whether a text names a zone, as texts write it: ``encounter_deck`` is the encounter deck."""
    return zone.replace("_", " ").casefold() in text.replace("_", " ").casefold()


def _about(clause: Unread, thing: Thing, question: Question | OrderQuestion) -> bool:
    """Tell whether a question is about the card of a clause, in the way in which the clause could matter."""
    declaration = getattr(question, "declaration", None)
    if declaration is None:
        return any(event.source == thing.id for event in getattr(question, "events", ()))
    if declaration.thing != thing.id:
        return False
    named = declaration.ability
    if named is not None and clause.ability and named not in clause.ability:
        return False
    # An ability that is named was read so far that it can be used; of another one it is not part.
    return not clause.used or (_uses(thing, question) and (named is None or named in clause.ability))


def _uses(thing: Thing, question: Question | OrderQuestion) -> bool:
    """Tell whether an ability of the object is used: activated, or as a card of its kind is played."""
    declaration, card = getattr(question, "declaration", None), question.position.card(thing)
    if declaration is None:
        return False
    at_once = bool({*map(str.casefold, card.types)} & {*map(str.casefold, question.ruleset.resolves)})
    return declaration.kind == "activate" or (declaration.kind == "play" and at_once)


def as_far_as_read(answer: A, question: Question | OrderQuestion, ask: Asked) -> A:
    """Return an answer with the text that was not read; where it bears on it, nobody knows more than that.

    Parameters
    ----------
    answer : Answer, Judgement, Verdict or Ordered
        By what was read.
    question : Question or OrderQuestion
        What was asked; its `ignore_unread` assumes that what was not read does not matter.
    ask : {"pay", "check", "order"}
        What is asked of it.

    Returns
    -------
    Answer, Judgement, Verdict or Ordered
        Undetermined where there is such text, unless it is assumed not to matter.
    """
    ends = [thing for one in answer.outcomes for thing in one.position.things] if ask == "order" else []
    ends += answer.lain if ask == "order" else ()
    left = unread(question, ask, ends, getattr(answer, "reasons", ()) if answer.status == "illegal" else ())
    if not left:
        return answer
    if question.ignore_unread or answer.status is None:
        return replace(answer, unread=left)
    said = {"complete": False} if hasattr(answer, "complete") else {}
    return replace(answer, status="undetermined", as_read=answer.status, unread=left, **said)
