"""The page in the reader's language: the browser's, or the one that was chosen, which every link keeps."""

from __future__ import annotations

import re
from html import unescape
from typing import Any, get_args
from urllib.parse import parse_qsl, urlsplit

import pytest
from fastapi.testclient import TestClient

from lawful.model.messages import languages, sentences, speaking
from lawful.text import say
from lawful.web.languages import NAMES, preferred, thousands
from lawful.web.requests import Language

UNPAID = "/?game=flesh-and-blood&cost=3c1r&hand=blue,+blue"
PAID = "/?game=flesh-and-blood&cost=6r&hand=red,+red,+yellow,+blue,+blue&limit=4"
SAID = {
    "en": "3 chi must be paid in full",
    "es": "debe pagarse por completo: 3 (chi)",
    "ru": "должно быть оплачено полностью: ци — 3",
}


def words(page: str) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", page)))


def hrefs(page: str) -> list[str]:
    return [unescape(link) for link in re.findall(r'<a [^>]*href="([^"]*)"', page)]


def test_languages_are_those_of_the_catalogues() -> None:
    assert set(get_args(Language)) == set(NAMES) == set(languages())


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"), ("es", "es"), ("es-MX,es;q=0.9,en;q=0.8", "es"), ("ru-RU", "ru"), ("de,ru;q=0.2,es;q=0.7", "es"),
        ("de, fr", "en"), ("ru;q=0", "en"), ("ru;q=x, es", "es"), ("*", "en"), (";;;,,,", "en"), ("RU", "ru"),
        ("en;q=0.9, ru;q=0.9", "en"), ("ru;q=nan, es;q=0.1", "es"), ("ru;q=7", "en"),
    ],
)  # fmt: skip
def test_the_language_that_the_browser_likes_best(accepted: str, language: str) -> None:
    assert preferred(accepted) == language


@pytest.mark.parametrize("language", languages())
def test_the_page_is_in_the_language_of_the_browser(client: TestClient, language: str) -> None:
    page = client.get(UNPAID, headers={"accept-language": f"{language}-XX, en;q=0.1"})
    assert f'<html lang="{language}">' in page.text
    assert page.headers["content-language"] == language
    assert "accept-language" in page.headers["vary"].lower()
    assert SAID[language] in words(page.text)


@pytest.mark.parametrize("language", languages())
def test_the_language_that_was_chosen_goes_before_it_and_stays_in_every_link(client: TestClient, language: str) -> None:
    page = client.get(f"{PAID}&lang={language}", headers={"accept-language": "ru"}).text
    assert f'<html lang="{language}">' in page
    inner = [link for link in hrefs(page) if not link.startswith(("#", "/api/", "/case.yaml"))]
    kept = [dict(parse_qsl(urlsplit(link).query)).get("lang") for link in inner]
    others = [other for other in languages() if other != language]
    assert sorted(lang for lang in kept if lang != language) == sorted(others)  # only those that change it
    assert page.count(f'<input type="hidden" name="lang" value="{language}">') >= 1


def test_another_language_is_one_click_away(client: TestClient) -> None:
    page = client.get(UNPAID, headers={"accept-language": "en"}).text
    for language in ("es", "ru"):
        link = next(link for link in hrefs(page) if link.endswith(f"lang={language}"))
        assert SAID[language] in words(client.get(link).text)
    for path in ("/examples", "/nowhere"):
        page = client.get(path).text
        assert f"{path}?lang=ru" in hrefs(page)
        assert '<html lang="ru">' in client.get(f"{path}?lang=ru").text


def test_a_language_that_there_is_not_is_passed_over(client: TestClient) -> None:
    assert '<html lang="en">' in client.get(f"{UNPAID}&lang=xx").text


LINKS = (
    "/", "/?ask=order", "/examples", "/nowhere", UNPAID, PAID + "&explain=on&prove=on&by_name=on", PAID + "&sample=3",
    PAID + "&best=few cards,keep blue", "/?game=mc&cost=1+%26+Xe&hand=ee,+w", "/?game=bh&cost=X&coins=2&x=0",
    "/?ask=check&game=fab&cost=1r&hand=red", "/?game=fab&cost=3c1r&hand=Inner+Chi,+blue&steps=blue+>+Inner+Chi",
    "/?game=fab&find=Inner", "/?game=fab&cost=3q&hand=bluu",
)  # fmt: skip


@pytest.mark.parametrize("link", LINKS)
def test_no_label_is_left_in_english(client: TestClient, link: str) -> None:
    """Whatever the page says in English and not in Russian has a translation that differs: none is hard-coded."""
    page = client.get(link, params=None, headers={"accept-language": "ru"}).text
    russian = {part.strip() for part in re.findall(r">([^<>]+)<", page)} | set(
        re.findall(r'aria-label="([^"]+)"', page)
    )
    labels = {sentence.other for id, sentence in sentences().items() if id.startswith(("page.", "face.", "order."))}
    labels = {label for label in labels if "{" not in label and label != "X"}
    assert {unescape(said) for said in russian} & labels == set()


def test_the_api_says_texts_in_a_language(client: TestClient) -> None:
    def asked(**more: Any) -> dict[str, Any]:
        body = {"game": "fab", "cost": "3c1r", "hand": "blue, blue", **more}
        found = client.post("/api/v1/pay", json=body, headers={"accept-language": "ru"})
        assert found.status_code == 200
        document: dict[str, Any] = found.json()
        return document

    assert asked()["reasons"][0][0]["says"] == SAID["en"]  # what a program gets does not depend on a browser's header
    for language in languages():
        document = asked(lang=language)
        assert document["reasons"][0][0]["says"] == SAID[language]
        assert document.keys() == asked().keys()
        assert document["verdict"] == "illegal"
    refused = client.post("/api/v1/pay", json={"game": "fab", "cost": "1r", "lang": "xx"})
    assert refused.status_code == 422
    assert refused.json()["error"]["faults"][0]["path"] == "/lang"


@pytest.mark.parametrize(
    ("link", "status", "es", "ru"),
    [
        ("/nowhere", 404, "No existe esta página", "Такой страницы нет"),
        ("/?case=~AAAA", 400, "el enlace está dañado: su caso no puede leerse",
         "ссылка повреждена: случай в ней не читается"),
        ("/case.yaml", 422, "aquí no hay ningún caso: pregunte algo que pueda leerse",
         "здесь нет случая: спросите о том, что можно прочитать"),
        ("/?game=fab&cost=1r&hand=red&x=abc", 200, "debe ser un número entero", "это должно быть целое число"),
    ],
)  # fmt: skip
def test_what_is_refused_on_the_page(client: TestClient, link: str, status: int, es: str, ru: str) -> None:
    for language, said in (("es", es), ("ru", ru)):
        found = client.get(link, headers={"accept-language": language})
        assert found.status_code == status
        assert said in words(found.text)


@pytest.mark.parametrize("language", languages())
def test_another_question_is_offered_where_it_is_meant(client: TestClient, language: str) -> None:
    case = "case: a\nruleset: fab\ngiven: {players: {Ann: {arena: [blue]}}}\nwhen: {do: [{destroy: {zone: arena}}]}\n"
    page = client.post("/open", data={"ask": "pay", "case": case}, headers={"accept-language": language}).text
    assert re.search(r'<a class="button" href="[^"]*ask=order', page)
    case = "case: a\nruleset: fab\ncards: {Guard: {types: [Action], defense: 3}}\n" + (
        "given: {players: {Nic: {hand: [Guard]}, Tyler: {}}, turn: Tyler}\n"
        "when: {player: Nic, declare: defend, targets: {defenders: [Guard]}}\n"
    )
    page = client.post("/open", data={"ask": "pay", "case": case}, headers={"accept-language": language}).text
    assert re.search(r'<a class="button" href="[^"]*ask=check', page)
    with speaking(language):
        assert say("page.instead.check") in words(page)


def test_faults_of_a_request_are_said_in_its_language(client: TestClient) -> None:
    body = {"game": "fab", "cost": "1r", "hand": 3, "limit": -1, "foo": 1, "level": "none", "lang": "ru"}
    faults = client.post("/api/v1/pay", json=body).json()["error"]["faults"]
    assert {fault["path"]: fault["message"] for fault in faults} == {
        "/hand": "это должен быть текст",
        "/limit": "это должно быть не меньше 0",
        "/foo": "такого поля нет",
        "/level": "это должно быть одно из: 'outcomes', 'sources', 'allocations' или 'sequences'",
    }
    assert "Input should be" in client.post("/api/v1/pay", json={**body, "lang": "xx"}).text


def test_a_body_that_is_sent_as_json_and_is_none(client: TestClient) -> None:
    found = client.post("/api/v1/pay", content=b"{", headers={"content-type": "application/json"})
    assert found.json()["error"]["message"].startswith("/: the body is no JSON")
    found = client.post("/api/v1/pay", content=b"{}", headers={"content-type": "text/plain"})
    assert found.json()["error"]["message"] == "the body must be sent as application/json, not as text/plain"


def test_a_batch_may_speak_several_languages(client: TestClient) -> None:
    asked = {"ask": "pay", "game": "fab", "cost": "3c1r", "hand": "blue, blue"}
    body = {"requests": [{**asked, "lang": "ru"}, asked, {**asked, "lang": "es"}]}
    found = client.post("/api/v1/batch", json=body).json()["answers"]
    assert [one["answer"]["reasons"][0][0]["says"] for one in found] == [SAID["ru"], SAID["en"], SAID["es"]]


def test_digits_are_grouped_as_readers_expect() -> None:
    assert thousands(1234567) == "1,234,567"
    with speaking("ru"):
        assert thousands(1234567) == "1\u202f234\u202f567"
        assert say("page.reasons", n=1) == "1 причина, достаточно одной"
        assert say("page.reasons", n=3) == "3 причины, достаточно одной"
