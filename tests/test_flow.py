"""One payment as a picture: what it shows of random questions and of games that ship."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import lawful

CASES = sorted((Path(__file__).parents[1] / "cases").rglob("*paying*.case.yaml"))
CASES += sorted((Path(__file__).parents[1] / "cases").rglob("*hands*.case.yaml"))

SVG = "{http://www.w3.org/2000/svg}"


def names(svg: str, kind: str) -> list[str]:
    """Return the names of the boxes of a kind."""
    root = ElementTree.fromstring(svg)
    return [text.text or "" for g in root.iter(f"{SVG}g") if g.get("class") == kind for text in g.iter(f"{SVG}text")]


def test_parts_in_turn() -> None:
    answer = lawful.pay(lawful.question("fab", cost="3c1r", hand="Inner Chi, blue, red"))
    svg = answer.picture()
    assert names(svg, "have") == ["Inner Chi", "3c", "blue", "3r"]
    assert names(svg, "idle") == ["red", "kept"]
    assert names(svg, "due") == ["3c", "1r"]
    assert names(svg, "left") == ["2 resource", "left"]
    assert svg.count('class="arrow"') == 3
    assert svg == answer.picture(), "the same bytes for the same payment"
    assert 'aria-label="3c: Inner Chi; 1r: blue; left: 2r"' in svg


def test_what_floats_before_stands_beside_what_is_used() -> None:
    answer = lawful.pay(lawful.question("fab", cost="1r", hand="blue", float_="1r"))
    assert names(answer.picture(), "idle")[:2] == ["1 resource", "floating"]


def test_parts_at_once_and_what_is_lost() -> None:
    answer = lawful.pay(lawful.question("mc", cost="1 & 1e", hand="ee, m"))
    svg = answer.picture()
    assert names(svg, "have") == ["ee", "m"]
    assert names(svg, "due") == ["1r", "1e", "1e", "1e"]
    assert names(svg, "lost") == ["1 mental", "lost"]
    assert svg.count('class="arrow"') == 3


def test_names_are_text_and_never_markup(tmp_path: Path) -> None:
    case = tmp_path / "odd.case.yaml"
    case.write_text(
        "case: odd\nruleset: flesh-and-blood\ncards: {'<b>&': {types: [Action], yields: {r: 3}}}\n"
        "given: {players: {Tyler: {hand: ['<b>&']}}, turn: Tyler}\nwhen: {player: Tyler, cost: 1r}\n"
    )
    (asked,) = lawful.load(str(case))
    assert names(lawful.pay(asked).picture(), "have")[0] == "<b>&"


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_every_way_of_every_case(path: Path) -> None:
    drawn = 0
    for case in lawful.load(str(path)):
        if case.question is None or case.order is not None or case.claim is not None:
            continue
        try:
            answer = lawful.pay(case)
        except lawful.model.errors.BadInput:
            continue
        for at, line in enumerate(answer):
            drawn += 1
            root = ElementTree.fromstring(answer.picture(at))
            used = {use.thing for use in line.way.payment.uses}
            used |= {thing for choice in line.way.payment.choices for thing in choice.things}
            floats = any(not spend.thing and spend.part >= 0 for spend in line.way.payment.spends)
            kinds = [g.get("class") for g in root.iter(f"{SVG}g")]
            assert kinds.count("have") == len(used) + floats
            assert kinds.count("due") == len(line.steps)
            assert kinds.count("lost") == sum(1 for amount in line.overpaid.values() if amount)
    assert drawn
