"""Invented rulesets and positions full of effects, made from a source of choices; small enough to try everything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from lawful.model.act import Act, Success
from lawful.model.card import Card
from lawful.model.declaration import Happening, OrderQuestion
from lawful.model.effect import Grant, Modifier, Norm, Prevention, Replacement, Static, Trigger
from lawful.model.expression import Compare, Count, Ref
from lawful.model.frozen import FrozenMap
from lawful.model.policy import EffectRules, Tier
from lawful.model.position import Player, Position, Thing
from lawful.model.ruleset import AssetRule, Document, Ruleset, Stage, Verb, Zone
from lawful.model.selector import Pattern, Selector, Test

T = TypeVar("T")
SELF, YOU = Ref("self"), Ref("controller")
CREATURES, BEASTS = Selector(type=("creature",)), Selector(type=("beast",))
MINE = Selector(type=("creature",), controller=YOU)
STATS, KINDS = ("might", "life"), ("gold", "rust")


class Dice(Protocol):
    """Where choices come from: `random.Random`, or hypothesis."""

    def choice(self, seq: Sequence[T], /) -> T:
        """Return one of them."""

    def randint(self, a: int, b: int, /) -> int:
        """Return a number of a range."""


def policies(dice: Dice) -> EffectRules:
    """Return any mixture of policies."""
    tiers = (Tier("would", "before", "first"), Tier("must", "after", "first"), Tier("may", "after", "turn"))
    classes = (
        (), (), ("self", "enters+standard", "prevention", "outcome"), ("prevention", "standard"),
        ("standard+prevention",),
    )  # fmt: skip
    return EffectRules(
        dependency=dice.choice(("ignore", "defer", "sort")),
        contradiction=dice.choice(("stages", "latest")),
        waiting=dice.choice(("any", "newest", "oldest")),
        ties=dice.choice(("silent", "blocks", "turn", "first")),
        tiers=dice.choice(((), (), tiers, tuple(replace(t, order=dice.choice(("turn", "window"))) for t in tiers))),
        checks=dice.choice(("empty", "always")),
        replacements=dice.choice(("silent", "affected", "blocks")),
        classes=dice.choice(classes),
        bans=dice.choice(("first", "last")),
        partly=dice.choice(("happens", "silent")),
        lasting=dice.choice(("live", "fixed")),
        preventions=dice.choice(("silent", "affected", "owner", "inactive", "blocks")),
        declining=dice.choice(("said", "said", "any")),
        thereby=dice.choice(("changed", "zeroed")),
        adding=dice.choice(("apart", "together")),
    )


def rules(dice: Dice) -> Ruleset:
    """Return an invented ruleset with any mixture of policies."""
    empty = Act("destroy", Selector(type=("creature",), where=(Test("life", "le", 0),)))
    return Ruleset(
        "invented",
        "An invented game",
        (Document("text", "Rules", "1"),),
        "text",
        assets=(AssetRule("r", "resource", 1, ("r",)),),
        zones=(Zone("hand", private=True), Zone("grave"), Zone("arena", play=True)),
        verbs=(
            Verb("destroy", ("arena",), "grave"),
            Verb("exhaust", ("arena",), adds="exhausted"),
            Verb("ready", ("arena",), removes="exhausted"),
            Verb("revive", ("grave",), "arena"),
        ),
        stages=(Stage("kinds"), Stage("early"), Stage("late", floor=dice.choice((None, 0)))),
        at_once=dice.choice(("each", "whole")),
        checks=dice.choice(((), (empty,))),
        ordering=policies(dice),
    )


def condition(dice: Dice) -> Any:
    """Return a condition, or none."""
    kind = dice.randint(0, 6)
    op = dice.choice(("lt", "ge", "eq"))
    if kind == 0:
        return Compare(Count(dice.choice((CREATURES, BEASTS, MINE))), op, dice.randint(0, 3))
    if kind == 1:
        return Compare(Ref("self", (dice.choice(STATS),)), op, dice.randint(0, 4))
    if kind == 2:
        strong = Selector(where=(Test(dice.choice(STATS), dice.choice(("lt", "ge")), dice.randint(1, 4)),))
        return Compare(Count(strong), op, dice.randint(0, 2))
    if kind == 3:
        return Compare(Ref("self", ("counters", dice.choice(KINDS))), op, dice.randint(0, 2))
    return None


def modifier(dice: Dice) -> Modifier:
    """Return a modifier."""
    stat = dice.choice((*STATS, "base.might"))
    amount: Any = dice.choice((0, 1, 2, 3, Ref("self", ("might",)), Ref("subject", ("life",)), Count(BEASTS)))
    return Modifier(
        stat,
        dice.choice(("set", "set", "add", "add", "subtract", "multiply")),
        amount,
        dice.choice(("early", "late")),
        dice.choice((SELF, CREATURES, MINE, BEASTS, Selector(not_=SELF))),
        condition(dice),
    )


def static(dice: Dice) -> Static:
    """Return a static ability."""
    kind = dice.randint(0, 5)
    if kind == 0:
        what = dice.choice(("beast", "creature"))
        gains: dict[str, Any] = dice.choice(({"gain_types": (what,)}, {"lose_types": (what,)}, {"set_types": (what,)}))
        return Static(
            Grant(
                dice.choice(("kinds", "kinds", "early")),
                of=dice.choice((None, CREATURES, BEASTS, Selector(not_=SELF))),
                while_=condition(dice),
                no_abilities=dice.randint(0, 3) == 0,
                **gains,
            )
        )
    if kind == 1:
        action = Pattern(dice.choice(("wounds", "add")), dice.choice((None, SELF, MINE)))
        return Static(Norm("cannot", action, condition(dice), more_than=dice.choice((None, 1))))
    return Static(modifier(dice))


def act(dice: Dice) -> Act:
    """Return an act that does not by itself start over."""
    whom: Any = dice.choice((SELF, CREATURES, MINE, replace(CREATURES, how="choose"), replace(BEASTS, how="choose")))
    kind = dice.randint(0, 9)
    if kind <= 2:
        return Act("wound", whom, n=dice.choice((1, 2, 3, Ref("self", ("might",)))))
    if kind <= 4:
        return Act(dice.choice(("add", "remove")), dice.choice(KINDS), of=whom, n=dice.randint(1, 2))
    if kind == 5:
        return Act(dice.choice(("exhaust", "ready", "destroy")), whom)
    if kind == 6:
        return Act("gain", FrozenMap({"r": dice.randint(1, 2)}))
    if kind == 7:
        return Act("set", dice.choice(("base.life", "base.might")), of=whom, to=dice.randint(0, 4))
    if kind == 8:
        return Act("lay", replace(modifier(dice), of=None), of=whom)
    return Act("heal", whom, n=dice.randint(1, 2), when=condition(dice))


def pattern(dice: Dice) -> Pattern:
    """Return a pattern of events."""
    name = dice.choice(("wounds", "wounds", "add", "exhaust", "destroy"))
    return Pattern(name, dice.choice((None, SELF, CREATURES, MINE)), by=dice.choice((None, None, YOU)))


def ability(dice: Dice, effects: EffectRules) -> Any:
    """Return an ability."""
    tier = dice.choice((None, *(t.name for t in effects.tiers)))
    optional = dice.randint(0, 4) == 0
    kind = dice.randint(0, 9)
    if kind <= 3:
        return static(dice)
    if kind <= 6:
        batch = dice.choice(("each", "each", "once", "alone", "together"))
        acts = tuple(act(dice) for _ in range(dice.randint(1, 2)))
        if len(acts) == 2 and dice.randint(0, 1):
            success = dice.choice(tuple(Success))
            acts = (replace(acts[0], as_="it"), replace(acts[1], given="it", success=success))
        return Trigger(pattern(dice), acts, condition(dice), optional, batch, 1, tier)
    if kind <= 7:
        on = Pattern("wounds", dice.choice((None, SELF, MINE)))
        return Prevention(on, dice.randint(1, 3), dice.choice(("event", "total", "one")), optional, tier)
    return Replacement(
        pattern(dice),
        (act(dice),),
        condition(dice),
        optional,
        dice.choice(("standard", "standard", "self", "outcome")),
        dice.choice((None, None, 1)),
        tier,
    )


def question(dice: Dice, effects: int = 4) -> OrderQuestion:
    """Return something that happens in an invented position under invented rules."""
    game = rules(dice)
    cards, things = {}, []
    many = dice.randint(1, effects)
    for i in range(3):
        name = f"c{i}"
        abilities = tuple(ability(dice, game.ordering) for n in range(many) if n % 3 == i)
        types = dice.choice((("creature",), ("creature", "beast"), ("charm",)))
        stats = FrozenMap({"might": dice.randint(0, 3), "life": dice.randint(1, 3)})
        cards[name] = Card(name, types, stats=stats, abilities=abilities)
        who = dice.choice(("Ann", "Bob"))
        stamp = dice.choice((i, 3 - i))
        things.append(Thing(name, name, who, who, dice.choice(("arena", "arena", "arena", "grave")), timestamp=stamp))
    players = (Player("Ann", FrozenMap({"r": 0})), Player("Bob", FrozenMap({"r": 0})))
    position = Position(players, tuple(things), FrozenMap(cards), dice.choice(("Ann", "Bob")), 2, clock=9)
    events = tuple(
        Happening((act(dice),), dice.choice(("Ann", "Bob")), dice.choice(("c0", "c1", "c2")))
        for _ in range(dice.randint(1, 2))
    )
    return OrderQuestion(game, position, events)


def crowd(dice: Dice, many: int = 4) -> OrderQuestion:
    """Return several abilities that all hear one event and set off no other: what their orders come to is compared."""
    game = rules(dice)
    game = replace(game, ordering=replace(game.ordering, tiers=()))
    bell = Card("bell", ("charm",))
    cards, things = {"bell": bell}, [Thing("bell", "bell", "Ann", "Ann", "arena", timestamp=1)]
    for i in range(many):
        name = f"c{i}"
        target = Selector(type=("creature",), where=(Test("mark", "eq", dice.randint(0, 1)),))
        done = act(dice)
        if dice.randint(0, 2):
            done = (
                replace(done, of=SELF) if done.verb in ("add", "remove", "set", "lay") else Act("add", "gold", of=SELF)
            )
        elif done.verb in ("add", "remove"):
            done = replace(done, of=target)
        hears = Trigger(Pattern("ready"), (done,), condition(dice))
        more = (static(dice),) if dice.randint(0, 3) == 0 else ()
        stats = FrozenMap({"might": dice.randint(0, 3), "life": dice.randint(1, 3), "mark": dice.randint(0, 1)})
        cards[name] = Card(name, ("creature",), stats=stats, abilities=(hears, *more))
        who = dice.choice(("Ann", "Bob"))
        things.append(Thing(name, name, who, who, "arena", timestamp=i + 2))
    things[0] = replace(things[0], status=frozenset({"exhausted"}))
    players = (Player("Ann", FrozenMap({"r": 0})), Player("Bob", FrozenMap({"r": 0})))
    position = Position(players, tuple(things), FrozenMap(cards), "Ann", 2, clock=20)
    return OrderQuestion(game, position, (Happening((Act("ready", SELF),), "Ann", "bell"),))
