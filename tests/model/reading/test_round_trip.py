"""What is read and spelled again reads the same: the five cards, and the ruleset that ships."""

from __future__ import annotations

from pathlib import Path

from lawful.model.reading.desk import Desk, Names
from lawful.model.reading.faults import Faults
from lawful.model.reading.rulesetfile import dump_ruleset, read_ruleset
from lawful.model.reading.spelling_cards import dump_card, read_cards
from lawful.model.reading.yamlout import to_yaml
from lawful.model.reading.yamltext import parse_yaml
from lawful.model.rulesets import load_ruleset, shipped

VOCABULARY = """
Frostbite:
  - static: {modify: cost.r, stage: increase, add: 1, of: {declaration: {by: $controller}}}
  - trigger: {on: {declared: {by: $controller}}, do: [{destroy: $self}]}
Cell:
  - source: {when: {form: hero}, for: {type: event}, cost: [{exhaust: $self}, {remove: charge, of: $self, n: 1}],
      gain: {w: 1}}
Astral Double:
  - trigger: {on: {played: $self}, do: [{as: pick, choose: {type: creature, not: $self}},
      {set: base.life, of: $self, to: $pick.life}]}
Widowmaker:
  - static: {modify: power, of: $self, stage: add, add: 3, while: {count: {defends: $self}, lt: 2}}
Gabriel:
  - prevent: {on: {wounds: {type: creature, controller: $controller}}, n: 1, per: event}
"""


def cards(text: str) -> tuple[object, ...]:
    faults = Faults("five")
    node = parse_yaml(text, faults)[0]
    found = read_cards(Desk(faults, Names(("c", "r", "w"), "r")), node)
    faults.stop()
    return found


def test_the_five_cards_are_read_spelled_and_read_again() -> None:
    found = cards(VOCABULARY)
    assert [len(card.abilities) for card in found] == [2, 1, 1, 1, 1]  # type: ignore[attr-defined]
    again = cards(to_yaml([dump_card(card) for card in found]))  # type: ignore[arg-type]
    assert again == found


def test_a_card_changed_in_one_number_is_another_card() -> None:
    assert cards(VOCABULARY) != cards(VOCABULARY.replace("add: 3", "add: 2"))


def test_every_shipped_ruleset_is_spelled_and_read_again() -> None:
    assert shipped()
    for id in shipped():
        ruleset = load_ruleset(id)
        assert read_ruleset(to_yaml(dump_ruleset(ruleset)), str(Path(id))) == ruleset


EFFECTS = """
A:
  - static: {stage: add, gain_types: [x, y], lose_types: z, no_abilities: true, of: {type: y},
      while: {count: {type: x}, lt: 2}}
  - static: {stage: add, set_types: [x]}
  - static: {cannot: {wounds: {type: x, source: {type: y}}}, more_than: 1, unless: {form: hero}}
  - trigger: {on: {wounds: {subject: $self, source: $self}}, batch: alone, limit: 2, do: [{as: a, wound: $self, n: 2},
      {draw: 1, given: a, success: full, when: {value: $a, ge: 1}},
      {lay: {modify: power, stage: add, add: 1}, of: $self, until: turn}]}
  - replace: {on: {destroy: $self}, instead: [{lay: {cannot: {wounds: $on}}, of: $self}], kind: outcome,
      n: 1, optional: true}
  - prevent: {on: wounds, n: 2, per: one, optional: true}
  - trigger: {on: wounds, batch: together, do: [{lay: {stage: add, gain_types: x}, of: $self}, shuffle]}
"""


def test_the_terms_of_effects_are_read_spelled_and_read_again() -> None:
    found = cards(EFFECTS)
    again = cards(to_yaml([dump_card(card) for card in found]))  # type: ignore[arg-type]
    assert again == found


OTHERWISE = {
    "alone": "once",
    "limit: 2": "limit: 3",
    "success: full": "success: attempted",
    "more_than: 1": "more_than: 2",
    "until: turn": "until: fight",
    "kind: outcome": "kind: self",
    "per: one": "per: total",
    "lose_types: z": "lose_types: q",
}


def test_each_term_of_effects_makes_a_difference() -> None:
    for part, other in OTHERWISE.items():
        assert cards(EFFECTS.replace(part, other, 1)) != cards(EFFECTS), part
