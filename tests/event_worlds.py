"""Every set of up to four effects of every kind over three facts: wounds, marks, and what is in play."""

# ruff: noqa: E501 - one choice is one line
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import combinations, product
from typing import Any

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.declaration import Happening, OrderQuestion
from lawful.model.effect import Grant, Modifier, Norm, Prevention, Replacement, Static, Trigger
from lawful.model.expression import Compare, Count, Ref
from lawful.model.frozen import FrozenMap
from lawful.model.policy import EffectRules, Tier
from lawful.model.position import Player, Position, Thing
from lawful.model.ruleset import AssetRule, Document, Ruleset, Stage, Verb, Zone
from lawful.model.selector import Pattern, Selector, Test

SELF, SUBJECT = Ref("self"), Ref("subject")
BEASTS = Selector(type=("beast",))
ONE = Selector(type=("beast",), how="choose")
WOUNDS = Pattern("wounds", BEASTS)
MARKED = Compare(Count(Selector(type=("beast",), counters=FrozenMap({"mark": 1}))), "ge", 1)

EFFECTS: tuple[Any, ...] = (
    Trigger(WOUNDS, (Act("add", "mark", of=SUBJECT),)),
    Trigger(WOUNDS, (Act("set", "counters.mark", of=BEASTS, to=0),), batch="once", tier="must"),
    Trigger(Pattern("add", BEASTS), (Act("wound", SUBJECT, n=1),), limit=1, optional=True, tier="may"),
    Trigger(Pattern("destroy", BEASTS), (Act("add", "mark", of=ONE),), batch="alone"),
    Trigger(WOUNDS, (Act("wound", SUBJECT, n=1),), limit=1, tier="would"),
    Replacement(WOUNDS, (Act("add", "mark", of=SUBJECT, n=Ref("event")),)),
    Replacement(WOUNDS, (Act("add", "mark", of=SUBJECT),), n=1, kind="self", optional=True),
    Replacement(Pattern("add", BEASTS), (Act("heal", SUBJECT, n=1),), kind="outcome"),
    Replacement(Pattern("destroy", BEASTS), (Act("heal", SUBJECT, n=9),)),
    Prevention(WOUNDS, 2, "total"),
    Prevention(WOUNDS, 1, "event", tier="may"),
    Prevention(WOUNDS, 3, "one", optional=True),
    Static(Norm("cannot", WOUNDS, more_than=1)),
    Static(Norm("cannot", Pattern("add", BEASTS), MARKED)),
    Static(Modifier("life", "add", Ref("subject", ("counters", "mark")), "only", BEASTS)),
    Static(Modifier("life", "subtract", Ref("subject", ("counters", "wounds")), "only", BEASTS)),
    Static(Modifier("life", "set", 4, "only", BEASTS)),
    Static(Modifier("life", "set", 2, "late", BEASTS)),
    Static(Modifier("life", "add", 1, "only", Selector(type=("beast",), where=(Test("life", "lt", 3),)))),
    Trigger(
        WOUNDS, (Act("lay", Modifier("life", "add", Ref("on", ("counters", "mark")), "only"), of=SUBJECT),), limit=1
    ),
    Static(Grant("only", no_abilities=True, of=Selector(type=("charm",), not_=SELF), while_=MARKED)),
    Trigger(
        WOUNDS,
        (Act("wound", replace(BEASTS, not_=SUBJECT), n=2, as_="hit"), Act("add", "mark", of=SUBJECT, given="hit")),
        batch="once",
        limit=1,
    ),
    Trigger(WOUNDS, (Act("put", ONE, of=SELF, to="guards"), Act("put", ONE, of=SELF, to="guards")), limit=1),
    Trigger(Pattern("guards", BEASTS), (Act("add", "mark", of=SUBJECT),), batch="together"),
    Trigger(WOUNDS, (Act("set", "counters.mark", of=SUBJECT, to=5),), tier="may"),
    Trigger(WOUNDS, (Act("add", "mark", of=SUBJECT),), tier="may"),
)
DEAD = Act("destroy", Selector(type=("beast",), where=(Test("life", "le", 0),)))
TIERS = (Tier("would", "before", "first"), Tier("must", "after", "first"), Tier("may", "after", "turn"))
VALUES: dict[str, tuple[Any, ...]] = {
    "dependency": ("ignore", "defer", "sort"),
    "contradiction": ("stages", "latest"),
    "stamp_ties": ("silent", "active"),
    "waiting": ("any", "newest", "oldest"),
    "ties": ("silent", "blocks", "turn", "first"),
    "tiers": ((), TIERS, (*TIERS[:2], Tier("may", "after", "window"))),
    "checks": ("empty", "always"),
    "replacements": ("silent", "affected", "blocks"),
    "classes": ((), ("self", "enters+standard", "prevention", "outcome"), ("prevention", "standard"), ("standard+prevention",)),
    "bans": ("first", "last"),
    "partly": ("happens", "silent"),
    "lasting": ("live", "fixed"),
    "preventions": ("silent", "affected", "owner", "inactive", "blocks"),
    "declining": ("said", "any"),
    "thereby": ("changed", "zeroed"),
    "adding": ("apart", "together"),
    "at_once": ("each", "whole"),
}  # fmt: skip
assert {*VALUES} == {field.name for field in fields(EffectRules)} | {"at_once"}


def ruleset(policy: dict[str, Any]) -> Ruleset:
    """Return rules of one mixture."""
    values = {name: value for name, value in policy.items() if name != "at_once"}
    return Ruleset(
        "small", "A small game", (Document("text", "Rules", "1"),), "text",
        assets=(AssetRule("r", "resource", 1, ("r",)),),
        zones=(Zone("grave"), Zone("arena", play=True)),
        verbs=(Verb("destroy", ("arena",), "grave"),),
        stages=(Stage("only"), Stage("late")),
        at_once=policy["at_once"],
        checks=(DEAD,),
        ordering=EffectRules(**values),
    )  # fmt: skip


def world(chosen: tuple[int, ...], policy: dict[str, Any]) -> OrderQuestion:
    """Return two beasts, one for each player, that are wounded twice while these effects are there."""
    cards = {"beast": Card("beast", ("beast",), stats=FrozenMap({"life": 3}))}
    things = [Thing("X", "beast", "Ann", "Ann", "arena"), Thing("Y", "beast", "Bob", "Bob", "arena", timestamp=1)]
    for n, effect in enumerate(chosen):
        name = f"e{effect}"
        cards[name] = Card(name, ("charm",), abilities=(EFFECTS[effect],))
        who = ("Ann", "Bob")[n % 2]
        id = f"{name} again {n}" if any(t.id == name for t in things) else name
        things.append(Thing(id, name, who, who, "arena", timestamp=n // 2 + 2))
    players = (Player("Ann", facts=FrozenMap({"first": "no"})), Player("Bob", facts=FrozenMap({"first": "yes"})))
    position = Position(players, tuple(things), FrozenMap(cards), "Ann", 2, clock=9)
    storm = Happening((Act("wound", BEASTS, n=2),), "Bob", "Y")
    bolt = Happening((Act("wound", Ref("self"), n=1),), "Bob", "X")
    return OrderQuestion(ruleset(policy), position, (storm, bolt))


def subsets(most: int = 4) -> Iterator[tuple[int, ...]]:
    """Yield every set of up to so many effects."""
    for many in range(1, most + 1):
        yield from combinations(range(len(EFFECTS)), many)


def mixtures() -> list[dict[str, Any]]:
    """Return mixtures of policies in which every two values of different parameters meet; made greedily."""
    names = list(VALUES)
    pairs = {
        (a, i, b, j)
        for a, b in combinations(names, 2)
        for i, j in product(range(len(VALUES[a])), range(len(VALUES[b])))
    }
    found = []
    while pairs:
        row: dict[str, int] = {}
        a, i, b, j = min(pairs, key=lambda p: (names.index(p[0]), p[1], names.index(p[2]), p[3]))
        row[a], row[b] = i, j
        for name in names:
            if name not in row:
                row[name] = max(
                    range(len(VALUES[name])),
                    key=lambda v: sum((*sorted_pair(names, (o, n), (name, v)),) in pairs for o, n in row.items()),
                )
        pairs -= {(a, row[a], b, row[b]) for a, b in combinations(names, 2)}
        found.append({name: VALUES[name][n] for name, n in row.items()})
    return found


def sorted_pair(names: list[str], *two: tuple[str, int]) -> tuple[Any, ...]:
    """Return two values of parameters in the order of the parameters."""
    (a, i), (b, j) = sorted(two, key=lambda p: names.index(p[0]))
    return a, i, b, j
