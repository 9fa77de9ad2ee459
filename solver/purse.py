"""Whether a declaration can be paid for, by what its targets do to the cost: each question asked once."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from functools import cached_property
from typing import TypeAlias

from lawful.model.declaration import Question
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Clock, Limits
from lawful.model.payment import Payment
from lawful.solver.ask import conflict
from lawful.solver.encode.declaring import Joint, Marks, due_by, joint, paying, plans_of
from lawful.solver.encode.due import DueKey, plans
from lawful.solver.encode.literals import total
from lawful.solver.encode.scene import Scene, Setting
from lawful.solver.playing import Player

Asked: TypeAlias = tuple[frozenset[object], int | None, DueKey | None]
"""Marks, X, and what else the cost depends on."""


class Purse:
    """Answers whether there is a payment.

    Parameters
    ----------
    question : Question
        What is declared.
    marks : mapping
        As `marks_of` gives them.
    released : set of str
        Roles of rules that do not bind.
    limits : Limits
        What it may cost.
    setting, scenes
        Say on what the cost depends.
    clock : Clock
        The time for the whole answer.
    """

    def __init__(
        self,
        question: Question,
        marks: Marks,
        released: Set[str],
        limits: Limits,
        setting: Setting,
        scenes: Sequence[Scene],
        clock: Clock,
    ) -> None:
        self.question, self.marks, self.released, self.limits = question, marks, released, limits
        self.setting, self.scenes = setting, scenes
        self.clock = clock
        self._model: Joint | None = None
        self._known: dict[Asked, bool] = {}

    @property
    def model(self) -> Joint:
        """The model of the payment alone."""
        if self._model is None:
            made = joint(
                self.question, (), self.marks, released=self.released, limits=self.limits,
                setting=self.setting, scenes=self.scenes,
            )  # fmt: skip
            self._model = made
        return self._model

    def affords(self, marks: frozenset[object], x: int | None, of: DueKey | None = None) -> bool:
        """Say whether there is a payment for targets with these marks, with this X; None is any."""
        key = (marks, x, of)
        if key not in self._known:
            self._known[key] = self._ask(marks, x, of)
        return self._known[key]

    def _ask(self, marks: frozenset[object], x: int | None, of: DueKey | None) -> bool:
        if self.free:
            return True
        model = self.model
        cp, f = model.cp, model.f
        numbers = frozenset(m for m in marks if isinstance(m, int))
        asked = cp.new_bool_var(f"asked {len(self._known)}")
        for plan, chosen, value in zip(f.plans, f.plan, f.x, strict=True):
            if (plan.marks is not None and plan.marks != numbers) or plan.of != of:
                cp.add(chosen == 0).only_enforce_if(asked)
            if x is not None and plan.has_x:
                cp.add(value == x).only_enforce_if(asked, chosen)
        if "spent" not in self.released:
            for id in sorted(m for m in marks if isinstance(m, str)):
                cp.add(total([model.uses(id)]) == 0).only_enforce_if(asked)
        return conflict(cp, [asked], seconds=self.clock.left) is None

    @cached_property
    def free(self) -> bool:
        """Whether nothing is due, whatever is chosen: then there is the empty payment."""
        due = plans_of(self.question, self.marks, self.setting, self.scenes)
        return all(
            not plan.amounts and not plan.effects and not plan.demands and not plan.broken and not plan.has_x
            for plan in (plans(paying(self.question)) if due is None else due)
        )


class Played(Purse):
    """Answers by having payments played out, where the models are not exact."""

    def __init__(
        self,
        question: Question,
        marks: Marks,
        released: Set[str],
        limits: Limits,
        setting: Setting,
        scenes: Sequence[Scene],
        clock: Clock,
        player: Player,
    ) -> None:
        super().__init__(question, marks, released, limits, setting, scenes, clock)
        self.player = player
        self.payments: dict[Asked, Payment | None] = {}

    def asked(self, marks: frozenset[object], x: int | None, of: DueKey | None = None) -> Question:
        """Return the question of how targets with these marks are paid for."""
        numbers = {m for m in marks if isinstance(m, int)}
        like = [id for (_, id), found in self.marks.items() if {m for m in found if isinstance(m, int)} <= numbers]
        asked = due_by(paying(self.question), of)
        targets = FrozenMap({"": tuple(dict.fromkeys(like))})
        x = asked.declaration.x if x is None else x
        return replace(asked, declaration=replace(asked.declaration, targets=targets, x=x))

    def payment(self, marks: frozenset[object], x: int | None, of: DueKey | None = None) -> Payment | None:
        """Return a payment for targets with these marks, or None where there is none."""
        key = (marks, x, of)
        if key not in self.payments:
            spare = frozenset(m for m in marks if isinstance(m, str)) if "spent" not in self.released else frozenset()
            self.payments[key] = self.player.payment(self.asked(marks, x, of), spare)
        return self.payments[key]

    def _ask(self, marks: frozenset[object], x: int | None, of: DueKey | None) -> bool:
        return self.payment(marks, x, of) is not None
