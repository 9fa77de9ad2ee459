"""The page: a position on the left, the answer in the middle, reasons on the right, the graph below."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from fastapi.templating import Jinja2Templates
from pydantic import BaseModel, ValidationError

from lawful.model.messages import languages, speaking, word
from lawful.text import say
from lawful.web.api import answered
from lawful.web.examples import Example, examples
from lawful.web.faults import of_validation
from lawful.web.languages import NAMES, language_of, thousands, wished
from lawful.web.requests import CheckRequest, OrderRequest, PayRequest
from lawful.web.settings import Settings
from lawful.web.state import LEVELS, BadLink, State, read_state, request_of

router = APIRouter(include_in_schema=False)
BODIES: dict[str, type[BaseModel]] = {"pay": PayRequest, "check": CheckRequest, "order": OrderRequest}
FIELDS = (
    "game", "cost", "hand", "float", "in_play", "opposing", "play", "activate", "ability", "x", "coins", "players",
    "cards", "targets", "modes", "with", "best", "from", "limit", "sample", "seed", "why_not", "case", "name", "player",
)  # fmt: skip


@cache
def _templates() -> Jinja2Templates:
    from importlib.resources import files

    templates = Jinja2Templates(directory=str(files("lawful.web") / "templates"))
    templates.env.trim_blocks = templates.env.lstrip_blocks = True
    templates.env.filters["thousands"] = thousands
    templates.env.globals |= {"t": say, "w": lambda value: word("word", str(value)), "wished": wished}
    return templates


@router.get("/")
async def desk(request: Request) -> Response:
    """Show a question and its answer."""
    try:
        state = read_state(request.query_params.multi_items())
    except BadLink as error:
        return failed(request, 400, str(error))
    shown: dict[str, Any] = {"answer": None, "wrong": [], "found": None}
    status = 200
    if state.asked:
        status, answer = await _answer(request, state)
        faults = answer.get("error", {}).get("faults") or []
        shown |= {"answer": answer, "wrong": faults or ([answer["error"]] if "error" in answer else [])}
    if state.find and state.game:
        shown["found"] = await _find(request, state)
    # What cannot be read is shown on a page that is as it should be.
    return _page(request, "desk.html", state, 200 if status == 422 else status, **shown)


@router.post("/open")
async def opened(request: Request) -> Response:
    """Take a case file, or a form that is long, and go to its link."""
    form = await request.form(max_files=0, max_fields=100, max_part_size=1 << 20)
    try:
        state = read_state((name, str(value)) for name, value in form.multi_items())
    except BadLink as error:
        return failed(request, 400, str(error))
    return RedirectResponse(state.link(), 303)


@router.get("/case.yaml")
async def case_file(request: Request) -> Response:
    """Give the question as a case file."""
    try:
        state = read_state(request.query_params.multi_items())
    except BadLink as error:
        return failed(request, 400, str(error))
    status, answer = await _answer(request, state) if state.asked else (422, {})
    if "text" not in answer:
        return failed(
            request, status if status != 200 else 422, "there is no case here: ask something that can be read"
        )
    name = {"Content-Disposition": 'attachment; filename="question.case.yaml"'}
    return PlainTextResponse(answer["text"], headers=name, media_type="application/yaml")


@router.get("/examples")
async def example_list(request: Request) -> Response:
    """List the cases that come with the package."""
    groups: dict[str, list[Example]] = {}
    for example in examples():
        groups.setdefault(example.group, []).append(example)
    return _page(request, "examples.html", read_state(request.query_params.multi_items()), groups=groups)


async def _answer(request: Request, state: State) -> tuple[int, dict[str, Any]]:
    """Return what the page shows, or what was refused."""
    said = request_of(state)
    try:
        body = BODIES[state.ask].model_validate(said)
    except ValidationError as error:
        return 422, of_validation(error.errors())
    settings: Settings = request.app.state.settings
    job = {
        "ask": "page", "view": state.ask, "request": body.model_dump(), "seconds": settings.seconds,
        "listed": settings.listed, "lang": language_of(request, state),
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
    return _page(request, "failed.html", state, status, message=message, code=status)


def _page(request: Request, name: str, state: State, status: int = 200, **shown: Any) -> HTMLResponse:
    by_path: dict[str, list[dict[str, Any]]] = {}
    for fault in shown.get("wrong", ()):
        field = fault.get("path", "/").strip("/").split("/")[0]
        by_path.setdefault(field if field in FIELDS else "", []).append(fault)
    games, language = _games(request), language_of(request, state)
    answer = shown.get("answer") or {}
    lines = (state.case or "").splitlines()
    context = {
        "state": state, "games": games, "levels": LEVELS, "faults_of": by_path, "form": answer.get("form"),
        "numbered": list(enumerate(lines, 1)), "starters": _starters(), "has_cards": bool(_settings(request).cards),
        "language": language, "languages": NAMES, "home": State(lang=state.lang).link(),
        "spoken": lambda link: _spoken(link, state.lang), "in_language": lambda code: _other(request, state, code),
        "add": _added, "swapped": _swapped, "without": _without, "as_form": _as_form(state, answer.get("form")),
        **shown,
    }  # fmt: skip
    headers = {"Content-Language": language, "Vary": "Accept-Language"}
    with speaking(language):
        return _templates().TemplateResponse(request, name, context, status_code=status, headers=headers)


def _spoken(link: str, lang: str) -> str:
    """Add the language that was chosen to a link."""
    return f"{link}{'&' if '?' in link else '?'}lang={lang}" if lang else link


def _other(request: Request, state: State, language: str) -> str:
    """Return the link of this page in another language."""
    return state.link(lang=language) if request.url.path == "/" else _spoken(request.url.path, language)


def _added(names: str, name: str) -> str:
    """Add a name to names by commas; one with a comma in quotes."""
    said = f'"{name}"' if "," in name else name
    return f"{names}, {said}" if names.strip() else said


def _swapped(wishes: list[str], at: int) -> str:
    return ", ".join([*wishes[:at], wishes[at + 1], wishes[at], *wishes[at + 2 :]])


def _without(wishes: list[str], at: int) -> str:
    return ", ".join([*wishes[:at], *wishes[at + 1 :]])


def _as_form(state: State, form: dict[str, str] | None) -> str:
    return state.link(case="", name="", **form) if form else ""


def _settings(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


def _games(request: Request) -> dict[str, str]:
    from lawful.web.questions import Catalog

    if not hasattr(request.app.state, "games"):
        request.app.state.games = Catalog((), _settings(request).rulesets).games()
    found: dict[str, str] = request.app.state.games
    return found


@cache
def _starters() -> tuple[Example, ...]:
    """Return a few cases to start from: the first of each file that is about whole games."""
    found: dict[str, Example] = {}
    for example in examples():
        found.setdefault(example.file, example)
    return tuple(found.values())
