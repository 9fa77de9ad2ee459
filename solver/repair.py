"""The nearest legal declaration, and the nearest position in which a declaration would be legal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from lawful.model.declaration import Declaration, Question
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.position import Thing
from lawful.model.verdict import Shortfall
from lawful.solver.ask import each_solution, least
from lawful.solver.bound import Keys
from lawful.solver.check import Checker
from lawful.solver.encode.declaring import Joint, joint, paying
from lawful.solver.encode.literals import Linear, total
from lawful.solver.encode.scene import Choice
from lawful.solver.explain import payable

MANY = 50
COPIES = 3


@dataclass(frozen=True, slots=True)
class Repair:
    """A change that makes a declaration legal.

    Parameters
    ----------
    declaration : Declaration
        The declaration after it.
    targets : int
        Targets changed.
    x : int
        By how much X changed.
    modes : int
        Modes changed.
    """

    declaration: Declaration
    targets: int
    x: int
    modes: int

    @property
    def distance(self) -> int:
        """How far it is."""
        return self.targets + self.x + self.modes


def repairs(question: Question, limits: Limits = Limits(), oblige: Keys | None = None) -> tuple[Repair, ...]:
    """Return the nearest legal declarations: fewest changed targets, then X nearest, then fewest changed modes.

    Parameters
    ----------
    question : Question
        With a declaration that is not legal. What it leaves open costs nothing to choose.
    limits : Limits
        What it may cost.
    oblige : frozenset of keys, optional
        Which requirements bind, where the rules leave that open.

    Returns
    -------
    tuple of Repair
        All that are equally near; empty where no change of targets, X and modes makes it legal.

    Raises
    ------
    LimitReached
        If there was no answer in time.
    """
    was = question.declaration
    free = replace(was, targets=FrozenMap(), modes=None, x=None)
    checker = Checker(replace(question, declaration=free), limits, frozenset(), oblige)
    if not checker.bounds:
        return ()
    model = joint(checker.question, checker.bounds, checker.marks, limits=limits)
    amounts = (_targets(model, was), _x(model, was), _modes(model, was))
    for amount in amounts:
        if isinstance(amount, int):
            continue
        found = least(model.cp, amount, (), seconds=limits.seconds)
        if found is None:
            return ()
        model.cp.add(amount == found[0])
    return tuple(_ties(checker, model, was, limits))


def _targets(model: Joint, was: Declaration) -> Linear:
    """Count the targets changed: in each slot, how many go or how many come, whichever is more."""
    changed: list[Linear] = []
    names = {slot for slot, _ in model.t}
    for slot, ids in was.targets.items():
        if slot not in names:
            changed.append(len(ids))
            continue
        mine = [c for c in model.t if c[0] == slot]
        gone = [c for c in mine if c[1] in ids]
        lost = len(ids) - len(gone)
        most = model.cp.new_int_var(0, len(model.t) + len(ids), f"changed for {slot}")
        away = total(1 - model.t[c] for c in gone) + lost
        model.cp.add_max_equality(most, [away, total(model.t[c] for c in mine if c not in gone)])
        changed.append(most)
    return total(changed)


def _x(model: Joint, was: Declaration) -> Linear:
    if was.x is None:
        return 0
    if any(bound.scene.x is not None for bound in model.bounds):
        return total(
            abs((bound.scene.x or 0) - was.x) * z for z, bound in zip(model.z, model.bounds, strict=True)
        )  # fmt: skip
    f = model.f
    if not any(plan.has_x for plan in f.plans):
        return 0
    far = model.cp.new_int_var(0, 1_000_000, "X changed")
    model.cp.add_abs_equality(far, total(f.x) - was.x)
    return far


def _modes(model: Joint, was: Declaration) -> Linear:
    if was.modes is None:
        return 0
    before = set(was.modes)
    return total(
        max(len(before - set(bound.scene.modes)), len(set(bound.scene.modes) - before)) * z
        for z, bound in zip(model.z, model.bounds, strict=True)
    )


def _ties(checker: Checker, model: Joint, was: Declaration, limits: Limits) -> Iterator[Repair]:
    """Yield every declaration that is as near; open slots are not told apart."""
    said: list[Choice] = [choice for choice in model.t if choice[0] in was.targets]
    xs = [(i, x) for i, x in enumerate(model.f.x) if not isinstance(x, int) and model.f.plans[i].has_x]
    xvars = [model.cp.new_int_var(0, 1_000_000, f"x {i}") for i, _ in xs]
    for variable, (_, x) in zip(xvars, xs, strict=True):
        model.cp.add(variable == x)
    keys = [*(model.t[c] for c in said), *model.z, *xvars]
    seen: dict[tuple[int, ...], None] = {}
    each_solution(
        model.cp, keys, lambda values: seen.setdefault(values), seconds=limits.seconds, most=2_000
    )  # fmt: skip
    told: set[Declaration] = set()
    for values in sorted(seen, reverse=True):
        made: Mapping[Choice, int] = dict(zip(said, values, strict=False))
        scene = model.bounds[values[len(said) : len(said) + len(model.z)].index(1)].scene
        of_x = values[len(said) + len(model.z) :]
        value = scene.x if scene.x is not None else (sum(of_x) if of_x else was.x)
        targets = {
            slot: tuple(id for s, id in said if s == slot and made.get((s, id))) for slot in was.targets
        }  # fmt: skip
        modes = scene.modes if was.modes is not None else None
        there = {seat.name for seat in scene.seats}
        now = replace(
            was,
            targets=FrozenMap({slot: ids for slot, ids in targets.items() if slot in there}),
            modes=modes,
            x=value if was.x is not None else None,
        )
        if now in told or len(told) >= MANY:
            continue
        told.add(now)
        yield Repair(now, _changed(was, now), abs((now.x or 0) - (was.x or 0)), _swapped(was.modes, now.modes))


def _changed(was: Declaration, now: Declaration) -> int:
    return sum(_swapped(ids, now.targets.get(slot, ())) for slot, ids in was.targets.items())


def _swapped(before: tuple[str, ...] | None, after: tuple[str, ...] | None) -> int:
    old, new = list(before or ()), set(after or ())
    return max(len([i for i in old if i not in new]) + len(old) - len(set(old)), len(new - set(old)))


def shortfalls(question: Question, limits: Limits = Limits()) -> tuple[Shortfall, ...]:
    """Return the least that a position lacks for a cost: the fewest copies of one of the ruleset's generic cards.

    Parameters
    ----------
    question : Question
        With a cost that cannot be paid.
    limits : Limits
        What it may cost.

    Returns
    -------
    tuple of Shortfall
        Each of them alone would be enough; empty where a few copies of one card are not.

    Raises
    ------
    LimitReached
        If there was no answer in time.
    """
    asked = paying(question)
    found: list[Shortfall] = []
    for card in asked.ruleset.cards:
        if card.yields and any(card.yields.values()):
            for n in range(1, COPIES + 1):
                if payable(_with_cards(asked, card.name, n), limits=limits):
                    found.append(Shortfall(card.name, n))
                    break
    fewest = min((s.n for s in found), default=0)
    return tuple(s for s in found if s.n == fewest)


def _with_cards(question: Question, name: str, n: int) -> Question:
    position, player = question.position, question.declaration.player
    card = next(card for card in question.ruleset.cards if card.name == name)
    clock = position.clock
    more = tuple(
        Thing(f"{name} +{i + 1}", name, player, player, question.ruleset.hand, timestamp=clock + i) for i in range(n)
    )
    cards = position.cards.put(name, card)
    return replace(question, position=replace(position, things=(*position.things, *more), cards=cards))
