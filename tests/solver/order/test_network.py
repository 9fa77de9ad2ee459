"""Circles of conditions: fixpoints by CP-SAT are those of trying everything."""

# ruff: noqa: E501 - a card is one line
from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest
from order_worlds import ask, explored

from lawful.model.ordered import Knot
from lawful.solver.order.answer import ordered
from lawful.solver.order.knots import knots
from lawful.solver.order.network import Network, fixpoints, least


def signed(dice: random.Random) -> Network:
    """Return a random network with signed edges: a node is on while what helps outweighs what hinders."""
    nodes = "abcdef"[: dice.randint(1, 6)]
    inputs, tables = {}, {}
    for node in nodes:
        chosen = tuple(n for n in nodes if dice.random() < 0.4)
        signs = [dice.choice((1, -1)) for _ in chosen]
        least_ = dice.randint(-1, 1)
        inputs[node] = chosen
        tables[node] = {
            values: sum(s for s, v in zip(signs, values, strict=True) if v) >= least_
            for values in product((False, True), repeat=len(chosen))
        }
    return Network(inputs, tables)


def brute(network: Network) -> set[tuple[str, ...]]:
    nodes = tuple(network.inputs)
    found = set()
    for values in product((False, True), repeat=len(nodes)):
        on = frozenset(n for n, v in zip(nodes, values, strict=True) if v)
        if all(network.value(n, on) == (n in on) for n in nodes):
            found.add(tuple(n for n in nodes if n in on))
    return found


@pytest.mark.parametrize("start", range(0, 5_000, 1_000))
def test_fixpoints_are_those_of_trying_every_set(start: int) -> None:
    none = several = 0
    for seed in range(start, start + 1_000):
        network = signed(random.Random(seed))
        expected = brute(network)
        assert set(fixpoints(network)) == expected, seed
        none += not expected
        several += len(expected) > 1
    assert none > 50
    assert several > 50


def test_without_a_node_that_hinders_the_least_is_a_fixpoint_and_within_all() -> None:
    looked = 0
    for seed in range(600):
        network = signed(random.Random(seed))
        if any(network.sign(n, i) in ("-", "?") for n, ins in network.inputs.items() for i in ins):
            continue
        looked += 1
        low = set(least(network))
        assert all(low <= set(other) for other in brute(network))
        assert tuple(n for n in network.inputs if n in low) in brute(network)
    assert looked > 20


def _knots(cards: str, arena: str) -> tuple[Knot, ...]:
    asked = ask(
        f"case: knot\nruleset: berserk-heroes\ncards:\n{cards}\n"
        f"given: {{players: {{Ann: {{arena: [{arena}]}}, Bob: {{}}}}}}\nwhen: {{do: []}}\n"
    )
    from lawful.solver.order.board import Boards

    return knots(Boards(asked.ruleset, asked.position), asked.position)


def test_stronger_while_not_stronger_is_a_paradox() -> None:
    card = "  Liar: {types: [creature], strike: 2, life: 1, abilities: [{static: {modify: strike, stage: change, add: 1, of: $self, while: {value: $self.strike, le: 2}}}]}"
    (knot,) = _knots(card, "Liar")
    assert (knot.kind, knot.fixpoints, knot.in_force, knot.agrees) == ("paradox", (), (), False)


def test_each_on_while_the_other_is_off_is_ambiguous() -> None:
    cards = "\n".join(
        f"  {a}: {{types: [creature], {s}: 1, {o}: 1, life: 1, abilities: [{{static: {{modify: {s}, stage: change, add: 1, of: {{type: creature}}, "
        f"while: {{value: $self.{o}, lt: 2}}}}}}]}}"
        for a, s, o in (("A", "up", "down"), ("B", "down", "up"))
    )
    (knot,) = _knots(cards, "A, B")
    assert knot.kind == "ambiguous"
    assert set(knot.fixpoints) == {("A/0",), ("B/0",)}
    assert knot.in_force in knot.fixpoints


def test_mutual_support_takes_the_least() -> None:
    cards = "\n".join(
        f"  {a}: {{types: [creature], {s}: 1, {o}: 1, life: 1, abilities: [{{static: {{modify: {s}, stage: change, add: 1, of: {{type: creature}}, "
        f"while: {{value: $self.{o}, ge: 2}}}}}}]}}"
        for a, s, o in (("A", "up", "down"), ("B", "down", "up"))
    )
    (knot,) = _knots(cards, "A, B")
    assert (knot.kind, knot.fixpoints, knot.agrees) == ("settled", ((),), True)


def test_no_circle_no_knot() -> None:
    card = "  Calm: {types: [creature], strike: 2, life: 1, abilities: [{static: {modify: strike, stage: change, add: 1, of: $self, while: {value: $self.life, le: 2}}}]}"
    assert _knots(card, "Calm") == ()


# Loops of triggers.


def _loop(cards: str, arena: str = "Bell", more: str = "") -> str:
    return (
        f"case: loop\nruleset: flesh-and-blood\ncards:\n{cards}\n"
        f"given: {{players: {{Ann: {{arena: [{arena}]}}, Bob: {{}}}}}}\nwhen: {{source: Bell, do: [{{add: mark, of: $self}}]}}\n{more}"
    )


def test_a_loop_that_only_grows_is_named_with_what_grows() -> None:
    card = "  Bell: {types: [bell], abilities: [{trigger: {on: {add: $self}, do: [{add: mark, of: $self}]}}]}"
    answer = ordered(ask(_loop(card)))
    assert (answer.status, answer.outcomes, answer.terminates) == ("undetermined", (), "loops")
    (loop,) = answer.loops
    assert (loop.steps, dict(loop.grows), loop.optional) == (("Bell", "add Bell"), {"Bell counters mark": 1}, False)


def test_a_loop_that_comes_back_is_named_with_its_period() -> None:
    card = (
        "  Bell: {types: [bell], abilities: [{trigger: {on: {add: $self}, do: [{remove: mark, of: $self}]}}, "
        "{trigger: {on: {remove: $self}, do: [{add: mark, of: $self}]}}]}"
    )
    answer = ordered(ask(_loop(card)))
    (loop,) = answer.loops
    assert (sorted(loop.steps), dict(loop.grows)) == (["Bell", "Bell", "add Bell", "remove Bell"], {})


def test_a_loop_that_may_be_declined_is_optional() -> None:
    card = "  Bell: {types: [bell], abilities: [{trigger: {on: {add: $self}, optional: true, do: [{add: mark, of: $self}]}}]}"
    answer = ordered(ask(_loop(card)))
    assert [loop.optional for loop in answer.loops] == [True]
    assert answer.outcomes


def test_numbers_that_are_read_are_followed_to_the_end() -> None:
    """It grows, and yet it ends: what grows is read by its condition."""
    card = "  Bell: {types: [bell], abilities: [{trigger: {on: {add: $self}, when: {value: $self.counters.mark, lt: 9}, do: [{add: mark, of: $self}]}}]}"
    answer = ordered(ask(_loop(card)))
    assert (answer.loops, answer.terminates) == ((), "bounded")
    assert [o.position.thing("Bell").counters["mark"] for o in answer.outcomes] == [9]


def test_what_uses_something_up_is_proved_to_end() -> None:
    card = (
        "  Bell: {types: [bell], abilities: [{trigger: {on: {add: $self}, do: [{remove: fuel, of: $self}]}}, "
        "{trigger: {on: {remove: $self}, do: [{remove: fuel, of: $self}]}}]}"
    )
    answer = ordered(ask(_loop(card, "{card: Bell, counters: {fuel: 5}}")))
    assert answer.terminates == "proved"
    assert set(answer.certificate) == {"counters fuel"}
    assert [dict(o.position.thing("Bell").counters) for o in answer.outcomes] == [{"mark": 1}]


def test_a_certificate_is_refused_where_something_is_put_back() -> None:
    card = (
        "  Bell: {types: [bell], abilities: [{trigger: {on: {add: $self}, do: [{remove: fuel, of: $self}]}}, "
        "{trigger: {on: {remove: $self}, do: [{add: fuel, of: $self}]}}]}"
    )
    answer = ordered(ask(_loop(card, "{card: Bell, counters: {fuel: 5}}")))
    assert answer.terminates == "loops"


def test_a_limit_is_reported_and_nothing_is_claimed() -> None:
    card = "  Bell: {types: [bell], abilities: [{trigger: {on: {add: $self}, when: {value: $self.counters.mark, lt: 900}, do: [{add: mark, of: $self}]}}]}"
    answer = ordered(ask(_loop(card)), states=100)
    assert (answer.status, answer.complete, answer.limit, answer.confluent) == (None, False, "states", False)
    assert explored(ask(_loop(card)), states=100).ends == []


def _ring(n: int, op: str) -> str:
    """Return cards in a ring: each adds to its own number while the next one's number is high, or low."""
    return "\n".join(
        f"  C{i}: {{types: [creature], n{i}: 1, n{(i + 1) % n}: 1, life: 1, abilities: [{{static: {{modify: n{i}, stage: change, add: 1, of: {{type: creature}}, "
        f"while: {{value: $self.n{(i + 1) % n}, {op}}}}}}}]}}"
        for i in range(n)
    )


@pytest.mark.parametrize(
    ("n", "op", "kind", "many"),
    [(14, "lt: 2", "ambiguous", 2), (13, "lt: 2", "paradox", 0), (16, "ge: 2", "settled", 1)],
)
def test_a_circle_of_many_is_solved(n: int, op: str, kind: str, many: int) -> None:
    (knot,) = _knots(_ring(n, op), ", ".join(f"C{i}" for i in range(n)))
    assert (len(knot.members), knot.kind, len(knot.fixpoints)) == (n, kind, many)


def test_a_number_of_ones_own_is_nobody_elses_circle() -> None:
    """Twelve that each look at their own number are twelve circles of one, not one of twelve."""
    card = "  Liar: {types: [creature], strike: 2, life: 1, abilities: [{static: {modify: strike, stage: change, add: 1, of: $self, while: {value: $self.strike, le: 2}}}]}"
    found = _knots(card, "{card: Liar, n: 12}")
    assert [(len(knot.members), knot.kind) for knot in found] == [(1, "paradox")] * 12


def test_a_circle_that_is_too_large_is_said_to_be() -> None:
    """Each hangs on how many are strong, so each on all: more than can be tried, and nothing is claimed."""
    card = "  Wolf: {types: [creature], strike: 1, life: 1, abilities: [{static: {modify: strike, stage: change, add: 1, of: {type: creature}, while: {count: {type: creature, where: {strike: {ge: 2}}}, ge: 2}}}]}"
    asked = ask(
        f"case: pack\nruleset: berserk-heroes\ncards:\n{card}\n"
        f"given: {{players: {{Ann: {{arena: [{{card: Wolf, n: 14}}]}}, Bob: {{}}}}}}\nwhen: {{do: []}}\n"
    )
    answer = ordered(asked)
    assert [(knot.kind, len(knot.members)) for knot in answer.knots] == [("unsolved", 14)]
    assert (answer.status, answer.complete, answer.limit) == (None, False, "conditions")
    few = ordered(replace(asked, position=replace(asked.position, things=asked.position.things[:6])))
    assert (few.complete, [knot.kind for knot in few.knots]) == (True, ["settled"])


def test_a_chain_of_replacements_ends_by_itself() -> None:
    """Each applies once to one original event; no weights are needed."""
    asked = ask(
        "case: chain\nruleset: flesh-and-blood\ncards:\n  X: {types: [ally], life: 5}\n"
        "  R1: {types: [aura], abilities: [{replace: {on: {wounds: {type: ally}}, instead: [{add: rust, of: $subject, n: $event}]}}]}\n"
        "  R2: {types: [aura], abilities: [{replace: {on: {add: {type: ally}}, instead: [{wound: $subject, n: $event}]}}]}\n"
        "given: {players: {Ann: {arena: [X, R1, R2]}, Bob: {}}, turn: Ann}\nwhen: {do: [{wound: {type: ally, how: each}, n: 2}]}\n"
    )
    answer = ordered(asked)
    assert (answer.terminates, dict(answer.certificate)) == ("proved", {})
    assert [o.position.thing("X").counters.get("wounds") for o in answer.outcomes] == [2]


def test_drawing_for_what_dies_ends_as_there_is_less_to_die() -> None:
    asked = ask(
        "case: ghosts\nruleset: berserk-heroes\ncards:\n"
        "  Ghost: {types: [creature], life: 0, abilities: [{trigger: {on: {die: {type: creature}}, do: [{draw: 1}]}}]}\n  Card: {types: [x]}\n"
        "given: {players: {Ann: {arena: [{card: Ghost, n: 2}], deck: [{card: Card, n: 6}]}, Bob: {}}, turn: Bob}\nwhen: {do: []}\n"
    )
    answer = ordered(asked)
    assert (answer.terminates, dict(answer.certificate)) == ("proved", {"in play": 1})


def test_what_is_done_to_one_object_is_not_heard_by_what_speaks_of_another() -> None:
    card = "  Cat: {types: [creature], life: 3, abilities: [{trigger: {on: {wounds: $self}, limit: 1, do: [{add: rage, of: $self}]}}]}"
    asked = ask(
        f"case: cats\nruleset: berserk-heroes\ncards:\n{card}\n"
        "given: {players: {Ann: {arena: [{card: Cat, id: one}, {card: Cat, id: two}]}, Bob: {}}}\n"
        "when: {source: one, do: [{wound: $self}, {wound: {type: creature}}]}\n"
    )
    heard = [(e.from_, e.to) for e in ordered(asked).graph.edges if e.kind == "matches"]
    assert heard == [("step 1", "one/0"), ("step 2", "one/0"), ("step 2", "two/0")]


@pytest.mark.parametrize(
    ("game", "kind", "on", "do"),
    [
        # What a verb is to those who hear it is what sets them off.
        ("marvel-champions", "support", "damage: {type: hero}", "{deal: damage, of: {type: hero}, n: 1}"),
        # Counters that a verb of the ruleset puts back are not used up.
        ("flesh-and-blood", "Item", "remove: $self", "{remove: chi, of: $self}, {place_counter: chi, of: $self}"),
    ],
)
def test_nothing_is_proved_of_a_circle_that_has_not_begun(game: str, kind: str, on: str, do: str) -> None:
    """The certificate speaks of whatever may happen, so that a circle nobody has begun yet counts, too."""
    zone = "play" if kind == "support" else "arena"
    asked = ask(
        f"case: circle\nruleset: {game}\ncards:\n  Hero: {{types: [hero], hit_points: 90}}\n"
        f"  Echo: {{types: [{kind}], abilities: [{{trigger: {{on: {{{on}}}, do: [{do}]}}}}]}}\n"
        f"given: {{players: {{Ann: {{{zone}: [Hero, {{card: Echo, counters: {{chi: 2}}}}]}}}}, turn: Ann}}\nwhen: {{do: []}}\n"
    )
    assert ordered(asked).terminates == "bounded"
