"""The page without a browser and without JavaScript: every state has a link, and what it shows is the answer."""

from __future__ import annotations

import json
import re
from html import unescape
from urllib.parse import parse_qsl, urlsplit

import pytest
from fastapi.testclient import TestClient

from lawful.web.examples import examples
from lawful.web.state import State, read_state

SIX = "/?game=flesh-and-blood&cost=6r&hand=red,+red,+yellow,+blue,+blue"


def links(page: str) -> dict[str, str]:
    """The links of a page by their words."""
    found = re.findall(r'<a [^>]*href="([^"]*)"[^>]*>(.*?)</a>', page, re.S)
    return {unescape(re.sub("<[^>]+>", "", words)).strip(): unescape(href) for href, words in found}


def words(page: str) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", page)))


def test_the_empty_desk_and_its_examples(client: TestClient) -> None:
    page = client.get("/")
    assert page.status_code == 200
    said = links(page.text)
    answer = client.get(said["Pay 3c1r with Inner Chi, blue, red"])
    assert "2 ways to pay 3c1r (source sets), complete" in words(answer.text)
    assert "http" not in re.sub(r"http://www\.w3\.org/\S+", "", page.text.replace("http-equiv", ""))


def test_paging_levels_and_wishes_are_links(client: TestClient) -> None:
    page = client.get(SIX + "&limit=4").text
    assert "1 to 4 of 11" in words(page)
    said = links(page)
    assert "5 to 8 of 11" in words(client.get(said["next"]).text)
    assert "8 to 11 of 11" in words(client.get(said["last"]).text)
    assert "74 ways to pay 6r (sequences)" in words(client.get(said["sequences"]).text)
    merged = words(client.get(said["equal cards merged"]).text)
    assert "6 where equal cards are not told apart" in merged
    assert "1 to 4 of 6" in merged
    assert "5 drawn at random" in words(client.get(said["draw 5 at random"]).text)
    assert "proved by CP-SAT" in words(client.get(said["prove"]).text)
    kept = client.get(said["keep"]).text  # the last of them: the second blue card
    assert "keep blue #2" in words(kept)
    both = client.get(links(kept)["few cards"]).text
    assert read_state(parse_qsl(urlsplit(links(both)["down"]).query)).wishes == ["few cards", "keep blue #2"]
    assert read_state(parse_qsl(urlsplit(links(both)["drop"]).query)).wishes == ["keep blue #2"]


def test_a_cost_that_cannot_be_paid_has_its_reason_and_a_change_on_one_click(client: TestClient) -> None:
    page = client.get("/?game=fab&cost=3c1r&hand=blue,+blue").text
    assert "3 chi must be paid in full" in words(page)
    assert "CR 1.14.2c" in words(page)
    assert "1 way to pay 3c1r" not in words(page)
    assert "2 ways to pay 3c1r" in words(client.get(links(page)["apply"]).text)


def test_faults_stand_beside_their_fields_and_lines(client: TestClient) -> None:
    page = client.get("/?game=flesh-and-blood&cost=3q&hand=bluu&x=two").text
    assert page.count("aria-invalid") == 1  # what is no number is said first
    page = client.get("/?game=flesh-and-blood&cost=3q&hand=bluu").text
    assert page.count("aria-invalid") == 2
    assert "did you mean 'blue'?" in words(page)
    case = "case: a\nruleset: fab\ngiven: {players: {A: {hand: [bluu]}}}\nwhen: {cost: 1q}\n"
    sent = client.post("/open", data={"text": case, "ask": "pay"}, follow_redirects=False)
    assert sent.status_code == 303
    page = client.get(sent.headers["location"]).text
    assert re.search(r'<li value="3"><code>given.*?bluu', page, re.S)
    assert re.search(r'<li value="4"><code>when', page)


def test_a_repair_and_a_target_are_one_click_away(client: TestClient) -> None:
    case = """\
case: guard
ruleset: flesh-and-blood
cards: {Wolf: {types: [Ally]}, Bear: {types: [Ally], abilities: [{static: {cannot: {target: $self}}}]}}
given: {players: {A: {}, B: {arena: [Wolf, Bear]}}}
when: {player: A, do: [{destroy: {type: Ally, how: target}}], targets: Bear}
"""
    page = client.get(State(ask="check", case=case).link()).text
    assert "choosing Bear is forbidden by Bear" in words(page)
    assert 'class="verdict legal"' in client.get(links(page)["apply"]).text
    assert 'class="verdict legal"' in client.get(links(page)["Wolf"]).text
    assert "<svg" in page


def test_the_form_and_the_case_file_say_the_same(client: TestClient) -> None:
    form = client.get(SIX).text
    case = client.get(links(form)["Case file"]).text
    assert "11 ways to pay 6r" in words(case)
    again = client.get(links(case)["Form"]).text
    assert "11 ways to pay 6r" in words(again)
    assert 'value="red x2, yellow, blue x2"' in again
    export = client.get(links(form)["Export"])
    assert export.headers["content-type"].startswith("application/yaml")
    told = client.post("/api/v1/pay", json={"case": export.text}).json()
    assert told["count"] == 11


def test_a_case_that_the_form_cannot_say_offers_no_form(client: TestClient) -> None:
    case = """\
case: a
ruleset: fab
given:
  players: {A: {hand: [blue]}}
  turn: A
  lasting: [{cannot: {pitch: {zone: hand}}, controller: A}]
when: {cost: 1r}
"""
    page = client.get(State(case=case).link()).text
    assert 'class="verdict illegal"' in page
    assert "Form" not in links(page)


def test_cards_of_a_file_are_found_by_name(client: TestClient) -> None:
    page = client.get("/?game=flesh-and-blood&find=tide").text
    assert "Twice the Tide" in words(page)
    played = client.get(links(page)["play it"] + "&hand=blue,+blue").text
    assert "Twice the Tide" in words(played)
    assert 'class="verdict' in played


def test_what_comes_out_has_its_graph(client: TestClient) -> None:
    order = next(example for example in examples() if example.ask == "order")
    page = client.get(order.link).text
    assert "<svg" in page
    assert "<title>" in page


@pytest.mark.parametrize("at", range(0, 300, 7))
def test_examples_have_an_answer(client: TestClient, at: int) -> None:
    example = examples()[at]
    page = client.get(example.link)
    assert page.status_code == 200
    assert 'class="verdict' in page.text, example.name


@pytest.mark.parametrize(
    ("link", "status"),
    [
        ("/?case=~damaged", 400), ("/case.yaml", 422), ("/nothing", 404), ("/case.yaml?game=fab&cost=1q", 422),
        ("/?cost=1r", 200), ("/?game=fab&cost=1r&start=abc", 200), ("/?game=fab&cost=1r&start=999999", 200),
        ("/?game=fab&cost=1r&hand=blue&limit=0&sample=3&seed=-1", 200), ("/?game=../x.yaml&cost=1r", 200),
        ("/?game=fab&cost=1r&hand=" + "blue," * 3000, 200), ("/?ask=order&game=fab&cost=1r", 200),
        ("/?game=fab&cost=1r&hand=%3Cscript%3Ealert(1)%3C/script%3E", 200), ("/?game=fab&find=%00", 200),
    ],
)  # fmt: skip
def test_odd_links(client: TestClient, link: str, status: int) -> None:
    page = client.get(link)
    assert page.status_code == status
    assert "<script>alert" not in page.text
    assert "Traceback" not in page.text


def test_a_limit_that_was_reached_keeps_the_question(client: TestClient) -> None:
    # 300 cards in hand are more than a payment is looked for among: a limit that needs no time.
    page = client.get("/?game=fab&cost=30r&hand=blue+x300").text
    assert "No answer: a limit was reached" in words(page)
    case = links(page)["Case file"]
    assert "blue" in read_state(parse_qsl(urlsplit(case).query)).case
    export = client.get(links(page)["Export"])
    assert export.status_code == 200
    assert export.text.count("blue") >= 1


def test_a_form_that_cannot_be_read_offers_no_other_case_file(client: TestClient) -> None:
    page = client.get("/?game=fab&cost=3q&hand=blue").text
    assert "Case file" not in links(page)
    assert "Export" not in links(page)
    sent = client.post("/open", data={"text": "case: a\nruleset: fab\nwhen: {cost: 1q}\n"}, follow_redirects=False)
    assert "Export" not in links(client.get(sent.headers["location"]).text)


def test_a_case_of_another_question_says_which(client: TestClient) -> None:
    happens = next(example for example in examples() if example.ask == "order")
    asked = read_state(parse_qsl(urlsplit(happens.link).query))
    page = client.get(State(ask="pay", case=asked.case).link()).text
    assert 'class="verdict' in client.get(links(page)["Ask what comes out"]).text


JUDGED = """\
case: judged
ruleset: fab
given: {players: {A: {hand: [Inner Chi, blue]}}}
when: {player: A, cost: 3c1r, pay: [Inner Chi, blue]}
"""


def test_the_form_of_a_case_asks_all_of_it(client: TestClient) -> None:
    page = client.get(State(case=JUDGED).link()).text
    form = client.get(links(page)["Form"]).text
    assert 'value="Inner Chi &gt; blue"' in form
    assert "3c1r: legal" in words(form) or "legal" in words(form)
    coins = "case: a\nruleset: bh\ngiven: {players: {A: {coins: [coin x3]}}}\nwhen: {player: A, cost: X}\n"
    page = client.get(State(case=coins).link()).text
    if "Form" in links(page):
        assert "7 ways" in words(client.get(links(page)["Form"]).text)


def test_a_version_of_the_rules_is_not_lost_in_the_form(client: TestClient) -> None:
    case = JUDGED.replace("ruleset: fab", "ruleset: fab\nversion: reprise-20")
    page = client.get(State(case=case).link()).text
    assert 'class="verdict' in page
    assert "Form" not in links(page)


def test_names_with_commas_and_quotation_marks(client: TestClient) -> None:
    cards = "'Tyler, the \"Second\"': {yields: {r: 3}}\n"
    form = State(game="flesh-and-blood", cost="1r", hand='"Tyler, the ""Second""", blue', cards=cards)
    page = client.get(form.link()).text
    assert "2 ways to pay 1r" in words(page)
    kept = client.get(
        next(href for href in re.findall(r'href="([^"]*best=%22keep[^"]*Tyler[^"]*)"', page)).replace("&amp;", "&")
    )
    state = read_state(parse_qsl(urlsplit(str(kept.url)).query))
    assert state.wishes == ['keep Tyler, the "Second"']
    assert "2 ways to pay 1r" in words(kept.text)
    case = client.get(links(page)["Case file"]).text
    assert "2 ways to pay 1r" in words(client.get(links(case)["Form"]).text)


def test_outcomes_are_told_once(client: TestClient) -> None:
    for example in [one for one in examples() if one.ask == "order"][:40]:
        page = client.get(example.link).text
        section = page[page.index('id="answer"') : page.index("<aside")]
        lines = re.findall(r"<li>([^<]*)</li>", section[section.index('<ul class="plain">') :])
        assert not [line for line in lines if re.match(r"[0-9]+\. |chosen by|   ", line)], example.name
        assert "no outcome" in words(section) or '<ol class="outcomes">' in section, example.name


def test_a_card_that_is_lacking_is_added_to_a_case_on_one_click(client: TestClient) -> None:
    case = JUDGED.replace("hand: [Inner Chi, blue]", "hand: [blue, blue]").replace(", pay: [Inner Chi, blue]", "")
    page = client.get(State(case=case).link()).text
    assert "2 ways to pay 3c1r" in words(client.get(links(page)["apply"]).text)


def test_looking_for_a_card_keeps_how_ways_are_listed(client: TestClient) -> None:
    page = client.get(SIX + "&level=sequences&best=few+cards").text
    find = page[page.index('class="find') :]
    assert 'name="level" value="sequences"' in find
    assert 'name="best" value="few cards"' in find


def test_minimal_goes_without_outcomes(client: TestClient) -> None:
    page = client.get(SIX + "&view=minimal").text
    assert "ways to pay 6r" in words(client.get(links(page)["outcomes"]).text)
    assert "3 ways to pay 6r (outcomes)" in words(client.get(SIX + "&view=minimal&level=outcomes").text)


def test_a_case_that_is_too_long_is_said_to_be_on_a_page(client: TestClient) -> None:
    # It was a document of the API, of which the page could show nothing.
    page = client.post("/open", data={"text": "#" * 400_000})
    assert page.status_code == 413
    assert "limit reached: body" in words(page.text)
    assert 'id="desk"' in page.text


def test_head_is_answered(client: TestClient) -> None:
    for path in ("/", "/examples"):
        assert client.head(path).status_code == 200


def test_texts_that_were_not_read_are_said(client: TestClient) -> None:
    # The card would cost less on odd days, which is not read: legal without a word of it would be wrong.
    page = client.get("/?game=flesh-and-blood&play=Riddle&hand=blue").text
    assert "as far as it was read: 1 way to pay" in words(page)
    assert "may bear on this answer" in words(page)
    assert "odd days" in words(page)
    link = unescape(re.search(r'class="button" href="(/\?[^"]*ignore=on[^"]*)"', page)[1])  # type: ignore[index]
    page = client.get(link).text
    assert "as far as it was read" not in words(page)
    assert "is assumed not to matter" in words(page)
    assert "Do not assume that" in words(page)
    asked = {"game": "fab", "play": "Riddle", "hand": "blue"}
    told = client.post("/api/v1/pay", json=asked)
    lines = client.post("/api/v1/pay", json=asked, headers={"accept": "application/x-ndjson"})
    case = "case: a\nruleset: fab\nuse: riddle.csv\ngiven: {players: {A: {hand: [Riddle, blue]}}}\n"
    case += "when: {player: A, play: Riddle}\n"
    of_case = client.post("/api/v1/check", json={"case": case})
    for said in (told.text, lines.text.splitlines()[0], of_case.text):
        assert (json.loads(said)["verdict"], json.loads(said)["as_read"]) == ("undetermined", "legal")
        assert "odd days" in json.loads(said)["unread"][0]["clause"]
    assumed = client.post("/api/v1/pay", json={**asked, "ignore_unread": True}).json()
    assert (assumed["verdict"], assumed["assumed"][0]["point"]) == ("legal", "unread")
    assert client.post("/api/v1/check", json={"case": case, "ignore_unread": True}).json()["verdict"] == "legal"
    assert "unread" not in client.post("/api/v1/pay", json={"game": "fab", "cost": "1r", "hand": "blue"}).json()


def test_more_cards_than_bars_are_said(client: TestClient) -> None:
    cards = "".join(f"C{n}: {{yields: {{r: 1}}}}\n" for n in range(45))
    hand = ", ".join(f"C{n}" for n in range(45))
    page = client.post("/open", data={"game": "flesh-and-blood", "cost": "1r", "hand": hand, "cards": cards}).text
    assert "5 more" in words(page)
