"""What is declared: what is paid for, by whom, and what is said about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import Cost, terms
from lawful.model.declaration import Declaration
from lawful.model.effect import Activated, Additional, Alternative
from lawful.model.frozen import FrozenMap
from lawful.model.position import Thing
from lawful.model.reading.faults import Placed, shown
from lawful.model.reading.tablereader import Table


@dataclass
class Said:
    """What is said of a declaration, before it is known whether it fits."""

    player: str
    cost: Cost | None = None
    play: str | None = None
    activate: str | None = None
    ability: str | None = None
    types: tuple[str, ...] = ()
    x: int | None = None
    options: tuple[str, ...] | None = None
    free: bool = False
    instant: bool = False
    declare: str | None = None
    do: tuple[Act, ...] = ()
    targets: FrozenMap[str, tuple[str, ...]] = FrozenMap()
    modes: tuple[str, ...] | None = None
    resolving: bool = False


def declare(table: Table, said: Said, places: dict[str, Placed | tuple[int, int]]) -> Declaration:
    """Return the declaration; a card that lies nowhere yet is laid where it is played or used from.

    Parameters
    ----------
    table : Table
        The position so far; it may get one object more.
    said : Said
        What is declared.
    places : dict
        Where each key stands, and the whole (the empty key).

    Returns
    -------
    Declaration
        What is announced; faults are noted at the table.
    """
    faults, where = table.desk.faults, places[""]
    kinds = [key for key in ("play", "activate", "declare") if getattr(said, key) is not None]
    if len(kinds) > 1:
        faults.add(f"{kinds[0]!r} and {kinds[1]!r} exclude each other", places[kinds[1]])
    if said.declare is not None:
        names = [procedure.name for procedure in table.ruleset.procedures]
        if said.declare not in names:
            faults.unknown("declaration", said.declare, names, places["declare"])
        return Declaration(
            said.player, "declare", None, said.declare, said.cost, said.types, said.x, said.options,
            targets=said.targets, modes=said.modes, resolving=said.resolving,
        )  # fmt: skip
    name = said.play if said.play is not None else said.activate
    kind = "play" if said.play is not None else "activate" if said.activate is not None else "cost"
    if name is None and said.cost is None and not said.do:
        faults.add("what is to be paid?", where, "say cost, play, activate, declare or do")
    thing = _thing(table, said.player, name, kind, places[kind]) if name is not None else None
    card = table.cards.get(thing.card) if thing is not None else None
    if card is not None and kind == "activate" and said.cost is None:
        _check_ability(table, card, said.ability, places.get("ability", places["activate"]))
    elif card is not None and kind == "play" and _uses_one(table, card):
        _check_ability(table, card, said.ability, places.get("ability", places["play"]))
    if said.options and card is not None:
        _check_options(table, card, said, places.get("options", where))
    return Declaration(
        said.player,
        kind,  # type: ignore[arg-type]
        thing.id if thing is not None else None,
        said.ability,
        said.cost,
        said.types,
        said.x,
        said.options,
        said.free,
        said.instant,
        said.do,
        said.targets,
        said.modes,
        said.resolving,
    )


def _thing(table: Table, player: str, name: str, kind: str, at: Placed | tuple[int, int]) -> Thing | None:
    """Return the object of that id or name: the player's own first, for playing from hand first."""
    for thing in table.things:
        if thing.id == name and name != thing.card:
            return thing
    zones = [zone.name for zone in table.ruleset.zones if zone.play]
    home = table.ruleset.hand if kind == "play" else next(iter(zones), table.ruleset.hand)
    found = [t for t in table.things if t.card.casefold() == name.casefold()]
    # What lies there by its title is meant by its name alone, too.
    cards = {} if found else {t.card: table.shelf.find(t.card, at) for t in table.things}
    found = found or [
        t for t in table.things if (card := cards[t.card]) and card.printed_name.casefold() == name.casefold()
    ]
    found.sort(key=lambda t: (player not in (t.owner, t.controller), t.zone != home))
    if found and player in (found[0].owner, found[0].controller):
        return found[0]
    if table.shelf.has(name):
        return table.lay(player, home, name, at, {})
    if found:
        return found[0]
    names = [*(t.card for t in table.things), *table.shelf.cards]
    if table.desk.faults.near(name, names) or table.shelf.library is None:
        table.desk.faults.add(f"unknown card {shown(name)}", at, table.desk.faults.near(name, names))
        return None
    table.shelf.find(name, at)
    return None


def _uses_one(table: Table, card: Card) -> bool:
    """Tell whether a card uses an ability as it is played."""
    at_once = set(card.types) & set(table.ruleset.resolves)
    return bool(at_once) and any(isinstance(ability, Activated) for ability in card.abilities)


def _check_ability(table: Table, card: Card, ability: str | None, at: Placed | tuple[int, int]) -> None:
    names = [a.name for a in card.abilities if isinstance(a, Activated)]
    if not names:
        table.desk.faults.add(
            f"{card.name!r} has no ability that could be activated", at, "give it one, or say the cost"
        )
    elif ability is None and len(names) > 1:
        table.desk.faults.add(f"{card.name!r} has several abilities", at, "say which: ability: " + " or ".join(names))
    elif ability is not None and ability not in names:
        table.desk.faults.unknown("ability", ability, names, at)


def _check_options(table: Table, card: Card, said: Said, at: Placed | tuple[int, int]) -> None:
    """Answer a slip of the pen in an option with the closest; whether others are legal is a question of the rules."""
    names = option_names(card, said.cost)
    for option in said.options or ():
        if option not in names and (near := table.desk.faults.near(option, names)):
            table.desk.faults.add(f"unknown option {shown(option)}", at, near)


def option_names(card: Card, cost: Cost | None) -> Sequence[str]:
    """Return the options that a card's costs leave to the payer."""
    named = [a.name for a in card.abilities if isinstance(a, Additional | Alternative)]
    printed = card.cost if cost is None else cost
    costs = [printed, *(a.cost for a in card.abilities if isinstance(a, Additional | Alternative | Activated))]
    many = sum(1 for whole in costs if whole is not None for _ in terms(whole))
    return [*named, *(f"choice {number + 1}" for number in range(many))]
