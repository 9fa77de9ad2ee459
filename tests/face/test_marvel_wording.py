"""Kinds of wording of Marvel Champions, on invented cards: what each means, and what looks like it and is not read."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lawful.cards import open_library
from lawful.cards.phrases import joined
from lawful.cards.skeleton import skeleton
from lawful.model.effect import Source
from lawful.model.rulesets import load_ruleset

YOURS = {"controller": "$controller", "zone": "play"}
OVENS = {"count": {"type": ["Oven"], **YOURS}}
THUGS = {"count": {"type": ["minion"], "engaged": "$controller", "zone": "play"}}
PLAYED = {"play": {"subject": "$self"}}
YOU = {"any": [{"type": "hero"}, {"type": "alter_ego"}], **YOURS}
TOP = {"zone": "encounter_deck", "how": "top", "n": "1"}


def hurt(n: int) -> dict[str, Any]:
    return {"take": "damage", "n": str(n), "of": YOU}


def lessened(by: object, **more: object) -> dict[str, Any]:
    return {"modify": "cost.r", "stage": "change", "subtract": by, "of": PLAYED, **more}


def happening(what: str) -> dict[str, Any]:
    return {"when": {"fact": "happening", "is": what}}


READ: list[tuple[str, str, object]] = [
    (
        "<b>Resource</b>: Exhaust Bread → generate a [wild] resource for each [[Oven]] card you control.",
        "resource ability",
        {"cost": [{"exhaust": "$self"}], "gain": {"w": OVENS}},
    ),
    (
        "<b>Resource</b>: Exhaust Bread → generate a [mental] resource for each minion engaged with you "
        "(to a maximum of [mental] [mental]).",
        "resource ability",
        {"cost": [{"exhaust": "$self"}], "gain": {"m": {"least": [THUGS, "2"]}}},
    ),
    (
        "<b>Resource</b>: Remove 1 flour counter from here → generate a [wild] resource for an ally. "
        "(Limit once per card.)",
        "resource ability",
        {"cost": [{"remove": "flour", "n": "1", "of": "$self"}], "gain": {"w": "1"}, "for": {"type": ["ally"]},
         "limit": "1"},
    ),
    (
        "<b>Resource</b>: Exhaust Bread → generate a [wild] resource for an event being played by any player.",
        "resource ability",
        {"cost": [{"exhaust": "$self"}], "gain": {"w": "1"}, "for": {"type": ["event"]}, "shared": "true"},
    ),
    ("Reduce the cost to play this card by 2 for each [[Oven]] card you control.", "cost modifier",
     lessened({"times": "2", "of": OVENS})),
    (
        "Reduce the cost to play Bread by 1 if your identity has the [[Oven]] trait.",
        "cost modifier",
        lessened("1", when={"count": {**YOU, "type": ["Oven"]}, "ge": "1"}),
    ),
    (
        "While in hero form, increase the resource cost of each event you play by 1.",
        "cost modifier",
        {"modify": "cost.r", "stage": "change", "add": "1", "when": {"form": "hero"},
         "of": {"play": {"subject": {"type": ["event"]}, "by": "$controller"}}},
    ),
    ("<b>Response</b>: After Bread attacks, exhaust another [[Oven]] ally you control → draw 1 card.", "arrow cost",
     {"cost": [{"exhaust": {"type": ["Oven", "ally"], **YOURS, "not": "$self"}}]}),
    ("<b>Action</b>: Exhaust attached ally → draw 1 card.", "arrow cost", {"cost": [{"exhaust": "$self.attached"}]}),
    ("<b>Action</b>: Exhaust Bread and return it to your hand → draw 1 card.", "arrow cost",
     {"cost": [{"exhaust": "$self"}, {"return": "$self"}]}),
    ("<b>Action</b>: Return this card to your hand <i>(from play)</i> → draw 1 card.", "arrow cost",
     {"cost": [{"return": "$self"}]}),
    ("<b>Action</b>: Deal your hero 2 damage → draw 1 card.", "arrow cost",
     {"cost": [{"deal": "damage", "n": "2", "of": {"type": ["hero"], **YOURS}}]}),
    ("<b>Action</b>: Take up to 2 damage → draw 1 card.", "arrow cost", {"cost": [{"any": [hurt(1), hurt(2)]}]}),
    ("<b>Action</b>: Take 1 damage or discard the top card of the encounter deck → draw 1 card.", "arrow cost",
     {"cost": [{"any": [[hurt(1)], [{"discard": TOP}]]}]}),
    ("<b>Action</b>: Spend a resource of any type or exhaust an ally you control → draw 1 card.", "arrow cost",
     {"cost": [{"any": [["1r"], [{"exhaust": {"type": ["ally"], **YOURS}}]]}]}),
    ("<b>Action</b>: Deal up to 2 damage to Bread → draw 1 card.", "arrow cost",
     {"cost": [{"any": [{"deal": "damage", "n": n, "of": "$self"} for n in ("1", "2")]}]}),
    ("If you are in alter-ego form, Bread cannot attack or thwart.", "restriction",
     [{"cannot": {verb: {"source": "$self"}}, "when": {"form": "alter-ego"}} for verb in ("attack", "thwart")]),
    ("You cannot have more than 1 [[Oven]] ally in play.", "restriction",
     {"cannot": {"play": {"subject": {"type": ["Oven", "ally"]}, "by": "$controller"}},
      "unless": {"count": {"type": ["Oven", "ally"], **YOURS}, "lt": "1"}}),
    ("Increase the cost to play this card by 1 for each [[Oven]] card you control.", "cost modifier",
     {"modify": "cost.r", "stage": "change", "add": {"times": "1", "of": OVENS}, "of": PLAYED}),
    ("Play only if you do not control any [[Oven]] allies.", "restriction",
     {"cannot": {"play": "$self"}, "unless": {"count": {"type": ["Oven", "ally"], **YOURS}, "lt": "1"}}),
    ("Big Bakery — Reduce the cost of aggression cards you play by 1.", "cost modifier",
     {"modify": "cost.r", "stage": "change", "subtract": "1",
      "of": {"play": {"subject": {"type": ["aggression"]}, "by": "$controller"}}}),
    (
        "<b>Action</b>: Exhaust any number of allies you control with a combined THW of 4 or more → draw 1 card.",
        "arrow cost",
        {"cost": [{"exhaust": {"type": ["ally"], **YOURS, "n": {"count": {"type": ["ally"], **YOURS}}, "up_to": "true",
                               "total": {"thwart": {"ge": "4"}}}}]},
    ),
    (
        "<b>Action</b>: Search the encounter deck for a minion and put it into play engaged with you → draw 1 card.",
        "arrow cost",
        {"cost": [{"put_into_play_engaged": {"type": ["minion"], "zone": "encounter_deck", "whose": "chosen"}}]},
    ),
    (
        "Team-Up <i>(Ann Oak and Bob Elm)</i>.",
        "restriction",
        {"cannot": {"play": "$self"},
         "unless": {"every": [{"count": {"name": who, "zone": "play"}, "ge": "1"} for who in ("Ann Oak", "Bob Elm")]}},
    ),
    ("Max 1 [[Oven]] card per player.", "restriction", {"cannot": {"play": "$self"}, "unless": {**OVENS, "lt": "1"}}),
    ("Max 1 [[Oven]] per player.", "restriction", {"cannot": {"play": "$self"}, "unless": {**OVENS, "lt": "1"}}),
    # What may be played under the control of another is kept from being played where nobody may have it any more.
    ("Play under any player's control. Max 1 per player.", "restriction",
     {"cannot": {"play": "$self"}, "unless": {"count": {"name": "~", "zone": "play"}, "lt": {"per_player": "1"}}}),
    ("Play under any player's control.\nMax 1 [[Oven]] card per player.", "restriction",
     {"cannot": {"play": "$self"},
      "unless": {"count": {"type": ["Oven"], "zone": "play"}, "lt": {"per_player": "1"}}}),
    # Allies are not "you".
    ("You cannot attack Ann Oak.", "restriction",
     {"cannot": {"attack": {"subject": {"name": "Ann Oak", "zone": "play"}, "by": "$controller",
                            "source": {"none": [{"type": ["ally"]}]}}}}),
    # A maximum is one of all players together.
    ("Max 1 per round.", "restriction",
     {"cannot": {"play": "$self"}, "when": {"some": [{"value": f"${who} ~ this round", "ge": "1"} for who in (
         "controller.played", "opponent.played", "controller.others played")]}}),
    ("<b>Hero Response</b>: After a hero makes a basic attack against Ann Oak, exhaust Bread → draw 1 card.", "trigger",
     happening("hero makes basic attack against Ann Oak")),
    ("<b>Response</b>: After an identity makes a basic recovery, exhaust Bread → draw 1 card.", "trigger",
     happening("identity makes basic recovery")),
    ("<b>Response</b>: After your hero makes a basic attack against Ann Oak, exhaust Bread → draw 1 card.", "trigger",
     happening("you make basic attack against Ann Oak")),
    ("Max 1 [[Oven]] upgrade per ally.", "restriction",
     {"cannot": {"attach": {"subject": "$self",
                            "on": {"type": ["ally"], "bears": {"attached": {"type": ["Oven", "upgrade"]}}}}}}),
    ("Limit 1 per ally.", "restriction",
     {"cannot": {"attach": {"subject": "$self", "on": {"type": ["ally"], "bears": {"attached": {"name": "~"}}}}}}),
    ("As an additional cost for each ally to make a basic attack, that ally must spend 1 of any resource.",
     "additional cost",
     {"additional": {"cost": ["1r"], "to": {"declaration": {"type": ["ally"]}}, "types": ["basic", "attack"]}}),
    ("As an additional cost to play this ally, exhaust your hero.", "additional cost",
     {"additional": {"cost": [{"exhaust": {"type": ["hero"], **YOURS}}]}}),
    ("<b>Action</b>: Choose 1 of your allies. Ready that ally.", "target phrase",
     {"type": ["ally"], "n": "1", **YOURS, "how": "target"}),
    ("Linked (Ann Oak ally).", "keyword", {"keyword": "linked", "of": "Ann Oak"}),
    *(
        (f"<b>Response</b>: {said}, exhaust Bread → draw 1 card.", "trigger", happening(meant))
        for said, meant in [
            ("After Ann Oak attacks and defeats a minion", "Ann Oak attacks and defeats minion"),
            ("After you attack and defeat an enemy", "you attack and defeat enemy"),
            ("After you attack attached enemy", "you attack attached enemy"),
            ("When Bread makes a basic attack", "$self makes basic attack"),
            ("When another ally would be defeated", "another ally would be defeated"),
            ("After an ally you control is defeated", "ally you control is defeated"),
            ("When any amount of damage would be dealt to Ann Oak", "Ann Oak would be dealt damage"),
            ("After a tough status card is discarded from Ann Oak", "tough status card is discarded from Ann Oak"),
            ("After you play an event with a printed [energy] resource", "you play event with printed energy icon"),
        ]
    ),
]  # fmt: skip
NOT_READ = [
    (
        "<b>Resource</b>: Exhaust Bread → generate a [wild] resource ([wild] [wild] instead if Ann Oak is here).",
        "resource ability",
    ),
    ("Reduce the cost to play Bread by 1 for each crumb counter on Ann Oak.", "cost modifier"),
    ("Play only if you are the Ann Oak player.", "restriction"),
    ("Max 2 per round.", "restriction"),
    ("During the player phase, play with the top card of your deck faceup.", "effect"),
    ("Counts as an [[Oven]] ally.", "effect"),
    ("<b>Action</b>: Exhaust Bread, Ann Oak or Bob Elm → draw 1 card.", "arrow cost"),
]


@cache
def rules() -> Any:
    return load_ruleset("marvel-champions")


def clauses(folder: Path, text: str, kind: str) -> list[Any]:
    cards = [
        {"code": "1", "name": "Bread", "type_code": "ally", "faction_code": "basic", "cost": 1, "text": text},
        {"code": "2", "name": "Ann Oak", "type_code": "ally", "faction_code": "basic", "cost": 1, "traits": "Oven."},
        {"code": "3", "name": "Bob Elm", "type_code": "ally", "faction_code": "basic", "cost": 1},
    ]
    (folder / "pack.json").write_text(json.dumps(cards), encoding="utf8")
    library = open_library(folder / "pack.json", rules())
    return [found for found in library.clauses(library.record("Bread"), {kind})[0] if found.clause.kind == kind]


@pytest.mark.parametrize(("text", "kind", "meaning"), READ)
def test_wordings_mean(text: str, kind: str, meaning: object, tmp_path: Path) -> None:
    (found,) = clauses(tmp_path, text, kind)
    assert found.read, found.why
    assert found.meaning == meaning


@pytest.mark.parametrize(("text", "kind"), NOT_READ)
def test_wordings_that_say_something_else_are_not_read(text: str, kind: str, tmp_path: Path) -> None:
    (found,) = clauses(tmp_path, text, kind)
    assert not found.read
    assert found.why


SIDES = [
    {"code": "1a", "name": "Oak", "type_code": "hero", "set_code": "oak", "faction_code": "hero"},
    {"code": "1b", "name": "Ann Ash", "type_code": "alter_ego", "set_code": "oak", "faction_code": "hero"},
    {"code": "2a", "name": "Elm", "type_code": "hero", "set_code": "elm", "faction_code": "hero"},
    {"code": "2b", "name": "Bob Yew", "type_code": "alter_ego", "set_code": "elm", "faction_code": "hero"},
    {"code": "3a", "name": "Elm", "type_code": "hero", "set_code": "other_elm", "faction_code": "hero"},
    {"code": "4", "name": "Oak", "type_code": "ally", "set_code": "elm", "faction_code": "hero"},
    {"code": "5", "name": "Fig", "type_code": "hero", "faction_code": "hero"},
]


def one_of_sides(folder: Path, text: str, *, listed: bool = True) -> Any:
    bread = {"code": "9", "name": "Bread", "type_code": "side_scheme", "faction_code": "encounter", "text": text}
    (folder / "pack").mkdir()
    (folder / "pack" / "pack.json").write_text(json.dumps([*SIDES, bread]), encoding="utf8")
    if listed:
        sets = [{"code": code, "name": name} for code, name in (("oak", "Oak"), ("elm", "Elm"), ("other_elm", "Elm B"))]
        (folder / "sets.json").write_text(json.dumps(sets), encoding="utf8")
    library = open_library(folder / "pack", rules())
    assert all(("Oak set" in library.find(name).types) is listed for name in ("1a", "1b"))
    (found,) = (f for f in library.clauses(library.record("Bread"), {"restriction"})[0])
    return found


@pytest.mark.parametrize("name", ["Oak", "Ann Ash"])
def test_a_name_of_one_side_stands_for_the_identity(name: str, tmp_path: Path) -> None:
    """ "The Oak player" is who has that identity, in either form, not who controls an ally of that name."""
    found = one_of_sides(tmp_path, f"The {name} player cannot damage enemies not engaged with them.")
    assert found.meaning["when"] == {
        "count": {
            "any": [{"type": "hero"}, {"type": "alter_ego"}],
            "type": ["Oak set"],
            "controller": "$declarer",
            "zone": "play",
        },
        "ge": "1",
    }


def test_players_other_than_an_identity(tmp_path: Path) -> None:
    found = one_of_sides(tmp_path, "Players other than Bob Yew cannot remove threat from Bread.")
    assert found.meaning["unless"]["count"]["type"] == ["Elm set"]


@pytest.mark.parametrize(("name", "listed"), [("Elm", True), ("Fig", True), ("Oak", False)])
def test_a_name_of_two_identities_or_none_is_not_read(name: str, listed: bool, tmp_path: Path) -> None:
    """Two identities have a side of that name, or nobody knows the sides of one."""
    found = one_of_sides(tmp_path, f"The {name} player cannot damage enemies not engaged with them.", listed=listed)
    assert not found.read


def test_names_of_two_files_that_stand_for_different_things_stand_for_nothing() -> None:
    one = {"NAME": ["Oak"], "NAME_IDENTITY": {"Oak": "Oak set", "Elm": "Elm set"}}
    other = {"NAME": ["Oak"], "NAME_IDENTITY": {"Oak": "Oak set", "Elm": "Elm B set"}}
    assert joined(one, other)["NAME_IDENTITY"] == {"Oak": "Oak set", "Elm": ""}
    assert joined(one, {}) == one


@pytest.mark.parametrize(
    ("rest", "limit"),
    [("Draw 1 card. Remove this card from the game and the pool of cards.", 1), ("Discard Bread.", 1), ("", None)],
)
def test_a_source_that_leaves_gives_once(rest: str, limit: int | None, tmp_path: Path) -> None:
    text = f"<b>Resource</b>: Generate [wild] [wild] resources for an event. {rest}"
    bread = {"code": "1", "name": "Bread", "type_code": "upgrade", "faction_code": "basic", "cost": 1, "text": text}
    (tmp_path / "pack.json").write_text(json.dumps([bread]), encoding="utf8")
    (source,) = open_library(tmp_path / "pack.json", rules()).find("Bread").abilities
    assert isinstance(source, Source)
    assert (source.limit, source.gain) == (limit, {"w": 2})


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("Bread gets +2 boost icons ([boost][boost]) for this activation.", ()),
        ("Bread gets +1 boost icon [boost].", ()),
        (
            "Deal damage to the villain equal to the number of boost icons ([boost]) on that card.",
            ("type:villain", "stat:[boost]"),
        ),
    ],
)
def test_icons_in_words_and_signs_are_one_thing(text: str, reads: tuple[str, ...], tmp_path: Path) -> None:
    """What a text changes is not what it looks at."""
    (found,) = clauses(tmp_path, text, "effect")
    assert found.read, found.why
    assert skeleton(found.meaning).reads == reads


@pytest.mark.parametrize(
    ("text", "touched"),
    [
        ("<b>Boost</b>: Deal that minion to that player as a facedown encounter card.", ([], ["deal_facedown"])),
        ("<b>Boost</b>: Deal that player 1 facedown encounter card.", (["zone:encounter_deck"], ["deal_facedown"])),
        (
            "If each of your allies has the [[Oven]] trait, increase your ally limit by 1.",
            (["type:ally", "type:Oven"], ["ally_limit"]),
        ),
        (
            "<b>Response</b>: After Bread enters play, deal 2 damage to an enemy with an upgrade attached.",
            (["type:villain", "type:minion", "relation:attached", "type:upgrade", "zone:play"], ["deal:damage"]),
        ),
    ],
)
def test_what_effects_touch(text: str, touched: tuple[list[str], list[str]], tmp_path: Path) -> None:
    (found,) = clauses(tmp_path, text, "effect")
    assert found.read, found.why
    of = skeleton(found.meaning)
    assert (sorted(of.reads), sorted(of.writes)) == (sorted(touched[0]), touched[1])


@pytest.mark.parametrize(
    "text",
    [
        "<b>Forced Interrupt</b>: When Bread's attack would deal any amount of damage to a minion, increase it.",
        "<b>Response</b>: After Bread deals damage to a minion, draw 1 card.",
    ],
)
def test_whom_an_event_is_about_is_no_choice(text: str, tmp_path: Path) -> None:
    assert clauses(tmp_path, text, "target phrase") == []


def test_what_lies_on_whom_damage_is_dealt_to_is_a_part_of_the_choice(tmp_path: Path) -> None:
    """ "An enemy with an upgrade attached" is not any enemy."""
    found = clauses(tmp_path, "<b>Action</b>: Deal 2 damage to an enemy with an upgrade attached.", "target phrase")
    assert [one.clause.text for one in found] == ["an enemy with an upgrade attached"]
    assert found[0].meaning["bears"] == {"attached": {"type": ["upgrade"]}}
