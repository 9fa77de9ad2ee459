"""A question from a few words, as on a command line. Faults name the option they are about."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lawful.model.card import Card
from lawful.model.cost import Cost
from lawful.model.declaration import Question
from lawful.model.errors import BadInput
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.notation import parse_cost, parse_pool
from lawful.model.position import Player
from lawful.model.reading.declared import Said, declare
from lawful.model.reading.desk import Desk, Names
from lawful.model.reading.faults import Faults
from lawful.model.reading.shelf import Shelf
from lawful.model.reading.tablereader import Table, full_pool
from lawful.model.ruleset import Ruleset

MAX_TEXT = 100_000
OPPONENT = "opponent"


@dataclass(frozen=True)
class Inline:
    """What `lawful.model.casefile.build_question` is given."""

    cost: str | Cost | None
    hand: str | Sequence[str]
    float_: str | Mapping[str, int] | None
    in_play: str | Sequence[str]
    player: str
    play: str | None
    activate: str | None
    ability: str | None
    cards: Any
    x: int | None
    options: Sequence[str] | None
    free: bool
    instant: bool
    types: Sequence[str]
    rules: str | None
    stock: Mapping[str, int]
    players: int
    zones: Sequence[str] = ()
    opposing: str | Sequence[str] = ()
    facts: Sequence[str] = ()


def question_of(ruleset: Ruleset, given: Inline) -> Question:
    """Put a question together; see `lawful.model.casefile.build_question`."""
    faults = Faults()
    names = Names.of(ruleset)
    generic = {card.name: card for card in ruleset.cards}
    is_mapping = isinstance(given.cards, Mapping)
    own: Mapping[str, Card] = given.cards if is_mapping else {}
    library = None if is_mapping else given.cards
    table = Table(ruleset, Desk(faults, names), Shelf(faults, [own, generic], library, ruleset.spelled))
    if given.rules is not None:
        from lawful.model.rulesets import with_version

        known = [document.id for document in ruleset.documents]
        with _option(faults, "--rules"):
            if given.rules in known:
                ruleset = with_version(ruleset, given.rules)
            else:
                faults.unknown("version", given.rules, known, (1, 1))
    for zone, what, option in (
        (ruleset.hand, given.hand, "--hand"),
        (next((z.name for z in ruleset.zones if z.play), ruleset.hand), given.in_play, "--in-play"),
    ):
        with _option(faults, option):
            for name, column in _split(what, faults):
                table.several(given.player, zone, name, (1, column))
    _lay_stock(table, given, ruleset, faults)
    with _option(faults, "--zone"):
        for words in given.zones:
            zone, _, named = words.partition(":")
            if zone.strip() not in (known := [z.name for z in ruleset.zones]):
                faults.unknown("zone", zone.strip(), known, (1, 1))
                continue
            for name, column in _split(named, faults):
                table.several(given.player, zone.strip(), name, (1, column + len(zone) + 1))
    facts: dict[str, str] = {}
    with _option(faults, "--fact"):
        for words in given.facts:
            fact, equals, value = words.partition("=")
            if not equals or not fact.strip():
                faults.add("a fact is written name=value", (1, 1), "such as form=hero")
            facts[fact.strip()] = value.strip()
    with _option(faults, "--opposing"):
        play = next((z.name for z in ruleset.zones if z.play), ruleset.hand)
        for name, column in _split(given.opposing, faults):
            table.several(OPPONENT, play, name, (1, column))
    with _option(faults, "--float"):
        pool = _pool(given, ruleset, names, faults)
    table.players.append(Player(given.player, full_pool(ruleset, pool), FrozenMap(facts)))
    if given.opposing:
        table.players.append(Player(OPPONENT, full_pool(ruleset, {})))
    with _option(faults, "--x"):
        if given.x is not None and not 0 <= given.x <= Limits().amount:
            faults.add(f"X is from 0 to {Limits().amount} (limit: amount)", (1, 1))
    said = Said(
        given.player, _cost(given, names, faults), given.play, given.activate, given.ability, tuple(given.types),
        given.x, None if given.options is None else tuple(given.options), given.free, given.instant,
    )  # fmt: skip
    with _option(faults, "--play" if given.activate is None else "--activate"):
        declaration = declare(table, said, dict.fromkeys(("", "play", "activate", "ability", "options"), (1, 1)))
    faults.stop()
    return Question(ruleset, table.position(given.player, given.players, ()), declaration)


def _lay_stock(table: Table, given: Inline, ruleset: Ruleset, faults: Faults) -> None:
    """Lay down what a player has beside the hand."""
    known = {stock.name: stock for stock in ruleset.stock}
    for name, n in given.stock.items():
        with _option(faults, f"--{name}"):
            if name not in known:
                faults.add(f"a player of {ruleset.name} has no {name}", (1, 1), "put objects into --hand or --in-play")
            elif n < 0:
                faults.add(f"{name} cannot be negative", (1, 1))
            elif n:
                table.several(given.player, known[name].zone, f"{known[name].card} x{n}", (1, 1))


class _option:
    """Faults found inside are about this option."""

    def __init__(self, faults: Faults, name: str) -> None:
        self.faults, self.name = faults, name

    def __enter__(self) -> None:
        self.faults.file = self.name

    def __exit__(self, *error: object) -> None:
        self.faults.file = ""


def _split(what: str | Sequence[str], faults: Faults) -> list[tuple[str, int]]:
    """Split names at commas, but not inside of quotation marks; with their columns."""
    if not isinstance(what, str):
        return [(name, 1) for name in what]
    if len(what) > MAX_TEXT:
        faults.add(f"longer than {MAX_TEXT} letters", (1, 1), "write 'blue x3' for copies")
        return []
    try:
        names = next(csv.reader(io.StringIO(" ".join(what.split())), skipinitialspace=True, strict=True), [])
    except csv.Error as error:
        faults.add(f"not a list of names: {error}", (1, 1), "is a quotation mark not closed?")
        return []
    found, at = [], 0
    for name in names:
        at = max(what.find(name, at), 0)
        if name.strip():
            found.append((name.strip(), at + 1))
        elif len(names) > 1:
            faults.add("a name is missing between commas", (1, at + 1))
        at += len(name)
    return found


def _cost(given: Inline, names: Names, faults: Faults) -> Cost | None:
    if not isinstance(given.cost, str):
        return given.cost
    try:
        return parse_cost(given.cost, names.assets, names.default, "--cost", 1, 1)
    except BadInput as error:
        faults.take(error.faults)
        from lawful.model.cost import CostAll

        return CostAll(())


def _pool(given: Inline, ruleset: Ruleset, names: Names, faults: Faults) -> dict[str, int]:
    if given.float_ is None:
        return {}
    if isinstance(given.float_, str):
        try:
            return dict(parse_pool(given.float_, names.assets, names.default, "--float", 1, 1))
        except BadInput as error:
            faults.take(error.faults)
            return {}
    pool: dict[str, int] = {}
    ids = {key: asset.id for asset in ruleset.assets for key in (asset.id, asset.name)}
    for asset, n in given.float_.items():
        if asset not in ids:
            faults.unknown("asset", asset, ids, (1, 1))
        elif not 0 <= n <= Limits().amount:
            faults.add(f"{asset} is from 0 to {Limits().amount} (limit: amount)", (1, 1))
        else:
            pool[ids[asset]] = n
    return dict(FrozenMap(pool))
