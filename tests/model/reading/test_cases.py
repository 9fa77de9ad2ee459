"""Case files: what is said, what is not said, and writing it again."""

from __future__ import annotations

from pathlib import Path

import pytest

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


def test_a_payment_that_stands_alone_is_its_steps() -> None:
    text = (
        "given: {players: {Ann: {hand: [blue, red]}}}\nwhen: {player: Ann, cost: 1r}\nthen: {legal: %s, illegal: %s}\n"
    )
    alone = case(text % ("[blue, [red]]", '["blue > red"]'))
    spelled = case(text % ("[{pay: blue}, {pay: [red]}]", '[{pay: "blue > red"}]'))
    assert [(p.claim, p.legal) for p in alone.expect.payments] == [(p.claim, p.legal) for p in spelled.expect.payments]
    assert len(alone.expect.payments) == 3
