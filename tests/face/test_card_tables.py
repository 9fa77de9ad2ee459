"""Reading a published card file: every shape of a field, every fault with its line."""

from __future__ import annotations

from pathlib import Path

import pytest
import real

from lawful.cards.library import CardLibrary, read_library
from lawful.model.cost import AssetTerm, CostAll
from lawful.model.errors import BadInput, UnknownName
from lawful.model.expression import Ref, Times
from lawful.model.frozen import FrozenMap
from lawful.model.notation import parse_cost
from lawful.model.ruleset import CardFile, Ruleset

CARDS = Path(__file__).parent.parent / "data" / "cards.csv"
LAYOUT = CardFile(
    delimiter="\t",
    name="Name",
    title="{Name} ({Color})",
    cost="Cost",
    cost_asset="r",
    types="Types",
    yields="Pitch",
    asset="r",
    asset_by_type=FrozenMap({"Chi": "c"}),
    stats=FrozenMap({"Power": "power"}),
    props=FrozenMap({"Color": "color"}),
)
RULES = Ruleset("invented", "An invented game", (), "v", (), card_file=LAYOUT)
HEADER = "Name\tColor\tPitch\tCost\tTypes\n"


@pytest.fixture(scope="module")
def library() -> CardLibrary:
    return read_library(CARDS, RULES)


def written(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "cards.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def faults(path: Path) -> list[str]:
    with pytest.raises(BadInput) as caught:
        read_library(path, RULES)
    return [str(fault).replace(str(path), "FILE") for fault in caught.value.faults]


def test_a_card_is_found_by_title_whatever_the_case(library: CardLibrary) -> None:
    card = library.find("lantern  oath (RED)")
    assert card.name == "Lantern Oath (Red)"
    assert card.types == ("Action", "Attack")
    assert card.yields == FrozenMap({"r": 1})
    assert card.stats == FrozenMap({"power": 4})
    assert card.props == FrozenMap({"color": "red"})


def test_a_name_is_enough_where_it_is_printed_once(library: CardLibrary) -> None:
    assert library.find("Quiet, Then Thunder").name == "Quiet, Then Thunder (Blue)"
    assert library.find("Iron Cap").name == "Iron Cap"


def test_a_name_printed_thrice_is_ambiguous_and_says_between_what(library: CardLibrary) -> None:
    with pytest.raises(BadInput, match=r"Lantern Oath \(Red\), Lantern Oath \(Yellow\), Lantern Oath \(Blue\)"):
        library.find("Lantern Oath")


def test_an_unknown_name_gets_the_closest(library: CardLibrary) -> None:
    with pytest.raises(UnknownName, match=r"Lantern Oath \(Blue\)") as caught:
        library.find("Lantern Oaf (blue)")
    assert caught.value.closest


@pytest.mark.parametrize(
    ("name", "cost"),
    [
        ("Lantern Oath (Red)", CostAll((AssetTerm("r", 2),))),
        ("Hollow Shell", CostAll()),
        ("Quiet, Then Thunder", CostAll((AssetTerm("r", Ref("x")),))),
        ("Twice the Tide", CostAll((AssetTerm("r", Times(2, Ref("x"))),))),
        ("Iron Cap", None),
        ("Breath of Dawn", None),
    ],
)
def test_costs(library: CardLibrary, name: str, cost: CostAll | None) -> None:
    assert library.find(name).cost == cost


@pytest.mark.parametrize(("name", "text"), [("Three More", "X3"), ("Twice the Tide", "XX"), ("Dry Well", "1")])
def test_a_cost_reads_as_the_notation_reads_it(library: CardLibrary, name: str, text: str) -> None:
    assert library.find(name).cost == parse_cost(text, ["c", "r"], "r")


@pytest.mark.parametrize(
    ("name", "yields"),
    [("Breath of Dawn", {"c": 3}), ("Hollow Shell", None), ("Dry Well", {"r": 0}), ("Iron Cap", None)],
)
def test_no_pitch_is_not_a_pitch_of_0(library: CardLibrary, name: str, yields: dict[str, int] | None) -> None:
    assert library.find(name).yields == (None if yields is None else FrozenMap(yields))


def test_a_stat_that_is_no_number_is_no_stat(library: CardLibrary) -> None:
    assert library.find("Quiet, Then Thunder").stats == FrozenMap()


def test_what_is_not_a_number_is_refused_when_the_card_is_asked_for(tmp_path: Path) -> None:
    text = HEADER + "Fine\tRed\t1\t1\tAction\nOdd\tRed\tone\t1\tAction\nOdder\tRed\t1\t1Y\tAction\n"
    library = read_library(written(tmp_path, text), RULES)
    assert library.find("Fine").cost == CostAll((AssetTerm("r", 1),))
    with pytest.raises(BadInput, match=r"cards.csv:3:3: Odd \(Red\): Pitch is 'one'"):
        library.find("Odd")
    with pytest.raises(BadInput, match=r"cards.csv:4:4: Odder \(Red\): Cost is '1Y'"):
        library.find("Odder")


def test_all_short_rows_are_reported_at_once_and_the_others_kept(tmp_path: Path) -> None:
    path = written(tmp_path, HEADER + 'Fine\tRed\t1\t"1\n"\tAction\nShort\tRed\n\nShorter\nGood\tRed\t1\t0\tAction\n')
    library = read_library(path, RULES)
    assert [str(fault).replace(str(path), "FILE").partition(" (")[0] for fault in library.faults] == [
        "FILE:4:1: the row has 2 of 5 columns",
        "FILE:6:1: the row has 1 of 5 columns",
    ]
    assert list(library) == ["Fine (Red)", "Good (Red)"]
    assert library.find("Good").cost == CostAll()


def test_what_comes_before_an_open_quotation_mark_is_kept(tmp_path: Path) -> None:
    library = read_library(written(tmp_path, HEADER + 'Fine\tRed\t1\t1\tAction\nOpen\tRed\t"1\t1\tAction\n'), RULES)
    assert list(library) == ["Fine (Red)"]
    assert [fault.line for fault in library.faults] == [3]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "FILE:1:1: the file is empty"),
        ("\n\n", "FILE:1:1: the file is empty"),
        ("Nme\tColor\tPitch\tCost\tTypes\n", "FILE:1:1: there is no column 'Name' (did you mean 'Nme'?)"),
        (b"Name\tColor\n\xff\xfe\x00", "FILE:1:1: there is no column 'Cost'"),
        (b"\xffName\tColor\n", "FILE:1:1: not a text file in UTF-8"),
    ],
)
def test_a_file_that_is_no_such_table(tmp_path: Path, text: str | bytes, fault: str) -> None:
    assert faults(written(tmp_path, text))[0].startswith(fault)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert faults(tmp_path / "none.csv") == ["FILE: cannot be read: No such file or directory"]
    assert "cannot be read" in faults(tmp_path)[0]


def test_a_ruleset_without_a_layout_says_so() -> None:
    with pytest.raises(BadInput, match="does not say how its card files are read"):
        read_library(CARDS, Ruleset("bare", "Bare", (), "v", ()))


def test_the_published_file_reads_whole() -> None:
    library = read_library(real.folder("flesh-and-blood") / "card.csv", RULES)
    assert len(library) > 3000
    assert library.faults == ()
    for title in library:
        assert library.find(title).name == title
