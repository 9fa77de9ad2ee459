"""What objects are now: types, abilities, numbers; every static effect applied where the dependency graph puts it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from lawful.model.act import Act
from lawful.model.cost import AssetTerm, Cost, CostAll, CostAny
from lawful.model.effect import Ability, Grant, Modifier, Norm, Static
from lawful.model.errors import BadInput, Fault
from lawful.model.expression import Ref
from lawful.model.position import Position, Thing
from lawful.model.ruleset import Ruleset
from lawful.model.walking import walk
from lawful.solver.order.raising import RAISE
from lawful.solver.order.trials import Trials
from lawful.solver.order.view import Bound, Key, View

Does: TypeAlias = dict[str, int]
"""By object id the number that an effect would use now; 1 where it grants. Empty: it does nothing."""
KEPT = 4096


@dataclass(frozen=True, slots=True)
class Effect:
    """A static effect that is printed on an object in play, or that lasts.

    Parameters
    ----------
    key : str
        Distinct for each: object id and number of the ability, or the lasting effect's id.
    what : Modifier, Grant or Norm
        What it does.
    source : str
        The object or lasting effect that it comes from.
    bound : mapping
        What its text refers to.
    stamp : int
        Its timestamp.
    lasting : bool
        Whether it stays when its source loses its abilities.
    """

    key: str
    what: Modifier | Grant | Norm
    source: str
    bound: Mapping[str, Bound]
    stamp: int
    lasting: bool = False

    @property
    def round(self) -> int:
        """0 for what objects are, 1 for base values, 2 for the rest."""
        if isinstance(self.what, Grant):
            return 0
        return 1 if isinstance(self.what, Modifier) and self.what.modify.startswith("base.") else 2

    @property
    def stage(self) -> str:
        """The stage in which it applies."""
        return "" if isinstance(self.what, Norm) else self.what.stage


@dataclass(slots=True)
class Board:
    """Numbers, types and lost abilities, and what was read of the position to know them."""

    numbers: dict[tuple[str, str], int] = field(default_factory=dict)
    types: dict[str, frozenset[str]] = field(default_factory=dict)
    mute: set[str] = field(default_factory=set)
    reads: set[Key] = field(default_factory=set)
    order: list[str] = field(default_factory=list)
    trials: Trials = field(default_factory=Trials, compare=False, repr=False)


def base_board(position: Position, boards: Boards) -> Board:
    """Return the board before any effect; the points of a printed cost are a number, X in them 0 or not to be told."""
    board = Board()
    for thing in position.things:
        if thing.face == "up":
            card = position.cards[thing.card]
            board.types[thing.id] = frozenset(card.types)
            for name, n in (*card.stats.items(), *thing.base.items()):
                board.numbers[thing.id, name] = board.numbers[thing.id, f"base.{name}"] = n
    for thing in position.things:
        cost = position.cards[thing.card].cost
        if thing.face == "up" and cost is not None and (thing.id, "cost") not in board.numbers:
            read = [
                points_of(cost, View(position, boards.rules, {**own(thing), "x": x}, boards, board=board))
                for x in ((0, 1) if thing.zone in boards.rules.x.unknown_in else (0,))
            ]
            points = read[0]
            if points is not None and read[-1] == points:
                board.numbers[thing.id, "cost"] = board.numbers[thing.id, "base.cost"] = points
    return board


def points_of(cost: Cost, view: View) -> int | None:
    """Return the points that a cost asks for, None where it leaves a choice or reads what is not there."""
    if isinstance(cost, AssetTerm):
        return view.number(cost.amount)
    if isinstance(cost, CostAny):
        return None
    parts = [points_of(part, view) for part in cost.terms] if isinstance(cost, CostAll) else []
    known = [n for n in parts if n is not None]
    return sum(known) if len(known) == len(parts) else None


class Boards:
    """Boards of positions under one ruleset, each worked out once.

    Parameters
    ----------
    rules : Ruleset
        The rules.
    position : Position
        Where it begins; says, with the events, whether anything at all can change what objects are.
    events : tuple of Happening
        What is to happen.
    """

    def __init__(self, rules: Ruleset, position: Position, events: tuple[Hashable, ...] = ()) -> None:
        self.rules = rules
        self.play = frozenset(zone.name for zone in rules.zones if zone.play)
        silencing = frozenset(verb.name for verb in rules.verbs if verb.cancels)
        self.grants = _may(_has_grant, position, events, rules) or (
            bool(silencing) and _may(lambda term: not silencing.isdisjoint(_verbs(term)), position, events, rules)
        )
        self.raises = _may(_has_bar, position, events, rules)
        self._boards: OrderedDict[object, Board] = OrderedDict()
        self._index: tuple[object, dict[str, Thing]] = (None, {})
        self._last: tuple[Position, Board] | None = None
        self._effects: tuple[object, object, list[Effect]] = (None, None, [])

    def index(self, position: Position) -> dict[str, Thing]:
        """Return the objects of a position by id."""
        if self._index[0] is not position.things:
            self._index = (position.things, {thing.id: thing for thing in position.things})
        return self._index[1]

    def printed(self, position: Position) -> Iterator[tuple[Thing, int, Ability]]:
        """Yield what is printed on face-up objects in play."""
        for thing in position.things:
            if thing.zone in self.play and thing.face == "up":
                for i, ability in enumerate(position.cards[thing.card].abilities):
                    yield thing, i, ability

    def effects(self, position: Position) -> list[Effect]:
        """Return the static effects, by timestamp, then as they lie; the list is kept, and not to be changed."""
        if self._effects[0] is not position.things or self._effects[1] is not position.lasting:
            self._effects = (position.things, position.lasting, self._found(position))
        return self._effects[2]

    def _found(self, position: Position) -> list[Effect]:
        found = [
            Effect(f"{t.id}/{i}", a.effect, t.id, own(t), t.timestamp)
            for t, i, a in self.printed(position)
            if isinstance(a, Static)
        ]
        for lasting in position.lasting:
            bound = {**lasting.bindings, "controller": lasting.controller}
            found.append(Effect(lasting.id, lasting.modifier, lasting.id, bound, lasting.timestamp, lasting=True))
        return sorted(found, key=lambda effect: effect.stamp)

    def working(self, position: Position) -> Iterator[tuple[Thing, int, Ability]]:
        """Yield the abilities that work: those printed, without objects that lost theirs."""
        mute = self.of(position).mute if self.grants else ()
        return (found for found in self.printed(position) if found[0].id not in mute)

    def norms(self, position: Position) -> list[Effect]:
        """Return the norms in force as far as their sources go."""
        mute = self.of(position).mute if self.grants else ()
        there = self.effects(position)
        return [e for e in there if isinstance(e.what, Norm) and (e.lasting or e.source not in mute)]

    def of(self, position: Position) -> Board:
        """Return the board of a position."""
        if self._last is not None and self._last[0] is position:
            return self._last[1]
        key = (position.things, position.lasting, position.laid, position.players, position.remaining, position.turn)
        found = self._boards.get(key)
        if found is None:
            found = self._boards[key] = self._work(position)
            if len(self._boards) > KEPT:
                self._boards.popitem(last=False)
        self._last = (position, found)
        return found

    def _work(self, position: Position) -> Board:
        from lawful.solver.order.applying import applied

        there = [e for e in self.effects(position) if not isinstance(e.what, Norm) and not _of_cost(e.what)]
        self._known(there)
        board = applied(self, position, there)
        board.trials.clear()  # boards are kept, what was tried on the way is not
        board.reads = {key for key in board.reads if key[0] not in ("stat", "types")}
        board.reads |= {(thing.id, "base") for thing in position.things} if there else set()
        # Also what is not in play yet: it would count once it is.
        able = [t.id for t in position.things if any(isinstance(a, Static) for a in position.cards[t.card].abilities)]
        board.reads |= {(id, part) for id in able for part in ("zone", "face", "controller")} | {("lasting",)}
        return board

    def _known(self, there: list[Effect]) -> None:
        names = {stage.name for stage in self.rules.stages}
        faults = [
            Fault(f"{e.source}: the rules {self.rules.id!r} have no stage {e.stage!r}", hint=f"one of {sorted(names)}")
            for e in there
            if e.stage not in names
        ]
        if faults:
            raise BadInput(faults)


def own(thing: Thing) -> dict[str, Bound]:
    """Return what an object's text means by itself."""
    return {"self": thing.id, "controller": thing.controller, "owner": thing.owner}


def _of_cost(what: Modifier | Grant | Norm) -> bool:
    return isinstance(what, Modifier) and what.modify.partition(".")[0] == "cost"


def _may(has: Callable[[Hashable], bool], position: Position, events: tuple[Hashable, ...], rules: Ruleset) -> bool:
    """Tell whether anything has, or could lay, what is looked for: cards, what lasts, what happens, the rules."""
    texts = (*(card.abilities for card in position.cards.values()), *position.lasting, *position.queue, *events)
    return any(has(text) for text in (*texts, *rules.checks, *rules.replacements))


@lru_cache(maxsize=4096)
def _has_grant(term: Hashable) -> bool:
    return any(isinstance(part, Grant) for part in walk(term))


@lru_cache(maxsize=4096)
def _verbs(term: Hashable) -> frozenset[str]:
    return frozenset(part.verb for part in walk(term) if isinstance(part, Act))


@lru_cache(maxsize=4096)
def _has_bar(term: Hashable) -> bool:
    return any(isinstance(part, Norm) and part.action.event.startswith(RAISE) for part in walk(term))


def of_whom(effect: Effect) -> Ref | object:
    """Return whom an effect is about; a grant that does not say is about its own object."""
    if isinstance(effect.what, Grant) and effect.what.of is None:
        return Ref("on" if effect.lasting else "self")
    return getattr(effect.what, "of", None)


def whose(effect: Effect) -> str | None:
    """Return the object whose number an effect changes, where its text says which; None for any."""
    of = of_whom(effect)
    found = effect.bound.get(of.name) if isinstance(of, Ref) and not of.path else None
    return found if isinstance(found, str) else None
