"""Names that are the same, what cannot be gained, numbers that cannot be raised: referee and solver say the same."""

from __future__ import annotations

import random
from typing import Any

import pytest
from order_worlds import agree, ask

import lawful
from lawful.checking import check
from lawful.model.casefile import read_cases
from lawful.model.declaration import Question
from lawful.model.errors import BadInput, LimitReached
from lawful.model.page import Page
from lawful.model.position import Player
from lawful.model.referee import payments
from lawful.model.referee.layers import layers
from lawful.solver.order.board import Boards
from lawful.solver.ways import find


def question(text: str) -> Question:
    (case,) = read_cases(text)
    assert isinstance(case.question, Question)
    return case.question


PITCH = """
case: names
ruleset: fab
cards:
  Twin: {types: [Action], yields: {r: 1}}
  Other: {types: [Action], yields: {r: 1}}
  Ban: [{static: {cannot: {pitch: {namesake: NAMESAKE}}}}]
given: {players: {Ann: {hand: [Twin, Other], arena: [Ban], facts: {"card named": Other}}, Ben: {arena: [BEN]}}}
when: {player: Ann, cost: 1r}
"""


@pytest.mark.parametrize(
    ("namesake", "ben", "pitched"),
    [
        ("$controller.card named", "Other", {"Twin"}),
        ("$controller.nothing said", "Other", {"Twin", "Other"}),
        ("{zone: arena, controller: $opponent}", "Other", {"Twin"}),
        ("{zone: arena, controller: $opponent}", "Twin", {"Other"}),
        ("{zone: graveyard, controller: $opponent}", "Twin", {"Twin", "Other"}),
        ("{zone: arena, controller: $opponent}", "{card: Twin, face: down}", {"Twin", "Other"}),
    ],
)
def test_what_is_called_the_same_is_not_pitched(namesake: str, ben: str, pitched: set[str]) -> None:
    text = PITCH.replace("NAMESAKE", namesake).replace("BEN", ben)
    asked = question(text.replace("Ben: {arena: [Twin]}", "Ben: {arena: [{card: Twin, id: theirs}]}"))
    found = find(asked)
    solved = {payment for _, payment, _, _ in found.lines("sequences", False, Page())}
    played = {payment for payment, _ in payments(asked, 1000)}
    assert solved == played
    assert {asked.position.thing(use.thing).card for payment in played for use in payment.uses} == pitched


DEFEND = """
case: defending
ruleset: fab
cards:
  Blade:
    types: [Action, Attack]
    abilities:
      - static: {cannot: {defend: {namesake: {zone: banished, owner: $opponent}}}, while: {count: {is: $self}, ge: 1}}
  Shield: {types: [Action], defense: 2}
given: {players: {Ann: {chain: [{card: Blade, status: attacking}]}, Ben: {hand: [Shield], banished: [THERE]}}}
when: {player: Ben, declare: defend, targets: {defenders: [Shield]}}
"""


@pytest.mark.parametrize(
    ("there", "verdict"), [("{card: Shield, id: gone}", "illegal"), ("{card: blue, id: gone}", "legal")]
)
def test_what_is_called_as_a_card_elsewhere_does_not_defend(there: str, verdict: str) -> None:
    text = DEFEND.replace("THERE", there)
    answer = check(question(text))
    assert answer.status == verdict


GAIN = """
case: gaining
ruleset: fab
cards:
  Ban: [{static: {cannot: {gains: {asset: h, subject: WHO}}}}]
given: {players: {Ann: {arena: [Ban], float: 5h}, Ben: {float: 5h}}}
when: {player: Ann, do: [{gain: GAIN}]}
"""


@pytest.mark.parametrize(
    ("who", "gain", "life"),
    [("$controller", "2h", 5), ("$controller", "1h", 5), ("$opponent", "2h", 7), ("$controller", "2r", 5)],
)
def test_what_cannot_be_gained_is_not(who: str, gain: str, life: int) -> None:
    (end,) = agree(ask(GAIN.replace("WHO", who).replace("GAIN", gain)))
    pool = next(player.pool for player in _players(end) if player.name == "Ann")
    assert (pool["h"], pool["r"]) == (life, 2 if gain == "2r" else 0)


def test_a_norm_on_what_nothing_here_gives_does_not_bear_on_paying() -> None:
    text = "case: x\nruleset: fab\ncards: {{Ban: [{{static: {{cannot: {{gains: {{asset: {}}}}}}}}}]}}\n"
    text += "when: {{cost: 1r}}\ngiven: {{players: {{A: {{hand: [blue], arena: [Ban]}}}}}}\n"
    assert lawful.pay(question(text.format("h"))).status == "legal"
    with pytest.raises(LimitReached, match="gained"):
        lawful.pay(question(text.format("r")))


def _players(end: Any) -> list[Player]:
    return [
        part
        for value in end.values()
        for part in (value if isinstance(value, tuple) else (value,))
        if isinstance(part, Player)
    ]


RAISE = """
case: raising
ruleset: fab
cards:
  Bear: {types: [Attack, Action], power: 3}
  Ban: [{static: {cannot: {raise.power: NORM}, while: WHILE}}]
  Up: {types: [Item], abilities: [{static: {modify: power, stage: increase, add: 2, of: {type: Attack}}}]}
  Down: [{static: {modify: power, stage: reduce, subtract: 1, of: {type: Attack}}}]
  Base: [{static: {modify: base.power, stage: set, set: 6, of: {type: Attack}}}]
  Proud: {types: [Attack, Action], power: 2, abilities: [{static: {modify: power, stage: increase, add: 3, of: $self}}]}
given: {players: {Ann: {arena: [THINGS]}, Ben: {}}}
when: {player: Ann, do: [{draw: 1}]}
"""
ALWAYS = "{count: {zone: arena}, ge: 1}"


def powers(text: str) -> dict[str, int]:
    """Return the power of every object, by the referee and by the machine alike."""
    asked = ask(text)
    table = layers(asked.position, asked.ruleset).table
    board = Boards(asked.ruleset, asked.position).of(asked.position)
    played = {id: n for (id, name), n in table.items() if name == "power"}
    assert played == {id: n for (id, name), n in board.numbers.items() if name == "power"}
    return played


@pytest.mark.parametrize(
    ("norm", "things", "power"),
    [
        ("{type: Attack}", "Bear, Up", 5),
        ("{type: Attack}", "Bear, Up, Ban", 3),
        ("{type: Attack}", "Bear, Up, Ban, Down", 2),
        ("{type: Attack}", "Bear, Up, Ban, Base", 6),
        ("{type: Item}", "Bear, Up, Ban", 5),
        ("{subject: {type: Attack}, source: {type: Item}}", "Bear, Up, Ban", 3),
        ("{subject: {type: Attack}, source: {type: Instant}}", "Bear, Up, Ban", 5),
        ("{subject: {type: Attack}, source: $subject}", "Bear, Up, Ban", 5),
        ("{subject: {type: Attack}, by: $controller}", "Bear, Up, Ban", 3),
        ("{subject: {type: Attack}, by: $opponent}", "Bear, Up, Ban", 5),
    ],
)
def test_what_cannot_be_raised_is_not(norm: str, things: str, power: int) -> None:
    text = RAISE.replace("NORM", norm).replace("WHILE", ALWAYS).replace("THINGS", things)
    assert powers(text)["Bear"] == power


def test_its_own_effects_do_not_raise_it() -> None:
    text = RAISE.replace("NORM", "{subject: {type: Attack}, source: $subject}").replace("WHILE", ALWAYS)
    assert powers(text.replace("THINGS", "Proud, Ban, Up"))["Proud"] == 4
    assert powers(text.replace("THINGS", "Proud, Up"))["Proud"] == 7


def test_on_any_board_they_agree() -> None:
    rng = random.Random(11)
    norms = ["{type: Attack}", "{where: {power: {ge: 3}}}", "{where: {power: {lt: 5}}}", "{is: $subject, type: Action}"]
    whiles = [ALWAYS, "{count: {where: {power: {ge: 5}}}, ge: 1}", "{count: {type: Item}, ge: 2}"]
    for _ in range(60):
        things = [rng.choice(["Bear", "Up", "Up", "Down", "Base", "Proud", "Ban"]) for _ in range(rng.randint(2, 6))]
        spelled = ", ".join(f"{{card: {name}, id: t{i}}}" for i, name in enumerate(things))
        text = RAISE.replace("NORM", rng.choice(norms)).replace("WHILE", rng.choice(whiles))
        assert set(powers(text.replace("THINGS", spelled))) == {
            f"t{i}" for i, n in enumerate(things) if n in ("Bear", "Proud")
        }


@pytest.mark.parametrize(
    "static", ["{must: {raise.power: {}}}", "{cannot: {raise.cost.r: {}}}", "{cannot: {raise.power: {on: $self}}}"]
)
def test_other_norms_on_raising_are_refused(static: str) -> None:
    text = f"case: x\nruleset: fab\ncards: {{Ban: [{{static: {static}}}]}}\nwhen: {{cost: 1r}}\n"
    text += "given: {players: {A: {arena: [Ban]}}}\n"
    with pytest.raises(BadInput, match="no norm is about"):
        read_cases(text)
