"""Costs as players write them: what is read, how it is written, where it is wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.model.act import Act
from lawful.model.cost import ActTerm, AssetTerm, Cost, CostAll, CostAny
from lawful.model.errors import BadInput, Fault
from lawful.model.expression import Count, Expression, PerPlayer, Ref, Sum, Times
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.notation import parse_cost, parse_pool, spell_cost
from lawful.model.selector import Selector

ASSETS = ("c", "r", "life", "very")
X = Ref("x")


def read(text: str, default: str = "r") -> Cost:
    return parse_cost(text, ASSETS, default)


def fault(text: str, default: str = "r", column: int = 0) -> Fault:
    with pytest.raises(BadInput) as caught:
        parse_cost(text, ASSETS, default, "--cost", 7, column)
    return caught.value.faults[0]


def both(*amounts: tuple[str, Expression]) -> CostAll:
    return CostAll(tuple(AssetTerm(asset, amount) for asset, amount in amounts))


@pytest.mark.parametrize(
    ("text", "cost"),
    [
        ("{c}{c}{c}{r}", both(("c", 3), ("r", 1))),
        ("3c1r", both(("c", 3), ("r", 1))),
        ("3c+1r", both(("c", 3), ("r", 1))),
        (" 3c 1r ", both(("c", 3), ("r", 1))),
        ("3{c}, 1r", both(("c", 3), ("r", 1))),
        ("2", both(("r", 2))),
        ("X", both(("r", X))),
        ("XX", both(("r", Times(2, X)))),
        ("X3", both(("r", Sum((X, 3))))),
        ("Xc", both(("c", X))),
        ("2Xc", both(("c", Times(2, X)))),
        ("3cXr", both(("c", 3), ("r", X))),
        ("X3c1r", both(("c", Sum((X, 3))), ("r", 1))),
        ("{X}{2}", both(("r", Sum((X, 2))))),
        ("0", CostAll(())),
        ("0c1r", both(("r", 1))),
        ("1r1c1r", both(("r", 2), ("c", 1))),
        ("2v", both(("r", PerPlayer(2)))),
        ("2vc", both(("c", PerPlayer(2)))),
        ("2very", both(("very", 2))),
        ("2v{very}", both(("very", PerPlayer(2)))),
        ("2c{r}", both(("c", 2), ("r", 1))),
        ("1r2v", both(("r", Sum((1, PerPlayer(2)))))),
        ("2life", both(("life", 2))),
        ("1 & Xc", CostAll((both(("r", 1)), both(("c", X))))),
        ("3c | 1r", CostAny((both(("c", 3)), both(("r", 1))))),
        ("1 & 1c | 2", CostAny((CostAll((both(("r", 1)), both(("c", 1)))), both(("r", 2))))),
    ],
)
def test_read(text: str, cost: Cost) -> None:
    assert read(text) == cost
    assert read(spell_cost(cost)) == cost


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("", 1, "missing"),
        ("  ", 1, "missing"),
        ("-1r", 1, "cannot be negative"),
        ("1r -2c", 4, "cannot be negative"),
        ("3q", 2, "unknown asset 'q'"),
        ("3lief", 2, "did you mean 'life'?"),
        ("{q}", 1, "unknown asset"),
        ("1r1000001c", 3, "limit: amount"),
        ("1000000r1r", 9, "limit: amount"),
        ("1" * 30, 1, "limit: amount"),
        ("9" * 5000, 1, "longer than"),
        ("{c}" * 5000, 1, "longer than"),
        ("c", 1, "write 1c or {c}"),
        ("3c &", 5, "missing at the end"),
        ("{c", 1, "{r}"),
        ("1r; drop", 3, "';'"),
        ("٣r", 1, "not a cost"),
    ],
)
def test_wrong(text: str, column: int, says: str) -> None:
    found = fault(text)
    assert (found.file, found.line, found.column) == ("--cost", 7, column)
    assert says in f"{found.message} {found.hint}"


def test_the_column_counts_from_where_the_text_stands() -> None:
    assert fault("1r3q", column=10).column == 13


def test_every_unknown_asset_is_reported() -> None:
    with pytest.raises(BadInput) as caught:
        read("3q1z")
    assert [found.column for found in caught.value.faults] == [2, 4]


def test_a_bare_number_needs_a_default() -> None:
    assert read("2c", default="") == both(("c", 2))
    assert "without an asset" in fault("2", default="").message


@pytest.mark.parametrize(("text", "pool"), [("0c2r", {"c": 0, "r": 2}), ("3", {"r": 3}), ("{c}1c", {"c": 2})])
def test_a_pool(text: str, pool: dict[str, int]) -> None:
    assert parse_pool(text, ASSETS, "r") == FrozenMap(pool)


@pytest.mark.parametrize("text", ["X", "1r & 1c", "1r | 1c", "2v", "-1r", "", "1q"])
def test_no_pool(text: str) -> None:
    with pytest.raises(BadInput):
        parse_pool(text, ASSETS, "r")


def test_what_the_notation_cannot_say_is_still_shown() -> None:
    discard = ActTerm(Act("discard", Selector(zone=("hand",), how="choose", n=2)))
    assert spell_cost(CostAll((AssetTerm("c", 3), discard))) == "3c, discard 2 hand"
    assert spell_cost(AssetTerm("c", Count(Selector()))) == "?c"


small = st.integers(0, 9)


@st.composite
def amounts(draw: st.DrawFn) -> str:
    kind = draw(st.sampled_from(["n", "x", "xn", "nx", "v"]))
    n, word = draw(st.integers(0, 2000)), draw(st.sampled_from(["c", "r", "life", "very", "{c}", ""]))
    if kind == "v":
        return f"{n}v" + ("" if word.startswith("{") else word)
    return {"n": f"{n}", "x": "X" * draw(st.integers(1, 4)), "xn": f"X{n}", "nx": f"{n}X"}[kind] + word


groups = st.lists(amounts(), min_size=1, max_size=4).map(" ".join)
costs = st.lists(st.lists(groups, min_size=1, max_size=3).map(" & ".join), min_size=1, max_size=3).map(" | ".join)


@given(costs)
def test_what_is_written_is_read_again(text: str) -> None:
    cost = read(text)
    assert read(spell_cost(cost)) == cost
    assert spell_cost(read(spell_cost(cost))) == spell_cost(cost)


@given(st.text(alphabet="{}crXv019 +&|,-life\n\t\x00é", max_size=30) | st.text(max_size=30))
def test_any_text_is_a_cost_or_a_fault_with_its_place(text: str) -> None:
    try:
        faults: tuple[Fault, ...] = ()
        read(text)
    except BadInput as bad:
        faults = bad.faults
    assert all(1 <= found.line <= 1 + text.count("\n") and found.column >= 1 for found in faults)


def test_the_largest_amount() -> None:
    most = Limits().amount
    assert read(f"{most}r") == both(("r", most))
    assert "limit: amount" in fault(f"{most + 1}r").message
