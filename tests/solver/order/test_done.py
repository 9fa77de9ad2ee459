"""Norms and additional costs on what effects do: referee and machine agree, and what counts as done can be barred."""

from __future__ import annotations

import random

import pytest
from order_worlds import agree, ask

from lawful.cards.binding import Bound, acts_of
from lawful.model.declaration import OrderQuestion
from lawful.model.errors import LimitReached
from lawful.model.position import Player
from lawful.model.referee.resolution import come_out, outcomes
from lawful.model.rulesets import load_ruleset
from lawful.solver.order.explore import Explorer

GAMES = ("flesh-and-blood", "marvel-champions", "berserk-heroes")
STATIC = "{static: {cannot: {%s}}}"


def world(rng: random.Random) -> str:
    """Return a board of Marvel Champions on which readying and forms cost something, or cannot be."""
    by, price = rng.choice(("$self.engaged", "$controller")), rng.choice(("1m", "1r", "2r"))
    texts = {
        "Fear": f"{{additional: {{cost: {price}, to: {{declaration: {{by: {by}}}}}, types: [ready]}}}}",
        "Bond": "{additional: {cost: [{asset: r, amount: 2, alike: same}], to: {declaration: {by: $controller}}, "
        "types: [change_form], when: {not: {form: hero}}}}",
        "Rut": STATIC
        % rng.choice(
            (
                "change_form: {by: $controller}",
                "ready: {type: ally}",
                "ready: {source: {type: event}}",
                "cancel: {type: minion}",
            )
        ),
        "Echo": "{trigger: {on: {ready: {type: ally}}, do: [{deal: damage, n: 1, of: Slab}]}}",
        "Turn": "{trigger: {on: {change_form: $controller}, do: [{ready: {type: ally, zone: play}}]}}",
        "Wall": STATIC % "damage: {subject: {type: minion}, cause: attack}",
    }
    there = rng.sample(sorted(texts), rng.randint(1, 4))
    cards = [
        f"  {name}: {{types: [{'minion' if name == 'Fear' else 'support'}], abilities: [{text}]}}"
        for name, text in texts.items()
    ]
    cards = [line.replace("of: Slab", "of: {type: slab}") for line in cards]
    hand = ", ".join(rng.choice("empw") for _ in range(rng.randint(0, 3)))
    lie = [f"{{card: {name}, relations: {{engaged: Ann}}}}" if name == "Fear" else name for name in there]
    acts = (
        "{ready: {type: ally, how: each}}", "{ready: {type: ally}}", "{as: a, change_form: $controller}",
        "{change_form: $controller, to: hero}", "{cancel: {type: support}}", "{deal: damage, n: 2, of: {type: slab}}",
        "{gain: 1e, given: a}",
    )  # fmt: skip
    do = [rng.choice(acts) for _ in range(rng.randint(1, 3))]
    if do[0] != acts[2]:
        do = [act for act in do if act != acts[6]]
    cause = rng.choice(("", ", cause: attack"))
    form = rng.choice(("hero", "alter-ego"))
    return "\n".join([
        "case: x", "ruleset: marvel-champions", "cards:", *cards,
        "  Pal: {types: [ally]}", "  Slab: {types: [minion, slab], hit_points: 9}",
        f"given: {{players: {{Ann: {{hand: [{hand}], facts: {{form: {form}}}, play: [{{card: Pal, status: [exhausted]}}"
        f", {{card: Pal, status: [exhausted]}}, {', '.join(lie)}]}}, Foe: {{play: [Slab]}}}}}}",
        f"when: {{player: Ann, do: [{', '.join(do)}]{cause}}}",
    ])  # fmt: skip


def test_referee_and_machine_agree_on_what_is_paid_for_and_what_cannot_be() -> None:
    several = 0
    for seed in range(60):
        found = agree(ask(world(random.Random(seed))))
        several += len(found) > 1
    assert several > 15  # something was chosen or paid at all


def ends(asked: OrderQuestion) -> list[Player]:
    """Return Ann at every end, which referee and machine agree on."""
    agree(asked)
    return [moment.position.player("Ann") for moment in come_out(asked)]


def acted(game: str, verb: str) -> tuple[str, str]:
    """Return a case in which one act of a verb is done, and what its norm is called; the step is told by a status."""
    rules = load_ruleset(game)
    rule = rules.verb(verb)
    play = next(zone.name for zone in rules.zones if zone.play)
    zone = rule.from_[0] if rule.from_ else play
    asset = rules.assets[0].id
    status = f", status: [{rule.removes}]" if rule.removes else ""
    face = "" if rule.face is None else f", face: {'down' if rule.face == 'up' else 'up'}"
    of = f"{verb}: rust, of: $it" if rule.counters or rule.puts or rule.places else f"{verb}: $it"
    of += ", of: $to" if rule.joins else ""
    of = f"{verb}: $controller, to: other" if rule.fact else of
    text = "\n".join([
        "case: x", f"ruleset: {game}", "cards:", "  Thing: {types: [thing]}",
        "  Law: {types: [law], abilities: [LAW]}",
        f"given: {{players: {{Ann: {{{play}: [Law, {{id: there, card: Thing}}]}}, "
        f"Bob: {{{zone}: [{{id: here, card: Thing, owner: Ann, counters: {{rust: 2}}{status}{face}}}]}}}}}}",
        f"when: {{player: Ann, do: [{{as: a, {of}}}, {{gain: {{{asset}: 7}}, given: a}}], "
        "with: {it: here, to: there}}",
    ])  # fmt: skip
    return text, asset


@pytest.mark.parametrize("game", GAMES)
def test_what_every_verb_does_can_be_barred_by_each_of_its_names(game: str) -> None:
    rules = load_ruleset(game)
    for verb in rules.verbs:
        text, asset = acted(game, verb.name)
        start = next(a.start for a in rules.assets if a.id == asset)
        # Without the law the step is done; under a law on something else, too.
        for law in ("{trigger: {on: {nothing: $self}, do: [{draw: 1}]}}", STATIC % "draw: {}"):
            done = ends(ask(text.replace("LAW", law)))
            assert {ann.pool[asset] for ann in done} == {start + 7}, verb
        for name in sorted(verb.events("rust")):
            assert Bound(rules, ()).binds(name)
            barred = ends(ask(text.replace("LAW", STATIC % f"{name}: {{}}")))
            assert {ann.pool.get(asset, 0) for ann in barred} == {start}, (verb, name)


EVERYWHERE = {
    "gains": "gain: {r: 1}", "gain": "gain: {r: 1}", "lose": "lose: {h: 1}", "wounds": "wound: $it, n: 1",
    "wound": "wound: $it, n: 1", "heal": "heal: $it, n: 1", "add": "add: rust, of: $it",
    "set": "set: base.power, of: $it, to: 3",
    "put": "put: $it, of: $to, to: defends", "defends": "put: $it, of: $to, to: defends", "move": "move: $it, to: hand",
    "leaves": "move: $it, to: hand", "enters": "move: $of, to: arena", "play": "play: $of, to: arena",
    "played": "play: $of, to: arena", "draw": "draw: 1", "look": "look: $it", "search": "search: $it",
    "shuffle": "shuffle: $it",
    "lay": "lay: {no_abilities: true, stage: set}, of: $it", "renew": "renew: $it, n: 1", "end": "end: turn",
}  # fmt: skip


@pytest.mark.parametrize("name", EVERYWHERE)
def test_what_every_game_does_can_be_barred(name: str) -> None:
    text = (
        "case: x\nruleset: flesh-and-blood\ncards:\n"
        "  Thing: {types: [thing], power: 1, abilities: [{activate: {cost: 0, limit: 1, per: turn}}]}\n"
        "  Law: {types: [law], abilities: [{static: {cannot: {NAME: {}}}}]}\n"
        "given: {players: {Ann: {arena: [Law, {id: here, card: Thing, counters: {wounds: 1}}, "
        "{id: there, card: Thing}], deck: [Thing], graveyard: [{id: gone, card: Thing}]}}}\n"
        f"when: {{player: Ann, do: [{{as: a, {EVERYWHERE[name]}}}, {{add: done, of: $law, given: a}}], "
        "with: {it: here, to: there, of: gone, law: Law}}"
    )
    rules = load_ruleset("flesh-and-blood")
    assert Bound(rules, ()).binds(name)
    for law, n in (("untap", 1), (name, 0)):
        asked = ask(text.replace("NAME", law))
        agree(asked)
        done = {moment.position.thing("Law").counters.get("done", 0) for moment in come_out(asked)}
        assert done == {n if name != "add" or law == "untap" else 0}, law


def test_nothing_else_is_said_to_be_done() -> None:
    rules = load_ruleset("flesh-and-blood")
    own = {name for verb in rules.verbs for name in verb.events()}
    declared = {"play", "activate", "target", "choose", "defend", "prevented"}
    assert acts_of(rules) == own | declared | set(EVERYWHERE)


@pytest.mark.parametrize("game", GAMES)
def test_what_nobody_does_binds_nobody(game: str) -> None:
    rules = load_ruleset(game)
    bound = Bound(rules, {"minion"})
    assert not any(bound.binds(name) for name in ("win", "unattach", "change_energy_form", "copy", "include"))
    assert bound.binds("minion")
    assert bound.binds("Minion")
    assert bound.binds("raise.power")
    assert {verb.name for verb in rules.verbs} <= acts_of(rules)


def test_a_form_that_nobody_said_is_not_guessed() -> None:
    text = (
        "case: x\nruleset: marvel-champions\ngiven: {players: {Ann: {%s}}}\n"
        "when: {player: Ann, do: [{change_form: $controller}]}"
    )
    asked = ask(text % "")
    with pytest.raises(LimitReached, match="untold facts"):
        outcomes(asked)
    with pytest.raises(LimitReached, match="untold facts"):
        Explorer(asked).map()
    assert [ann.facts["form"] for ann in ends(ask(text % "facts: {form: hero}"))] == ["alter-ego"]
