"""Boards as variables: the smallest on which static effects decide about each other without one answer.

For each set of effects that may be in force, what every object then is, is fixed; so each condition is a comparison of
amounts, and has a literal for each set. That none of the sets fits its own conditions, or that several do, is said of
all the sets at once: a circle without an answer is one solve, and the board that it gives has the fewest objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TypeAlias

from ortools.sat.python import cp_model

from lawful.model.declaration import OrderQuestion
from lawful.model.effect import Grant, Modifier, Norm
from lawful.model.expression import Compare, Condition, Count, Every, Fact, Not, Some
from lawful.model.position import Position, Thing
from lawful.model.selector import Selector
from lawful.model.walking import every
from lawful.solver.ask import least
from lawful.solver.encode.literals import total
from lawful.solver.order.board import Board, Effect
from lawful.solver.order.knots import forced
from lawful.solver.order.view import View
from lawful.solver.stress.meeting import OTHER, YOU, Meeting
from lawful.solver.stress.needs import MOST_COPIES, Need
from lawful.solver.stress.scene import Scene, staged
from lawful.solver.stress.scenery import Builder
from lawful.solver.stress.scenes import SECONDS, Classes
from lawful.solver.stress.terms import largest

MOST_MEMBERS = 6
MOST_BOARDS = 60
Truth: TypeAlias = cp_model.IntVar | bool
KINDS = ("paradox", "ambiguous")


class NotLinear(Exception):
    """A condition is no comparison of amounts: boards are tried, and are no variables."""


@dataclass
class Boarded(Classes):
    """The model of the boards around a group of cards."""

    effects: tuple[Effect, ...] = field(init=False, default=())
    fits: dict[frozenset[str], list[tuple[Truth, bool]]] = field(init=False, default_factory=dict)

    def needed(self) -> tuple[Need, ...]:
        """Return every kind of object, under each player, in an amount that is above every constant of the group."""
        compares = [c for card in self.meeting.cards for c in every(card.abilities, Compare)]
        most = 1 + max((largest((c.left, c.right)) for c in compares), default=0)
        if most > MOST_COPIES:
            raise NotLinear
        objects = [c for c in self.meeting.objects if not c.abilities]
        return tuple(Need(card, self.meeting.play, whose, most) for card in objects for whose in (YOU, OTHER))

    def read(self) -> None:
        """Write each condition under each set of effects in force."""
        there = [e for e in self.boards.effects(self.shown) if not isinstance(e.what, Norm)]
        costs = [isinstance(e.what, Modifier) and e.what.modify.partition(".")[0] == "cost" for e in there]
        self.effects = tuple(e for e, cost in zip(there, costs, strict=True) if not cost)
        if len(self.effects) > MOST_MEMBERS or any(map(_counts, self.effects)):
            raise NotLinear
        for thing in self.base.things:
            self.count_counters(thing)
        for n in range(len(self.effects) + 1):
            for on in combinations(self.effects, n):
                board = forced(list(on), self.boards, self.shown)
                self.fits[frozenset(e.key for e in on)] = [(self._is_on(e, board), e in on) for e in self.effects]

    def moved(self, count: Count) -> None:
        """Leave out a note: each literal is of one set of effects in force, and what they change is in it."""

    def _is_on(self, e: Effect, board: Board) -> Truth:
        assert isinstance(e.what, Modifier | Grant)
        if not e.lasting and e.source in board.mute:
            return False
        view = View(self.shown, self.meeting.ruleset, e.bound, self.boards, board=board)
        thing = next(t for t in self.base.things if t.id == e.source)
        return True if e.what.while_ is None else self._holds(e.what.while_, thing, view)

    def _holds(self, condition: Condition, thing: Thing, view: View) -> Truth:
        if isinstance(condition, Every | Some):
            parts = [self._holds(part, thing, view) for part in condition.conditions]
            return self._joined(parts, isinstance(condition, Every))
        if isinstance(condition, Not):
            inner = self._holds(condition.condition, thing, view)
            if isinstance(inner, bool):
                return not inner
            other = self.cp.new_bool_var("not")
            self.cp.add(other + inner == 1)
            return other
        key = (thing.id, condition, len(self.atoms))
        if isinstance(condition, Fact):
            self.tabled(key, (str(view.ref(condition.player)), condition.key), lambda v: v == condition.value)
        elif not self.fact_compared(key, thing, condition, view):
            left, right = (self.linear(side, thing, view) for side in (condition.left, condition.right))
            if left is None or right is None:
                raise NotLinear
            self.compared(key, left, condition.op, right)
        if not self.understood or key not in self.atoms:
            raise NotLinear
        return self.atoms[key]

    def _joined(self, parts: Sequence[Truth], all_: bool) -> Truth:
        if any(part is not all_ for part in parts if isinstance(part, bool)):
            return not all_
        literals = [part for part in parts if not isinstance(part, bool)]
        if not literals:
            return all_
        joined = self.cp.new_bool_var("all" if all_ else "some")
        (self.cp.add_min_equality if all_ else self.cp.add_max_equality)(joined, literals)
        return joined

    def found(self, kind: str) -> Iterator[Scene]:
        """Yield the smallest boards on which no set of effects fits, or several do; the fewest objects first."""
        cp = self.cp.clone()
        fitting = [self._fitting(cp, pairs) for pairs in self.fits.values()]
        cp.add(total(fitting) == 0 if kind == "paradox" else total(fitting) >= 2)
        keys = self.keys()
        literals = list(self.atoms.values())
        goal = total([*self.amounts, *self.counters.values()])
        for _ in range(MOST_BOARDS):
            best = least(cp, goal, [*keys, *literals], seconds=SECONDS)
            if best is None:
                return
            yield self.scene(best[1][: len(keys)])
            if not literals:
                return
            held = best[1][len(keys) :]
            cp.add_bool_or([~literal if on else literal for literal, on in zip(literals, held, strict=True)])
        raise NotLinear

    def _fitting(self, cp: cp_model.CpModel, pairs: Sequence[tuple[Truth, bool]]) -> cp_model.IntVar:
        """Return a literal: each effect of a set is in force exactly if its condition holds."""
        fits = cp.new_bool_var("fits")
        wrong = []
        for truth, wanted in pairs:
            if isinstance(truth, bool):
                if truth != wanted:
                    cp.add(fits == 0)
                    return fits
            else:
                wrong.append(~truth if wanted else truth)
                cp.add_implication(fits, truth if wanted else ~truth)
        cp.add_bool_or([fits, *wrong])
        return fits


def _counts(e: Effect) -> bool:
    """Tell whether what an effect does hangs on how many there are."""
    assert isinstance(e.what, Modifier | Grant)
    amount = e.what.amount if isinstance(e.what, Modifier) else 0
    of = e.what.of
    far = any(s.highest or s.lowest or s.near or s.bears for s in every(e.what, Selector))
    return far or any(True for _ in every((amount, of), Count))


def circling(meeting: Meeting, base: Position, about: str, kind: str) -> Iterator[OrderQuestion]:
    """Yield the smallest boards around a group on which there is a circle of a kind, each of another class.

    Raises
    ------
    NotLinear
        If amounts do not say it all.
    """
    model = Boarded(meeting, base, about)
    for scene in model.found(kind):
        builder = Builder(meeting, list(base.things), dict(base.cards))
        staged(builder, scene, about)
        yield OrderQuestion(meeting.ruleset, builder.position())
