"""Invented cards: innocent ones, and faults put into them by operators that a tired designer could have applied."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lawful.model.card import Card
from lawful.model.casefile import read_card_file
from lawful.model.reading.yamlout import to_yaml
from lawful.model.rulesets import load_ruleset
from lawful.model.stress import Invariant

Cards = dict[str, dict[str, Any]]


@dataclass
class Seeded:
    """Cards with a fault.

    Parameters
    ----------
    check : str
        The check that has to find it.
    game : str
        The ruleset.
    cards : dict
        As in a card file.
    group : tuple of str
        The cards that it takes.
    operator : str
        What was done to innocent cards.
    """

    check: str
    game: str
    cards: Cards
    group: tuple[str, ...]
    operator: str
    promises: tuple[Invariant, ...] = field(default=())


def written(cards: Cards, game: str, folder: Path) -> dict[str, Card]:
    """Read cards as a card file would be."""
    path = folder / "some.cards.yaml"
    path.write_text(to_yaml(_texts(cards)), encoding="utf8")
    return dict(read_card_file(path, load_ruleset(game)))


def _texts(data: Any) -> Any:
    if isinstance(data, dict):
        return {str(key): _texts(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_texts(item) for item in data]
    return data if data is None else str(data)


# --- innocent cards, of a game with pitched cards


def wolf(rng: random.Random) -> dict[str, Any]:
    return {
        "types": ["Ally"],
        "yields": {"r": rng.randint(1, 3)},
        "power": rng.randint(1, 4),
        "life": rng.randint(2, 5),
    }


def bolt(rng: random.Random) -> dict[str, Any]:
    text = {"do": [{"destroy": {"type": "Ally", "how": "target"}}]}
    return {"types": ["Action"], "cost": f"{rng.randint(0, 3)}r", "abilities": [{"resolve": text}]}


def choice(rng: random.Random) -> dict[str, Any]:
    modes = {
        "end": [{"destroy": {"type": "Ally", "how": "target"}}],
        "tire": [{"tap": {"type": "Ally", "how": "target"}}],
    }
    resolve = {"modes": {"n": 1, "of": modes}}
    return {"types": ["Action"], "cost": f"{rng.randint(0, 3)}r", "abilities": [{"resolve": resolve}]}


def mender(rng: random.Random) -> dict[str, Any]:
    cost = [f"{rng.randint(2, 3)}r", {"tap": "$self"}]
    return {"types": ["Item"], "abilities": [{"activate": {"cost": cost, "do": [{"gain": {"r": 1}}], "limit": 1}}]}


def herald(rng: random.Random) -> dict[str, Any]:
    trigger = {"on": {"played": "$self"}, "do": [{"add": "charge", "of": "$self", "n": rng.randint(1, 2)}]}
    return {"types": ["Ally"], "power": 1, "life": 2, "abilities": [{"trigger": trigger}]}


def pack(rng: random.Random) -> dict[str, Any]:
    while_ = {"count": {"type": "Ally"}, "ge": rng.randint(2, 3)}
    static = {"modify": "power", "stage": "increase", "add": 1, "of": "$self", "while": while_}
    return {"types": ["Ally"], "power": rng.randint(1, 3), "life": 2, "abilities": [{"static": static}]}


def trade(rng: random.Random) -> dict[str, Any]:
    other = {"name": "trade", "cost": [{"discard": {"zone": "hand"}}], "replaces": ["r"]}
    return {"types": ["Instant"], "cost": f"{rng.randint(1, 3)}r", "abilities": [{"alternative": other}]}


def tired(rng: random.Random) -> dict[str, Any]:
    trigger = {"on": {"tap": "$self"}, "do": [{"add": "rust", "of": "$self", "n": 1}], "limit": 1}
    return {"types": ["Item"], "abilities": [{"trigger": trigger}]}


INNOCENT = (wolf, bolt, choice, mender, herald, pack, trade, tired)


def innocent(seed: int, n: int = 10) -> Cards:
    """Return a pool of innocent cards."""
    rng = random.Random(seed)
    return {f"Card {i}": rng.choice(INNOCENT)(rng) for i in range(n)} | {"Wolf": wolf(rng)}


# --- faults


def unpayable(rng: random.Random) -> Seeded:
    card, how = bolt(rng), rng.randrange(4)
    if how == 0:
        card["cost"] = f"{rng.randint(1, 3)}c"
    elif how == 1:
        card["cost"] = [card["cost"], {"discard": "$self"}]
    elif how == 2:
        card["cost"] = [card["cost"], {"tap": "$self"}]
    else:
        card["abilities"].append({"static": {"cannot": {"play": "$self"}}})
    operator = ("another asset", "pays with itself", "pays with itself", "forbids itself")[how]
    return Seeded("unpayable", "fab", {"A": card, "Wolf": wolf(rng)}, ("A",), operator)


def dead(rng: random.Random) -> Seeded:
    how = rng.randrange(4)
    card = choice(rng) if how == 1 else bolt(rng)
    resolve = card["abilities"][0]["resolve"]
    if how == 0:
        resolve["do"][0]["destroy"]["type"] = "Dragon"
    elif how == 1:
        resolve["modes"]["of"]["end"][0]["destroy"]["type"] = "Dragon"
    elif how == 2:
        resolve["when"] = {"value": rng.randint(0, 2), "ge": 3}
    else:
        resolve["do"][0]["destroy"]["where"] = {"power": {"ge": 5}}
    operator = ("a type that is not there", "a mode's type", "a condition that never holds", "a test too high")[how]
    return Seeded("dead", "fab", {"A": card, "Wolf": wolf(rng)}, ("A",), operator)


def looks_legal(rng: random.Random) -> Seeded:
    how = rng.randrange(3)
    card, cards, group = bolt(rng), {"Wolf": wolf(rng)}, ("A",)
    target = card["abilities"][0]["resolve"]["do"][0]["destroy"]
    if how == 0:
        target["zone"] = rng.choice(["graveyard", "banished", "soul"])
    elif how == 1:
        card["abilities"][0]["resolve"]["do"] = [{"tap": {**target, "zone": "graveyard"}}]
    else:
        cards["B"] = {"types": ["Aura"], "abilities": [{"static": {"cannot": {"target": {"type": "Ally"}}}}]}
        group = ("A", "B")
    operator = ("another zone", "another verb and zone", "a restriction without its condition")[how]
    return Seeded("looks-legal", "fab", {"A": card, **cards}, group, operator)


def creature(rng: random.Random) -> dict[str, Any]:
    return {"types": ["creature"], "life": rng.randint(1, 4), "power": rng.randint(1, 3)}


def deadlock(rng: random.Random) -> Seeded:
    n = rng.randint(1, 2)
    one = {**creature(rng), "abilities": [{"static": {"must": {"target": {"subject": "$self"}}}}]}
    zap = {"resolve": {"do": [{"destroy": {"type": "creature", "how": "target", "n": n}}]}}
    spell = {"types": ["spell"], "cost": f"{rng.randint(1, 2)}o", "abilities": [zap]}
    group = rng.choice([("A",), ("B", "A")])
    return Seeded("deadlock", "bh", {"A": one, "B": spell}, group, "must instead of cannot")


def circle(rng: random.Random) -> Seeded:
    power, how = rng.randint(1, 3), rng.randrange(2)
    if how == 0:
        while_ = {"value": "$self.power", "le": power + rng.randint(0, 1)}
        add = rng.randint(2, 3)
        static = {"modify": "power", "stage": "increase", "add": add, "of": "$self", "while": while_}
        return Seeded(
            "circle", "fab", {"A": {"types": ["Ally"], "power": power, "abilities": [{"static": static}]}}, ("A",),
            "le instead of ge",
        )  # fmt: skip
    static = {
        "modify": "power", "stage": "increase", "add": 2, "of": {"type": "Ally"},
        "while": {"count": {"type": "Ally", "where": {"power": {"ge": power + 1}}}, "lt": 1},
    }  # fmt: skip
    return Seeded(
        "circle", "fab", {"A": {"types": ["Ally"], "power": power, "abilities": [{"static": static}]}}, ("A",),
        "lt instead of ge",
    )  # fmt: skip


def unordered(rng: random.Random) -> Seeded:
    event = rng.choice(["close", "open", "destroy"])
    values = rng.sample(range(2, 8), 2)
    cards = {
        name: {**creature(rng), "abilities": [{"trigger": {
            "on": {event: {"type": "creature"}},
            "do": [{"set": "base.power", "of": {"type": "creature", "how": "each"}, "to": n}],
        }}]}
        for name, n in zip(("A", "B"), values, strict=True)
    }  # fmt: skip
    return Seeded("unordered", "bh", cards, ("A", "B"), "the same event for both")


def endless(rng: random.Random) -> Seeded:
    game, kind = rng.choice([("bh", "creature"), ("fab", "Ally")])
    down, up = ("close", "open") if game == "bh" else ("tap", "untap")
    how = rng.randrange(2)
    if how == 0:
        abilities = [{"trigger": {"on": {a: "$self"}, "do": [{b: "$self"}]}} for a, b in ((down, up), (up, down))]
        return Seeded("endless", game, {"A": {"types": [kind], "life": 3, "abilities": abilities}}, ("A",), "no limit")
    cards = {
        name: {"types": [kind], "life": 3, "abilities": [{"trigger": {
            "on": {a: {"type": kind, "not": "$self"}}, "batch": "once", "do": [{b: {"type": kind, "how": "each"}}]}}]}
        for name, a, b in (("A", down, up), ("B", up, down))
    }  # fmt: skip
    return Seeded("endless", game, cards, ("A", "B"), "all instead of one")


def engine(rng: random.Random) -> Seeded:
    gain = rng.randint(2, 4)
    one = {"activate": {"cost": [{"tap": "$self"}], "do": [{"gain": {"r": gain}}]}}
    two = {"activate": {"cost": [f"{rng.randint(1, gain - 1)}r"], "name": "again", "do": [{"untap": {"type": "Item"}}]}}
    if rng.random() < 0.5:
        return Seeded("engine", "fab", {"A": {"types": ["Item"], "abilities": [one, two]}}, ("A",), "a higher yield")
    cards = {"A": {"types": ["Item"], "abilities": [one]}, "B": {"types": ["Item"], "abilities": [two]}}
    return Seeded("engine", "fab", cards, ("A", "B"), "no limit")


def dominated(rng: random.Random) -> Seeded:
    n, how = rng.randint(1, 3), rng.randrange(2)
    if how == 0:
        other = {"name": "other", "cost": f"{n + rng.randint(1, 2)}r", "replaces": ["r"]}
        card = {"types": ["Instant"], "cost": f"{n}r", "abilities": [{"alternative": other}]}
    else:
        card = {"types": ["Instant"], "cost": f"{n}r | {n + rng.randint(1, 2)}r", "abilities": []}
    return Seeded("dominated", "fab", {"A": card, "Wolf": wolf(rng)}, ("A",), "a dearer alternative")


def invariant(rng: random.Random) -> Seeded:
    how = rng.randrange(3)
    chi = {"types": ["Chi"], "yields": {"c": 3}}
    promise = Invariant("floating chi", "exchange", "c", "r", 2)
    card: dict[str, Any] = {"types": ["Instant"], "cost": f"{rng.randint(1, 2)}c"}
    if how == 1:
        card["cost"] = f"{rng.choice([1, 2, 4])}c{rng.randint(0, 1)}r"
        promise = Invariant("chi costs", "number", of="cost.c", allowed=(0, 3))
    elif how == 2:
        card = {
            "types": ["Instant"],
            "cost": f"{rng.randint(3, 4)}r",
            "abilities": [{"alternative": {"name": "for free", "cost": "0", "replaces": ["r"]}}],
        }
        promise = Invariant("nothing for nothing", "hand", cost=2, least=1)
    return Seeded(
        "invariant", "fab", {"A": card, "Chi": chi, "Wolf": wolf(rng)}, ("A",), "another cost", (promise,)
    )  # fmt: skip


def wording(rng: random.Random) -> Seeded:
    how = rng.randrange(2)
    if how == 0:
        card = {"types": ["Instant"], "cost": f"{rng.randint(0, 2)}r{rng.randint(1, 3)}h"}
        return Seeded("wording", "fab", {"A": card, "Wolf": wolf(rng)}, ("A",), "a cost of life")
    found = unordered(rng)
    return Seeded("wording", "bh", found.cards, found.group, found.operator)


FAULTS = {
    "unpayable": unpayable, "dead": dead, "looks-legal": looks_legal, "deadlock": deadlock, "circle": circle,
    "unordered": unordered, "endless": endless, "engine": engine, "dominated": dominated, "invariant": invariant,
    "wording": wording,
}  # fmt: skip
