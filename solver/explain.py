"""Why not: one minimal reason, as rules with their citations and facts of the position.

Definitions are hard; rules and facts are assumptions. What is left when nothing more can be dropped is a minimal
reason: together it forbids, and without any one of its members it does not.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Set
from collections.abc import Sequence as Several
from dataclasses import replace

from ortools.sat.python import cp_model

from lawful.model.declaration import Question
from lawful.model.errors import LawfulError, LimitReached
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.ruleset import Ruleset
from lawful.model.verdict import Because, Message, Reason, Value
from lawful.solver.ask import conflict, feasible
from lawful.solver.encode.allocation import Allocation
from lawful.solver.encode.frame import Frame, frame
from lawful.solver.encode.literals import Label, Mode
from lawful.solver.encode.sequence import free_order
from lawful.solver.marco import marco

MANY_REASONS = 20
LEAST_SECONDS = 0.05


class NotContradictory(LawfulError):
    """A reason was asked for what is possible: a bug of ours."""


def why_not(question: Question, *, limits: Limits = Limits(), released: Set[str] = frozenset()) -> Reason | None:
    """Return one minimal reason why a cost cannot be paid, or None if it can.

    Parameters
    ----------
    question : Question
        What is asked.
    limits : Limits
        What it may cost.
    released : set of str
        Roles of rules that do not bind.

    Returns
    -------
    tuple of Because, or None
        Rules first, then facts.

    Raises
    ------
    LimitReached
        If there was no answer in time.
    """
    return minimal_reason(_model(question, "assume", released, limits), limits.seconds)


def _model(question: Question, mode: Mode, released: Set[str], limits: Limits) -> Frame:
    """Return a finished model of a payment."""
    f = frame(question, mode=mode, released=released, limits=limits)
    if f.in_order and f.joint is not None:
        raise LimitReached("replacements of gains", 0, "those that are used up do not go with parts paid at once")
    if f.in_order:
        free_order(f)
    else:
        Allocation(f)
    return f


def payable(question: Question, *, limits: Limits = Limits()) -> bool:
    """Say whether a cost can be paid at all.

    Raises
    ------
    LimitReached
        If there was no answer in time.
    """
    return feasible(_model(question, "hold", frozenset(), limits).cp, seconds=limits.seconds) == "feasible"


def why_nots(question: Question, *, limits: Limits = Limits(), most: int = MANY_REASONS) -> tuple[Reason, ...]:
    """Return all minimal reasons why a cost cannot be paid: first the one that `why_not` gives, then the shortest.

    Parameters
    ----------
    question : Question
        What is asked.
    limits : Limits
        What it may cost; when time is up, those found until then are returned.
    most : int
        How many are looked for.

    Returns
    -------
    tuple of Reason
        Empty if it can be paid.

    Raises
    ------
    LimitReached
        If time was up before there was one.
    """
    f = _model(question, "assume", frozenset(), limits)
    place = _places(f)
    labels = sorted(f.literals.assumed, key=lambda label: _droppable(f, label, place))
    literals = [f.literals.assumed[label] for label in labels]
    deadline = time.monotonic() + limits.seconds

    def possible(active: frozenset[int]) -> bool:
        left = max(deadline - time.monotonic(), LEAST_SECONDS)
        return conflict(f.cp, [literals[i] for i in sorted(active)], seconds=left) is None

    family = marco(len(labels), possible, most=most, seconds=limits.seconds)
    said = [_said(f, [labels[i] for i in sorted(reason)]) for reason in family.reasons]
    return tuple(said[:1] + sorted(said[1:], key=lambda r: (len({b.rule for b in r}), len(r), [b.role for b in r])))


def minimal_reason(f: Frame, seconds: float, prefer: str | None = None) -> Reason | None:
    """Return a minimal reason why a finished model has no solution under its assumptions, or None if it has one.

    A reason with the role that is preferred is looked for first.
    """
    place = _places(f)
    labels = sorted(f.literals.assumed, key=lambda label: (label.role == prefer, _droppable(f, label, place)))
    literals = [f.literals.assumed[label] for label in labels]
    left = shrink(f.cp, literals, seconds)
    if left is None:
        return None
    return _said(f, [labels[i] for i in left])


def _said(f: Frame, found: list[Label]) -> Reason:
    """Say a reason: rules first, then facts."""
    place = _places(f)
    found = [replace(label, about=_contested(f, found)) if label.role == "split" else label for label in found]
    found.sort(key=lambda label: (label.fact, -_droppable(f, label, place)[0], _droppable(f, label, place)))
    return tuple(because(f.question.ruleset, label) for label in found)


def _places(f: Frame) -> dict[str, int]:
    """Return where every object stands in the position."""
    return {thing.id: i for i, thing in enumerate(f.question.position.things)}


def _contested(f: Frame, found: Several[Label]) -> tuple[str, ...]:
    """Return the sources that several of the parts in a reason cannot do without, or that several could use."""
    parts = [int(str(label.params.get("place", -1))) for label in found]
    parts = [j for j in parts if j >= 0]
    rules = f.question.ruleset
    use: dict[str, list[int]] = {}
    for j in parts:
        term = f.demands[j].term
        accepts = {as_ for as_ in rules.asset(term.asset).accepts if not term.only or as_ in term.only}
        gives = [
            (c.thing.id, c.most * sum(n for id, n in c.gain if accepts & set(rules.asset(id).given_as)))
            for c in f.sources
            if not c.barred
        ]
        spare = sum(n for _, n in gives) - f.most_demanded(j)
        for id, n in gives:
            use.setdefault(id, []).append(2 if n > spare else 1 if n else 0)
    needed = tuple(id for id, marks in use.items() if marks.count(2) > 1)
    return needed or tuple(id for id, marks in use.items() if len(marks) - marks.count(0) > 1)


def shrink(cp: cp_model.CpModel, literals: Several[cp_model.IntVar], seconds: float) -> tuple[int, ...] | None:
    """Return the indexes of a minimal set of assumptions that cannot all hold; earlier ones are dropped first.

    Parameters
    ----------
    cp : CpModel
        The model.
    literals : sequence of BoolVar
        The assumptions.
    seconds : float
        Time for all of it.

    Returns
    -------
    tuple of int, or None
        None if all of them can hold.

    Raises
    ------
    LimitReached
        If there was no answer in time.
    """
    deadline = time.monotonic() + seconds

    def clash(indexes: Several[int]) -> bool:
        # Only whether they clash: the solver's core is sufficient, but what to keep of it is ours to prefer.
        return conflict(cp, [literals[i] for i in indexes], seconds=deadline - time.monotonic()) is not None

    kept = list(range(len(literals)))
    if not clash(kept):
        return None
    for i in range(len(literals)):
        rest = [j for j in kept if j != i]
        if clash(rest):
            kept = rest
    if not clash(kept):
        raise NotContradictory("a reason is not contradictory by itself")
    return tuple(kept)


def _droppable(f: Frame, label: Label, place: Mapping[str, int]) -> tuple[int, int, str, tuple[int, ...]]:
    """Order labels: what is dropped first stands first. The reason should be about the first part that fails.

    Objects stand in the order of the position, so that no reason depends on what a card is called.
    """
    kind, _, name = label.role.partition(".")
    phases = {part.id: k for k, part in enumerate(f.parts)}
    phase = phases.get(name, len(phases))
    rank = {"effect": 0, "objects": 0, "surplus": 1, "part": 3, "hand": 3, "floating": 4}.get(kind, 2)
    return rank, -phase, label.role, tuple(sorted(place.get(id, len(place)) for id in label.about))


def because(ruleset: Ruleset, label: Label) -> Because:
    """Return the member of a reason that a label stands for."""
    kind = label.role.partition(".")[0]
    params: dict[str, Value] = dict(label.params)
    for key in ("asset", "accepts"):
        value = params.get(key)
        if isinstance(value, str):
            params[key] = ruleset.asset(value).name
        elif isinstance(value, tuple):
            params[key] = tuple(ruleset.asset(a).name for a in value)
    params.setdefault("about", label.about)
    params.setdefault("zone", _where_sources_are(ruleset))
    if label.fact:
        none = ".none" if params.get("gives", params.get("number")) == 0 else ""
        return Because(label.role, None, Message(f"fact.{kind}{none}", FrozenMap(params)), label.about)
    role = "x.no" if params.get("no_x") else GENERAL.get(label.role, label.role)
    specific = role if role in SPECIFIC else kind
    return Because(label.role, ruleset.rule(label.role).id, Message(f"why.{specific}", FrozenMap(params)), label.about)


def _where_sources_are(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the zones in which something can be a source."""
    zones = [zone for source in ruleset.sources if source.of is not None for zone in source.of.zone]
    zones += [zone.name for zone in ruleset.zones if zone.play and ruleset.source_abilities]
    return tuple(dict.fromkeys(zones)) or (ruleset.hand,)


SPECIFIC = ("x.none", "x.no", "x.declared", "x.least", "x.free", "effect.after", "effect.distinct")
# Say the general form where a role has one more word: ``x.least.ability``.
GENERAL = {"x.least.ability": "x.least"}
