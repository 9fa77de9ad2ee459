"""Effect-costs as the models see them, and the order in which they stand."""

from __future__ import annotations

from dataclasses import dataclass

from lawful.model.expression import Ref
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Selector
from lawful.solver.encode.amount import Amount
from lawful.solver.encode.due import EffectDue

HIDDEN = ("random", "top")


@dataclass(frozen=True, slots=True)
class Term:
    """One effect-cost: its act, whom it picks, how many."""

    due: EffectDue
    who: Ref | Selector | None
    self_id: str | None
    number: Amount
    up_to: bool
    how: str


def place_of(key: tuple[str, int]) -> tuple[int, str, int]:
    """Return where a term stands in the order of `Choice.term`, which all plans agree on."""
    section, number = key
    kind, _, which = section.partition(" ")
    ranked = ("printed", "ability", "alternative", "additional", "charge").index(kind)
    return ranked, which.rjust(9) if which.isdigit() else which, number


def numbers_objects(ruleset: Ruleset, due: EffectDue) -> bool:
    """Say whether an act's own number is of objects: else it is of counters, or of damage."""
    verb = ruleset.verb(due.act.verb)
    return not (verb.counters or verb.puts or verb.places is not None or isinstance(due.act.what, str))
