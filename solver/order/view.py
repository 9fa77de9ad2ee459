"""Reads expressions, conditions, selectors and patterns on a position, and remembers what it has read.

What was read and what was changed is all that is needed to know which effects cannot disturb each other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from lawful.model.expression import (
    Compare,
    Condition,
    Count,
    Every,
    Expression,
    Fact,
    Holds,
    Least,
    Not,
    PerPlayer,
    Ref,
    Some,
    Sum,
    Times,
)
from lawful.model.frozen import replace
from lawful.model.position import Position, Thing
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Pattern, Selector
from lawful.solver.order.comparing import compared, of_types
from lawful.solver.order.happens import Happens

if TYPE_CHECKING:
    from lawful.solver.order.board import Board, Boards

Bound: TypeAlias = str | int
Key: TypeAlias = tuple[str, ...]
CALLED = {"wound": "wounds", "gain": "gains", "play": "played", "declare": "declared"}


@dataclass(slots=True)
class View:
    """A text's look at a position.

    Parameters
    ----------
    position, rules : Position, Ruleset
        What is looked at.
    bound : mapping
        What references stand for.
    boards : Boards
        Works out the current numbers.
    reads : set of tuple
        Takes every fact that is read.
    board : Board, optional
        The numbers while they are being worked out.
    """

    position: Position
    rules: Ruleset
    bound: Mapping[str, Bound]
    boards: Boards
    reads: set[Key] = field(default_factory=set)
    board: Board | None = None

    def on(self, position: Position) -> View:
        """Return the same text's look at another position."""
        return View(position, self.rules, self.bound, self.boards, self.reads)

    def having(self, **more: Bound) -> View:
        """Return the look with more references."""
        return View(self.position, self.rules, {**self.bound, **more}, self.boards, self.reads, self.board)

    def thing(self, id: str) -> Thing | None:
        """Return an object, or None."""
        return self.boards.index(self.position).get(id)

    # references

    def ref(self, ref: Ref) -> Bound | None:
        """Return what a reference stands for, None where it stands for nothing."""
        at = self._root(ref.name)
        for n, step in enumerate(ref.path):
            if at is None or isinstance(at, int):
                return None
            thing = self.thing(at)
            if thing is None:
                return self._of_player(at, ref.path[n:])
            if step in ("counters", "base", "yields"):
                return self._part(thing, step, ref.path[n + 1 :])
            at = self._step(thing, step)
        return at

    def _root(self, name: str) -> Bound | None:
        if name in self.bound:
            return self.bound[name]
        if name in ("controller", "owner", "chooser") and "self" in self.bound:
            thing = self.thing(str(self.bound["self"]))
            if thing is not None:
                self.reads.add((thing.id, "controller"))
                return thing.owner if name == "owner" else self.bound.get("controller", thing.controller)
        if name == "chooser":
            return self.bound.get("controller")
        if name == "opponent":
            rest = [p.name for p in self.position.players if p.name != self._root("controller")]
            return rest[0] if len(rest) == 1 else None
        return 0 if name == "x" else None

    def _step(self, thing: Thing, step: str) -> Bound | None:
        if step in ("controller", "owner", "zone"):
            self.reads.add((thing.id, "zone" if step == "zone" else "controller"))
            return str(getattr(thing, step))
        self.reads.add((thing.id, "relations"))
        if step in thing.relations:
            return thing.relations[step]
        self.reads.add((thing.id, "face"))
        if thing.face == "down":
            return None
        card = self.position.cards[thing.card]
        if step == "name":
            return card.printed_name
        return card.props[step] if step in card.props else self.stat(thing, step)

    def _part(self, thing: Thing, step: str, rest: tuple[str, ...]) -> int | None:
        if len(rest) != 1:
            return None
        if step == "counters":
            self.reads.add((thing.id, "counters", rest[0]))
            return thing.counters.get(rest[0], 0)
        self.reads.add((thing.id, "face"))
        if thing.face == "down":
            return None
        if step == "yields":
            gives = self.position.cards[thing.card].yields
            return None if gives is None else gives.get(rest[0], 0)
        return self.stat(thing, f"base.{rest[0]}")

    def _of_player(self, name: str, rest: tuple[str, ...]) -> Bound | None:
        player = self.position.player(name)
        if len(rest) == 2 and rest[0] == "pool":
            self.reads.add(("pool", name, rest[1]))
            return player.pool.get(rest[1], 0)
        self.reads.add(("facts", name))
        fact = player.facts.get(rest[0]) if len(rest) == 1 else None
        return int(fact) if fact is not None and fact.isascii() and fact.isdigit() else fact

    def stat(self, thing: Thing, name: str) -> int | None:
        """Return a current number; None where the object lacks it."""
        self.reads.add((thing.id, "face"))
        if thing.face == "down":
            return None
        if name in ("cost", "base.cost") and self.rules.x.unknown_in:
            self.reads.add((thing.id, "zone"))
        if self.board is not None:
            self.reads.add(("stat", thing.id, name))
            return self.board.numbers.get((thing.id, name))
        board = self.boards.of(self.position)
        self.reads.update(board.reads)
        self.reads.add((thing.id, "base"))
        return board.numbers.get((thing.id, name))

    def types(self, thing: Thing) -> frozenset[str]:
        """Return current types."""
        if self.board is not None:
            self.reads.add(("types", thing.id))
            return self.board.types.get(thing.id, frozenset())
        if not self.boards.grants:
            return frozenset(self.position.cards[thing.card].types)
        board = self.boards.of(self.position)
        self.reads.update(board.reads)
        return board.types.get(thing.id, frozenset())

    # numbers and conditions

    def number(self, expression: Expression) -> int | None:
        """Return a number, None where a part of it is not there."""
        match expression:
            case int():
                return expression
            case Ref():
                found = self.ref(expression)
                return found if isinstance(found, int) else None
            case Count():
                return sum(1 for t in self.position.things if self.finds(expression.of, t))
            case Times() | PerPlayer():
                inner = self.number(expression.of)
                factor = expression.factor if isinstance(expression, Times) else self.position.started
                return None if inner is None else inner * factor
            case Holds():
                return int(self.holds(expression.condition))
        parts = [self.number(term) for term in expression.terms]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        if isinstance(expression, Sum):
            return sum(known)
        if not known:
            return None
        return min(known) if isinstance(expression, Least) else max(known)

    def holds(self, condition: Condition | None) -> bool:
        """Tell whether a condition holds; none at all does."""
        match condition:
            case None:
                return True
            case Compare():
                return compared(self.number(condition.left), condition.op, self.number(condition.right))
            case Every():
                return all(self.holds(part) for part in condition.conditions)
            case Some():
                return any(self.holds(part) for part in condition.conditions)
            case Not():
                return not self.holds(condition.condition)
            case Fact():
                who = self.ref(condition.player)
                self.reads.add(("facts", str(who)))
                known = [p for p in self.position.players if p.name == who]
                return bool(known) and self.position.fact(known[0].name, condition.key) == condition.value

    # objects and events

    def finds(self, wanted: Ref | Selector, thing: Thing) -> bool:
        """Tell whether a reference or a selector means this object."""
        if isinstance(wanted, Ref):
            return self.ref(wanted) == thing.id
        if not wanted.finds_kind(False):
            return False
        card, read = self.position.cards[thing.card], self.reads.add
        if wanted.name is not None and wanted.name not in (card.name, card.printed_name):
            return False
        if wanted.words is not None and wanted.words.casefold() not in card.printed_name.casefold():
            return False
        if wanted.is_ is not None and self.ref(wanted.is_) != thing.id:
            return False
        if (wanted.any_of or wanted.none_of) and not self._is_of_parts(wanted, thing):
            return False
        if wanted.type and not self.boards.grants and not of_types(card.types, wanted.type):
            return False
        read((thing.id, "face"))
        if thing.face != (wanted.face or "up"):
            return False
        if wanted.zone:
            read((thing.id, "zone"))
            if thing.zone not in wanted.zone:
                return False
        if wanted.not_ is not None and self.ref(wanted.not_) == thing.id:
            return False
        if wanted.is_ is not None and self.ref(wanted.is_) != thing.id:
            return False
        for asked, has in ((wanted.controller, thing.controller), (wanted.owner, thing.owner)):
            if asked is not None:
                read((thing.id, "controller"))
                if self.ref(asked) != has:
                    return False
        if wanted.status:
            read((thing.id, "status"))
            if not set(wanted.status) <= thing.status:
                return False
        for kind, n in wanted.counters.items():
            read((thing.id, "counters", kind))
            if thing.counters.get(kind, 0) < n:
                return False
        for name, to in wanted.relations.items():
            read((thing.id, "relations"))
            other = self.ref(to)
            if other is None or thing.relations.get(name) != other:
                return False
        if wanted.namesake is not None and card.printed_name not in self._names(wanted.namesake):
            return False
        if wanted.shares is not None and not self._kindred(wanted.shares, thing):
            return False
        return self._is_such(wanted, thing) and self._beside(wanted, thing) and self._extreme(wanted, thing)

    def _is_of_parts(self, wanted: Selector, thing: Thing) -> bool:
        """Tell whether one of several descriptions fits, of the same face as the whole, and none of others."""
        parts = [
            replace(part, face=part.face or wanted.face, known=part.known or wanted.known)
            for part in (*wanted.any_of, *wanted.none_of)
        ]
        some, none = parts[: len(wanted.any_of)], parts[len(wanted.any_of) :]
        if some and not any(self.finds(part, thing) for part in some):
            return False
        return not any(self.finds(part, thing) for part in none)

    def _names(self, wanted: Ref | Selector) -> set[str]:
        """Return the names of what is meant; of a reference to no object, what it stands for."""
        position = self.position
        if isinstance(wanted, Ref):
            meant = self.ref(wanted)
            those = [t for t in position.things if t.id == meant]
            if not those:
                return {meant} if isinstance(meant, str) else set()
            self.reads.add((those[0].id, "face"))
        else:
            those = [t for t in position.things if self.finds(wanted, t)]
        return {position.cards[t.card].printed_name for t in those if t.face == "up"}

    def _kindred(self, others: Selector, thing: Thing) -> bool:
        """Tell whether an object has a trait in common with one of these."""
        mine = self._traits(thing)
        return any(mine & self._traits(t) for t in self.position.things if self.finds(others, t))

    def _traits(self, thing: Thing) -> set[str]:
        self.reads.add((thing.id, "face"))
        plain = re.compile(self.rules.no_traits or "(?!)", re.IGNORECASE)
        types = () if thing.face == "down" else self.types(thing)
        return {word.casefold() for word in types if not plain.fullmatch(word)}

    def _beside(self, wanted: Selector, thing: Thing) -> bool:
        """Tell whether an object lies beside what is wanted, and bears what is wanted."""
        for name, to in wanted.near.items():
            self.reads.add((thing.id, "relations"))
            found = [t for t in self.position.things if t.id == thing.relations.get(name)]
            if not found or not self.finds(to, found[0]):
                return False
        for name, by in wanted.bears.items():
            borne = False
            for t in self.position.things:
                self.reads.add((t.id, "relations"))
                borne = borne or (t.relations.get(name) == thing.id and self.finds(by, t))
            if not borne:
                return False
        return True

    def _extreme(self, wanted: Selector, thing: Thing) -> bool:
        """Tell whether nothing else that is found has more, or less, of a property."""
        for prop, sign in ((wanted.highest, 1), (wanted.lowest, -1)):
            if prop is not None:
                rest = replace(wanted, highest=None, lowest=None)
                mine = self.stat(thing, prop)
                others = [self.stat(t, prop) for t in self.position.things if self.finds(rest, t)]
                if mine is None or any(other is not None and sign * other > sign * mine for other in others):
                    return False
        return True

    def _is_such(self, wanted: Selector, thing: Thing) -> bool:
        if thing.face == "down" and wanted.known:
            return self._is_printed(wanted, thing)
        if thing.face == "down":
            named = wanted.name is not None or wanted.words is not None or wanted.namesake is not None
            return not (wanted.type or named or wanted.has or wanted.where)
        if wanted.type and not of_types(self.types(thing), wanted.type):
            return False
        card = self.position.cards[thing.card]
        for prop in wanted.has:
            if prop in ("yields", "cost"):
                if getattr(card, prop) is None:
                    return False
            elif prop not in card.props and self.stat(thing, prop) is None:
                return False
        return all(
            compared(self.stat(thing, t.stat), t.op, self.having(it=thing.id).number(t.value)) for t in wanted.where
        )

    def _is_printed(self, wanted: Selector, thing: Thing) -> bool:
        """Tell whether an object is such by what is printed on it, for who may look at it."""
        card = self.position.cards[thing.card]
        self.reads.add((thing.id, "base"))
        from lawful.solver.order.board import points_of  # it reads this module's results

        points = None if card.cost is None else points_of(card.cost, self)
        numbers = {**({} if points is None else {"cost": points}), **card.stats, **thing.base}
        there = {*card.props, *numbers, *(name for name in ("yields", "cost") if getattr(card, name) is not None)}
        return (
            of_types(card.types, wanted.type)
            and there.issuperset(wanted.has)
            and all(compared(numbers.get(t.stat), t.op, self.having(it=thing.id).number(t.value)) for t in wanted.where)
        )

    def means(self, pattern: Pattern, event: Happens) -> bool:
        """Tell whether a pattern means an event."""
        if pattern.event not in event.names:
            return False
        if pattern.cause not in (None, event.cause) or pattern.assets not in (None, event.assets):
            return False
        if pattern.asset is not None and not (event.assets or {}).get(pattern.asset):
            return False
        if pattern.by is not None and self.ref(pattern.by) != event.by:
            return False
        if pattern.chosen and not event.chosen:
            return False
        if pattern.on is not None and not (isinstance(event.to, str) and self._is(pattern.on, event.to)):
            return False
        return self._is(pattern.source, event.source) and self._is(pattern.subject, event.subject)

    def _is(self, wanted: Ref | Selector | None, id: str) -> bool:
        if wanted is None:
            return True
        if isinstance(wanted, Ref):
            return self.ref(wanted) == id
        thing = self.thing(id)
        return thing is not None and self.finds(wanted, thing)
