"""Random questions about parts that are paid at once: typed sources, wild ones, several costs, typed groups."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

import networkx as nx
from worlds import VERBS, ZONES

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import ActTerm, AssetTerm, Cost, CostAll
from lawful.model.declaration import Declaration, Question
from lawful.model.effect import Source
from lawful.model.expression import Expression, Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Player, Position, Thing
from lawful.model.ruleset import AssetRule, Document, Ruleset, Stage, XRule
from lawful.model.selector import Selector

TYPES = ("e", "m", "p", "w")
DISCARD = Source(
    Ref("self", ("yields",)),
    ActTerm(Act("discard", Ref("self"))),
    "discard",
    Selector(zone=("hand",), owner=Ref("controller"), has=("yields",)),
    printed=True,
)


def typed(**changes: object) -> Ruleset:
    """Return rules with four types, one of them wild, and an asset that takes any."""
    assets = (
        AssetRule("r", "resource", 1, TYPES, "freely", surplus="lost", split=True),
        *(AssetRule(t, t, 1, (t,), "freely", surplus="lost", split=True) for t in "emp"),
        AssetRule("w", "wild", 1, ("w",), "freely", surplus="lost", split=True, declares=TYPES),
    )
    given: dict[str, object] = {
        "sources": (DISCARD,),
        "verbs": VERBS,
        "zones": ZONES,
        "stages": (Stage("change"), Stage("set", 0)),
        "announced": "stack",
        "x": XRule(1),
        "source_abilities": True,
        "effects": "at_once",
        "level": "allocations",
    }
    given |= {"assets": assets, **changes}
    return Ruleset("typed", "typed", (Document("d", "d", "1"),), "d", **given)  # type: ignore[arg-type]


HANDS = ("e", "e", "m", "p", "w", "ee", "em", "ew", "ww")
YIELDS = {name: FrozenMap({t: name.count(t) for t in TYPES if t in name}) for name in HANDS}
CARDS = {name: Card(name, ("card",), yields=yields) for name, yields in YIELDS.items()}


def asking(cost: Cost, hand: Sequence[str], rules: Ruleset | None = None, **more: object) -> Question:
    """Return a question about a hand."""
    rules = rules or typed()
    things = tuple(Thing(f"{name} {i}", name, "Ann", "Ann", "hand", timestamp=i) for i, name in enumerate(hand))
    pool = FrozenMap({asset.id: 0 for asset in rules.assets})
    position = Position((Player("Ann", pool),), things, FrozenMap(CARDS), "Ann")
    return Question(rules, position, Declaration("Ann", cost=cost, **more))  # type: ignore[arg-type]


def random_cost(rng: random.Random, most: int = 3, x: bool = True) -> Cost:
    """Return one to `most` plain costs due at once, sometimes with X."""
    terms = []
    for _ in range(rng.randint(1, most)):
        amount: Expression = rng.randint(1, 3)
        if x and rng.random() < 0.1:
            amount = Ref("x")
        terms.append(CostAll((AssetTerm(rng.choice(("r", "r", "e", "m", "w")), amount),)))
    return CostAll(tuple(terms))


def random_hand(rng: random.Random, most: int = 5) -> list[str]:
    """Return a hand."""
    return [rng.choice(HANDS) for _ in range(rng.randint(0, most))]


def plain(cost: Cost, x: int = 0) -> list[tuple[str, int]]:
    """Return the assets and amounts of a plain cost."""
    assert isinstance(cost, CostAll)
    terms = [t for part in cost.terms for t in (part.terms if isinstance(part, CostAll) else (part,))]
    return [(t.asset, t.amount if isinstance(t.amount, int) else x) for t in terms if isinstance(t, AssetTerm)]


def flows(parts: Sequence[tuple[str, int]], hand: Sequence[str]) -> bool:
    """Tell by maximal flow whether icons of a hand can pay all parts: a third way to find out, and nobody else's."""
    graph = nx.DiGraph()
    for i, name in enumerate(hand):
        for t in TYPES:
            if t in name:
                graph.add_edge("from", (i, t), capacity=name.count(t))
                for j, (asset, _) in enumerate(parts):
                    if t == "w" or asset in ("r", t):
                        graph.add_edge((i, t), j, capacity=99)
    for j, (_, n) in enumerate(parts):
        graph.add_edge(j, "to", capacity=n)
    need = sum(n for _, n in parts)
    if need == 0:
        return True
    return bool("from" in graph and nx.maximum_flow_value(graph, "from", "to") == need)


def paying_sets(parts: Sequence[tuple[str, int]], hand: Sequence[str]) -> set[frozenset[int]]:
    """Return every set of cards of a hand that pays all parts, by maximal flow."""
    if sum(n for _, n in parts) == 0:
        return {frozenset()}
    every = range(len(hand))
    return {
        frozenset(some)
        for n in range(len(hand) + 1)
        for some in combinations(every, n)
        if flows(parts, [hand[i] for i in some])
    }
