"""YAML as text with places, and its limits."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.model.errors import Fault
from lawful.model.reading import yamltext
from lawful.model.reading.faults import Faults
from lawful.model.reading.textfile import read_text
from lawful.model.reading.yamlout import to_yaml
from lawful.model.reading.yamltext import Data, Node, parse_yaml


def parse(text: str) -> tuple[list[Node], list[Fault]]:
    faults = Faults("f")
    return parse_yaml(text, faults), faults.found


def only(text: str) -> Fault:
    _, faults = parse(text)
    assert len(faults) == 1, faults
    return faults[0]


def test_scalars_stay_text() -> None:
    [node], faults = parse("version: 1.10\nno: no\nnull: ~\nempty:\nquoted: ''\ndate: 2026-02-01\n")
    assert not faults
    assert node.data == {
        "version": "1.10", "no": "no", "null": "~", "empty": None, "quoted": "", "date": "2026-02-01",
    }  # fmt: skip


def test_places() -> None:
    [node], _ = parse("a: b\nlist:\n  - {k: 'v'}\n  - w\n")
    assert dict(node.places())[("a",)] == (1, 4)
    assert dict(node.places())[("list", 0, "k")] == (3, 10)  # the text, not its quotation mark
    assert node.at(("list", 1)) == (4, 5)
    assert node.at(("list", 7, "x")) == (3, 3)
    assert node.key("list") == (2, 1)


def test_several_documents_know_their_lines() -> None:
    nodes, _ = parse("a: 1\n---\nb: 2\n---\n")
    assert [(node.data, node.line) for node in nodes] == [({"a": "1"}, 1), ({"b": "2"}, 3)]


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "---\n---\n"])
def test_empty(text: str) -> None:
    assert "empty" in only(text).message


@pytest.mark.parametrize(
    ("text", "at", "hint"),
    [
        ("cost: {r}", (1, 7), 'quote it: "{r}" or write 1r'),
        ("when: {player: T, cost: {r}}", (1, 25), 'quote it: "{r}" or write 1r'),
        ("cost: {c}{c}{r}", (1, 10), 'quote it: "{c}{c}{r}"'),
        ("when: {player: T, cost: {c}{c}}", (1, 28), 'quote it: "{c}{c}"'),
        ("costs:\n  - {c}{r}\n", (2, 8), 'quote it: "{c}{r}"'),
        ("do: [{shuffle}]", (1, 6), 'quote it: "{shuffle}"'),
    ],
)
def test_costs_in_braces_without_quotes(text: str, at: tuple[int, int], hint: str) -> None:
    found = only(text)
    assert (found.line, found.column) == at
    assert found.hint == hint


def test_an_empty_mapping_and_a_quoted_cost_are_fine() -> None:
    [node], faults = parse('Nic: {}\ncost: "{c}{r}"\n')
    assert not faults
    assert node.data == {"Nic": {}, "cost": "{c}{r}"}


def test_a_key_said_twice() -> None:
    found = only("a: 1\nb: 2\na: 3\n")
    assert (found.line, found.column, found.hint) == (3, 1, "first in line 1")


def test_several_faults_at_once() -> None:
    _, faults = parse("a: 1\na: 2\nb: {r}\nc: *none\nd: !!python/name:os.system\n")
    assert [fault.line for fault in faults] == [2, 3, 4, 5]


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(14)
)


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        (BOMB, "limit: nodes"),
        ("[" * 100_000, "limit: depth"),
        ("{a: " * 60, "limit: depth"),
        ("- " * 60 + "x", "limit: depth"),
        ("---\n" * 1200, "limit: documents"),
        ("- x\n" * 200_001, "limit: nodes"),
        ("x" * (2 * 1024 * 1024 + 1), "limit: bytes"),
        ("é" * (1024 * 1024 + 1), "limit: bytes"),
    ],
)
def test_limits_are_named(text: str, limit: str) -> None:
    assert limit in only(text).message


def test_aliases_that_nest_too_deep() -> None:
    text = "a: &a [x]\n" + "".join(f"b{i}: &b{i} [*{'a' if i == 0 else f'b{i - 1}'}]\n" for i in range(60))
    assert "limit: depth" in only(text).message


def test_just_deep_enough() -> None:
    depth = yamltext.MAX_DEPTH
    assert not parse("[" * depth + "x" + "]" * depth)[1]
    assert parse("[" * (depth + 1) + "x" + "]" * (depth + 1))[1]


def test_an_alias_inside_of_itself() -> None:
    assert "inside" in only("a: &a [*a]").message


def test_an_alias_is_read_where_it_stands() -> None:
    [node], faults = parse("a: &a {k: v}\nb: *a\n")
    assert not faults
    assert node.data == {"a": {"k": "v"}, "b": {"k": "v"}}


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"\x89PNG\r\n\x1a\n\x00", "not UTF-8"),
        (b"caf\xe9: 1", "not UTF-8"),
        (b"", "empty"),
        (b"  \n", "empty"),
    ],
)
def test_files_that_are_no_text(tmp_path: Path, raw: bytes, says: str) -> None:
    path = tmp_path / "f.yaml"
    path.write_bytes(raw)
    faults = Faults(str(path))
    assert read_text(path, faults) is None
    assert says in faults.found[0].message


def test_nul_is_no_text() -> None:
    found = only("a: 1\nb: \x00")
    assert (found.line, found.column) == (2, 4)
    assert "U+0000" in found.message


def test_files_that_are_not_there(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path, Path("a\x00b")):
        faults = Faults(str(path))
        assert read_text(path, faults) is None
        assert "cannot be read" in faults.found[0].message


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1")
    text = read_text(path, Faults())
    assert text is not None
    assert parse(text)[0][0].data == {"a": "1"}


@given(st.text(max_size=60) | st.text(alphabet="{}[]:,-&*!|>'\" \n\tab#%?", max_size=60))
def test_any_text_gives_nodes_or_faults(text: str) -> None:
    nodes, faults = parse(text)
    assert nodes or faults
    assert all(fault.line >= 1 and fault.column >= 1 for fault in faults)


words = st.text(st.characters(exclude_categories=("Cs", "Cc")) | st.just("\n"), max_size=8)
plain: st.SearchStrategy[Data] = st.recursive(
    st.none() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words.filter(bool), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(words.filter(bool), plain, min_size=1, max_size=3))
def test_what_is_written_is_read_again(data: dict[str, Data]) -> None:
    nodes, faults = parse(to_yaml(dict(data)))
    assert not faults
    assert nodes[0].data == data
