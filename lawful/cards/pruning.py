"""Before a text is parsed, alternatives that it has not the words for are left out: a large grammar is small then.

While it is parsed, alternatives are left out at a word that none of their sentences begins with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from typing import Any

from lark import Lark

from lawful.cards.lexing import CardLexer, Kind, Said


class Pruner:
    """Leaves out alternatives of a grammar, for one text after another.

    Parameters
    ----------
    lark : Lark
        The parser, of the kind `earley`.
    """

    def __init__(self, lark: Lark) -> None:
        frontend: Any = lark.parser
        self._parser, self._lexer = frontend.parser, CardLexer(lark.lexer_conf)
        self._all = self._parser.predictions
        self._rules = list(lark.rules)
        self._needs: list[frozenset[str]] = []
        self._users: dict[str, list[int]] = {}
        for number, rule in enumerate(self._rules):
            symbols = {symbol.name for symbol in rule.expansion}
            self._needs.append(frozenset(symbols))
            for name in symbols:
                self._users.setdefault(name, []).append(number)
        self._starts = _Starts(self._all, self._rules)
        self._kept = _Kept(self._starts, frozenset(), ())
        self._look_ahead()

    def _look_ahead(self) -> None:
        """Let the parser predict, at each word, only what can begin with it."""
        predict = self._parser.predict_and_complete

        def predicted(i: int, *more: Any) -> Any:
            self._kept.look(i)
            return predict(i, *more)

        self._parser.predict_and_complete = predicted

    def keep(self, said: Said, start: str) -> bool:
        """Keep the alternatives that a sentence of these words can use, and no others; say whether there is any."""
        words = [_kinds(token) for token in said.tokens(self._lexer.literals, self._lexer.patterns)]
        there = [kind for kinds in words for kind in kinds]
        waiting, known, lacks = list(dict.fromkeys(there)), set(there), Counter[int]()
        empty = [rule for rule in self._rules if not rule.expansion]
        alive = {id(rule) for rule in empty}
        for name in dict.fromkeys(rule.origin.name for rule in empty):
            known.add(name)
            waiting.append(name)
        while waiting:
            for number in self._users.get(waiting.pop(), ()):
                lacks[number] += 1
                if lacks[number] < len(self._needs[number]):
                    continue
                rule = self._rules[number]
                alive.add(id(rule))
                if rule.origin.name not in known:
                    known.add(rule.origin.name)
                    waiting.append(rule.origin.name)
        self._kept = _Kept(self._starts, alive, words)
        self._parser.predictions = self._kept
        return start in known

    def unknown(self, said: Said) -> str:
        """Return the first word of a text that the grammar does not have at all."""
        tokens = said.tokens(self._lexer.literals, self._lexer.patterns)
        return next((str(token) for token in tokens if not any(kind in self._users for kind in _kinds(token))), "")


class _Starts:
    """Which alternatives can begin with a word, whatever else a text says; worked out once for each kind of word."""

    def __init__(self, found: dict[Any, list[Any]], rules: Sequence[Any]) -> None:
        self._found, self._begins = found, _begins(rules)
        self._known: dict[frozenset[str], dict[Any, list[Any]]] = {}

    def at(self, kinds: frozenset[str]) -> dict[Any, list[Any]]:
        """Return what was worked out for a kind of word, by symbol."""
        return self._known.setdefault(kinds, {})

    def work_out(self, symbol: Any, kinds: frozenset[str]) -> list[Any]:
        """Return the alternatives of a symbol that can begin with such a word, or be empty."""
        begins = ((rule, *self._begins[id(rule)]) for rule in self._found[symbol])
        found = self._known[kinds][symbol] = [r for r, first, empty in begins if empty or not first.isdisjoint(kinds)]
        return found


class _Kept(dict[Any, list[Any]]):
    """For each symbol, the alternatives that are kept where the parser is; worked out when they are asked for."""

    def __init__(self, starts: _Starts, alive: Container[int], words: Sequence[frozenset[str]]) -> None:
        super().__init__()
        self._starts, self._alive, self._words = starts, alive, words
        self.look(0)

    def look(self, i: int) -> None:
        """Go on to a word."""
        self.clear()
        self._next = self._words[i] if i < len(self._words) else frozenset()
        self._there = self._starts.at(self._next)

    def __missing__(self, symbol: Any) -> list[Any]:
        found = self._there.get(symbol)
        if found is None:
            found = self._starts.work_out(symbol, self._next)
        kept = self[symbol] = [rule for rule in found if id(rule) in self._alive]
        return kept


def _begins(rules: Sequence[Any]) -> dict[int, tuple[frozenset[str], bool]]:
    """Return for each alternative the terminals that its sentences begin with, and whether one of them is empty."""
    first: dict[str, set[str]] = {}
    empty: set[str] = set()
    grew = True
    while grew:
        grew = False
        for rule in rules:
            mine = first.setdefault(rule.origin.name, set())
            begin, blank = _first(rule, first, empty)
            if blank and rule.origin.name not in empty:
                empty.add(rule.origin.name)
                grew = True
            if not begin <= mine:
                mine |= begin
                grew = True
    return {id(rule): _first(rule, first, empty) for rule in rules}


def _first(rule: Any, first: Mapping[str, set[str]], empty: Container[str]) -> tuple[frozenset[str], bool]:
    found: set[str] = set()
    for symbol in rule.expansion:
        found |= {symbol.name} if symbol.is_term else first.get(symbol.name, set())
        if symbol.is_term or symbol.name not in empty:
            return frozenset(found), False
    return frozenset(found), True


def _kinds(token: Any) -> frozenset[str]:
    assert isinstance(token.type, Kind)
    return token.type.kinds
