"""Before a text is parsed, alternatives that it has not the words for are left out: a large grammar is small then."""

from __future__ import annotations

from collections import Counter
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

    def keep(self, said: Said, start: str) -> bool:
        """Keep the alternatives that a sentence of these words can use, and no others; say whether there is any."""
        there = [kind for token in said.tokens(self._lexer.literals, self._lexer.patterns) for kind in _kinds(token)]
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
        self._parser.predictions = _Kept(self._all, alive)
        return start in known

    def unknown(self, said: Said) -> str:
        """Return the first word of a text that the grammar does not have at all."""
        tokens = said.tokens(self._lexer.literals, self._lexer.patterns)
        return next((str(token) for token in tokens if not any(kind in self._users for kind in _kinds(token))), "")


class _Kept(dict[Any, list[Any]]):
    """For each symbol, the alternatives that are kept; worked out when they are asked for."""

    def __init__(self, found: dict[Any, list[Any]], alive: set[int]) -> None:
        super().__init__()
        self._found, self._alive = found, alive

    def __missing__(self, symbol: Any) -> list[Any]:
        kept = [rule for rule in self._found[symbol] if id(rule) in self._alive]
        self[symbol] = kept
        return kept


def _kinds(token: Any) -> frozenset[str]:
    assert isinstance(token.type, Kind)
    return token.type.kinds
