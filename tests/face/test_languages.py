"""Answers in three languages: the same answer, said in the words of each game's own texts."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from runs import Run

import lawful
from lawful.cli import main
from lawful.model.frozen import FrozenMap
from lawful.model.messages import text
from lawful.model.verdict import Message
from lawful.table import plain, width

LANGUAGES = ("en", "es", "ru")
PAID = {
    "en": """\
2 ways to pay 3c1r (source sets), complete

   for 3c     for 1r  left
1  Inner Chi  blue    2r
2  Inner Chi  red     -

outcomes: 2, source sets: 2, allocations: 2, sequences: 2; source sets without a superfluous source: 2
""",
    "es": """\
2 formas de pagar 3c1r (conjuntos de fuentes), lista completa

   para 3c    para 1r  queda
1  Inner Chi  blue     2r
2  Inner Chi  red      -

resultados: 2, conjuntos de fuentes: 2, repartos: 2, secuencias: 2; conjuntos de fuentes sin ninguna superflua: 2
""",
    "ru": """\
2 способа оплатить 3c1r (наборы источников), полный список

   за 3c      за 1r  остаток
1  Inner Chi  blue   2r
2  Inner Chi  red    -

итоги: 2, наборы источников: 2, распределения: 2, последовательности: 2; наборы источников без лишнего: 2
""",
}
UNPAID = {
    "en": """\
3c1r cannot be paid
3 chi must be paid in full; 0 chi floating; no card in hand gives chi [CR 1.14.2c]
nearest position: 1 Inner Chi more in hand
CR: Comprehensive Rules, 2026-02
""",
    "es": """\
3c1r no se puede pagar
debe pagarse por completo: 3 (chi); en la reserva: 0 (chi); ninguna carta (zona: mano) da chi [CR 1.14.2c]
posición más cercana: más cartas en la mano: Inner Chi x1
CR: Comprehensive Rules, 2026-02
""",
    "ru": """\
3c1r оплатить нельзя
должно быть оплачено полностью: ци — 3; в запасе: ци — 0; ни одна карта (зона: рука) не даёт нужного: ци [CR 1.14.2c]
ближайшая позиция: больше карт в руке: Inner Chi x1
CR: Comprehensive Rules, 2026-02
""",
}
JUDGED = {
    "en": """\
illegal
  1. due: 3c, 1r [CR 5.1.6a]
  x  blue gives nothing that the chi part accepts (chi) [CR 1.14.3b]
""",
    "es": """\
ilegal
  1. se debe: 3c, 1r [CR 5.1.6a]
  x  blue no da nada que acepte la parte de chi (chi) [CR 1.14.3b]
""",
    "ru": """\
нелегально
  1. к оплате: 3c, 1r [CR 5.1.6a]
  x  blue не даёт ничего, что принимает часть «ци» (ци) [CR 1.14.3b]
""",
}
OPEN = {
    "en": "assumed where the rules are open (U20, may more coins be closed than a cost asks for): "
    "just the cost is paid",
    "es": "se supone, donde las reglas quedan abiertas (U20: si pueden cerrarse más monedas de las que pide el coste): "
    "se paga justo el coste",
    "ru": "принято там, где правила не дают ответа (U20: можно ли закрыть больше монет, чем требует стоимость): "
    "оплачивается ровно стоимость",
}
CARDS = """
Wolf: {types: [Ally]}
Bear: {types: [Ally], abilities: [{static: {cannot: {target: $self}}}]}
legal: {types: [Ally], abilities: [{static: {must: {target: $self}}}]}
Bolt: {types: [Instant], cost: 1r, abilities: [{resolve: {do: [{destroy: {type: Ally, how: target}}]}}]}
"""
CHECKED = {
    "en": """\
illegal: Bolt (1r)
  1. target: choosing Bear is forbidden by Bear [CR 1.0.2]
target: Wolf
  not blue: it is not Ally [CR 1.8.5]; it is in hand, where nothing can destroy it [CR 1.8.5a]
  not Bear: choosing it is forbidden by Bear [CR 1.0.2]
  not Bolt: it is not Ally [CR 1.8.5]; it is in stack, where nothing can destroy it [CR 1.8.5a]
nearest legal change: target: Wolf instead of Bear
nearest position: without the norm of Bear
CR: Comprehensive Rules, 2026-02
""",
    "es": """\
ilegal: Bolt (1r)
  1. target: lo prohíbe Bear; no se puede elegir: Bear [CR 1.0.2]
target: Wolf
  blue no: no es de este tipo (Ally) [CR 1.8.5]; en esta zona (mano) no es posible destruir [CR 1.8.5a]
  Bear no: lo prohíbe Bear; no se puede elegir [CR 1.0.2]
  Bolt no: no es de este tipo (Ally) [CR 1.8.5]; en esta zona (pila) no es posible destruir [CR 1.8.5a]
cambio legal más cercano: target: Wolf en vez de Bear
posición más cercana: sin la norma de Bear
CR: Comprehensive Rules, 2026-02
""",
    "ru": """\
нелегально: Bolt (1r)
  1. target: выбирать запрещает Bear: Bear [CR 1.0.2]
target: Wolf
  нельзя — blue: не подходит тип (нужен: Ally) [CR 1.8.5]; в зоне «рука» невозможно действие «уничтожить» [CR 1.8.5a]
  нельзя — Bear: выбирать запрещает Bear [CR 1.0.2]
  нельзя — Bolt: не подходит тип (нужен: Ally) [CR 1.8.5]; в зоне «стек» невозможно действие «уничтожить» [CR 1.8.5a]
ближайшее легальное изменение: target: вместо Bear — Wolf
ближайшая позиция: без запрета или обязанности от: Bear
CR: Comprehensive Rules, 2026-02
""",
}
CIRCLE = """
case: one after the other
ruleset: fab
given: {players: {Ann: {arena: [blue]}}}
when: {do: [{destroy: {zone: arena, how: each}}]}
"""
ORDERED = {
    "en": "1 outcome\n\nblue.zone graveyard\n   destroy blue\n\n"
    "no trigger sets off another in a circle\n2 states looked at\nthe referee, trying everything, found the same\n",
    "es": "1 resultado\n\nblue.zone graveyard\n   destruir: blue\n\n"
    "ninguna capacidad dispara a otra en ciclo\nestados examinados: 2\n"
    "el árbitro, probándolo todo, ha encontrado lo mismo\n",
    "ru": "1 итог\n\nblue.zone graveyard\n   уничтожить: blue\n\n"
    "способности не вызывают друг друга по кругу\nпросмотрено состояний: 2\nсудья перебрал всё и нашёл то же самое\n",
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_way_to_pay(pay: Run, lang: str) -> None:
    assert pay("--cost", "3c1r", "--hand", "Inner Chi, blue, red", "--lang", lang)[1] == PAID[lang]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_why_there_is_none(pay: Run, lang: str) -> None:
    assert pay("--cost", "3c1r", "--hand", "blue, blue", "--lang", lang)[1] == UNPAID[lang]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_payment_is_judged(pay: Run, lang: str) -> None:
    said = pay("--cost", "3c1r", "--hand", "Inner Chi, blue", "--with", "blue > Inner Chi", "--lang", lang)[1]
    assert said.startswith(JUDGED[lang])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_open_points_are_data_of_the_game_and_translated_beside_it(pay: Run, lang: str) -> None:
    said = pay("--game", "bh", "--cost", "X", "--coins", "1", "--x", "0", "--lang", lang)[1]
    assert OPEN[lang] in said.splitlines()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_declaration_with_its_refusals_and_repair(
    lang: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "my.cards.yaml").write_text(CARDS, encoding="utf8")
    given = ["--game", "fab", "--cards", str(tmp_path / "my.cards.yaml"), "--play", "Bolt", "--hand", "blue"]
    assert main(["check", *given, "--opposing", "Wolf, Bear", "--target", "Bear", "--lang", lang]) == 1
    assert capsys.readouterr().out == CHECKED[lang]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_comes_out(lang: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "my.case.yaml").write_text(CIRCLE, encoding="utf8")
    assert main(["order", str(tmp_path / "my.case.yaml"), "--lang", lang]) == 0
    assert capsys.readouterr().out == ORDERED[lang]


POINTS = {
    "en": "  6. pay 3r: 2 chi, 1 resource leave the pool [CR 1.14.2d]",
    "es": "  6. se paga 3r; sale de la reserva: 2 (chi), 1 (recurso) [CR 1.14.2d]",
    "ru": "  6. уплачено 3r; из запаса уходит: ци — 2, ресурс — 1 [CR 1.14.2d]",
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_numbers_of_points_need_no_case(pay: Run, lang: str) -> None:
    asked = ("--cost", "3c3r", "--float", "2c", "--hand", "Inner Chi, blue", "--explain", "--lang", lang)
    assert POINTS[lang][4:] in "\n".join(pay(*asked)[1].splitlines())


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("es", "target: es obligatorio elegir lo siguiente, así que no se puede elegir otra cosa: Lure"),
        ("ru", "target: выбрать обязательно, поэтому других нельзя: Lure"),
    ],
)
def test_it_is_said_what_must_be_chosen_not_what_must_not(lang: str, said: str) -> None:
    message = Message("check.must.others", FrozenMap({"slot": "target", "object": ("Lure",)}))
    assert text(message, lang) == said


def test_names_of_a_designer_are_never_translated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A card called as a word of ours is called keeps its name, as object, as target and as what obliges."""
    (tmp_path / "my.cards.yaml").write_text(CARDS, encoding="utf8")
    given = ["--game", "fab", "--cards", str(tmp_path / "my.cards.yaml"), "--play", "Bolt", "--hand", "blue"]
    main(["check", *given, "--opposing", "Wolf, legal", "--target", "Wolf", "--lang", "ru"])
    said = capsys.readouterr().out.splitlines()
    assert "  1. обязывает legal; выбрать нужно: legal [CR 1.0.2]" in said
    assert "target: legal" in said
    assert "ближайшее легальное изменение: target: вместо Wolf — legal" in said


def test_the_variable_says_the_language_and_the_option_goes_before_it(
    pay: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("--cost", "3c1r", "--hand", "blue, blue")
    monkeypatch.setenv("LAWFUL_LANG", "ru")
    assert pay(*asked)[1] == UNPAID["ru"]
    assert pay(*asked, "--lang", "es")[1] == UNPAID["es"]
    monkeypatch.setenv("LAWFUL_LANG", "")
    assert pay(*asked)[1] == UNPAID["en"]


def test_the_locale_of_the_machine_changes_nothing(pay: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.setenv(name, "ru_RU.UTF-8")
    assert pay("--cost", "3c1r", "--hand", "blue, blue")[1] == UNPAID["en"]


def test_a_language_that_there_is_not(pay: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = pay("--cost", "1r", "--hand", "red", "--lang", "xx")
    assert (code, out) == (2, "")
    assert "'xx' is not one of 'en', 'es', 'ru'" in err
    monkeypatch.setenv("LAWFUL_LANG", "xx")
    code, out, err = pay("--cost", "1r", "--hand", "red")
    assert (code, out) == (2, "")
    assert "LAWFUL_LANG" in err


def test_one_command_does_not_change_the_next(pay: Run) -> None:
    pay("--cost", "3c1r", "--hand", "blue, blue", "--lang", "ru")
    assert pay("--cost", "3c1r", "--hand", "blue, blue")[1] == UNPAID["en"]


def data(document: Any) -> Any:
    """Return a document without its texts and its time."""
    if isinstance(document, dict):
        texts = ("says", "about", "text", "change", "unproved", "elapsed_ms", "message", "hint")
        return {
            key: data(value)
            for key, value in document.items()
            if not (key in texts and (isinstance(value, str) or key == "elapsed_ms"))
        }
    return [data(one) for one in document] if isinstance(document, list) else document


@pytest.mark.parametrize("hand", ["Inner Chi, blue, red", "blue, blue"])
def test_json_has_the_same_keys_and_ids_and_numbers_in_every_language(pay: Run, hand: str) -> None:
    found = [pay.json("--cost", "3c1r", "--hand", hand, "--explain", "--lang", lang) for lang in LANGUAGES]
    assert data(found[0]) == data(found[1]) == data(found[2])
    said = [json.dumps(one, ensure_ascii=False) for one in found]
    assert len(set(said)) == 3
    assert re.search("[а-яё]", said[2])


def test_an_unknown_name_is_said_with_the_closest(pay: Run) -> None:
    code, _, err = pay("--cost", "1r", "--hand", "blu", "--lang", "es")
    assert code == 3
    assert "blu" in err
    assert "blue" in err


def test_answers_of_python_are_said_in_a_language() -> None:
    answer = lawful.pay(lawful.question("fab", cost="3c1r", hand="blue, blue"))
    for lang in LANGUAGES:
        assert answer.said(lang) + "\n" == UNPAID[lang]
        assert pickle.loads(pickle.dumps(answer)).said(lang) + "\n" == UNPAID[lang]
        with lawful.speaking(lang):
            assert str(answer) + "\n" == UNPAID[lang]
    assert str(answer) + "\n" == UNPAID["en"]
    assert answer.to_dict("ru")["nearest"][0]["change"] == "ближайшая позиция: больше карт в руке: Inner Chi x1"
    assert "no se puede pagar" in answer.said("es")
    assert lawful.languages() == LANGUAGES


def test_a_game_without_translations_is_said_in_its_own_words(tmp_path: Path) -> None:
    """Its own words stay as its file has them, and nobody is told."""
    rules = Path("tests/data/fourth.rules.yaml").read_text(encoding="utf8")
    (tmp_path / "mine.yaml").write_text(rules, encoding="utf8")
    from lawful.model.rulesets import load_ruleset

    ruleset = load_ruleset(tmp_path / "mine.yaml")
    asset = ruleset.assets[0]
    answer = lawful.pay(lawful.question(str(tmp_path / "mine.yaml"), cost=f"1{asset.id}", hand=""))
    assert answer.status == "illegal"
    assert f": {asset.name} — 1" in answer.said("ru")
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
    beside = head + f'msgctxt "asset"\nmsgid "{asset.name}"\nmsgstr "самоцвет"\n'
    (tmp_path / "mine.ru.po").write_text(beside, encoding="utf8")
    from lawful.model.messages import catalogue

    catalogue._beside.cache_clear()
    assert ": самоцвет — 1" in answer.said("ru")
    assert f"({asset.name})" in answer.said("es")


def test_tables_with_letters_of_other_alphabets_are_aligned() -> None:
    lines = plain(["за 3c", "остаток"], [["Волк", "1"], ["e\u0301", "2"], ["龍", "3"], ["й" * 8, "4"]])
    assert {width(line[: line.index(last)]) for line, last in zip(lines, ("остаток", *"1234"), strict=True)} == {10}


def test_the_list_of_a_sweep_is_said_in_the_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cards = "Stuck: {types: [Instant], cost: 3c, abilities: [{static: {cannot: {pitch: {}}}}]}\n"
    (tmp_path / "my.cards.yaml").write_text(cards, encoding="utf8")
    asked = ["stress", str(tmp_path / "my.cards.yaml"), "--game", "fab", "--executor", "here", "--check", "unpayable"]
    store = ["--store", str(tmp_path / "kept.db")]
    codes = [main([*asked, *store, "--lang", lang]) for lang in LANGUAGES]
    out = capsys.readouterr().out
    assert len(set(codes)) == 1
    assert "cards in question" in out
    assert "cartas en cuestión: 1" in out
    assert "проверяемых карт: 1" in out
