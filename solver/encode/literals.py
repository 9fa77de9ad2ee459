"""Every rule and every fact of a model stands under a literal, so that an answer can be walked back to its rules."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ortools.sat.python import cp_model

from lawful.model.frozen import FrozenMap
from lawful.model.ruleset import general
from lawful.model.verdict import Value

Linear: TypeAlias = cp_model.LinearExpr | int
Mode: TypeAlias = Literal["hold", "rules", "assume"]


class Model(cp_model.CpModel):
    """A CP-SAT model without the old spellings of its methods.

    OR-Tools writes them into every model that is made: a sixth of a millisecond each, and a circle of references that
    keeps the model until the collector runs. Nothing here uses them.
    """

    def _add_pre_pep8_methods(self) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Label:
    """What a literal stands for.

    Parameters
    ----------
    role : str
        The rule's role, ``part.c``; or the fact's name, ``floating.c``.
    fact : bool
        Whether it is a fact of the position or of the declaration, not a rule.
    params : mapping
        What a message about it needs.
    about : tuple of str
        Ids of the objects concerned.
    """

    role: str
    fact: bool = False
    params: FrozenMap[str, Value] = FrozenMap()
    about: tuple[str, ...] = ()


def total(terms: Iterable[Linear]) -> Linear:
    """Return the sum of linear expressions; the empty sum is 0."""
    result: Linear = 0
    for term in terms:
        result = result + term
    return result


class Literals:
    """Makes and keeps the literals of one model.

    Parameters
    ----------
    cp : CpModel
        The model.
    mode : {"hold", "rules", "assume"}
        Whether rules and facts simply hold, or rules are assumptions that may be dropped, or facts too.
    released : set of str
        Roles of rules that do not bind: what would be legal without them? ``stop`` stands for every ``stop.<asset>``.
    """

    def __init__(self, cp: cp_model.CpModel, mode: Mode = "hold", released: Set[str] = frozenset()) -> None:
        self.cp, self.mode, self.released = cp, mode, released
        self.assumed: dict[Label, cp_model.IntVar] = {}
        self._fixed: dict[str, cp_model.IntVar] = {}

    @property
    def explains(self) -> bool:
        """Whether what is missing may be imagined: facts and amounts are then variables."""
        return self.mode == "assume"

    def releases(self, role: str) -> bool:
        """Say whether the rule of a role does not bind."""
        return any(form in self.released for form in general(role))

    def holds(self, role: str) -> bool:
        """Say whether the rule of a role cannot be dropped in this model."""
        return self.mode == "hold" and not self.releases(role)

    def rule(self, role: str, *, about: tuple[str, ...] = (), **params: Value) -> cp_model.IntVar:
        """Return the literal of a rule."""
        if self.releases(role):
            return self._constant(f"{role} released", 0)
        if self.mode == "hold":
            return self._constant(role, 1)
        return self._assume(Label(role, False, FrozenMap(params), about))

    def of(self, label: Label) -> cp_model.IntVar:
        """Return the literal of a rule at an instance, by its label."""
        if self.releases(label.role):
            return self._constant(f"{label.role} released", 0)
        return self._constant(label.role, 1) if self.mode == "hold" else self._assume(label)

    def fact(self, name: str, *, about: tuple[str, ...] = (), **params: Value) -> cp_model.IntVar:
        """Return the literal of a fact."""
        if self.mode != "assume":
            return self._constant(name, 1)
        return self._assume(Label(name, True, FrozenMap(params), about))

    def _constant(self, name: str, value: int) -> cp_model.IntVar:
        if name not in self._fixed:
            self._fixed[name] = self.cp.new_int_var(value, value, name)
        return self._fixed[name]

    def _assume(self, label: Label) -> cp_model.IntVar:
        if label not in self.assumed:
            self.assumed[label] = self.cp.new_bool_var(f"{label.role}#{len(self.assumed)}")
        return self.assumed[label]
