"""A payment that somebody says they make: names to objects, words to steps."""

from __future__ import annotations

import pytest

from lawful.model.casefile import Case, parse_claim, read_cases
from lawful.model.errors import BadInput, Fault
from lawful.model.payment import Choice, Claim, Pay, Use

HEAD = "case: c\nruleset: fab\n"
GIVEN = "given: {players: {A: {hand: [blue, blue, red, Inner Chi]}}}\n"
DISCARD = "when: {cost: [3c1r, {discard: {zone: hand}}, {discard: {zone: hand}}], pay: %s}"


def case(text: str) -> Case:
    [found] = read_cases(HEAD + text, file="f")
    return found


def faults(text: str) -> tuple[Fault, ...]:
    with pytest.raises(BadInput) as caught:
        read_cases(HEAD + text, file="f")
    return caught.value.faults


@pytest.mark.parametrize(
    ("said", "steps"),
    [
        ("Inner Chi > blue", (Use("Inner Chi", "", ""), Use("blue", "", ""))),
        ("blue > blue", (Use("blue", "", ""), Use("blue #2", "", ""))),
        ("red > red", (Use("red", "", ""), Use("red", "", ""))),
        ("'blue #2 > blue'", (Use("blue #2", "", ""), Use("blue", "", ""))),
        ("'r: blue > pay: resource'", (Use("blue", "r", ""), Pay("r"))),
        ("'discard: red > discard: blue'", (Choice(0, ("red",)), Choice(1, ("blue",)))),
        ("[{c: [Inner Chi]}, {r: [blue]}]", (Use("Inner Chi", "c", ""), Pay("c"), Use("blue", "r", ""), Pay("r"))),
        ("[{c: []}, {discard: [red]}]", (Pay("c"), Choice(0, ("red",)))),
        ("[blue, {use: blue, part: r, replaced: red}]", (Use("blue", "", ""), Use("blue #2", "r", "", ("red",)))),
        ("[{id: blue}, {id: blue}]", (Use("blue", "", ""), Use("blue", "", ""))),
        ("[]", ()),
        ('""', ()),
    ],
)
def test_claims(said: str, steps: tuple[object, ...]) -> None:
    assert case(GIVEN + DISCARD % said).claim == Claim(steps)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ("blu", "did you mean 'blue'?"),
        ("blue > > red", "a step is missing"),
        ("'banish: red'", "unknown part or effect-cost 'banish'"),
        ("'pay: q'", "unknown asset 'q'"),
        ("[{q: [blue]}]", "unknown part or effect-cost 'q'"),
        ("[{c: [blu]}]", "unknown object 'blu'"),
        ("[[blue]]", "a step must be a mapping"),
        ("[{use: blue, prt: r}]", "unknown key 'prt'"),
    ],
)
def test_claims_that_name_what_is_not_there(said: str, says: str) -> None:
    found = faults(GIVEN + DISCARD % said)
    assert any(says in str(fault) for fault in found), found
    assert all(fault.line == 4 for fault in found)


def test_a_claim_on_the_command_line() -> None:
    question = case(GIVEN + "when: {cost: 3c1r, x: 0}").question
    assert parse_claim("Inner Chi > blue", question).steps == (Use("Inner Chi", "", ""), Use("blue", "", ""))
    with pytest.raises(BadInput) as caught:
        parse_claim("Inner Chi > blu", question)
    assert str(caught.value) == "--with:1:13: unknown object 'blu' (did you mean 'blue'?)"
