"""Words of card text. A word may be several things at once; which of them is meant, the grammar finds out."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from typing import Any

from lark import Token
from lark.lexer import Lexer, PatternStr

WORD = re.compile(
    r"(?<=~)['’](?:s\b)?|\{[^{}\s]*\}|\[\[[^\[\]]*\]\]|\[[^\[\]\s]*\]|[+-]?\d+|[^\W\d_]+(?:['’.][^\W\d_]+)*(?:-[^\W\d_]\w*)*\+?|\S"
)
NAMES = ("NAME", "NAME_PART", "NAME_SET", "NAME_IDENTITY")  # terminals whose phrases match as they are written
NAMED = (*NAMES, "NAME_OF", "NAME_PART_OF", "NAME_IDENTITY_OF", "UNCLEAR")


class Kind(str):
    """The kinds of terminals that a word may be. It equals each of them, which is all that the parser asks."""

    kinds: frozenset[str]

    def __new__(cls, kinds: Iterable[str]) -> Kind:
        """Make the kind of a word out of the names of terminals."""
        found = frozenset(kinds)
        made = str.__new__(cls, min(found, default="NO_WORD"))
        made.kinds = found
        return made

    def __eq__(self, other: object) -> bool:
        """Tell whether a terminal is among the kinds."""
        return other in self.kinds

    def __ne__(self, other: object) -> bool:
        """Tell whether a terminal is not among the kinds."""
        return other not in self.kinds

    __hash__ = str.__hash__


class Word(Token):
    """A word, with the phrases of the lexicon that it is, by terminal."""

    phrases: Mapping[str, str]


class Lexicon:
    """Phrases by the terminal that they are: names, types and keywords that a card file itself has.

    Parameters
    ----------
    phrases : mapping of str to iterable of str
        Terminal -> phrases; a mapping of phrases says what each is a form of or stands for, nothing where nobody
        knows. Names match as they are written, others
        in any case. With ``'s`` behind it a phrase of ``NAME`` is one of ``NAME_OF``.
    exact : collection of str, optional
        Terminals whose phrases have no other forms.
    capital : collection of str, optional
        Terminals whose phrases begin with a capital letter wherever they stand.
    """

    def __init__(
        self, phrases: Mapping[str, Iterable[str]], exact: Container[str] = (), capital: Collection[str] = ()
    ) -> None:
        self.phrases, self.bare, self.capital = phrases, exact, capital
        self._exact: dict[tuple[str, ...], dict[str, str]] = {}
        self._first: dict[str, int] = {}
        for terminal, some in phrases.items():
            for phrase, meant in some.items() if isinstance(some, Mapping) else ((phrase, phrase) for phrase in some):
                if meant:
                    self._add(terminal, phrase, meant)
        for name in list(phrases.get("NAME", ())):
            self._with_article(name)

    def with_more(
        self, phrases: Mapping[str, Iterable[str]], exact: Container[str], capital: Collection[str] = ()
    ) -> Lexicon:
        """Return a lexicon with more phrases, those of some terminals without other forms."""
        return Lexicon({**self.phrases, **phrases}, exact, capital)

    def _add(self, terminal: str, phrase: str, meant: str) -> None:
        words = tuple(WORD.findall(phrase))
        exact = terminal in NAMES
        if terminal in self.bare:
            self._exact.setdefault(words, {}).setdefault(terminal, meant)
            self._first[words[0]] = max(self._first.get(words[0], 0), len(words))
            return
        for form in {words, *((*words[:-1], many) for many in _plurals(words[-1]))} if words else ():
            for name, spelled in ((terminal, form), (f"{terminal}_OF", (*form[:-1], form[-1] + "'s"))):
                key = spelled if exact else tuple(w.casefold() for w in spelled)
                self._exact.setdefault(key, {}).setdefault(name, meant)
                self._first[key[0]] = max(self._first.get(key[0], 0), len(key))

    def _with_article(self, name: str) -> None:
        """Add "the Stone" for a card named "The Stone"; where there is also a "Stone", it is unclear which is meant.

        Where the rest is a phrase of another kind, "the" stays a word of its own.
        """
        if name.startswith("The "):
            key = ("the", *WORD.findall(name)[1:])
            bare = "NAME" in self._exact.get(key[1:], {})
            if not bare and self._other_words(key[1:]):
                self._exact.setdefault(key[1:], {})["NAME"] = name
                return
            self._exact.setdefault(key, {})["UNCLEAR" if bare else "NAME"] = name
            self._first["the"] = max(self._first.get("the", 0), len(key))

    def _other_words(self, key: tuple[str, ...]) -> bool:
        """Tell whether words are a phrase that is no name: "the Champion trait" does not speak of "The Champion"."""
        return any(name not in NAMED for name in self._exact.get(tuple(w.casefold() for w in key), {}))

    def longest(self, words: list[str], at: int) -> tuple[int, dict[str, str]]:
        """Return the longest phrase that starts here: how many words, and by terminal the phrase as it is listed."""
        here = words[at]
        most = max(self._first.get(here, 0), self._first.get(here.casefold(), 0))
        for n in range(min(most, len(words) - at), 0, -1):
            taken = words[at : at + n]
            found = dict(self._exact.get(tuple(w.casefold() for w in taken), {}))
            exact = self._exact.get(tuple(taken), {})
            for name in NAMED:
                found.pop(name, None)
                if name in exact:
                    found[name] = exact[name]
            if not here[0].isupper():
                found = {name: phrase for name, phrase in found.items() if name not in self.capital}
            if found:
                return n, found
        return 0, {}


def _plurals(word: str) -> tuple[str, ...]:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return (word[:-1] + "ies",)
    several = word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")
    return (several, word + "e") if word.endswith("a") else (several,)


class CardLexer(Lexer):
    """Splits card text into words, each with every terminal that it may be."""

    def __init__(self, conf: Any) -> None:
        self.literals: dict[str, set[str]] = {}
        self.patterns: list[tuple[str, re.Pattern[str]]] = []
        for terminal in conf.terminals:
            if isinstance(terminal.pattern, PatternStr):
                self.literals.setdefault(terminal.pattern.value.casefold(), set()).add(terminal.name)
            elif terminal.pattern is not None and terminal.name not in conf.ignore:
                self.patterns.append((terminal.name, re.compile(terminal.pattern.to_regexp())))

    def lex(self, lexer_state: Any, parser_state: Any = None) -> Iterator[Token]:
        """Yield the words of a `Said`."""
        said = getattr(lexer_state, "text", lexer_state)
        said = getattr(said, "text", said)
        assert isinstance(said, Said)
        yield from said.tokens(self.literals, self.patterns)


class Said(str):
    """A text together with the phrases that it may use."""

    lexicon: Lexicon

    def __new__(cls, text: str, lexicon: Lexicon) -> Said:
        """Join them."""
        made = str.__new__(cls, text)
        made.lexicon = lexicon
        return made

    def tokens(self, literals: Mapping[str, set[str]], patterns: list[tuple[str, re.Pattern[str]]]) -> Iterator[Token]:
        """Yield a token for every word, or for every phrase of the lexicon."""
        words, at = WORD.findall(self), 0
        while at < len(words):
            n, phrases = self.lexicon.longest(words, at)
            n = n or 1
            text = " ".join(words[at : at + n])
            kinds = set(phrases)
            if n == 1:
                kinds.update(literals.get(text.casefold(), ()))
                kinds.update(name for name, pattern in patterns if pattern.fullmatch(text))
            token = Word(Kind(kinds), text, column=at + 1, end_column=at + n)
            token.phrases = phrases
            yield token
            at += n
