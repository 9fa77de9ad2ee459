"""The nearest legal declaration, and the nearest position in which a declaration would be legal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from lawful.model.declaration import Declaration, Question
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.payment import Payment
from lawful.solver.ask import distinct, least
from lawful.solver.bound import Keys
from lawful.solver.check import Checker
from lawful.solver.encode.declaring import Joint, paying
from lawful.solver.encode.literals import Linear, total
from lawful.solver.encode.scene import Choice
from lawful.solver.playing import Player

MANY = 50


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
    sources : int
        Where a payment was given: sources changed.
    payment : Payment, optional
        Where a payment was given: the one nearest to it.
    """

    declaration: Declaration
    targets: int
    x: int
    modes: int
    sources: int = 0
    payment: Payment | None = None

    @property
    def distance(self) -> int:
        """How far it is."""
        return self.targets + self.x + self.modes + self.sources


@dataclass(frozen=True, slots=True)
class Repairs:
    """The nearest legal declarations.

    Parameters
    ----------
    found : tuple of Repair
        Each makes it legal; all are equally near.
    complete : bool
        Whether there are no others as near.
    """

    found: tuple[Repair, ...]
    complete: bool = True


def repairs(
    question: Question, limits: Limits = Limits(), oblige: Keys | None = None, player: Player | None = None
) -> Repairs:
    """Return the nearest legal declarations: fewest changed targets, then X nearest, then fewest changed modes.

    Parameters
    ----------
    question : Question
        With a declaration that is not legal. What it leaves open costs nothing to choose.
    limits : Limits
        What it may cost.
    oblige : frozenset of keys, optional
        Which requirements bind, where the rules leave that open.
    player : Player, optional
        Plays payments out where the models are not exact.

    Returns
    -------
    Repairs
        All that are equally near; empty where no change of targets, X and modes makes it legal.

    Raises
    ------
    LimitReached
        If there was no answer in time.
    """
    was = question.declaration
    free = replace(was, targets=FrozenMap(), modes=None, x=None)
    checker = Checker(replace(question, declaration=free), limits, frozenset(), oblige, player)
    near: list[tuple[tuple[int, ...], Joint]] = []
    for model in _models(checker, was):
        far = _far(model, was, limits)
        if far is not None:
            near.append((far, model))
    nearest = min((far for far, _ in near), default=())
    ties = [_ties(model, was, limits) for far, model in near if far == nearest]
    found = tuple(dict.fromkeys(repair for some, _ in ties for repair in some))
    return Repairs(found[:MANY], len(found) <= MANY and all(whole for _, whole in ties))


def _models(checker: Checker, was: Declaration) -> Iterator[Joint]:
    """Yield models of all choices that can be paid for: one; or, where payments are played, one for each end."""
    if not checker.played:
        if checker.bounds:
            yield checker.joint("hold")
        return
    checkers = [checker]
    if was.x is not None and checker.setting.paid_x and checker.player is not None:
        free = checker.question
        asked = [
            replace(free, declaration=replace(free.declaration, x=x)) for x in checker.player.xs(paying(free))
        ]  # fmt: skip
        checkers = [Checker(one, checker.limits, checker.released, checker.oblige, checker.player) for one in asked]
    for one in checkers:
        for bound, end in one.ends():
            yield one.ending(bound, end.marks)


def _far(model: Joint, was: Declaration, limits: Limits) -> tuple[int, ...] | None:
    """Return how far the nearest choices of a model are, and bind it to those; None where it has none."""
    found: list[int] = []
    for amount in (_targets(model, was), _x(model, was), _modes(model, was)):
        if isinstance(amount, int):
            found.append(amount)
            continue
        far = least(model.cp, amount, (), seconds=limits.seconds)
        if far is None:
            return None
        found.append(far[0])
        model.cp.add(amount == far[0])
    return tuple(found)


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


def _ties(model: Joint, was: Declaration, limits: Limits) -> tuple[list[Repair], bool]:
    """Return every declaration that is as near, and whether these are all; open slots are not told apart."""
    found: list[Repair] = []
    said: list[Choice] = [choice for choice in model.t if choice[0] in was.targets]
    xs = [(i, x) for i, x in enumerate(model.f.x) if not isinstance(x, int) and model.f.plans[i].has_x]
    xs = xs if was.x is not None else []  # what is open is not told apart
    xvars = [model.cp.new_int_var(0, 1_000_000, f"x {i}") for i, _ in xs]
    for variable, (_, x) in zip(xvars, xs, strict=True):
        model.cp.add(variable == x)
    keys = [*(model.t[c] for c in said), *model.z, *xvars]
    seen, whole = distinct(model.cp, keys, seconds=limits.seconds, most=MANY)
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
        if now not in told:
            told.add(now)
            by = abs((now.x or 0) - (was.x or 0))
            found.append(Repair(now, _changed(was, now), by, _swapped(was.modes, now.modes)))
    return found, whole


def _changed(was: Declaration, now: Declaration) -> int:
    return sum(_swapped(ids, now.targets.get(slot, ())) for slot, ids in was.targets.items())


def _swapped(before: tuple[str, ...] | None, after: tuple[str, ...] | None) -> int:
    old, new = list(before or ()), set(after or ())
    return max(len([i for i in old if i not in new]) + len(old) - len(set(old)), len(new - set(old)))
