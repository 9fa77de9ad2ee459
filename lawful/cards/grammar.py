"""A grammar of card text, with the meaning of each alternative beside it.

The grammar of a game is a lark file. After ``//=`` an alternative carries its meaning, in the notation of cards, with
``$1`` for the meaning of its first part. So what a phrase means is data of the game, as is how it is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import Any

import yaml
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedEOF, UnexpectedInput, UnexpectedToken

from lawful.cards.lexing import CardLexer, Lexicon, Said
from lawful.cards.meaning import BadTemplate, Clash, fill

ALTERNATIVE = re.compile(r"^(?P<text>.*?\S)\s*//=(?P<meaning>.*)$")
MANY_MEANINGS = 12
MANY_WORDS = 120


class NotRead(Exception):
    """A text that the grammar does not read.

    Parameters
    ----------
    why : {"word", "end", "ambiguous", "contradiction", "long"}
        What is wrong.
    at : str
        The first word that no sentence of the grammar goes on with.
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
        lines = [self._line(line, number) for number, line in enumerate(text.splitlines(), 1)]
        declared = [name for line in lines if line.startswith("%declare") for name in line.split()[1:]]
        # A word may be several phrases: the rule around it tells as which it was taken.
        phrase = re.compile(rf"\b({'|'.join(declared)})\b") if declared else None
        if phrase is not None:
            lines = [
                line if line.startswith("%") else phrase.sub(lambda m: f"phrase_{m[1].lower()}", line) for line in lines
            ]
        self._text = "\n".join([*lines, *(f"phrase_{name.lower()}: {name}" for name in declared)])

    def _line(self, line: str, number: int) -> str:
        """Give an alternative with a meaning a name of its own."""
        found = ALTERNATIVE.match(line)
        if found is None:
            return line
        name = f"line_{number}"
        self.meanings[name] = _texts(yaml.load(found["meaning"], yaml.BaseLoader))
        return f"{found['text']} -> {name}"

    @cached_property
    def _lark(self) -> Lark:
        return Lark(
            self._text, parser="earley", lexer=CardLexer, ambiguity="explicit", start=list(self.starts),
            maybe_placeholders=False,
        )  # fmt: skip

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
        if text.count(" ") >= MANY_WORDS:
            raise NotRead("long")
        said = Said(text, lexicon)
        try:
            tree = self._lark.parse(said, start=start)
        except UnexpectedToken as error:
            raise NotRead("word", str(error.token)) from None
        except UnexpectedEOF:
            raise NotRead("end") from None
        except UnexpectedInput as error:
            raise NotRead("word", str(getattr(error, "char", ""))) from None
        found = self._evaluate(tree, {})
        if not found:
            raise NotRead("contradiction")
        if len(found) > 1:
            raise NotRead("ambiguous", meanings=found)
        return found[0]

    def _evaluate(self, node: Any, known: dict[int, list[Any]]) -> list[Any]:
        """Return all meanings of a node that differ."""
        if isinstance(node, Token):
            return [str(node)]
        if id(node) in known:
            return known[id(node)]
        assert isinstance(node, Tree)
        found: list[Any] = []
        for meaning in self._meanings(node, known):
            if meaning not in found:
                found.append(meaning)
            if len(found) > MANY_MEANINGS:
                raise NotRead("ambiguous")
        known[id(node)] = found
        return found

    def _meanings(self, node: Any, known: dict[int, list[Any]]) -> Iterator[Any]:
        if node.data == "_ambig":
            for child in node.children:
                yield from self._evaluate(child, known)
            return
        if node.data.startswith("phrase_"):
            yield node.children[0].phrases[node.data.removeprefix("phrase_").upper()]
            return
        each = [self._evaluate(child, known) for child in node.children]
        for parts in product(*each):
            if str(node.data) in self.meanings:
                try:
                    yield fill(self.meanings[str(node.data)], parts)
                except Clash:
                    continue
                except BadTemplate as error:
                    line = str(node.data).removeprefix("line_")
                    raise BadTemplate(f"line {line} of the grammar: {error}") from None
            elif len(parts) == 1:
                yield parts[0]
            else:
                yield list(parts)


def _texts(data: Any) -> Any:
    """Return a template with every scalar as text and nothing for the empty one."""
    if isinstance(data, dict):
        return {key: _texts(item) for key, item in data.items()}
    if isinstance(data, list):
        return [_texts(item) for item in data]
    return data
