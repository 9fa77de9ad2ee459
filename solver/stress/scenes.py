"""Positions as variables: how many of each thing lie there, counters, facts; every mixture of what texts tell apart.

A text sees of a position no more than which of its comparisons hold. So positions fall into classes, one for each set
of comparisons that can hold together, and one position stands for its class. One CP-SAT model has the amounts as its
variables and the comparisons as literals; each solve gives the smallest position of a class that was not seen yet.
Most checks end at the first: a class is laid out once it is asked for, and how many there are is counted by parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain, islice

from ortools.sat.python import cp_model

from lawful.model.card import Card
from lawful.model.cost import AssetTerm
from lawful.model.effect import Grant, Modifier, Static
from lawful.model.expression import Compare, Count, Expression, Fact, PerPlayer, Ref, Sum, Times
from lawful.model.frozen import FrozenMap
from lawful.model.position import Position, Thing
from lawful.model.walking import every
from lawful.solver.ask import distinct, least
from lawful.solver.encode.literals import Linear, total
from lawful.solver.order.board import Boards
from lawful.solver.order.comparing import compared
from lawful.solver.order.view import View
from lawful.solver.stress.lazily import Lazily
from lawful.solver.stress.meeting import Meeting, same_texts
from lawful.solver.stress.needs import MOST_COPIES, Need, needs
from lawful.solver.stress.scene import Place, Scene, merged
from lawful.solver.stress.terms import largest, said

MOST_SCENES = 96
MOST_SPARSE = 4  # classes with nothing, or one kind of object, that are looked at where others are left out
SECONDS = 5.0


class Scenes:
    """Positions that stand for all, the fullest first; each is laid out once it is asked for.

    Parameters
    ----------
    classes : Classes
        The model of them.
    """

    def __init__(self, classes: Classes) -> None:
        self._classes = classes
        self._laid = Lazily(chain(islice(classes.each(), MOST_SCENES), self._sparse()))

    def __iter__(self) -> Iterator[Scene]:
        """Iterate over one for each class."""
        return iter(self._laid)

    def _sparse(self) -> Iterator[Scene]:
        """Yield those in which nothing, or nothing but one kind of object lies about, where the others are too many."""
        if self.cut:
            yield from self._classes.sparse(MOST_SPARSE)

    @property
    def all(self) -> tuple[Scene, ...]:
        """One for each class, all of them laid out."""
        return tuple(self)

    @cached_property
    def count(self) -> int:
        """How many are looked at; they need not be laid out for that."""
        return self._classes.count(MOST_SCENES)

    @property
    def cut(self) -> bool:
        """Whether there are more classes than are looked at."""
        return self.count == MOST_SCENES

    @property
    def whole(self) -> bool:
        """Whether there are no other classes, as far as the texts of the group see."""
        return self._classes.understood and not self.cut


kept: list[tuple[Meeting, tuple[Thing, ...], Scenes]] = []
_MOST_KEPT = 32


def scenes(meeting: Meeting, base: Position, about: str) -> Scenes:
    """Return the positions that are to be looked at.

    Parameters
    ----------
    meeting : Meeting
        The cards.
    base : Position
        With the group in it, and nothing else that the texts speak of.
    about : str
        The object that related ones are related to.
    """
    for known, there, found in kept:
        if same_texts(known, meeting) and there == base.things:
            return found
    found = Scenes(Classes(meeting, base, about))
    kept.insert(0, (meeting, base.things, found))
    del kept[_MOST_KEPT:]
    return found


@dataclass
class Classes:
    """The model: amounts as variables, comparisons as literals."""

    meeting: Meeting
    base: Position
    about: str
    cp: cp_model.CpModel = field(default_factory=cp_model.CpModel)
    atoms: dict[object, cp_model.IntVar] = field(default_factory=dict)
    reads: dict[object, frozenset[int]] = field(default_factory=dict)
    counters: dict[Place, cp_model.IntVar] = field(default_factory=dict)
    facts: dict[Place, tuple[cp_model.IntVar, tuple[str | None, ...]]] = field(default_factory=dict)
    understood: bool = True

    def __post_init__(self) -> None:
        """Lay everything out once, and make a variable for each amount."""
        self.wanted = self.needed()
        shown = tuple(self._shown(need, n) for n, need in enumerate(self.wanted))
        cards = {**self.base.cards, **{need.card.name: need.card for need in self.wanted}}
        self.shown = replace(self.base, things=(*self.base.things, *shown), cards=FrozenMap(cards))
        self.boards = Boards(self.meeting.ruleset, self.shown)
        due = self.meeting.due
        counted = [count.of for card in self.meeting.cards for count in _amounts(card)]
        self.amounts: list[cp_model.IntVar] = []
        self.most: list[int] = []
        for n, (need, thing) in enumerate(zip(self.wanted, shown, strict=True)):
            many = any(self._view(t).finds(of, thing) for of in counted for t in self.base.things[:1])
            most = min(MOST_COPIES, max(need.n, due)) if many else need.n
            variable = self.cp.new_int_var(0, most, f"so many {n}")
            self.amounts.append(variable)
            self.most.append(most)
        self._declare_facts()
        self.read()

    def needed(self) -> tuple[Need, ...]:
        """Return what may lie about, each in the amount above which nothing changes."""
        return merged(needs(self.meeting)[0])

    def read(self) -> None:
        """Add the literals of all that the texts of the group tell apart."""
        for n, (variable, most) in enumerate(zip(self.amounts, self.most, strict=True)):
            self._atom(("there", n), variable >= 1, variable <= 0)
            if most > 1:
                self._atom(("ample", n), variable >= most, variable <= most - 1)
        for thing in self.base.things:
            self._read(thing)

    def _shown(self, need: Need, n: int) -> Thing:
        related = FrozenMap(dict.fromkeys(need.relations, self.about))
        bare = Thing(f"need {n}", need.card.name, need.controller, need.controller, need.zone)
        more = {"face": need.face, "status": need.status, "counters": need.counters, "relations": related}
        return replace(bare, **more)  # type: ignore[arg-type]

    def _view(self, thing: Thing) -> View:
        bound = {"self": thing.id, "controller": thing.controller, "owner": thing.owner}
        return View(self.shown, self.meeting.ruleset, bound, self.boards)

    def _atom(self, key: object, holds: object, fails: object) -> None:
        literal = self.cp.new_bool_var(str(key))
        told = self.cp.add(holds).only_enforce_if(literal)  # type: ignore[arg-type]
        self.cp.add(fails).only_enforce_if(~literal)  # type: ignore[arg-type]
        self.atoms[key] = literal
        self.reads[key] = frozenset(told.proto.linear.vars)

    def _read(self, thing: Thing) -> None:
        """Add a literal for each comparison and each fact that the card of an object asks for."""
        card, view = self.base.card(thing), self._view(thing)
        self.count_counters(thing)
        for place, variable in self.counters.items():
            have = thing.counters.get(place[1], 0)
            if place[0] == thing.id and have:
                self._atom(("enough", place), variable >= have, variable <= have - 1)
        for compare in dict.fromkeys(said(card, Compare)):
            if not self.fact_compared((thing.id, compare), thing, compare, view):
                self._compared(thing, compare, view)
        for fact in said(card, Fact):
            self.tabled((thing.id, fact), (str(view.ref(fact.player)), fact.key), partial(_is, fact.value))

    def count_counters(self, thing: Thing) -> None:
        """Make a variable for each kind of counter that an object asks for of itself."""
        card = self.base.card(thing)
        compares = said(card, Compare, cost=False)
        for ref in said(card, Ref):
            if ref.name == "self" and len(ref.path) == 2 and ref.path[0] == "counters":
                most = max([thing.counters.get(ref.path[1], 0), *(largest((c.left, c.right)) for c in compares)])
                place = (thing.id, ref.path[1])
                if place not in self.counters:
                    self.counters[place] = self.cp.new_int_var(0, min(most + 1, 10_000), f"counters {place}")

    def _declare_facts(self) -> None:
        """Make a variable for each fact that a card of the group asks for: each value that matters, or none."""
        values: dict[Place, dict[str | None, None]] = {}
        for thing in self.base.things:
            card, view = self.base.card(thing), self._view(thing)
            for fact in said(card, Fact):
                values.setdefault((str(view.ref(fact.player)), fact.key), {})[fact.value] = None
            for compare in said(card, Compare):
                for ref in every((compare.left, compare.right), Ref):
                    place = self._fact_place(ref, view)
                    if place is not None:
                        k = largest((compare.left, compare.right))
                        values.setdefault(place, {}).update({str(n): None for n in (k + 1, k, k - 1, 0) if n >= 0})
        for place, found in values.items():
            known = (*found, None)
            self.facts[place] = (self.cp.new_int_var(0, len(known) - 1, f"fact {place}"), known)

    def _fact_place(self, ref: Ref, view: View) -> Place | None:
        if len(ref.path) != 1 or ref.name == "self":
            return None
        who = view.ref(Ref(ref.name))
        return (str(who), ref.path[0]) if who in [p.name for p in self.base.players] else None

    def fact_compared(self, key: object, thing: Thing, compare: Compare, view: View) -> bool:
        """Add the literal of a comparison of a fact with a number; tell whether it is one."""
        for ref, rest, flip in ((compare.left, compare.right, False), (compare.right, compare.left, True)):
            place = self._fact_place(ref, view) if isinstance(ref, Ref) else None
            if place is None:
                continue
            linear = self.linear(rest, thing, view)
            if not isinstance(linear, int):
                self.understood = False
                return True

            def holds(value: str | None, k: int = linear, flip: bool = flip) -> bool:
                have = int(value) if value is not None and value.isdigit() else None
                return compared(k, compare.op, have) if flip else compared(have, compare.op, k)

            self.tabled(key, place, holds)
            return True
        return False

    def tabled(self, key: object, place: Place, holds: Callable[[str | None], bool]) -> None:
        """Add the literal of what holds of some values of a fact."""
        if place not in self.facts:
            return
        index, values = self.facts[place]
        literal = self.cp.new_bool_var(str(key))
        rows = [(n, int(holds(value))) for n, value in enumerate(values)]
        self.cp.add_allowed_assignments([index, literal], rows)
        self.atoms[key] = literal
        self.reads[key] = frozenset({index.index})

    def _compared(self, thing: Thing, compare: Compare, view: View) -> None:
        left, right = (self.linear(side, thing, view) for side in (compare.left, compare.right))
        if left is None or right is None:
            # X is declared, and asked of the solver with the rest; what an event brings is no part of the position.
            self.understood &= all(ref.name == "x" for ref in every((compare.left, compare.right), Ref))
            return
        if not (isinstance(left, int) and isinstance(right, int)):
            self.compared((thing.id, compare), left, compare.op, right)

    def compared(self, key: object, left: Linear, op: str, right: Linear) -> None:
        """Add the literal of a comparison."""
        if isinstance(left, int) and isinstance(right, int):
            self.atoms[key] = self.cp.new_constant(int(compared(left, op, right)))
            return
        by = left - right
        holds, fails = {
            "lt": (by <= -1, by >= 0), "le": (by <= 0, by >= 1), "eq": (by == 0, by != 0),
            "ne": (by != 0, by == 0), "ge": (by >= 0, by <= -1), "gt": (by >= 1, by <= 0),
        }[op]  # fmt: skip
        self._atom(key, holds, fails)

    def linear(self, term: Expression, thing: Thing, view: View) -> Linear | None:
        """Return a number as a linear term of the amounts; None where it is none."""
        if isinstance(term, int):
            return term
        if isinstance(term, Count):
            self.moved(term)
            there = sum(1 for t in self.base.things if view.finds(term.of, t))
            more = [
                amount for amount, t in zip(self.amounts, self.shown.things[len(self.base.things) :], strict=True)
                if view.finds(term.of, t)
            ]  # fmt: skip
            return there + total(more)
        if isinstance(term, Sum):
            parts = [self.linear(part, thing, view) for part in term.terms]
            known = [part for part in parts if part is not None]
            return total(known) if len(known) == len(parts) else None
        if isinstance(term, Times | PerPlayer):
            inner = self.linear(term.of, thing, view)
            factor = term.factor if isinstance(term, Times) else self.base.started
            return None if inner is None else factor * inner
        if isinstance(term, Ref) and term.name == "self":
            if len(term.path) == 2 and term.path[0] == "counters":
                return self.counters[thing.id, term.path[1]]
            return view.number(term)
        return None

    def moved(self, count: Count) -> None:
        """Note where an effect of the group changes what a count tests: then it is no sum of amounts."""
        tested = {test.stat for test in count.of.where}
        for card in self.meeting.cards:
            for ability in card.abilities:
                effect = ability.effect if isinstance(ability, Static) else None
                moved = isinstance(effect, Modifier) and effect.modify.removeprefix("base.") in tested
                if moved or isinstance(effect, Grant):
                    self.understood = False

    def each(self) -> Iterator[Scene]:
        """Yield one scene for each class: most comparisons hold in the first, and each is as small as can be."""
        if not self.keys():
            yield Scene(())
            return
        yield from self._solved(self.cp.clone())

    def sparse(self, most: int) -> Iterator[Scene]:
        """Yield a few classes in which nothing lies about, then of those with nothing but one kind of object."""
        for only in (None, *range(len(self.amounts))):
            cp = self.cp.clone()
            for n, amount in enumerate(self.amounts):
                cp.add(amount >= 1 if n == only else amount == 0)
            yield from islice(self._solved(cp), most)

    def _solved(self, cp: cp_model.CpModel) -> Iterator[Scene]:
        keys, literals = self.keys(), list(self.atoms.values())
        weight = 1 + sum(MOST_COPIES for _ in self.amounts) + 10_001 * len(self.counters)
        goal = total([*self.amounts, *self.counters.values()]) - total(weight * literal for literal in literals)
        while (best := least(cp, goal, [*keys, *literals], seconds=SECONDS)) is not None:
            values, held = best[1][: len(keys)], best[1][len(keys) :]
            yield self.scene(values)
            if not literals:
                return
            cp.add_bool_or([~literal if on else literal for literal, on in zip(literals, held, strict=True)])

    def count(self, most: int) -> int:
        """Return how many classes there are, as far as a number.

        What no comparison ties together varies by itself: so classes are counted by parts, and the numbers multiplied.
        """
        found = 1
        by_part = sorted(self._parts(), key=len)
        for keys in by_part:
            if found >= most:
                return most
            part = [self.atoms[key] for key in keys]
            enough = -(-most // found)
            found *= len(distinct(self.cp.clone(), part, seconds=SECONDS, most=enough)[0])
        return min(found, most)

    def _parts(self) -> list[list[object]]:
        """Return the literals in groups: those that read an amount in common stand in one."""
        groups: list[tuple[set[int], list[object]]] = []
        for key, reads in self.reads.items():
            mine, keys = set(reads), [key]
            for other in [group for group in groups if not group[0].isdisjoint(mine)]:
                groups.remove(other)
                mine |= other[0]
                keys = other[1] + keys
            groups.append((mine, keys))
        return [keys for _, keys in groups]

    def keys(self) -> list[cp_model.IntVar]:
        """Return the variables of a position: amounts, counters, facts."""
        return [*self.amounts, *self.counters.values(), *(index for index, _ in self.facts.values())]

    def scene(self, values: Sequence[int]) -> Scene:
        """Return the position of a solution."""
        wanted = tuple(replace(need, n=n) for need, n in zip(self.wanted, values, strict=False))
        rest = values[len(self.wanted) :]
        counters = dict(zip(self.counters, rest, strict=False))
        facts = {
            place: known[index]
            for (place, (_, known)), index in zip(self.facts.items(), rest[len(self.counters) :], strict=True)
        }
        return Scene(
            tuple(need for need in wanted if need.n),
            FrozenMap({place: value for place, value in facts.items() if value is not None}),
            FrozenMap(counters),
        )


def _is(wanted: str, value: str | None) -> bool:
    return value == wanted


def _amounts(card: Card) -> Iterator[Count]:
    """Yield what is counted for an amount, and not compared with one."""
    for term in said(card, AssetTerm):
        yield from every(term.amount, Count)
    for modifier in said(card, Modifier, cost=False):
        yield from every(modifier.amount, Count)
