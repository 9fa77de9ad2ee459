"""Positions: who is there, what they have, what lies where."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from lawful.model.card import Card
from lawful.model.effect import Activated, Source, Trigger
from lawful.model.errors import BadInput
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.notation import parse_pool
from lawful.model.position import Lasting, Player, Position, Thing
from lawful.model.reading.desk import Desk
from lawful.model.reading.faults import Placed, shown
from lawful.model.reading.shelf import Shelf
from lawful.model.reading.spelling_statics import read_static
from lawful.model.reading.yamltext import Node
from lawful.model.ruleset import Ruleset

THING_KEYS = ("card", "id", "owner", "face", "status", "counters", "base", "relations", "timestamp", "used", "n")
COPIES = (re.compile(r"(?P<n>[0-9]+)\s*[x×]?\s+(?P<name>.+)"), re.compile(r"(?P<name>.+?)\s+[x×]\s*(?P<n>[0-9]+)"))

Place: TypeAlias = Placed | tuple[int, int]


@dataclass
class Table:
    """A position while it is being laid out."""

    ruleset: Ruleset
    desk: Desk
    shelf: Shelf
    players: list[Player] = field(default_factory=list)
    things: list[Thing] = field(default_factory=list)
    cards: dict[str, Card] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    copies: dict[str, int] = field(default_factory=dict)
    remaining: dict[str, int] = field(default_factory=dict)
    full: bool = False

    def lay(self, player: str, zone: str, name: str, at: Place, more: dict[str, Any]) -> Thing | None:
        """Lay one object down; equal cards get ``blue``, ``blue #2``, ... as their ids."""
        card = self.shelf.find(name, at)
        if card is None or self.no_room(1, at):
            return None
        self.cards[card.name] = card
        given, used = more.pop("id", None), more.pop("used", None)
        if given is not None and any(thing.id == given for thing in self.things):
            self.desk.faults.add(f"two objects have the id {shown(given)}", at)
        thing = Thing(
            **{
                "id": given or self.free_id(card.name), "card": card.name, "owner": player, "controller": player,
                "zone": zone, "timestamp": len(self.things), **more,
            }
        )  # fmt: skip
        self.taken.add(thing.id)
        self.things.append(thing)
        if used is not None:
            self._use(thing, card, used, at)
        return thing

    def _use(self, thing: Thing, card: Card, used: int | dict[str, int], at: Place) -> None:
        """Note how often limited abilities were used: each of them, or by name, or by number from 0."""
        limited = {
            str(i): ability
            for i, ability in enumerate(card.abilities)
            if isinstance(ability, Activated | Source | Trigger) and ability.limit is not None
        }
        named = {getattr(ability, "name", key): key for key, ability in limited.items()}
        if not limited:
            self.desk.faults.add(f"{card.name} has no ability with a limit", at, "'used' counts uses of a limit")
            return
        for name, n in used.items() if isinstance(used, dict) else dict.fromkeys(limited, used).items():
            key = named.get(name, name)
            if key not in limited:
                self.desk.faults.unknown("ability with a limit", name, [*named], at)
                continue
            limit = limited[key].limit
            assert limit is not None
            self.remaining[f"{thing.id}/{key}"] = max(0, limit - n)

    def no_room(self, more: int, at: Place) -> bool:
        """Say whether so many objects more are too many; it is noted once."""
        if len(self.things) + more <= Limits().objects:
            return False
        if not self.full:
            self.desk.faults.add(f"more than {Limits().objects} objects (limit: objects)", at)
        self.full = True
        return True

    def free_id(self, name: str) -> str:
        """Return the id of the next copy of a card."""
        n = self.copies.get(name, 0) + 1
        while (id := name if n == 1 else f"{name} #{n}") in self.taken:
            n += 1
        self.copies[name] = n
        return id

    def several(self, player: str, zone: str, text: str, at: Place) -> None:
        """Lay down what a name says: a card, or so many copies of it (``blue x3``, ``3 blue``).

        After the name, how it lies: ``Some Name / 3 charge / exhausted / down``.
        """
        text, *said = (part.strip() for part in text.split(" / "))
        n, name = 1, text
        more = self._said(said, at)
        if not self.shelf.has(text):
            for pattern in COPIES:
                if found := pattern.fullmatch(text):
                    n, name = int(found["n"][:9]), found["name"]
                    break
        if n > 1 and self.no_room(n, at):
            return
        for _ in range(n):
            if self.lay(player, zone, name, at, dict(more)) is None:
                return

    def _said(self, said: list[str], at: Place) -> dict[str, Any]:
        """Read what is said of an object after its name: ``3 web``, ``down``, ``exhausted``."""
        counters: dict[str, int] = {}
        status: set[str] = set()
        more: dict[str, Any] = {}
        for word in said:
            number, _, kind = word.partition(" ")
            if number.isascii() and number.isdigit() and len(number) < 7 and kind:
                counters[kind.strip()] = int(number)
            elif word in ("up", "down"):
                more["face"] = word
            elif word == "used":
                more["used"] = 1
            elif word:
                status.add(word)
            else:
                self.desk.faults.add(
                    "something is missing after the slash", at, "such as ' / 3 charge', ' / exhausted'"
                )
        if counters:
            more["counters"] = FrozenMap(counters)
        if status:
            more["status"] = frozenset(status)
        return more

    def in_order(self) -> tuple[Thing, ...]:
        """Return the objects, the oldest first: in the order written, unless that says otherwise itself."""
        return tuple(sorted(self.things, key=lambda thing: thing.timestamp))

    def position(self, turn: str, started: int, lasting: tuple[Lasting, ...]) -> Position:
        """Return the position as it lies."""
        clock = 1 + max((thing.timestamp for thing in self.things), default=-1)
        clock = max([clock, *(effect.timestamp + 1 for effect in lasting)])
        return Position(
            tuple(self.players), self.in_order(), FrozenMap(self.cards), turn, started, lasting, clock=clock,
            remaining=FrozenMap(self.remaining),
        )  # fmt: skip


def full_pool(ruleset: Ruleset, said: dict[str, int]) -> FrozenMap[str, int]:
    """Return what a player has; an asset that is not said has its start."""
    return FrozenMap({asset.id: said.get(asset.id, asset.start) for asset in ruleset.assets})


def read_position(table: Table, given: Node | None) -> Position:
    """Read `given`: players with their zones and assets, whose turn it is, how many started, what lasts."""
    desk = table.desk
    found = given.value if given is not None and isinstance(given.value, dict) else {}
    players = found.get("players")
    named = players.value if players is not None and isinstance(players.value, dict) else {}
    _reserve(table, named)
    for name, node in named.items():
        _read_player(table, name, node)
    if not named:
        table.players.append(Player("player", full_pool(table.ruleset, {})))
    names = [player.name for player in table.players]
    turn = desk.word(found["turn"], "player", names) if "turn" in found else names[0]
    started = desk.number(found["started"], "started", 1) if "started" in found else len(names)
    lasting = tuple(_read_lasting(table, found["lasting"])) if "lasting" in found else ()
    _check_names(table, named)
    return table.position(turn, started, lasting)


def _reserve(table: Table, named: dict[str, Node]) -> None:
    """Keep the ids that are said free for those that say them."""
    for node in named.values():
        for zone in node.value.values() if isinstance(node.value, dict) else ():
            for item in zone.value if isinstance(zone.value, list) else ():
                id = item.find("id")
                if id is not None and isinstance(id.value, str):
                    table.taken.add(id.value)


def _read_player(table: Table, name: str, node: Node) -> None:
    desk, ruleset = table.desk, table.ruleset
    zones = [zone.name for zone in ruleset.zones]
    assets = {key: asset.id for asset in ruleset.assets for key in (asset.id, asset.name)}
    pool: dict[str, int] = {}
    facts: dict[str, str] = {}
    for key, item in desk.mapping(node, name).items() if node.value is not None else ():
        if key in zones:
            for thing in desk.items(item, key) if item.value is not None else ():
                _read_thing(table, name, key, thing)
        elif key == "float":
            pool |= read_pool(desk, ruleset, item)
        elif key == "facts":
            facts = desk.lookup(item, key)
        elif key in assets:
            pool[assets[key]] = desk.number(item, key)
        else:
            desk.faults.unknown("key", key, [*zones, "float", "facts", *assets], node.key(key))
    table.players.append(Player(name, full_pool(ruleset, pool), FrozenMap(facts)))


def read_pool(desk: Desk, ruleset: Ruleset, node: Node) -> dict[str, int]:
    """Read what floats: ``0c2r``, or a mapping of assets to points."""
    names = {key: asset.id for asset in ruleset.assets for key in (asset.id, asset.name)}
    if isinstance(node.value, dict):
        found = desk.amounts(node, "float", list(names), "asset")
        return {names[key]: n for key, n in found.items() if key in names}
    text = desk.text(node, "what floats")
    if not text:
        return {}
    try:
        return dict(parse_pool(text, desk.names.assets, desk.names.default, desk.faults.file, node.line, node.column))
    except BadInput as error:
        desk.faults.take(error.faults)
        return {}


def _read_thing(table: Table, player: str, zone: str, node: Node) -> None:
    desk = table.desk
    if isinstance(node.value, str):
        table.several(player, zone, node.value, node)
        return
    more, card, n = read_thing_keys(desk, node)
    if not card or table.no_room(n, node):
        return
    for _ in range(n):
        table.lay(player, zone, card, node, dict(more))


def read_thing_keys(desk: Desk, node: Node) -> tuple[dict[str, Any], str, int]:
    """Read what an object says of itself: fields of `Thing`, its card, how many there are of it."""
    found = desk.fields(node, "an object", THING_KEYS, ("card",))
    more: dict[str, Any] = {}
    for key, item in found.items():
        if key in ("id", "owner"):
            more[key] = desk.text(item, key)
        elif key == "face":
            more[key] = desk.word(item, key, ("up", "down"))
        elif key == "status":
            more[key] = frozenset(desk.words(item, key))
        elif key == "counters":
            more[key] = FrozenMap(desk.amounts(item, key))
        elif key == "base":
            base = desk.mapping(item, key).items()
            more[key] = FrozenMap({stat: desk.number(n, stat, -Limits().amount) for stat, n in base})
        elif key == "relations":
            more[key] = FrozenMap(desk.lookup(item, key))
        elif key == "timestamp":
            more[key] = desk.number(item, key)
        elif key == "used":
            more[key] = desk.amounts(item, key) if isinstance(item.value, dict) else desk.number(item, key, 1)
    n = desk.number(found["n"], "n", 1) if "n" in found else 1
    if n > 1 and "id" in more:
        desk.faults.add("several objects cannot have one id", found["id"])
    return more, desk.text(found["card"], "card") if "card" in found else "", n


def _read_lasting(table: Table, node: Node) -> list[Lasting]:
    desk = table.desk
    effects: list[Lasting] = []
    for item in desk.items(node, "lasting"):
        found = dict(desk.mapping(item, "a lasting effect"))
        at = (item.line, item.column)
        id = found.pop("id", None)
        controller, timestamp = found.pop("controller", None), found.pop("timestamp", None)
        until, bound = found.pop("until", None), found.pop("with", None)
        on, uses = found.pop("on", None), found.pop("uses", None)
        names = [player.name for player in table.players]
        effects.append(
            Lasting(
                desk.text(id, "id") if id is not None else f"effect {len(effects) + 1}",
                desk.word(controller, "player", names) if controller is not None else names[0],
                read_static(desk, Node(found, *at, item.keys)).effect,
                desk.number(timestamp, "timestamp") if timestamp is not None else len(table.things) + len(effects),
                _laid(table, bound, on),
                desk.text(until, "until") if until is not None else None,
                desk.number(uses, "uses", 1) if uses is not None else None,
            )
        )
    return effects


def _laid(table: Table, bound: Node | None, on: Node | None) -> FrozenMap[str, str | int]:
    """Read what the text of a lasting effect refers to; what it was laid on is ``$on``, and ``$self`` of its text."""
    said = FrozenMap[str, str | int](table.desk.lookup(bound, "with") if bound is not None else {})
    if on is None:
        return said
    id = table.desk.text(on, "on")
    ids = [thing.id for thing in table.things]
    if id and id not in ids:
        table.desk.faults.add(f"unknown object {shown(id)}", on, table.desk.faults.near(id, ids))
    return FrozenMap({"self": id, "on": id, **said})


def _check_names(table: Table, named: dict[str, Node]) -> None:
    """Owners and related objects must be there."""
    players = [player.name for player in table.players]
    ids = [thing.id for thing in table.things]
    known = {*ids, *players}
    for zone, item in (pair for node in named.values() if isinstance(node.value, dict) for pair in node.value.items()):
        for thing in item.value if isinstance(item.value, list) and zone not in ("float", "facts") else ():
            owner, relations = thing.find("owner"), thing.find("relations")
            if owner is not None and owner.value not in players:
                table.desk.faults.unknown("player", str(owner.value), players, owner)
            for other in relations.value.values() if relations and isinstance(relations.value, dict) else ():
                if isinstance(other.value, str) and other.value not in known:
                    table.desk.faults.add(
                        f"unknown object {shown(other.value)}", other, table.desk.faults.near(other.value, ids)
                    )


def with_things(position: Position, table: Table) -> Position:
    """Return the position with what was laid down since."""
    clock = max(position.clock, 1 + max((thing.timestamp for thing in table.things), default=-1))
    return replace(
        position, things=table.in_order(), cards=FrozenMap(table.cards), clock=clock,
        remaining=FrozenMap(table.remaining),
    )  # fmt: skip
