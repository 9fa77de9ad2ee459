"""What happens, and what is wrong with an input, in three languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from runs import Run

import lawful
from lawful.cli import main
from lawful.model.errors import LimitReached
from lawful.model.frozen import FrozenMap
from lawful.model.messages import speaking, text, word
from lawful.model.verdict import Message
from lawful.saying import said_error

LANGUAGES = ("en", "es", "ru")
CIRCLE = """
case: one after the other
ruleset: fab
given: {players: {Ann: {arena: [blue]}}}
when: {do: [{destroy: {zone: arena, how: each}}]}
"""
CHOSEN = """
case: who puts their triggered abilities first
ruleset: fab
cards:
  Bell: {types: [Ally]}
  Mine:
    types: [Ally]
    abilities: [{trigger: {on: {tap: {name: Bell}}, do: [{set: counters.rung, of: {name: Bell}, to: 0}]}}]
  Yours:
    types: [Ally]
    abilities: [{trigger: {on: {tap: {name: Bell}}, do: [{add: rung, of: {name: Bell}, n: 1}]}}]
given: {players: {Ann: {arena: [Bell, Mine]}, Bob: {arena: [Yours]}}, turn: Ann}
when: {player: Ann, do: [{tap: {name: Bell}}]}
"""
CHOICES = {
    "en": ["   tap Bell > Bob puts first > Mine > set Bell > Yours > add Bell", "   chosen by Ann"],
    "es": ["   girar: Bell > Bob va primero > Mine > fijar: Bell > Yours > añadir: Bell", "   a elección de Ann"],
    "ru": [
        "   повернуть: Bell > Bob кладёт первым > Mine > установить: Bell > Yours > добавить: Bell",
        "   по выбору: Ann",
    ],
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_steps_and_who_chose_them(lang: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "my.case.yaml").write_text(CHOSEN, encoding="utf8")
    assert main(["order", str(tmp_path / "my.case.yaml"), "--lang", lang]) == 0
    said = capsys.readouterr().out.splitlines()
    assert [line for line in said if line in CHOICES[lang]][:2] == CHOICES[lang]


@pytest.mark.parametrize(
    ("step", "es", "ru"),
    [
        ("check", "comprobación de las reglas", "проверка по правилам"),
        ("destroy Bear, Wolf", "destruir: Bear, Wolf", "уничтожить: Bear, Wolf"),
        ("Shield prevents 2 (Bear, Wolf)", "Shield evita 2 (Bear, Wolf)", "Shield предотвращает 2 (Bear, Wolf)"),
        ("Old Oak replaces destroy", "Old Oak sustituye: destruir", "Old Oak замещает: уничтожить"),
        ("Bomb before destroy", "Bomb, antes de: destruir", "Bomb, прежде чем: уничтожить"),
        ("decline Old Oak", "se rechaza Old Oak", "отказ: Old Oak"),
        ("Ann puts first", "Ann va primero", "Ann кладёт первым"),
        ("Ann pays", "Ann paga", "Ann платит"),
        ("Ann does not pay", "Ann no paga", "Ann не платит"),
        ("Old Oak", "Old Oak", "Old Oak"), ("old oak", "old oak", "old oak"), ("", "", ""),
    ],
)  # fmt: skip
def test_each_form_of_a_step(step: str, es: str, ru: str) -> None:
    for lang, said in (("en", step), ("es", es), ("ru", ru)):
        with speaking(lang, "flesh-and-blood"):
            assert word("step", step) == said


def test_no_step_of_the_cases_that_come_along_is_left_in_english() -> None:
    """Each that is more than a name is recognised: a form that is new in the solver needs its template."""
    from lawful.model.casefile import read_cases

    left = set()
    for file in sorted(Path("cases/games").glob("*-orders.case.yaml")):
        for case in read_cases(file):
            if case.order is None:
                continue
            names = {t.id for t in case.order.position.things} | {t.card for t in case.order.position.things}
            with speaking("ru", case.order.ruleset.id):
                for outcome in lawful.order(case).outcomes:
                    left |= {s for s in outcome.order if word("step", s) == s and s not in names}
    assert {step for step in left if " " in step} == set()


@pytest.mark.parametrize(
    ("asked", "es", "ru"),
    [
        (["--cost", "1r", "--hand", "bluu"],
         "--hand:1:1: carta desconocida: 'bluu' (¿quiso decir 'blue'?)",
         "--hand:1:1: неизвестная карта: 'bluu' (возможно, имелось в виду 'blue'?)"),
        (["--cost", "3q", "--hand", "red"],
         "--cost:1:2: recurso desconocido: 'q' (recursos: c, r, h, a)",
         "--cost:1:2: неизвестный ресурс: 'q' (ресурсы: c, r, h, a)"),
        (["--cost", "1r", "--hand", "red,, blue"],
         "--hand:1:4: falta un nombre entre comas",
         "--hand:1:4: между запятыми нет имени"),
        (["--cost", "1r", "--hand", "red", "--with", "red >"],
         "--with:1:6: falta un paso (los pasos se escriben así: una carta > otra)",
         "--with:1:6: нет шага (шаги пишутся так: одна карта > другая)"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_input_is_said_with_its_place_and_fix(
    pay: Run, asked: list[str], es: str, ru: str
) -> None:
    for lang, said in (("es", es), ("ru", ru)):
        code, out, err = pay(*asked, "--lang", lang)
        assert (code, out, err.splitlines()) == (3, "", [said])
        document = json.loads(pay(*asked, "--lang", lang, "--json")[1])
        fault = document["error"]["faults"][0]
        assert fault["message"] in said
        assert fault["hint"] in said


DEFENDS = """
case: what the rules themselves let one declare
ruleset: fab
cards: {Guard: {types: [Action], defense: 3}}
given: {players: {Nic: {hand: [Guard]}, Tyler: {}}, turn: Tyler}
when: {player: Nic, declare: defend, targets: {defenders: [Guard]}}
"""


@pytest.mark.parametrize(
    ("command", "case", "said"),
    [
        ("pay", DEFENDS, "здесь заявлена не карта и не способность (задайте вопрос check)"),
        ("pay", CIRCLE, ":2:1: в этом случае сказано, что происходит, а не что оплачивается (lawful order)"),
        ("check", "- a", ":1:1: случай — это должен быть словарь (ключ: значение)"),
        ("order", DEFENDS, ":2:1: ни в одном случае там не сказано, что происходит (напишите when: {do: [...]})"),
    ],
)
def test_a_case_of_another_kind_is_said_in_the_language(
    command: str, case: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "my.case.yaml").write_text(case, encoding="utf8")
    assert main([command, str(tmp_path / "my.case.yaml"), "--lang", "ru"]) == 3
    assert capsys.readouterr().err.strip().endswith(said)


@pytest.mark.parametrize(
    ("advice", "es"),
    [
        ("give more time", "dé más tiempo"),
        ("the position has 41", "la posición tiene 41"),
        ("'Spring' can be used without end", "'Spring' puede usarse sin fin"),
        ("what nobody has translated", "what nobody has translated"),
    ],
)
def test_what_to_do_about_a_limit(advice: str, es: str) -> None:
    with speaking("es"):
        assert said_error(LimitReached("sources", 40, advice)) == f"límite alcanzado: fuentes = 40; {es}"


def test_every_template_of_a_fault_recognises_its_own_sentences() -> None:
    """None is taken for another one that says more words."""
    import string

    from lawful.model.messages import sentences
    from lawful.saying import recognised

    for id, sentence in sentences().items():
        if id.startswith("fault."):
            names = [name for _, name, _, _ in string.Formatter().parse(sentence.other) if name]
            given = {name: f"'{n}'" for n, name in enumerate(names)}
            said = text(Message(id, FrozenMap(given)))
            with speaking("ru"):
                assert recognised(said) == text(Message(id, FrozenMap(given))), id


def test_a_fault_that_no_template_has_stays_in_english() -> None:
    from lawful.saying import recognised

    with speaking("ru"):
        assert recognised("quite another thing") == "quite another thing"
        assert recognised("") == ""
