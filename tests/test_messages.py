"""Every sentence that code speaks of exists, in every language, and every sentence that exists is spoken."""

from __future__ import annotations

import ast
import gettext
import io
import re
import string
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
import yaml

from lawful.model.errors import UnknownName
from lawful.model.frozen import FrozenMap
from lawful.model.messages import languages, sentences, speaking, spoken, text, word
from lawful.model.messages.catalogue import (
    beside,
    forms,
    game_texts,
    of_game,
    own_texts,
    plural,
    read_catalogue,
    translated,
    up_to_date,
)
from lawful.model.rulesets import load_ruleset, shipped
from lawful.model.verdict import Message

TOP = Path(__file__).parent.parent
CATALOGUES = files("lawful.model.messages")
TOPICS = {id.partition(".")[0] for id in sentences()}
ID = re.compile(r"[a-z]+(?:\.[a-z0-9_-]+)+")
OTHERS = [language for language in languages() if language != "en"]
IN_TEMPLATES = re.compile(r"""\bt\(['"]([a-z]+(?:\.[a-z0-9_-]+)*\.?)['"]( ~)?""")


def strings() -> Iterator[tuple[str, bool]]:
    """Yield every string in our code that is a message's id, or the beginning of one that is put together."""
    for room in ("model", "solver", "lawful"):
        for path in (TOP / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
                if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                    yield str(node.values[0].value), True
                elif isinstance(node, ast.Constant) and isinstance(node.value, str) and ID.fullmatch(node.value):
                    yield node.value, False
    for path in (TOP / "lawful" / "web" / "templates").glob("*.html"):
        for id, joined in IN_TEMPLATES.findall(path.read_text(encoding="utf8")):
            yield id, bool(joined)


RULESETS = [yaml.safe_load(path.read_text(encoding="utf8")) for path in (TOP / "model" / "rulesets").glob("*.yaml")]
ROLES = {role for ruleset in RULESETS for rule in ruleset["rules"] for role in rule.get("roles", ())}
SPOKEN = {id for id, begun in strings() if not begun and id.partition(".")[0] in TOPICS} - (ROLES - set(sentences()))
BEGUN = {id for id, begun in strings() if begun and id.partition(".")[0] in TOPICS and "." in id}


def test_every_id_that_code_speaks_of_has_a_sentence() -> None:
    assert SPOKEN - set(sentences()) == set()
    assert {begun for begun in BEGUN if not any(id.startswith(begun) for id in sentences())} == set()


def test_every_sentence_is_spoken() -> None:
    words = {id for id in sentences() if id.startswith(("word.", "verb.", "fault."))}  # asked for by what data say
    unspoken = {
        id for id in set(sentences()) - words if id not in SPOKEN and not any(id.startswith(begun) for begun in BEGUN)
    }
    assert unspoken == set()


def parameters(template: str) -> Counter[tuple[str, str, str]]:
    """Return the parameters of a template, each with its conversion and the kind of word that it is."""
    parts = string.Formatter().parse(template)
    return Counter({(name, how or "", kind or ""): 1 for _, name, kind, how in parts if name is not None})


def test_there_are_three_languages() -> None:
    assert languages()[0] == "en"
    assert set(languages()) >= {"en", "es", "ru"}


@pytest.mark.parametrize("language", OTHERS)
def test_no_message_lacks_a_translation_or_a_parameter(language: str) -> None:
    lacking = []
    for id, sentence in sentences().items():
        for n in (0, 1, 2, 5, 1_000_000, "1.5"):
            found = translated(language, id, sentence, {sentence.count: n} if sentence.count else {})
            if found is None:
                lacking.append(id)
                break
            assert set(parameters(found)) <= set(parameters(sentence.other)), (id, found)
            # "The reason" of one reason need not name the number.
            missing = {name for name, _, _ in set(parameters(sentence.other)) - set(parameters(found))}
            assert missing <= {sentence.count}, (id, found)
    assert lacking == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_catalogue_is_up_to_date(language: str) -> None:
    with CATALOGUES.joinpath(f"{language}.po").open("rb") as file:
        was = read_catalogue(file, language)  # type: ignore[arg-type]
    now = up_to_date(language, own_texts(), was)
    assert [m.context for m in was if m.id] == [m.context for m in now if m.id]  # python -m lawful.cli.translating
    assert [m.context for m in was if m.fuzzy and m.id] == [m.context for m in now if m.fuzzy and m.id] == []
    assert now.num_plurals == was.num_plurals == len(forms(language))


@pytest.mark.parametrize("language", OTHERS)
def test_the_head_of_a_catalogue_tells_other_tools_the_same_plurals(language: str) -> None:
    with CATALOGUES.joinpath(f"{language}.po").open("rb") as file:
        rule = gettext.c2py(read_catalogue(file, language).plural_expr)  # type: ignore[arg-type, attr-defined]
    for n in (*range(1200), 10**6, 10**6 + 1, 2 * 10**6, 10**9, 10**12 + 11):
        assert rule(n) == plural(language, n), n


def test_english_letters_are_left_over_only_in_names() -> None:
    """A Russian sentence has no word in Latin letters but names of this package's things."""
    known = {"X", "CP", "SAT", "lawful", "cards", "YAML", "Inner", "Chi", "x", "minimal"}
    known |= {"c", "r", "blue", "amount", "objects", "hand", "in", "play", "true", "false", "self", "controller", "id"}
    known |= {"target", "choose", "UTF", "cost", "activate", "declare", "or", "do", "check", "JSON", "CSV", "doctor"}
    known |= {
        "subject",
        "name",
        "per",
        "yields",
        "used",
        "opponent",
        "prove",
        "explain",
        "by",
        "source",
        "serve",
        "ask",
    }
    known |= {"bytes", "documents", "depth", "nodes", "rows", "body", "seconds", "batch", "LAWFUL", "DEBUG", "case"}
    known |= {
        "json",
        "application",
        "game",
        "best",
        "from",
        "sample",
        "outcomes",
        "with",
        "XX",
        "stress",
        "update",
        "baseline",
    }
    left = {}
    for id, sentence in sentences().items():
        for n in (1, 2, 5, "1.5"):
            said = translated("ru", id, sentence, {sentence.count: n}) or ""
            plain = "".join(part for part, *_ in string.Formatter().parse(said))
            if words := set(re.findall(r"[A-Za-z]+", plain)) - known:
                left[id] = words
    assert left == {}


def test_no_id_stands_in_two_files() -> None:
    found: Counter[str] = Counter()
    for entry in CATALOGUES.iterdir():
        if entry.name.endswith(".yaml"):
            content = yaml.safe_load(entry.read_text(encoding="utf8"))
            assert all(isinstance(value, str | dict) for value in content.values()), entry.name
            found.update(list(content))
    assert [id for id, times in found.items() if times > 1] == []


def test_what_counts_has_both_forms_and_its_number() -> None:
    for id, sentence in sentences().items():
        assert (sentence.one is None) == (sentence.count == ""), id
        names = [name for name, _, _ in parameters(sentence.other)]
        assert all(name.isidentifier() for name in names), id
        assert sentence.one is None or sentence.count in names, id


def ways(n: object, language: str) -> str:
    return text(Message("face.ways", FrozenMap({"n": n, "cost": "1r", "level": "-"})), language)  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("n", "said"),
    [
        (0, "0 способов"), (1, "1 способ"), (2, "2 способа"), (4, "4 способа"), (5, "5 способов"), (11, "11 способов"),
        (14, "14 способов"), (20, "20 способов"), (21, "21 способ"), (22, "22 способа"), (25, "25 способов"),
        (101, "101 способ"), (111, "111 способов"), (112, "112 способов"), (1001, "1001 способ"),
        (10**12, "1000000000000 способов"), ("1.5", "1.5 способа"), ("21.5", "21.5 способа"), ("5", "5 способов"),
    ],
)  # fmt: skip
def test_russian_plurals(n: object, said: str) -> None:
    assert ways(n, "ru") == f"{said} оплатить 1r (-)"


@pytest.mark.parametrize(
    ("n", "said"),
    [
        (0, "0 formas"), (1, "1 forma"), (2, "2 formas"), (21, "21 formas"), (10**6, "1000000 de formas"),
        (10**6 + 1, "1000001 formas"), ("1.5", "1.5 formas"),
    ],
)  # fmt: skip
def test_spanish_plurals(n: object, said: str) -> None:
    assert ways(n, "es") == f"{said} de pagar 1r (-)"


@pytest.mark.parametrize(("n", "said"), [(0, "0 ways"), (1, "1 way"), (2, "2 ways"), (21, "21 ways")])
def test_english_plurals(n: object, said: str) -> None:
    assert ways(n, "en") == f"{said} to pay 1r (-)"


def test_a_tuple_is_listed() -> None:
    said = text(Message("face.legal", FrozenMap({"cost": ("1r", "2c")})))
    assert said == "legal: 1r, 2c is paid"


def test_a_tuple_is_joined_as_the_language_does() -> None:
    said = Message("face.did-you-mean", FrozenMap({"names": ("Ann", "Bob")}))
    assert [text(said, language) for language in ("en", "es", "ru")] == [
        "did you mean Ann or Bob?", "¿quiso decir Ann o Bob?", "возможно, имелось в виду Ann или Bob?",
    ]  # fmt: skip


def test_what_is_spoken_ends_with_its_block() -> None:
    assert spoken() == "en"
    with speaking("ru"):
        assert word("word", "legal") == "легально"
        with speaking("es"):
            assert word("word", "legal") == "legal"
        assert spoken() == "ru"
    assert spoken() == "en"


def test_what_a_language_lacks_is_said_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lawful.model.messages.catalogue._of_messages", lambda language: {})
    assert text(Message("face.illegal"), "ru") == "illegal"


def test_a_sentence_that_has_changed_is_not_said_in_its_old_translation() -> None:
    with CATALOGUES.joinpath("ru.po").open("rb") as file:
        was = read_catalogue(file, "ru")  # type: ignore[arg-type]
    old = was.get("illegal", "face.illegal")
    assert old is not None
    old.id = "unlawful"
    assert [m.context for m in up_to_date("ru", own_texts(), was) if m.fuzzy and m.id] == ["face.illegal"]


def test_a_game_of_ones_own_has_its_words_beside_it(tmp_path: Path) -> None:
    game = tmp_path / "mine.yaml"
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
    said = head + 'msgctxt "verb"\nmsgid "bow"\nmsgstr "поклон"\n'
    (tmp_path / "mine.ru.po").write_text(said, encoding="utf8")
    beside("mine", game)
    assert of_game("ru", "mine", "verb", "bow") == "поклон"
    assert of_game("ru", "mine", "zone", "bow") is None
    assert of_game("es", "mine", "verb", "bow") is None


def test_what_is_missing_is_an_error() -> None:
    with pytest.raises(LookupError, match=r"no text for the message 'face\.nowhere'"):
        text(Message("face.nowhere"))
    with pytest.raises(LookupError, match=r"'face\.legal' lacks the parameter 'cost'"):
        text(Message("face.legal"))
    with pytest.raises(UnknownName, match="unknown language 'xx'"):
        text(Message("face.legal"), "xx")


def test_a_new_language_begins_empty() -> None:
    begun = up_to_date("pl", own_texts(), None)
    assert len([m for m in begun if m.id]) == len(sentences())
    assert begun.num_plurals == 4
    from babel.messages.pofile import write_po

    write_po(io.BytesIO(), begun)


@pytest.mark.parametrize("game", shipped())
@pytest.mark.parametrize("language", OTHERS)
def test_no_word_or_sentence_of_a_game_lacks_a_translation(language: str, game: str) -> None:
    """After a change of a ruleset run ``python -m lawful.cli.translating``, and translate what it names."""
    texts = list(dict.fromkeys(game_texts(load_ruleset(game))))
    assert len(texts) > 50
    assert [(kind, said) for kind, said in texts if not of_game(language, game, kind, str(said))] == []
    with files("lawful.model.rulesets").joinpath(f"{game}.{language}.po").open("rb") as file:
        was = read_catalogue(file, language)  # type: ignore[arg-type]
    assert [(m.context, m.id) for m in was if m.id] == texts
    assert not [m.id for m in was if m.id and m.fuzzy]


@pytest.mark.parametrize("language", OTHERS)
def test_catalogues_are_written_as_the_tool_writes_them(language: str, tmp_path: Path) -> None:
    """Also a new language is begun by it, and what is translated is kept."""
    from lawful.cli.translating import write

    for place, texts in [
        (CATALOGUES.joinpath(f"{language}.po"), list(own_texts())),
        *((files("lawful.model.rulesets").joinpath(f"{game}.{language}.po"), list(game_texts(load_ruleset(game))))
          for game in shipped()),
    ]:  # fmt: skip
        copy = tmp_path / f"copy.{language}.po"
        copy.write_bytes(place.read_bytes())
        assert write(copy, language, texts).endswith(": 0 to be translated")
        assert body(copy.read_text(encoding="utf8")) == body(place.read_text(encoding="utf8"))
    begun = write(tmp_path / "new.po", language, own_texts())
    assert f": {len(sentences())} to be translated: " in begun


def body(catalogue: str) -> str:
    """Return a catalogue without its head, which names the version that wrote it."""
    return catalogue.partition("\n\n")[2]
