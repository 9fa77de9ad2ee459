"""Random boards: objects, norms and protections of every kind, under rules of every mixture."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from worlds import KINDS, cost, ruleset

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import ActTerm, AssetTerm, CostAll
from lawful.model.declaration import Declaration, Question
from lawful.model.effect import Activated, Additional, Grant, Modifier, Norm, Static
from lawful.model.expression import Compare, Count, Ref, Sum, Times
from lawful.model.frozen import FrozenMap
from lawful.model.modes import Mode, Modes
from lawful.model.position import Lasting, Player, Position, Thing
from lawful.model.procedure import Choosing, Norming, Procedure, Slot
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Pattern, Selector, Test

SELF, YOU, X = Ref("self"), Ref("controller"), Ref("x")
RANKS = [("cannot", "must", "may"), ("must", "cannot", "may"), ("may", "cannot", "must")]


def rules(r: Random) -> Ruleset:
    """Return rules of some mixture."""
    choosing = Choosing(
        declared=r.choice([("target",), ("target", "choose")]),
        least=r.choice([0, 1]),
        gate=r.choice(["none", "none", "any", "every"]),
        affected=r.choice(["ignored", "any"]),
        spent=r.choice(["barred", "allowed"]),
    )
    norming = Norming(
        rank=r.choice(RANKS),
        conflict=r.choice(["rank", "latest"]),
        must=r.choice(["hard", "hard", "any", "most", "maximal"]),
        others=r.choice(["exclusive", "include"]),
        barred=r.choice(["void", "blocks"]),
    )
    mine = Selector(zone=("arena",), controller=YOU, type=("beast",))
    block = Procedure(
        "block",
        (Slot("blockers", mine, Selector(zone=("arena",), status=("attacking",))),),
        once=r.random() < 0.7,
    )  # fmt: skip
    muster = Procedure("muster", (Slot("troop", Selector(zone=("arena",), controller=YOU)),))
    norms = (norm(r),) if r.random() < 0.2 else ()
    return ruleset(choosing=choosing, norming=norming, procedures=(block, muster), norms=norms)


def selector(r: Random, how: str = "each") -> Selector:
    """Return who may be meant."""
    parts: dict[str, object] = {"how": how}
    if r.random() < 0.4:
        parts["type"] = (r.choice(["beast", "spirit"]),)
    if r.random() < 0.2:
        parts["controller"] = YOU
    if r.random() < 0.15:
        parts["where"] = (Test("power", r.choice(["ge", "le"]), r.choice([1, 2, 3])),)
    if r.random() < 0.1:
        parts["face"] = "down"
    if r.random() < 0.1:
        parts["status"] = ("attacking",)
    if r.random() < 0.08:
        who = {"controller": r.choice([None, YOU])}
        return Selector(player=True, how=how, **who)  # type: ignore[arg-type]
    if r.random() < 0.08:
        return Selector(any_of=(Selector(**{**parts, "how": "each"}), Selector(player=True)), how=how)  # type: ignore[arg-type]
    return Selector(**parts)  # type: ignore[arg-type]


def norm(r: Random) -> Norm:
    """Return a norm about choosing, blocking, or receiving."""
    modality = r.choice(["cannot", "cannot", "must", "must", "may"])
    event = r.choice(["target", "target", "choose", "block", "block", "muster", "destroy", "tap"])
    subject = r.choice([SELF, SELF, selector(r), None])
    on = SELF if event == "block" and r.random() < 0.4 else None
    if on is not None:
        subject = r.choice([None, selector(r)])
    by = r.choice([None, None, None, YOU, Ref("declarer"), Ref("opponent")])
    source = r.choice([None, None, None, Selector(type=("spell",))])
    made = Norm(modality, Pattern(event, subject, by, on=on, source=source), name=r.choice(["", "", "ward"]))  # type: ignore[arg-type]
    if r.random() < 0.15:
        made = replace(made, while_=Compare(Count(Selector(type=("beast",))), r.choice(["ge", "lt"]), 2))
    if modality == "cannot" and r.random() < 0.3:
        made = replace(made, **{r.choice(["more_than", "fewer_than"]): r.choice([1, 2])})  # type: ignore[arg-type]
    if modality == "must" and r.random() < 0.3:
        made = replace(made, at_least=r.choice([1, 2]))
    if modality == "may" and r.random() < 0.4:
        made = replace(made, ignores=("ward",))
    return made


def grant(r: Random) -> Grant:
    """Return what changes what objects are."""
    of = r.choice([None, selector(r), selector(r)])
    while_ = Compare(Count(Selector(type=("beast",))), r.choice(["ge", "lt"]), 2) if r.random() < 0.2 else None
    kind = r.choice(["gain", "gain", "lose", "set", "mute"])
    word = (r.choice(["beast", "spirit", "spell"]),)
    return Grant(
        r.choice(["set", "increase"]),
        gain_types=word if kind == "gain" else (),
        lose_types=word if kind == "lose" else (),
        set_types=word if kind == "set" else None,
        no_abilities=kind == "mute",
        of=of,
        while_=while_,
    )


def _laid_on(id: str) -> FrozenMap[str, str | int]:
    """Return what a text refers to that was laid on an object."""
    return FrozenMap({"self": id, "on": id})


def text(r: Random, many: int = 2) -> tuple[Act, ...]:
    """Return acts with slots."""
    acts = []
    for number in range(r.randint(1, many)):
        wanted = selector(r, r.choice(["target", "target", "target", "choose", "each"]))
        if r.random() < 0.3:
            wanted = replace(wanted, n=r.choice([1, 2, 2, X]), up_to=r.random() < 0.5)
        if r.random() < 0.15:
            wanted = replace(wanted, by=Ref("opponent"))
        if number and r.random() < 0.4:
            wanted = replace(wanted, not_=Ref("first"))
        as_ = "first" if not number and r.random() < 0.6 else None
        acts.append(Act(r.choice(["destroy", "tap", "banish", "reveal"]), wanted, as_=as_))
    if any(a.as_ == "first" for a in acts) or len(acts) == 1:
        return tuple(acts)
    return tuple(replace(a, what=replace(a.what, not_=None)) if isinstance(a.what, Selector) else a for a in acts)


def board(r: Random, size: int, procedures: bool = True) -> Question:
    """Return a question about a board of some objects."""
    cards = dict(KINDS)
    things = []
    for number in range(size):
        types = (r.choice(["beast", "spirit"]), *(("spell",) if r.random() < 0.1 else ()))
        abilities: list[Static | Additional] = [Static(norm(r)) for _ in range(r.choice([0, 0, 1, 1, 2]))]
        if r.random() < 0.15:
            abilities.append(Static(Modifier("power", "add", 1, "increase", of=selector(r))))
        if r.random() < 0.1:
            abilities.append(Static(grant(r)))
        if r.random() < 0.15:
            on = Pattern("declaration", on=selector(r))
            abilities.append(Static(Modifier("cost.r", "add", r.choice([1, 2]), "increase", of=on)))
        if r.random() < 0.05:
            pays = (
                AssetTerm("r", 1)
                if r.random() < 0.5
                else ActTerm(Act("discard", Selector(zone=("hand",), how="choose")))
            )
            abilities.append(
                Additional(pays, "tithe", to=Pattern("declaration", on=r.choice([SELF, None, selector(r)])))
            )
        name = f"card {number}"
        cards[name] = Card(name, types, stats=FrozenMap({"power": r.randint(1, 3)}), abilities=tuple(abilities))
        who = r.choice(["Ann", "Bob"])
        zone = r.choice(["arena", "arena", "arena", "arena", "graveyard"])
        face = "down" if r.random() < 0.1 else "up"
        status = frozenset({"attacking"}) if r.random() < 0.3 else frozenset()
        things.append(Thing(f"o{number}", name, who, who, zone, face, status, timestamp=r.randint(0, 3)))  # type: ignore[arg-type]
    do = text(r)
    modes = None
    if r.random() < 0.25:
        price = r.choice([None, None, AssetTerm("r", r.choice([1, 2]))])
        one, two = Mode("one", text(r, 1), price), Mode("two", (Act("draw"),), r.choice([None, AssetTerm("r", 1)]))
        modes = Modes((one, two), r.choice([1, 1, 2]), up_to=r.random() < 0.3, repeat=r.random() < 0.4)
    if modes is not None:
        do = do[:1]
    due = cost(r=r.choice([0, 1, 2])) if r.random() < 0.4 else CostAll()
    if r.random() < 0.2:
        each = (
            AssetTerm("r", Ref("targets")) if r.random() < 0.7 else AssetTerm("r", Sum((2, Times(-1, Ref("targets")))))
        )
        due = CostAll((*due.terms, each))
    if r.random() < 0.2:
        given = selector(r, "choose")
        due = CostAll((*due.terms, ActTerm(Act(r.choice(["destroy", "tap"]), replace(given, zone=("arena",))))))
    cards["Staff"] = Card(
        "Staff", ("tool", *(("spell",) if r.random() < 0.5 else ())), abilities=(Activated(due, do, modes=modes),)
    )
    things.append(Thing("staff", "Staff", "Ann", "Ann", "arena", timestamp=1))
    for number, name in enumerate(r.choice([(), ("red",), ("blue",), ("red", "red")])):
        things.append(Thing(f"hand {number}", name, "Ann", "Ann", "hand"))
    lasting = (
        (
            Lasting(
                "spell effect",
                "Bob",
                grant(r) if r.random() < 0.2 else norm(r),
                r.randint(0, 3),
                _laid_on(r.choice([t.id for t in things])),
            ),
        )
        if r.random() < 0.3
        else ()
    )
    made = rules(r)
    have = FrozenMap({a.id: a.start for a in made.assets})
    position = Position((Player("Ann", have), Player("Bob", have)), tuple(things), FrozenMap(cards), "Ann", 2, lasting)
    x = r.choice([1, 2]) if "X" in str(do) or any(getattr(a.what, "n", None) == X for a in do) else None
    declaration = Declaration("Ann", "activate", "staff", x=x)
    if procedures and r.random() < 0.4:
        declaration = Declaration("Ann", "declare", None, r.choice(["block", "muster"]))
    return Question(made, position, declaration)
