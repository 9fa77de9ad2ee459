"""The page: a position on the left, the answer in the middle, reasons on the right, the graph below."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from fastapi.templating import Jinja2Templates
from pydantic import BaseModel, ValidationError

from lawful.model.messages import languages, speaking, word
from lawful.model.sentences import Example as Asked
from lawful.saying import recognised, said_advice
from lawful.text import say
from lawful.web.api import CLOSED, answered, while_there
from lawful.web.examples import Example, examples
from lawful.web.faults import of_validation
from lawful.web.languages import NAMES, WISHES, language_of, thousands, wished
from lawful.web.requests import CheckRequest, OrderRequest, PayRequest
from lawful.web.settings import Settings
from lawful.web.state import LEVELS, BadLink, State, named, read_state, request_of

router = APIRouter(include_in_schema=False)
BODIES: dict[str, type[BaseModel]] = {"pay": PayRequest, "check": CheckRequest, "order": OrderRequest}
FIELDS = (
    "game", "cost", "hand", "float", "in_play", "opposing", "play", "activate", "ability", "x", "coins", "players",
    "cards", "targets", "modes", "with", "best", "from", "limit", "sample", "seed", "why_not", "case", "name", "player",
)  # fmt: skip
MOST_HEADER = 100_000


@cache
def _templates() -> Jinja2Templates:
    from importlib.resources import files

    templates = Jinja2Templates(directory=str(files("lawful.web") / "templates"))
    templates.env.trim_blocks = templates.env.lstrip_blocks = True
    templates.env.filters["thousands"] = thousands
    templates.env.globals |= {
        "t": say,
        "w": lambda value: word("word", str(value)),
        "wished": wished,
        "wishes": WISHES,
        "advised": said_advice,
    }
    return templates


@router.api_route("/", methods=["GET", "HEAD"])
async def desk(request: Request) -> Response:
    """Show a question and its answer."""
    try:
        state = read_state(request.query_params.multi_items())
    except BadLink as error:
        return failed(request, 400, str(error))
    return await _desk(request, state)


async def _desk(request: Request, state: State) -> Response:
    found = await while_there(request, asyncio.ensure_future(_shown(request, state)))
    if found is None:
        return Response(status_code=CLOSED)
    status, shown = found
    # What cannot be read is shown on a page that is as it should be.
    return _page(request, "desk.html", state, 200 if status == 422 else status, **shown)


async def _shown(request: Request, state: State) -> tuple[int, dict[str, Any]]:
    shown: dict[str, Any] = {"answer": None, "wrong": [], "found": None}
    status = 200
    if state.asked:
        status, answer = await _answer(request, state)
        if status == 200 and "text" not in answer:
            # It was stopped: what was asked is shown all the same.
            answer = (await _answer(request, state, "case"))[1] | answer
        faults = answer.get("error", {}).get("faults") or []
        shown |= {"answer": answer, "wrong": faults or ([answer["error"]] if "error" in answer else [])}
    if state.find and state.game:
        shown["found"] = await _find(request, state)
    return status, shown


@router.post("/open")
async def opened(request: Request) -> Response:
    """Take a case file, or a form that is long, and go to its link."""
    form = await request.form(max_files=0, max_fields=100, max_part_size=1 << 20)
    try:
        state = read_state((name, str(value)) for name, value in form.multi_items())
    except BadLink as error:
        return failed(request, 400, str(error))
    link = state.link()
    # A browser takes no header that is much longer; a link in a page may be.
    return RedirectResponse(link, 303) if len(link) <= MOST_HEADER else await _desk(request, state)


@router.get("/open")
async def nothing_sent() -> Response:
    """Lead to the desk: nothing was sent."""
    return RedirectResponse("/", 303)


@router.api_route("/case.yaml", methods=["GET", "HEAD"])
async def case_file(request: Request) -> Response:
    """Give the question as a case file."""
    try:
        state = read_state(request.query_params.multi_items())
    except BadLink as error:
        return failed(request, 400, str(error))
    found: tuple[int, dict[str, Any]] | None = (422, {})
    if state.asked:
        found = await while_there(request, asyncio.ensure_future(_answer(request, state, "case")))
    if found is None:
        return Response(status_code=CLOSED)
    status, answer = found
    if "text" not in answer:
        why = answer.get("error", {}).get("message", "ask something that can be read")
        return failed(request, status if status != 200 else 422, f"there is no case here: {why}")
    name = {"Content-Disposition": 'attachment; filename="question.case.yaml"'}
    return PlainTextResponse(answer["text"], headers=name, media_type="application/yaml")


@router.api_route("/examples", methods=["GET", "HEAD"])
async def example_list(request: Request) -> Response:
    """List the cases that come with the package."""
    groups: dict[str, list[Example]] = {}
    for example in examples():
        groups.setdefault(example.group, []).append(example)
    return _page(request, "examples.html", read_state(request.query_params.multi_items()), groups=groups)


async def _answer(request: Request, state: State, view: str = "") -> tuple[int, dict[str, Any]]:
    """Return what the page shows, or what was refused; `case` is the question without an answer."""
    said = request_of(state)
    try:
        body = BODIES[state.ask].model_validate(said)
    except ValidationError as error:
        with speaking(language_of(request, state)):
            return 422, of_validation(error.errors())
    settings: Settings = request.app.state.settings
    job = {
        "ask": "page", "view": view or state.ask, "ask_of": state.ask, "request": body.model_dump(),
        "seconds": settings.seconds, "listed": settings.listed, "lang": language_of(request, state),
    }  # fmt: skip
    status, text = await answered(request.app.state.pool, job)
    shown: dict[str, Any] = json.loads(text)
    return status, shown


async def _find(request: Request, state: State) -> list[str]:
    settings: Settings = request.app.state.settings
    asked = {"find": state.find, "game": state.game}
    job = {"ask": "page", "view": "find", "request": asked, "seconds": settings.seconds, "listed": 1}
    status, text = await answered(request.app.state.pool, job)
    return list(json.loads(text).get("names", ())) if status == 200 else []


def failed(request: Request, status: int, message: str) -> Response:
    """Show what went wrong with a request that has no page."""
    said = request.query_params.get("lang", "")
    state = State(lang=said if said in languages() else "")
    with speaking(language_of(request, state)):
        message = recognised(message)
    return _page(request, "failed.html", state, status, message=message, code=status)


def _page(request: Request, name: str, state: State, status: int = 200, **shown: Any) -> HTMLResponse:
    by_path: dict[str, list[dict[str, Any]]] = {}
    wrong = shown.get("wrong", ())
    for fault in wrong:
        field = fault.get("path", "/").strip("/").split("/")[0]
        by_path.setdefault(field if field in FIELDS else "", []).append(fault)
    games, language = _games(request), language_of(request, state)
    hints = [fault.get("hint") for fault in wrong]
    answer = shown.get("answer") or {}
    lines = (state.case or "").splitlines()
    begin: dict[str, tuple[Asked, ...]] = request.app.state.begin
    first = next(iter(begin))
    context = {
        "begin": begin, "first": first, "example": next(iter(begin.get(state.game or first, ())), Asked("")),
        "state": state, "games": games, "levels": LEVELS, "faults_of": by_path, "form": answer.get("form"),
        "long": len(state.link()) > MOST_HEADER,
        "numbered": list(enumerate(lines, 1)), "starters": _starters(), "has_cards": bool(_settings(request).cards),
        "language": language, "languages": NAMES, "home": State(lang=state.lang).link(),
        "spoken": lambda link: _spoken(link, state.lang), "in_language": lambda code: _other(request, state, code),
        "add": _added, "swapped": _swapped, "without": _without, "as_form": _as_form(state, answer.get("form")),
        "asks_instead": [ask for ask in BODIES if _hint(language, ask) in hints],
        "nearer": lambda near: _nearer(state, answer.get("form"), near),
        **shown,
    }  # fmt: skip
    headers = {"Content-Language": language, "Vary": "Accept-Language"}
    with speaking(language):
        response = _templates().TemplateResponse(request, name, context, status_code=status, headers=headers)
    if name == "desk.html" and "hx-request" in request.headers and "hx-history-restore-request" not in request.headers:
        link = state.link()  # without the fields that are empty
        response.headers["HX-Push-Url"] = link if len(link) <= MOST_HEADER else "false"
    return response


def _hint(language: str, ask: str) -> str:
    """Return the hint of a fault that another question is meant, as it is said in a language."""
    with speaking(language):
        return recognised(f"ask {ask}")


def _nearer(state: State, form: dict[str, str] | None, near: dict[str, Any]) -> str:
    """Return the link of a position that has the card that is lacking; empty where the form cannot say it."""
    lacking = near["what"] + (f" x{near['n']}" if near["n"] > 1 else "")
    if not state.case:
        return state.fresh(hand=_added(state.hand, lacking))
    return state.fresh(case="", name="", **{**form, "hand": _added(form["hand"], lacking)}) if form else ""


def _spoken(link: str, lang: str) -> str:
    """Add the language that was chosen to a link."""
    return f"{link}{'&' if '?' in link else '?'}lang={lang}" if lang else link


def _other(request: Request, state: State, language: str) -> str:
    """Return the link of this page in another language."""
    return state.link(lang=language) if request.url.path == "/" else _spoken(request.url.path, language)


def _added(names: str, name: str) -> str:
    """Add a name to names by commas."""
    return f"{names}, {named([name])}" if names.strip() else named([name])


def _swapped(wishes: list[str], at: int) -> str:
    return named([*wishes[:at], wishes[at + 1], wishes[at], *wishes[at + 2 :]])


def _without(wishes: list[str], at: int) -> str:
    return named([*wishes[:at], *wishes[at + 1 :]])


def _as_form(state: State, form: dict[str, str] | None) -> str:
    return state.link(case="", name="", **form) if form else ""


def _settings(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


def _games(request: Request) -> dict[str, str]:
    from lawful.web.questions import Catalog

    if not hasattr(request.app.state, "games"):
        catalog = Catalog((), _settings(request).rulesets)
        request.app.state.games, request.app.state.begin = catalog.games(), catalog.questions()
    found: dict[str, str] = request.app.state.games
    return found


@cache
def _starters() -> tuple[Example, ...]:
    """Return a few cases to start from: the first of each file that is about whole games."""
    found: dict[str, Example] = {}
    for example in examples():
        found.setdefault(example.file, example)
    return tuple(found.values())
