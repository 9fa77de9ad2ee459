"""Card files that are malformed, truncated or hostile: every fault with its row, the good rows kept."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lawful.cards.library import CardLibrary, read_library
from lawful.model.errors import BadInput, Fault
from lawful.model.rulesets import load_ruleset

HEAD = b"name,types,cost,text\n"
LIST = b"- {name: A, types: Action}\n"


def opened(tmp_path: Path, name: str, raw: bytes) -> CardLibrary:
    path = tmp_path / name
    path.write_bytes(raw)
    return read_library(path, load_ruleset("mc" if name.endswith("json") else "fab"))


def lines(faults: tuple[Fault, ...]) -> list[int]:
    return [fault.line for fault in faults]


@pytest.mark.parametrize(
    ("name", "raw", "kept", "faulty"),
    [
        ("c.csv", HEAD + b"A,Action,1,\nCaf\xe9,Action,1,\nB,Action,2,\n", ["A", "B"], [3]),
        ("c.csv", HEAD + b"A,Action,1,it\x92s\nB,Action,2,\n", ["B"], [2]),
        ("c.csv", HEAD + b'A,Action,1,"open\nB,Action,2,\nC,Action,3,\n', ["B", "C"], [2]),
        ("c.csv", HEAD + b'A,Action,1,\nB,Action,2,"a" b\nC,Action,3,\n', ["A", "C"], [3]),
        ("c.csv", HEAD + b'A,Action,1,"open\nB,Action,2,"x" y\nC,Action,3,\n', ["C"], [2, 3]),
        ("c.csv", HEAD + b"A,Action,1," + b"x" * 300_000 + b"\nB,Action,2,\n", ["B"], [2]),
        ("c.csv", HEAD + b"A,Action,1," + b"x" * 30_000 + b"\nB,Action,2,\n", ["B"], [2]),
        ("c.csv", HEAD + b"A,Action,1,one, two\nB,Action,2,\n", ["B"], [2]),
        ("c.csv", HEAD + b"A,Action,1,,,\nB\n", ["A"], [3]),
        ("c.csv", HEAD + b",Action,1,\nB,,1,\n C ,Action,1,\n", ["C"], [2, 3]),
        ("c.csv", HEAD + b"A,Ac\x00tion,1,\nB\x1b[31m,Action,1,\nC,Action,1,\n", ["C"], [2, 3]),
        ("c.csv", HEAD + b"A,Action,1,\nA,Action,2,\nA,Action,1,\n", ["A"], [3]),
        ("c.csv", b'sep=;\nname;types;text\nA;Action;"x; y"\n', ["A"], []),
        ("c.csv", b'"sep=,"\r\nname,types\r\nA,Action\r\n', ["A"], []),
        ("c.csv", (HEAD + b"A,Action,1,\nB,Action,2,\n").replace(b"\n", b"\r"), ["A", "B"], []),
        ("c.yaml", LIST + b"- {name: B, types: [Action\n- {name: C, types: Action}\n", ["A", "C"], [2]),
        ("c.yaml", LIST + b"- {name: B, types: Action, name: D}\n- [x]\n- 1\n", ["A"], [2, 3, 4]),
        ("c.yaml", b"cards:\n  A:\n    types: Action\n  B:\n    types: {x\n  C: {types: Action}\n", ["A", "C"], [5]),
        ("c.yaml", b"A: {types: Action}\nB:\n\ttypes: x\nC: {types: Action}\n", ["A", "C"], [3]),
        ("c.yaml", LIST + b"- !!python/object/apply:os.system [ls]\n", ["A"], [2]),
        ("c.json", b'[{"name":"A","type_code":"x"},\n{"name":"\xe9","type_code":"x"}]', ["A"], [2]),
        ("c.json", b'[{"name":"A","type_code":"ally"},\n{"name":"B","type_', ["A"], [2]),
    ],
)  # fmt: skip
def test_the_good_rows_are_kept(tmp_path: Path, name: str, raw: bytes, kept: list[str], faulty: list[int]) -> None:
    library = opened(tmp_path, name, raw)
    assert (list(library), lines(library.faults)) == (kept, faulty)
    assert all(library.find(title).name == title for title in kept if faulty != [3] or title != "A" or len(kept) > 1)


@pytest.mark.parametrize(
    ("name", "raw", "says"),
    [
        ("c.csv", b"name,cost\nA,1\n", "there is no column 'types'"),
        ("c.csv", b"My cards,,\nname,types,cost\nA,Action,1\n", "its columns, by commas: My cards"),
        ("c.csv", HEAD.decode().encode("utf-16-le"), "save it as UTF-8"),
        ("c.csv", bytes(range(128, 255)) * 40, "save it as UTF-8"),
        ("c.csv", b"", "empty"),
        ("c.csv", b'name,"types\nA,Action\n', "is a quotation mark not closed"),
        ("c.xlsx", b"PK\x03\x04" + b"\x00" * 100, "export it as CSV"),
        ("c.yaml", b"[" * 20_000, "nested too deeply"),
        ("c.yaml", b"- " * 3_000 + b"x", "nested too deeply"),
        ("c.json", b"[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_card_file_is_said_to_be_none(tmp_path: Path, name: str, raw: bytes, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        opened(tmp_path, name, raw)


@pytest.mark.parametrize("power", ["three", "-2", "1.5", "1e9", "12345678901"])
def test_a_number_that_is_none_is_a_fault_of_its_field(tmp_path: Path, power: str) -> None:
    library = opened(tmp_path, "c.csv", f"name,types,power\nA,Action,{power}\nB,Action,*\nC,Action,X\n".encode())
    with pytest.raises(BadInput, match=r"c\.csv:2:3: A: power is") as caught:
        library.find("A")
    assert len(caught.value.faults) == 1
    assert [dict(library.find(name).stats) for name in ("B", "C")] == [{}, {}]


def test_so_many_rows_are_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lawful.cards.records.MOST_ROWS", 50)
    library = opened(tmp_path, "c.csv", HEAD + b"".join(b"C%d,Action,1,\n" % n for n in range(80)))
    assert (len(library), lines(library.faults)) == (50, [52])


@pytest.mark.parametrize(
    ("name", "raw", "says"),
    [
        ("c.csv", b"name,types,Types\nA,Action,Item\n", "capital and small letters"),
        ("c.csv", b"name,types,text,ability\nA,Action,,Draw a card.\n", "may be the text"),
        (
            "c.yaml",
            LIST + b"- {name: B, types: Action, text: x}\n- {name: C, types: Action, rules: y}\n",
            "be the text",
        ),
        ("c.yaml", b"A: {types: Action\nB: {types: [x\nC: {types: x]\n", "c.yaml:3"),
        ("c.csv", b"\x1f\x8b" + bytes(40), "unpack it"),
    ],
)
def test_what_would_be_lost_is_refused(tmp_path: Path, name: str, raw: bytes, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        opened(tmp_path, name, raw)


@pytest.mark.parametrize(
    ("name", "raw", "kept", "faulty"),
    [
        ("c.yaml", b"? [a]\n: {types: Action}\nB: {types: Action}\n", ["B"], [1]),
        ("c.yaml", b"cards: [{name: A, types: Action}]\ncards: [{name: B, types: Action}]\nC: 1\n", ["A"], [2, 3]),
        ("c.yaml", LIST + b"- {Name: B, TYPES: Action}\n- {name: C, Name: D, types: Action}\n", ["A", "B"], [3]),
        ("C.YAML", LIST, ["A"], []),
    ],
)
def test_a_card_that_would_be_lost_is_told(
    tmp_path: Path, name: str, raw: bytes, kept: list[str], faulty: list[int]
) -> None:
    library = opened(tmp_path, name, raw)
    assert (list(library), lines(library.faults)) == (kept, faulty)


@pytest.mark.parametrize("power", ["−2", "– 2", "３", "٣"])
def test_a_number_in_other_letters_is_a_fault_of_its_field(tmp_path: Path, power: str) -> None:
    library = opened(tmp_path, "c.csv", f"name,types,power\nA,Action,{power}\n".encode())
    with pytest.raises(BadInput, match="power is"):
        library.find("A")


def test_what_a_card_gives_is_a_number_or_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text("name,type,e\nA,ally,2\nB,ally,two\n", encoding="utf8")
    library = read_library(path, load_ruleset("mc"))
    assert library.find("A").yields == {"e": 2}
    with pytest.raises(BadInput, match="e is 'two'"):
        library.find("B")


def test_a_value_in_a_fault_is_no_longer_than_a_line(tmp_path: Path) -> None:
    library = opened(tmp_path, "c.csv", HEAD + b"A" * 9_000 + b",Action," + b"9" * 9_000 + b",\n")
    with pytest.raises(BadInput) as refused:
        library.card(library.records[0])
    assert len(str(refused.value)) < 400


def test_a_pipe_is_no_card_file(tmp_path: Path) -> None:
    pipe = tmp_path / "c.csv"
    os.mkfifo(pipe)  # nobody writes into it: to open it would be to wait for ever
    for path in (pipe, Path(os.devnull)):
        with pytest.raises(BadInput, match="not a file"):
            read_library(path, load_ruleset("fab"))


def test_very_many_columns_end(tmp_path: Path) -> None:
    wide = b"name,types," + b",".join(b"c%d" % n for n in range(60_000)) + b"\nA,Action" + b",1" * 60_000 + b"\n"
    assert list(opened(tmp_path, "c.csv", wide)) == ["A"]
