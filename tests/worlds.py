"""Small worlds built in Python: a ruleset with a greedy asset, positions, questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import ActTerm, AssetTerm, Cost, CostAll
from lawful.model.declaration import Declaration, Question
from lawful.model.effect import Source
from lawful.model.expression import Expression, Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Player, Position, Thing
from lawful.model.ruleset import AssetRule, Charge, Document, Ruleset, Stage, Verb, XRule, Zone
from lawful.model.selector import Selector

PITCH = Source(
    Ref("self", ("yields",)),
    ActTerm(Act("pitch", Ref("self"))),
    "pitch",
    Selector(zone=("hand",), owner=Ref("controller"), has=("yields",)),
)
VERBS = (
    Verb("pitch", ("hand",), "pitch"),
    Verb("discard", ("hand",), "graveyard"),
    Verb("banish", (), "banished"),
    Verb("destroy", ("arena",), "graveyard"),
    Verb("reveal"),
    Verb("tap", ("arena",), adds="tapped"),
    Verb("remove", counters=True),
)
ZONES = (
    Zone("hand", private=True),
    Zone("deck", private=True),
    Zone("pitch"),
    Zone("stack"),
    Zone("graveyard"),
    Zone("banished"),
    Zone("arena", play=True),
)
GREEDY = (
    AssetRule("c", "chi", 1, ("c",)),
    AssetRule("r", "resource", 2, ("c", "r")),
    AssetRule("h", "life", 3, ("h",), "never", start=20),
    AssetRule("a", "action", 4, ("a",), "never", start=1),
)


def ruleset(assets: tuple[AssetRule, ...] = GREEDY, **changes: object) -> Ruleset:
    """Return a ruleset like the greedy one, changed."""
    given: dict[str, object] = {
        "sources": (PITCH,),
        "verbs": VERBS,
        "zones": ZONES,
        "stages": (Stage("set"), Stage("increase"), Stage("reduce", 0)),
        "charges": (Charge(AssetTerm("a", 1), ("Action",)),),
        "announced": "stack",
        "x": XRule(),
    }
    return Ruleset("test", "test", (Document("doc", "doc", "1"),), "doc", assets, **{**given, **changes})  # type: ignore[arg-type]


def card(name: str, **yields: int) -> Card:
    """Return a card that gives what it is told to."""
    return Card(name, ("card",), yields=FrozenMap(yields))


KINDS = {
    "red": card("red", r=1),
    "yellow": card("yellow", r=2),
    "blue": card("blue", r=3),
    "chi": card("chi", c=3),
    "k2": card("k2", c=2),
    "k1": card("k1", c=1),
    "both": card("both", c=1, r=1),
    "nil": Card("nil", ("card",), yields=FrozenMap({"r": 0})),
    "blank": Card("blank", ("card",)),
}


def cost(**amounts: Expression) -> Cost:
    """Return a cost of these amounts."""
    return CostAll(tuple(AssetTerm(a, n) for a, n in amounts.items()))


def things(names: Sequence[str], zone: str = "hand", player: str = "Ann", start: int = 0) -> list[Thing]:
    """Return copies of cards in a zone, told apart."""
    seen: Counter[str] = Counter()
    found = []
    for i, name in enumerate(names):
        seen[name] += 1
        id = name if seen[name] == 1 else f"{name} #{seen[name]}"
        found.append(Thing(id, name, player, player, zone, timestamp=start + i))
    return found


def question(
    asked: Cost | None,
    hand: Sequence[str] = (),
    pool: Mapping[str, int] | None = None,
    arena: Sequence[str] = (),
    rules: Ruleset | None = None,
    cards: Mapping[str, Card] | None = None,
    deck: Sequence[str] = (),
    **declared: object,
) -> Question:
    """Return a question about one player's payment."""
    rules = rules or ruleset()
    have = {a.id: a.start for a in rules.assets} | dict(pool or {})
    all_things = things(hand)
    for zone, names in (("arena", arena), ("deck", deck)):
        taken = {t.id for t in all_things}
        for t in things(names, zone, start=len(all_things)):
            all_things.append(t if t.id not in taken else Thing(f"{t.id}*", t.card, "Ann", "Ann", zone))
    position = Position(
        (Player("Ann", FrozenMap(have)), Player("Bob", FrozenMap({a.id: a.start for a in rules.assets}))),
        tuple(all_things),
        FrozenMap({**KINDS, **(cards or {})}),
        "Ann",
        2,
    )
    return Question(rules, position, Declaration("Ann", cost=asked, **declared))  # type: ignore[arg-type]
