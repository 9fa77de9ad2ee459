"""No answer depends on what a card is called: every shipped case passes after its cards and objects were renamed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from renaming import names_of, random_names, renamed, renamed_case

from lawful.api import judge, order, pay
from lawful.checking import Verdict, check
from lawful.expectations import run
from lawful.model.casefile import Case, read_cases
from lawful.model.errors import Disagreement
from lawful.model.frozen import FrozenMap
from lawful.model.payment import Use
from lawful.model.verdict import Answer

TOP = Path(__file__).parents[1]
CASES = [case for path in sorted((TOP / "cases").rglob("*.case.yaml")) for case in read_cases(path)]
IDS = [f"{Path(case.file).stem}-{case.line}" for case in CASES]


def failures(case: Case) -> list[str]:
    """Return what does not hold in a case; that referee and solver disagree is one of them."""
    try:
        return [str(check) for check in run(case) if not check.holds]
    except Disagreement as error:
        return [str(error)]


def without_keys(answer: Answer) -> Answer:
    ways = tuple(replace(way, key="") for way in answer.ways)
    return replace(answer, ways=ways, used=FrozenMap())


def told(case: Case) -> Any:
    """Return the answer of the core. The keys of ways spell names out, so they are left aside."""
    if case.order is not None:
        answer = order(case.order)
        return answer.status, len(answer.outcomes), answer.states, answer.terminates, answer.confirmed
    if case.ask == "check":
        verdict = check(case.question, case.claim)
        readings = sorted((reading.status, reading.count or 0) for reading in verdict.readings.values())
        return replace(verdict, readings=FrozenMap()), readings
    if case.claim is not None:
        return judge(case.question, case.claim)
    answer = pay(case.question, case.expect.data.get("level"))
    readings = FrozenMap({name: without_keys(reading) for name, reading in answer.readings.items()})
    shown = replace(without_keys(answer), readings=readings)
    return shown, tuple((Use(thing, "", ""), n) for thing, n in answer.used.items())


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_a_case_passes_after_renaming_and_the_answer_is_the_same(case: Case) -> None:
    names = random_names(names_of(case), seed=case.line)
    other = renamed_case(case, names)
    assert failures(other) == []
    same = {name: name for name in names.values()}
    assert by_name(renamed(told(other), same)) == by_name(renamed(told(case), names))


def by_name(answer: Any) -> Any:
    """Return an answer of `check` with its reasons in the order of the names that they have now: so they are ranked."""
    if not (isinstance(answer, tuple) and isinstance(answer[0], Verdict)):
        return answer
    verdict, readings = answer
    offers = {
        slot: replace(offer, refused=FrozenMap({id: ordered(reasons) for id, reasons in offer.refused.items()}))
        for slot, offer in verdict.offers.items()
    }
    return replace(verdict, reasons=ordered(verdict.reasons), offers=FrozenMap(offers)), readings


def ordered(reasons: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(sorted(reasons, key=repr))


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_nothing_keeps_its_name(case: Case) -> None:
    """Whatever place for a name the renaming forgets, would show up here."""
    names = names_of(case)
    position = case.question.position
    words = {w for c in position.cards.values() for w in (*c.props.values(), *c.types)}
    words |= {asset.id for asset in case.question.ruleset.assets}
    other = renamed_case(case, random_names(names, seed=1))
    text = repr((other.question.position, other.question.declaration, other.claim, other.expect))
    assert [name for name in names if name not in words and re.search(rf"'{re.escape(name)}'", text)] == []


SPARK = """\
case: c
ruleset: flesh-and-blood
cards:
  Spark:
    - replace: {on: {gains: {assets: {r: 1}, by: $controller, cause: pitch}}, instead: [{destroy: $self}, {gain: 3r}]}
given: {players: {Ann: {hand: [yellow, blue, red, Inner Chi], arena: [%s]}}}
when: {cost: [{discard: {zone: hand}}]}
"""


@pytest.mark.parametrize("arena", ["", "Spark"], ids=["free of order", "in order"])
def test_what_effect_costs_choose_is_listed_as_it_lies(arena: str) -> None:
    [case] = read_cases(SPARK % arena)
    listed = [choice.things for way in pay(case.question).ways for choice in way.payment.choices]
    assert listed == [("yellow",), ("blue",), ("red",), ("Inner Chi",)]


def knows_a_name(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Plant what must never be in the core: referee and solver think that chi comes from the card of one name."""
    from lawful.model.card import Card
    from lawful.model.frozen import FrozenMap
    from lawful.model.referee import sources as referee
    from lawful.solver.encode import sources as solver

    def chi_by_name(card: Card, gain: Mapping[str, int]) -> Mapping[str, int]:
        return gain if card.name == name else {("r" if asset == "c" else asset): n for asset, n in gain.items()}

    literal, encoded = referee.gain_of, solver._gain
    monkeypatch.setattr(
        referee, "gain_of", lambda asked, thing, source, user=None: FrozenMap(
            chi_by_name(asked.opening.card(thing), literal(asked, thing, source, user))
        ),
    )  # fmt: skip
    monkeypatch.setattr(
        solver, "_gain", lambda look, thing, source, player: dict(
            chi_by_name(look.position.card(thing), encoded(look, thing, source, player))
        ),
    )  # fmt: skip


def test_a_name_in_the_core_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every case passes with the planted fault, until its cards are renamed."""
    chi = [case for case in CASES if "Inner Chi" in names_of(case) and "D18" not in case.name]
    knows_a_name(monkeypatch, "Inner Chi")
    assert [case.name for case in chi if failures(case)] == []
    found = [case.name for case in chi if failures(renamed_case(case, random_names(names_of(case), case.line)))]
    assert len(found) > len(chi) / 2
    assert {"one chi of three", "the chi part first"} <= set(found)


def test_a_name_in_one_half_of_the_core_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from lawful.solver.encode import sources as solver

    encoded = solver._gain

    def forgetful(look: Any, thing: Any, *more: Any) -> Any:
        return encoded(look, thing, *more) if thing.card in ("Inner Chi", "red", "yellow", "blue") else {}

    monkeypatch.setattr(solver, "_gain", forgetful)
    [case] = [case for case in CASES if case.name == "D7, the fourth chi pays the resource point"]
    assert failures(case) == []
    assert failures(renamed_case(case, random_names(names_of(case), seed=7))) != []
