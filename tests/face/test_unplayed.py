"""A payment does not look at norms on what is gained, nor at requirements to use a source: it says so instead."""

from __future__ import annotations

import pytest

from lawful.api import judge, pay
from lawful.checking import check
from lawful.model.casefile import read_cases
from lawful.model.declaration import Question
from lawful.model.errors import LimitReached
from lawful.model.payment import Claim


def asked(static: str, more: str = "") -> Question:
    return read_cases(
        f"case: x\nruleset: fab\ncards: {{Drought: [{{static: {static}}}]}}\nwhen: {{cost: 1r}}\n"
        f"given: {{players: {{A: {{hand: [blue], arena: [Drought]}}}}{more}}}\n"
    )[0].question


@pytest.mark.parametrize("static", ["{cannot: {gains: $controller}}", "{must: {pitch: {zone: hand}}}"])
def test_no_answer_passes_a_norm_over(static: str) -> None:
    question = asked(static)
    for ask in (lambda: pay(question), lambda: judge(question, Claim(())), lambda: check(question)):
        with pytest.raises(LimitReached, match="Drought has one"):
            ask()


@pytest.mark.parametrize(
    ("static", "status"),
    [
        ("{must: {attack: {zone: arena}}}", "legal"),
        ("{cannot: {discard: {zone: hand}}}", "legal"),
        ("{cannot: {pitch: {zone: hand}}}", "illegal"),
    ],
)
def test_norms_about_anything_else_do_not_matter(static: str, status: str) -> None:
    assert pay(asked(static)).status == status


def test_a_norm_that_lasts_is_seen_too() -> None:
    with pytest.raises(LimitReached, match="gained"):
        pay(asked("{cannot: {discard: {zone: hand}}}", ", lasting: [{cannot: {gains: $controller}, controller: A}]"))


def test_a_sum_over_what_is_chosen_is_judged_and_not_passed_over() -> None:
    text = (
        "case: x\nruleset: fab\ncards: {{Wolf: {{types: [Ally], power: 2}}}}\n"
        "given: {{players: {{A: {{arena: [Wolf, Wolf]}}}}}}\n"
        "when: {{player: A, ask: check, do: [{{destroy: {{type: Ally, n: 2, how: target{}}}}}]}}\n"
    )
    for total, status in (
        ("", "legal"),
        (", total: {power: {le: 4}}", "legal"),
        (", total: {power: {le: 3}}", "illegal"),
    ):
        assert check(read_cases(text.format(total))[0].question).status == status


def test_a_sum_that_hangs_on_another_choice_is_refused() -> None:
    text = (
        "case: x\nruleset: fab\ncards: {Wolf: {types: [Ally], power: 2}}\n"
        "given: {players: {A: {arena: [Wolf, Wolf]}}}\n"
        "when: {player: A, ask: check, do: [{destroy: {type: Ally, how: target}, as: one}, "
        "{destroy: {type: Ally, how: target, total: {power: {le: $one.power}}}}]}\n"
    )
    with pytest.raises(LimitReached, match="totals of what is chosen"):
        check(read_cases(text)[0].question)


@pytest.mark.parametrize("cost", ["{change_form: $controller}", "{exhaust: $self}"])
def test_a_cost_that_would_change_a_player_is_not_passed_over(cost: str) -> None:
    question = read_cases(
        f"case: x\nruleset: mc\ncards: {{Lever: {{types: [support], abilities: [{{activate: {{cost: [{cost}]}}}}]}}}}\n"
        "given: {players: {A: {play: [Lever], facts: {form: hero}}}}\nwhen: {player: A, activate: Lever}\n"
    )[0].question
    if "exhaust" in cost:
        assert (pay(question).status, check(question).status) == ("legal", "legal")
        return
    for ask in (pay, check):
        with pytest.raises(LimitReached, match="effect-costs"):
            ask(question)
