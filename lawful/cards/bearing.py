"""On which questions a clause that was not read bears: by its kind, and by words that the sheet of the game names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from lawful.cards.clauses import ReadClause
from lawful.cards.sheet import TextRules
from lawful.cards.sheet_parts import Unheard
from lawful.cards.unpaid import aims
from lawful.model.card import QUESTIONS, Unread

CHOOSING = ("pay", "check")
GIVEN = re.compile(r'"([^"]+)"')
Words: TypeAlias = dict[str, re.Pattern[str]]


def unread(clauses: Sequence[ReadClause], rules: TextRules, types: Sequence[str], place: str) -> Iterator[Unread]:
    """Yield the clauses that the abilities of a card do not say; see ``docs/cards.md``.

    Parameters
    ----------
    clauses : sequence of ReadClause
        All of the card's text.
    rules : TextRules
        Of the game.
    types : sequence of str
        Of the card.
    place : str
        Where the text stands.

    Yields
    ------
    Unread
        Also one that bears on nothing that can be asked.
    """
    opener = _Scope(set(), set(), set())
    for read in clauses:
        if not read.clause.phrase and not rules.is_option(read.clause.text):  # options go on from what is before them
            beside = [other for other in clauses if other.clause.paragraph == read.clause.paragraph]
            opener = _Scope.of(read, beside, rules, {word.casefold() for word in types})
        if not read.played and not read.clause.phrase:
            beside = [other for other in clauses if other.clause.paragraph == read.clause.paragraph]
            found = _Scope.of(read, beside, rules, {word.casefold() for word in types})
            found.used = found.used or (rules.is_option(read.clause.text) and opener.used)
            yield Unread(
                read.clause.text, found.kind, place, _sorted(found.own), _sorted(found.play), _sorted(found.hand),
                found.used, read.ability, found.stats,
            )  # fmt: skip


def _sorted(asked: set[str]) -> tuple[str, ...]:
    return tuple(word for word in QUESTIONS if word in asked)


@dataclass(slots=True)
class _Scope:
    """Questions on which a clause bears: about its own card, from play, from the hand."""

    own: set[str]
    play: set[str]
    hand: set[str]
    used: bool = False
    kind: str = ""
    stats: tuple[str, ...] = ()

    @classmethod
    def of(cls, read: ReadClause, beside: Sequence[ReadClause], rules: TextRules, types: set[str]) -> _Scope:
        """Return that of a clause, among those of its paragraph."""
        sheet, clause = rules.sheet, read.clause
        words = _words(sheet.unread)
        scope = cls(set(), set(), set(), kind=clause.kind)
        named = clause.kind in sheet.apart and read.read and words["known"].search(clause.text)
        if words["idle"].search(clause.text) or named:
            return scope
        head = [other.clause for other in beside if other.clause.head]
        wrap = head[0].head if head else ""
        # What an ability does that is used by itself is done when it is used, and that is not now.
        later = wrap == "activate" and bool(words["later"].search(" ".join(part.text for part in head)))
        opens = any(rules.opening(other.clause.text) for other in beside if not other.clause.phrase)
        scope.used = (wrap == "activate" or opens) and not types & {word.casefold() for word in sheet.unread.at_once}
        if clause.head:
            scope._head(wrap, later, " ".join(o.clause.text for o in beside if not o.clause.phrase), words)
        elif clause.kind in sheet.bearing:
            scope._bearing(clause.text, later, words)
        else:
            understood = read.meaning is not None and clause.kind not in sheet.apart
            known = understood or any(words[name].search(clause.text) for name in ("doing", "mine"))
            scope._effect(clause.text, known, later, words)
            if not later and not words["once"].search(clause.text):
                scope.stats = tuple(stat for stat, found in _stats(sheet.unread) if found.search(clause.text))
        if clause.kind not in sheet.unread.unordered and not clause.head and not later:
            scope.own.add("order")
            scope.play.add("order")
        # Whom it makes one choose is asked for, but not what is done to them, which a norm may forbid; what a card that
        # stays in play says of a later time is not used as it is played.
        if scope.used or not scope._waits(beside, types, sheet.unread, words):
            if not clause.head and clause.kind not in sheet.apart and aims(beside, rules):
                scope.own.add("check")
            if any(other.clause.phrase and other.clause.text in clause.text for other in beside):
                scope.own.add("check")
        if read.unopened:  # nobody knows when it may be used, nor whether it is this one that is used
            scope.own.update(CHOOSING)
            scope.used = True
        return scope

    @staticmethod
    def _waits(beside: Sequence[ReadClause], types: set[str], unheard: Unheard, words: Words) -> bool:
        """Tell whether what a paragraph says is done later, of a card that is used in playing it by no text."""
        at_once = {word.casefold() for word in unheard.at_once}
        begins = next((other.clause.text for other in beside if not other.clause.phrase), "")
        return bool(at_once) and not types & at_once and words["once"].search(begins) is not None

    def _head(self, wrap: str, later: bool, paragraph: str, words: Words) -> None:
        """Take what an ability costs, or when it is used: of one that pays, wherever it is; else where it is used."""
        self.own.update(CHOOSING)
        if wrap == "source":
            self.play.update(CHOOSING)
            self.hand.update(CHOOSING)
        elif not later:
            self.own.add("order")
            self.play.add("order")
            if words["paying"].search(paragraph):
                self.play.update(CHOOSING)

    def _bearing(self, text: str, later: bool, words: Words) -> None:
        """Take a cost, a change of costs, a restriction: of its own card alone, or of others, too."""
        if words["once"].search(text):
            return
        asked = CHOOSING if words["barring"].search(text) else ("check",)
        self.own.update(asked)
        if later or words["mine"].search(text):
            return
        self.play.update(asked)
        if words["held"].search(text):
            self.hand.update(asked)

    def _effect(self, text: str, known: bool, later: bool, words: Words) -> None:
        """Take what is done: of no known kind it may be anything; else it bears where it speaks of paying."""
        if not known:  # the kind is what is left where nothing else is found
            self.kind = ""
            self.own.add("check")
        if later or (known and words["once"].search(text)):
            return
        given = GIVEN.findall(text)
        if any(not words["once"].search(ability) for ability in given):  # to others: a norm, a cost, a source
            self.play.update(CHOOSING)
        if known and words["changing"].search(text):  # in play; a card that is played changes nothing yet
            self.play.update(CHOOSING)
        if known and not words["paying"].search(text):
            return
        self.own.update(CHOOSING)
        if known and words["mine"].search(text):
            return
        self.play.update(CHOOSING)
        if not known or words["held"].search(text):
            self.hand.update(CHOOSING)


@cache
def _words(unheard: Unheard) -> Words:
    return {name: re.compile(pattern) for name, pattern in unheard.patterns().items()}


@cache
def _stats(unheard: Unheard) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((stat, re.compile(pattern)) for stat, pattern in unheard.stats)
