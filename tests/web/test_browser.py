"""A person's paths through the page, in a real Chromium: by mouse, by keyboard, narrow, dark, and without JavaScript.

Skipped where there is no Chromium; ``.ci/run`` installs it.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lawful.model.rulesets import load_ruleset
from lawful.stressing import stress
from lawful.stressing.page import page as page_of
from lawful.stressing.pool import Pool, load_pool

sync_api = pytest.importorskip("playwright.sync_api")
from lawful.web.state import State  # noqa: E402

WHERE = os.environ.get("LAWFUL_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(WHERE is None, reason="no Chromium here (LAWFUL_CHROMIUM names one)")
QUIET = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
SIX = "/?game=flesh-and-blood&cost=6r&hand=red,+red,+yellow,+blue,+blue"
GUARD = """\
case: guard
ruleset: flesh-and-blood
cards: {Wolf: {types: [Ally]}, Bear: {types: [Ally], abilities: [{static: {cannot: {target: $self}}}]}}
given: {players: {A: {}, B: {arena: [Wolf, Bear]}}}
when: {player: A, do: [{destroy: {type: Ally, how: target}}], targets: Bear}
"""
CIRCLE = """\
case: a circle
ruleset: flesh-and-blood
cards:
  Hare:
    types: [Ally]
    power: 1
    abilities:
      - static: {modify: power, of: {name: Tortoise}, add: 1, stage: increase, while: {value: $self.power, ge: 2}}
  Tortoise:
    types: [Ally]
    power: 2
    abilities:
      - static: {modify: power, of: {name: Hare}, add: 1, stage: increase, while: {value: $self.power, ge: 2}}
given: {players: {A: {arena: [Hare, Tortoise]}}, turn: A}
when: {player: A, do: [{draw: 1}]}
"""


JUDGED = "/?game=flesh-and-blood&cost=3c1r&hand=Inner+Chi,+blue&steps=blue+%3E+Inner+Chi"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as play:
        there = play.chromium.launch(executable_path=WHERE, args=QUIET)
        yield there
        there.close()


@pytest.fixture
def visit(browser: Any, address: str) -> Iterator[Any]:
    """Open pages; afterwards nothing may have been asked of anybody else, and the console must be empty."""
    contexts, said, foreign = [], list[str](), list[str]()

    def to(link: str, **options: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1300, "height": 900}, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda one: None if one.url.startswith((address, "data:")) else foreign.append(one.url))
        page.goto(address + link)
        return page

    yield to
    for context in contexts:
        context.close()
    # htmx says so where a question is given up for a later one.
    assert [one for one in said if not one.startswith(("htmx:afterRequest", "htmx:sendAbort"))] == []
    assert foreign == []


def headline(page: Any, text: str) -> None:
    sync_api.expect(page.locator("#h-answer")).to_contain_text(text)


def test_from_the_empty_desk_to_an_answer_and_back(visit: Any) -> None:
    page = visit("/")
    page.get_by_label("Cost", exact=True).fill("3c1r")
    page.get_by_label("Cards in hand").fill("blue, blue")
    page.get_by_role("button", name="Answer").click()
    headline(page, "3c1r cannot be paid")
    page.get_by_role("link", name="apply").click()
    headline(page, "2 ways to pay 3c1r")
    link = page.url
    page.go_back()
    headline(page, "3c1r cannot be paid")
    page.goto(link)
    headline(page, "2 ways to pay 3c1r")


def test_what_is_wrong_stands_beside_the_field_and_is_mended(visit: Any) -> None:
    page = visit("/?game=flesh-and-blood&cost=3q&hand=bluu")
    headline(page, "It cannot be read")
    cost = page.get_by_label("Cost", exact=True)
    sync_api.expect(cost).to_have_attribute("aria-invalid", "true")
    sync_api.expect(page.locator("#wrong-hand")).to_contain_text("did you mean 'blue'?")
    cost.fill("3r")
    page.get_by_label("Cards in hand").fill("blue")
    page.get_by_role("button", name="Answer").click()
    headline(page, "1 way to pay 3r")


def test_levels_pages_samples_and_merging(visit: Any) -> None:
    page = visit(SIX + "&limit=4")
    sync_api.expect(page.locator(".paging")).to_contain_text("1 to 4 of 11")
    page.get_by_role("link", name="next").click()
    sync_api.expect(page.locator(".paging")).to_contain_text("5 to 8 of 11")
    page.get_by_role("link", name="sequences").click()
    headline(page, "74 ways to pay 6r (sequences)")
    page.get_by_role("link", name="draw 5 at random").click()
    sync_api.expect(page.locator(".paging")).to_contain_text("5 drawn at random")
    page.get_by_role("link", name="draw again").click()
    sync_api.expect(page.locator(".paging")).to_contain_text("seed 1")
    page.get_by_role("button", name="equal cards merged").click()
    headline(page, "where equal cards are not told apart")


def test_preferences_by_dragging_and_by_links(visit: Any) -> None:
    page = visit(SIX + "&best=keep+blue,+few+cards")
    wishes = page.locator("#wishes li")
    sync_api.expect(wishes.first).to_contain_text("keep blue")
    wishes.nth(1).drag_to(wishes.first, target_position={"x": 30, "y": 3})
    sync_api.expect(page.locator("#wishes li").first).to_contain_text("few cards")
    sync_api.expect(page).to_have_url(re.compile(r"best=few(\+|%20)cards%2C(\+|%20)keep"))
    page.get_by_role("link", name="keep blue: earlier").click()
    sync_api.expect(page.locator("#wishes li").first).to_contain_text("keep blue")
    page.get_by_role("link", name="keep red", exact=True).click()
    sync_api.expect(page.locator("#wishes li")).to_have_count(3)


def test_a_case_file_its_faults_its_repair_and_its_export(visit: Any) -> None:
    page = visit("/?ask=check")
    page.get_by_role("link", name="Case file").click()
    text = page.get_by_label("Case file (YAML)")
    text.fill(GUARD.replace("targets: Bear", "targets: Beer"))
    page.get_by_role("button", name="Answer").click()
    headline(page, "It cannot be read")
    sync_api.expect(page.locator("#case-faults")).to_contain_text("Beer")
    page.get_by_label("Case file (YAML)").fill(GUARD)
    page.get_by_role("button", name="Answer").click()
    sync_api.expect(page.locator(".verdict")).to_contain_text("illegal")
    sync_api.expect(page.locator(".refused")).to_contain_text("choosing Bear is forbidden by Bear")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export").click()
    assert download.value.suggested_filename == "question.case.yaml"
    page.get_by_role("link", name="apply").click()
    sync_api.expect(page.locator(".verdict.legal")).to_be_visible()


def test_the_graph_says_why_and_boxes_its_circle(visit: Any) -> None:
    page = visit("/?ask=order")
    page.get_by_role("link", name="Case file").click()
    page.get_by_label("Case file (YAML)").fill(CIRCLE)
    page.get_by_role("button", name="Answer").click()
    sync_api.expect(page.locator(".graph svg")).to_be_visible()
    assert page.locator(".graph svg title").count() > 0  # what hovering shows
    page.locator(".graph summary").click()
    sync_api.expect(page.locator(".graph details li").first).to_be_visible()


def test_by_keyboard_alone(visit: Any) -> None:
    page = visit("/")
    page.keyboard.press("Tab")
    sync_api.expect(page.locator(".skip")).to_be_focused()
    page.get_by_label("Cost", exact=True).focus()
    page.keyboard.type("6r")
    page.keyboard.press("Tab")
    page.keyboard.type("red x2, yellow, blue x2")
    page.keyboard.press("Enter")
    headline(page, "11 ways to pay 6r")
    sync_api.expect(page.get_by_label("Cards in hand")).to_be_focused()
    page.get_by_role("link", name="minimal", exact=True).focus()
    page.keyboard.press("Enter")
    sync_api.expect(page.locator(".paging")).to_contain_text("of 5")
    steps = page.get_by_role("button", name="steps")
    steps.focus()
    page.keyboard.press("Space")  # as buttons are pressed
    sync_api.expect(page.get_by_role("button", name="steps")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("width", [360, 760, 1300])
def test_nothing_is_wider_than_the_window(visit: Any, width: int) -> None:
    guard, circle = State(ask="check", case=GUARD).link(), State(ask="order", case=CIRCLE).link()
    more = (guard, circle, "/?game=bh&cost=X&coins=3", JUDGED, "/?ask=check", State(case="x" * 300).link())
    for link in ("/", SIX + "&explain=on", "/examples", "/?game=fab&cost=3q&hand=" + "x" * 300, *more):
        page = visit(link, viewport={"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_without_javascript(visit: Any) -> None:
    page = visit("/", java_script_enabled=False)
    page.get_by_label("Cost", exact=True).fill("6r")
    page.get_by_label("Cards in hand").fill("red x2, yellow, blue x2")
    page.get_by_role("button", name="Answer").click()
    headline(page, "11 ways to pay 6r")
    page.get_by_role("link", name="keep blue", exact=True).click()
    page.get_by_role("link", name="few cards").click()
    page.get_by_role("link", name="few cards: earlier").click()
    assert page.locator("#wishes li").first.inner_text().startswith(":: few cards")
    page.get_by_role("link", name="Case file").click()
    page.get_by_label("Case file (YAML)").fill(GUARD)
    page.get_by_role("button", name="Answer").click()
    page.get_by_role("link", name="Is it legal?").click()
    page.get_by_role("link", name="apply").click()
    assert "legal" in page.locator(".verdict").inner_text().lower()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessible_by_axe(visit: Any, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    illegal, wrong = "/?game=fab&cost=3c1r&hand=blue", "/?game=fab&cost=3q"
    guard, circle = State(ask="check", case=GUARD).link(), State(ask="order", case=CIRCLE).link()
    unread, limit = "/?game=flesh-and-blood&play=Riddle&hand=blue", "/?game=fab&cost=30r&hand=blue+x300"
    faulty = State(ask="check", case=GUARD.replace("targets: Bear", "targets: Beer")).link()
    more = (guard, circle, JUDGED, unread, limit, faulty, "/?game=bh&cost=X&coins=3", "/?ask=check", "/?ask=order")
    for link in ("/", SIX + "&explain=on&best=keep+blue", illegal, wrong, "/examples", *more):
        page = visit(link, color_scheme=scheme, bypass_csp=True)
        found = axe.run(page).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], link


def test_what_is_new_is_read_out_and_the_link_says_no_more_than_needed(visit: Any) -> None:
    page = visit("/")
    said = page.locator("#said")
    page.get_by_label("Cost", exact=True).fill("6r")
    page.get_by_label("Cards in hand").fill("red x2, yellow, blue x2")
    page.get_by_role("button", name="Answer").click()
    sync_api.expect(said).to_have_text("11 ways to pay 6r (source sets), complete")
    sync_api.expect(page).to_have_url(re.compile(r"/\?game=[a-z-]+&cost=6r&hand=[^&]+$"))
    page.get_by_role("link", name="minimal", exact=True).click()
    sync_api.expect(page.locator(".paging")).to_contain_text("of 5")
    page.go_back()
    sync_api.expect(page.locator(".paging")).to_contain_text("of 11")


def test_the_last_question_is_the_one_that_is_answered(visit: Any) -> None:
    page = visit(SIX)
    held: list[Any] = []
    page.route("**/*level=outcomes*", lambda route: held.append(route))
    page.get_by_role("link", name="outcomes").click()
    page.wait_for_function("document.querySelector('#working.htmx-request')")
    page.get_by_role("link", name="sequences").click()
    headline(page, "74 ways to pay 6r (sequences)")
    assert len(held) == 1
    with contextlib.suppress(sync_api.Error):
        held[0].continue_()  # what comes too late changes nothing
    page.wait_for_timeout(200)
    headline(page, "74 ways to pay 6r (sequences)")
    assert "level=sequences" in page.url


def test_a_server_that_is_gone_is_said_to_be(browser: Any, address: str) -> None:
    page = browser.new_page()
    page.goto(address + SIX)
    page.context.set_offline(True)
    page.get_by_role("link", name="sequences").click()
    sync_api.expect(page.locator("#lost")).to_contain_text("does not answer")
    page.context.set_offline(False)
    page.get_by_role("link", name="sequences").click()
    headline(page, "74 ways")
    sync_api.expect(page.locator("#lost")).to_be_empty()
    page.close()


NASTY = "<img src=x onerror=alert(1)>"


def test_names_are_no_html(visit: Any) -> None:
    cards = f"'{NASTY}': {{types: [Ally], yields: {{r: 3}}}}\n"
    form = State(game="flesh-and-blood", cost="1r", hand=NASTY, in_play=NASTY, cards=cards, best=f"keep {NASTY}")
    page = visit(form.link())
    headline(page, "1 way to pay 1r")
    page.get_by_role("link", name="steps").count()
    for case in (GUARD.replace("Bear", f"'{NASTY}'"), CIRCLE.replace("Hare", f"'{NASTY}'")):
        page.goto(page.url.partition("/?")[0] + State(ask="order" if "circle" in case else "check", case=case).link())
        sync_api.expect(page.locator(".graph svg")).to_be_visible()
        assert page.locator("img").count() == 0


def test_preferences_with_commas_are_dragged(visit: Any) -> None:
    cards = "'Tyler, the $&': {yields: {r: 3}}\n"
    state = State(game="flesh-and-blood", cost="1r", hand='"Tyler, the $&", blue', cards=cards)
    page = visit(state.link(best='few cards, "keep Tyler, the $&"'))
    wishes = page.locator("#wishes li")
    wishes.nth(1).drag_to(wishes.first, target_position={"x": 30, "y": 3})
    sync_api.expect(page.locator("#wishes li").first).to_contain_text("keep Tyler, the $&")
    headline(page, "2 ways to pay 1r")


def test_in_a_narrow_window_the_answer_comes_into_sight(visit: Any) -> None:
    page = visit("/", viewport={"width": 360, "height": 640})
    page.get_by_label("Cost", exact=True).fill("6r")
    page.get_by_label("Cards in hand").fill("red x2, yellow, blue x2")
    page.get_by_role("button", name="Answer").click()
    headline(page, "11 ways to pay 6r")
    sync_api.expect(page.locator("#h-answer")).to_be_in_viewport()


def test_a_link_from_another_place_is_followed(visit: Any, address: str) -> None:
    page = visit("/")
    page.goto(f"data:text/html,<a href='{address}{SIX.replace('&', '%26')}'>here</a>")
    page.get_by_role("link", name="here").click()
    headline(page, "11 ways to pay 6r")


def test_a_form_of_another_place_is_refused(browser: Any, address: str) -> None:
    page = browser.new_page()
    form = (
        f"<form action='{address}/open' method='post'><input name='text' value='case: a'><button>send</button></form>"
    )
    page.goto(f"data:text/html,{form}")
    with page.expect_response("**/open") as sent:
        page.get_by_role("button", name="send").click()
    assert sent.value.status == 403
    page.close()


def test_two_windows_at_once(visit: Any) -> None:
    one, other = visit(SIX), visit("/?game=bh&cost=X&coins=3")
    one.get_by_role("link", name="minimal", exact=True).click()
    other.get_by_role("button", name="steps").click()
    sync_api.expect(one.locator(".paging")).to_contain_text("of 5")
    headline(other, "7 ways to pay")


def test_a_long_case_keeps_its_link(visit: Any) -> None:
    page = visit("/?ask=check")
    page.get_by_role("link", name="Case file").click()
    # Letters that do not pack well, as many as a large position has.
    dice = random.Random(1)
    lines = "".join(f"# {dice.getrandbits(320):080x}\n" for _ in range(1_500))
    put = "(area, text) => { area.value = text; }"  # typing so much takes a browser long
    page.get_by_label("Case file (YAML)").evaluate(put, GUARD + lines)
    page.get_by_role("button", name="Answer").click()
    page.wait_for_url(lambda url: len(url) > 60_000)
    sync_api.expect(page.locator(".verdict")).to_contain_text("illegal")
    page.reload()
    sync_api.expect(page.locator(".verdict")).to_contain_text("illegal")
    # With more, the link would be longer than a browser lets a header be.
    lines = "".join(f"# {dice.getrandbits(320):080x}\n" for _ in range(2_500))
    page.get_by_label("Case file (YAML)").evaluate(put, GUARD.replace("guard", "longer") + lines)
    page.get_by_role("button", name="Answer").click()
    page.get_by_role("link", name="This link").click()
    page.wait_for_url(lambda url: len(url) > 120_000)
    sync_api.expect(page.locator(".verdict")).to_contain_text("illegal")


# --- the page that `lawful stress --report` writes, opened from a file

DESIGNS = Path(__file__).parents[1] / "data" / "stress" / "pitched.cards.yaml"
DESIGNED = ("Wolf", "C2", "G6", "U2", "P1", "P2")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pool = load_pool([str(DESIGNS)], load_ruleset("fab"))
    few = Pool(pool.ruleset, {name: pool.entries[name] for name in DESIGNED})
    found = stress(few, game=few.ruleset, checks=("unpayable", "circle", "engine"))
    assert len(found.findings) == 4
    path = tmp_path_factory.mktemp("report") / "found.html"
    path.write_text(page_of(found), encoding="utf8")
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 768, 1280])
def test_the_page_needs_nothing_fits_and_can_be_read_by_all(
    width: int, scheme: str, report: Path, browser: Any
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.goto(report.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(it => { it.open = true })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert [(one["id"], one["nodes"][0]["html"]) for one in axe.run(page).response["violations"]] == []
    assert asked == [report.as_uri()]
    assert said == []
    page.close()


def test_a_cell_of_the_map_opens_its_finding(report: Path, browser: Any) -> None:
    page = browser.new_page()
    page.goto(report.as_uri())
    assert page.locator("details[open]").count() == 0
    page.locator("td[title='P1, P2: 1'] a").click()
    assert page.locator("details[open]").count() == 1
    assert "P1, P2" in page.locator("details[open] summary").inner_text()
    page.close()
