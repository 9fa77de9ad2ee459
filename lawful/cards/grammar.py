"""A grammar of card text, with the meaning of each alternative beside it.

The grammar of a game is a lark file. After ``//=`` an alternative carries its meaning, in the notation of cards, with
``$1`` for the meaning of its first part. So what a phrase means is data of the game, as is how it is said. With
``//-=`` the alternative is a spare one: it counts only where the same words cannot be read without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import Any, TypeAlias

import yaml
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedEOF, UnexpectedInput, UnexpectedToken

from lawful.cards.lexing import WORD, CardLexer, Lexicon, Said
from lawful.cards.meaning import BadTemplate, Clash, fill
from lawful.cards.pruning import Pruner

ALTERNATIVE = re.compile(r"^(?P<text>.*?\S)\s*//(?P<spare>-?)=(?P<meaning>.*)$")
MANY_MEANINGS = 12
MANY_WORDS = 120

Meant: TypeAlias = tuple[int, Any]


class NotRead(Exception):
    """A text that the grammar does not read.

    Parameters
    ----------
    why : {"word", "end", "words", "ambiguous", "contradiction", "long"}
        What is wrong; ``words``: no sentence of the grammar is made of these words alone.
    at : str
        The first word that no sentence made of these words goes on with.
    meanings : sequence of data
        All meanings of what is ambiguous.
    """

    def __init__(self, why: str, at: str = "", meanings: Sequence[Any] = ()) -> None:
        super().__init__(why, at)
        self.why, self.at, self.meanings = why, at, meanings


class Grammar:
    """Reads clauses.

    Parameters
    ----------
    text : str
        A lark grammar with meanings.
    starts : sequence of str
        The rules that clauses are read with.
    """

    def __init__(self, text: str, starts: Sequence[str]) -> None:
        self.starts = tuple(starts)
        self.meanings: dict[str, Any] = {}
        self._spare: set[str] = set()
        lines = [self._line(line, number) for number, line in enumerate(text.splitlines(), 1)]
        declared = [name for line in lines if line.startswith("%declare") for name in line.split()[1:]]
        # A word may be several phrases: the rule around it tells as which it was taken.
        phrase = re.compile(rf"\b({'|'.join(declared)})\b") if declared else None
        if phrase is not None:
            lines = [
                line if line.startswith("%") else phrase.sub(lambda m: f"phrase_{m[1].lower()}", line) for line in lines
            ]
        rules = [f"phrase_{name.lower()}: {name}" for name in declared]
        # Lark would call the word "name" NAME; then every card's name would be that word, and the word a card's name.
        words = [f'WORD_{name}: "{name.lower()}"' for name in declared if f'"{name.lower()}"' in text]
        self._text = "\n".join([*lines, *rules, *words])

    def _line(self, line: str, number: int) -> str:
        """Give an alternative with a meaning a name of its own."""
        found = ALTERNATIVE.match(line)
        if found is None:
            return line
        name = f"line_{number}"
        self.meanings[name] = _texts(yaml.load(found["meaning"], yaml.BaseLoader))
        if found["spare"]:
            self._spare.add(name)
        return f"{found['text']} -> {name}"

    @cached_property
    def _lark(self) -> Lark:
        return Lark(
            self._text, parser="earley", lexer=CardLexer, ambiguity="explicit", start=list(self.starts),
            maybe_placeholders=False,
        )  # fmt: skip

    @cached_property
    def _pruner(self) -> Pruner:
        return Pruner(self._lark)

    def prepare(self) -> None:
        """Put together what texts are read with; else the first text waits for it."""
        assert self._lark
        assert self._pruner

    def read(self, text: str, start: str, lexicon: Lexicon) -> Any:
        """Return the one meaning of a text, every word of it used.

        Parameters
        ----------
        text : str
            The clause.
        start : str
            The rule it is read with.
        lexicon : Lexicon
            Names, types, keywords.

        Returns
        -------
        data
            In the notation of cards.

        Raises
        ------
        NotRead
            If it is no sentence of the grammar, or if it can mean two different things.
        """
        said = Said(text, lexicon)
        if len(WORD.findall(text)) > MANY_WORDS:
            raise NotRead("long")
        try:
            if not self._pruner.keep(said, start):
                raise NotRead("words", self._pruner.unknown(said))
            tree = self._lark.parse(said, start=start)
        except UnexpectedToken as error:
            raise NotRead("word", str(error.token)) from None
        except UnexpectedEOF:
            raise NotRead("end") from None
        except UnexpectedInput as error:
            raise NotRead("word", str(getattr(error, "char", ""))) from None
        found = [meaning for _, meaning in _best(self._evaluate(tree, {}))]
        if not found:
            raise NotRead("contradiction")
        if len(found) > 1:
            raise NotRead("ambiguous", meanings=found)
        return found[0]

    def _evaluate(self, node: Any, known: dict[int, list[Meant]]) -> list[Meant]:
        """Return all meanings of a node that differ, each with the number of spare alternatives that it takes."""
        if isinstance(node, Token):
            return [(0, str(node))]
        if id(node) in known:
            return known[id(node)]
        assert isinstance(node, Tree)
        found: list[Meant] = []
        for spare, meaning in self._meanings(node, known):
            at = next((i for i, (_, other) in enumerate(found) if other == meaning), None)
            if at is None:
                found.append((spare, meaning))
            elif spare < found[at][0]:
                found[at] = (spare, meaning)
            if len(found) > MANY_MEANINGS:
                raise NotRead("ambiguous")
        if node.data == "_ambig":
            found = _best(found)
        known[id(node)] = found
        return found

    def _meanings(self, node: Any, known: dict[int, list[Meant]]) -> Iterator[Meant]:
        if node.data == "_ambig":
            for child in node.children:
                yield from self._evaluate(child, known)
            return
        if node.data.startswith("phrase_"):
            yield 0, node.children[0].phrases[node.data.removeprefix("phrase_").upper()]
            return
        name = str(node.data)
        each = [self._evaluate(child, known) for child in node.children]
        for some in product(*each):
            spare, parts = sum(n for n, _ in some) + (name in self._spare), [meaning for _, meaning in some]
            if name in self.meanings:
                try:
                    yield spare, fill(self.meanings[name], parts)
                except Clash:
                    continue
                except BadTemplate as error:
                    raise BadTemplate(f"line {name.removeprefix('line_')} of the grammar: {error}") from None
            elif len(parts) == 1:
                yield spare, parts[0]
            else:
                yield spare, parts


def _best(found: list[Meant]) -> list[Meant]:
    """Return the meanings that take the fewest spare alternatives."""
    least = min((spare for spare, _ in found), default=0)
    return [meant for meant in found if meant[0] == least]


def _texts(data: Any) -> Any:
    """Return a template with every scalar as text and nothing for the empty one."""
    if isinstance(data, dict):
        return {key: _texts(item) for key, item in data.items()}
    if isinstance(data, list):
        return [_texts(item) for item in data]
    return data
