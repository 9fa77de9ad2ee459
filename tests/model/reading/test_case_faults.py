"""What is wrong with a case file: every fault with its place and the likely fix, and nothing hangs."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lawful.model.casefile import read_cases
from lawful.model.errors import BadInput, Fault

HEAD = "case: c\nruleset: fab\n"


def faults(text: str, head: str = HEAD) -> tuple[Fault, ...]:
    with pytest.raises(BadInput) as caught:
        read_cases(head + text, file="f")
    return caught.value.faults


@pytest.mark.parametrize(
    ("text", "at", "says"),
    [
        ("when: {cost: 1r}\nwehn: {}", (4, 1), "did you mean 'when'?"),
        ("when: {cost: 1r, plyer: A}", (3, 18), "did you mean 'player' or 'play'?"),
        ("when: {cost: 3c1q}", (3, 17), "unknown asset 'q'"),
        ("when: {cost: {r}}", (3, 14), 'quote it: "{r}" or write 1r'),
        ("when: {cost: -1r}", (3, 14), "negative"),
        ("when: {cost: 1000000000}", (3, 14), "limit: amount"),
        ("when: {cost: Xr, x: -1}", (3, 21), "x cannot be negative"),
        ("when: {cost: Xr, x: 1000000000}", (3, 21), "limit: amount"),
        ("when: {cost: Xr, x: 1.5}", (3, 21), "x must be a whole number"),
        ("when: {play: blu}", (3, 14), "did you mean 'blue'?"),
        ("when: {player: B, cost: 0}\ngiven: {players: {A: {}}}", (3, 16), "unknown player 'B'"),
        ("when: {}", (3, 7), "what is to be paid?"),
        ("when: {cost: 0}\ngiven: {players: {A: {hand: [blu]}}}", (4, 30), "did you mean 'blue'?"),
        ("when: {cost: 0}\ngiven: {players: {A: {hnad: [blue]}}}", (4, 23), "did you mean 'hand'?"),
        ("when: {cost: 0}\ngiven: {players: {A: {hand: [blue x10000]}}}", (4, 30), "limit: objects"),
        ("when: {cost: 0}\ngiven: {players: {A: {hand: [{card: blue, n: 10000}]}}}", (4, 30), "limit: objects"),
        ("when: {cost: 0}\ngiven: {players: {A: {hand: [{card: red, fase: up}]}}}", (4, 42), "'face'"),
        ("when: {cost: 0}\ngiven: {players: {A: {float: 1q}}}", (4, 31), "unknown asset 'q'"),
        ("when: {cost: 0}\ngiven: {players: {A: {life: -3}}}", (4, 29), "life cannot be negative"),
        ("when: {cost: 0}\ngiven: {turn: B, players: {A: {}}}", (4, 15), "unknown player 'B'"),
        ("when: {cost: 0}\ngiven: {players: {A: {hand: [{card: red, owner: B}]}}}", (4, 49), "unknown player 'B'"),
        ("when: {cost: 0}\nthen: {verdict: leagl}", (4, 17), "did you mean 'legal' or 'illegal'?"),
        ("when: {cost: 0}\nthen: {ways: [{c: [blu]}]}\ngiven: {players: {A: {hand: [blue]}}}", (4, 20), "'blue'"),
        ("when: {cost: 0}\nthen: {ways: [{q: [a]}]}", (4, 16), "unknown key 'q'"),
        ("when: {cost: 0}\nthen: {count: many}", (4, 15), "whole number"),
        ("when: {cost: 0}\nrows: [FAB-99]", (4, 8), "unknown row"),
        ("when: {cost: 0}\nthen: {assumed: [U9]}", (4, 17), "unknown open point"),
    ],
)
def test_faults(text: str, at: tuple[int, int], says: str) -> None:
    found = faults(text)
    assert len(found) == 1, [str(fault) for fault in found]
    assert (found[0].file, found[0].line, found[0].column) == ("f", *at)
    assert says in f"{found[0].message} {found[0].hint}"


@pytest.mark.parametrize(
    ("text", "at", "says"),
    [
        ("case: c\nruleset: fbb\nwhen: {cost: 0}", (2, 10), "did you mean 'fab'?"),
        ("case: c\nruleset: none/such.yaml\nwhen: {cost: 0}", (0, 0), "cannot be read"),
        ("ruleset: fab\nwhen: {cost: 0}", (1, 1), "a case needs 'case'"),
        ("case: c\nwhen: {cost: 0}", (1, 1), "a case needs 'ruleset'"),
        ("case: c\nruleset: fab", (1, 1), "a case needs 'when'"),
        ("- a", (1, 1), "a case must be a mapping"),
        ("", (1, 1), "empty"),
        ("case: \x00", (1, 7), "U+0000"),
    ],
)
def test_no_case(text: str, at: tuple[int, int], says: str) -> None:
    found = faults(text, head="")
    assert (found[0].line, found[0].column) == at
    assert says in f"{found[0].message} {found[0].hint}"


def test_every_fault_of_every_case_at_once() -> None:
    text = (
        HEAD
        + "when: {cost: 1q, x: -1}\ngiven: {players: {A: {hand: [blu]}}}\n---\n"
        + HEAD
        + "wehn: {}\nwhen: {cost: {r}}\n"
    )
    with pytest.raises(BadInput) as caught:
        read_cases(text)
    assert [(fault.line, fault.column) for fault in caught.value.faults] == [(3, 15), (3, 21), (4, 30), (8, 1), (9, 14)]


def test_a_binary_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.case.yaml"
    path.write_bytes(bytes(range(256)))
    with pytest.raises(BadInput, match="binary"):
        read_cases(path)


PIECES = st.sampled_from(
    [
        "case: a",
        "ruleset: fab",
        "when: {cost: 1r}",
        "when: {play: blue}",
        "given: {players: {A: {hand: [blue]}}}",
        "given: 3",
        "then: []",
        "when: []",
        "cards: {a: b}",
        "cards: [{name: x, cost: [{a: b}]}]",
        "rows: {}",
        "use: [[a]]",
        "readings: [a]",
        "version: {}",
        "when: {cost: [[[]]], pay: {}}",
        "given: {players: []}",
        "given: {players: {A: [blue], B: x}}",
        "then: {ways: {a: b}}",
        "then: {reasons: {a: b}, illegal: [a, {pay: {a: [b]}}], due: x, readings: {a: {}}}",
        "when: {pay: [{}], cost: 1}",
        "given: {lasting: [{}, a], turn: [], started: 0}",
        "---",
        "ruleset: {}",
        "when: {activate: {card: blue, zone: x}, x: {}}",
        "when: {play: {card: red, n: 2, id: red}, options: {}, types: {}}",
        "given: {players: {A: {hand: {card: blue}}}}",
    ]
)


@settings(max_examples=300)
@example("ruleset: fab\nthen: {illegal: [a, {pay: {a: [b]}}]}\nwhen: {activate: {card: blue, zone: x}, x: {}}")
@given(st.lists(PIECES, max_size=6).map("\n".join) | st.text(max_size=80))
def test_any_text_gives_cases_or_faults(text: str) -> None:
    try:
        found, faults = read_cases(text), ()
    except BadInput as bad:
        found, faults = (), bad.faults
    assert found or faults


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "".join(f"k{i}: 1\n" for i in range(20_000)),
        HEAD + "when: {cost: 0}\ngiven: {players: {A: {hand: [" + ",".join(f"b{i}" for i in range(20_000)) + "]}}}",
        HEAD + "when: {cost: 0}\ngiven: {players: {A: {hand: [" + ",".join(["blue"] * 20_000) + "]}}}",
        HEAD
        + "when: {cost: 0, pay: '"
        + " > ".join(["blue"] * 20_000)
        + "'}\ngiven: {players: {A: {hand: [blue x2000]}}}",
        HEAD + "when: {cost: 0}\ncite: " + "{c}" * 20_000,
    ],
    ids=["keys", "cards", "objects", "steps", "braces"],
)
def test_many_faults_end_soon_and_are_not_all_listed(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_cases(text)
    assert 1 <= len(caught.value.faults) <= 1001
    assert all(len(str(fault)) < 300 for fault in caught.value.faults)
