"""Stranger worlds than `invented`: whatever a text can do, in every mixture; made from a source of choices."""

# ruff: noqa: E501 - one choice is one line
from __future__ import annotations

from dataclasses import replace
from typing import Any

from invented import Dice, policies

from lawful.model.act import Act, Success
from lawful.model.card import Card
from lawful.model.cost import ActTerm, AssetTerm
from lawful.model.declaration import Happening, OrderQuestion
from lawful.model.effect import Grant, Modifier, Norm, Prevention, Replacement, Source, Static, Trigger
from lawful.model.expression import Compare, Count, Every, Fact, Greatest, Least, Not, PerPlayer, Ref, Some, Sum, Times
from lawful.model.frozen import FrozenMap
from lawful.model.policy import Tier
from lawful.model.position import Lasting, Player, Position, Thing
from lawful.model.procedure import Norming
from lawful.model.ruleset import AssetRule, Document, Ruleset, Stage, Verb, Zone
from lawful.model.selector import Pattern, Selector, Test

SELF, YOU, SUBJECT = Ref("self"), Ref("controller"), Ref("subject")
BEASTS = Selector(type=("beast",))
NAMES = ("wounds",) * 5 + ("damage", "tap", "die", "fetch", "put", "guards", "gains", "take", "mark", "add", "turn")


def rules(dice: Dice) -> Ruleset:
    """Return rules of any mixture, with verbs of every kind."""
    dead = Act("die", Selector(type=("beast",), where=(Test("life", "le", 0),)))
    hurt = Act("die", Selector(type=("beast",), where=(Test("life", "le", Ref("it", ("counters", "wounds"))),)))
    game = policies(dice)
    tiers: Any = (
        Tier("would", "before", dice.choice(("first", "turn", "window"))),
        Tier("must", "after", "first"),
        Tier("may"),
    )
    return Ruleset(
        "odd", "An odd game", (Document("text", "Rules", "1"),), "text",
        assets=(AssetRule("r", "resource", 1, ("r",)),),
        zones=(
            Zone("hand", private=True), Zone("deck", private=True), Zone("grave"), Zone("field", play=True),
            Zone("base", play=True),
        ),
        verbs=(
            Verb("die", ("field", "base"), "grave"),
            Verb("tap", ("field", "base"), adds="tapped"),
            Verb("untap", removes="tapped"),
            Verb("turn", ("field", "base"), face="down"),
            Verb("fetch", ("grave", "hand"), "field"),
            Verb("take", ("field", "base"), places="damage", room="life", event="damage"),
            Verb("mark", ("field", "base"), puts=True),
            Verb("strip", counters=True),
            Verb("toss", ("hand",), "grave"),
        ),
        sources=dice.choice((
            (),
            (Source(
                FrozenMap({"r": 2}), ActTerm(Act("toss", SELF)), "toss", Selector(zone=("hand",), owner=YOU), limit=1
            ),),
        )),
        stages=(Stage("kinds"), Stage("early"), Stage("late", floor=dice.choice((None, 0)))),
        at_once=dice.choice(("each", "whole")),
        checks=dice.choice(((), (dead,), (hurt,), (dead, hurt))),
        replacements=dice.choice(((), (), (Replacement(Pattern("damage"), (Act("mark", "rust", of=SUBJECT),), n=1),))),
        preventions=dice.choice(((), (), (Prevention(Pattern("damage", BEASTS), 1),))),
        norms=dice.choice((
            (), (),
            (Norm("cannot", Pattern("wounds", Selector(status=("tapped",)))),),
            (Norm("cannot", Pattern("target", BEASTS, Ref("declarer"))),),
        )),
        norming=Norming(
            dice.choice((("cannot", "must", "may"), ("must", "cannot", "may"), ("may", "cannot", "must"))),
            dice.choice(("rank", "latest")), dice.choice(("hard", "any", "most", "maximal")),
            dice.choice(("exclusive", "include")), dice.choice(("void", "blocks")),
        ),
        ordering=replace(game, tiers=dice.choice((game.tiers, game.tiers, tiers))),
    )  # fmt: skip


def selector(dice: Dice, how: str = "each") -> Selector:
    """Return who is meant."""
    parts: dict[str, Any] = {"how": how}
    kind = dice.randint(0, 13)
    if kind <= 3:
        parts["type"] = (dice.choice(("beast", "spirit")),)
    if kind in (3, 4):
        parts["controller"] = dice.choice((YOU, Ref("opponent"), Ref("subject", ("controller",))))
    if kind == 5:
        parts["zone"] = dice.choice((("grave",), ("hand",), ("field", "base"), ("deck",)))
    if kind == 6:
        parts["not_"] = dice.choice((SELF, SUBJECT))
    if kind == 7:
        parts["where"] = (
            Test(
                dice.choice(("power", "life", "base.power", "cost")),
                dice.choice(("ge", "lt", "eq", "ne")),
                number(dice),
            ),
        )
    if kind == 8:
        parts["counters"] = FrozenMap({dice.choice(("rust", "wounds")): 1})
    if kind == 9:
        parts["face"] = "down"
    if kind == 10:
        parts["any_of"] = (Selector(type=("spirit",)), Selector(status=("tapped",)))
    if kind == 11:
        parts["none_of"] = (dice.choice((Selector(type=("beast",)), Selector(has=("power",)))),)
    if kind == 12:
        parts["relations"] = FrozenMap({"guards": SELF})
    if kind == 13:
        parts["status"] = ("tapped",)
    if how in ("choose", "target") and dice.randint(0, 2) == 0:
        parts["n"] = dice.choice((1, 2, 2, 3))
        parts["up_to"] = dice.choice((True, False))
    if how in ("choose", "target") and dice.randint(0, 3) == 0:
        parts["by"] = dice.choice((Ref("opponent"), YOU, Ref("subject", ("controller",))))
    return Selector(**parts)


def number(dice: Dice) -> Any:
    """Return a number."""
    stat = dice.choice(("power", "life", "cost"))
    return dice.choice((
        *(1, 2, 3) * 4, 0,
        Ref("self", (stat,)), Ref("subject", (stat,)), Ref("event"), Ref("self", ("counters", dice.choice(("rust", "wounds")))),
        Count(BEASTS), Count(Selector(controller=YOU)), Sum((1, Ref("self", ("power",)))), Times(2, Ref("event")), Least((2, Count(BEASTS))),
        Greatest((1, Ref("self", ("guards", "power")))), PerPlayer(1), Ref("controller", ("pool", "r")), Ref("self", ("base", "life")),
        Ref("controller", ("won",)), Ref("controller", ("luck",)),
    ))  # fmt: skip


def condition(dice: Dice, deep: int = 1) -> Any:
    """Return a condition, or none."""
    kind = dice.randint(0, 19)
    if kind <= 2:
        return Compare(
            number(dice),
            dice.choice(("lt", "le", "ge", "eq", "gt")),
            dice.choice((0, 1, 2, 3, Ref("self", ("power",)))),
        )
    if kind == 3 and deep:
        parts = tuple(c for c in (condition(dice, 0), condition(dice, 0)) if c is not None)
        return dice.choice((Every, Some))(parts)
    if kind == 4 and deep:
        inner = condition(dice, 0)
        return None if inner is None else Not(inner)
    if kind == 5:
        return Fact("won", dice.choice(("yes", "no")), YOU)
    return None


def modifier(dice: Dice) -> Modifier:
    """Return a modifier."""
    stat = dice.choice(("power", "life", "life", "base.power", "cost", "cost.r"))
    operation: Any = dice.choice(("set", "set", "add", "add", "subtract", "multiply"))
    stage = dice.choice(("early", "late", "kinds"))
    of = dice.choice((SELF, selector(dice), selector(dice), BEASTS, Ref("self", ("guards",))))
    return Modifier(stat, operation, number(dice), stage, of, condition(dice))


def grant(dice: Dice) -> Grant:
    """Return a grant."""
    kind = dice.choice(("beast", "spirit"))
    gains: Any = dice.choice(({"gain_types": (kind,)}, {"lose_types": (kind,)}, {"set_types": (kind,)}, {}))
    of = dice.choice((None, BEASTS, selector(dice), Selector(not_=SELF)))
    quiet = dice.randint(0, 2) == 0
    return Grant(dice.choice(("kinds", "early")), of=of, while_=condition(dice), no_abilities=quiet, **gains)


def norm(dice: Dice) -> Norm:
    """Return a norm about what happens or who is chosen."""
    event = dice.choice(("wounds", "damage", "target", "target", "choose", "die", "gains", "fetch"))
    action = Pattern(
        event,
        dice.choice((None, SELF, selector(dice), BEASTS)) if event != "gains" else None,
        by=dice.choice((None, None, YOU, Ref("declarer"), Ref("opponent"))),
        source=dice.choice((None, None, BEASTS, selector(dice))),
        chosen=event not in ("target", "choose") and dice.randint(0, 2) == 0,
    )
    modality: Any = dice.choice(("cannot", "cannot", "cannot", "must", "may"))
    limit = dice.choice((None, None, 1)) if event in ("wounds", "damage") else None
    made = Norm(
        modality, action, condition(dice), condition(dice) if dice.randint(0, 3) == 0 else None,
        name=dice.choice(("", "ward")), more_than=limit if modality == "cannot" else None,
    )  # fmt: skip
    return replace(made, ignores=("ward",)) if modality == "may" and dice.randint(0, 1) else made


def static_effect(dice: Dice) -> Any:
    """Return what a static ability or a lasting effect does."""
    return dice.choice((modifier, modifier, grant, norm, norm))(dice)


def act(dice: Dice) -> Act:
    """Return a step."""
    how = dice.choice(("each", "each", "choose", "target", "top", "random"))
    wanted: Any = dice.choice(
        (
            SELF,
            SELF,
            SUBJECT,
            selector(dice, how),
            selector(dice, how),
            replace(BEASTS, how=how),
            Ref("it"),
            Ref("it 2"),
        )
    )
    if isinstance(wanted, Selector) and how in ("top", "random"):
        wanted = replace(wanted, n=1, up_to=False, by=None)
    when = condition(dice) if dice.randint(0, 3) == 0 else None
    kind = dice.randint(0, 18)
    if kind <= 3:
        made = Act("wound", wanted, n=number(dice))
    elif kind == 4:
        made = Act("take", wanted, n=number(dice))
    elif kind == 5:
        made = Act(
            dice.choice(("add", "remove", "mark", "strip")), dice.choice(("rust", "wounds")), of=wanted, n=number(dice)
        )
    elif kind == 6:
        made = Act(dice.choice(("die", "tap", "untap", "turn", "fetch")), wanted)
    elif kind == 7:
        made = Act(
            dice.choice(("gain", "lose")), FrozenMap({"r": number(dice)}), of=dice.choice((None, YOU, Ref("opponent")))
        )
    elif kind == 8:
        made = Act("set", dice.choice(("base.life", "base.power", "counters.rust")), of=wanted, to=number(dice))
    elif kind == 9:
        what = static_effect(dice)
        if isinstance(what, Modifier | Grant) and dice.randint(0, 1):
            what = replace(what, of=None)
        made = Act("lay", what, of=wanted, until=dice.choice((None, "turn")), n=dice.choice((None, None, 1)))
    elif kind == 10:
        made = Act("move", wanted, to=dice.choice(("grave", "field", "hand", "base", "deck")))
    elif kind == 11:
        made = Act("put", wanted, of=dice.choice((SELF, SUBJECT, Ref("it"))), to="guards")
    elif kind == 12:
        made = Act("heal", wanted, n=number(dice))
    elif kind == 13:
        made = Act(
            dice.choice(("draw", "shuffle", "look", "search")), of=dice.choice((None, YOU)), n=dice.choice((None, 1, 2))
        )
        made = made if made.verb == "draw" else replace(made, n=None)
    elif kind == 14:
        made = Act("end", "turn")
    elif kind == 15:
        made = Act("set", "facts.won", of=dice.choice((YOU, Ref("opponent"))), to=dice.choice(("yes", "no", "2")))
    elif kind == 16:
        made = Act("choose", wanted)
    elif kind == 17:
        made = Act("play", wanted, to="field")
    else:
        made = Act("pay", FrozenMap({"r": dice.randint(1, 2)}), of=dice.choice((None, YOU, Ref("opponent"))))
    return replace(made, when=when)


def text(dice: Dice, many: int = 3) -> tuple[Act, ...]:
    """Return steps, later ones hanging on earlier ones."""
    acts = [act(dice) for _ in range(dice.randint(1, many))]
    if len(acts) > 1 and dice.randint(0, 2):
        acts[0] = replace(acts[0], as_="it")
        if dice.randint(0, 3) == 0:
            acts[-1] = replace(acts[-1], unless="it")
        elif dice.randint(0, 1):
            acts[-1] = replace(acts[-1], given="it", success=dice.choice(tuple(Success)))
    return tuple(acts)


def pattern(dice: Dice, name: str | None = None) -> Pattern:
    """Return a pattern of events."""
    event = name or dice.choice(NAMES)
    subject = dice.choice((None, None, SELF, selector(dice), BEASTS)) if event != "gains" else None
    source = dice.choice((None,) * 6 + (SELF, BEASTS, selector(dice)))
    on = dice.choice((None, SELF)) if event in ("guards", "put") else None
    return Pattern(event, subject, by=dice.choice((None,) * 5 + (YOU, Ref("opponent"))), source=source, on=on)


def ability(dice: Dice, game: Ruleset) -> Any:
    """Return an ability."""
    tier = dice.choice((None, *(t.name for t in game.ordering.tiers)))
    optional = dice.randint(0, 4) == 0
    kind = dice.randint(0, 9)
    if kind <= 3:
        return Static(static_effect(dice))
    if kind <= 6:
        batch: Any = dice.choice(("each", "each", "once", "alone", "together"))
        return Trigger(pattern(dice), text(dice), condition(dice), optional, batch, dice.choice((1, 1, 2)), tier)
    if kind <= 7:
        on = pattern(dice, dice.choice(("wounds", "wounds", "damage")))
        per: Any = dice.choice(("event", "total", "one"))
        return Prevention(on, number(dice), per, optional, tier)
    sort: Any = dice.choice(("standard", "standard", "self", "outcome", "enters"))
    on = pattern(dice, dice.choice(("fetch", "play", "move"))) if sort == "enters" else pattern(dice)
    return Replacement(
        on, text(dice, 2), condition(dice), optional, sort, dice.choice((None, None, number(dice))), tier
    )


def question(dice: Dice, effects: int = 5, players: int = 2) -> OrderQuestion:
    """Return something that happens in an odd position under odd rules."""
    game = rules(dice)
    names = ("Ann", "Bob", "Cid")[:players]
    cards, things = {}, []
    for i in range(4):
        name = f"c{i}"
        abilities = tuple(ability(dice, game) for _ in range(dice.randint(0, effects - 3)))
        types = dice.choice((("beast",), ("beast", "spirit"), ("spirit",), ("charm",)))
        stats: Any = dice.choice(({"power": dice.randint(0, 3), "life": dice.randint(1, 3)}, {"life": 2}, {}))
        price = dice.choice((None, None, AssetTerm("r", 2)))
        cards[name] = Card(name, types, stats=FrozenMap(stats), abilities=abilities, cost=price)
        face: Any = "down" if dice.randint(0, 9) == 0 else "up"
        zone = dice.choice(("field",) * 8 + ("base", "grave", "hand", "deck"))
        things.append(
            Thing(
                name, name, dice.choice(names), dice.choice(names), zone, face,
                frozenset(dice.choice(((), (), ("tapped",)))), FrozenMap(dice.choice(({}, {}, {"rust": 1}, {"wounds": 1}))),
                relations=FrozenMap(dice.choice(({}, {}, {"guards": "c0"}))), timestamp=dice.choice((i, 3 - i)),
            )
        )  # fmt: skip
    lasting: tuple[Lasting, ...] = ()
    if dice.randint(0, 3) == 0:
        on = dice.choice(("c0", "c1"))
        what = static_effect(dice)
        if isinstance(what, Modifier):
            what = replace(what, of=Ref("on"))
        lasting = (Lasting("old", "Ann", what, 1, FrozenMap({"self": on, "on": on}), dice.choice((None, "turn"))),)
    first = dice.choice((*names, None))
    people = tuple(
        Player(
            n,
            FrozenMap({"r": dice.randint(0, 2)}),
            FrozenMap({"luck": "2", **({"first": "yes"} if n == first else {})}),
        )
        for n in names
    )
    position = Position(people, tuple(things), FrozenMap(cards), dice.choice(names), players, lasting, clock=9)
    events = tuple(
        Happening(text(dice), dice.choice(names), dice.choice(("c0", "c1", "c2"))) for _ in range(dice.randint(1, 2))
    )
    return OrderQuestion(game, position, events)
