"""Every command and every program on the pages for people is run, and prints what the page says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from doc_pages import FENCE, TOP, Shown, node, rewrite, shown

DOCS = TOP / "docs"
TUTORIALS = sorted(path.relative_to(DOCS).as_posix() for path in (DOCS / "tutorials").glob("*.md"))
PAGES = [*TUTORIALS, "fourth-game.md", "add-a-rule.md"]
CLIENTS = DOCS / "clients.md"


def wrong(found: list[Shown]) -> list[tuple[str, str, str]]:
    return [(one.by, one.said, one.came) for one in found if not one.right]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_works_as_written(page: str, tmp_path: Path) -> None:
    found = shown(DOCS / page, tmp_path)
    assert len(found) > 5
    assert wrong(found) == []


def test_each_kind_of_user_has_a_tutorial_that_begins_with_their_problem() -> None:
    assert [Path(page).stem for page in TUTORIALS] == ["designer", "engine", "judge"]
    for page in TUTORIALS:
        title, problem = (DOCS / page).read_text("utf8").split("\n\n")[:2]
        assert title.startswith("# For ")
        assert " you " in f" {problem.lower()} "
        assert "`" not in problem


def test_the_request_works_with_curl_and_in_python(tmp_path: Path) -> None:
    found = shown(CLIENTS, tmp_path, without_node=True)
    assert {one.by.split()[0] for one in found} == {"lawful", "curl", "python"}
    assert wrong(found) == []


def test_the_request_works_in_typescript(tmp_path: Path) -> None:
    if node() is None:
        pytest.skip("needs Node.js 22.18 or newer, or an older one and tsc")
    found = shown(CLIENTS, tmp_path)
    by = ("python ask", "node ")
    python, typescript = (next(one.came for one in found if one.by.startswith(name)) for name in by)
    assert wrong(found) == []
    assert python == typescript


def test_what_editors_are_told_can_be_read() -> None:
    text = (DOCS / "editors.md").read_text("utf8")
    [settings] = [found[3] for found in FENCE.finditer(text) if found[2] == "json"]
    patterns = json.loads(settings)["yaml.schemas"]
    assert {pattern for named in patterns.values() for pattern in named} == {
        "*.case.yaml",
        "*.cards.yaml",
        "*.rules.yaml",
    }
    assert set(re.findall(r'"\./(schema/\w+\.schema\.json)"', text)) == {
        f"schema/{kind}.schema.json" for kind in ("case", "card", "ruleset")
    }


PAGE = """\
# A page

```{code-block} yaml
:caption: a.txt

first: 1
second:
  - 2
third: 3
```

```{code-block} yaml
:caption: a.txt, in second

  - 2b
```

```{code-block} yaml
:caption: a.txt, instead of third

third: 4
```

```{code-block} yaml
:caption: a.txt, added at the end

fourth: 5
```

```console
$ cat a.txt
first: 1
second:
  - 2
  - 2b
third: 4
fourth: 5
$ lawful pay --game fab --cost 1r \\
    --hand "red"
...
1  red     -
...
$ lawful pay --game fab --cost 2r --hand red
2r cannot ... paid
...
$ echo $?
1
```

```python
print(1 + 1)
```

```text
2
```
"""


def test_a_page_that_is_right(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(PAGE, "utf8")
    (tmp_path / "here").mkdir()
    assert wrong(shown(path, tmp_path / "here")) == []
    rewrite(path)
    assert path.read_text("utf8") == PAGE


@pytest.mark.parametrize(
    ("right", "false"),
    [
        ("third: 4\nfourth", "third: 3\nfourth"),
        ("1  red ", "1  blue"),
        ("$?\n1", "$?\n0"),
        ("text\n2", "text\n3"),
        ("...\n1", "1"),
    ],
)
def test_a_page_that_is_wrong_is_noticed_and_can_be_mended(right: str, false: str, tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(PAGE.replace(right, false), "utf8")
    (tmp_path / "here").mkdir()
    assert len(wrong(shown(path, tmp_path / "here"))) == 1
    rewrite(path)
    (tmp_path / "there").mkdir()
    assert wrong(shown(path, tmp_path / "there")) == []


@pytest.mark.parametrize(
    "fence", ["```sh\nls\n```\n", "```yaml\na: 1\n```\n", "```python\nprint(1)\n```\n\n```console\n$ ls\n```\n"]
)
def test_what_nothing_runs_or_shows_is_refused(fence: str, tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(fence, "utf8")
    (tmp_path / "here").mkdir()
    with pytest.raises((ValueError, AssertionError)):
        shown(path, tmp_path / "here")
