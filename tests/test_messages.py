"""Every sentence that code speaks of exists, in every language, and every sentence that exists is spoken."""

from __future__ import annotations

import ast
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
from lawful.model.messages import languages, templates, text
from lawful.model.verdict import Message

TOP = Path(__file__).parent.parent
TOPICS = {id.partition(".")[0] for id in templates("en")}
ID = re.compile(r"[a-z]+(?:\.[a-z0-9_-]+)+")


def strings() -> Iterator[tuple[str, bool]]:
    """Yield every string in our code that is a message's id, or the beginning of one that is put together."""
    for room in ("model", "solver", "lawful"):
        for path in (TOP / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
                if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                    yield str(node.values[0].value), True
                elif isinstance(node, ast.Constant) and isinstance(node.value, str) and ID.fullmatch(node.value):
                    yield node.value, False


RULESETS = [yaml.safe_load(path.read_text(encoding="utf8")) for path in (TOP / "model" / "rulesets").glob("*.yaml")]
ROLES = {role for ruleset in RULESETS for rule in ruleset["rules"] for role in rule.get("roles", ())}
SPOKEN = {id for id, begun in strings() if not begun and id.partition(".")[0] in TOPICS} - (
    ROLES - set(templates("en"))
)
BEGUN = {id for id, begun in strings() if begun and id.partition(".")[0] in TOPICS and "." in id}


def test_every_id_that_code_speaks_of_has_a_sentence() -> None:
    assert SPOKEN - set(templates("en")) == set()
    assert {begun for begun in BEGUN if not any(id.startswith(begun) for id in templates("en"))} == set()


def test_every_sentence_is_spoken() -> None:
    unspoken = {id for id in templates("en") if id not in SPOKEN and not any(id.startswith(begun) for begun in BEGUN)}
    assert unspoken == set()


@pytest.mark.parametrize("language", languages())
def test_every_language_has_the_same_ids_and_parameters(language: str) -> None:
    def parameters(template: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}

    assert set(templates(language)) == set(templates("en"))
    for id, template in templates(language).items():
        assert parameters(template) == parameters(templates("en")[id]), id
        assert all(name.isidentifier() for name in parameters(template)), id


def test_no_id_stands_in_two_files() -> None:
    found: Counter[tuple[str, str]] = Counter()
    for entry in files("lawful.model.messages").iterdir():
        if entry.name.endswith(".yaml"):
            content = yaml.safe_load(entry.read_text(encoding="utf8"))
            assert all(isinstance(value, str) for value in content.values()), entry.name
            found.update((entry.name.split(".")[-2], id) for id in content)
    assert [id for id, times in found.items() if times > 1] == []


def test_a_tuple_is_listed() -> None:
    said = text(Message("face.legal", FrozenMap({"cost": ("1r", "2c")})))
    assert said == "legal: 1r, 2c is paid"


def test_what_is_missing_is_an_error() -> None:
    with pytest.raises(LookupError, match=r"no text for the message 'face\.nowhere'"):
        text(Message("face.nowhere"))
    with pytest.raises(LookupError, match=r"'face\.legal' lacks the parameter 'cost'"):
        text(Message("face.legal"))
    with pytest.raises(UnknownName, match="unknown language 'xx'"):
        text(Message("face.legal"), "xx")
