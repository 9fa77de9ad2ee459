"""What may change a batch before it happens, and who orders that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from lawful.model.act import Act
from lawful.model.effect import Norm, Prevention, Replacement, Trigger
from lawful.model.frozen import FrozenMap, replace
from lawful.model.position import Position, Thing
from lawful.solver.order.barring import left_of
from lawful.solver.order.board import own
from lawful.solver.order.frames import Acts, Alter, Node, State, jointly
from lawful.solver.order.happens import Happens
from lawful.solver.order.view import Bound, Key, View

if TYPE_CHECKING:
    from lawful.solver.order.machine import Machine

Able = Replacement | Prevention | Trigger
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Beside:
    """Acts done as part of an event."""

    key: str
    do: tuple[Act, ...]
    bound: FrozenMap[str, Bound]


@dataclass(frozen=True, slots=True)
class Option:
    """An ability that applies to an event (its index), or a shield to several."""

    key: str
    thing: Thing
    ability: Able
    rank: int
    at: tuple[int, ...]
    left: int = 0
    whole: bool = False

    @property
    def owner(self) -> str:
        """Whose it is."""
        return self.thing.controller

    @property
    def source(self) -> str:
        """The object that has it."""
        return self.thing.id

    def mark(self, batch: Sequence[Happens]) -> tuple[str, str, str]:
        """Return what is noted once it was used or declined."""
        event = batch[self.at[0]]
        return (self.key, "" if self.whole else event.subject, event.name)


class Altering:
    """Everything about what changes an event before it happens.

    Parameters
    ----------
    machine : Machine
        Rules and boards.
    """

    def __init__(self, machine: Machine) -> None:
        self.m, self.rules = machine, machine.rules.ordering

    def node(self, frame: Alter, state: State) -> Node:
        """Return what may be applied next to the batch of a frame; no options where nothing is left."""
        reads: set[Key] = set()
        found = [o for o in self._options(frame, state.position, reads) if o.mark(frame.batch) not in frame.marks]
        if not found:
            return Node(None, "", [], reads)
        rank = min(o.rank for o in found)
        found = [o for o in found if o.rank == rank]
        replacing = [o.at[0] for o in found if not isinstance(o.ability, Prevention)]
        if replacing:
            found = [o for o in found if min(replacing) in o.at]
        by, starts, first = self._ordered(found, frame, state.position)
        options: list[tuple[str, State]] = []
        for start, option in [(s, o) for s in starts for o in first(s)]:
            begun = replace(frame, start=start, marks=frame.marks | {option.mark(frame.batch)})
            options += self._apply(option, begun, state, reads)
        offered = [o for s in starts for o in first(s)]
        names = tuple(dict.fromkeys(o.source for o in offered))
        if len({(o.key, o.at) for o in offered}) == 1:
            return Node(offered[0].owner, "use", options, reads, names)
        return Node(by, "order", options, reads, names)

    def _ordered(
        self, found: list[Option], frame: Alter, position: Position
    ) -> tuple[str | None, list[str | None], Callable[[str | None], list[Option]]]:
        """Return who orders, who may begin, and what may come first then."""
        shields = all(isinstance(o.ability, Prevention) for o in found)
        policy = self.rules.preventions if shields else self.rules.replacements
        owners = {o.owner for o in found}
        one = next(iter(owners)) if len(owners) == 1 else None
        if policy == "blocks":
            if one is not None:
                return one, [frame.start], lambda _: found
            starts = [p.name for p in position.players] if frame.start is None else [frame.start]
            by = position.turn if frame.start is None else self.m.earliest(found, self.m.from_(starts[0]))[0].owner
            return by, list(starts), lambda start: self.m.earliest(found, self.m.from_(str(start)))
        if policy == "inactive":
            order = self.m.from_(position.turn)
            mine = self.m.earliest(found, (*order[1:], position.turn))
            return mine[0].owner, [frame.start], lambda _: mine
        if policy == "affected":
            return self._affected(found, frame, position), [frame.start], lambda _: found
        tiers = self.rules.tiers
        if tiers and 0 <= found[0].rank < len(tiers) and not self.rules.classes:
            first = self.m.first(position)
            if tiers[found[0].rank].order == "first":
                return first, [frame.start], lambda _: found
            if tiers[found[0].rank].order == "window":
                return jointly(owners), [frame.start], lambda _: found
            mine = self.m.earliest(found, self.m.from_(first))
            return mine[0].owner, [frame.start], lambda _: mine
        return (one if policy == "owner" else None), [frame.start], lambda _: found

    def _affected(self, found: list[Option], frame: Alter, position: Position) -> str | None:
        subject = frame.batch[found[0].at[0]].subject
        thing = next((t for t in position.things if t.id == subject), None)
        return thing.controller if thing is not None else subject

    def _options(self, frame: Alter, position: Position, reads: set[Key]) -> Iterator[Option]:
        names = {n for e in frame.batch for n in e.names}
        there = [*self.m.abilities(position, names, reads), *self.m.of_rules(position)]
        for e, event in enumerate(frame.batch):
            for thing, i, ability in [*there, *self._arriving(event, position)]:
                if isinstance(ability, Prevention) or not self._changes(ability):
                    continue
                key = f"{thing.id}/{i}"
                # What has become nothing is no event any more (CR 1.9.1b).
                if (
                    event.amount > 0
                    and event.can_be(position, self.m.boards.play)
                    and key not in frame.used
                    and self._means(ability, thing, i, event, position, reads)
                ):
                    yield Option(key, thing, ability, self.rank(ability), (e,))
        for thing, i, ability in there:
            if isinstance(ability, Prevention):
                yield from self._shields(ability, thing, i, frame, position, reads)

    def _changes(self, ability: Able) -> bool:
        return not isinstance(ability, Trigger) or self.m.comes_before(ability)

    def _arriving(self, event: Happens, position: Position) -> list[tuple[Thing, int, Able]]:
        if event.to not in self.m.boards.play:
            return []
        thing = self.m.boards.index(position).get(event.subject)
        if thing is None or thing.zone in self.m.boards.play:
            return []
        abilities = enumerate(position.cards[thing.card].abilities)
        return [(thing, i, a) for i, a in abilities if isinstance(a, Replacement) and a.kind == "enters"]

    def _means(self, ability: Able, thing: Thing, i: int, event: Happens, position: Position, reads: set[Key]) -> bool:
        assert not isinstance(ability, Prevention)
        view = View(position, self.m.rules, bound_by(thing, event), self.m.boards, reads)
        if isinstance(ability, Trigger) and ability.limit is not None:
            reads.add(("remaining", f"{thing.id}/{i}"))
            if position.remaining.get(f"{thing.id}/{i}", ability.limit) <= 0:
                return False
        return view.means(ability.on, event) and view.holds(ability.when)

    def _shields(
        self, ability: Prevention, thing: Thing, i: int, frame: Alter, position: Position, reads: set[Key]
    ) -> Iterator[Option]:
        view, key = View(position, self.m.rules, own(thing), self.m.boards, reads), f"{thing.id}/{i}"
        whole = self.m.rules.at_once == "whole"
        for group in self.m.groups(frame.batch):
            at = tuple(
                m
                for m in group
                if frame.batch[m].amount > 0
                and frame.batch[m].can_be(position, self.m.boards.play)
                and view.means(ability.on, frame.batch[m])
            )
            at = tuple(m for m in at if not self._unpreventable(frame.batch[m], position, reads))
            left = view.having(event=sum(frame.batch[m].amount for m in at)).number(ability.n) or 0
            if ability.per != "event":
                reads.add(("remaining", key))
                left = position.remaining.get(key, left)
            if at and left > 0:
                yield Option(key, thing, ability, self.rank(ability), at, left, whole)

    def _unpreventable(self, event: Happens, position: Position, reads: set[Key]) -> bool:
        """Say whether a norm in force says that an event cannot be prevented."""
        for there in self.m.boards.norms(position):
            what = there.what
            assert isinstance(what, Norm)
            if what.modality != "cannot" or what.action.event != "prevented":
                continue
            reads.add(("lasting",))
            view = View(position, self.m.rules, {**there.bound, "event": event.amount}, self.m.boards, reads)
            there_now = view.holds(what.while_) and (what.unless is None or not view.holds(what.unless))
            if there_now and view.means(replace(what.action, event=event.name), event):
                return True
        return False

    def rank(self, ability: Able) -> int:
        """Return its place among what changes an event."""
        if self.rules.classes:
            kind = "prevention" if not isinstance(ability, Replacement) else ability.kind
            fits = [n for n, words in enumerate(self.rules.classes) if kind in words.split("+")]
            return fits[0] if fits else len(self.rules.classes)
        if self.rules.tiers:
            return next((n for n, tier in enumerate(self.rules.tiers) if tier.name == ability.tier), -1)
        return 1 if isinstance(ability, Prevention) else 0

    def _apply(self, o: Option, frame: Alter, state: State, reads: set[Key]) -> list[tuple[str, State]]:
        if isinstance(o.ability, Prevention):
            found = list(self._prevent(o, o.ability, frame, state))
        else:
            found = [self._do_instead(o, frame, state, reads)]
        if o.ability.optional or (isinstance(o.ability, Prevention) and self.rules.declining == "any"):
            found.append((f"decline {o.source}", self._back(frame, state)))
        return found

    def _back(self, frame: Alter, state: State, *above: Acts) -> State:
        return replace(state, stack=(*state.stack[:-1], frame, *above))

    def _prevent(self, o: Option, ability: Prevention, frame: Alter, state: State) -> Iterator[tuple[str, State]]:
        room = [frame.batch[m].amount for m in o.at]
        most = min(o.left, sum(room))
        position = state.position
        if ability.per != "event":
            left = o.left - most if ability.per == "total" else 0
            position = replace(position, remaining=position.remaining.put(o.key, left))
        for split in splits(most, tuple(room)):
            batch = list(frame.batch)
            for m, n in zip(o.at, split, strict=True):
                batch[m] = replace(batch[m], amount=batch[m].amount - n)
            after = replace(state, position=position)
            lowered = [frame.batch[m].subject for m, n in zip(o.at, split, strict=True) if n]
            yield (
                f"{o.source} prevents {most} ({', '.join(lowered)})",
                self._back(replace(frame, batch=tuple(batch)), after),
            )

    def _do_instead(self, o: Option, frame: Alter, state: State, reads: set[Key]) -> tuple[str, State]:
        event, ability, position = frame.batch[o.at[0]], o.ability, state.position
        assert not isinstance(ability, Prevention)
        bound = FrozenMap(bound_by(o.thing, event))
        if isinstance(ability, Trigger):
            spent = self.m.spent(position, o.key, ability)
            acts = Acts(ability.do, bound, used=frame.used | {o.key})
            return f"{o.source} before {event.name}", self._back(frame, replace(state, position=spent), acts)
        label = f"{o.source} replaces {event.name}"
        if ability.kind in ("enters", "outcome"):
            beside = (*event.beside, Beside(o.key, ability.instead, bound))
            new = replace(event, beside=beside, idle=event.idle or ability.kind == "outcome")
            return label, self._back(replace(frame, batch=put(frame.batch, o.at[0], new)), state)
        rest, taken = None, event.amount
        if ability.n is not None:
            part = View(position, self.m.rules, bound, self.m.boards, reads).number(ability.n) or 0
            if part < event.amount:
                rest, taken = replace(event, amount=event.amount - part, partly=True), part
        acts = Acts(ability.instead, bound.put("event", taken), used=frame.used | {o.key}, cause=frame.cause)
        return label, self._back(replace(frame, batch=put(frame.batch, o.at[0], rest)), state, acts)

    def allowed(self, batch: tuple[Happens, ...], position: Position, reads: set[Key]) -> tuple[Happens, ...]:
        """Return what of a batch no norm forbids."""
        return left_of(batch, position, self.m.rules, self.m.boards, reads)


def bound_by(thing: Thing, event: Happens) -> dict[str, Bound]:
    """Return what an object's text refers to as it hears an event."""
    return {**own(thing), "subject": event.subject, "event": event.amount, "source": event.source}


def put(batch: tuple[Happens, ...], at: int, event: Happens | None) -> tuple[Happens, ...]:
    """Return the batch with one event changed, or left out."""
    return (*batch[:at], *(() if event is None else (event,)), *batch[at + 1 :])


def splits(total: int, room: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the ways to spread a number over places, none beyond its room."""
    if not room:
        if total == 0:
            yield ()
        return
    for n in range(min(total, room[0]), -1, -1):
        for rest in splits(total - n, room[1:]):
            yield (n, *rest)
