"""Catalogues of translations: GNU gettext's PO files, read with Babel, which also knows each language's plurals.

An entry's context is the message's id, its source the English sentence as it is now: once that changes the translation
is no longer found, and the English sentence is said until somebody has looked at it. A game's own words and open points
stand in a catalogue beside its ruleset file, ``<ruleset>.<language>.po``, under their kinds: ``verb``, ``zone``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import IO, TYPE_CHECKING

from lawful.model.messages import DEFAULT, Sentence, sentences
from lawful.model.verdict import Value

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

    from lawful.model.ruleset import Ruleset

ALWAYS = datetime(2026, 1, 1, tzinfo=UTC)  # a catalogue that is written again without a change is the same file
ORDER = ("zero", "one", "two", "few", "many", "other")
_BESIDE: dict[str, Path] = {}


def translated(language: str, id: str, sentence: Sentence, params: Mapping[str, Value]) -> str | None:
    """Return a translated template.

    Parameters
    ----------
    language : str
        The language.
    id : str
        The message's id.
    sentence : Sentence
        What it says in English.
    params : mapping
        The parameters: where the sentence counts something, the number decides the form.

    Returns
    -------
    str or None
        None where there is no translation of the sentence as it is now.
    """
    found = _of_messages(language).get((id, sentence.other))
    if not isinstance(found, tuple):
        return found
    form = plural(language, params.get(sentence.count, 0))
    return found[min(form, len(found) - 1)]


def plural(language: str, n: Value) -> int:
    """Return which form a number asks for, as Unicode's plural rules say: the place among the language's forms.

    Examples
    --------
    >>> [plural("ru", n) for n in (1, 21, 101, 2, 24, 5, 11, 111, "1.5")]
    [0, 0, 0, 1, 1, 2, 2, 2, 3]
    """
    try:
        number = Decimal(str(n))
    except InvalidOperation:
        return len(forms(language)) - 1
    # A whole number is one however large it is; a Decimal in another notation would be taken for a rounded one.
    return forms(language).index(_rule(language)(int(number) if number == number.to_integral_value() else number))


@cache
def forms(language: str) -> tuple[str, ...]:
    """Return the names of a language's plural forms, in the order in which a catalogue has them.

    Examples
    --------
    >>> forms("es"), forms("ru")
    (('one', 'many', 'other'), ('one', 'few', 'many', 'other'))
    """
    tags = {*_rule(language).tags, "other"}
    return tuple(form for form in ORDER if form in tags)


@cache
def _rule(language: str):  # type: ignore[no-untyped-def]
    from babel.core import Locale

    return Locale.parse(language).plural_form


def of_game(language: str, game: str, kind: str, said: str) -> str | None:
    """Return a game's word or sentence in a language.

    Parameters
    ----------
    language : str
        The language.
    game : str
        Id of the ruleset.
    kind : str
        ``verb``, ``zone``, ``asset``, ``about``, ...
    said : str
        As the ruleset has it.

    Returns
    -------
    str or None
        The translation that stands beside the game's file, else that of the game of this id that comes with the
        package; None where there is none.
    """
    if language == DEFAULT or not game:
        return None
    file = _BESIDE.get(game)
    for found in (_beside(language, file) if file is not None else {}, _of_ruleset(language, game)):
        translation = found.get((kind, said))
        if isinstance(translation, str):
            return translation
    return None


def beside(game: str, file: Path) -> None:
    """Note where a ruleset was read from: its translations are looked for in the same folder."""
    _BESIDE[game] = file


def read_catalogue(file: IO[bytes], language: str) -> Catalog:
    """Read a catalogue.

    Parameters
    ----------
    file : binary file
        PO, in UTF-8.
    language : str
        The language.

    Returns
    -------
    Catalog
        As Babel has it.
    """
    from babel.messages.pofile import read_po

    return read_po(file, locale=language)


Found = Mapping[tuple[str, str], "str | tuple[str, ...]"]


@cache
def _of_messages(language: str) -> Found:
    return dict(_entries(files("lawful.model.messages").joinpath(f"{language}.po"), language))


@cache
def _beside(language: str, file: Path) -> Found:
    return dict(_entries(file.with_name(f"{file.stem}.{language}.po"), language))


@cache
def _of_ruleset(language: str, game: str) -> Found:
    return dict(_entries(files("lawful.model.rulesets").joinpath(f"{game}.{language}.po"), language))


def _entries(place: Traversable | Path, language: str) -> Iterator[tuple[tuple[str, str], str | tuple[str, ...]]]:
    """Yield the translations that somebody has looked at: neither those that are empty nor those marked as fuzzy."""
    if not place.is_file():
        return
    with place.open("rb") as file:
        catalog = read_catalogue(file, language)
    for message in catalog:
        if not message.id or message.fuzzy or not message.string:
            continue
        if isinstance(message.id, str):
            if isinstance(message.string, str):
                yield (message.context or "", message.id), message.string
        elif all(message.string):
            yield (message.context or "", message.id[1]), tuple(message.string)


Source = str | tuple[str, str]


def own_texts() -> Iterator[tuple[str, Source]]:
    """Yield what is to be translated of the package itself: contexts and English sentences."""
    for id, sentence in sentences().items():
        yield id, sentence.other if sentence.one is None else (sentence.one, sentence.other)


def game_texts(ruleset: Ruleset) -> Iterator[tuple[str, Source]]:
    """Yield what is to be translated of a game: the kinds of words, and words and sentences as its file has them."""
    yield from (("asset", asset.name) for asset in ruleset.assets)
    yield from (("zone", zone.name) for zone in ruleset.zones)
    yield from (("verb", verb.name) for verb in ruleset.verbs)
    yield from (("verb", norm.action.event) for norm in ruleset.norms)
    yield from (("verb", procedure.name) for procedure in ruleset.procedures)
    yield from (("source", source.name) for source in ruleset.sources)
    yield from (("status", word) for verb in ruleset.verbs for word in (verb.adds, verb.removes) if word)
    for point in ruleset.open_points:
        yield "about", point.about
        yield from (("reading", reading.says) for reading in point.readings)
    yield from (("rule", rule.says) for rule in ruleset.rules)


def up_to_date(language: str, texts: Iterable[tuple[str, Source]], was: Catalog | None) -> Catalog:
    """Return a catalogue with every text as it is now.

    Parameters
    ----------
    language : str
        The language.
    texts : iterable of pairs
        `own_texts`, or `game_texts` of a ruleset.
    was : Catalog, optional
        What is translated; None begins a language.

    Returns
    -------
    Catalog
        A new sentence has an empty translation; where the English one changed, the old translation is kept and marked
        as fuzzy, and not used until the mark is taken away.
    """
    from babel.messages.catalog import Catalog
    from babel.messages.plurals import get_plural

    head = f"# Translations into {language}. An entry's context is its id, or the kind of word that it is."
    now = Catalog(locale=language, fuzzy=False, header_comment=head, creation_date=ALWAYS, revision_date=ALWAYS)
    rule = EXPRESSIONS.get(language) or get_plural(language).plural_expr
    now.mime_headers = [*now.mime_headers, ("Plural-Forms", f"nplurals={len(forms(language))}; plural={rule};")]
    before = {(message.context, message.id): message for message in was or () if message.id}
    changed = {message.context: message for message in before.values() if "." in str(message.context)}
    for id, source in dict.fromkeys(texts):
        old = before.get((id, source)) or changed.get(id)
        empty = "" if isinstance(source, str) else ("",) * len(forms(language))
        fits = old is not None and isinstance(old.id, str) == isinstance(source, str)
        kept = old.string if old is not None and fits else empty
        flags = {"python-brace-format"}
        if old is not None and fits and (old.fuzzy or old.id != source) and old.string:
            flags.add("fuzzy")
        now.add(source, kept, context=id, flags=flags)
    return now


EXPRESSIONS = {
    "es": "(n == 1 ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2)",
    "ru": "(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2)",
}
"""The plural rule as other tools read it in the head of a catalogue: of whole numbers. We go by Unicode's, which has a
form for fractions too."""
