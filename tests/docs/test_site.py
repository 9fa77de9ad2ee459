"""The site is built without a warning, its links lead somewhere, and it needs nothing from anywhere else."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from lawful.model.reading.schema_spelled import SCHEMAS
from lawful.model.rulesets import load_ruleset, shipped

TOP = Path(__file__).parents[2]
DOCS = TOP / "docs"
sys.path.insert(0, str(DOCS))

from site_pages import PLACE, filled, limits, notation  # noqa: E402  (the maker of pages is no part of the package)


class Links(HTMLParser):
    """What a page links to, what it loads, and what can be linked to in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.to: list[str] = []
        self.loads: list[str] = []
        self.ids: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value for name, value in attrs if value}
        self.ids |= {told[name] for name in ("id", "name") if name in told}
        if tag == "a" and "href" in told:
            self.to.append(told["href"])
        elif tag == "link" and told.get("rel") not in ("canonical",):
            self.loads.append(told.get("href", ""))
        elif "src" in told:
            self.loads.append(told["src"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as CONTRIBUTING says."""
    out = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "docs", str(out)]
    built = subprocess.run(command, cwd=TOP, capture_output=True, encoding="utf8", timeout=600)
    assert (built.returncode, built.stderr) == (0, "")
    return out


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Links]:
    return {path: Links(path.read_text("utf8")) for path in site.rglob("*.html")}


def test_every_page_is_there(pages: dict[Path, Links], site: Path) -> None:
    made = {path.relative_to(site).with_suffix("").as_posix() for path in pages}
    written = {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")}
    assert written - made == set()
    assert len(written) > 20
    books = {path.stem for path in (TOP / "notebooks").glob("*.ipynb")}
    assert {f"notebooks/{name}" for name in books} - made == set()


def test_links_lead_somewhere(pages: dict[Path, Links], site: Path) -> None:
    def broken() -> Iterator[tuple[str, str]]:
        for path, links in pages.items():
            for link in links.to:
                parts = urlsplit(link)
                if parts.scheme or link == "#":
                    continue
                there = Path(os.path.normpath(path.parent / unquote(parts.path))) if parts.path else path
                if not there.exists() or (
                    parts.fragment and there in pages and unquote(parts.fragment) not in pages[there].ids
                ):
                    yield path.relative_to(site).as_posix(), link

    assert list(broken()) == []
    assert sum(len(links.to) for links in pages.values()) > 1_000


def test_nothing_comes_from_anywhere_else(pages: dict[Path, Links], site: Path) -> None:
    loaded = {link for links in pages.values() for link in links.loads}
    assert [link for link in loaded if urlsplit(link).scheme not in ("", "data") or link.startswith("//")] == []
    styles = "".join(path.read_text("utf8") for path in site.rglob("*.css"))
    assert [
        url for url in re.findall(r"(?:url\(|@import )[\"']?([^)\"';]+)", styles) if "//" in url and "data:" not in url
    ] == []


def test_outside_links_name_documents_not_mirrors_of_ours(pages: dict[Path, Links]) -> None:
    outside = {urlsplit(link).netloc for links in pages.values() for link in links.to if urlsplit(link).scheme}
    documents = {urlsplit(one.url).netloc for name in shipped() for one in load_ruleset(name).documents}
    assert documents <= outside
    assert "" not in documents


def test_every_public_name_is_in_the_reference(pages: dict[Path, Links], site: Path) -> None:
    import lawful

    ids = {id for path, links in pages.items() if path.parent == site / "api" for id in links.ids}
    homes = [f"lawful.{name}" for name in lawful.__all__ if getattr(lawful, name).__module__ == "lawful"]
    homes += [f"{getattr(lawful, name).__module__}.{name}" for name in lawful.__all__]
    assert [home for home in homes if home not in ids and f"lawful.{home.rpartition('.')[2]}" not in ids] == []


def test_sections_of_rules() -> None:
    from site_pages import rules

    assert doctest.testmod(rules).attempted > 0
    assert doctest.testmod(rules).failed == 0


def made(page: str) -> str:
    text = (DOCS / page).read_text("utf8")
    assert PLACE.search(text), page
    return filled(text)


@pytest.mark.parametrize("game", shipped())
def test_rules_covered(game: str) -> None:
    ruleset, text = load_ruleset(game), made(f"reference/rules-{game}.md")
    for row in ruleset.rows:
        assert f"| `{row.id}` |" in text
    for rule in ruleset.rules:
        for number in rule.cites.values():
            assert f"| {number} |".replace("[", "\\[") in text
    for point in ruleset.open_points:
        assert f"### `{point.id}`: " in text
        for reading in point.readings:
            assert f"`{reading.name}`" in text
    assert "No case names it" not in text
    assert all(f"- {line}" in text for line in ruleset.uncovered)
    assert ruleset.uncovered


def test_the_notation_has_every_part_of_the_grammar() -> None:
    from lark import Lark

    grammar = Lark(notation.grammar(), parser="lalr", start="either")
    names = {rule.origin.name for rule in grammar.rules} | {terminal.name for terminal in grammar.terminals}
    described = notation.described()
    assert set(described) == {str(name) for name in names if not str(name).startswith("_")}
    assert all(text.endswith(".") for _, text in described.values())
    assert all(f"| `{name}` |" in made("reference/notation.md") for name in described)


@pytest.mark.parametrize("kind", SCHEMAS)
def test_the_reference_of_files_has_every_key(kind: str) -> None:
    schema, text = SCHEMAS[kind](), made(f"reference/{kind}-file.md")
    for name, part in schema["$defs"].items():
        assert f"\n### {name}\n" in text.replace("\\_", "_")
        assert all(f"| `{key}`" in text for key in part.get("properties", {}))


def test_every_limit_is_there() -> None:
    text = made("limits.md")
    code = [path.read_text("utf8") for folder in limits.FOLDERS for path in (TOP / folder).rglob("*.py")]
    named = {name for found in code for name in re.findall(r"raise LimitReached\(\s*\"([^\"]+)\"", found)}
    assert len(named) > 15
    assert [name for name in named if f"| `{name}` |" not in text] == []
