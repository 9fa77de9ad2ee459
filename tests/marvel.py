"""Small boards of Marvel Champions, judged by trying everything, from the rules alone; and the same as case texts.

What may be declared is written down here a second time, from the entries of the Rules Reference that each function
names, and in nothing but plain Python: the project's own words, its selectors and norms, are only in `written`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import combinations, product
from random import Random

Choice = tuple[str, ...]


@dataclass
class Card:
    """An object in play."""

    id: str
    controller: str
    types: tuple[str, ...]
    status: frozenset[str] = frozenset()
    engaged: str = ""
    hit_points: int = 0
    charges: int = 0
    bans: tuple[str, ...] = ()


@dataclass
class Board:
    """A board, and an ability or event of Ann's that is declared on it."""

    cards: dict[str, Card]
    hand: tuple[str, ...]
    actor: str
    label: str
    basic: bool
    cost: list[tuple[str, ...]]
    verbs: tuple[str, ...]
    kind: str
    how: str
    ignored: frozenset[str] = frozenset()
    banned: frozenset[str] = frozenset()
    labels: tuple[str, ...] = field(default=())

    def of(self, kind: str) -> list[Card]:
        """Return the objects of a type."""
        return [card for card in self.cards.values() if kind in card.types]


def drawn(r: Random) -> Board:
    """Return a board."""
    cards: dict[str, Card] = {}

    def some(*words: str, p: float = 0.25) -> tuple[str, ...]:
        return tuple(word for word in words if r.random() < p)

    def put(
        id: str, controller: str, *types: str, p: float = 1.0, status: tuple[str, ...] = (), **more: object
    ) -> None:
        if r.random() < p:
            bans = some("damage", "ready", "exhaust", "attack", p=0.06)
            cards[id] = Card(id, controller, types, frozenset(some(*status)), bans=bans, **more)  # type: ignore[arg-type]

    own = ("exhausted", "stunned", "confused", "tough")
    put("Hero", "Ann", "hero", "character", status=own, hit_points=9)
    put("Hawk", "Ann", "ally", "character", p=0.7, status=own, hit_points=1)
    put("Owl", "Bob", "ally", "character", p=0.5, status=("exhausted", "tough"), hit_points=2)
    put("Rhino", "Foe", "villain", "enemy", "character", *some("guard", "stalwart"), p=0.85, status=("tough",))
    for id in ("Thug", "Drone"):
        words = some("guard", "patrol", "stalwart", p=0.35)
        put(id, "Foe", "minion", "enemy", "character", *words, p=0.5, engaged=r.choice(["Ann", "Ann", "Bob"]))
    put("Plot", "Foe", "scheme", "main scheme", p=0.8)
    put("Alarm", "Foe", "scheme", "side scheme", *some("crisis", p=0.5), p=0.5)
    put("Gadget", "Ann", "upgrade", status=("exhausted",), charges=r.choice([0, 1, 2]))
    actor = r.choice(["Gadget", "Hero", "Jab", *(["Hawk"] if "Hawk" in cards else [])])
    label = r.choice(["", "attack", "attack", "thwart", "thwart"])
    cost: list[tuple[str, ...]] = []
    if actor != "Jab":
        cost += [("exhaust self",)] if r.random() < 0.5 else []
        cost += [("take", r.choice(["1", "2"]))] if r.random() < 0.2 else []
    cost += [("exhaust ally", r.choice(["own", "chosen", "friendly"]))] if r.random() < 0.25 else []
    cost += [("deal", r.choice(["own", "chosen"]))] if r.random() < 0.2 else []
    cost += [("spend", r.choice(["e", "m", "r"]))] if r.random() < 0.25 else []
    if actor == "Gadget":
        cost += [("charge",)] if r.random() < 0.3 else []
        cost += [("discard self",)] if r.random() < 0.15 else []
    attacks = [(("attack",), "enemy"), (("deal",), "enemy"), (("deal",), "villain"), (("stun", "deal"), "enemy")]
    thwarts = [(("remove_threat",), "scheme"), (("remove_threat",), "main scheme")]
    others = [(("deal",), "enemy"), (("stun",), "enemy"), (("stun", "confuse"), "enemy"), (("deal",), "character")]
    verbs, kind = r.choice({"attack": attacks, "thwart": thwarts, "": others}[label])
    how = r.choice(["one", "one", "two", "each"]) if len(verbs) == 1 else "one"
    ignored, banned = some("guard", "patrol", "crisis", p=0.15), some("attack", "thwart", p=0.1)
    hand = tuple(r.choice(["e", "m", "p", "w"]) for _ in range(r.randint(0, 2)))
    basic = actor in ("Hero", "Hawk") and label != "" and r.random() < 0.6
    return Board(cards, hand, actor, label, basic, cost, verbs, kind, how, frozenset(ignored), frozenset(banned))


# --- the rules


def engaged(board: Board, word: str) -> bool:
    """Say whether Ann is engaged with a minion with a keyword."""
    return any(word in minion.types and minion.engaged == "Ann" for minion in board.of("minion"))


def attackable(board: Board, card: Card) -> bool:
    """Guard: no villain without it is attacked past it. Target 3: what cannot be attacked is no target of an attack."""
    guarded = "villain" in card.types and "guard" not in card.types and engaged(board, "guard")
    return "attack" not in card.bans and not (guarded and "guard" not in board.ignored)


def thwartable(board: Board, card: Card) -> bool:
    """Patrol: the main scheme is not thwarted."""
    return not ("main scheme" in card.types and engaged(board, "patrol") and "patrol" not in board.ignored)


def affects(board: Board, verb: str, card: Card) -> bool:
    """Target 3: what a part of the ability can do to it. Stalwart, Crisis Icon; damage that cannot be taken."""
    if verb == "deal":
        return "damage" not in card.bans
    if verb in ("stun", "confuse"):
        return "stalwart" not in card.types
    crisis = any("crisis" in scheme.types for scheme in board.of("scheme")) and "crisis" not in board.ignored
    return not (verb == "remove_threat" and "main scheme" in card.types and crisis)


def valid(board: Board) -> list[str]:
    """Return the valid targets."""
    found = [card for card in board.of(board.kind) if any(affects(board, verb, card) for verb in board.verbs)]
    if board.label == "attack":
        found = [card for card in found if attackable(board, card)]
    if board.label == "thwart":
        found = [card for card in found if thwartable(board, card)]
    return [card.id for card in found]


def tried(board: Board) -> bool:
    """Stun 5, Confuse 5, Labeled Ability 6: it may be tried without a target; a basic power is its character's."""
    who = board.cards[board.actor if board.basic else "Hero"]
    return {"attack": "stunned", "thwart": "confused", "": "none"}[board.label] in who.status


def choices(board: Board) -> list[Choice]:
    """Choose 3: as many as there are, up to the number; Target 2: one at least; Target 4: of each, one valid."""
    if board.label in board.banned:
        return []
    there, n = valid(board), 2 if board.how == "two" else 1
    if board.how == "each":
        return [()] if there or tried(board) else []
    if tried(board):
        return [one for size in range(n + 1) for one in combinations(there, size)]
    return list(combinations(there, min(n, len(there)))) if there else []


def payable(board: Board, chosen: Choice) -> bool:
    """Cost 3, 5, 7, 10, 11, 12: all at once, with what Ann controls, chooses, or what is friendly; nothing twice."""
    options: list[list[tuple[str, str]]] = []
    needed = ["r"] if board.actor == "Jab" else []
    for what, *more in board.cost:
        if what == "spend":
            needed.append(more[0])
        elif what == "exhaust self":
            options.append([("exhaust", board.actor)])
        elif what == "take":
            options.append([("take", "Hero")])
        elif what in ("exhaust ally", "deal"):
            allies = [ally for ally in board.of("ally") if more[0] != "own" or ally.controller == "Ann"]
            options.append([(what.split()[0], ally.id) for ally in allies])
        else:
            options.append([(what, board.actor)])
    return covered(list(board.hand), needed) and any(
        len(set(way)) == len(way) and all(done(board, act, id, chosen) for act, id in way) for way in product(*options)
    )


def done(board: Board, act: str, id: str, chosen: Choice) -> bool:
    """Exhausted 1, Tough 2: what can be done to an object as a cost; a card that is gone is no target."""
    card = board.cards[id]
    if act == "exhaust":
        return "exhausted" not in card.status and "exhaust" not in card.bans
    if act == "take":
        return "tough" not in card.status and "damage" not in card.bans
    if act == "deal":
        return "damage" not in card.bans
    return card.charges > 0 if act == "charge" else id not in chosen


def covered(icons: list[str], needed: list[str]) -> bool:
    """Say whether each resource needed gets one of its kind; a wild one is of every kind, and ``r`` is any."""
    if not needed:
        return True
    fits = [i for i, icon in enumerate(icons) if needed[0] in ("r", icon) or icon == "w"]
    return any(covered(icons[:i] + icons[i + 1 :], needed[1:]) for i in fits)


def legal(board: Board) -> list[Choice]:
    """Return the legal choices of targets."""
    return [chosen for chosen in choices(board) if payable(board, chosen)]


# --- the same board as a case


def written(board: Board) -> str:
    """Return the case."""
    wanted: dict[str, object] = {"type": [board.kind], "how": "each" if board.how == "each" else "choose"}
    wanted |= {"n": 2} if board.how == "two" else {}
    do: list[dict[str, object]] = []
    for verb in board.verbs:
        whom: object = "$foe" if do else wanted
        do.append({verb: 1, "of": whom} if verb == "deal" else {verb: whom})
    if len(do) > 1:
        do[0]["as"] = "foe"
    used: dict[str, object] = {"cost": [part for one in board.cost for part in _cost(one)] or "0", "do": do}
    used |= {"types": [board.label, *(["basic"] if board.basic else [])]} if board.label else {}
    cards: dict[str, object] = {}
    play: dict[str, list[object]] = {"Ann": [], "Bob": [], "Foe": []}
    for card in board.cards.values():
        abilities: list[object] = [{"static": {"cannot": {event: "$self"}}} for event in card.bans]
        abilities += [{"activate": used}] if card.id == board.actor else []
        stats = {"hit_points": card.hit_points} if card.hit_points else {}
        cards[card.id] = {"types": list(card.types), "abilities": abilities, **stats}
        thing: dict[str, object] = {"card": card.id, "status": sorted(card.status)}
        thing |= {"relations": {"engaged": card.engaged}} if card.engaged else {}
        play[card.controller].append(thing | ({"counters": {"charge": card.charges}} if card.charges else {}))
    lets = {
        "guard": ("attack", "villain"),
        "patrol": ("thwart", "main scheme"),
        "crisis": ("remove_threat", "main scheme"),
    }
    may = [({"may": {event: {"type": of, "by": "$controller"}}, "ignores": [n]}) for n, (event, of) in lets.items()]
    says = [{"static": norm} for norm in may if norm["ignores"][0] in board.ignored]  # type: ignore[index]
    says += [{"static": {"cannot": {event: {"by": "$controller"}}}} for event in sorted(board.banned)]
    cards["Notes"] = {"types": ["attachment"], "abilities": says}
    hand = [*board.hand]
    if board.actor == "Jab":
        cards["Jab"] = {"types": ["event"], "cost": "1r", "abilities": [{"activate": used}]}
        hand.append("Jab")
    players = {
        "Ann": {"facts": {"side": "heroes"}, "hand": hand, "play": [*play["Ann"], "Notes"]},
        "Bob": {"facts": {"side": "heroes"}, "play": play["Bob"]},
        "Foe": {"facts": {"side": "encounter"}, "play": play["Foe"]},
    }
    when = {"player": "Ann", "play" if board.actor == "Jab" else "activate": board.actor, "ask": "check"}
    case = {
        "case": "drawn",
        "ruleset": "marvel-champions",
        "cards": cards,
        "given": {"players": players, "turn": "Ann"},
    }
    return json.dumps({**case, "when": when, "then": {"verdict": "legal"}})


def _cost(part: tuple[str, ...]) -> list[object]:
    what, more = part[0], part[1] if len(part) > 1 else ""
    whose = {} if more == "own" else {"whose": more}
    found: dict[str, object] = {
        "exhaust self": {"exhaust": "$self"},
        "take": {"take": int(more) if more.isdigit() else 1, "of": {"type": "hero"}},
        "exhaust ally": {"exhaust": {"type": "ally", **whose}},
        "deal": {"deal": 1, "of": {"type": "ally", **whose}},
        "spend": f"1{more}",
        "charge": {"remove": "charge", "of": "$self", "n": 1},
        "discard self": {"discard": "$self"},
    }
    return [found[what]]
