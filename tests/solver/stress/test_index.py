"""Who is connected with whom, and who says the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from faults import written

from lawful.model.rulesets import load_ruleset
from lawful.solver.stress.index import Index
from lawful.solver.stress.signature import signature, vocabulary

TAP = {"types": ["Item"], "abilities": [{"activate": {"cost": [{"tap": "$self"}], "do": [{"gain": {"r": 2}}]}}]}
UNTAP = {"types": ["Item"], "abilities": [{"activate": {"cost": ["1r"], "do": [{"untap": {"type": "Item"}}]}}]}
HERO = {"types": ["Hero"], "abilities": [{"activate": {"cost": ["1r"], "do": [{"untap": {"type": "Hero"}}]}}]}
TAX = {
    "types": ["Aura"],
    "abilities": [{"static": {
        "modify": "cost.r", "stage": "increase", "add": 1, "of": {"play": {"subject": {"type": "Ally"}}}}}],
}  # fmt: skip
WARD = {"types": ["Aura"], "abilities": [{"static": {"cannot": {"target": {"type": "Ally"}}}}]}
BOLT = {"types": ["Action"], "cost": "1r", "abilities": [
    {"resolve": {"do": [{"destroy": {"type": "Ally", "how": "target"}}]}}]}  # fmt: skip
WOLF = {"types": ["Ally"], "cost": "1r", "power": 2}


def index(cards: dict[str, Any], folder: Path) -> Index:
    read = written(cards, "fab", folder)
    kinds = (frozenset(word.casefold() for word in card.types) for card in read.values())
    return Index(load_ruleset("fab"), list(read.values()), kinds)


def test_only_cards_of_the_types_that_are_meant_are_connected(tmp_path: Path) -> None:
    cards = {"Tap": TAP, "Untap": UNTAP, "Hero": HERO, "Tax": TAX, "Ward": WARD, "Bolt": BOLT, "Wolf": WOLF}
    there = index(cards, tmp_path)
    found = set(there.pairs(cards))
    assert ("Untap", "Tap", "engine") in found
    assert not any({a, b} == {"Hero", "Tap"} for a, b, _ in found)
    assert ("Wolf", "Tax", "cost") in found
    assert ("Bolt", "Tax", "cost") not in found  # the tax is on allies
    assert ("Bolt", "Ward", "norm") in found
    assert ("Wolf", "Bolt", "norm") not in found


def test_a_norm_is_connected_by_every_name_of_what_is_done(tmp_path: Path) -> None:
    """What takes counters away is spoken of by their kind, too."""
    cards = {
        "Lock": {"types": ["Item"], "abilities": [{"static": {"cannot": {"remove_rust": {"type": "Item"}}}}]},
        "Rust": {"types": ["Item"], "abilities": [{"static": {"cannot": {"remove_dust": {"type": "Item"}}}}]},
        "File": {
            "types": ["Action"],
            "cost": "1r",
            "abilities": [{"resolve": {"do": [{"remove": "rust", "n": 1, "of": {"type": "Item", "how": "choose"}}]}}],
        },
    }
    found = {(a, b) for a, b, link in index(cards, tmp_path).pairs(cards) if link == "norm"}
    assert ("File", "Lock") in found
    assert ("File", "Rust") not in found


def test_pairs_of_cards_in_question_only(tmp_path: Path) -> None:
    cards = {"Tap": TAP, "Untap": UNTAP, "Tax": TAX, "Wolf": WOLF}
    there = index(cards, tmp_path)
    assert all("Tax" in pair[:2] for pair in there.pairs(["Tax"]))


def test_triples_go_along_connected_pairs(tmp_path: Path) -> None:
    def hears(event: str, verb: str) -> dict[str, Any]:
        trigger = {"on": {event: {"type": "Ally"}}, "do": [{verb: {"type": "Ally", "how": "each"}}]}
        return {"types": ["Ally"], "abilities": [{"trigger": trigger}]}

    cards = {"A": hears("tap", "untap"), "B": hears("untap", "turn_down"), "C": hears("turn_down", "tap"), "D": WOLF}
    there = index(cards, tmp_path)
    triples = list(there.triples(cards))
    assert [set(t[:3]) for t in triples] == [{"A", "B", "C"}]
    assert not [pair for pair in there.pairs(cards) if pair[2] == "loop"]


def test_what_nobody_asks_for_does_not_tell_cards_apart(tmp_path: Path) -> None:
    rules = load_ruleset("fab")
    dear = {**WOLF, "cost": "2r"}
    named = {"types": ["Action"], "cost": "1r", "abilities": [
        {"resolve": {"do": [{"destroy": {"name": "Wolf 3", "how": "target"}}]}}]}  # fmt: skip
    read = written(
        {"Wolf": WOLF, "Wolf 2": {**WOLF, "power": 7}, "Wolf 3": WOLF, "Dear": dear, "Bolt": BOLT}, "fab", tmp_path
    )
    known = vocabulary(read.values(), rules)
    says = {name: signature(card, known) for name, card in read.items()}
    assert says["Wolf"] == says["Wolf 2"] == says["Wolf 3"] != says["Dear"]
    read |= written({"Named": named}, "fab", tmp_path)
    known = vocabulary(read.values(), rules)
    says = {name: signature(card, known) for name, card in read.items()}
    assert says["Wolf"] == says["Wolf 2"] != says["Wolf 3"]


def sealed(what: str, **more: Any) -> dict[str, Any]:
    return {"types": ["Aura"], "abilities": [{"static": {"cannot": {what: {"type": "Ally"}}, **more}}]}


EITHER = {"types": ["Action"], "cost": "0r", "abilities": [
    {"additional": {"cost": [{"any": [[{"destroy": {"type": "Ally", "how": "choose"}}],
                                      [{"tap": {"type": "Ally", "how": "choose"}}]]}]}}]}  # fmt: skip
GROWN = {"static": {"modify": "power", "stage": "increase", "add": 3, "of": {"type": "Ally"}}}
GROW = {"types": ["Aura"], "abilities": [GROWN]}
FEARED = sealed("destroy", **{"while": {"count": {"type": "Ally", "where": {"power": {"ge": 3}}}, "ge": 1}})
WEAKLING = {"type": "Ally", "where": {"base.power": {"le": 2}}, "how": "choose"}
BURN = {"types": ["Action"], "cost": "0r", "abilities": [{"additional": {"cost": [{"destroy": WEAKLING}]}}]}


def together(cards: dict[str, Any], folder: Path) -> list[tuple[str, ...]]:
    """Return what is unpayable, of all groups up to three."""
    from lawful.stressing import stress
    from lawful.stressing.pool import Entry, Pool

    read = written(cards, "fab", folder)
    pool = Pool(load_ruleset("fab"), {name: Entry(card) for name, card in read.items()})
    found = stress(pool, game=load_ruleset("fab"), checks=("unpayable",), groups=3)
    return [tuple(one["cards"]) for one in found.findings]


def test_two_restrictions_that_leave_nothing_only_together(tmp_path: Path) -> None:
    """Each cost that may be chosen is forbidden by another card: no pair of these is broken."""
    cards = {"Either": EITHER, "Whole": sealed("destroy"), "Awake": sealed("tap"), "Wolf": {**WOLF, "cost": "0r"}}
    assert together(cards, tmp_path) == [("Either", "Whole", "Awake")]
    assert together({**cards, "Awake": sealed("banish")}, tmp_path) == []


def test_a_restriction_that_a_third_card_brings_about(tmp_path: Path) -> None:
    """A - B, B - C: no ally is strong enough for the restriction by itself."""
    cards = {"Burn": BURN, "Feared": FEARED, "Grow": GROW, "Wolf": {**WOLF, "cost": "0r"}}
    assert together(cards, tmp_path) == [("Burn", "Feared", "Grow")]
    assert together({**cards, "Grow": {**GROW, "abilities": []}}, tmp_path) == []
