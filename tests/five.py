"""The five cards that the vocabulary must be able to say, as values, and an invented game to play them in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import ActTerm, AssetTerm, CostAll
from lawful.model.effect import Activated, Modifier, Prevention, Source, Static, Trigger
from lawful.model.expression import Compare, Count, Fact, Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Player, Position, Thing
from lawful.model.referee.moment import Moment, start
from lawful.model.ruleset import AssetRule, Document, Ruleset, Stage, Verb, Zone
from lawful.model.selector import Pattern, Selector, Test

SELF, CONTROLLER = Ref("self"), Ref("controller")
DEFENDERS = Selector(relations=FrozenMap({"defends": SELF}))

FROSTBITE = Card(
    "Frostbite",
    ("token", "aura"),
    abilities=(
        Static(Modifier("cost.r", "add", 1, "increase", Pattern("declaration", by=CONTROLLER))),
        Trigger(Pattern("declared", by=CONTROLLER), (Act("destroy", SELF),)),
    ),
)
CELL = Card(
    "Cell",
    ("upgrade",),
    abilities=(
        Source(
            gain=FrozenMap({"w": 1}),
            cost=CostAll((ActTerm(Act("exhaust", SELF)), ActTerm(Act("remove", "charge", of=SELF, n=1)))),
            when=Fact("form", "hero"),
            for_=Selector(type=("event",)),
        ),
    ),
)
DOUBLE = Card(
    "Astral Double",
    ("creature",),
    stats=FrozenMap({"life": 0}),
    abilities=(
        Trigger(
            Pattern("played", SELF),
            (
                Act("choose", Selector(type=("creature",), not_=SELF), as_="pick"),
                Act("set", "base.life", of=SELF, to=Ref("pick", ("life",))),
            ),
        ),
    ),
)
WIDOWMAKER = Card(
    "Widowmaker",
    ("attack",),
    stats=FrozenMap({"power": 4}),
    abilities=(Static(Modifier("power", "add", 3, "add", SELF, Compare(Count(DEFENDERS), "lt", 2))),),
)
GABRIEL = Card(
    "Gabriel",
    ("creature",),
    stats=FrozenMap({"life": 5}),
    abilities=(Prevention(Pattern("wounds", Selector(type=("creature",), controller=CONTROLLER)), 1, "event"),),
)
FIVE = (FROSTBITE, CELL, DOUBLE, WIDOWMAKER, GABRIEL)

ADEPT = Card(
    "Adept",
    ("hero",),
    abilities=(Activated(CostAll((AssetTerm("c", 3),)), (Act("gain", FrozenMap({"a": 1})),), "breath"),),
)
# Defends with a question about what it defends: is the attack stronger than it was printed?
GAUNTLET = Card(
    "Gauntlet",
    ("equipment",),
    abilities=(
        Trigger(
            Pattern("defends", SELF),
            (Act("add", "glory", of=SELF),),
            when=Compare(Ref("self", ("defends", "power")), "gt", Ref("self", ("defends", "base", "power"))),
        ),
    ),
)
BEAR = Card("Bear", ("creature",), stats=FrozenMap({"life": 4, "power": 2}))
SCROLL = Card("Scroll", ("event",), cost=AssetTerm("e", 1))
FRIEND = Card("Friend", ("ally",), cost=AssetTerm("e", 1))
PLAIN = Card("Plain", ("card",))

RULES = Ruleset(
    "invented",
    "An invented game",
    (Document("text", "Rules", "1"),),
    "text",
    assets=(
        AssetRule("c", "chi", 1, ("c",)),
        AssetRule("r", "resource", 2, ("c", "r")),
        AssetRule("e", "energy", 3, ("e", "w"), "freely", surplus="lost"),
        AssetRule("w", "wild", 4, ("w",), "freely", surplus="lost"),
        AssetRule("a", "action point", 5, ("a",), "never"),
    ),
    zones=(
        Zone("hand", private=True),
        Zone("deck", private=True),
        Zone("stack"),
        Zone("graveyard"),
        Zone("arena", play=True),
        Zone("chain", play=True),
    ),
    verbs=(
        Verb("destroy", ("arena", "chain"), "graveyard"),
        Verb("discard", ("hand",), "graveyard"),
        Verb("exhaust", ("arena",), adds="exhausted"),
        Verb("ready", ("arena",), removes="exhausted"),
        Verb("turn_down", face="down"),
        Verb("remove", counters=True),
    ),
    stages=(Stage("set"), Stage("increase"), Stage("add"), Stage("reduce", 0)),
    announced="stack",
    source_abilities=True,
    checks=(Act("destroy", Selector(type=("creature",), where=(Test("base.life", "le", 0),))),),
)


def thing(id: str, zone: str = "arena", who: str = "Tyler", card: str | None = None, **more: Any) -> Thing:
    """Return an object; its id is its card's name, with ``#2`` and so on for more."""
    return Thing(id, card or id.partition(" #")[0], who, who, zone, **more)


def position(*things: Thing, cards: tuple[Card, ...] = (), **facts: str) -> Position:
    """Return a position of two players; `facts` are the first one's."""
    known = (*FIVE, ADEPT, GAUNTLET, BEAR, SCROLL, FRIEND, PLAIN, *cards)
    players = (Player("Tyler", facts=FrozenMap(facts)), Player("Nic"))
    stamped = tuple(t if t.timestamp else replace(t, timestamp=i + 1) for i, t in enumerate(things))
    named = FrozenMap({card.name: card for card in known})
    return Position(players, stamped, named, "Tyler", started=2, clock=len(things) + 1)


def moment(*things: Thing, rules: Ruleset = RULES, cards: tuple[Card, ...] = (), **facts: str) -> Moment:
    """Return the moment before anything is done in such a position."""
    return start(position(*things, cards=cards, **facts), rules)


def said(of: Moment, id: str) -> list[dict[str, object]]:
    """Return the lines of a trace with that id."""
    return [dict(line.params) for line in of.trace if line.id == f"effect.{id}"]
