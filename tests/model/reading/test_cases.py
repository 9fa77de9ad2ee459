"""Case files: what is said, what is not said, what is wrong, each with its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawful.model.casefile import Case, read_cases, write_case
from lawful.model.cost import AssetTerm, CostAll
from lawful.model.errors import BadInput, Fault
from lawful.model.frozen import FrozenMap
from lawful.model.payment import Claim, Use

HEAD = "case: c\nruleset: fab\n"


def case(text: str) -> Case:
    [found] = read_cases(HEAD + text, file="f")
    return found


def faults(text: str, head: str = HEAD) -> tuple[Fault, ...]:
    with pytest.raises(BadInput) as caught:
        read_cases(head + text, file="f")
    return caught.value.faults


def test_the_case_of_the_contract() -> None:
    found = case(
        "rows: [FAB-14, FAB-07-]\ncite: first example\n"
        "cards: {Frostbite: [{static: {modify: cost.r, stage: increase, add: 1, of: {declaration: {by: $controller}}}}"
        "]}\n"
        "given:\n  players:\n    Tyler: {hand: [Inner Chi, blue], arena: [Frostbite]}\n    Nic: {}\n  turn: Tyler\n"
        'when: {player: Tyler, cost: "{c}{c}{c}"}\n'
        "then: {verdict: legal, ways: [{c: [Inner Chi], r: [blue], pool: {r: 2}}]}\n"
    )
    assert (found.name, found.file, found.line, found.rows) == ("c", "f", 1, ("FAB-14", "FAB-07-"))
    position, declaration = found.question.position, found.question.declaration
    assert [(t.id, t.zone, t.controller) for t in position.things] == [
        ("Inner Chi", "hand", "Tyler"), ("blue", "hand", "Tyler"), ("Frostbite", "arena", "Tyler"),
    ]  # fmt: skip
    assert [p.name for p in position.players] == ["Tyler", "Nic"]
    assert (declaration.kind, declaration.cost) == ("cost", CostAll((AssetTerm("c", 3),)))
    assert found.expect.data == {
        "verdict": "legal", "ways": [{"c": ["Inner Chi"], "r": ["blue"], "pool": {"r": 2}}],
    }  # fmt: skip


def test_what_is_not_said() -> None:
    found = case("when: {cost: 1r}")
    [player] = found.question.position.players
    assert player.pool == FrozenMap({a.id: a.start for a in found.question.ruleset.assets})
    declaration = found.question.declaration
    assert (declaration.player, declaration.x, declaration.options) == (player.name, None, None)
    assert found.claim is None
    assert found.expect.data == {}
    assert found.question.position.turn == player.name


@pytest.mark.parametrize(
    ("said", "pool"),
    [
        ("float: 0c2r", {"c": 0, "r": 2}),
        ("float: {c: 1, resource: 4}", {"c": 1, "r": 4}),
        ("life: 3, action point: 0", {"h": 3, "a": 0}),
        ("c: 2", {"c": 2}),
    ],
)
def test_pools(said: str, pool: dict[str, int]) -> None:
    have = case(f"given: {{players: {{T: {{{said}}}}}}}\nwhen: {{cost: 1r}}").question.position.players[0].pool
    assert {asset: have[asset] for asset in pool} == pool


def test_copies_get_ids_and_objects_say_what_they_are() -> None:
    found = case(
        "given:\n  players:\n    A:\n      hand: [blue, {card: blue, n: 2}, red x2]\n"
        "      arena: [{card: blue, id: 'blue #2', face: down, status: tapped, counters: {charge: 3}, owner: B,"
        " relations: {attached: blue}}]\n    B: {hand: [blue], facts: {form: hero}}\n  started: 3\n"
        "when: {cost: 0}\n"
    )
    position = found.question.position
    ids = [thing.id for thing in position.things]
    assert ids == ["blue", "blue #3", "blue #4", "red", "red #2", "blue #2", "blue #5"]
    thing = position.thing("blue #2")
    assert (thing.owner, thing.controller, thing.face, thing.status) == ("B", "A", "down", frozenset({"tapped"}))
    assert (thing.counters["charge"], thing.relations["attached"]) == (3, "blue")
    assert position.player("B").facts["form"] == "hero"
    assert position.started == 3


def test_what_is_played_comes_from_hand_and_is_laid_there_if_it_lies_nowhere() -> None:
    cards = "cards: {Kick: {types: [Action], cost: 1r}}\n"
    there = case(cards + "given: {players: {A: {hand: [blue, Kick]}}}\nwhen: {play: Kick}")
    assert there.question.declaration.thing == "Kick"
    assert len(there.question.position.things) == 2
    nowhere = case(cards + "given: {players: {A: {hand: [blue]}}}\nwhen: {play: Kick, free: true, instant: yes, x: 0}")
    assert nowhere.question.position.thing("Kick").zone == "hand"
    declaration = nowhere.question.declaration
    assert (declaration.free, declaration.instant, declaration.x) == (True, True, 0)
    other = case(cards + "given: {players: {A: {}, B: {hand: [Kick]}}}\nwhen: {player: A, play: Kick}")
    assert other.question.declaration.thing == "Kick #2"


HERO = "cards: {Hero: [{activate: {name: one, cost: 1r}}, {activate: {name: two, cost: 2r}}]}\n"


def test_abilities() -> None:
    found = case(HERO + "given: {players: {A: {arena: [Hero]}}}\nwhen: {activate: Hero, ability: two, options: []}")
    declaration = found.question.declaration
    assert (declaration.kind, declaration.thing, declaration.ability) == ("activate", "Hero", "two")
    assert declaration.options == ()
    assert "several abilities" in faults(HERO + "when: {activate: Hero}")[0].message
    assert "did you mean 'two'?" in faults(HERO + "when: {activate: Hero, ability: twoo}")[0].hint
    assert "no ability" in faults("when: {activate: blue}")[0].message


GIVEN = "given: {players: {A: {hand: [blue, blue, red, Inner Chi]}}}\n"
DISCARD = "when: {cost: [3c1r, {discard: {zone: hand}}, {discard: {zone: hand}}], pay: %s}"


def test_expectations() -> None:
    found = case(
        GIVEN + "when: {cost: Xr, pool: 0c, started: true, pay: blue}\n"
        "then:\n  count: 3\n  counts: {sources: 7}\n  ways: [{r: blue, x: 2, pool: 1r, discard: []}]\n"
        "  due: {chi: 3, r: 1}\n  reasons: [[chi-part, 1.14.3b], 1.8.7]\n  broken: chi-part\n"
        "  illegal: [{pay: red, pool: 0r, x: 1, broken: useful}]\n  legal: [{pay: blue}]\n"
        "  assumed: [U1]\n  readings: {above-zero: illegal, 'U1: to-zero': 3}\n"
    )
    expect = found.expect
    assert found.claim == Claim((Use("blue", "", ""),), pool=FrozenMap({"c": 0}), started=True)
    assert expect.data == {
        "count": 3,
        "counts": {"sources": 7},
        "ways": [{"r": ["blue"], "x": {"X": 2}, "pool": {"r": 1}, "discard": []}],
        "reasons": [["1.14.2c", "1.14.3b"], "1.8.7"],
        "broken": "1.14.2c",
    }
    assert expect.due == {"c": 3, "r": 1}
    assert [(p.legal, p.broken, p.claim.x) for p in expect.payments] == [(True, None, None), (False, "1.14.3b", 1)]
    assert expect.assumed == ("U1",)
    assert expect.readings == {"above-zero": {"verdict": "illegal"}, "U1: to-zero": {"count": 3}}


def test_readings_and_versions_are_chosen() -> None:
    found = case("version: reprise-20\nreadings: {U1: above-zero}\nwhen: {cost: 1h}")
    assert found.question.ruleset.version == "reprise-20"
    assert found.question.ruleset.asset("h").keep == 1
    assert "did you mean 'reprise-20'?" in faults("version: reprise-2\nwhen: {cost: 1h}")[0].hint
    assert faults("readings: {U1: above}\nwhen: {cost: 1h}")[0].column == 16


def test_effects_that_last() -> None:
    found = case(
        "given: {players: {A: {}}, lasting: [{controller: A, modify: cost.r, stage: reduce, subtract: 1}]}\n"
        "when: {cost: 1r}"
    )
    [effect] = found.question.position.lasting
    assert (effect.controller, effect.modifier.operation, effect.modifier.amount) == ("A", "subtract", 1)
    assert found.question.position.clock > effect.timestamp


def test_cards_of_other_files(tmp_path: Path) -> None:
    (tmp_path / "my.cards.yaml").write_text("cards:\n  Ice: {yields: {r: 2}}\n", encoding="utf-8")
    (tmp_path / "bad.cards.yaml").write_text("Ice: {yields: {q: 2}}\n", encoding="utf-8")
    path = tmp_path / "a.case.yaml"
    path.write_text(
        HEAD + "use: my.cards.yaml\ngiven: {players: {A: {hand: [Ice]}}}\nwhen: {cost: 1r}\n", encoding="utf-8"
    )
    [found] = read_cases(path)
    assert found.file == str(path)
    assert found.question.position.cards["Ice"].yields == FrozenMap({"r": 2})
    path.write_text(HEAD + "use: [bad.cards.yaml, none.yaml]\nwhen: {cost: 1q}\n", encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        read_cases(path)
    places = [(Path(fault.file).name, fault.line) for fault in caught.value.faults]
    assert places == [("a.case.yaml", 3), ("a.case.yaml", 4), ("bad.cards.yaml", 1)]


def test_a_ruleset_beside_the_case(tmp_path: Path) -> None:
    from lawful.model.reading.rulesetfile import dump_ruleset
    from lawful.model.reading.yamlout import to_yaml
    from lawful.model.rulesets import load_ruleset

    (tmp_path / "mine.yaml").write_text(to_yaml(dump_ruleset(load_ruleset("fab"))), encoding="utf-8")
    path = tmp_path / "a.case.yaml"
    path.write_text("case: c\nruleset: mine.yaml\nwhen: {cost: 1r}\n", encoding="utf-8")
    assert read_cases(path)[0].question.ruleset == load_ruleset("fab")


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


@pytest.mark.parametrize(
    "text",
    [
        GIVEN + "when: {cost: 3cXr, x: 1, types: [a], options: []}",
        GIVEN + DISCARD % "[{id: 'blue #2'}, {id: blue}, {discard: [{id: blue}]}]",
        HERO
        + "given: {players: {A: {float: 3r, facts: {f: g}}, B: {arena: [{card: Hero, owner: A, counters: {x: 1}}]}},"
        " turn: B, lasting: [{modify: cost.r, stage: set, set: 3}]}\nwhen: {player: B, activate: Hero, ability: one}",
        "version: reprise-20\nreadings: {U1: above-zero}\ncards: {K: {cost: [1r, {tap: $self}]}}\n"
        "when: {play: K, free: true}",
    ],
)
def test_a_written_case_reads_as_the_same_question(text: str) -> None:
    found = case(text)
    again = read_cases(write_case(found.question, found.claim, name="c"))[0]
    assert (again.question, again.claim) == (found.question, found.claim)


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
