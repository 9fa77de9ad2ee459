"""Answers in Python: iterable, sized, picklable, printed as on the command line, drawn in a notebook."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import lawful
from lawful.model.errors import BadInput

CASES = Path(__file__).parents[1] / "cases"


def asked(hand: str = "Inner Chi, blue, red") -> lawful.Question:
    return lawful.question("fab", cost="3c1r", hand=hand)


def test_ways_are_iterated_counted_and_told() -> None:
    answer = lawful.pay(asked())
    assert len(answer) == answer.count == 2
    assert [line.sources for line in answer] == [("Inner Chi", "blue"), ("Inner Chi", "red")]
    assert answer[1].pool == {"c": 0, "r": 0}
    assert str(answer).splitlines()[0] == "2 ways to pay 3c1r (source sets), complete"
    assert answer._repr_html_().count("<tr>") == 3
    assert answer.to_dict()["count"] == 2
    with pytest.raises(TypeError):
        bool(answer)


def test_no_way_has_its_reason_in_text_and_html() -> None:
    answer = lawful.pay(asked("blue"))
    assert len(answer) == 0
    assert list(answer) == []
    assert "no card in hand gives chi [CR 1.14.2c]" in str(answer)
    assert "no card in hand gives chi" in answer._repr_html_()


def test_names_are_escaped() -> None:
    from lawful.model.casefile import build_question
    from lawful.model.reading.casereader import read_card_text
    from lawful.model.rulesets import load_ruleset

    rules = load_ruleset("fab")
    cards = read_card_text("'<b>x</b>': {yields: {r: 3}}", rules)
    answer = lawful.pay(build_question(rules, cost="1r", hand=["<b>x</b>"], cards=cards))
    assert "&lt;b&gt;x" in answer._repr_html_()
    assert "<b>" not in answer._repr_html_()


def test_a_verdict_tells_its_reasons() -> None:
    cases = lawful.load(str(CASES / "games/flesh-and-blood-legality.case.yaml"))
    answer = next(one for one in map(lawful.check, cases[:6]) if one.status == "illegal")
    assert answer.status == "illegal"
    assert len(answer) == len(list(answer)) == len(answer.reasons) > 0
    assert str(answer).startswith("illegal")
    assert answer.to_dict()["verdict"] == "illegal"
    assert answer._repr_html_().startswith("<pre>")


def test_outcomes_have_a_picture() -> None:
    cases = lawful.load(str(CASES / "games/flesh-and-blood-orders.case.yaml"))
    answer = lawful.order(cases[0])
    assert len(answer) == len(list(answer)) == len(answer.to_dict()["outcomes"])
    assert answer[0] == answer.outcomes[0]
    assert answer.svg.startswith("<svg")
    assert "<svg" in answer._repr_html_()
    paying = lawful.load(str(CASES / "conformance/flesh-and-blood-paying.case.yaml"))[0]
    with pytest.raises(BadInput, match="not what happens"):
        lawful.order(paying)
    assert lawful.pay(paying).count >= 0


def test_they_go_through_pickle_and_copy() -> None:
    order = lawful.load(str(CASES / "games/flesh-and-blood-orders.case.yaml"))[0]
    for answer in (lawful.pay(asked()), lawful.check(asked()), lawful.order(order)):
        again = pickle.loads(pickle.dumps(answer))
        assert again == answer == copy.copy(answer)
        assert str(again) == str(answer)


def test_many_threads_get_the_answers_of_one() -> None:
    hands = ["Inner Chi, blue, red", "blue", "Inner Chi x2, red x3", "Inner Chi, yellow"] * 4
    alone = [str(lawful.pay(asked(hand))) for hand in hands]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(lambda hand: str(lawful.pay(asked(hand))), hands)) == alone


def test_importing_loads_no_solver() -> None:
    heavy = "{'ortools', 'networkx', 'numpy', 'pandas', 'pydantic', 'lark', 'yaml', 'fastapi', 'rich'}"
    code = f"import sys, lawful; assert not {heavy} & set(sys.modules); lawful.pay; assert 'ortools' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_happens_is_no_payment_of_nothing() -> None:
    # It was answered as a payment of 0: legal, one way.
    happens = lawful.load(CASES / "games/flesh-and-blood-orders.case.yaml")[0]
    with pytest.raises(BadInput, match="not what is paid"):
        lawful.pay(happens)
    with pytest.raises(BadInput, match="not what is paid"):
        lawful.judge(happens)


@pytest.mark.parametrize("what", [None, "3c1r", 3, {}])
def test_what_is_no_question_is_said_to_be_none(what: object) -> None:
    for ask in (lawful.pay, lawful.check, lawful.judge, lawful.order):
        with pytest.raises(TypeError, match="Case"):
            ask(what)  # type: ignore[operator]


def test_a_judgement_tells_its_steps() -> None:
    from lawful.model.casefile import parse_claim

    question = asked("Inner Chi, blue")
    right = lawful.judge(question, parse_claim("Inner Chi > blue", question))
    wrong = lawful.judge(question, parse_claim("blue > Inner Chi", question))
    assert [right.status, wrong.status] == ["legal", "illegal"]
    assert len(right) == len(list(right)) > len(wrong) == 1
    assert "CR 1.14.3b" in str(wrong)
    assert wrong._repr_html_().startswith("<pre>illegal")
    assert wrong.to_dict()["verdict"] == "illegal"
    assert pickle.loads(pickle.dumps(wrong)) == wrong
    with pytest.raises(TypeError, match="truth"):
        bool(wrong)
    with pytest.raises(BadInput, match="no payment is given"):
        lawful.judge(question)


ENGINE = """\
Wolf<b>: {types: [Ally], yields: {r: 1}}
Mill: {types: [Item], abilities: [{activate: {cost: [{tap: $self}], do: [{gain: {r: 2}}]}}]}
Crank: {types: [Item], abilities: [{activate: {cost: [1r], do: [{untap: {type: Item}}]}}]}
Chi<b>: {types: [Action], cost: 3c, abilities: [{resolve: {do: [{destroy: {type: Ally, how: target}}]}}]}
"""


def test_a_sweep_is_shown_counted_and_kept(tmp_path: Path) -> None:
    (tmp_path / "mine.cards.yaml").write_text(ENGINE, encoding="utf8")
    found = lawful.stress(str(tmp_path / "mine.cards.yaml"), game="fab")
    assert len(found) == len(list(found)) == len(found.findings) > 0
    assert found[0] == found.findings[0]
    assert str(found).splitlines()[0].startswith("4 cards in question")
    shown = found._repr_html_()
    assert "&lt;b&gt;" in shown
    assert "Chi<b>" not in shown
    assert len(repr(found)) < 200
    assert found.to_dict()["findings"] == len(found)
    assert [found.svg(at)[:4] in ("", "<svg") for at in range(len(found))] == [True] * len(found)
    again = pickle.loads(pickle.dumps(found))
    assert (again.rows, str(again)) == (found.rows, str(found))
    with pytest.raises(TypeError, match="truth"):
        bool(found)


def test_nothing_found_is_still_shown(tmp_path: Path) -> None:
    (tmp_path / "mine.cards.yaml").write_text("Plain: {types: [ally]}\n", encoding="utf8")
    found = lawful.stress(str(tmp_path / "mine.cards.yaml"), game="fab")
    assert len(found) == 0
    assert list(found) == []
    assert "0 findings" in str(found)
    assert "0 findings" in found._repr_html_()


def test_threads_of_every_kind_get_the_answers_of_one() -> None:
    orders = lawful.load(CASES / "games/flesh-and-blood-orders.case.yaml")[:3]
    alone = [str(lawful.order(case)) for case in orders] + [str(lawful.check(asked("blue, red")))]
    jobs = [lambda case=case: str(lawful.order(case)) for case in orders] + [
        lambda: str(lawful.check(asked("blue, red")))
    ]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda job: job(), jobs)) == alone


def test_what_is_public_is_listed() -> None:
    assert set(lawful.__all__) <= set(dir(lawful))


def test_a_text_of_a_case_is_checked_as_what_may_be_chosen() -> None:
    (case,) = lawful.read(
        "{case: one target and two that must be chosen, ruleset: berserk-heroes,"
        " cards: {Guardian: {types: [creature], abilities: [{static: {must: {target: $self}}}]}},"
        " given: {players: {Ann: {}, Bob: {arena: [Guardian, Guardian]}}, turn: Ann},"
        " when: {player: Ann, do: [{wound: {type: creature, how: target}, n: 1}]}}"
    )
    assert lawful.check(case).status == "illegal"
    with pytest.raises(BadInput, match="says what happens, not what is paid"):
        lawful.pay(case)


def test_what_happens_in_many_steps_is_no_declaration() -> None:
    (case,) = lawful.read(
        "{case: twice, ruleset: berserk-heroes, cards: {Wolf: {types: [creature]}},"
        " given: {players: {Ann: {}, Bob: {arena: [Wolf]}}, turn: Ann},"
        " when: {events: [{player: Ann, do: [{wound: {name: Wolf}}]}, {player: Ann, do: [{wound: {name: Wolf}}]}]}}"
    )
    for ask in (lawful.check, lawful.pay):
        with pytest.raises(BadInput, match=r"lawful\.order"):
            ask(case)


def test_a_notebook_shows_the_words_of_the_command_line_not_the_fields() -> None:
    pretty = pytest.importorskip("IPython.lib.pretty").pretty
    (case,) = lawful.read(
        "{case: a wound, ruleset: berserk-heroes, cards: {Wolf: {types: [creature]}},"
        " given: {players: {Ann: {}, Bob: {arena: [Wolf]}}, turn: Ann},"
        " when: {player: Ann, do: [{wound: {type: creature, how: target}}]}}"
    )
    answers = lawful.pay(asked()), lawful.judge(asked(), "Inner Chi > blue"), lawful.check(case), lawful.order(case)
    for answer in answers:
        assert pretty(answer) == str(answer)
        assert repr(answer) == f"<{type(answer).__name__}: {str(answer).splitlines()[0]}>"
