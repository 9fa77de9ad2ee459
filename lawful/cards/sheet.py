"""The sheet of a game's card text: what is markup, where clauses are found, which grammar reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from lawful.cards.grammar import Grammar
from lawful.cards.lexing import Lexicon
from lawful.cards.meaning import fill
from lawful.cards.phrases import Phrases, standing_for
from lawful.cards.sheet_parts import Finder, Sheet
from lawful.model.errors import BadInput, Fault

BLANKS = re.compile(r"\s{12,}")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of a card's text.

    Parameters
    ----------
    kind : str
        ``activated cost``, ``target phrase``, ...
    text : str
        As it was found, the card's own name as ``~``.
    paragraph : int
        In which paragraph of the text, counted from 0.
    start : str
        The rule of the grammar that reads it.
    phrase : bool
        Whether it is a part of another clause.
    head : str
        Of a part of a head: the kind of ability that its parts are together, which takes the sentences after it.
    skeleton : bool
        Whether it counts as read when what it reads and writes is known, though not all of it can be played.
    sketch : str
        The rule of the grammar of sketches that tells what it waits for, reads and writes, where `start` does not read
        it.
    """

    kind: str
    text: str
    paragraph: int
    start: str
    phrase: bool = False
    head: str = ""
    skeleton: bool = False
    sketch: str = ""


class TextRules:
    """Finds and reads clauses as a sheet says.

    Parameters
    ----------
    sheet : Sheet
        The rules.
    grammar : str
        The text of its grammar.
    sketches : str
        The text of its grammar of sketches; empty where it has none.
    """

    def __init__(self, sheet: Sheet, grammar: str, sketches: str = "") -> None:
        self.sheet = sheet
        parts = [part for head in sheet.heads for part in head.parts.values()]
        finders = [*(h for h in sheet.heads if not h.parts), *parts, *sheet.clauses, *sheet.phrases]
        self.grammar = Grammar(grammar, tuple(dict.fromkeys(f.start for f in finders)))
        sketched = tuple(dict.fromkeys(f.sketch for f in finders if f.sketch))
        self.sketches = Grammar(sketches, sketched) if sketches and sketched else None
        self.kinds = tuple(dict.fromkeys(f.kind for f in finders if f.kind))
        self.itself, self.lying = re.compile(sheet.itself), re.compile(sheet.lying)
        self._unpaid, self._options = re.compile(sheet.unpaid), re.compile(sheet.options)
        self._uncertain, self._lists = re.compile(sheet.uncertain or "(?!)"), re.compile(sheet.lists)
        self._gone = re.compile(sheet.gone)
        self._found = {id(f): re.compile(f.found) for f in (*sheet.heads, *sheet.clauses, *sheet.phrases)}

    def prepare(self) -> None:
        """Put together what texts are read with; else the first text waits for it."""
        self.grammar.prepare()
        if self.sketches is not None:
            self.sketches.prepare()

    def opening(self, text: str) -> re.Match[str] | None:
        """Return how a text begins that is used without a cost: with groups `timing` and `trigger`."""
        return self._unpaid.match(text)

    def uncertain(self, text: str) -> bool:
        """Tell whether what a sentence says may not be done, or not once."""
        return self._uncertain.search(text) is not None

    def is_option(self, text: str) -> bool:
        """Tell whether a paragraph is one of several that are chosen among, and nothing by itself."""
        return self._options.match(text) is not None

    def gone(self, text: str) -> bool:
        """Tell whether a sentence after what a source gives says that the card leaves then."""
        return self._gone.search(text) is not None

    def lists(self, text: str) -> bool:
        """Tell whether the paragraphs after a text are what is chosen among."""
        return self._lists.search(text) is not None

    @cached_property
    def _plain(self) -> list[tuple[re.Pattern[str], str]]:
        return [(re.compile(find, re.MULTILINE), put) for find, put in self.sheet.plain]

    def repaired(self, text: str, name: str = "", others: Container[str] = frozenset()) -> tuple[str, tuple[str, ...]]:
        """Return a text with known slips put right, and why each was; a name of others is no slip of its own."""
        why = []
        # Patterns of a sheet may look at a run of blanks from each of its places: a page of them would take seconds.
        text = BLANKS.sub(lambda run: "\n\n" if "\n" in run[0] else " ", text)
        for own in self._own(name):
            for slip in _misspelled(own, text):
                if slip.casefold() in others:
                    continue
                why.append(f"{slip!r} for the card's own name")
                text = text.replace(slip, own)
            small = self.sheet.small.replace("{own}", re.escape(own.lower()))
            if small and len(own) > 3 and re.search(small, text):
                why.append(f"{own.lower()!r} for the card's own name")
                text = re.sub(small, lambda _, own=own: own, text)  # type: ignore[misc]
        for repair in self.sheet.repairs:
            fixed = re.sub(repair.find, repair.put, text)
            if fixed != text:
                why.append(repair.why)
                text = fixed
        return text, tuple(why)

    def paragraphs(
        self, text: str, name: str, phrases: Sequence[str] = (), words: Container[str] = frozenset()
    ) -> list[str]:
        """Return the paragraphs of a text without markup, the card's own name as ``~``.

        It does not stand inside of a phrase, and a short form of it that is a word of another kind is that word.
        """
        for pattern, put in self._plain:
            text = pattern.sub(put, text)
        for one in self.sheet.implied:
            several = {match[1] for match in re.finditer(one.of, text)}
            if len(several) == 1:
                text = re.sub(one.find, one.put.replace("{word}", several.pop()), text)
        for own in self._own(name):
            if own != name and own.casefold() in words:
                continue
            # Not as the beginning of a longer name.
            longer = "" if own == name and " " in own else "(?! [A-Z])"
            inside = [re.escape(p) for p in phrases if own in p and len(p) > len(own) and p in text]
            whole = "|".join(sorted(inside, key=len, reverse=True)) or r"(?!)"
            text = re.sub(rf"(?P<whole>{whole})|(?<!\w){re.escape(own)}(?!\w){longer}", _kept_whole, text)
        return [" ".join(line.split()) for line in text.splitlines() if line.strip()]

    def _own(self, name: str) -> list[str]:
        names = {found[1] for own in self.sheet.own if (found := re.match(own, name))}
        return sorted(names, key=len, reverse=True)

    def clauses(self, paragraphs: Sequence[str]) -> Iterator[Clause]:
        """Yield every clause of a text; together they cover all of it."""
        for number, paragraph in enumerate(paragraphs):
            for piece, finder, wrap in self._pieces(paragraph):
                yield Clause(finder.kind, piece, number, finder.start, False, wrap, finder.skeleton, finder.sketch)
                for phrase in self.sheet.phrases:
                    for found in self._found[id(phrase)].finditer(piece):
                        groups = [text for name, text in found.groupdict().items() if text is not None]
                        text = groups[0] if groups else found[0]
                        yield Clause(phrase.kind, text.strip(), number, phrase.start, True)

    def _pieces(self, paragraph: str) -> Iterator[tuple[str, Finder, str]]:
        """Yield the parts of a paragraph: of its head, then its sentences."""
        rest = paragraph
        for head in self.sheet.heads:
            found = self._found[id(head)].search(rest)
            if found is None:
                continue
            for name, part in head.parts.items():
                if found[name]:
                    yield found[name].strip(), part, head.wrap
            if not head.parts:
                yield found[0].strip(), head, head.wrap
            rest = (rest[: found.start()] + rest[found.end() :]).lstrip(" :→")
            break
        for sentence in _sentences(rest, self.sheet.sentence):
            for finder in self.sheet.clauses:
                if self._found[id(finder)].search(_unquoted(sentence)):
                    yield sentence, finder, ""
                    break

    def keyword(self, said: str) -> Any:
        """Return what a keyword says of costs, None where it says nothing of them."""
        for keyword in self.sheet.keywords:
            found = re.fullmatch(keyword.found, said, re.IGNORECASE)
            if found is not None:
                return fill(keyword.means, found.groups())
        return None

    def labels(self, lexicon: Lexicon) -> frozenset[str]:
        """Return what cards and abilities are called by, in small letters: words of the lexicon that are no names."""
        some = [*self.sheet.labels]
        for terminal, phrases in lexicon.phrases.items():
            some += () if terminal.startswith("NAME") else phrases
        return frozenset(word.casefold() for word in some)

    def sketch_words(self) -> dict[str, dict[str, str]]:
        """Return the phrases of the grammar of sketches that no card file has, with what each is a form of."""
        return {
            terminal: {
                **{word: word for word in words.words},
                **{form: word for word, forms in words.forms.items() for form in forms},
            }
            for terminal, words in self.sheet.sketch_lexicon.items()
        }

    @property
    def exact(self) -> frozenset[str]:
        """Terminals of the grammar of sketches whose phrases have no other forms."""
        return frozenset(terminal for terminal, words in self.sheet.sketch_lexicon.items() if words.exact)

    @property
    def capital(self) -> frozenset[str]:
        """Terminals whose phrases begin with a capital letter wherever a sketch has them."""
        return frozenset(terminal for terminal, words in self.sheet.lexicon.items() if words.capital)

    def phrases(self, rows: Sequence[Callable[[str], str]]) -> dict[str, Phrases]:
        """Return the phrases of a card file, by terminal.

        Parameters
        ----------
        rows : sequence of callable
            Each gives what a row says in a field; ``@name`` and ``@types`` are those that the layout has for them.
        """
        phrases: dict[str, Phrases] = {}
        for terminal, words in self.sheet.lexicon.items():
            if words.of:
                phrases[terminal] = standing_for(words, rows)
                continue
            drop = re.compile(words.without) if words.without else None
            found, parts = dict.fromkeys(words.words), dict[str, None]()
            for field in words.fields:
                for value in dict.fromkeys(row(field) for row in rows):
                    for word in value.split(words.split) if words.split else [value]:
                        plain = " ".join((drop.sub("", word.strip()) if drop else word).split())
                        if plain:
                            found.setdefault(plain)
                        if words.parts and (part := re.match(words.parts, plain)):
                            parts.setdefault(part[1])
            phrases[terminal] = list(found)
            if words.parts:
                phrases[f"{terminal}_PART"] = [part for part in parts if part not in found]
        return phrases


def _kept_whole(found: re.Match[str]) -> str:
    return found["whole"] or "~"


def _misspelled(name: str, text: str) -> list[str]:
    """Return what stands in a text for a name of several words and is spelled almost like it."""
    words = name.split()
    if len(words) < 2 or len(name) < 10:
        return []
    whole = rf"(?<!\w){re.escape(name)}(?!\w)"
    same = re.finditer(whole, text, re.IGNORECASE)
    found = list(dict.fromkeys(match[0] for match in same if match[0] != name and match[0][0].isupper()))
    if found or re.search(whole, text):
        return found
    for match in re.finditer(rf"(?<!\w)(?=([A-Z][\w'’-]*(?: [\w'’-]+){{{len(words) - 1}}}))", text):
        if match[1] not in (name, f"{name}s", f"{name}es") and SequenceMatcher(None, match[1], name).ratio() > 0.9:
            found.append(match[1])
    return list(dict.fromkeys(found))


def _unquoted(text: str) -> str:
    """Return a text without what stands in quotation marks, which is what another ability says."""
    return re.sub(r'"[^"]*"?', '""', text)


def _sentences(text: str, boundary: str) -> Iterator[str]:
    """Yield sentences; one that stands in quotation marks ends nothing outside of them."""
    start = 0
    for found in re.finditer(boundary, text):
        if text.count('"', 0, found.start()) % 2 == 0:
            yield text[start : found.start()].strip()
            start = found.end()
    if text[start:].strip():
        yield text[start:].strip()


@cache
def load_text_rules(name: str) -> TextRules:
    """Return the text rules of a sheet.

    Parameters
    ----------
    name : str
        The name of one that comes with the package, or the path of a sheet.

    Raises
    ------
    BadInput
        If it cannot be read.
    """
    import yaml

    path = Path(name)
    folder: Any = path.parent
    if not path.suffix:
        folder = files("lawful.model.rulesets").joinpath("texts")
        path = folder.joinpath(f"{name}.yaml")
    try:
        sheet = Sheet.model_validate(yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader))
        texts = [folder.joinpath(n).read_text(encoding="utf-8") if n else "" for n in (sheet.grammar, sheet.sketches)]
        return TextRules(sheet, *texts)
    except OSError as error:
        raise BadInput([Fault(f"cannot be read: {error.strerror}", str(name))]) from None
    except yaml.MarkedYAMLError as error:
        line = 0 if error.problem_mark is None else error.problem_mark.line + 1
        raise BadInput([Fault(f"not YAML: {error.problem}", str(name), line)]) from None
    except ValidationError as error:
        faults = [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]
        raise BadInput([Fault(fault, str(name)) for fault in faults]) from None
