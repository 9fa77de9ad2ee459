"""The static effects of one round: what each would do, which others would change that, and so what applies when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lawful.model.effect import Grant, Modifier
from lawful.model.expression import Ref
from lawful.model.position import Position, Thing
from lawful.model.selector import Selector
from lawful.solver.order.board import Board, Does, Effect, base_board, of_whom
from lawful.solver.order.raising import barring, kept_down
from lawful.solver.order.sorting import Sorting
from lawful.solver.order.trials import Cell
from lawful.solver.order.view import Key, View

if TYPE_CHECKING:
    from lawful.solver.order.board import Boards


OF_BOARD = ("stat", "types", "mute")


@dataclass(slots=True)
class Trial:
    """What an effect would do on a board, what was read to know it, and which cells of the board among that."""

    does: Does
    reads: set[Key]
    cells: set[Cell]


def applied(boards: Boards, position: Position, effects: Sequence[Effect]) -> Board:
    """Return the board of a position after the effects, round by round.

    Parameters
    ----------
    boards : Boards
        The rules.
    position : Position
        What is looked at.
    effects : sequence of Effect
        Those in force.
    """
    board = base_board(position, boards)
    for round_ in range(3):
        group = [e for e in effects if e.round == round_]
        if group:
            board.trials.clear()
            Applying(boards, position, group).run(board)
        if round_ == 1:  # base numbers are settled: what follows changes the numbers themselves
            for (id, name), n in list(board.numbers.items()):
                if name.startswith("base."):
                    board.numbers[id, name.removeprefix("base.")] = n
    return board


class Applying:
    """Applies the effects of one round.

    Parameters
    ----------
    boards : Boards
        Rules and positions.
    position : Position
        What is looked at.
    group : list of Effect
        The effects of the round, by timestamp.
    """

    def __init__(self, boards: Boards, position: Position, group: list[Effect]) -> None:
        self.boards, self.position, self.group = boards, position, group
        self.kept = barring(boards.effects(position)) if boards.raises else {}
        self.rules = boards.rules.ordering
        self.floors = {stage.name: stage.floor for stage in boards.rules.stages}
        self.things = {thing.id: thing for thing in position.things}
        # Two effects that touch no common fact need no trial: an index by the name of what is written.
        self._abouts: dict[str, frozenset[str]] = {}
        self.writers: dict[str, list[Effect]] = {}
        for effect in group:
            for name in writes(effect):
                self.writers.setdefault(name, []).append(effect)

    def run(self, board: Board) -> None:
        """Apply all of them to a board, stage by stage."""
        late: dict[str, list[Effect]] = {name: [] for name in self.floors}
        stages = list(self.floors)
        for at, stage in enumerate(stages):
            here = [e for e in self.group if e.stage == stage]
            if self.rules.dependency == "sort":
                self._sort(here, board)
                continue
            if self.rules.dependency == "defer":
                here = self._defer(here, stages[at:], board, late)
            for effect in [*here, *sorted(late[stage], key=lambda e: e.stamp)]:
                self.apply(effect, board, stage)

    def _defer(self, here: list[Effect], later: list[str], board: Board, late: dict[str, list[Effect]]) -> list[Effect]:
        """Move each to the last stage that has an effect on which it depends; return those that stay."""
        rank = {stage: n for n, stage in enumerate(later)}
        moves: dict[str, str] = {}
        for effect in here:
            found = [other.stage for other in self.changed_by(effect, self.group, board) if other.stage in rank]
            if found:
                moves[effect.key] = max(found, key=rank.__getitem__)
                late[moves[effect.key]].append(effect)
        return [e for e in here if e.key not in moves]

    def _sort(self, here: list[Effect], board: Board) -> None:
        """Apply what waits for nothing but what waits for it, the oldest first, and look again after each."""
        if here:
            Sorting(self, here, board).run()

    def about(self, effect: Effect) -> frozenset[str]:
        """Return the names of the facts that bear on an effect: under 513.1 also those of what it contends with."""
        found = self._abouts.get(effect.key)
        if found is None:
            found = reads(effect, self.boards.grants)
            what = effect.what
            if self.rules.contradiction == "latest" and isinstance(what, Modifier) and what.operation == "set":
                for other in self.writers.get(f"stat {what.modify}", ()):
                    found |= reads(other, self.boards.grants)
            self._abouts[effect.key] = found
        return found

    def changed_by(self, effect: Effect, others: Iterable[Effect], board: Board) -> list[Effect]:
        """Return those of the others that, applied now, would change what an effect does."""
        about = self.about(effect)
        close = [b for b in others if b.key != effect.key and writes(b) & about]
        if not close:
            return []
        now = self.trial(effect, board).does
        return [b for b in close if self._differs(effect, now, b, board)]

    def _differs(self, effect: Effect, now: Does, other: Effect, board: Board) -> bool:
        """Tell whether applying another effect now would change what an effect does."""
        known = board.trials.get((effect.key, other.key)) if not self.kept else None
        if known is None:
            own, does = self.trial(effect, board), self.trial(other, board)
            written = _written(other, does.does)
            cells = own.cells | does.cells
            known = False
            # What looks at nothing that the other one writes does the same after it.
            if not own.cells.isdisjoint(written):
                after = self._after(effect, other, does.does, board)
                known = after.does != now
                cells |= after.cells | written
            board.trials.put((effect.key, other.key), known, cells)
        return bool(known)

    def does_after(self, effect: Effect, other: Effect, does: Does, board: Board) -> Does:
        """Return what an effect would do after another one, which is applied and taken back."""
        return self._after(effect, other, does, board).does

    def _after(self, effect: Effect, other: Effect, does: Does, board: Board) -> Trial:
        numbers, types, mute = self._old(other, does, board), {id: board.types.get(id) for id in does}, board.mute
        board.mute = set(mute)
        self._write(other, does, board, other.stage)
        found = self._look(effect, board)
        board.numbers.update(numbers)
        board.types.update({id: old for id, old in types.items() if old is not None})
        board.mute = mute
        return found

    def _old(self, effect: Effect, does: Does, board: Board) -> dict[tuple[str, str], int]:
        what = effect.what
        return {(id, what.modify): board.numbers[id, what.modify] for id in does} if isinstance(what, Modifier) else {}

    def apply(self, effect: Effect, board: Board, stage: str) -> None:
        """Apply an effect to a board."""
        trial = self.trial(effect, board)
        board.reads |= trial.reads
        board.order.append(effect.key)
        self._write(effect, trial.does, board, stage)
        for cell in _written(effect, trial.does):
            board.trials.touch(cell)

    def _write(self, effect: Effect, does: Does, board: Board, stage: str) -> None:
        what, floor = effect.what, self.floors[stage]
        for id, amount in does.items():
            if isinstance(what, Grant):
                types = board.types[id] if what.set_types is None else frozenset(what.set_types)
                board.types[id] = types.union(what.gain_types).difference(what.lose_types)
                if what.no_abilities:
                    board.mute.add(id)
            elif isinstance(what, Modifier):
                at = (id, what.modify)
                old = board.numbers[at]
                new = {"set": amount, "add": old + amount, "subtract": old - amount, "multiply": old * amount}
                to = new[what.operation] if floor is None else max(floor, new[what.operation])
                norms = self.kept.get(what.modify, ()) if to > old else ()
                if not norms or not kept_down(norms, effect, self.things[id], self.position, self.boards, board):
                    board.numbers[at] = to

    def trial(self, effect: Effect, board: Board) -> Trial:
        """Return what an effect would do now."""
        known = board.trials.get(effect.key)
        if known is None:
            known = self._look(effect, board)
            board.trials.put(effect.key, known, known.cells)
        assert isinstance(known, Trial)
        return known

    def _look(self, effect: Effect, board: Board) -> Trial:
        mute: set[Cell] = set() if effect.lasting else {("mute", effect.source)}
        if mute and effect.source in board.mute:
            return Trial({}, set(), mute)
        view = View(self.position, self.boards.rules, effect.bound, self.boards, board=board)
        what = effect.what
        assert isinstance(what, Modifier | Grant)
        found: Does = {}
        if view.holds(what.while_):
            for thing in self._candidates(effect):
                if thing.face != "up" or not self._meant(effect, thing, view):
                    continue
                if isinstance(what, Grant):
                    found[thing.id] = 1
                elif (thing.id, what.modify) in board.numbers and not self._outdone(effect, thing, board, view.reads):
                    amount = what.amount
                    n = amount if isinstance(amount, int) else view.having(subject=thing.id).number(amount)
                    if n is not None:
                        found[thing.id] = n
        return Trial(found, view.reads, mute.union(key for key in view.reads if key[0] in OF_BOARD))

    def _candidates(self, effect: Effect) -> Iterable[Thing]:
        """Return the objects that an effect can be about: one where it names one."""
        of = of_whom(effect)
        if isinstance(of, Ref) and not of.path and of.name in effect.bound:
            found = self.things.get(str(effect.bound[of.name]))
            return () if found is None else (found,)
        return self.position.things

    def _meant(self, effect: Effect, thing: Thing, view: View) -> bool:
        of = of_whom(effect)
        return isinstance(of, Ref | Selector) and view.finds(of, thing)

    def _outdone(self, effect: Effect, thing: Thing, board: Board, reads: set[Key]) -> bool:
        """Tell whether a newer effect sets the same number of this object, so that this one is as if absent."""
        what = effect.what
        assert isinstance(what, Modifier)
        if self.rules.contradiction != "latest" or what.operation != "set":
            return False
        mine = self.since(effect, thing)
        for other in self.writers.get(f"stat {what.modify}", ()):
            against = isinstance(other.what, Modifier) and other.what.operation == "set" and other.key != effect.key
            if against and self.since(other, thing) > mine and self.in_force(other, thing, board, reads):
                return True
        return False

    def in_force(self, effect: Effect, thing: Thing, board: Board, reads: set[Key] | None = None) -> bool:
        """Tell whether an effect is about an object now, its condition met; note what was read to know it."""
        reads = set() if reads is None else reads
        if not effect.lasting:
            reads.add(("mute", effect.source))
            if effect.source in board.mute:
                return False
        view = View(self.position, self.boards.rules, effect.bound, self.boards, reads, board)
        assert isinstance(effect.what, Modifier)
        held = view.holds(effect.what.while_) and self._meant(effect, thing, view)
        board.reads |= view.reads
        return held

    def since(self, effect: Effect, thing: Thing) -> int:
        """Return since when an effect is on an object."""
        known = self.position.laid.get(f"{effect.key} on {thing.id}")
        return max(effect.stamp, thing.timestamp) if known is None else known


def _written(effect: Effect, does: Does) -> set[Cell]:
    """Return the cells that an effect writes."""
    what = effect.what
    if isinstance(what, Modifier):
        return {("stat", id, what.modify) for id in does}
    return {cell for id in does for cell in (("types", id), ("mute", id))}


def writes(effect: Effect) -> frozenset[str]:
    """Return the names of the facts that an effect can change."""
    what = effect.what
    if isinstance(what, Modifier):
        return frozenset({f"stat {what.modify}"})
    typed = isinstance(what, Grant) and (what.gain_types or what.lose_types or what.set_types is not None)
    silent = isinstance(what, Grant) and what.no_abilities
    return frozenset({*({"types"} if typed else ()), *({"abilities"} if silent else ())})


def reads(effect: Effect, grants: bool) -> frozenset[str]:
    """Return the names of the facts that an effect can read: numbers that its text names, types, its own existence."""
    from lawful.solver.order.facts import named

    found = {name for name in named(effect.what) if grants or name != "types"}
    return frozenset({*found, "abilities"} if grants and not effect.lasting else found)
