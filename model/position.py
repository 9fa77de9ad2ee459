"""A position: who is there, what they have, what lies where. Frozen; playing on makes a new one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.effect import Grant, Modifier, Norm
from lawful.model.errors import BadInput, Fault, UnknownName
from lawful.model.frozen import FrozenMap, replace


@dataclass(frozen=True, slots=True)
class Thing:
    """One object: a card, a token, with all that changed at run time.

    Parameters
    ----------
    id : str
        Distinct for every object of a position. Equal cards get ``blue``, ``blue #2``, ...
    card : str
        The card's name, a key of `Position.cards`.
    owner, controller : str
        Players' names.
    zone : str
        Where it is.
    face : {"up", "down"}
        A face-down object is blank.
    status : frozenset of str
        `exhausted`, `attacking`, ...
    counters : mapping of str to int
        Counters on it, wounds among them.
    base : mapping of str to int
        Base values that an effect changed for good.
    relations : mapping of str to str
        Relation to another object's id: ``{"defends": "attack"}``.
    timestamp : int
        When it came here, in ticks of the position's clock.
    """

    id: str
    card: str
    owner: str
    controller: str
    zone: str
    face: Literal["up", "down"] = "up"
    status: frozenset[str] = frozenset()
    counters: FrozenMap[str, int] = FrozenMap()
    base: FrozenMap[str, int] = FrozenMap()
    relations: FrozenMap[str, str] = FrozenMap()
    timestamp: int = 0

    @property
    def seat(self) -> bool:
        """Whether it stands for a player."""
        return self.zone == SEATS


SEATS = "(players)"
"""Where players are, so that they can be chosen as objects are: in no zone of any ruleset."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player.

    Parameters
    ----------
    name : str
        The player's name.
    pool : mapping of str to int
        Floating assets, in points.
    facts : mapping of str to str
        Facts that a condition may ask for: ``{"form": "hero"}``.
    """

    name: str
    pool: FrozenMap[str, int] = FrozenMap()
    facts: FrozenMap[str, str] = FrozenMap()


@dataclass(frozen=True, slots=True)
class Lasting:
    """An effect without a card in play: laid on a player's declarations or on objects at some time.

    Parameters
    ----------
    id, controller : str
        Its name, and whose it is.
    modifier : Modifier, Grant or Norm
        What it does.
    timestamp : int
        Since when.
    bindings : mapping of str to str or int
        What its text refers to; ``on`` is the object that it was laid on, ``self`` the object whose text it is.
    until : str, optional
        When it ends, in the ruleset's words.
    uses : int, optional
        For how many declarations it still counts ("the next card you play"); None is any number.
    """

    id: str
    controller: str
    modifier: Modifier | Grant | Norm
    timestamp: int = 0
    bindings: FrozenMap[str, str | int] = FrozenMap()
    until: str | None = None
    uses: int | None = None

    @property
    def self_id(self) -> str | None:
        """Id of the object that its text calls ``$self``, where it is of one."""
        found = self.bindings.get("self")
        return found if isinstance(found, str) else None


@dataclass(frozen=True, slots=True)
class Queued:
    """A triggered ability that waits to resolve, with what its references stood for.

    Parameters
    ----------
    source, controller : str
        The object that has it, and whose it is.
    do : tuple of Act
        Its steps.
    bindings : mapping of str to str or int
        What its references stand for.
    optional : bool
        Whether it may be declined as it resolves.
    window : int
        Abilities that triggered at the same time have the same number, later ones a higher one.
    tier : int
        Index of its tier in the ruleset; 0 where there are none.
    """

    source: str
    controller: str
    do: tuple[Act, ...]
    bindings: FrozenMap[str, str | int] = FrozenMap()
    optional: bool = False
    window: int = 0
    tier: int = 0


def _seat(player: Player) -> Thing:
    """Return what stands for a player where players may be chosen."""
    return Thing(player.name, "", player.name, player.name, SEATS)


@dataclass(frozen=True, slots=True)
class Position:
    """All that a question may look at.

    Parameters
    ----------
    players : tuple of Player
        In turn order.
    things : tuple of Thing
        In the order given; a hand keeps the order in which it was written.
    cards : mapping of str to Card
        The cards that things are copies of.
    turn : str
        Whose turn it is.
    started : int
        How many players there were at the start.
    lasting : tuple of Lasting
        Effects that float.
    queue : tuple of Queued
        Triggered abilities not yet resolved.
    clock : int
        The next timestamp.
    remaining : mapping of str to int
        What is left of used shields and limits, by "object id/ability number".
    laid : mapping of str to int
        Since when an effect is on an object, by "effect on object", where that is not since both were there.
    """

    players: tuple[Player, ...]
    things: tuple[Thing, ...]
    cards: FrozenMap[str, Card]
    turn: str
    started: int = 1
    lasting: tuple[Lasting, ...] = ()
    queue: tuple[Queued, ...] = ()
    clock: int = 0
    remaining: FrozenMap[str, int] = FrozenMap()
    laid: FrozenMap[str, int] = FrozenMap()

    def fact(self, player: str, key: str) -> str | None:
        """Return a fact of a player; of ``turn``, where nothing else is said, whether it is the player's ``own``."""
        said = self.player(player).facts.get(key)
        return said if said is not None or key != "turn" else ("own" if self.turn == player else "other")

    def player(self, name: str) -> Player:
        """Return the player of that name.

        Raises
        ------
        UnknownName
            If there is none.
        """
        for player in self.players:
            if player.name == name:
                return player
        raise UnknownName("player", name, [p.name for p in self.players])

    def thing(self, id: str) -> Thing:
        """Return the object with that id.

        Raises
        ------
        UnknownName
            If there is none.
        """
        for thing in self.things:
            if thing.id == id:
                return thing
        raise UnknownName("object", id, [t.id for t in self.things])

    def card(self, thing: Thing) -> Card:
        """Return the card that an object is a copy of."""
        return self.cards[thing.card]

    def seats(self) -> tuple[Thing, ...]:
        """Return what stands for the players where players may be chosen.

        Raises
        ------
        BadInput
            If an object is called as a player is.
        """
        both = {thing.id for thing in self.things} & {player.name for player in self.players}
        if both:
            raise BadInput([Fault(f"{min(both)!r} is a player and an object", hint="call the object otherwise")])
        return tuple(map(_seat, self.players))

    def named(self, ids: Collection[str]) -> tuple[Thing, ...]:
        """Return the objects of these names, and what stands for players of these names."""
        things = tuple(thing for thing in self.things if thing.id in ids)
        taken = {thing.id for thing in things}
        return things + tuple(_seat(p) for p in self.players if p.name in ids and p.name not in taken)

    def with_thing(self, thing: Thing) -> Position:
        """Return the position with one object changed."""
        return replace(self, things=tuple(thing if t.id == thing.id else t for t in self.things))

    def with_queue(self, queue: tuple[Queued, ...]) -> Position:
        """Return the position with other abilities waiting."""
        return Position(
            self.players, self.things, self.cards, self.turn, self.started, self.lasting, queue, self.clock,
            self.remaining, self.laid,
        )  # fmt: skip

    def with_player(self, player: Player) -> Position:
        """Return the position with one player changed."""
        return replace(self, players=tuple(player if p.name == player.name else p for p in self.players))
