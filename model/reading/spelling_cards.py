"""The YAML spelling of cards, both ways."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from lawful.model.card import QUESTIONS, Card, Unread
from lawful.model.frozen import FrozenMap
from lawful.model.reading.desk import NUMBER, Desk
from lawful.model.reading.spelling_abilities import dump_ability, read_abilities
from lawful.model.reading.spelling_costs import dump_cost, read_cost
from lawful.model.reading.yamltext import Data, Node

CARD_KEYS = ("name", "called", "types", "cost", "yields", "stats", "props", "abilities", "unread")
UNREAD_KEYS = ("text", "kind", "place", "own", "play", "hand", "used", "ability", "stats")


def read_card(desk: Desk, node: Node, name: str = "") -> Card:
    """Read a card: a mapping, or just the list of its abilities.

    Keys: `name` (unless it is given), `called` (the printed name, where another card has
    it too), `types`, `cost`, `yields`, `stats`, `props`, `abilities`, `unread`. A key that is none of
    these is a stat where its value is a number: ``life: 0``.
    """
    if isinstance(node.value, list):
        return Card(name, abilities=read_abilities(desk, node))
    if node.value is None:
        return Card(name)
    get: dict[str, Any] = {"name": name}
    stats: dict[str, int] = {}
    for key, item in desk.mapping(node, "a card").items():
        if key in ("name", "called"):
            get[key] = desk.text(item, key)
        elif key == "types":
            get[key] = desk.words(item, key)
        elif key == "cost":
            get[key] = read_cost(desk, item)
        elif key == "yields":
            get[key] = FrozenMap(desk.amounts(item, key, desk.names.assets, "asset"))
        elif key == "stats":
            stats |= {stat: desk.number(n, stat, -1_000_000) for stat, n in desk.mapping(item, key).items()}
        elif key == "props":
            get[key] = FrozenMap(desk.lookup(item, key))
        elif key == "abilities":
            get[key] = read_abilities(desk, item)
        elif key == "unread":
            get[key] = tuple(_read_unread(desk, clause) for clause in desk.items(item, key))
        elif _is_stat(key, item):
            stats[key] = desk.number(item, key, -1_000_000)
        else:
            desk.faults.unknown("key", key, CARD_KEYS, node.key(key))
    if not get["name"]:
        desk.faults.add("a card needs a name", node)
    return Card(**get, stats=FrozenMap(stats))


def _read_unread(desk: Desk, node: Node) -> Unread:
    """Read a clause that the abilities do not say: its text, or a mapping that says on what it bears."""
    if not isinstance(node.value, dict):
        return Unread(desk.text(node, "unread"))
    found = desk.fields(node, "a clause", UNREAD_KEYS, ("text",))
    get: dict[str, Any] = {}
    for key, item in found.items():
        if key in ("own", "play", "hand"):
            get[key] = desk.words(item, key, QUESTIONS)
        elif key == "used":
            get[key] = desk.flag(item, key)
        elif key in ("ability", "stats"):
            get[key] = tuple(desk.text(one, key) for one in desk.items(item, key))
        else:
            get[key] = desk.text(item, key)
    return Unread(**{"text": "", **get})


def _dump_unread(clause: Unread) -> Data:
    plain = Unread(clause.text)
    more: dict[str, Data] = {key: getattr(clause, key) for key in ("kind", "place") if getattr(clause, key)}
    for key in ("own", "play", "hand"):
        if getattr(clause, key) != getattr(plain, key):
            more[key] = list(getattr(clause, key))
    if clause.used:
        more["used"] = "true"
    for key in ("ability", "stats"):
        if getattr(clause, key):
            more[key] = list(getattr(clause, key))
    return {"text": clause.text, **more} if more else clause.text


def _is_stat(key: str, node: Node) -> bool:
    """Say whether a key is a stat: its value is a number, and it is not a slip of the pen for another key."""
    is_number = isinstance(node.value, str) and NUMBER.fullmatch(node.value) is not None
    return is_number and not get_close_matches(key, CARD_KEYS, n=1, cutoff=0.75)


def dump_card(card: Card) -> dict[str, Data]:
    """Spell a card, with its name."""
    data: dict[str, Data] = {"name": card.name}
    if card.called:
        data["called"] = card.called
    if card.types:
        data["types"] = list(card.types)
    if card.cost is not None:
        data["cost"] = dump_cost(card.cost)
    if card.yields is not None:
        data["yields"] = {asset: str(n) for asset, n in card.yields.items()}
    if card.stats:
        data["stats"] = {stat: str(n) for stat, n in card.stats.items()}
    if card.props:
        data["props"] = dict(card.props)
    if card.abilities:
        data["abilities"] = [dump_ability(ability) for ability in card.abilities]
    if card.unread:
        data["unread"] = [_dump_unread(clause) for clause in card.unread]
    return data


def read_cards(desk: Desk, node: Node) -> tuple[Card, ...]:
    """Read cards: a mapping of names to cards, or a list of cards with names."""
    if isinstance(node.value, list):
        cards = tuple(read_card(desk, item) for item in node.value)
    else:
        cards = tuple(read_card(desk, item, name) for name, item in desk.mapping(node, "cards").items())
    seen: set[str] = set()
    for card in cards:
        if card.name in seen:
            desk.faults.add(f"two cards have the name {card.name!r}", node)
        seen.add(card.name)
    return cards
